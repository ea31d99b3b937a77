package io.holdfast;

import io.holdfast.approximate.Bound;
import io.holdfast.config.Keys;
import java.io.IOException;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;

/** The scope API as a Java program calls it: with lambdas, which may throw what is checked. */
final class JavaProgram {
  private JavaProgram() {}

  /** The workflow, priority, isolation and parallelism that each of the scopes sets. */
  static List<List<String>> scopes(JavaSparkContext sc) {
    return List.of(
        Holdfast.inWorkflow("a", () -> properties(sc)),
        Holdfast.inWorkflow("b", 10, () -> properties(sc)),
        Holdfast.inWorkflow("c", 10, 0.5, () -> properties(sc)),
        Holdfast.inWorkflow("d", 10, 0.5, 64, () -> properties(sc)),
        Holdfast.inWorkflow("e", null, Bound.error(0.5), () -> properties(sc)));
  }

  static void fail() {
    Holdfast.inWorkflow(
        "failing",
        5,
        () -> {
          throw new IOException("checked");
        });
  }

  private static List<String> properties(JavaSparkContext sc) {
    return List.of(
        String.valueOf(sc.getLocalProperty(Keys.LOCAL_WORKFLOW)),
        String.valueOf(sc.getLocalProperty(Keys.LOCAL_PRIORITY)),
        String.valueOf(sc.getLocalProperty(Keys.LOCAL_ISOLATION)),
        String.valueOf(sc.getLocalProperty(Keys.LOCAL_PARALLELISM)));
  }
}
