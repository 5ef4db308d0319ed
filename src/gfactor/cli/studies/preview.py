"""gfactor study preview: every page of a study as a file.

gfactor study preview study/ -o preview/
"""

from pathlib import Path

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "study.preview", {"folder": "FOLDER", "path": "-o FOLDER"})
def command(folder: Path, path: Path, seed: int, as_json: bool) -> None:
    count = study.preview(folder, path, seed=seed)
    index = path / "index.html"
    put_json({"pages": count, "index": str(index)}) if as_json else say(f"{count} pages: {index}")
