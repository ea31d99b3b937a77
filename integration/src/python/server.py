"""A Spark server with Holdfast, started with the command that its start script builds."""

import os
import signal
import socket
import subprocess
import time


def spark_home():
    if "SPARK_HOME" in os.environ:
        return os.environ["SPARK_HOME"]
    import pyspark

    return os.path.dirname(pyspark.__file__)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A process; `folder` gets its output and, below `logs`, its decision log."""

    def __init__(self, folder, jar, main, conf, arguments, started):
        self.logs, self.output = os.path.join(folder, "logs"), os.path.join(folder, "server.txt")
        own = {
            "spark.plugins": "io.holdfast.HoldfastPlugin",
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "4",
            "spark.sql.adaptive.enabled": "false",
            "spark.holdfast.log.dir": self.logs,
        }
        keys = [part for key, value in {**own, **conf}.items() for part in ("--conf", f"{key}={value}")]
        submit = [os.path.join(spark_home(), "bin", "spark-submit"), "--master", "local[4]"]
        command = submit + ["--jars", jar, "--driver-class-path", jar] + keys + ["--class", main, *arguments]
        with open(self.output, "w") as output:
            self.process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=output)
        until = time.monotonic() + 180
        while started not in self.says():
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(self.says()[-5000:])
            time.sleep(1)

    def says(self):
        with open(self.output) as output:
            return output.read()

    def stop(self):
        """Ends it as its stop script does; answers its decision log."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        (log,) = os.listdir(self.logs)
        return os.path.join(self.logs, log)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()


def run(*command):
    """What a command of the CLI prints."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
