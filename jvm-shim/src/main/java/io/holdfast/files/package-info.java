/**
 * Creates files and folders that only the driver's user may read and write.
 *
 * <p>No API: any version may change or remove what is in here.
 */
package io.holdfast.files;
