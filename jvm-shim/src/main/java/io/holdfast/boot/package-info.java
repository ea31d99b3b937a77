/**
 * Switches Holdfast on, or says why it cannot be.
 *
 * <p>No API: any version may change or remove what is in here.
 */
package io.holdfast.boot;
