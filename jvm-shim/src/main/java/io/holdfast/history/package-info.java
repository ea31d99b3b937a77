/**
 * Remembers what workflows repeat, from one application to the next.
 *
 * <p>No API: any version may change or remove what is in here.
 */
package io.holdfast.history;
