"""A study served in a process of its own, for as long as bots need it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.folder import StudyFolder


@contextmanager
def serving(folder: StudyFolder, url: str | None = None, port: int = 0) -> Iterator[str]:
    """The address of the study: `url` where it is given, else of a server started here."""
    if url:
        yield url.rstrip("/")
        return
    command = [sys.executable, "-c", _PROGRAM, str(folder.path), str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            base = process.stdout.readline().strip()
            if not base:
                raise ParameterError(f"the study in {str(folder.path)!r} could not be served")
            yield base
        finally:
            process.terminate()


_PROGRAM = """
import sys
from pathlib import Path
from gfactor.studies.questionnaires import application
from gfactor.studies.web import serve
app = application(Path(sys.argv[1]))
serve(app, port=int(sys.argv[2]), ready=lambda address: print(address, flush=True))
"""
