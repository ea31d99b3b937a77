package io.holdfast.session

import java.io.{ByteArrayOutputStream, PrintStream}
import java.nio.charset.StandardCharsets.UTF_8
import java.util.Properties

import scala.jdk.CollectionConverters._
import scala.util.Random

import io.holdfast.bridge.{NativeEngine, NativeLoader}
import io.holdfast.config.Settings
import io.holdfast.history.History
import io.holdfast.identity.Identity
import io.holdfast.notice.{Heard, Notices, Plain}
import io.holdfast.report.{Accounts, Report}
import org.scalatest.funsuite.AnyFunSuite

/** What tenants choose does nothing to whoever reads it. */
class PlainSpec extends AnyFunSuite {
  private val dice = new Random(42)

  /** Line ends, a terminal's commands, what turns text round or hides it, half a character; and what is harmless. */
  private val alphabet = Seq(
    "\n",
    "\r\n",
    "\t",
    "\u0000",
    "\u001b[31m",
    "\u001b]0;x\u0007",
    "\u007f",
    "\u009b2J",
    "\u2028",
    "\u2029",
    "\u202e",
    "\u2066",
    "\u200b",
    "\u200f",
    "\ufeff",
    0xd800.toChar.toString,
    "\\",
    "\\u000a",
    "\"",
    "{",
    "|",
    "a",
    "b-1",
    " ",
    "\u00e9",
    "\u65e5",
    "\ud83d\ude00"
  )

  private def text(): String = {
    val length = if (dice.nextInt(20) == 0) 5000 else dice.nextInt(8)
    // Spark and we trim names: the ends are harmless, so that a name stays what it is.
    "x" + Seq.fill(length)(alphabet(dice.nextInt(alphabet.size))).mkString + "y"
  }

  private val bad: Set[Int] = {
    import Character._
    Set(CONTROL, FORMAT, LINE_SEPARATOR, PARAGRAPH_SEPARATOR, SURROGATE).map(_.toInt)
  }

  private def harmless(shown: String, most: Int): Unit = {
    shown.codePoints.forEach { c =>
      assert(!bad(Character.getType(c)), s"U+${c.toHexString} of $shown")
    }
    assert(shown.codePointCount(0, shown.length) <= most)
    ()
  }

  test("harmless names stay as they are, others are shown") {
    val names = Seq("group:etl-1", "caf\u00e9 \u65e5\u672c \ud83d\ude00", "C:\\data")
    names.foreach(name => assert(Plain.name(name) == name))
    assert(Plain.name("a\nb\u001b[31m\u202e") == "a\\u000ab\\u001b[31m\\u202e")
    assert(Plain.line("a\nb") == "a\\u000ab" && Plain.line("a\\u000ab") == "a\\u000ab")
  }

  test("different names are shown differently, also where they are cut") {
    val alike = Seq("x" * 1000 + "1", "x" * 1000 + "2", "a\n", "a\\u000a", "a\\u005cu000a")
    val names = Seq.fill(5000)(text()).distinct ++ alike
    val shown = names.map(Plain.name)
    assert(shown.distinct.size == names.size)
    shown.foreach(harmless(_, Plain.MOST))
    shown.foreach(name => assert(Plain.line(name) == name, "a message shows a name as it is shown elsewhere"))
  }

  test("no sink gets anything else: log, console, warnings, accounts, metrics, status") {
    NativeLoader.load(null) // the status names its version
    (1 to 200).foreach { i =>
      val (user, group, priority) = (text(), text(), text())
      val properties = new Properties
      properties.setProperty("kyuubi.session.user", user)
      properties.setProperty("spark.jobGroup.id", group)
      properties.setProperty("spark.holdfast.priority", priority)
      var named = Seq.empty[String]
      val settings = Settings.parse(Map.empty[String, String].asJava)
      val jobs = new Jobs((_, _, _, _, _, _, _) => (), (_, _, name) => named :+= name, History.of(settings, null))
      val console = new ByteArrayOutputStream
      val said = Heard.during {
        val workflow = jobs.submit(i, Identity.of(properties, i, settings), properties, true).workflow
        assert(named.size == 3, "workflow, user and claim")
        named.foreach(harmless(_, Plain.MOST))
        val counts =
          Seq("made", "used", "expired", "overridden", "dropped", "barriers", "kept", "promised", "unforeseen")
        val times = Seq("idle_ns", "busy_ns", "bound_ns", "barrier_idle_ns")
        val json = (counts ++ times).map(name => s""""$name":1""").mkString("""[{"workflow":0,""", ",", "}]")
        val accounts = Accounts.read(json.getBytes(UTF_8), _ => workflow.shown)
        accounts.lines.asScala.foreach(harmless(_, Plain.MOST_OF_LINE))
        accounts.sums.keySet.asScala.foreach(name => assert(name.matches("[A-Za-z0-9_.-]{1,300}"), name))
        val status =
          new Report(settings, "x").status(new Array[Long](NativeEngine.TOTALS), 0, text(), accounts, Array(0, 0))
        harmless(status, 50000)
        harmless(Report.off(text()), 50000)
        val before = System.err
        System.setErr(new PrintStream(console, true, UTF_8))
        try {
          Notices.show(text())
          Notices.warn(text(), null)
          Notices.warnOnce(Notices.About.SELF, text())
          Notices.passOn(s"WARN ${text()}")
        } finally System.setErr(before)
      }
      said.foreach(harmless(_, Plain.MOST_OF_LINE + 100))
      console.toString(UTF_8).linesIterator.foreach(harmless(_, Plain.MOST_OF_LINE))
      assert(console.toString(UTF_8).linesIterator.size <= 1)
    }
  }
}
