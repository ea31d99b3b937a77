package io.holdfast.integration.scenarios

import java.io.{ByteArrayOutputStream, PrintStream}

/** A driver on the Java that runs this suite, which `./gradlew javaVersionsTest` starts on several. */
class JavaVersionSpec extends Switching {
  private val Slots = 4
  private val feature = Runtime.version.feature
  private val denied = java.lang.Boolean.getBoolean("holdfast.native.denied")

  /** What `body` prints to standard error, where the banner goes, too. */
  private def printed(body: => Unit): String = {
    val (before, kept) = (System.err, new ByteArrayOutputStream)
    System.setErr(new PrintStream(kept, true))
    try body
    finally System.setErr(before)
    print(kept.toString)
    kept.toString
  }

  if (!denied) nightly(s"on Java $feature a hold is made and used, and the decision log replays") {
    val said = printed {
      val app = start(s"local[$Slots]", on, "spark.holdfast.pool.important.priority" -> "10")
      try {
        val (_, stolen) = new Chain(app, Slots).beside("important", "spark.scheduler.pool" -> "important")
        assert(stolen.isEmpty, "no slot is lost at a barrier")
        assert(made > 0 && holds.required("used").asLong > 0)
        assertNothingLeft()
      } finally app.sc.stop()
      assert(replay(app) == 1)
    }
    val banner = said.linesIterator.filter(_.contains(" is on: Spark ")).toList
    assert(banner.size == 1 && banner.head.endsWith("mode enforce, policy ssr, priorities: pool important 10"), said)
  }
  else
    nightly(s"on Java $feature, where native access is denied: stock, and one warning that names the flag") {
      val (_, warnings) = Warnings.during(withSpark("local[2]", on)(assertStock))
      assert(warnings.size == 1, warnings)
      assert(warnings.head.startsWith("Holdfast is off, Spark's own scheduling goes on: "), warnings)
      assert(warnings.head.contains("--enable-native-access=ALL-UNNAMED"), warnings)
    }
}
