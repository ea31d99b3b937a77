/**
 * Translates between one application's Spark and its engine, and knows the state of this driver.
 *
 * <p>No API: any version may change or remove what is in here.
 */
package io.holdfast.session;
