package io.holdfast.line;

import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * What class files of ours refer to below {@code org.apache.spark}: by class, its members, as
 * {@link Links} reads them.
 */
final class References {
  private static final String SPARK = "org/apache/spark/";
  private static final String OURS = "org/apache/spark/scheduler/holdfast/";

  private final ClassFiles classes;
  final TreeMap<String, TreeSet<String>> found = new TreeMap<>();

  References(ClassFiles classes) {
    this.classes = classes;
  }

  static boolean isSparks(String name) {
    return name.startsWith(SPARK) && !name.startsWith(OURS);
  }

  void read(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    addClass(reader.getSuperName());
    List.of(reader.getInterfaces()).forEach(this::addClass);
    ClassFile own = new ClassFile(bytes);
    own.members(true).forEach((member, access) -> overridden(own, member, access));
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(int access, String n, String d, String s, String[] e) {
            return new Code();
          }
        },
        ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
  }

  /** Where Spark's class has no such method any more, ours would never be called. */
  private void overridden(ClassFile shape, String member, int access) {
    if ((access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) != 0 || member.startsWith("<"))
      return;
    for (String above : shape.above) {
      String sparks = nearestSparks(above);
      if (sparks == null) continue;
      ClassFile declaring = classes.declaring(sparks, member, true);
      if (declaring != null && isSparks(declaring.name)) add(sparks, "o " + member);
    }
  }

  private String nearestSparks(String name) {
    for (String at = name; at != null; ) {
      if (isSparks(at)) return at;
      ClassFile file = at.startsWith(OURS) ? classes.get(at) : null;
      at = file == null ? null : file.above.get(0);
    }
    return null;
  }

  private void addClass(String name) {
    if (name != null && isSparks(name)) found.computeIfAbsent(name, n -> new TreeSet<>());
  }

  private void add(String owner, String member) {
    addClass(owner);
    found.get(owner).add(member);
  }

  /** Scala names our own class as owner of what it inherits from Spark's. */
  private void addMember(String owner, String member, String kind, boolean method) {
    if (isSparks(owner)) {
      add(owner, kind + " " + member);
    } else if (owner.startsWith(OURS)) {
      ClassFile declaring = classes.declaring(owner, member, method);
      if (declaring != null && isSparks(declaring.name)) {
        String sparks = nearestSparks(owner);
        add(sparks == null ? declaring.name : sparks, kind + " " + member);
      }
    }
  }

  private final class Code extends MethodVisitor {
    Code() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visitMethodInsn(int op, String owner, String name, String d, boolean isInterface) {
      if (owner.startsWith("[")) return;
      addMember(owner, name + " " + d, op == Opcodes.INVOKESTATIC ? "s" : "m", true);
    }

    @Override
    public void visitFieldInsn(int op, String owner, String name, String d) {
      boolean isStatic = op == Opcodes.GETSTATIC || op == Opcodes.PUTSTATIC;
      addMember(owner, name + " " + d, isStatic ? "g" : "f", false);
    }

    @Override
    public void visitTypeInsn(int op, String type) {
      addType(Type.getObjectType(type));
    }

    @Override
    public void visitLdcInsn(Object value) {
      if (value instanceof Type type) addType(type);
    }

    @Override
    public void visitTryCatchBlock(Label from, Label to, Label handler, String type) {
      addClass(type);
    }

    @Override
    public void visitInvokeDynamicInsn(String n, String d, Handle bootstrap, Object... arguments) {
      for (Object argument : arguments) {
        if (!(argument instanceof Handle handle)) continue;
        boolean isStatic = handle.getTag() == Opcodes.H_INVOKESTATIC;
        addMember(
            handle.getOwner(),
            handle.getName() + " " + handle.getDesc(),
            isStatic ? "s" : "m",
            true);
      }
    }

    private void addType(Type type) {
      Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
      if (element.getSort() == Type.OBJECT) addClass(element.getInternalName());
    }
  }
}
