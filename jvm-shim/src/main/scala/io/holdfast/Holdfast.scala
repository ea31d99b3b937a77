package io.holdfast

import java.util.concurrent.Callable

import io.holdfast.approximate.Bound
import io.holdfast.session.{Scope, Status}

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
    * @param isolation
    *   P, from 0 to 1: the probability with which slots are to be kept across a barrier; 1 holds them up to
    *   `spark.holdfast.hold.max`, 0 never
    * @param parallelism
    *   how many slots the workflow's next job will want; 0 when that is not known
    * @throws java.lang.IllegalStateException
    *   if there is no active SparkContext
    * @throws java.lang.IllegalArgumentException
    *   if the name is blank, the isolation not from 0 to 1 or the parallelism negative
    */
  def workflow[T](name: String, priority: Int, isolation: Double, parallelism: Int)(body: => T): T =
    within(new Scope(name, priority, isolation, parallelism))(body)

  /** As the first, with a parallelism that is not known. */
  def workflow[T](name: String, priority: Int, isolation: Double)(body: => T): T =
    within(new Scope(name, priority, isolation, 0))(body)

  /** As the first, with the isolation that job group, pool or configuration give. */
  def workflow[T](name: String, priority: Int)(body: => T): T = within(new Scope(name, priority, Double.NaN, 0))(body)

  /** As the first, with the priority and isolation that job group, pool or configuration give. */
  def workflow[T](name: String)(body: => T): T = within(new Scope(name, Scope.INHERIT, Double.NaN, 0))(body)

  /** As the first, with what bounds the answers of its jobs, each from its own submission on.
    *
    * @param priority
    *   `null` for that of job group, pool or configuration
    * @param bound
    *   as the local properties `holdfast.deadline` and `holdfast.error` say it
    */
  def workflow[T](name: String, priority: Integer, bound: Bound)(body: => T): T =
    within(bounded(name, priority, bound))(body)

  /** As `workflow`, for Java, whose lambdas would fit two methods of one name; `body` may throw whatever it likes. */
  def inWorkflow[T](name: String, priority: Int, isolation: Double, parallelism: Int, body: Callable[T]): T =
    call(new Scope(name, priority, isolation, parallelism), body)

  /** As the first, with a parallelism that is not known. */
  def inWorkflow[T](name: String, priority: Int, isolation: Double, body: Callable[T]): T =
    call(new Scope(name, priority, isolation, 0), body)

  /** As the first, with the isolation that job group, pool or configuration give. */
  def inWorkflow[T](name: String, priority: Int, body: Callable[T]): T =
    call(new Scope(name, priority, Double.NaN, 0), body)

  /** As the first, with the priority and isolation that job group, pool or configuration give. */
  def inWorkflow[T](name: String, body: Callable[T]): T =
    call(new Scope(name, Scope.INHERIT, Double.NaN, 0), body)

  /** As the first, with what bounds the answers of its jobs: see `workflow`. */
  def inWorkflow[T](name: String, priority: Integer, bound: Bound, body: Callable[T]): T =
    call(bounded(name, priority, bound), body)

  private def bounded(name: String, priority: Integer, bound: Bound): Scope =
    new Scope(name, if (priority == null) Scope.INHERIT else priority.intValue, Double.NaN, 0, bound)

  /** Changes a priority while the application runs, also of what runs already.
    *
    * @param of
    *   what the configuration calls it: `pool.<pool>`, `group.<glob>`, `tag.<glob>`, `description.<glob>`,
    *   `session.<glob>` or `user.<glob>`
    * @param priority
    *   as in `spark.holdfast.<of>.priority`, which it replaces
    * @throws java.lang.IllegalArgumentException
    *   if `of` is none of these
    */
  def setPriority(of: String, priority: Int): Unit = Status.prioritise(of, priority)

  /** No further job of this workflow comes: what it holds is given back. Scopes say so by themselves. */
  def endWorkflow(name: String): Unit = Status.closeWorkflow(name)

  /** What the scheduler of this driver does, as JSON.
    *
    * `mode` (enforce, observe, off), `policy`, `holds` (made = used + moved + expired + overridden + dropped + left),
    * `idle_slot_s` (held slots times seconds without a task), `vetoes`, `copies` of stragglers and `copies_won`,
    * `bounds_met` and `bounds_passed` (stages whose error bound was met, or whose deadline came before all tasks were
    * done; without bounded stages neither is there), `copies_lost_slot_s` and `copies_before_equals` (slot-time of
    * attempts beside another that ended their task, and copies launched while equals waited; if there was any),
    * `native` (the engine's version), `remembered` (workflows that earlier applications have left in
    * `spark.holdfast.history.dir`) and `remembered_samples`; with mode off, `reason`. `workflows` has one object for
    * each workflow that has held
    * slots: the same counts for it, `busy_slot_s`, and, for an isolation below 1, `barriers` (stages with a deadline),
    * `kept` (completed by it), `promised` (the sum of the isolations asked for: `kept` should be near it),
    * `bound_slot_s` (the idle slot-time that Eq. 4 of the paper allows them) and `barrier_idle_slot_s` (the part of
    * `idle_slot_s` that was held towards their deadlines). `users` has their sums for each user of
    * Spark Connect, if there are any.
    */
  def status(): String = Status.json()

  // Without a closure: the class of one that is compiled with Scala 2.12 cannot be loaded beside Scala 2.13.
  private def call[T](scope: Scope, body: Callable[T]): T =
    try body.call()
    finally scope.close()

  private def within[T](scope: Scope)(body: => T): T =
    try body
    finally scope.close()
}
