package io.holdfast.integration.smoke;

import io.holdfast.Holdfast;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import scala.Tuple2;

/**
 * An important chain of stages beside a crowd, on whatever Spark is on the class path: were slots
 * held and used, and did the crowd get none in between? Ends with 1 if not. Java, so that the same
 * class files run on every Spark line and Scala version. Arguments: the master, how many slots it
 * has, an empty folder, which must have the decision log in the end.
 */
public final class Smoke {
  private static final String POOL = "spark.scheduler.pool";
  private static final int STAGES = 4;

  private Smoke() {}

  /** Tasks in the order in which they were launched; true for the important ones. */
  private static final class Launches extends SparkListener {
    private final List<Integer> important = new ArrayList<>();
    private final List<Boolean> launched = new ArrayList<>();

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted event) {
      if ("important".equals(event.properties().getProperty(POOL)))
        important.add(event.stageInfo().stageId());
    }

    @Override
    public synchronized void onTaskStart(SparkListenerTaskStart event) {
      launched.add(important.contains(event.stageId()));
    }

    /**
     * How many of the crowd's were launched after the first stage and before the last one's end.
     */
    synchronized long stolen(int slots) {
      int[] own = IntStream.range(0, launched.size()).filter(launched::get).toArray();
      if (own.length < STAGES * slots) throw new AssertionError(own.length + " important tasks");
      return IntStream.range(own[slots - 1], own[own.length - 1])
          .filter(i -> !launched.get(i))
          .count();
    }

    synchronized int count(boolean ofImportant) {
      return (int) launched.stream().filter(i -> i == ofImportant).count();
    }
  }

  public static void main(String[] arguments) throws Exception {
    int slots = Integer.parseInt(arguments[1]);
    Path folder = Path.of(arguments[2]);
    SparkConf conf =
        new SparkConf()
            .setAppName("smoke")
            .setMaster(arguments[0])
            .set("spark.ui.enabled", "false")
            .set("spark.plugins", "io.holdfast.HoldfastPlugin")
            .set("spark.holdfast.required", "true")
            .set("spark.holdfast.pool.important.priority", "10")
            .set("spark.holdfast.log.dir", folder.toString());
    Launches launches = new Launches();
    String status;
    JavaSparkContext sc = new JavaSparkContext(conf);
    try {
      sc.sc().addSparkListener(launches);
      run(sc, slots, folder, launches);
      status = Holdfast.status();
    } finally {
      sc.stop(); // empties the listeners' queue
    }
    long stolen = launches.stolen(slots);
    int made = number(status, "made");
    int used = number(status, "used");
    System.out.printf(
        "%d slots held, %d of them used, %d stolen beside %d tasks of the crowd%n",
        made, used, stolen, launches.count(false));
    if (made == 0 || used == 0 || stolen > 0) System.exit(1);
  }

  /** The first stage ends when the crowd waits for its slots. */
  private static void run(JavaSparkContext sc, int slots, Path folder, Launches launches)
      throws Exception {
    String gate = folder.resolve("gate").toString();
    Thread important = program(sc, "important", () -> chain(sc, slots, gate));
    await(() -> launches.count(true) >= slots);
    List<Thread> crowd = new ArrayList<>();
    for (int i = 0; i < 2; i++) crowd.add(program(sc, "crowd", () -> sleepers(sc, 3 * slots)));
    await(() -> sc.statusTracker().getActiveJobIds().length >= 3);
    Files.createFile(Path.of(gate));
    important.join();
    for (Thread each : crowd) each.join();
  }

  private static Thread program(JavaSparkContext sc, String pool, Runnable work) {
    Thread thread =
        new Thread(
            () -> {
              sc.setLocalProperty(POOL, pool);
              work.run();
            });
    thread.setUncaughtExceptionHandler(
        (t, e) -> {
          e.printStackTrace();
          System.exit(1);
        });
    thread.start();
    return thread;
  }

  private static void chain(JavaSparkContext sc, int slots, String gate) {
    JavaPairRDD<Integer, Integer> stage =
        sc.parallelize(IntStream.range(0, slots).boxed().toList(), slots)
            .mapToPair(
                i -> {
                  while (!Files.exists(Path.of(gate))) Thread.sleep(10);
                  return new Tuple2<>(i, i);
                });
    for (int i = 1; i < STAGES; i++)
      stage =
          stage
              .groupByKey(slots)
              .mapToPair(
                  pair -> {
                    Thread.sleep(100L + 50 * pair._1());
                    return new Tuple2<>(pair._1(), pair._1());
                  });
    if (stage.count() != slots) throw new AssertionError("rows are missing");
  }

  private static void sleepers(JavaSparkContext sc, int tasks) {
    sc.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
        .foreach(i -> Thread.sleep(300));
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition) throws InterruptedException {
    for (int i = 0; i < 6000 && !condition.holds(); i++) Thread.sleep(10);
    if (!condition.holds()) throw new AssertionError("nothing happens for a minute");
  }

  /** Of the status, which is JSON, without a library of any Spark line. */
  private static int number(String json, String field) {
    String start = "\"" + field + "\":";
    int at = json.indexOf(start);
    if (at < 0) throw new AssertionError(field + " is not in " + json);
    return Integer.parseInt(json.substring(at + start.length()).split("[^0-9]")[0]);
  }
}
