package io.holdfast.integration.cluster

import java.net.{InetSocketAddress, ServerSocket, Socket}

import scala.util.{Try, Using}

import io.holdfast.integration.ChildJvm

/** Runs a daemon for as long as the JVM that started this one lives. */
object Daemon {
  val Name = "io.holdfast.integration.cluster.Daemon"

  /** The daemon's main class, and its arguments. */
  def main(args: Array[String]): Unit = ChildJvm.main {
    Class.forName(args.head).getMethod("main", classOf[Array[String]]).invoke(null, args.tail)
    // Of some daemons the main method returns while their threads go on.
    Thread.sleep(Long.MaxValue)
  }

  /** What a JVM with a class path of its own needs to run this: these classes and Scala's library, and no Spark. */
  def classPath: Seq[String] = Seq(Daemon.getClass, classOf[Option[_]]).map { known =>
    java.nio.file.Paths.get(known.getProtectionDomain.getCodeSource.getLocation.toURI).toString
  }
}

private[cluster] object Ports {

  /** One that is free now; another program may take it before it is used. */
  def free(): Int = Using.resource(new ServerSocket(0))(_.getLocalPort)

  def answers(port: Int): Boolean = Using.resource(new Socket) { socket =>
    Try(socket.connect(new InetSocketAddress(ChildJvm.Local, port), 100)).isSuccess
  }
}
