package io.holdfast.integration.scenarios

import java.nio.file.{Files, Paths}

/** A file that tasks, in whatever process, wait for: what a scenario asserts must not depend on how fast the machine is. */
final case class Gate(path: String) {
  def open(): Unit =
    try Files.createFile(Paths.get(path))
    catch { case _: java.nio.file.FileAlreadyExistsException => () }

  def isOpen: Boolean = Files.exists(Paths.get(path))

  def await(): Unit = Wait.until(s"the gate $path")(isOpen)
}

object Wait {
  private val GuardS = 180L

  /** Polls; the limit is a guard against hanging, not an expectation. */
  def until(what: => String)(condition: => Boolean): Unit = {
    val deadline = System.nanoTime() + GuardS * 1000000000L
    while (!condition) {
      if (System.nanoTime() > deadline) throw new IllegalStateException(s"waited $GuardS s for $what")
      Thread.sleep(10)
    }
  }
}
