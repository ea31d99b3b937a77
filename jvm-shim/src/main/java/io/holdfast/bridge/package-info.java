/**
 * Reaches the native engine: loads the library, calls it, and writes its decision log.
 *
 * <p>No API: any version may change or remove what is in here.
 */
package io.holdfast.bridge;
