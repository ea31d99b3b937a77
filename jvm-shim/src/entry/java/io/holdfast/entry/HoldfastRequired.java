package io.holdfast.entry;

/**
 * The user wants no Spark without Holdfast, and cannot have it. The one error that fails a start.
 */
public final class HoldfastRequired extends IllegalStateException {
  public static final String KEY = "spark.holdfast.required";
  private static final long serialVersionUID = 1;

  public HoldfastRequired(String why, Throwable cause) {
    super("Holdfast is required (" + KEY + "=true) and not available: " + why, cause);
  }
}
