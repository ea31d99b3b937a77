package io.holdfast.line;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;

/**
 * Writes what class files of ours need of Spark, for the check at each start and for {@link
 * CheckLinks}: a line with a class, then a line for each of its members, which begins with a space.
 * What classes for YARN need is in a list of its own, as their Spark may have no YARN. Arguments:
 * the folder and the target; folders of ours, then what they were compiled against, as class paths.
 */
public final class ListLinks {
  private ListLinks() {}

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    String target = arguments[1];
    List<Path> ours = paths(arguments[2]);
    List<Path> all = new ArrayList<>(ours);
    all.addAll(paths(arguments[3]));
    try (URLClassLoader loader = loader(all)) {
      ClassFiles files = new ClassFiles(loader);
      References always = new References(files);
      References yarn = new References(files);
      for (byte[] each : classes(ours)) (isYarns(each) ? yarn : always).read(each);
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(target + ".txt"), text(always));
      Files.writeString(folder.resolve(target + "_yarn.txt"), text(yarn));
    }
  }

  private static boolean isYarns(byte[] bytes) {
    String name = new ClassReader(bytes).getClassName();
    return name.substring(name.lastIndexOf('/') + 1).startsWith("Yarn");
  }

  private static String text(References references) {
    StringBuilder text = new StringBuilder();
    references.found.forEach(
        (name, members) -> {
          text.append(name).append('\n');
          members.forEach(member -> text.append(' ').append(member).append('\n'));
        });
    return text.toString();
  }

  /** Those of a class path that are there. */
  static List<Path> paths(String classPath) {
    return Stream.of(classPath.split(File.pathSeparator))
        .map(Path::of)
        .filter(Files::exists)
        .toList();
  }

  /** Finds nothing but the JDK and these. */
  static URLClassLoader loader(List<Path> places) throws IOException {
    URL[] urls = new URL[places.size()];
    for (int i = 0; i < urls.length; i++) urls[i] = places.get(i).toUri().toURL();
    return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
  }

  /** Bytes of all class files in the folders. */
  static List<byte[]> classes(List<Path> folders) throws IOException {
    List<byte[]> all = new ArrayList<>();
    for (Path folder : folders) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".class")).sorted().toList())
          all.add(Files.readAllBytes(file));
      }
    }
    return all;
  }
}
