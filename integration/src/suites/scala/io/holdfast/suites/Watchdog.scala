package io.holdfast.suites

import java.io.PrintStream
import java.nio.file.{Files, Path}

/** Ends this JVM when a run takes too long, and says where it stood.
  *
  * @param threads file for a dump of all threads
  */
private[suites] final class Watchdog(limitS: Long, threads: Path, console: PrintStream) extends Thread("watchdog") {
  setDaemon(true)

  @volatile private var suite, test = "nothing yet"

  def begin(suite: String): Unit = {
    this.suite = suite
    test = "before its first test"
  }

  def at(test: String): Unit = this.test = test

  override def run(): Unit = {
    Thread.sleep(limitS * 1000)
    val dump = new PrintStream(Files.newOutputStream(threads))
    Thread.getAllStackTraces.forEach { (thread, frames) =>
      dump.println(thread)
      frames.foreach(frame => dump.println(s"\tat $frame"))
    }
    dump.close()
    console.println(s"""No end after $limitS s, in $suite, "$test"; its threads: $threads""")
    Runtime.getRuntime.halt(3) // what hangs may also hang a shutdown hook
  }
}
