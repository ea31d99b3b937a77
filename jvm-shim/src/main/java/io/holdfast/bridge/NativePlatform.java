package io.holdfast.bridge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The platform that this JVM runs on, as folders in the jar name it.
 *
 * @param os {@code linux}, {@code macos}, or another name
 * @param arch {@code x86_64}, {@code aarch64}, or another name
 * @param libc {@link #GLIBC} or {@link #MUSL} on Linux, else empty
 */
record NativePlatform(String os, String arch, String libc) {
  static final String GLIBC = "glibc";
  static final String MUSL = "musl";

  /** Platforms that a release has libraries for. */
  static final List<String> RELEASED =
      List.of(
          "linux-x86_64",
          "linux-aarch64",
          "linux-x86_64-musl",
          "linux-aarch64-musl",
          "macos-x86_64",
          "macos-aarch64");

  private static final Path MAPS = Path.of("/proc/self/maps");
  private static final Pattern GLIBC_FILE = Pattern.compile("libc\\.so\\.6|libc-(2\\.[0-9]+)\\.so");
  private static final Pattern RELEASE = Pattern.compile("release version (2\\.[0-9]+)");

  static NativePlatform current() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch");
    String osName =
        os.contains("mac") ? "macos" : os.contains("windows") ? "windows" : os.replace(' ', '_');
    String archName = arch.equals("amd64") ? "x86_64" : arch.equals("arm64") ? "aarch64" : arch;
    String libc = osName.equals("linux") ? libc(mapped(MAPS), Path.of("/"), archName) : "";
    return new NativePlatform(osName, archName, libc);
  }

  /** Returns the folder of this platform in the jar, for example {@code linux-x86_64-musl}. */
  String folder() {
    return os + "-" + arch + (libc.equals(MUSL) ? "-musl" : "");
  }

  /** Returns the file name of the library on that platform. */
  static String library(String folder) {
    return folder.startsWith("macos")
        ? "libholdfast_jni.dylib"
        : folder.startsWith("windows") ? "holdfast_jni.dll" : "libholdfast_jni.so";
  }

  /**
   * Tells the C library of a process by its mapped files. Without them, the dynamic linkers that
   * are installed decide; glibc goes first, since a machine with both runs a JVM for glibc.
   */
  static String libc(List<Path> mapped, Path root, String arch) {
    for (Path file : mapped) {
      String name = file.getFileName().toString();
      if (GLIBC_FILE.matcher(name).matches()) return GLIBC;
      // Debian's musl is a libc.so that ld-musl-*.so.1 links to.
      if (name.startsWith("ld-musl-") || name.equals("libc.so")) return MUSL;
    }
    boolean glibc =
        Stream.of("lib64/ld-linux-x86-64.so.2", "lib/ld-linux-aarch64.so.1")
            .anyMatch(linker -> Files.exists(root.resolve(linker)));
    boolean musl = Files.exists(root.resolve("lib/ld-musl-" + arch + ".so.1"));
    return musl && !glibc ? MUSL : GLIBC;
  }

  /** Returns this process's glibc, such as {@code 2.36}; empty where it does not tell. */
  static Optional<String> glibcVersion() {
    return glibcVersion(mapped(MAPS));
  }

  static Optional<String> glibcVersion(List<Path> mapped) {
    for (Path file : mapped) {
      Matcher name = GLIBC_FILE.matcher(file.getFileName().toString());
      if (!name.matches()) continue;
      if (name.group(1) != null) return Optional.of(name.group(1));
      try {
        // The banner that glibc prints when it is run as a program.
        Matcher banner = RELEASE.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (banner.find()) return Optional.of(banner.group(1));
      } catch (IOException e) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** Returns the files that a process has mapped; none where the system does not tell. */
  static List<Path> mapped(Path maps) {
    try (Stream<String> lines = Files.lines(maps, StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.indexOf('/') >= 0)
          .map(line -> line.substring(line.indexOf('/')))
          .distinct()
          .filter(path -> path.contains("libc") || path.contains("ld-musl-"))
          .map(Path::of)
          .toList();
    } catch (IOException | RuntimeException e) {
      return List.of();
    }
  }
}
