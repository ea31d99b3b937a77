package io.holdfast.integration.run

import java.nio.channels.{FileChannel, OverlappingFileLockException}
import java.nio.file.{Files, Path}
import java.nio.file.StandardOpenOption.{CREATE, WRITE}

import scala.util.Using

/** One evaluation at a time writes to a folder of reports: two would measure each other, and mix their rounds. */
object ReportsLock {

  /** The operating system gives the lock back, however the process ends.
    *
    * @throws java.lang.IllegalArgumentException if another process, or this one, has it
    */
  def holding[A](reports: Path)(body: => A): A = {
    val file = Files.createDirectories(reports).resolve(".lock")
    Using.resource(FileChannel.open(file, CREATE, WRITE)) { channel =>
      val lock =
        try Option(channel.tryLock())
        catch { case _: OverlappingFileLockException => None }
      if (lock.isEmpty)
        throw new IllegalArgumentException(s"another evaluation writes to $reports: wait until it has ended")
      body
    }
  }
}
