package io.holdfast.integration.run

import java.nio.file.{Files, Path}
import java.nio.file.attribute.PosixFilePermissions

import io.holdfast.integration.report.Held
import org.scalatest.funsuite.AnyFunSuite

/** The program `holdfast` is asked about logs; here a script says what it would. */
class CliSpec extends AnyFunSuite {
  private val folder = Files.createTempDirectory("holdfast-cli")
  private val events = Files.createDirectories(folder.resolve("events"))
  private val decisions = Files.createDirectories(folder.resolve("holdfast"))
  Files.createDirectories(events.resolve("eventlog_v2_app-1"))
  Files.createFile(decisions.resolve("app-1.hflog"))

  private def program(body: String): Path = {
    val script = Files.writeString(Files.createTempFile(folder, "holdfast", ""), s"#!/bin/sh\n$body\n")
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"))
  }

  private def asked(program: Path, application: String = "app-1") = new Cli(program, events, decisions).of(application)

  test("both commands are asked, of the logs of that application") {
    val answers = program(
      s"""case "$$*" in
         |"whatif $events/eventlog_v2_app-1 --by execution --simulate 0 --json") echo '{"applications": [{"runs": []}]}' ;;
         |"explain $decisions/app-1.hflog --json") echo '{"holds": [{"left_by_stage": 1, "used_by_stage": 2, "end": "used"}]}' ;;
         |*) echo "not $$*" >&2; exit 2 ;;
         |esac""".stripMargin
    )
    assert(asked(answers).map(_.holds) == Right(Seq(Held(Some(1), Some(2), "used"))))
  }

  test("what goes wrong is a line") {
    assert(asked(program("true"), "app-2") == Left("app-2 has no log in events"))
    assert(asked(program("echo one >&2; echo two >&2; exit 3")) == Left("holdfast whatif failed: two"))
    assert(asked(folder.resolve("no-program")).left.toOption.exists(_.startsWith("holdfast whatif failed: ")))
    assert(asked(program("echo '{}'")).left.toOption.exists(_.startsWith("holdfast said what is not understood")))
  }
}
