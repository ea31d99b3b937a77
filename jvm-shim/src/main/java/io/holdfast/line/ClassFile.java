package io.holdfast.line;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names of a class file (JVM Specification, 4.1). Reflection would load all classes that any member
 * mentions, and fail where one of them is left out that is never used.
 */
final class ClassFile {
  private static final int MAGIC = 0xCAFEBABE;
  private static final int UTF8 = 1;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;
  private static final int CLASS = 7;
  private static final int STRING = 8;
  private static final int METHOD_HANDLE = 15;
  private static final int METHOD_TYPE = 16;
  private static final int MODULE = 19;
  private static final int PACKAGE = 20;

  final String name;
  final boolean isAbstract;

  /** Superclass, which an interface has too, and interfaces. */
  final List<String> above = new ArrayList<>();

  private final Map<String, Integer> fields;
  private final Map<String, Integer> methods;
  private final byte[] bytes; // not a buffer: this runs at the start, interpreted
  private int at;
  private final int[] constants; // where each begins, after its tag

  /**
   * @throws RuntimeException if that is no class file
   */
  ClassFile(byte[] bytes) {
    this.bytes = bytes;
    if (integer(0) != MAGIC) throw new IllegalArgumentException("no class file");
    at = 8; // after the version
    constants = constants();
    isAbstract = Modifier.isAbstract(unsigned());
    name = className(unsigned());
    String superclass = className(unsigned());
    if (superclass != null) above.add(superclass);
    for (int each = unsigned(); each > 0; each--) above.add(className(unsigned()));
    fields = members();
    methods = members();
  }

  /** Access flags of methods or fields by name, space, descriptor. */
  Map<String, Integer> members(boolean ofMethods) {
    return ofMethods ? methods : fields;
  }

  private int unsigned() {
    at += 2;
    return unsigned(at - 2);
  }

  private int unsigned(int from) {
    return (bytes[from] & 0xFF) << 8 | bytes[from + 1] & 0xFF;
  }

  private int integer(int from) {
    return unsigned(from) << 16 | unsigned(from + 2);
  }

  private int[] constants() {
    int[] begins = new int[unsigned()];
    for (int i = 1; i < begins.length; i++) {
      int tag = bytes[at++];
      begins[i] = at;
      at +=
          switch (tag) {
            case UTF8 -> 2 + unsigned(at);
            case LONG, DOUBLE -> 8;
            case CLASS, STRING, METHOD_TYPE, MODULE, PACKAGE -> 2;
            case METHOD_HANDLE -> 3;
            default -> 4;
          };
      if (tag == LONG || tag == DOUBLE) i++;
    }
    return begins;
  }

  private String className(int constant) {
    return constant == 0 ? null : text(unsigned(constants[constant]));
  }

  private String text(int constant) {
    int begin = constants[constant];
    return new String(bytes, begin + 2, unsigned(begin), UTF_8);
  }

  private Map<String, Integer> members() {
    Map<String, Integer> members = new HashMap<>();
    for (int each = unsigned(); each > 0; each--) {
      int access = unsigned();
      members.put(text(unsigned()) + " " + text(unsigned()), access);
      for (int attribute = unsigned(); attribute > 0; attribute--) {
        at += 6 + integer(at + 2); // name, length, content
      }
    }
    return members;
  }
}
