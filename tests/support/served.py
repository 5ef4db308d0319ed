"""An application of ours in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PROGRAM = """
import importlib, sys
from pathlib import Path
from gfactor.studies.web import serve
app = importlib.import_module(sys.argv[1]).application(Path(sys.argv[2]))
serve(app, port=0, ready=lambda address: print(address, flush=True))
"""


@contextmanager
def serving_app(package: str, folder: Path) -> Iterator[str]:
    """The address of `package.application(folder)`, served on a free port."""
    command = [sys.executable, "-c", _PROGRAM, package, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
