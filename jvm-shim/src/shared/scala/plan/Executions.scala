package org.apache.spark.scheduler.holdfast.sparkline

import java.lang.reflect.Method
import java.util.{ArrayDeque => JArrayDeque, LinkedHashMap, Map => JMap}

import scala.util.hashing.MurmurHash3

/** The SQL executions that run. spark-sql may be missing, so its classes are not known here. */
private[holdfast] object Executions {
  private val MostShapes = 64

  /** What comes behind them does not count: the scheduler waits for a walk, and a list may have a million literals. */
  private val MostNodes = 10000

  private lazy val known: Option[Sql] =
    try Some(new Sql(Thread.currentThread.getContextClassLoader))
    catch { case Survivable(_) => None }

  /** Of the latest executions: many jobs of one come in a row. */
  private val shapes = new LinkedHashMap[Long, Int](16, 0.75f, true) {
    override def removeEldestEntry(eldest: JMap.Entry[Long, Int]): Boolean = size > MostShapes
  }

  /** Returns whether it has not ended; true when that cannot be known. */
  def runs(id: Long): Boolean = known.forall(_.find(id) != null)

  /** A hash of a query's analysed plan without its literals and without the plans of subqueries in expressions; 0 when
    * that cannot be known.
    */
  def shape(id: Long): Int = shapes.synchronized {
    shapes.computeIfAbsent(
      id,
      (id: Long) =>
        try known.fold(0)(_.shape(id))
        catch { case Survivable(_) => 0 }
    )
  }

  /** What is called of spark-sql. */
  private class Sql(loader: ClassLoader) {
    private def method(of: String, name: String, arguments: Class[_]*): Method =
      Class.forName(s"org.apache.spark.sql.$of", true, loader).getMethod(name, arguments: _*)

    private val running = method("execution.SQLExecution$", "getQueryExecution", java.lang.Long.TYPE)
    private val companion = running.getDeclaringClass.getField("MODULE$").get(null)
    // Needed for shapes only: a Spark without one of them still tells what runs.
    private lazy val analyzed = method("execution.QueryExecution", "analyzed")
    private lazy val children = method("catalyst.trees.TreeNode", "children")
    private lazy val expressions = method("catalyst.plans.QueryPlan", "expressions")
    private lazy val output = method("catalyst.plans.QueryPlan", "output")
    private lazy val name = method("catalyst.expressions.NamedExpression", "name")

    /** The execution until it ends, then null. */
    def find(id: Long): AnyRef = running.invoke(companion, Long.box(id))

    def shape(id: Long): Int = find(id) match {
      case null => 0
      case execution => hash(analyzed.invoke(execution))
    }

    /** In a loop, so that a deep plan needs no deep stack. */
    private def hash(root: AnyRef): Int = {
      val open = new JArrayDeque[AnyRef]
      open.push(root)
      var (hash, nodes) = (0, 0)
      while (!open.isEmpty && nodes < MostNodes) {
        val node = open.pop()
        val below = all(children, node)
        val isPlan = expressions.getDeclaringClass.isInstance(node)
        val own =
          if (isPlan) all(expressions, node) ++ (if (below.isEmpty) all(output, node) else Nil)
          else Nil
        val next = own ++ below
        val named = if (isNamed(node)) name.invoke(node).hashCode else 0
        // With how many there are a sequence says where each node is in its tree.
        hash = MurmurHash3.mix(hash, 31 * (31 * node.getClass.getName.hashCode + named) + next.size)
        next.reverseIterator.foreach(open.push(_))
        nodes += 1
      }
      MurmurHash3.finalizeHash(hash, nodes)
    }

    /** A column of a table. Other names may be made of what they name, literals and all. */
    private def isNamed(node: AnyRef): Boolean =
      name.getDeclaringClass.isInstance(node) && all(children, node).isEmpty

    private def all(method: Method, of: AnyRef): Seq[AnyRef] = method.invoke(of).asInstanceOf[Iterable[AnyRef]].toSeq
  }
}
