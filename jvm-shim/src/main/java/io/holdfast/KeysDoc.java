package io.holdfast;

/** Prints docs/reference/configuration.md from the table of keys. */
public final class KeysDoc {
  private KeysDoc() {}

  /** Prints the page to standard output; takes no arguments. */
  public static void main(String[] args) {
    System.out.print(page());
  }

  static String page() {
    StringBuilder out = new StringBuilder();
    out.append("# Configuration\n\n");
    out.append(
        "<!-- Generated from the table of keys (io.holdfast.Keys): change it there. -->\n\n");
    out.append(
        "An unknown key or a malformed value is named in one warning, with the nearest valid key,"
            + " and\n");
    out.append(
        "Spark's own scheduling goes on; with `spark.holdfast.required=true` the application fails"
            + " instead.\n\n");
    out.append("## Keys of the application\n\n");
    out.append("Set them with `--conf`, in `spark-defaults.conf` or in a session builder.\n\n");
    table(out, Keys.Place.CONF);
    out.append("\n## Local properties\n\n");
    out.append(
        "Set them with `sc.setLocalProperty(name, value)` in the thread that submits jobs, or"
            + " use\n");
    out.append(
        "`Holdfast.workflow(name, priority) { ... }`. Each has an alias that begins with `spark.`");
    out.append(
        ",\nwhich SQL sessions set with `SET`; `spark.holdfast.client.properties` says whether it"
            + " counts.\n\n");
    table(out, Keys.Place.LOCAL_PROPERTY);
    return out.toString();
  }

  private static void table(StringBuilder out, Keys.Place place) {
    out.append("| key | values | default | meaning | since |\n|---|---|---|---|---|\n");
    for (Keys.Key key : Keys.all()) {
      if (key.place() != place || key.internal()) continue;
      String initial = key.defaultValue().isEmpty() ? "unset" : "`" + key.defaultValue() + "`";
      out.append("| `").append(key.name()).append("` | ");
      out.append(key.values().replace("|", "\\|")).append(" | ").append(initial).append(" | ");
      out.append(key.doc()).append(" | ").append(key.since()).append(" |\n");
    }
  }
}
