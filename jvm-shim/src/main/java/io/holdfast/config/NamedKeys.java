// Generated from the tables of rust/schema: cargo run -p holdfast-schema -- write
package io.holdfast.config;

import java.util.List;

/** The keys with a part that the user chooses, in the order of the documentation. */
final class NamedKeys {
  private NamedKeys() {}

  static List<Keys.Key> all() {
    return List.of(
        Keys.named("group.<glob>.priority", Keys.Type.INTEGER, "0"),
        Keys.named("tag.<glob>.priority", Keys.Type.INTEGER, "0"),
        Keys.named("description.<glob>.priority", Keys.Type.INTEGER, "0"),
        Keys.named("session.<glob>.priority", Keys.Type.INTEGER, "0"),
        Keys.named("user.<glob>.priority", Keys.Type.INTEGER, "0"),
        Keys.named("pool.<pool>.priority", Keys.Type.INTEGER, "0"),
        Keys.named("group.<glob>.isolation", Keys.Type.FRACTION, ""),
        Keys.named("tag.<glob>.isolation", Keys.Type.FRACTION, ""),
        Keys.named("description.<glob>.isolation", Keys.Type.FRACTION, ""),
        Keys.named("session.<glob>.isolation", Keys.Type.FRACTION, ""),
        Keys.named("user.<glob>.isolation", Keys.Type.FRACTION, ""),
        Keys.named("pool.<pool>.isolation", Keys.Type.FRACTION, ""),
        Keys.named("session.<glob>.priority.max", Keys.Type.INTEGER, ""),
        Keys.named("user.<glob>.priority.max", Keys.Type.INTEGER, ""),
        Keys.named("user.<glob>.holds.max", Keys.Type.INTEGER, ""));
  }
}
