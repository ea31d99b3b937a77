package io.holdfast.suites

import java.io.InputStream
import java.nio.file.{Files, Paths}

import scala.collection.mutable

import org.objectweb.asm._
import org.objectweb.asm.tree._

/** Makes suites that were compiled against Spark 4.2 call Spark 4.3, of which no suites are published. Where they count
  * a task's CPUs by `Int`, it does so by `BigDecimal`, and some constructors have a further `Boolean`, false by default.
  *
  * Arguments: folder of the suites' class files, folder for all of them with the changed ones, and how many calls have
  * to change.
  */
object Adapt {
  private val Decimal = "Lscala/math/BigDecimal;"
  private val Wider = Map("I" -> Decimal, "[I" -> s"[$Decimal")

  def main(args: Array[String]): Unit = {
    val (classes, out, expected) = (Paths.get(args(0)), Paths.get(args(1)), args(2).toInt)
    Folders.delete(out)
    val counts = Folders.files(classes).map { file =>
      val bytes = Files.readAllBytes(file)
      val (adapted, count) = if (file.toString.endsWith(".class")) adapt(bytes) else (bytes, 0)
      val to = out.resolve(classes.relativize(file))
      Files.createDirectories(to.getParent)
      Files.write(to, adapted)
      count
    }
    if (counts.sum != expected) {
      System.err.println(s"Spark's suites have changed: $expected calls were expected to change, and ${counts.sum} do")
      System.exit(1)
    }
  }

  /** The class file, and how many of its calls were changed. */
  private def adapt(classFile: Array[Byte]): (Array[Byte], Int) = {
    var count = 0
    val adapted = ClassFile.changed(classFile) { node =>
      ClassFile.instructions(node).foreach {
        case (method, call: MethodInsnNode) =>
          newer(call).foreach { now =>
            change(method, call, now)
            count += 1
          }
        case _ =>
      }
      count
    }
    (adapted.getOrElse(classFile), count)
  }

  private def change(method: MethodNode, call: MethodInsnNode, now: String): Unit = {
    method.instructions.insertBefore(call, arguments(types(call.desc), types(now), method.maxLocals))
    if (Type.getReturnType(call.desc) != Type.getReturnType(now))
      method.instructions.insert(call, converted("narrow", s"($Decimal)I"))
    call.desc = now
  }

  /** Puts those from the first that differs aside, and takes them again, as they are wanted. */
  private def arguments(was: Seq[Type], now: Seq[Type], free: Int): InsnList = {
    val code = new InsnList
    val same = was.zip(now).takeWhile { case (a, b) => a == b }.size
    val rest = was.zip(now).drop(same)
    val places = rest.scanLeft(free) { case (place, (type_, _)) => place + type_.getSize }
    val aside = rest.zip(places)
    aside.reverse.foreach { case ((a, _), place) => code.add(new VarInsnNode(a.getOpcode(Opcodes.ISTORE), place)) }
    aside.foreach { case ((a, b), place) =>
      code.add(new VarInsnNode(a.getOpcode(Opcodes.ILOAD), place))
      if (a != b) code.add(converted("wide", s"($a)$b"))
    }
    now.drop(was.size).foreach(_ => code.add(new InsnNode(Opcodes.ICONST_0)))
    code
  }

  private def converted(name: String, of: String) =
    new MethodInsnNode(Opcodes.INVOKESTATIC, "io/holdfast/suites/TaskCpus", name, of, false)

  /** The descriptor that is to be called now, where Spark has no such method any more. */
  private def newer(call: MethodInsnNode): Option[String] =
    if (!call.owner.startsWith("org/apache/spark/")) None
    else {
      val named = methods(call.owner).filter(_._1 == call.name).map(_._2)
      if (named.contains(call.desc)) None else named.find(fits(call.desc, _))
    }

  private def fits(was: String, now: String): Boolean = {
    def pair(a: Type, b: Type): Boolean = a == b || Wider.get(a.toString).contains(b.toString)
    val (before, after) = (types(was), types(now))
    pair(Type.getReturnType(was), Type.getReturnType(now)) && before.size <= after.size &&
    before.zip(after).forall { case (a, b) => pair(a, b) } && after.drop(before.size).forall(_ == Type.BOOLEAN_TYPE)
  }

  private def types(descriptor: String): Seq[Type] = Type.getArgumentTypes(descriptor).toSeq

  private val known = mutable.Map.empty[String, Seq[(String, String)]]

  /** Name and descriptor of each method of one of Spark's classes and of those above it. */
  private def methods(owner: String): Seq[(String, String)] =
    known.getOrElseUpdate(owner, Option(getClass.getResourceAsStream(s"/$owner.class")).fold(nothing)(read))

  private val nothing = Seq.empty[(String, String)] // of a class of the suites' own

  private def read(classFile: InputStream): Seq[(String, String)] = {
    val node =
      try ClassFile.declared(classFile.readAllBytes())
      finally classFile.close()
    val own = ClassFile.methods(node).map(m => m.name -> m.desc)
    own ++ Option(node.superName).toSeq.flatMap(methods).filter(_._1 != "<init>")
  }
}

/** What the adapted suites call. */
object TaskCpus {
  def wide(cpus: Int): BigDecimal = BigDecimal(cpus)
  def wide(cpus: Array[Int]): Array[BigDecimal] = cpus.map(BigDecimal(_))
  def narrow(cpus: BigDecimal): Int = cpus.toIntExact
}
