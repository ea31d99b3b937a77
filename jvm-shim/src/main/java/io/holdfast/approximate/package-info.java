/** Actions whose answer may be approximate: what a program calls, and what each Spark line does. */
package io.holdfast.approximate;
