"""gfactor annotate export: write the bank as it was decided.

gfactor annotate export workspace/ -o edited.parquet
"""

from pathlib import Path

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "annotate.export", {"folder": "FOLDER", "path": "-o BANK"})
def command(folder: Path, path: Path, only_final: bool, as_json: bool) -> None:
    counts = annotate.export(folder, path, only_final=only_final)
    if as_json:
        put_json({"bank": str(path), **counts})
        return
    say(f"{path}: " + ", ".join(f"{count:,} {name}" for name, count in counts.items()))
