package io.holdfast.suites

import org.objectweb.asm._

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
    val reader = new ClassReader(classFile)
    val writer = new ClassWriter(reader, 0)
    val visitor = new Visitor(writer)
    reader.accept(visitor, 0)
    if (visitor.changed) fileCount += 1
    if (visitor.changed) Some(writer.toByteArray) else None
  }

  private class Visitor(writer: ClassWriter) extends ClassVisitor(Opcodes.ASM9, writer) {
    var changed = false

    def replaced(name: String): String =
      replacements.get(name) match {
        case Some(other) => changed = true; other
        case None => name
      }

    override def visit(
        version: Int,
        access: Int,
        name: String,
        signature: String,
        superName: String,
        interfaces: Array[String]
    ): Unit = {
      if (replacements.contains(superName)) superclassCount += 1
      super.visit(version, access, name, signature, replaced(superName), interfaces)
    }

    override def visitMethod(
        access: Int,
        name: String,
        descriptor: String,
        signature: String,
        exceptions: Array[String]
    ): MethodVisitor =
      new Body(this, super.visitMethod(access, name, descriptor, signature, exceptions))
  }

  private class Body(owner: Visitor, next: MethodVisitor) extends MethodVisitor(Opcodes.ASM9, next) {
    override def visitTypeInsn(opcode: Int, name: String): Unit = {
      val creates = opcode == Opcodes.NEW
      if (creates && replacements.contains(name)) creationCount += 1
      super.visitTypeInsn(opcode, if (creates) owner.replaced(name) else name)
    }

    // Constructors, and calls of a superclass's methods.
    override def visitMethodInsn(
        opcode: Int,
        of: String,
        name: String,
        descriptor: String,
        isInterface: Boolean
    ): Unit =
      super.visitMethodInsn(
        opcode,
        if (opcode == Opcodes.INVOKESPECIAL) owner.replaced(of) else of,
        name,
        descriptor,
        isInterface
      )

    override def visitInvokeDynamicInsn(name: String, descriptor: String, factory: Handle, args: AnyRef*): Unit =
      super.visitInvokeDynamicInsn(name, descriptor, factory, args.map(constructor): _*)

    private def constructor(argument: AnyRef): AnyRef = argument match {
      case h: Handle if h.getTag == Opcodes.H_NEWINVOKESPECIAL =>
        new Handle(h.getTag, owner.replaced(h.getOwner), h.getName, h.getDesc, h.isInterface)
      case other => other
    }
  }
}

private[suites] object Retarget {

  /** Class files changed, superclasses in them, and places where one of the classes is built. */
  final case class Counts(files: Int, superclasses: Int, creations: Int) {
    override def toString: String = s"$files class files, $superclasses superclasses, $creations times new"
  }
}
