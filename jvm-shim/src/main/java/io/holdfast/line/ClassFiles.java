package io.holdfast.line;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** The class files that a class loader finds, read but never loaded. */
final class ClassFiles {
  private final Map<String, ClassFile> files = new HashMap<>();
  private final ClassLoader loader;

  ClassFiles(ClassLoader loader) {
    this.loader = loader;
  }

  /**
   * Returns the file of a class ({@code java/lang/Object}), null if there is none.
   *
   * @throws UncheckedIOException if it cannot be read
   */
  ClassFile get(String name) {
    if (!files.containsKey(name)) files.put(name, read(name));
    return files.get(name);
  }

  /**
   * Looks for a member in a class, its superclasses and interfaces; null if there is none.
   *
   * @param member name, space, descriptor
   */
  ClassFile declaring(String name, String member, boolean method) {
    ClassFile file = get(name);
    if (file == null || file.members(method).containsKey(member)) return file;
    for (String above : file.above) {
      ClassFile found = declaring(above, member, method);
      if (found != null) return found;
    }
    return null;
  }

  private ClassFile read(String name) {
    try (InputStream in = open(name + ".class")) {
      return in == null ? null : new ClassFile(in.readAllBytes());
    } catch (IOException | RuntimeException e) {
      throw new UncheckedIOException(new IOException(name + " cannot be read: " + e, e));
    }
  }

  private InputStream open(String file) {
    InputStream in = loader.getResourceAsStream(file);
    return in == null ? ClassLoader.getSystemResourceAsStream(file) : in; // the JDK's
  }
}
