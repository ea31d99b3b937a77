/**
 * Puts into words and JSON what the engine has counted.
 *
 * <p>No API: any version may change or remove what is in here.
 */
package io.holdfast.report;
