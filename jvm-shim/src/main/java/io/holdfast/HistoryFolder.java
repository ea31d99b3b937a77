package io.holdfast;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.UnsupportedFileSystemException;

/**
 * A folder with one file per application: nobody writes another one's file, so applications that
 * run at once lose nothing of each other.
 */
final class HistoryFolder {
  static final String END = ".json";

  private static final int MOST_FILES = 1000;
  private static final long MOST_BYTES_OF_ONE = 4L << 20;
  private static final long MOST_BYTES = 64L << 20;

  private final String folder;
  private final Configuration hadoop;

  HistoryFolder(String folder, Configuration hadoop) {
    this.folder = folder;
    this.hadoop = hadoop;
  }

  /**
   * All entries of all files, of those for the same key the latest; none if there is no folder.
   *
   * @param skipped hears of a file's name and what of it cannot be read
   */
  Map<Remembered.Key, Remembered> read(BiConsumer<String, String> skipped) throws IOException {
    FileSystem files = files();
    Map<Remembered.Key, Remembered> latest = new HashMap<>();
    long bytes = 0;
    for (FileStatus file : newest(files)) {
      String name = file.getPath().getName();
      if (file.getLen() > MOST_BYTES_OF_ONE) {
        skipped.accept(name, "it is larger than 4 MiB");
        continue;
      }
      bytes += file.getLen();
      if (bytes > MOST_BYTES) break;
      for (Remembered entry : readFile(files, file.getPath(), what -> skipped.accept(name, what)))
        latest.merge(entry.key(), entry, (a, b) -> a.when() >= b.when() ? a : b);
    }
    return latest;
  }

  private List<FileStatus> newest(FileSystem files) throws IOException {
    FileStatus[] all;
    try {
      all = files.listStatus(new Path(folder));
    } catch (FileNotFoundException e) {
      return List.of();
    }
    return Arrays.stream(all)
        .filter(file -> file.isFile() && isEntry(file.getPath().getName()))
        .sorted(Comparator.comparing(file -> -file.getModificationTime()))
        .limit(MOST_FILES)
        .toList();
  }

  /** Hidden files are being written. */
  private static boolean isEntry(String name) {
    return name.endsWith(END) && !name.startsWith(".");
  }

  private static List<Remembered> readFile(FileSystem files, Path path, Consumer<String> skipped) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(files.open(path), UTF_8))) {
      return HistoryFile.read(lines, skipped);
    } catch (IOException e) {
      skipped.accept(e.toString()); // perhaps pruned meanwhile
      return List.of();
    }
  }

  /**
   * Writes the whole file beside its place and puts it there: a crash leaves the old or the new.
   */
  void write(String name, String text) throws IOException {
    FileSystem files = files();
    Path home = files.makeQualified(new Path(folder));
    Path place = new Path(home, name);
    Path beside = new Path(home, "." + name + ".tmp");
    files.mkdirs(home);
    try (FSDataOutputStream out = files.create(beside, true)) {
      out.write(text.getBytes(UTF_8));
    }
    replace(files, beside, place);
  }

  private void replace(FileSystem files, Path beside, Path place) throws IOException {
    if (!(files instanceof RawLocalFileSystem)) {
      try {
        FileContext context = FileContext.getFileContext(place.toUri(), hadoop);
        context.rename(beside, place, Options.Rename.OVERWRITE);
        return;
      } catch (UnsupportedFileSystemException e) {
        // Only the older interface knows this file system: a crash between the two costs this file.
        files.delete(place, false);
      }
    }
    if (!files.rename(beside, place)) throw new IOException(place + " cannot be replaced");
  }

  /** A local file gets no file of checksums, which no rename could replace together with it. */
  private FileSystem files() throws IOException {
    FileSystem files = new Path(folder).getFileSystem(hadoop);
    return files instanceof LocalFileSystem local ? local.getRawFileSystem() : files;
  }
}
