package io.holdfast.bridge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Why a native library does not load, and what helps: one sentence. */
final class NativeTrouble {
  private static final Path MOUNTS = Path.of("/proc/self/mounts");
  private static final Pattern NEEDS = Pattern.compile("version [`']GLIBC_([0-9.]+)' not found");

  private NativeTrouble() {}

  /**
   * Returns the sentence.
   *
   * @param where what does not load, as users know it
   * @param file the file that was to be loaded
   * @param own whether the user has named this file
   * @param error what {@link System#load} has thrown
   */
  static String sentence(String where, Path file, boolean own, Throwable error) {
    if (error instanceof IllegalCallerException) {
      return where
          + " cannot be loaded: this JVM denies native access ("
          + error.getMessage()
          + "); start the driver's JVM with --enable-native-access=ALL-UNNAMED, in"
          + " spark-submit's --driver-java-options for example";
    }
    NativePlatform platform = NativePlatform.current();
    Optional<String> mismatch = mismatch(file, platform, String.valueOf(error.getMessage()));
    if (mismatch.isPresent()) {
      String fix =
          own
              ? "; name a library built for " + platform.folder() + ", or unset the key"
              : "; name a library that was built on this machine with " + NativeLoader.PATH_KEY;
      return where + " cannot be loaded: " + mismatch.get() + fix;
    }
    String folder = String.valueOf(file.getParent());
    Optional<String> noexec = noexec(MOUNTS, file);
    if (noexec.isPresent() || error.getMessage().contains("failed to map segment")) {
      String why =
          noexec
              .map(mount -> folder + " lies on " + mount + ", which is mounted noexec")
              .orElse("the system forbids to run code from " + folder + " (noexec, or its policy)");
      String fix =
          own
              ? "; name a file elsewhere"
              : "; set java.io.tmpdir of the driver's JVM to a folder elsewhere, or put the"
                  + " library there and name it with "
                  + NativeLoader.PATH_KEY;
      return where + " cannot be loaded: " + why + fix;
    }
    String fix =
        own
            ? "; name a library built for this platform, or unset the key"
            : "; build it on this machine and name it with " + NativeLoader.PATH_KEY;
    return where + " cannot be loaded on " + platform.folder() + ": " + error.getMessage() + fix;
  }

  /** Returns what the library wants that this machine is not. */
  private static Optional<String> mismatch(Path file, NativePlatform platform, String said) {
    NativeFile library;
    try {
      library = NativeFile.read(file);
    } catch (IOException e) {
      return Optional.empty(); // the linker's own message says that it cannot be read
    }
    if (library.os().isEmpty()) return Optional.of("it is not a shared library");
    if (!library.os().equals(platform.os()))
      return Optional.of("it is built for " + library.os() + ", not for " + platform.os());
    if (!library.arch().equals(platform.arch()))
      return Optional.of(
          "it is built for " + library.arch() + ", and this JVM runs on " + platform.arch());
    if (!library.libc().isEmpty() && !library.libc().equals(platform.libc()))
      return Optional.of(
          "it is built for " + library.libc() + ", and this JVM runs on " + platform.libc());
    return oldGlibc(library, said);
  }

  private static Optional<String> oldGlibc(NativeFile library, String said) {
    Optional<String> has = NativePlatform.glibcVersion();
    Matcher missed = NEEDS.matcher(said);
    String needs = library.glibc();
    boolean old = has.isPresent() && !needs.isEmpty() && NativeFile.compare(needs, has.get()) > 0;
    if (missed.find()) {
      needs = missed.group(1); // one that lies between may be left out of a build of glibc
      old = true;
    }
    if (!old) return Optional.empty();
    return Optional.of(
        "it needs glibc "
            + needs
            + " or newer, and this machine has "
            + has.orElse("an older one")
            + " (the libraries of a release need 2.17)");
  }

  /**
   * Returns the mount point of a file if nothing may be run there.
   *
   * @param mounts lines as those of /proc/self/mounts; a later one covers an earlier one
   */
  static Optional<String> noexec(Path mounts, Path file) {
    String found = null;
    boolean noexec = false;
    try {
      Path real = file.toAbsolutePath().normalize();
      if (Files.exists(real)) real = real.toRealPath();
      for (String line : Files.readAllLines(mounts, StandardCharsets.ISO_8859_1)) {
        String[] fields = line.split(" ");
        if (fields.length < 4 || !real.startsWith(fields[1])) continue;
        if (found != null && found.length() > fields[1].length()) continue;
        found = fields[1];
        noexec = ("," + fields[3] + ",").contains(",noexec,");
      }
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // not every system tells
    }
    return noexec ? Optional.ofNullable(found) : Optional.empty();
  }
}
