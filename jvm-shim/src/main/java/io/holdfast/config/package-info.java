/**
 * Knows all keys, and parses them.
 *
 * <p>No API: any version may change or remove what is in here.
 */
package io.holdfast.config;
