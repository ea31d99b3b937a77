package io.holdfast.suites

import org.objectweb.asm.{Handle, Opcodes}
import org.objectweb.asm.tree._

/** Makes class files that extend or build one of Spark's classes extend or build ours. Only superclasses and constructor
  * calls change: descriptors, casts, class literals, static calls and mocks stay, since ours is a subclass with the same
  * constructors.
  *
  * @param replacements internal names of Spark's classes and of ours
  */
private[suites] final class Retarget(replacements: Map[String, String]) {
  private var fileCount, superclassCount, creationCount = 0

  /** What was changed so far. */
  def counts: Retarget.Counts = Retarget.Counts(fileCount, superclassCount, creationCount)

  /** The changed class file, if anything in it changes. */
  def apply(classFile: Array[Byte]): Option[Array[Byte]] = {
    val changed = ClassFile.changed(classFile)(retarget)
    fileCount += changed.size
    changed
  }

  /** How many places were changed. */
  private def retarget(node: ClassNode): Int = {
    var places = 0
    def replaced(name: String): String = replacements.get(name) match {
      case Some(other) => places += 1; other
      case None => name
    }
    if (replacements.contains(node.superName)) superclassCount += 1
    node.superName = replaced(node.superName)
    ClassFile.instructions(node).map(_._2).foreach {
      case creation: TypeInsnNode if creation.getOpcode == Opcodes.NEW =>
        if (replacements.contains(creation.desc)) creationCount += 1
        creation.desc = replaced(creation.desc)
      // Constructors, and calls of a superclass's methods.
      case call: MethodInsnNode if call.getOpcode == Opcodes.INVOKESPECIAL =>
        call.owner = replaced(call.owner)
      case lambda: InvokeDynamicInsnNode =>
        lambda.bsmArgs = lambda.bsmArgs.map {
          case h: Handle if h.getTag == Opcodes.H_NEWINVOKESPECIAL =>
            new Handle(h.getTag, replaced(h.getOwner), h.getName, h.getDesc, h.isInterface)
          case other => other
        }
      case _ =>
    }
    places
  }
}

private[suites] object Retarget {

  /** Class files changed, superclasses in them, and places where one of the classes is built. */
  final case class Counts(files: Int, superclasses: Int, creations: Int) {
    override def toString: String = s"$files class files, $superclasses superclasses, $creations times new"
  }
}
