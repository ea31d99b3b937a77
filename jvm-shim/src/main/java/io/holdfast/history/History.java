package io.holdfast.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.config.Keys;
import io.holdfast.config.Settings;
import io.holdfast.notice.Notices;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * What workflows repeated in earlier applications, and what they repeat in this one, for the next.
 * A thread of its own reads and writes: nobody who schedules waits for a file system, and a
 * workflow that begins before everything is read has no history.
 */
public final class History {
  /** Workflows in one application's file; those that ran last stay. */
  static final int MOST_WORKFLOWS = 256;

  private static final int LONGEST_NAME = 1000;
  private static final long WRITE_EVERY_MILLIS = 30_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Says what this application has learned. */
  public interface Source {
    Learned learned();
  }

  /**
   * What an application has learned, as the engine's JSON; null where that is not known any more.
   *
   * @param patterns what its workflows repeat
   * @param samples of its bounded jobs, and of those that it was told
   */
  public record Learned(byte[] patterns, byte[] samples) {
    public static final Learned NOTHING = new Learned(null, null);
  }

  /** A workflow of this application that may come back in another one. */
  public static final class Seen {
    private final Remembered.Key key;
    volatile long when;
    private volatile int runs;

    private Seen(Remembered.Key key) {
      this.key = key;
    }

    /** Another run of it begins. Callers hold the session's lock. */
    public void begins() {
      runs++;
    }

    /** A task set of it begins. */
    public void runs() {
      when = System.currentTimeMillis();
    }
  }

  private final String value;
  private final HistoryFolder folder;
  private final Consumer<String> warn;
  final Map<Integer, Seen> seen = new ConcurrentHashMap<>();
  private volatile HistoryFolder.Past past = new HistoryFolder.Past(Map.of(), List.of());
  private volatile List<Sample> told = List.of();
  private WeakReference<Source> source;
  private String file;
  private String application;
  private Thread thread;
  private boolean closing;
  private Learned last;

  // Only the thread's.
  private final Map<Remembered.Key, Remembered> learned = new LinkedHashMap<>();
  private List<Sample> samples = List.of();
  private boolean warned;

  /**
   * @param value of the key, or null: nothing is remembered
   * @param warn says something to people
   */
  History(String value, Configuration hadoop, Consumer<String> warn) {
    this.value = value;
    this.warn = warn;
    folder = value == null ? null : new HistoryFolder(value, hadoop);
  }

  /** As configured; nothing is read before {@link #start}. */
  public static History of(Settings settings, Configuration hadoop) {
    return new History(settings.historyDir(), hadoop, line -> Notices.warn(line, null));
  }

  /**
   * Begins to read.
   *
   * @param source not kept alive from here
   */
  public void start(String applicationId, Source source) {
    if (folder == null) return;
    this.source = new WeakReference<>(source);
    application = applicationId;
    // Local masters give two applications of the same millisecond the same id.
    String unique = UUID.randomUUID().toString().substring(0, 8);
    file = applicationId.replaceAll("[^A-Za-z0-9_-]", "_") + "-" + unique + HistoryFolder.END;
    thread = new Thread(this::run, "holdfast-history");
    thread.setDaemon(true);
    thread.start();
  }

  /** How many workflows are known from earlier applications; 0 before they are read. */
  public int known() {
    return past.workflows().size();
  }

  /** How many samples of bounded jobs the engine has been told. */
  public int toldSamples() {
    return told.size();
  }

  /**
   * Returns, once they are read and only once, samples of earlier applications, to be told to the
   * engine: the oldest first. Callers hold the session's lock.
   */
  public List<Sample> recallSamples() {
    if (!told.isEmpty()) return List.of();
    told = past.samples();
    return told;
  }

  /**
   * A workflow begins that may come back.
   *
   * @param workflow its id
   * @param plan of its first job
   * @return null if nothing is remembered
   */
  public Seen begins(int workflow, String name, int[] plan) {
    if (folder == null || name.length() > LONGEST_NAME) return null;
    Seen begun = new Seen(new Remembered.Key(name, Remembered.shape(plan)));
    begun.begins();
    begun.runs();
    seen.put(workflow, begun);
    return begun;
  }

  /**
   * A workflow comes back.
   *
   * @return whether it has to be recalled again, for the engine had forgotten it
   */
  public boolean continues(int workflow, Seen known) {
    known.runs();
    return seen.putIfAbsent(workflow, known) == null;
  }

  /** What it repeated in earlier applications; empty when that is not known. */
  public List<Remembered.Step> recall(Seen begun) {
    Remembered known = past.workflows().get(begun.key);
    return known == null ? List.of() : known.steps();
  }

  /**
   * Writes for the last time, and waits for that a little.
   *
   * @param learned up to the end
   * @param patienceMillis how long the end of the application waits for the file
   */
  public void close(Learned learned, long patienceMillis) {
    if (thread == null) return;
    synchronized (this) {
      last = learned;
      closing = true;
      notifyAll();
    }
    try {
      thread.join(patienceMillis);
      if (thread.isAlive())
        warn.accept(
            setting()
                + " takes longer than "
                + patienceMillis
                + " ms: this run may not be remembered");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    attempt("read", this::read);
    attempt("pruned", folder::prune);
    try {
      while (true) {
        boolean over = awaitTurn();
        Source current = source.get();
        // A source that nobody closed must not be kept alive from here.
        if (!over && current == null) return;
        Learned now = over ? last : current.learned();
        attempt("written", () -> write(now, over));
        if (over) return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean awaitTurn() throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WRITE_EVERY_MILLIS);
    while (!closing) {
      long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (left <= 0) break;
      wait(left);
    }
    return closing;
  }

  private interface Access {
    void run() throws IOException;
  }

  /** A file system that fails is named once; the application goes on without it. */
  private void attempt(String what, Access access) {
    try {
      access.run();
    } catch (Throwable e) {
      if (!warned)
        warn.accept(
            setting()
                + " cannot be "
                + what
                + " ("
                + e
                + "): Holdfast goes on without it; name a folder that the driver can read and"
                + " write, or unset the key");
      warned = true;
    }
  }

  private String setting() {
    return Keys.HISTORY_DIR.name() + "=" + value;
  }

  private void read() throws IOException {
    List<String> skipped = new ArrayList<>();
    past = folder.read((name, what) -> skipped.add(name + ": " + what));
    if (skipped.isEmpty()) return;
    String others = skipped.size() > 1 ? " and " + (skipped.size() - 1) + " more" : "";
    warn.accept(
        setting()
            + " has entries that are skipped ("
            + skipped.get(0)
            + others
            + "): nothing is lost but these; remove the file to be rid of this notice");
  }

  private void write(Learned now, boolean over) throws IOException {
    boolean news = now.patterns != null && !seen.isEmpty() && learn(now.patterns);
    news |= now.samples != null && learnSamples(now.samples);
    // What is new only in its times waits for the end.
    if (!news && (!over || learned.isEmpty())) return;
    folder.write(file, HistoryFile.write(application, learned.values(), samples));
  }

  /**
   * Keeps this application's own samples: those that it was told are in the files of others.
   *
   * @return whether there are others than before
   */
  private boolean learnSamples(byte[] json) throws IOException {
    List<Sample> own = Sample.without(Sample.all(JSON.readTree(json)), told);
    boolean news = !own.equals(samples);
    samples = own;
    return news;
  }

  /**
   * @return whether some workflow repeats something else than was known
   */
  boolean learn(byte[] patterns) throws IOException {
    Map<Remembered.Key, Remembered> before = new HashMap<>(learned);
    Set<Integer> told = new HashSet<>();
    for (JsonNode row : JSON.readTree(patterns)) {
      told.add(row.path("workflow").asInt());
      Seen of = seen.get(row.path("workflow").asInt());
      List<Remembered.Step> steps = of == null ? null : HistoryFile.latest(row.path("steps"));
      if (steps == null || steps.isEmpty()) continue;
      Remembered now = new Remembered(of.key, of.when, of.runs, steps);
      learned.merge(of.key, now, (a, b) -> a.when() > b.when() ? a : b);
    }
    while (learned.size() > MOST_WORKFLOWS) forgetOldest();
    // What the engine has forgotten teaches nothing more, unless it comes back.
    long old = System.currentTimeMillis() - WRITE_EVERY_MILLIS;
    seen.entrySet().removeIf(each -> each.getValue().when < old && !told.contains(each.getKey()));
    return learned.values().stream().anyMatch(now -> !now.sameStages(before.get(now.key())));
  }

  private void forgetOldest() {
    Remembered oldest = null;
    for (Remembered each : learned.values())
      if (oldest == null || each.when() < oldest.when()) oldest = each;
    learned.remove(oldest.key());
  }
}
