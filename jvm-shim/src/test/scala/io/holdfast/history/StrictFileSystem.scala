package io.holdfast.history

import java.io.FileNotFoundException
import java.net.URI
import java.util.concurrent.atomic.AtomicInteger

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs._
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.security.AccessControlException
import org.apache.hadoop.util.Progressable

/** Local files under a scheme of its own, without an implementation for `FileContext`. As on HDFS a rename does not replace
  * anything; what has "forbidden" in its name nobody may read, and nothing may be written below it.
  */
class StrictFileSystem extends FileSystem {
  import StrictFileSystem._

  private val local = new RawLocalFileSystem
  private var uri: URI = _

  override def initialize(name: URI, conf: Configuration): Unit = {
    super.initialize(name, conf)
    setConf(conf)
    uri = URI.create(s"$Scheme:///")
    local.initialize(URI.create("file:///"), conf)
  }

  override def getScheme: String = Scheme
  override def getUri: URI = uri

  private def to(path: Path): Path = {
    checkPath(path)
    new Path("file", null, makeQualified(path).toUri.getPath)
  }

  private def from(status: FileStatus): FileStatus = {
    status.setPath(new Path(Scheme, "", status.getPath.toUri.getPath))
    status
  }

  private def allowed(path: Path): Path =
    if (path.toString.contains("forbidden")) throw new AccessControlException(s"Permission denied: $path")
    else to(path)

  override def rename(from: Path, to: Path): Boolean = {
    val free = !exists(to)
    if (free) renamed.incrementAndGet() else refused.incrementAndGet()
    free && local.rename(this.to(from), this.to(to))
  }

  override def open(path: Path, buffer: Int): FSDataInputStream = local.open(allowed(path), buffer)
  override def create(
      path: Path,
      permission: FsPermission,
      overwrite: Boolean,
      buffer: Int,
      replication: Short,
      block: Long,
      progress: Progressable
  ): FSDataOutputStream = local.create(allowed(path), permission, overwrite, buffer, replication, block, progress)
  override def append(path: Path, buffer: Int, progress: Progressable): FSDataOutputStream =
    throw new UnsupportedOperationException("append")
  override def delete(path: Path, recursive: Boolean): Boolean = local.delete(to(path), recursive)
  override def listStatus(path: Path): Array[FileStatus] = {
    val place = allowed(path)
    if (!exists(path)) throw new FileNotFoundException(path.toString)
    local.listStatus(place).map(from)
  }
  override def setWorkingDirectory(path: Path): Unit = ()
  override def getWorkingDirectory: Path = new Path(Scheme, "", "/")
  override def mkdirs(path: Path, permission: FsPermission): Boolean = local.mkdirs(allowed(path), permission)
  override def getFileStatus(path: Path): FileStatus = from(local.getFileStatus(to(path)))
}

object StrictFileSystem {
  val Scheme = "strict"

  val renamed = new AtomicInteger
  val refused = new AtomicInteger

  /** What a configuration needs, so that Hadoop finds it. */
  val Key: (String, String) = s"fs.$Scheme.impl" -> classOf[StrictFileSystem].getName
}
