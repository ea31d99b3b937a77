package io.holdfast.suites

import org.objectweb.asm._

/** Makes copies of our classes that tell [[Calls]] what becomes of them. */
private[suites] object Instrument {

  /** Prefix of what is counted for a new object; the class's simple name follows. */
  val Built = "new "

  private val CallsName = Type.getInternalName(Calls.getClass).stripSuffix("$")

  /** What is counted when a session starts an engine, is refused one, and gives one up. */
  val On = "on"
  val Off = "off"
  val Failed = "failed"

  private val StatusMethods = Set(
    s"$On(Lio/holdfast/session/Session;)V",
    s"$Off(Ljava/lang/String;)V",
    s"$Failed(Lio/holdfast/session/Session;Ljava/lang/String;)V"
  )

  // Reading a val shows nothing, and Spark reads this one everywhere.
  private val Uncounted = Set("rootPool")

  /** @param stock the class file of the superclass: calls of what it has, too, are counted */
  def apply(ours: Array[Byte], stock: Array[Byte]): Array[Byte] = counting(ours, methodsOf(stock))

  /** @param ours the class file of `io.holdfast.session.Status` */
  def status(ours: Array[Byte]): Array[Byte] = counting(ours, StatusMethods)

  private def counting(ours: Array[Byte], methods: Set[String]): Array[Byte] = {
    val reader = new ClassReader(ours)
    val writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS)
    reader.accept(new Visitor(writer, methods), 0)
    writer.toByteArray
  }

  private def methodsOf(classFile: Array[Byte]): Set[String] = {
    var found = Set.empty[String]
    val collector = new ClassVisitor(Opcodes.ASM9) {
      override def visitMethod(
          access: Int,
          name: String,
          descriptor: String,
          signature: String,
          exceptions: Array[String]
      ): MethodVisitor = {
        val inherited = (access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0
        if (inherited && name != "<init>" && !Uncounted(name)) found += name + descriptor
        null
      }
    }
    new ClassReader(classFile).accept(collector, ClassReader.SKIP_CODE)
    found
  }

  private class Visitor(writer: ClassWriter, counted: Set[String]) extends ClassVisitor(Opcodes.ASM9, writer) {
    private var name, superName = ""

    override def visit(
        version: Int,
        access: Int,
        name: String,
        signature: String,
        superName: String,
        interfaces: Array[String]
    ): Unit = {
      this.name = name
      this.superName = superName
      super.visit(version, access, name, signature, superName, interfaces)
    }

    override def visitMethod(
        access: Int,
        method: String,
        descriptor: String,
        signature: String,
        exceptions: Array[String]
    ): MethodVisitor = {
      val body = super.visitMethod(access, method, descriptor, signature, exceptions)
      if (method == "<init>") new Constructor(body, superName, Built + name.drop(name.lastIndexOf('/') + 1))
      else if (counted(method + descriptor)) new Override(body, method)
      else body
    }
  }

  private def count(visitor: MethodVisitor, what: String): Unit = {
    visitor.visitLdcInsn(what)
    visitor.visitMethodInsn(Opcodes.INVOKESTATIC, CallsName, "count", "(Ljava/lang/String;)V", false)
  }

  /** Counts an object when the superclass's constructor has returned: not in constructors that call another one. */
  private class Constructor(next: MethodVisitor, superName: String, what: String)
      extends MethodVisitor(Opcodes.ASM9, next) {
    override def visitMethodInsn(
        opcode: Int,
        of: String,
        name: String,
        descriptor: String,
        isInterface: Boolean
    ): Unit = {
      super.visitMethodInsn(opcode, of, name, descriptor, isInterface)
      if (opcode == Opcodes.INVOKESPECIAL && of == superName && name == "<init>") count(this, what)
    }
  }

  private class Override(next: MethodVisitor, method: String) extends MethodVisitor(Opcodes.ASM9, next) {
    override def visitCode(): Unit = {
      super.visitCode()
      count(this, method)
      if (method == "resourceOffer") refuse()
    }

    private def refuse(): Unit = {
      val go = new Label
      visitMethodInsn(Opcodes.INVOKESTATIC, CallsName, "vetoes", "()Z", false)
      visitJumpInsn(Opcodes.IFEQ, go)
      visitMethodInsn(Opcodes.INVOKESTATIC, CallsName, "refusal", "()Lscala/Tuple3;", false)
      visitInsn(Opcodes.ARETURN)
      visitLabel(go)
      visitFrame(Opcodes.F_SAME, 0, null, 0, null)
    }
  }
}
