"""Runs the recipe's scripts for the tests, each in a process of its own.

The processes fork from one that has imported PyTorch, since the import takes longer than most scripts.
"""

import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
TIMEOUT_SECONDS = 600
# train must be imported first: before torch loads, it sets how torch's threads wait.
IMPORTS = ["train", "export_gguf", "prepare", "verify", "matplotlib.pyplot"]

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(IMPORTS)


def run(script: str, *arguments) -> subprocess.CompletedProcess:
    """Runs a script with these arguments. Returns its exit code and output."""
    command = [str(HERE / script), *map(str, arguments)]
    with tempfile.TemporaryDirectory() as folder:
        written = [Path(folder) / "stdout", Path(folder) / "stderr"]
        # The process that imports PyTorch finds the recipe's modules by this path.
        os.environ["PYTHONPATH"] = str(HERE)
        process = processes.Process(target=run_as_main, args=(command, written))
        process.start()
        process.join(TIMEOUT_SECONDS)
        if process.is_alive():
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(command, TIMEOUT_SECONDS)
        return subprocess.CompletedProcess(command, process.exitcode, *(path.read_text() for path in written))


def run_as_main(command: list[str], written: list[Path]) -> None:
    """Runs a script as `python3 command` does, with its output in two files."""
    for descriptor, path in enumerate(written, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
    sys.argv = command
    runpy.run_path(command[0], run_name="__main__")
