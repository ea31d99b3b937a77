/**
 * Helps the classes that Spark loads by itself. Runs on Java 8, and knows the rest of Holdfast by
 * name only.
 *
 * <p>No API: any version may change or remove what is in here.
 */
package io.holdfast.entry;
