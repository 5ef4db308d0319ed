"""gfactor annotate label-studio: write tasks for Label Studio, or take its annotations in.

gfactor annotate label-studio workspace/ -o tasks.json
gfactor annotate label-studio workspace/ --from export.json
"""

from pathlib import Path

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.errors import ParameterError

SPELLED = {"folder": "FOLDER", "write": "-o JSON", "read": "--from JSON"}


@derived(__doc__, "annotate.label_studio", SPELLED)
def command(folder: Path, write: Path | None, read: Path | None, as_json: bool) -> None:
    if (write is None) == (read is None):
        raise ParameterError("say either -o, to write tasks, or --from, to read annotations")
    count = annotate.label_studio(folder, write=write, read=read)
    if as_json:
        put_json({"tasks" if write else "annotations": count})
    else:
        say(f"{write}: {count:,} tasks" if write else f"{count:,} annotations taken in")
