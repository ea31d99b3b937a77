package io.holdfast.line;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Compares a Spark with what the class files of a target refer to, as the build has listed it: what
 * a patched Spark lacks is found at the start, and not by a job.
 *
 * <p>A list has a line for each class, then one for each of its members, "kind name descriptor"
 * behind a space. Kinds: {@code m} a method, {@code s} a static one, {@code o} one that is
 * overridden, {@code f} a field, {@code g} a static one.
 */
final class Links {
  private final ClassFiles files;
  private final Set<String> missing = new LinkedHashSet<>(); // called and overridden: named once

  private Links(ClassFiles files) {
    this.files = files;
  }

  /** Returns whether the jar has an implementation of that name. */
  static boolean has(String target) {
    return Links.class.getResource(file(target)) != null;
  }

  /**
   * Names of what the Spark that runs lacks.
   *
   * @throws IllegalStateException if the list cannot be read
   */
  static List<String> missing(String target) {
    try (InputStream in = Links.class.getResourceAsStream(file(target))) {
      if (in == null) throw new IllegalStateException("the jar lacks " + file(target));
      List<String> lines = new String(in.readAllBytes(), UTF_8).lines().toList();
      return missing(lines, new ClassFiles(Links.class.getClassLoader()));
    } catch (IOException e) {
      throw new IllegalStateException(file(target) + " cannot be read: " + e, e);
    }
  }

  static List<String> missing(List<String> lines, ClassFiles files) {
    Links links = new Links(files);
    try {
      links.check(lines);
    } catch (UncheckedIOException e) {
      links.missing.add(e.getCause().getMessage());
    }
    return List.copyOf(links.missing);
  }

  private static String file(String target) {
    return "/io/holdfast/links/" + target + ".txt";
  }

  private void check(List<String> lines) {
    String owner = null;
    for (String line : lines) {
      if (!line.startsWith(" ")) {
        owner = files.get(line) == null ? null : line;
        if (owner == null) missing.add(line.replace('/', '.'));
      } else if (owner != null && !has(owner, line.charAt(1), line.substring(3))) {
        missing.add(owner.replace('/', '.') + "." + line.substring(3).replace(" ", ""));
      }
    }
  }

  private boolean has(String owner, char kind, String member) {
    boolean method = kind == 'm' || kind == 's' || kind == 'o';
    ClassFile declaring = files.declaring(owner, member, method);
    if (declaring == null) return false;
    int access = declaring.members(method).get(member);
    if (Modifier.isPrivate(access)) return false;
    if (kind == 'o') return !Modifier.isStatic(access) && !Modifier.isFinal(access);
    return Modifier.isStatic(access) == (kind == 's' || kind == 'g');
  }
}
