package io.holdfast

import java.util.concurrent.Callable

/** What a program can say to Holdfast. Everything works, and changes nothing, when Holdfast is off.
  *
  * Nothing but `Function0` of the Scala library is used, so that this class serves programs of Scala 2.12, too.
  */
object Holdfast {

  /** Runs `body`; the Spark jobs that this thread submits in it belong to the workflow `name`.
    *
    * The slots of a workflow with a priority above 0 are kept across the barriers and gaps of its jobs. When scopes are
    * nested the outermost counts. When the scope ends, no further job of the workflow is waited for.
    *
    * @param priority
    *   larger is more important; 0 is what everybody has
    * @throws java.lang.IllegalStateException
    *   if there is no active SparkContext
    */
  def workflow[T](name: String, priority: Int)(body: => T): T = within(new Scope(name, priority))(body)

  /** As the other, with the priority that job group or pool give. */
  def workflow[T](name: String)(body: => T): T = within(new Scope(name, Scope.INHERIT))(body)

  /** For Java. */
  def workflow[T](name: String, priority: Int, body: Callable[T]): T = within(new Scope(name, priority))(body.call())

  /** What the scheduler of this driver does, as JSON.
    *
    * `mode` (enforce, observe, off), `policy`, `holds` (made = used + moved + expired + overridden + dropped + left),
    * `idle_slot_s` (held slots times seconds without a task), `vetoes`, `native` (the engine's version); with mode off,
    * `reason`.
    */
  def status(): String = Status.json()

  private def within[T](scope: Scope)(body: => T): T =
    try body
    finally scope.close()
}
