package io.holdfast.entry;

/** Names the master URLs that the plugin rewrites, so that Spark asks our cluster manager. */
public final class RewrittenMaster {
  public static final String KEY = "spark.master";
  public static final String PREFIX = "holdfast:";

  /** Whether Spark has asked for a scheduler since the master was rewritten. */
  public static volatile boolean asked;

  /** Marks our cluster manager among those that Spark finds. */
  public interface Manager {}

  private RewrittenMaster() {}
}
