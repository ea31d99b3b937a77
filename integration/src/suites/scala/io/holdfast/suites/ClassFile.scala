package io.holdfast.suites

import org.objectweb.asm.{ClassReader, ClassWriter}
import org.objectweb.asm.tree.{AbstractInsnNode, ClassNode, MethodNode}

/** Reads, changes and writes class files, for [[Adapt]], [[Instrument]] and [[Retarget]]. */
private[suites] object ClassFile {

  /** Reads what a class declares, without code. */
  def declared(classFile: Array[Byte]): ClassNode = read(classFile, ClassReader.SKIP_CODE)

  /** Writes what `change` makes of a class; none where it says that it changed no place. */
  def changed(classFile: Array[Byte])(change: ClassNode => Int): Option[Array[Byte]] = {
    val node = read(classFile, 0)
    if (change(node) == 0) None
    else {
      val writer = new ClassWriter(ClassWriter.COMPUTE_MAXS)
      node.accept(writer)
      Some(writer.toByteArray)
    }
  }

  def methods(node: ClassNode): Seq[MethodNode] = node.methods.toArray(Array.empty[MethodNode]).toSeq

  /** Lists each instruction with its method; changes do not show in the list. */
  def instructions(node: ClassNode): Seq[(MethodNode, AbstractInsnNode)] =
    methods(node).flatMap(method => method.instructions.toArray.toSeq.map(method -> _))

  private def read(classFile: Array[Byte], flags: Int): ClassNode = {
    val node = new ClassNode
    new ClassReader(classFile).accept(node, flags)
    node
  }
}
