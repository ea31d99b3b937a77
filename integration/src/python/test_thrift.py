"""Users of a real Thrift server, who come by beeline; arguments: the jar and the CLI."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

from server import Server, free_port, run, spark_home

JAR, CLI = sys.argv.pop(1), sys.argv.pop(1)
SERVER = "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"
QUERY = "select count(*) from range(0, 4000, 1, 4) group by id % 4"


class ThriftTest(unittest.TestCase):
    """One server, two users, and then its decision log."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.port = free_port()
        conf = {
            "spark.holdfast.user.alice.priority": "5",
            "spark.holdfast.user.carol.priority": "5",
            "spark.holdfast.user.carol.holds.max": "1",
        }
        hive = [f"hive.server2.thrift.port={cls.port}", "hive.server2.thrift.bind.host=127.0.0.1"]
        arguments = [part for key in hive for part in ("--hiveconf", key)] + ["spark-internal"]
        cls.server = Server(cls.folder.name, JAR, SERVER, conf, arguments, "HiveThriftServer2 started")
        for user, *statements in (
            ("bob", "SET spark.holdfast.priority=2147483647", QUERY, "SET spark.jobGroup.id=report", QUERY),
            ("alice", QUERY),
            ("alice", QUERY.replace("4000", "4004") + " -- again"),
            ("carol", QUERY),
        ):
            cls.beeline(user, statements)
        cls.log = cls.server.stop()

    @classmethod
    def tearDownClass(cls):
        cls.server.kill()
        cls.folder.cleanup()

    @classmethod
    def beeline(cls, user, statements):
        url = f"jdbc:hive2://127.0.0.1:{cls.port}"
        script = [os.path.join(spark_home(), "bin", "beeline"), "-u", url, "-n", user, "--outputformat=tsv2"]
        command = script + ["-e", "; ".join(statements)]
        ran = subprocess.run(command, cwd=cls.folder.name, capture_output=True, text=True, timeout=180)
        if ran.returncode != 0 or not {"1000", "1001"} & set(ran.stdout.split()):
            raise RuntimeError(ran.stdout + ran.stderr)

    def explain(self, *options):
        return run(CLI, "explain", self.log, *options)

    def test_the_server_is_told_by_itself(self):
        self.assertIn("clients ignored (Thrift server", self.server.says())

    def test_what_a_session_sets_counts_for_nothing(self):
        said = self.explain()
        self.assertNotRegex(said.split("\nuser ")[0], "user:bob/")
        claims = r"(?m)^user:bob/statement:.* \(priority 0\): spark.holdfast.priority=2147483647 \(ignored\)$"
        self.assertRegex(said, claims)
        self.assertNotRegex(said, "group:report")

    def test_a_statement_is_its_users(self):
        users = self.explain().split("\nuser ")[1].split("\n\n")[0]
        self.assertRegex(users, "(?m)^alice +[1-9]")
        self.assertRegex(self.explain("--user", "alice"), r"(?m)^Hold \d+ on .* \(priority 5\)$")

    def test_the_second_run_of_a_dashboard_is_known(self):
        name = "user:alice/statement:select count(*) from range(?) group by id % ?"
        rows = [line for line in self.explain().splitlines() if line.startswith("user:alice/")]
        self.assertEqual(len({row[: len(name)] for row in rows}), 1, rows)
        self.assertTrue(rows[0].startswith(name), rows)

    def test_a_user_holds_no_more_than_its_bound(self):
        told = self.explain("--user", "carol", "--limit", "0")
        held = most = 0
        moments = [(float(at), 1) for at in re.findall(r"(?m)^  made \+([\d.]+) s", told)]
        moments += [(float(at), -1) for at in re.findall(r"(?m)^  ended \+([\d.]+) s", told)]
        for _, change in sorted(moments):
            held += change
            most = max(most, held)
        self.assertEqual(most, 1, told)


if __name__ == "__main__":
    unittest.main(verbosity=2)
