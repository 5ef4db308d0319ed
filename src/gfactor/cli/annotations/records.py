"""gfactor annotate records: labels of responses as records of Label Studio or Argilla, and back.

gfactor annotate records workspace/ --format label-studio -o tasks.json
gfactor annotate records workspace/ --format argilla --from records.json
"""

from pathlib import Path

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived

SPELLED = {"folder": "FOLDER", "format": "--format", "write": "-o JSON", "read": "--from JSON"}


@derived(__doc__, "annotate.records", SPELLED)
def command(
    folder: Path, format: str, write: Path | None, read: Path | None, as_json: bool
) -> None:
    count = annotate.records(folder, format, write=write, read=read)
    if as_json:
        put_json({"records" if write else "labels": count})
    else:
        say(f"{write}: {count:,} records" if write else f"{count:,} labels taken in")
