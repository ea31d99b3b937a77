"""Two clients of a Spark Connect server that was started as its script does; arguments: the jar and the CLI."""

import os
import subprocess
import sys
import tempfile
import unittest

from server import Server, free_port, run

JAR, CLI = sys.argv.pop(1), sys.argv.pop(1)
CLIENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "connect_client.py")


class ConnectServerTest(unittest.TestCase):
    """One server, two users, and then its decision log."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        port = free_port()
        conf = {
            "spark.connect.grpc.binding.port": port,
            "spark.holdfast.user.alice.priority": "9",
            "spark.holdfast.user.bob.priority": "2",
        }
        main = "org.apache.spark.sql.connect.service.SparkConnectServer"
        arguments = ["spark-internal"]
        cls.server = Server(cls.folder.name, JAR, main, conf, arguments, "Spark Connect server started")
        for user, *settings in (("alice",), ("bob", "spark.holdfast.priority=100"), ("carol",)):
            remote = f"sc://127.0.0.1:{port}/;user_id={user}"
            client = [sys.executable, CLIENT, remote, "", *settings]
            path = {**os.environ, "PYTHONPATH": JAR}
            said = subprocess.run(client, env=path, capture_output=True, text=True, timeout=120)
            if (said.returncode, said.stdout.strip()) != (0, "4000"):
                raise RuntimeError(said.stdout + said.stderr)
        cls.log = cls.server.stop()

    @classmethod
    def tearDownClass(cls):
        cls.server.kill()
        cls.folder.cleanup()

    def test_the_server_is_told_by_itself(self):
        self.assertIn("clients ignored (Spark Connect server", self.server.says())

    def test_each_client_holds_with_the_priority_of_its_user(self):
        for user, priority in (("alice", 9), ("bob", 2)):
            told = run(CLI, "explain", self.log, "--user", user)
            self.assertRegex(told, rf"(?m)^Hold \d+ on .* \(priority {priority}[,)]")
        self.assertNotIn("\nHold ", run(CLI, "explain", self.log, "--user", "carol"))

    def test_its_log_replays(self):
        self.assertIn("decisions: the same", run(CLI, "replay", self.log))


if __name__ == "__main__":
    unittest.main(verbosity=2)
