"""Runs a program in a notebook's kernel, as a cell `%run PROGRAM ...`; prints what the cell says."""

import shlex
import sys

from jupyter_client.manager import start_new_kernel

manager, client = start_new_kernel(kernel_name="python3")
failed = []


def show(message):
    if message["msg_type"] == "stream":
        print(message["content"]["text"], end="", flush=True)
    elif message["msg_type"] == "error":
        failed.append("\n".join(message["content"]["traceback"]))


try:
    client.execute_interactive(f"%run {shlex.join(sys.argv[1:])}", timeout=300, output_hook=show)
finally:
    client.stop_channels()
    manager.shutdown_kernel()
sys.exit("\n".join(failed) or 0)
