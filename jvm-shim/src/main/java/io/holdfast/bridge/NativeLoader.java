package io.holdfast.bridge;

import io.holdfast.files.OwnFiles;
import io.holdfast.notice.Notices;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Loads the native library, once for this class loader, and compares versions. */
public final class NativeLoader {
  /** The key that names another library file. */
  public static final String PATH_KEY = "spark.holdfast.native.path";

  private static final String TMPDIR = "java.io.tmpdir";

  /** Why there is no native engine, in one sentence that names the fix. */
  public static final class Unavailable extends Exception {
    private static final long serialVersionUID = 1L;

    Unavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Value of {@link #PATH_KEY} that was loaded, empty for the jar's; null before. */
  private static String loaded;

  private static String failedPath;
  private static Unavailable failure;

  private NativeLoader() {}

  /**
   * Makes {@link NativeEngine} usable. A JVM loads one library: once one is loaded, another path is
   * ignored with a warning; after a failure another path is tried.
   *
   * @param overridePath value of {@link #PATH_KEY}, or null for the library inside the jar
   * @throws Unavailable if there is no library for this platform, it cannot be loaded, or it is of
   *     another version
   */
  public static synchronized void load(String overridePath) throws Unavailable {
    String wanted = overridePath == null ? "" : overridePath;
    if (loaded != null) {
      if (!loaded.equals(wanted)) {
        String used = loaded.isEmpty() ? "the jar's library" : loaded;
        Notices.warnOnce(
            Notices.About.SELF,
            PATH_KEY
                + "="
                + wanted
                + " is ignored: this JVM already runs "
                + used
                + "; start a new one to change it");
      }
      return;
    }
    if (failure != null && wanted.equals(failedPath)) throw failure;
    try {
      load(overridePath, NativeEngine.ABI, expectedVersion());
      loaded = wanted;
    } catch (Unavailable e) {
      failure = e;
      failedPath = wanted;
      throw e;
    }
  }

  static void load(String overridePath, int abi, String version) throws Unavailable {
    String where;
    if (overridePath == null || overridePath.isEmpty()) {
      where = "the native library in the jar";
      loadFromJar();
    } else {
      where = PATH_KEY + "=" + overridePath;
      loadFile(overridePath);
    }
    checkHandshake(where, abi, version);
  }

  /** Folder of this platform in the jar, for example {@code linux-x86_64}. */
  public static String platform() {
    return NativePlatform.current().folder();
  }

  private static void loadFile(String path) throws Unavailable {
    Path file;
    try {
      file = Path.of(path).toAbsolutePath();
    } catch (RuntimeException e) {
      throw new Unavailable(PATH_KEY + "=" + path + " is not a path: " + e.getMessage(), e);
    }
    if (!Files.isRegularFile(file)) {
      String fix =
          "name the file "
              + NativePlatform.library(platform())
              + ", or unset the key to use the jar's";
      throw new Unavailable(PATH_KEY + "=" + path + " is not a file: " + fix, null);
    }
    link(file, PATH_KEY + "=" + path, true);
  }

  private static void link(Path file, String where, boolean own) throws Unavailable {
    boolean warns = !nativeAccess();
    try {
      System.load(file.toString());
    } catch (UnsatisfiedLinkError | IllegalCallerException e) {
      throw new Unavailable(NativeTrouble.sentence(where, file, own, e), e);
    }
    if (warns) {
      Notices.info(
          "the JVM's warning about the restricted method System::load is about Holdfast's native"
              + " engine: --enable-native-access=ALL-UNNAMED on the driver's JVM silences it");
    }
  }

  /** Whether native access goes without a warning: Java has a say in it from 24 on. */
  private static boolean nativeAccess() {
    if (Runtime.version().feature() < 24) return true;
    try {
      Module own = NativeLoader.class.getModule();
      return (Boolean) Module.class.getMethod("isNativeAccessEnabled").invoke(own);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  private static void loadFromJar() throws Unavailable {
    String platform = platform();
    String name = NativePlatform.library(platform);
    String resource = "native/" + platform + "/" + name;
    Path file = null;
    try (InputStream in = resource(resource)) {
      if (in == null) throw new Unavailable(missing(platform), null);
      file = unpack(in, name, temporaryFolder(), hash(resource));
      link(file, "the jar's native library for " + platform, false);
    } catch (IOException e) {
      throw new Unavailable(
          "the native library cannot be unpacked to java.io.tmpdir="
              + System.getProperty(TMPDIR)
              + ": "
              + e
              + "; set java.io.tmpdir of the driver's JVM to a writable folder, or unpack the"
              + " library yourself and name it with "
              + PATH_KEY,
          e);
    } finally {
      deleteQuietly(file);
    }
  }

  private static InputStream resource(String name) {
    return NativeLoader.class.getClassLoader().getResourceAsStream(name);
  }

  private static String missing(String platform) {
    ClassLoader loader = NativeLoader.class.getClassLoader();
    List<String> there =
        NativePlatform.RELEASED.stream()
            .filter(
                each ->
                    loader.getResource("native/" + each + "/" + NativePlatform.library(each))
                        != null)
            .toList();
    return "no native library for "
        + platform
        + " in this jar, which has "
        + (there.isEmpty() ? "none" : String.join(", ", there))
        + ": use a released jar, build one on this platform with ./gradlew jar, or name the"
        + " library with "
        + PATH_KEY;
  }

  /** Not by {@link Files#createTempFile}, which ends in an error where this is no path. */
  private static Path temporaryFolder() throws Unavailable {
    String value = System.getProperty(TMPDIR);
    try {
      return Path.of(value).toAbsolutePath();
    } catch (RuntimeException e) {
      throw new Unavailable(
          "java.io.tmpdir="
              + value
              + " is not a path in this JVM's encoding of file names ("
              + System.getProperty("sun.jnu.encoding")
              + "): start the driver with LC_ALL=C.UTF-8, name an ASCII folder, or set "
              + PATH_KEY,
          e);
    }
  }

  /** SHA-256 of a resource, as the build has noted it beside that. */
  private static String hash(String resource) throws IOException, Unavailable {
    String noted = resource + ".sha256";
    try (InputStream in = resource(noted)) {
      if (in != null) return new String(in.readAllBytes(), StandardCharsets.US_ASCII).trim();
    }
    throw new Unavailable(
        "the jar has no " + noted + ": use a jar that ./gradlew jar has built", null);
  }

  /**
   * Writes the library into a new folder of its own below {@code under}. Holdfast runs as the
   * driver's user: others must neither read nor replace the file before it is loaded.
   *
   * @param hash SHA-256 in hexadecimal digits that the file must have
   */
  static Path unpack(InputStream library, String name, Path under, String hash)
      throws IOException, Unavailable {
    Path folder = OwnFiles.createFolder(under.resolve("holdfast-" + UUID.randomUUID()));
    Path file = folder.resolve(name);
    try (OutputStream out = Channels.newOutputStream(OwnFiles.create(file))) {
      library.transferTo(out);
    } catch (IOException e) {
      deleteQuietly(file);
      throw e;
    }
    String found = sha256(file);
    if (found.equals(hash)) return file;
    deleteQuietly(file);
    throw new Unavailable(
        "the unpacked native library has the hash "
            + found
            + ", the jar says "
            + hash
            + ": the jar or the disk is damaged; copy the jar anew",
        null);
  }

  private static String sha256(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // each JVM has it
    }
  }

  /** The mapping keeps a loaded library alive without its file. */
  private static void deleteQuietly(Path file) {
    if (file == null) return;
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(file.getParent());
    } catch (IOException e) {
      file.getParent().toFile().deleteOnExit(); // the last registered goes first
      file.toFile().deleteOnExit();
    }
  }

  private static void checkHandshake(String where, int abi, String version) throws Unavailable {
    long handshake;
    String description;
    try {
      handshake = NativeEngine.handshake();
      description = new String(NativeEngine.describe(), StandardCharsets.UTF_8);
    } catch (UnsatisfiedLinkError e) {
      throw new Unavailable(where + " is not a Holdfast library: " + e.getMessage(), e);
    }
    int nativeAbi = (int) (handshake >> 32);
    String nativeVersion = field(description, "version");
    boolean same = version == null || version.equals(nativeVersion);
    if ((int) handshake == NativeEngine.HANDSHAKE && nativeAbi == abi && same) return;
    String has = where + " has ABI " + nativeAbi + " and version " + nativeVersion;
    String expected =
        "this jar expects ABI " + abi + (version == null ? "" : " and version " + version);
    throw new Unavailable(
        has + ", " + expected + ": use jar and library of one build, or unset " + PATH_KEY, null);
  }

  /** Version of the jar, or null when the classes do not come from one. */
  private static String expectedVersion() {
    try (InputStream in = NativeLoader.class.getResourceAsStream("/io/holdfast/build.properties")) {
      if (in == null) return null;
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException e) {
      return null;
    }
  }

  /** A string member of the flat object that {@link NativeEngine#describe} gives. */
  public static String field(String json, String name) {
    Matcher matcher = Pattern.compile('"' + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
    return matcher.find() ? matcher.group(1) : "";
  }
}
