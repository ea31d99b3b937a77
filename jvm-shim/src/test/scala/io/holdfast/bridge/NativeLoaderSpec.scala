package io.holdfast.bridge

import java.io.{ByteArrayInputStream, File}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.nio.file.attribute.PosixFilePermissions

import scala.jdk.CollectionConverters._
import scala.util.{Failure, Success, Try}

import org.scalatest.funsuite.AnyFunSuite

/** Suites whose tests load the library in JVMs of their own: one JVM loads it once. */
trait NativeProbes extends AnyFunSuite {
  protected def withFolder(body: Path => Unit): Unit = {
    val folder = Files.createTempDirectory("holdfast-test-")
    try body(folder)
    finally {
      Files.walk(folder).sorted(java.util.Comparator.reverseOrder[Path]).forEach(Files.delete(_))
    }
  }

  /** As the probe sees it from any folder. */
  protected lazy val classPath: String =
    sys.props("java.class.path").split(File.pathSeparator).map(new File(_).getAbsolutePath).mkString(File.pathSeparator)

  /** Runs [[NativeProbe]] with these JVM options and arguments. */
  protected def probe(options: String*)(args: String*): String = probeIn(Path.of("."), Map.empty)(options: _*)(args: _*)

  protected def probeIn(home: Path, environment: Map[String, String])(options: String*)(args: String*): String = {
    val java = Path.of(sys.props("java.home"), "bin", "java").toString
    val fixed = Seq("-Xcheck:jni", "-Xmx128m", "-cp", classPath)
    val command = (java +: fixed) ++ options ++ ("io.holdfast.bridge.NativeProbe" +: args)
    val builder = new ProcessBuilder(command.asJava).directory(home.toFile).redirectErrorStream(true)
    environment.foreach { case (name, value) => builder.environment.put(name, value) }
    val process = builder.start()
    val output = new String(process.getInputStream.readAllBytes(), UTF_8)
    assert(process.waitFor() == 0, output)
    assert(!output.contains("in native method"), output)
    output
  }
}

/** What a user reads when the native library does not load, and what is left behind. */
class NativeLoaderSpec extends NativeProbes {
  test("a path that is no file is named with the key") {
    val output = probe()("/no/such/libholdfast_jni.so")
    val expected = "unavailable: spark.holdfast.native.path=/no/such/libholdfast_jni.so is not a file"
    assert(output.contains(expected) && output.contains("unset the key"), output)
  }

  test("a failure is kept for its path, and a mended path is tried") {
    val output = probe()("/no/such/lib.so", "/no/such/lib.so", "")
    val said = output.linesIterator.filter(line => line.startsWith("unavailable: ") || line.startsWith("loaded")).toList
    assert(said.size == 3 && said(0) == said(1) && said(0).contains("/no/such/lib.so"), output)
    assert(said(2).startsWith("loaded"), output)
  }

  test("the library of the class path loads, and leaves no file behind") {
    withFolder { folder =>
      val output = probe(s"-Djava.io.tmpdir=$folder")("", "/ignored/since/loaded.so")
      assert(output.linesIterator.count(_ == "loaded, files: 0") == 2, output)
    }
  }

  test("a relative java.io.tmpdir is one of the driver's working directory") {
    withFolder { folder =>
      val temporary = Files.createDirectory(folder.resolve("temporary"))
      val output = probeIn(folder, Map.empty)("-Djava.io.tmpdir=temporary")("")
      assert(output.contains("loaded, files: 0"), output)
      assert(!Files.list(temporary).iterator.hasNext)
    }
  }

  test("a java.io.tmpdir that the JVM's encoding of file names does not know is named, with what helps") {
    withFolder { folder =>
      val temporary = Files.createDirectory(folder.resolve("t\u00e4glich"))
      val option = s"-Djava.io.tmpdir=$temporary"
      val output = probeIn(folder, Map("LC_ALL" -> "C"))(option)("")
      assert(output.contains("unavailable: java.io.tmpdir=") && output.contains("LC_ALL=C.UTF-8"), output)
      assert(probeIn(folder, Map("LC_ALL" -> "C.UTF-8"))(option)("").contains("loaded, files: 0"))
    }
  }

  private val hashOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  private def unpack(under: Path, hash: String): Path =
    NativeLoader.unpack(new ByteArrayInputStream("abc".getBytes(UTF_8)), "lib.so", under, hash)

  test("the unpacked library is its owner's, in a folder that is its owner's") {
    withFolder { folder =>
      val file = unpack(folder, hashOfAbc)
      def mode(path: Path) = PosixFilePermissions.toString(Files.getPosixFilePermissions(path))
      assert(mode(file) == "rw-------" && mode(file.getParent) == "rwx------")
      assert(file.getParent.getParent == folder && Files.readString(file) == "abc")
      Files.delete(file)
    }
  }

  test("a library that is not the build's is not loaded, and not left behind") {
    withFolder { folder =>
      val refused = Try(unpack(folder, hashOfAbc.reverse)).failed.get
      assert(refused.getMessage.contains(s"has the hash $hashOfAbc, the jar says "), refused)
      assert(!Files.list(folder).iterator.hasNext)
    }
  }

  test("another ABI or version is named on both sides") {
    val output = probe()("abi")
    val expected = s"has ABI ${NativeEngine.ABI} and version "
    assert(output.contains(expected) && output.contains(s"this jar expects ABI ${NativeEngine.ABI + 1}"), output)
    assert(output.contains(s"this jar expects ABI ${NativeEngine.ABI} and version 0.0.0-other"), output)
  }
}

/** Loads the library as its arguments say, and prints what came of it. */
object NativeProbe {
  def main(args: Array[String]): Unit = args.foreach {
    case "abi" =>
      show(Try(NativeLoader.load(null, NativeEngine.ABI + 1, null)))
      show(Try(NativeLoader.load(null, NativeEngine.ABI, "0.0.0-other")))
    case "describe" =>
      NativeLoader.load(null)
      println(s"on ${NativeLoader.platform()}: ${new String(NativeEngine.describe(), UTF_8)}")
    case path => show(Try(NativeLoader.load(if (path.isEmpty) null else path)))
  }

  private def show(result: Try[Unit]): Unit = result match {
    case Success(_) =>
      val left = Files.list(Path.of(sys.props("java.io.tmpdir"))).iterator.asScala
      println(s"loaded, files: ${left.count(_.getFileName.toString.startsWith("holdfast-"))}")
    case Failure(e: NativeLoader.Unavailable) => println(s"unavailable: ${e.getMessage}")
    case Failure(e) => throw e
  }
}
