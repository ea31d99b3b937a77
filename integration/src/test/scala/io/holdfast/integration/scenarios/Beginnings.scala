package io.holdfast.integration.scenarios

import java.nio.channels.FileChannel
import java.nio.file.{Files, Path, Paths}
import java.nio.file.StandardOpenOption.{CREATE, WRITE}
import java.nio.file.attribute.FileTime
import java.util.concurrent.TimeUnit.SECONDS

/** Beginnings of Sparks in test JVMs that share a SPARK_HOME. An application on a local-cluster is called by the second in which it
  * begins, and its workers make folders of that name in SPARK_HOME/work: of two in one second one loses its first executors.
  */
private[scenarios] object Beginnings {
  private lazy val shared = Paths.get(sys.env.getOrElse("SPARK_HOME", ".")).resolve("beginnings")

  /** What begins here does so in a second of its own, among all that have the same file.
    *
    * @param file whose last change is the end of the last beginning
    */
  def oneEachSecond[T](begin: => T, file: Path = shared): T = {
    val channel = FileChannel.open(file, CREATE, WRITE)
    try {
      channel.lock()
      // Of a file that has just been made this is now, which costs a second once.
      val last = Files.getLastModifiedTime(file).to(SECONDS)
      while (System.currentTimeMillis() / 1000 <= last) Thread.sleep(10)
      try begin
      finally { Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis())); () }
    } finally channel.close()
  }
}
