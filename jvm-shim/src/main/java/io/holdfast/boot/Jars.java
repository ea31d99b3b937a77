package io.holdfast.boot;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** The builds of Holdfast on the class path. */
final class Jars {
  private static final String BUILD = "io/holdfast/build.properties";

  /**
   * One build.
   *
   * @param place the jar's path, or whatever a class loader calls it
   */
  record Build(String place, String version, String revision) {
    boolean sameAs(Build other) {
      return version.equals(other.version) && revision.equals(other.revision);
    }

    /** As the banner says it. */
    String name() {
      return version + (revision.isEmpty() ? "" : " (" + revision + ")");
    }
  }

  private Jars() {}

  /**
   * Returns all builds that these class loaders see, each jar once; none where only classes are.
   */
  static List<Build> seenBy(ClassLoader... loaders) {
    Map<String, Build> builds = new LinkedHashMap<>();
    try {
      for (ClassLoader loader : loaders)
        for (URL url : Collections.list(loader.getResources(BUILD)))
          builds.putIfAbsent(url.toString(), read(url));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ArrayList<>(builds.values());
  }

  private static Build read(URL url) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = url.openStream()) {
      properties.load(in);
    }
    String version = properties.getProperty("version", "unknown");
    return new Build(place(url.toString()), version, properties.getProperty("revision", ""));
  }

  private static String place(String url) {
    int end = url.indexOf("!/" + BUILD);
    if (!url.startsWith("jar:") || end < 0) return url;
    String jar = url.substring("jar:".length(), end);
    return jar.startsWith("file:") ? URI.create(jar).getPath() : jar;
  }

  /**
   * Classes of two builds in one JVM may be mixed.
   *
   * @throws IllegalStateException if there are two
   */
  static void checkOne(ClassLoader... loaders) {
    List<Build> builds = seenBy(loaders);
    for (Build other : builds) {
      Build first = builds.get(0);
      if (other.sameAs(first)) continue;
      throw new IllegalStateException(
          "two builds of Holdfast are on the driver's class path: "
              + first.name()
              + " in "
              + first.place()
              + " and "
              + other.name()
              + " in "
              + other.place()
              + ": remove one of the jars");
    }
  }
}
