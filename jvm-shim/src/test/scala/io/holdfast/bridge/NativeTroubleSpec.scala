package io.holdfast.bridge

import java.nio.charset.StandardCharsets.{ISO_8859_1, UTF_8}
import java.nio.file.{Files, Path}
import java.security.MessageDigest
import java.util.HexFormat

import scala.jdk.CollectionConverters._
import scala.sys.process._
import scala.util.Try

/** Each cause for which a native library does not load is provoked, and named with what helps. Libraries of other platforms are
  * this machine's with the header changed that the dynamic linker reads; `./gradlew platformsTest` takes real ones.
  */
class NativeTroubleSpec extends NativeProbes {
  private lazy val own: Array[Byte] = {
    val in = getClass.getClassLoader.getResourceAsStream(
      s"native/${NativeLoader.platform()}/${System.mapLibraryName("holdfast_jni")}"
    )
    try in.readAllBytes()
    finally in.close()
  }

  private lazy val linux = System.getProperty("os.name") == "Linux"

  /** The library with one text in place of another that is as long. */
  private def changed(from: String, to: String): Array[Byte] = {
    assert(from.length == to.length)
    val text = new String(own, ISO_8859_1)
    assert(text.contains(from), "the library has nothing to be changed")
    text.replace(from, to).getBytes(ISO_8859_1)
  }

  private def ofMachine(number: Int): Array[Byte] = {
    val bytes = own.clone()
    bytes(18) = number.toByte
    bytes(19) = 0
    bytes
  }

  private val other = if (System.getProperty("os.arch") == "aarch64") ("x86_64", 62) else ("aarch64", 183)

  private def written(folder: Path, bytes: Array[Byte]): Path = Files.write(folder.resolve("lib.so"), bytes)

  private def named(bytes: Array[Byte], options: String*)(expected: String*): Unit = withFolder { folder =>
    val file = written(folder, bytes)
    val output = probe(options: _*)(file.toString)
    (s"unavailable: spark.holdfast.native.path=$file cannot be loaded: " +: expected).foreach(part =>
      assert(output.contains(part), output)
    )
  }

  test("a file that is no library") {
    named("not a library".getBytes(UTF_8))(
      "it is not a shared library; name a library built for ",
      "or unset the key"
    )
  }

  test("a library that is cut off") {
    named(own.take(100))("it is not a shared library")
  }

  test("a library for another processor") {
    assume(linux)
    named(ofMachine(other._2))(
      s"it is built for ${other._1}, and this JVM runs on ${NativePlatform.current().arch}"
    )
  }

  test("a library for another system") {
    val macho = Array(0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1).map(_.toByte) ++ new Array[Byte](64)
    assume(linux)
    named(macho)("it is built for macos, not for linux")
  }

  test("a library for musl under glibc") {
    assume(linux && NativePlatform.current().libc == NativePlatform.GLIBC)
    named(changed("\u0000libc.so.6\u0000", "\u0000libc.so\u0000\u0000\u0000"))(
      "it is built for musl, and this JVM runs on glibc"
    )
  }

  test("a library for a newer glibc: both versions are named") {
    assume(linux && NativePlatform.current().libc == NativePlatform.GLIBC)
    var needed = ""
    withFolder(folder => needed = NativeFile.read(written(folder, own)).glibc)
    val newer = "2." + "9" * (needed.length - 2)
    named(changed(s"GLIBC_$needed\u0000", s"GLIBC_$newer\u0000"))(
      s"it needs glibc $newer or newer, and this machine has ${NativePlatform.glibcVersion().get}"
    )
  }

  /** A class path that goes before the tests' and has this library for the platform. */
  private def withJar(bytes: Array[Byte], platform: String)(body: Path => Unit): Unit = withFolder { folder =>
    val native = Files.createDirectories(folder.resolve(s"native/$platform"))
    val file = Files.write(native.resolve(NativePlatform.library(platform)), bytes)
    val hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
    Files.writeString(Path.of(s"$file.sha256"), hash)
    body(folder)
  }

  test("a jar whose library is for another processor") {
    assume(linux)
    withJar(ofMachine(other._2), NativeLoader.platform()) { folder =>
      val output = probe("-cp", s"$folder:$classPath")("")
      val expected =
        s"unavailable: the jar's native library for ${NativeLoader.platform()} cannot be loaded: it is built for "
      assert(output.contains(expected + other._1), output)
      assert(output.contains("spark.holdfast.native.path"), output)
    }
  }

  test("a jar without this platform says which it has") {
    withJar(own, "linux-aarch64-musl") { folder =>
      val output = probe("-Dos.arch=riscv64", "-cp", s"$folder:$classPath")("")
      assert(output.contains("unavailable: no native library for "), output)
      val has =
        s"-riscv64 in this jar, which has ${(Seq(NativeLoader.platform(), "linux-aarch64-musl")).mkString(", ")}: "
      assert(output.contains(has), output)
      assert(output.contains("./gradlew jar") && output.contains("spark.holdfast.native.path"), output)
    }
  }

  /** A file system of its own, which only root can make. */
  private def withMount(options: String)(body: Path => Unit): Unit = withFolder { folder =>
    assume(linux && Try(Seq("mount", "-t", "tmpfs", "-o", options, "tmpfs", s"$folder").!(quiet)).toOption.contains(0))
    try body(folder)
    finally {
      Seq("umount", s"$folder").!(quiet)
      ()
    }
  }

  private def quiet = ProcessLogger(_ => ())

  test("a temporary folder from which nothing may be run, and a named file in one") {
    withMount("noexec") { folder =>
      val output = probe(s"-Djava.io.tmpdir=$folder")("")
      assert(output.contains(s" lies on $folder, which is mounted noexec; set java.io.tmpdir of the driver"), output)
      assert(folder.toFile.list.isEmpty, "nothing is left there")
      val file = written(folder, own)
      val named = probe()(file.toString)
      assert(named.contains(s" lies on $folder, which is mounted noexec; name a file elsewhere"), named)
    }
  }

  test("a temporary folder that cannot be written, and one that is not there") {
    withMount("ro") { folder =>
      val output = probe(s"-Djava.io.tmpdir=$folder")("")
      assert(output.contains(s"cannot be unpacked to java.io.tmpdir=$folder: ") && output.contains("Read-only"), output)
      assert(output.contains("set java.io.tmpdir of the driver's JVM to a writable folder"), output)
    }
    val absent = probe("-Djava.io.tmpdir=/no/such/folder")("")
    assert(absent.contains("cannot be unpacked to java.io.tmpdir=/no/such/folder: "), absent)
  }

  private val feature = Runtime.version.feature

  test("native access that is denied names the flag, which helps") {
    assume(feature >= 24)
    val deny = "--illegal-native-access=deny"
    val denied = probe(deny)("")
    assert(denied.contains("cannot be loaded: this JVM denies native access ("), denied)
    assert(denied.contains("--enable-native-access=ALL-UNNAMED"), denied)
    assert(probe(deny, "--enable-native-access=ALL-UNNAMED")("").contains("loaded, files: "))
  }

  test("the JVM's warning about native access is explained in one line, and no line without it") {
    withFolder { folder =>
      val console = Seq("name = console", "type = Console").map("appender.console." + _)
      val lines = Seq("rootLogger.level = info", "rootLogger.appenderRef.console.ref = console") ++ console
      val logs =
        s"-Dlog4j2.configurationFile=${Files.writeString(folder.resolve("log.properties"), lines.mkString("\n"))}"
      def explained(output: String) =
        output.linesIterator.count(_.contains("restricted method System::load is about Holdfast"))
      assert(explained(probe(logs)("", "")) == (if (feature >= 24) 1 else 0))
      if (feature >= 24) assert(explained(probe(logs, "--enable-native-access=ALL-UNNAMED")("")) == 0)
    }
  }

  test("which mount a file lies on") {
    withFolder { folder =>
      val mounts = Files.writeString(
        folder.resolve("mounts"),
        s"""/dev/a / ext4 rw 0 0
           |tmpfs $folder tmpfs rw,noexec 0 0
           |tmpfs $folder/run tmpfs rw,nosuid 0 0
           |tmpfs $folder/twice tmpfs rw 0 0
           |tmpfs $folder/twice tmpfs rw,noexec 0 0
           |""".stripMargin
      )
      def on(name: String) = NativeTrouble.noexec(mounts, folder.resolve(name)).orElse("none")
      assert(on("a") == s"$folder" && on("runner") == s"$folder")
      assert(on("run/a") == "none" && on("twice/a") == s"$folder/twice")
      assert(NativeTrouble.noexec(folder.resolve("none"), folder).isEmpty)
    }
  }

  test("the C library is told by what the process has mapped, else by what is installed") {
    def of(lines: String*) = withMaps(lines)(NativePlatform.libc(_, Path.of("/no/such/root"), "x86_64"))
    assert(of("7f00-7f01 r-xp 0 08:01 1    /lib/x86_64-linux-gnu/libc.so.6") == "glibc")
    assert(of("7f00-7f01 r-xp 0 08:01 1    /usr/lib64/libc-2.17.so") == "glibc")
    assert(of("7f00-7f01 r-xp 0 08:01 1    /lib/ld-musl-x86_64.so.1") == "musl")
    assert(of("7f00-7f01 r-xp 0 08:01 1    /usr/lib/x86_64-linux-musl/libc.so") == "musl")
    withFolder { root =>
      def installed = NativePlatform.libc(java.util.List.of[Path](), root, "aarch64")
      assert(installed == "glibc")
      Files.writeString(Files.createDirectory(root.resolve("lib")).resolve("ld-musl-aarch64.so.1"), "")
      assert(installed == "musl")
      Files.writeString(root.resolve("lib/ld-linux-aarch64.so.1"), "")
      assert(installed == "glibc")
    }
  }

  private def withMaps[T](lines: Seq[String])(body: java.util.List[Path] => T): T = {
    val file = Files.write(Files.createTempFile("holdfast-test-", ".maps"), lines.asJava)
    try body(NativePlatform.mapped(file))
    finally Files.delete(file)
  }

  test("the version of glibc is told by the file's name, else by its banner") {
    withFolder { folder =>
      def version(name: String, text: String) =
        NativePlatform.glibcVersion(java.util.List.of(Files.writeString(folder.resolve(name), text))).orElse("none")
      assert(version("libc-2.17.so", "") == "2.17")
      assert(version("libc.so.6", "GNU C Library (Debian GLIBC 2.36-9) stable release version 2.36.\n") == "2.36")
      assert(version("libc.so.6", "nothing") == "none")
    }
    assert(NativeFile.compare("2.9", "2.17") < 0 && NativeFile.compare("2.17", "2.17") == 0)
    assert(NativeFile.compare("2.2.5", "2.3") < 0 && NativeFile.compare("2.17.1", "2.17") > 0)
  }
}
