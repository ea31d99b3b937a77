package io.holdfast.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.files.OwnFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * A folder with one file per application: nobody writes another one's file, so applications that
 * run at once lose nothing of each other.
 */
final class HistoryFolder {
  static final String END = ".json";

  static final int MOST_FILES = 1000;
  static final int MOST_BYTES_OF_ONE = 4 << 20;
  static final long MOST_BYTES = 16L << 20;

  /** As {@link History} names them: others' files are never removed. */
  private static final Pattern OURS = Pattern.compile("[A-Za-z0-9_-]+-[0-9a-f]{8}\\.json");

  private static final FsPermission OWNERS = new FsPermission((short) 0600);

  private final String folder;
  private final Configuration hadoop;

  HistoryFolder(String folder, Configuration hadoop) {
    this.folder = folder;
    this.hadoop = hadoop;
  }

  /**
   * What earlier applications left.
   *
   * @param samples the oldest first, as far as files tell that
   */
  record Past(Map<Remembered.Key, Remembered> workflows, List<Sample> samples) {}

  /**
   * All entries of all files, of those for the same key the latest; none if there is no folder. Of
   * samples the newest.
   *
   * @param skipped hears of a file's name and what of it cannot be read
   */
  Past read(BiConsumer<String, String> skipped) throws IOException {
    FileSystem files = files();
    Map<Remembered.Key, Remembered> latest = new HashMap<>();
    Deque<List<Sample>> samples = new ArrayDeque<>();
    List<FileStatus> newest = newestFirst(files);
    long bytes = 0;
    for (FileStatus file : newest.subList(0, Math.min(newest.size(), MOST_FILES))) {
      String name = file.getPath().getName();
      byte[] text = text(files, file.getPath(), what -> skipped.accept(name, what));
      bytes += text.length;
      if (bytes > MOST_BYTES) {
        skipped.accept(name, "with all older ones, since newer ones have 16 MiB already");
        break;
      }
      HistoryFile.Content found = HistoryFile.read(text, what -> skipped.accept(name, what));
      for (Remembered entry : found.workflows())
        latest.merge(entry.key(), entry, (a, b) -> a.when() >= b.when() ? a : b);
      samples.addFirst(found.samples());
    }
    List<Sample> all = samples.stream().flatMap(List::stream).toList();
    int old = Math.max(0, all.size() - Sample.MOST);
    return new Past(latest, List.copyOf(all.subList(old, all.size())));
  }

  /** Removes files that are too old to be read: in a folder that each application adds one to. */
  void prune() throws IOException {
    FileSystem files = files();
    List<FileStatus> newest = newestFirst(files);
    for (int i = MOST_FILES; i < newest.size(); i++) {
      Path file = newest.get(i).getPath();
      // Another application may remove it at the same time.
      if (OURS.matcher(file.getName()).matches()) files.delete(file, false);
    }
  }

  private List<FileStatus> newestFirst(FileSystem files) throws IOException {
    FileStatus[] all;
    try {
      all = files.listStatus(new Path(folder));
    } catch (FileNotFoundException e) {
      return List.of();
    }
    return Arrays.stream(all)
        .filter(file -> file.isFile() && isEntry(file.getPath().getName()))
        .filter(file -> !(files instanceof RawLocalFileSystem local) || isRegular(local, file))
        .sorted(Comparator.comparing(file -> -file.getModificationTime()))
        .toList();
  }

  /** Hidden files are being written. */
  private static boolean isEntry(String name) {
    return name.endsWith(END) && !name.startsWith(".");
  }

  /** Hadoop takes a pipe for a file, and opening one may take for ever. */
  private static boolean isRegular(RawLocalFileSystem files, FileStatus file) {
    return Files.isRegularFile(
        files.pathToFile(file.getPath()).toPath(), LinkOption.NOFOLLOW_LINKS);
  }

  /** What is in a file, whatever its status says of its length; empty if it cannot be taken. */
  private static byte[] text(FileSystem files, Path path, Consumer<String> skipped) {
    try (InputStream in = files.open(path)) {
      byte[] text = in.readNBytes(MOST_BYTES_OF_ONE + 1);
      if (text.length <= MOST_BYTES_OF_ONE) return text;
      skipped.accept("it is larger than 4 MiB");
    } catch (IOException e) {
      skipped.accept(e.toString()); // perhaps pruned meanwhile
    }
    return new byte[0];
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
    try (OutputStream out = create(files, beside)) {
      out.write(text.getBytes(UTF_8));
    }
    replace(files, beside, place);
  }

  /** Only its owner may read it; on this machine never what is there already, as a link may be. */
  private static OutputStream create(FileSystem files, Path path) throws IOException {
    if (files instanceof RawLocalFileSystem local) {
      java.nio.file.Path here = local.pathToFile(path).toPath();
      Files.deleteIfExists(here);
      return Channels.newOutputStream(OwnFiles.create(here));
    }
    int buffer = 1 << 12;
    short copies = files.getDefaultReplication(path);
    return files.create(path, OWNERS, true, buffer, copies, files.getDefaultBlockSize(path), null);
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
