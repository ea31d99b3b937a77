/**
 * Says things to people: log lines, warnings, and text that others chose, made harmless. Depends on
 * nothing else of Holdfast.
 *
 * <p>No API: any version may change or remove what is in here.
 */
package io.holdfast.notice;
