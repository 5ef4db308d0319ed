"""A study served in a process of its own, for as long as bots need it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.folder import StudyFolder


@contextmanager
def serving(
    folder: StudyFolder,
    url: str | None = None,
    port: int = 0,
    *,
    simulated: bool = False,
    public_url: str = "",
) -> Iterator[str]:
    """The address of the study: `url` where it is given, else of a server started here.

    `simulated` and `public_url` are those of `application`.
    """
    if url:
        yield url.rstrip("/")
        return
    how = [folder.database, "simulated" if simulated else "", public_url]
    command = [sys.executable, "-c", _PROGRAM, str(folder.path), str(port), *how]
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
from gfactor.studies.questionnaires import StudyFolder, application
from gfactor.studies.web import serve
database, simulated, public_url = sys.argv[3:]
folder = StudyFolder(Path(sys.argv[1]), database)
app = application(folder, simulated=bool(simulated), public_url=public_url)
serve(app, port=int(sys.argv[2]), ready=lambda address: print(address, flush=True))
"""
