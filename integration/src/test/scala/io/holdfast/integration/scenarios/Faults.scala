package io.holdfast.integration.scenarios

import java.util.concurrent.ConcurrentHashMap

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.objectweb.asm._

/** What a [[Faulty]] copy of one of our methods does first: it fails, if it is the armed one. */
object Faults {
  private val Message = "a fault that a test wants"
  @volatile private var armed = ""
  @volatile private var kind: () => Throwable = () => new IllegalStateException(Message)
  @volatile private var count = 0
  @volatile private var application = 0
  private val names = ConcurrentHashMap.newKeySet[String]()

  /** In turn: of the kinds that an override, a patched Spark and a full heap bring. */
  val Kinds: Seq[() => Throwable] = Seq(
    () => new IllegalStateException(Message),
    () => new NoSuchMethodError(Message),
    () => new OutOfMemoryError(Message)
  )

  def arm(name: String, kind: () => Throwable): Unit = {
    this.kind = kind
    count = 0
    armed = name
  }

  def disarm(): Unit = armed = ""

  /** How often the armed method has failed. */
  def thrown: Int = count

  /** All that has been called. */
  def reached: Seq[String] = names.asScala.toSeq.sorted

  /** The number of one more application: faults are its own, for threads that those before have left may go on. */
  def begin(): Int = {
    application += 1
    application
  }

  /** Called by what is instrumented. */
  def at(name: String, caller: Int): Unit = {
    names.add(name)
    // Where Spark's own request for offers fails for ever no Spark goes on.
    if (name == armed && caller == application && (count < 2 || !name.endsWith(".revive"))) {
      count += 1
      throw kind()
    }
  }
}

/** Loads copies of our classes, each method of which tells [[Faults]] that it begins, and each constructor that it ends.
  * Accessors do not, nor does what overrides a method of Spark's: Spark would be hit by what is thrown there, whatever we do.
  */
private class Faulty(parent: ClassLoader) extends ClassLoader(parent) {
  private val Scheduler = "org/apache/spark/scheduler/TaskSchedulerImpl"
  private val application = Faults.begin()
  private val supers = mutable.HashMap.empty[String, Set[String]]

  override def loadClass(name: String, resolve: Boolean): Class[_] = getClassLoadingLock(name).synchronized {
    if (!ours(name)) super.loadClass(name, resolve)
    else
      Option(findLoadedClass(name)).getOrElse {
        val bytes = instrumented(name)
        defineClass(name, bytes, 0, bytes.length)
      }
  }

  private def ours(name: String): Boolean =
    name.startsWith("io.holdfast.") && !name.startsWith("io.holdfast.integration.") ||
      name.startsWith("org.apache.spark.scheduler.holdfast.")

  private def bytesOf(internalName: String): Array[Byte] = {
    val in = parent.getResourceAsStream(internalName + ".class")
    if (in == null) throw new ClassNotFoundException(internalName)
    try in.readAllBytes()
    finally in.close()
  }

  private def instrumented(name: String): Array[Byte] = {
    val reader = new ClassReader(bytesOf(name.replace('.', '/')))
    val writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS)
    val short = name.substring(name.lastIndexOf('.') + 1)
    // A trait's class file does not say what class it is mixed into.
    val mixed =
      if (short == "HoldfastOverrides") methods(Scheduler).map(m => m.substring(0, m.indexOf('(')))
      else Set.empty[String]
    val above = (reader.getSuperName +: reader.getInterfaces).filterNot(i => ours(i.replace('/', '.')))
    reader.accept(new Telling(writer, short, above.flatMap(methods).toSet ++ accessors(reader), mixed), 0)
    writer.toByteArray
  }

  /** Methods that read or write a field, and do nothing that could fail. */
  private def accessors(reader: ClassReader): Set[String] = {
    val all, working = mutable.HashSet.empty[String]
    reader.accept(
      new ClassVisitor(Opcodes.ASM9) {
        override def visitMethod(a: Int, name: String, descriptor: String, s: String, e: Array[String]) =
          new MethodVisitor(Opcodes.ASM9) {
            private def works(): Unit = working += name + descriptor
            override def visitCode(): Unit = all += name + descriptor
            override def visitMethodInsn(o: Int, w: String, n: String, d: String, i: Boolean): Unit = works()
            override def visitTypeInsn(o: Int, t: String): Unit = works()
            override def visitJumpInsn(o: Int, l: Label): Unit = works()
            override def visitInsn(opcode: Int): Unit = if (opcode == Opcodes.ATHROW) works()
          }
      },
      0
    )
    all.toSet.diff(working)
  }

  /** Names and descriptors of what a class of Spark's, or of Java's, has and inherits. */
  private def methods(internalName: String): Set[String] = supers.getOrElseUpdate(
    internalName, {
      val found = mutable.HashSet.empty[String]
      val reader = new ClassReader(bytesOf(internalName))
      reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          override def visitMethod(a: Int, name: String, descriptor: String, s: String, e: Array[String]) = {
            if (!name.startsWith("<")) found += name + descriptor
            null
          }
        },
        ClassReader.SKIP_CODE
      )
      val above = Option(reader.getSuperName).toSeq ++ reader.getInterfaces
      found.toSet ++ above.flatMap(methods)
    }
  )

  private class Telling(to: ClassVisitor, owner: String, inherited: Set[String], mixed: Set[String])
      extends ClassVisitor(Opcodes.ASM9, to) {
    override def visitMethod(
        access: Int,
        name: String,
        descriptor: String,
        s: String,
        e: Array[String]
    ): MethodVisitor = {
      val visitor = super.visitMethod(access, name, descriptor, s, e)
      val skipped = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0 ||
        inherited(name + descriptor) || mixed(name.stripSuffix("$"))
      if (skipped) visitor
      else
        new MethodVisitor(Opcodes.ASM9, visitor) {
          private val constructs = name == "<init>"
          private def tell(): Unit = {
            super.visitLdcInsn(s"$owner.$name")
            super.visitLdcInsn(Int.box(application))
            super.visitMethodInsn(
              Opcodes.INVOKESTATIC,
              Type.getInternalName(Faults.getClass).stripSuffix("$"),
              "at",
              "(Ljava/lang/String;I)V",
              false
            )
          }
          override def visitCode(): Unit = {
            super.visitCode()
            if (!constructs) tell()
          }
          override def visitInsn(opcode: Int): Unit = {
            if (constructs && opcode == Opcodes.RETURN) tell()
            super.visitInsn(opcode)
          }
        }
    }
  }
}
