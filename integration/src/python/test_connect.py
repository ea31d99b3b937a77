"""Priorities of Spark Connect's users, sessions and tags on a real server; arguments: the jar and the CLI."""

import os
import subprocess
import sys
import tempfile
import unittest

JAR, CLI = sys.argv.pop(1), sys.argv.pop(1)
LOGS = tempfile.TemporaryDirectory()
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, JAR)

import holdfast  # noqa: E402
from pyspark import SparkConf, SparkContext  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

PORT = 15099
SESSION = "00000000-0000-4000-8000-0000000000%02d"


class ConnectTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        conf = SparkConf().setMaster("local[4]").setAppName("connect")
        conf.set("spark.jars", JAR).set("spark.ui.enabled", "false").set("spark.log.level", "OFF")
        conf.set("spark.plugins", "org.apache.spark.sql.connect.SparkConnectPlugin,io.holdfast.HoldfastPlugin")
        conf.set("spark.connect.grpc.binding.port", str(PORT))
        conf.set("spark.sql.shuffle.partitions", "4").set("spark.sql.adaptive.enabled", "false")
        conf.set("spark.holdfast.log.dir", LOGS.name)
        conf.set("spark.holdfast.user.alice.priority", "5").set("spark.holdfast.user.dora.priority", "5")
        conf.set("spark.holdfast.tag.urgent-*.priority", "7")
        conf.set("spark.holdfast.pool.free.priority", "8").set("spark.holdfast.user.mallory.priority.max", "0")
        conf.set("spark.holdfast.session." + SESSION % 3 + ".priority", "6")
        cls.sc = SparkContext(conf=conf)
        SparkSession.builder.getOrCreate()  # the server's own, of which clients' sessions are made

    @classmethod
    def tearDownClass(cls):
        cls.sc.stop()

    def query(self, user, session, tag="", *settings):
        """Runs a client; the workflows that have held slots since, with their accounts."""
        before = {w["workflow"]: w["made"] for w in holdfast.status()["workflows"]}
        remote = f"sc://localhost:{PORT}/;user_id={user};session_id={SESSION % session}"
        client = [sys.executable, os.path.join(HERE, "connect_client.py"), remote, tag, *settings]
        clean = {k: v for k, v in os.environ.items() if k not in ("PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET")}
        clean["PYTHONPATH"] = JAR
        said = subprocess.run(client, env=clean, capture_output=True, text=True, timeout=120)
        self.assertEqual((said.returncode, said.stdout.strip()), (0, "4000"), said.stderr)
        return [w for w in holdfast.status()["workflows"] if w["made"] > before.get(w["workflow"], 0)]

    def test_a_user_with_a_priority_holds_slots(self):
        self.assertNotEqual(self.query("alice", 1), [])

    def test_what_was_held_is_charged_to_the_user(self):
        def made():
            return {u["user"]: u["made"] for u in holdfast.status().get("users", [])}

        def of_workflows():
            return sum(w["made"] for w in holdfast.status()["workflows"] if w.get("user") == "alice")

        before, held = made(), -of_workflows()
        self.query("alice", 6)
        held += of_workflows()
        self.assertGreater(held, 0)
        self.assertEqual(made()["alice"], before.get("alice", 0) + held)

    def test_a_user_without_one_holds_nothing(self):
        self.assertEqual(self.query("bob", 2), [])

    def test_a_session_with_a_priority_holds_slots(self):
        self.assertNotEqual(self.query("bob", 3), [])

    def test_a_tag_with_a_priority_holds_slots(self):
        self.assertNotEqual(self.query("bob", 4, "urgent-report"), [])

    def test_a_query_is_one_workflow(self):
        held = self.query("alice", 5)
        self.assertEqual(len(held), 1, held)
        self.assertGreater(held[0]["dropped"], 0, "nobody knew that nothing would follow")
        self.assertTrue(held[0]["workflow"].startswith("user:alice/statement:aggregate input project"), held)
        again = self.query("alice", 0)
        self.assertEqual([w["workflow"] for w in again], [held[0]["workflow"]], "the second run is known")
        self.assertEqual(again[0]["dropped"], held[0]["dropped"], "its end was foreseen, though of another session")
        (other,) = self.query("dora", 10)
        self.assertEqual((other["user"], other["dropped"]), ("dora", 0), "and though of another user")

    def test_what_a_client_sets_counts_for_nothing(self):
        settings = ["spark.holdfast.priority=2147483647", "spark.holdfast.workflow=other", "holdfast.priority=9"]
        self.assertEqual(self.query("bob", 7, "", *settings), [])

    def test_a_name_that_a_client_chooses_gives_what_the_configuration_gives_it_up_to_the_users_highest(self):
        (held,) = self.query("bob", 8, "", "spark.scheduler.pool=free")
        self.assertEqual((held["workflow"], held["user"]), ("user:bob/pool:free", "bob"))
        self.assertEqual(self.query("mallory", 9, "", "spark.scheduler.pool=free"), [])


class LogTest(unittest.TestCase):
    """After the server has stopped: test classes run in the order of their names."""

    def explain(self, *options):
        (log,) = os.listdir(LOGS.name)
        command = [CLI, "explain", os.path.join(LOGS.name, log), *options]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def test_the_log_knows_users(self):
        users = self.explain().split("\nuser ")[1].split("\n\n")[0]
        self.assertRegex(users, "(?m)^alice +[1-9]")
        self.assertRegex(users, "(?m)^bob +[1-9]")
        self.assertRegex(self.explain("--user", "alice"), "(?m)^Hold ")

    def test_the_log_knows_claims(self):
        claims = self.explain().split("\nclaimed by clients\n")[1].split("\n\n")[0]
        self.assertRegex(claims, r"(?m)^user:bob/.* \(priority 0\): .*spark.holdfast.priority=2147483647 \(ignored\)")
        self.assertRegex(claims, r"(?m)^user:bob/pool:free \(priority 8\): pool free$")
        self.assertRegex(claims, r"(?m)^user:mallory/pool:free \(priority 0\): pool free, priority 8 capped at 0$")


if __name__ == "__main__":
    unittest.main(verbosity=2)
