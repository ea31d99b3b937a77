package io.holdfast.suites

import org.objectweb.asm.{Opcodes, Type}
import org.objectweb.asm.tree._

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
  def apply(ours: Array[Byte], stock: Array[Byte]): Array[Byte] = counting(ours, inherited(stock))

  /** @param ours the class file of `io.holdfast.session.Status` */
  def status(ours: Array[Byte]): Array[Byte] = counting(ours, StatusMethods)

  private def counting(ours: Array[Byte], counted: Set[String]): Array[Byte] = {
    val copy = ClassFile.changed(ours) { node =>
      val places = ClassFile.methods(node).map { method =>
        if (method.name == "<init>") countBuilt(node, method)
        else if (counted(method.name + method.desc) && method.instructions.size > 0) countCalls(method)
        else 0
      }
      places.sum
    }
    copy.getOrElse(ours)
  }

  /** Name and descriptor of each method that a subclass has as well. */
  private def inherited(classFile: Array[Byte]): Set[String] = {
    val methods = ClassFile.methods(ClassFile.declared(classFile)).filter { method =>
      val own = (method.access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) != 0
      !own && method.name != "<init>" && !Uncounted(method.name)
    }
    methods.map(method => method.name + method.desc).toSet
  }

  /** Counts an object when the superclass's constructor has returned: not in constructors that call another one. */
  private def countBuilt(node: ClassNode, constructor: MethodNode): Int = {
    val what = Built + node.name.drop(node.name.lastIndexOf('/') + 1)
    val calls = constructor.instructions.toArray.collect {
      case call: MethodInsnNode
          if call.getOpcode == Opcodes.INVOKESPECIAL && call.owner == node.superName && call.name == "<init>" =>
        call
    }
    calls.foreach(call => constructor.instructions.insert(call, count(what)))
    calls.length
  }

  private def countCalls(method: MethodNode): Int = {
    val code = count(method.name)
    if (method.name == "resourceOffer") code.add(refusal())
    method.instructions.insert(code) // before all others
    1
  }

  private def count(what: String): InsnList = {
    val code = new InsnList
    code.add(new LdcInsnNode(what))
    code.add(call("count", "(Ljava/lang/String;)V"))
    code
  }

  private def refusal(): InsnList = {
    val (code, go) = (new InsnList, new LabelNode)
    code.add(call("vetoes", "()Z"))
    code.add(new JumpInsnNode(Opcodes.IFEQ, go))
    code.add(call("refusal", "()Lscala/Tuple3;"))
    code.add(new InsnNode(Opcodes.ARETURN))
    code.add(go)
    code.add(new FrameNode(Opcodes.F_SAME, 0, null, 0, null))
    code
  }

  private def call(name: String, descriptor: String) =
    new MethodInsnNode(Opcodes.INVOKESTATIC, CallsName, name, descriptor, false)
}
