package io.holdfast.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files and folders that only the driver's user may read and write. */
public final class OwnFiles {
  private OwnFiles() {}

  /**
   * Creates a file with mode 0600 and opens it for writing. Never opens what is there already, a
   * symbolic link or a pipe included.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is something of this name
   */
  public static FileChannel create(Path file) throws IOException {
    Set<StandardOpenOption> anew = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    return FileChannel.open(file, anew, mode(file, "rw-------"));
  }

  /** Creates a folder with mode 0700, which must not be there yet. */
  public static Path createFolder(Path folder) throws IOException {
    return Files.createDirectory(folder, mode(folder, "rwx------"));
  }

  /** Where files have no modes, the folder's rights count. */
  private static FileAttribute<?>[] mode(Path of, String mode) {
    if (!of.getFileSystem().supportedFileAttributeViews().contains("posix"))
      return new FileAttribute<?>[0];
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
    };
  }
}
