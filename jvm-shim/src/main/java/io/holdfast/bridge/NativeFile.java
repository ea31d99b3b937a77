package io.holdfast.bridge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a shared library asks of the machine. The dynamic linker's own messages name the symptom;
 * this names the cause. Formats: the System V ABI's chapters 4 and 5, and {@code mach-o/loader.h}.
 *
 * @param os {@code linux} for ELF, {@code macos} for Mach-O, empty for a file of neither kind
 * @param arch {@code x86_64}, {@code aarch64}, or a number for others
 * @param libc {@link NativePlatform#GLIBC}, {@link NativePlatform#MUSL}, or empty if it needs none
 * @param glibc newest version of glibc that a symbol asks for, such as {@code 2.17}; empty for none
 */
record NativeFile(String os, String arch, String libc, String glibc) {
  private static final NativeFile UNKNOWN = new NativeFile("", "", "", "");

  private static final int ELF = 0x7f454c46;
  private static final int MACH_O_64 = 0xfeedfacf;
  private static final int PT_LOAD = 1;
  private static final int PT_DYNAMIC = 2;
  private static final int DT_NEEDED = 1;
  private static final int DT_STRTAB = 5;
  private static final int DT_VERNEED = 0x6ffffffe;

  /** No library of ours is larger, and the driver's heap is the user's. */
  private static final long LARGEST = 64L << 20;

  /** Longest list that a library can have: a damaged one might not end. */
  private static final int MOST = 10_000;

  static NativeFile read(Path file) throws IOException {
    try {
      if (Files.size(file) > LARGEST) return UNKNOWN;
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
      if (bytes.getInt(0) == ELF) return new Elf(bytes).read();
      bytes.order(ByteOrder.LITTLE_ENDIAN);
      if (bytes.getInt(0) == MACH_O_64) return macho(bytes.getInt(4));
      return UNKNOWN;
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      return UNKNOWN; // cut off, or damaged
    }
  }

  private static NativeFile macho(int cpu) {
    String arch =
        cpu == 0x01000007 ? "x86_64" : cpu == 0x0100000c ? "aarch64" : Integer.toHexString(cpu);
    return new NativeFile("macos", arch, "", "");
  }

  /** Compares versions such as 2.9 and 2.17 by their numbers. */
  static int compare(String left, String right) {
    String[] a = left.split("\\.");
    String[] b = right.split("\\.");
    for (int i = 0; i < Math.max(a.length, b.length); i++) {
      int x = i < a.length ? Integer.parseInt(a[i]) : 0;
      int y = i < b.length ? Integer.parseInt(b[i]) : 0;
      if (x != y) return Integer.compare(x, y);
    }
    return 0;
  }

  /** A 64-bit ELF file. */
  private static final class Elf {
    private final ByteBuffer bytes;
    private final List<long[]> loads = new ArrayList<>(); // address, offset, size in the file
    private final List<Long> needed = new ArrayList<>();
    private int strings = -1;
    private int versions = -1;

    Elf(ByteBuffer bytes) {
      this.bytes = bytes;
    }

    NativeFile read() {
      boolean wide = bytes.get(4) == 2;
      bytes.order(bytes.get(5) == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
      int machine = bytes.getShort(18) & 0xffff;
      String arch =
          !wide
              ? "a 32-bit machine (ELF number " + machine + ")"
              : switch (machine) {
                case 62 -> "x86_64";
                case 183 -> "aarch64";
                default -> String.format(Locale.ROOT, "another machine (ELF number %d)", machine);
              };
      if (!wide) return new NativeFile("linux", arch, "", "");
      readHeaders();
      String libc = "";
      for (long name : needed) {
        String library = string((int) name);
        if (library.equals("libc.so.6")) libc = NativePlatform.GLIBC;
        if (library.equals("libc.so") || library.startsWith("libc.musl-"))
          libc = NativePlatform.MUSL;
      }
      return new NativeFile("linux", arch, libc, newest());
    }

    private void readHeaders() {
      int table = (int) bytes.getLong(32);
      int size = bytes.getShort(54) & 0xffff;
      int count = bytes.getShort(56) & 0xffff;
      int dynamic = -1;
      for (int at = table; at < table + size * count; at += size) {
        int type = bytes.getInt(at);
        if (type == PT_DYNAMIC) dynamic = (int) bytes.getLong(at + 8);
        if (type == PT_LOAD)
          loads.add(
              new long[] {bytes.getLong(at + 16), bytes.getLong(at + 8), bytes.getLong(at + 32)});
      }
      if (dynamic < 0) return;
      for (int at = dynamic; bytes.getLong(at) != 0; at += 16) {
        long tag = bytes.getLong(at);
        if (tag == DT_NEEDED) needed.add(bytes.getLong(at + 8));
        if (tag == DT_STRTAB) strings = offset(bytes.getLong(at + 8));
        if (tag == DT_VERNEED) versions = offset(bytes.getLong(at + 8));
      }
    }

    private int offset(long address) {
      for (long[] load : loads)
        if (address >= load[0] && address < load[0] + load[2])
          return (int) (address - load[0] + load[1]);
      throw new IndexOutOfBoundsException();
    }

    private String string(int index) {
      int end = strings + index;
      while (bytes.get(end) != 0) end++;
      byte[] text = new byte[end - strings - index];
      bytes.get(strings + index, text);
      return new String(text, StandardCharsets.US_ASCII);
    }

    /** Returns the newest {@code GLIBC_x.y} in the list of versions that it needs. */
    private String newest() {
      String newest = "";
      if (versions < 0) return newest;
      int left = MOST;
      for (int file = versions; ; file += bytes.getInt(file + 12)) {
        for (int at = file + bytes.getInt(file + 8); left-- > 0; at += bytes.getInt(at + 12)) {
          String name = string(bytes.getInt(at + 8));
          if (name.matches("GLIBC_[0-9.]+")) {
            String version = name.substring("GLIBC_".length());
            if (newest.isEmpty() || compare(version, newest) > 0) newest = version;
          }
          if (bytes.getInt(at + 12) == 0) break;
        }
        if (bytes.getInt(file + 12) == 0 || left <= 0) return newest;
      }
    }
  }
}
