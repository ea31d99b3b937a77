package io.holdfast.line;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Links our class files against Spark releases, without running them. The argument is a file with a
 * line for each release: its name, the list of {@link ListLinks}, the class path of our folders,
 * and a file that lists the jars, separated by tabs; then a file for "passed failed skipped".
 * Prints a line for each, and ends with 1 if anything is missing.
 */
public final class CheckLinks {
  private CheckLinks() {}

  public static void main(String[] arguments) throws IOException {
    int[] counts = new int[3];
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      String[] parts = line.split("\t");
      List<Path> jars = Files.readAllLines(Path.of(parts[3])).stream().map(Path::of).toList();
      if (jars.isEmpty()) {
        System.out.println(parts[0] + ": not tried, it cannot be had");
        counts[2]++;
        continue;
      }
      List<Path> ours = ListLinks.paths(parts[2]);
      List<Path> all = new ArrayList<>(ours);
      all.addAll(jars);
      try (URLClassLoader loader = ListLinks.loader(all)) {
        ClassFiles files = new ClassFiles(loader);
        List<String> links = Files.readAllLines(Path.of(parts[1]));
        List<String> missing = new ArrayList<>(Links.missing(links, files));
        for (byte[] each : ListLinks.classes(ours)) missing.addAll(unimplemented(each, files));
        long members = links.stream().filter(l -> l.startsWith(" ")).count();
        System.out.printf(
            "%s: %d classes, %d members: %s%n",
            parts[0],
            links.size() - members,
            members,
            missing.isEmpty() ? "all there" : "lacks " + String.join(", ", missing));
        counts[missing.isEmpty() ? 0 : 1]++;
      }
    }
    Files.writeString(Path.of(arguments[1]), counts[0] + " " + counts[1] + " " + counts[2] + "\n");
    if (counts[1] > 0) System.exit(1);
  }

  /** Methods that Spark expects of what a class of ours extends, and that nothing implements. */
  private static List<String> unimplemented(byte[] bytes, ClassFiles files) {
    ClassFile own = new ClassFile(bytes);
    List<String> missing = new ArrayList<>();
    if (own.isAbstract) return missing;
    Set<ClassFile> all = new LinkedHashSet<>();
    collect(own.name, files, all);
    Set<String> implemented = new HashSet<>();
    Set<String> expected = new TreeSet<>();
    for (ClassFile each : all) {
      each.members(true)
          .forEach(
              (member, access) -> {
                if (!Modifier.isAbstract(access)) implemented.add(member);
                else if (References.isSparks(each.name)) expected.add(member);
              });
    }
    expected.removeAll(implemented);
    expected.forEach(
        member -> missing.add(own.name.replace('/', '.') + " implements no " + member));
    return missing;
  }

  private static void collect(String name, ClassFiles files, Set<ClassFile> all) {
    ClassFile file = files.get(name);
    if (file != null && all.add(file)) file.above.forEach(above -> collect(above, files, all));
  }
}
