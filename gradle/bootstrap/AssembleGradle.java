import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Gives the Gradle wrapper its distribution where Gradle's own server cannot be reached.
 *
 * <p>{@code dev.gradleplugins:gradle-api} is the jar that Gradle generates for {@code gradleApi()}:
 * nearly the whole runtime in one file. This program lays that jar out as the home that the wrapper
 * would have unpacked, so that {@code ./gradlew} runs unchanged. Known differences from a
 * downloaded Gradle: {@code gradle --version} and the Kotlin DSL fail, and javac runs as a process
 * of its own.
 *
 * <p>Usage: {@code java AssembleGradle.java BOOTSTRAP_FOLDER GRADLE_USER_HOME}. Exit code 0 when
 * the wrapper can go on, 1 with a message when it cannot.
 */
public class AssembleGradle {
  /**
   * The wrapper's own checksum is of the zip that is not downloaded here; this one takes its place.
   */
  private static final String GRADLE_API_SHA256 =
      "a788daf0152784e96a3868a3e8bdc3cba105f37c379b20f6e688383457a51a43";

  private static final int PROBE_TIMEOUT_MS = 4_000;

  /**
   * Entries that would break a home: the first makes Gradle believe it runs inside a unit test, the
   * others stop the JVM at its start.
   */
  private static final List<String> HARMFUL_ENTRIES =
      List.of(
          "META-INF/.gradle-runtime-shaded",
          "META-INF/services/java.nio.file.spi.FileSystemProvider",
          "META-INF/services/java.security.Provider");

  /**
   * Packages whose classes talk to the test framework of the build, so they must name the real
   * org.junit.
   */
  private static final List<String> TEST_FRAMEWORK_PACKAGES =
      List.of(
          "org/gradle/api/internal/tasks/testing/junit",
          "org/gradle/api/internal/tasks/testing/junitplatform");

  /**
   * Modules that the launcher and the daemon look up by name, and whose classes are in the
   * launcher's.
   */
  private static final List<String> LAUNCHER_MODULES =
      List.of(
          "gradle-daemon-main",
          "gradle-daemon-server",
          "gradle-gradle-cli",
          "gradle-gradle-cli-main");

  /**
   * Modules that are looked up by name although nothing that this build uses needs their classes.
   */
  private static final List<String> EMPTY_MODULES =
      List.of(
          "gradle-installation-beacon",
          "gradle-instrumentation-agent",
          "gradle-java-compiler-plugin",
          "gradle-kotlin-dsl",
          "gradle-kotlin-dsl-tooling-models",
          "gradle-kotlin-dsl-provider-plugins");

  /** Libraries that Gradle asks for one by one; their classes are all in the one large jar. */
  private static final List<String> LIBRARIES_BY_NAME =
      List.of(
          "javax.inject",
          "slf4j-api",
          "jul-to-slf4j",
          "native-platform",
          "file-events",
          "kryo",
          "guava",
          "commons-lang",
          "commons-io",
          "asm",
          "junit-platform-engine",
          "junit-platform-launcher",
          "junit-platform-commons",
          "fastutil",
          "gson");

  private final Path bootstrap;
  private final URI url;
  private final String zipName;
  private final String version;
  private final Path folder;

  private AssembleGradle(Path bootstrap, Path userHome) throws IOException {
    this.bootstrap = bootstrap;
    Properties wrapper = load(bootstrap.resolveSibling("wrapper/gradle-wrapper.properties"));
    String distributionUrl = wrapper.getProperty("distributionUrl");
    url = URI.create(distributionUrl);
    zipName = distributionUrl.substring(distributionUrl.lastIndexOf('/') + 1);
    String distribution = zipName.replaceFirst("\\.zip$", "");
    version = distribution.replaceFirst("^gradle-(.*)-(bin|all)$", "$1");
    folder =
        userHome.resolve("wrapper/dists").resolve(distribution).resolve(base36Md5(distributionUrl));
  }

  public static void main(String[] args) throws Exception {
    try {
      new AssembleGradle(Path.of(args[0]), Path.of(args[1])).run();
    } catch (Refusal refusal) {
      System.err.println(refusal.getMessage());
      System.exit(1);
    }
  }

  private void run() throws IOException, InterruptedException {
    Path marker = folder.resolve(zipName + ".ok");
    if (Files.exists(marker) || serverAnswers()) {
      return;
    }
    System.err.printf(
        "Gradle's server (%s) does not answer: assembling Gradle %s from Maven artifacts with mvn"
            + " into %s (once, about 20 s).%n",
        url.getHost(), version, folder);
    Files.createDirectories(folder);
    Path work = Files.createTempDirectory(folder, "assemble-");
    try {
      Path jars = fetchJars(work.resolve("jars"));
      Path home = new Home(jars, work.resolve("home")).lay();
      // Into place in one step: a second ./gradlew at the same time sees nothing or everything.
      Path target = folder.resolve("gradle-" + version);
      if (!Files.exists(marker)) {
        deleteTree(target);
        Files.move(home, target);
        Files.writeString(marker, "");
      }
    } finally {
      deleteTree(work);
    }
  }

  private boolean serverAnswers() {
    if (!"https".equals(url.getScheme()) && !"http".equals(url.getScheme())) {
      return true; // a file URL: the wrapper's business
    }
    try {
      HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection();
      connection.setRequestMethod("HEAD");
      connection.setConnectTimeout(PROBE_TIMEOUT_MS);
      connection.setReadTimeout(PROBE_TIMEOUT_MS);
      return connection.getResponseCode() < 400;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * mvn rather than a download of our own: it knows this machine's mirrors, proxies and
   * credentials.
   */
  private Path fetchJars(Path jars) throws IOException, InterruptedException {
    ProcessBuilder mvn =
        new ProcessBuilder(
            "mvn",
            "--quiet",
            "--batch-mode",
            "--file",
            bootstrap.resolve("pom.xml").toString(),
            "dependency:copy-dependencies",
            "-DoutputDirectory=" + jars);
    Process process;
    try {
      process = mvn.redirectErrorStream(true).start();
    } catch (IOException notFound) {
      throw new Refusal(
          "Gradle's server cannot be reached and there is no 'mvn' to assemble Gradle from Maven"
              + " artifacts: install Maven (Debian: apt install maven; macOS: brew install maven),"
              + (" or give ./gradlew a way to " + url + "."));
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    if (exit != 0) {
      throw new Refusal(
          output + "mvn could not fetch Gradle's artifacts (exit code " + exit + ", see above).");
    }
    return jars;
  }

  /**
   * One Gradle home: lib/ with the runtime jar and a small jar for each module, and the settings it
   * needs.
   */
  private final class Home {
    private final Path jars;
    private final Path home;
    private final Path lib;
    private final String runtimeName = "gradle-runtime-all-" + version + ".jar";
    private final List<String> runtime = new ArrayList<>(List.of(runtimeName));

    Home(Path jars, Path home) {
      this.jars = jars;
      this.home = home;
      this.lib = home.resolve("lib");
    }

    Path lay() throws IOException {
      Files.createDirectories(lib.resolve("plugins"));
      Files.createDirectories(home.resolve("init.d"));
      moveLibraries();
      Map<String, String> modules = prepareRuntime();
      addMissingModules(modules);
      for (var module : modules.entrySet()) {
        writeModuleJar(module.getKey(), module.getValue());
      }
      for (String library : LIBRARIES_BY_NAME) {
        writeJar(lib.resolve(library + "-0.jar"), new Manifest(), null, null);
      }
      writeSettings();
      return home;
    }

    private void moveLibraries() throws IOException {
      for (Path jar : list(jars)) {
        String name = jar.getFileName().toString();
        boolean ant = name.matches("ant(-[a-z]+)?-1.*\\.jar");
        boolean language = name.matches("(groovy|kotlin-stdlib)-(?!test-junit5|testng).*\\.jar");
        if (ant || language) {
          Files.move(jar, lib.resolve(name));
        }
        if (language) {
          runtime.add(name);
        }
      }
    }

    /**
     * Returns each module's name with the names of the modules it uses, as Gradle's own index files
     * have them.
     */
    private Map<String, String> prepareRuntime() throws IOException {
      Path jar = lib.resolve(runtimeName);
      Path source = jars.resolve("gradle-api-" + version + ".jar");
      requireChecksum(source);
      Files.move(source, jar);
      try (FileSystem content = FileSystems.newFileSystem(jar)) {
        for (String entry : HARMFUL_ENTRIES) {
          Files.deleteIfExists(content.getPath(entry));
        }
        for (String testFramework : TEST_FRAMEWORK_PACKAGES) {
          restoreJUnitNames(content.getPath(testFramework));
        }
        return readModules(content.getPath("/"));
      }
    }

    private void addMissingModules(Map<String, String> modules) {
      String launcher = modules.get("gradle-launcher") + ",gradle-launcher";
      LAUNCHER_MODULES.forEach(module -> modules.putIfAbsent(module, launcher));
      EMPTY_MODULES.forEach(module -> modules.putIfAbsent(module, ""));
    }

    private void writeModuleJar(String module, String uses) throws IOException {
      Manifest manifest = new Manifest();
      manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
      manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, runtimeName);
      String index = "projects=" + uses + "\nruntime=" + String.join(",", runtime) + "\n";
      writeJar(
          lib.resolve(module + "-" + version + ".jar"),
          manifest,
          module + "-classpath.properties",
          index);
    }

    private void writeSettings() throws IOException {
      Files.writeString(
          home.resolve("gradle.properties"), "org.gradle.internal.instrumentation.agent=false\n");
      Files.writeString(
          home.resolve("init.d/javac.gradle"),
          """
          // This home has no gradle-java-compiler-plugin: javac runs as a process of its own.
          allprojects { tasks.withType(JavaCompile).configureEach {
              options.fork = true
              options.forkOptions.executable = "${System.getProperty('java.home')}/bin/javac"
          } }
          """);
    }
  }

  private static void requireChecksum(Path jar) throws IOException {
    MessageDigest sha256 = digest("SHA-256");
    try (InputStream in = new DigestInputStream(Files.newInputStream(jar), sha256)) {
      in.transferTo(java.io.OutputStream.nullOutputStream());
    }
    String found = HexFormat.of().formatHex(sha256.digest());
    if (!found.equals(GRADLE_API_SHA256)) {
      throw new Refusal(
          jar.getFileName()
              + " has sha256 "
              + found
              + " instead of "
              + GRADLE_API_SHA256
              + ": delete dev/gradleplugins from your local Maven repository and try again, or"
              + " check your mirror.");
    }
  }

  private static Map<String, String> readModules(Path root) throws IOException {
    Pattern index = Pattern.compile("(gradle-[a-z0-9-]+)-classpath\\.properties");
    Map<String, String> modules = new TreeMap<>();
    for (Path file : list(root)) {
      Matcher matcher = index.matcher(file.getFileName().toString());
      if (matcher.matches()) {
        modules.put(matcher.group(1), load(file).getProperty("projects", ""));
      }
    }
    return modules;
  }

  /**
   * The jar has all of Gradle's libraries relocated; for JUnit that must be undone where the
   * build's own JUnit is meant.
   */
  private static void restoreJUnitNames(Path testFramework) throws IOException {
    List<Path> classes;
    try (Stream<Path> files = Files.walk(testFramework)) {
      classes = files.filter(file -> file.toString().endsWith(".class")).toList();
    }
    for (Path file : classes) {
      byte[] before = Files.readAllBytes(file);
      Files.write(file, renameConstants(before));
    }
  }

  /**
   * Copies a class file with the strings of its constant pool renamed (JVM specification, section
   * 4.4).
   */
  private static byte[] renameConstants(byte[] classFile) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(classFile.length);
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeLong(in.readLong()); // magic number and version
    int count = in.readUnsignedShort();
    out.writeShort(count);
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      out.writeByte(tag);
      if (tag == 1) {
        out.writeUTF(
            in.readUTF()
                .replaceAll("org([/.])gradle\\1internal\\1impldep\\1org\\1junit", "org$1junit"));
      } else {
        out.write(in.readNBytes(constantSize(tag)));
      }
      if (tag == 5 || tag == 6) {
        i++; // long and double take two entries
      }
    }
    in.transferTo(out);
    return bytes.toByteArray();
  }

  private static int constantSize(int tag) throws IOException {
    return switch (tag) {
      case 7, 8, 16, 19, 20 -> 2;
      case 15 -> 3;
      case 3, 4, 9, 10, 11, 12, 17, 18 -> 4;
      case 5, 6 -> 8;
      default -> throw new IOException("unknown constant pool tag " + tag);
    };
  }

  private static void writeJar(Path jar, Manifest manifest, String entry, String text)
      throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      if (entry != null) {
        out.putNextEntry(new ZipEntry(entry));
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.closeEntry();
      }
    }
  }

  /** The wrapper's name for the folder of a distribution: PathAssembler in Gradle's sources. */
  private static String base36Md5(String text) {
    byte[] hash = digest("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
    return new BigInteger(1, hash).toString(36);
  }

  private static MessageDigest digest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has MD5 and SHA-256
    }
  }

  private static Properties load(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    return properties;
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    try (Stream<Path> files = Files.walk(root)) {
      files.sorted(Comparator.reverseOrder()).forEach(AssembleGradle::delete);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The end of the road, with the one sentence that the person at the keyboard needs. */
  private static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refusal(String sentence) {
      super(sentence);
    }
  }
}
