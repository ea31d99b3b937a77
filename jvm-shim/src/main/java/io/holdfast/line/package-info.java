/**
 * Finds the implementation for the Spark that runs, and compares that Spark with what it needs.
 *
 * <p>No API: any version may change or remove what is in here.
 */
package io.holdfast.line;
