/**
 * Decides which workflow a Spark job belongs to, and how important that is.
 *
 * <p>No API: any version may change or remove what is in here.
 */
package io.holdfast.identity;
