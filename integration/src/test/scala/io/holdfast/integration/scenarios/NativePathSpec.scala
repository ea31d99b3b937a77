package io.holdfast.integration.scenarios

/** A native library that is not there. In a suite of its own: a JVM loads the library once. */
class NativePathSpec extends Switching {
  misconfigured("spark.holdfast.native.path", "/nowhere/libholdfast_jni.so", "is not a file")
}
