package io.holdfast.names

import java.util.regex.Pattern

import org.scalatest.funsuite.AnyFunSuite

class GlobSpec extends AnyFunSuite {
  private def matches(glob: String, name: String): Boolean = new Glob(glob).matches(name)

  test("* is any text, ? one character, and all else is itself") {
    Seq("*" -> "", "*" -> "a\nb", "etl-*" -> "etl-", "*-*" -> "a-b-c", "a?c" -> "abc", "a?c" -> "a\uD83D\uDE00c")
      .foreach { case (glob, name) =>
        assert(matches(glob, name), s"$glob $name")
      }
    Seq("" -> "a", "?" -> "", "etl-*" -> "an etl-1", "a?c" -> "ac", "a.c" -> "abc", "A" -> "a", "*a?" -> "a").foreach {
      case (glob, name) => assert(!matches(glob, name), s"$glob $name")
    }
    assert(matches("", "") && matches("(a|b)\\*", "(a|b)\\c"))
  }

  test("all short globs match what the regular expression says that they stand for") {
    def texts(alphabet: String, longest: Int): Seq[String] =
      (0 to longest).flatMap(n => (1 to n).foldLeft(Seq(""))((some, _) => some.flatMap(s => alphabet.map(c => s + c))))
    val names = texts("ab", 5)
    texts("ab*?", 4).foreach { glob =>
      val regex = Pattern.compile(glob.replace("*", ".*").replace("?", "."), Pattern.DOTALL)
      val parsed = new Glob(glob)
      names.foreach(name => assert(parsed.matches(name) == regex.matcher(name).matches(), s"$glob $name"))
    }
  }

  test("a long text comes to an end") {
    val text = "a" * 1000000
    assert(!matches("*a*a*a*b*", text))
    assert(!matches("*a*a*a*b", text))
    assert(matches("*a*a*a*b*c", text + "b" + text + "c"))
  }

  test("globs match whole names literally") {
    assert(new Glob("a*c?").matches("abbcd") && !new Glob("a*c?").matches("abbc"))
    assert(new Glob("a.c").matches("a.c") && !new Glob("a.c").matches("abc"))
    assert(new Glob("*").matches("") && new Glob("*").matches("x\ny"))
  }
}
