package io.holdfast.integration.measure

/** Short words for literal timelines. */
object Literal {
  def stage(id: Int, tasks: Int, submitted: Long, completed: Long): StageRun =
    StageRun(id, 0, s"stage $id", tasks, submitted, completed, foreground = true)

  def fg(stage: Int, index: Int, executor: String, launch: Long, finish: Long): TaskRun =
    TaskRun(stage, 0, index, executor, launch, finish, foreground = true, "NODE_LOCAL", "Success")

  def bg(index: Int, executor: String, launch: Long, finish: Long, outcome: String = "Success"): TaskRun =
    TaskRun(1000, 0, index, executor, launch, finish, foreground = false, "NODE_LOCAL", outcome)
}
