package io.holdfast.integration.programs

import java.nio.file.Paths

/** Trace files of the user's instead of drawn jobs, see [[ClusterData]]. */
final case class TraceFiles(files: Seq[String], hour: Int) {
  def read(jobs: Int, seed: Long): Trace = ClusterData.read(files.map(Paths.get(_)), hour, jobs, seed)
}
