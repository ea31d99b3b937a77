/* Loads the native library as a JVM does, where there is no JVM to be had, and prints what its handshake answers. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *library = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
  /* The handshake looks at neither of its arguments: a JVM's environment, and the class. */
  long long (*handshake)(void *, void *) =
      library ? dlsym(library, "Java_io_holdfast_bridge_NativeEngine_handshake") : NULL;
  if (!handshake) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  printf("%llx\n", handshake(NULL, NULL));
  return 0;
}
