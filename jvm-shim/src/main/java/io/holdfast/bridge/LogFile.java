package io.holdfast.bridge;

import io.holdfast.config.Settings;
import io.holdfast.files.OwnFiles;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The files of a decision log: always new ones, which only their owner may read. The log is cut
 * between blocks into {@code x.hflog}, {@code x.hflog.2} and so on, which joined are the log.
 */
public final class LogFile implements DecisionLog.Sink {
  /** More logs of one application in one folder are no accident. */
  private static final int MOST_OF_A_NAME = 10_000;

  private final Path first;
  private final long mostBytes;
  private final int mostParts;
  private FileChannel channel;
  private long bytes;
  private int part = 1;

  private LogFile(Path first, long mostBytes, int mostParts) throws IOException {
    this.first = first;
    this.mostBytes = mostBytes;
    this.mostParts = mostParts;
    channel = OwnFiles.create(first);
  }

  /** Opens the files that the settings ask for; null where none is. */
  public static DecisionLog.Opening of(Settings settings, String applicationId) {
    File folder = settings.logDir();
    long bytes = settings.logMaxBytes();
    int parts = settings.logMaxParts();
    return folder == null ? null : () -> create(folder, applicationId, bytes, parts);
  }

  /**
   * Makes the folder where it is missing, and the first of {@code <id>.hflog}, {@code <id>.2.hflog}
   * and so on that does not exist. Ids repeat: {@code local-...}, and the attempts of one
   * application on YARN.
   */
  public static LogFile create(File folder, String applicationId, long mostBytes, int mostParts)
      throws IOException {
    Path in = folder.toPath();
    Files.createDirectories(in);
    String name = applicationId.replaceAll("[^A-Za-z0-9._-]", "_");
    for (int i = 1; i <= MOST_OF_A_NAME; i++) {
      Path first = in.resolve(name + (i == 1 ? "" : "." + i) + ".hflog");
      // Parts of a log whose first one was removed must not follow this one.
      if (Files.exists(part(first, 2), LinkOption.NOFOLLOW_LINKS)) continue;
      try {
        return new LogFile(first, mostBytes, mostParts);
      } catch (FileAlreadyExistsException e) {
        // Whatever it is, a link or a pipe included, it is not ours.
      }
    }
    throw new IOException("there are " + MOST_OF_A_NAME + " logs of " + name + " in " + in);
  }

  private static Path part(Path first, int number) {
    return first.resolveSibling(first.getFileName() + "." + number);
  }

  @Override
  public boolean write(byte[] block) throws IOException {
    if (bytes > 0 && bytes + block.length > mostBytes && part < mostParts) {
      channel.close();
      channel = OwnFiles.create(part(first, ++part));
      bytes = 0;
    }
    append(block);
    bytes += block.length;
    return part < mostParts || bytes < mostBytes;
  }

  private void append(byte[] block) throws IOException {
    long whole = channel.position();
    try {
      for (ByteBuffer rest = ByteBuffer.wrap(block); rest.hasRemaining(); ) channel.write(rest);
    } catch (IOException e) {
      // Half a block would be damage: what is before it is a log.
      try {
        channel.truncate(whole);
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
