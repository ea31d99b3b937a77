/**
 * Reads what a Spark job can be named by, and matches the names that the configuration gives
 * numbers to.
 *
 * <p>No API: any version may change or remove what is in here.
 */
package io.holdfast.names;
