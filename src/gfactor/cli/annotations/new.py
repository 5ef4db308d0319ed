"""gfactor annotate new: make a project of a bank.

gfactor annotate new multi.parquet -o workspace/ --title "Round one"
"""

from pathlib import Path
from typing import Any

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "annotate.new", {"bank": "BANK", "folder": "-o FOLDER"})
def command(bank: str, folder: Path, as_json: bool, **given: Any) -> None:
    project = annotate.new(bank, folder, **given)
    if as_json:
        put_json({"folder": str(folder), "items": len(project.bank)})
        return
    say(f"{folder}: a project of {len(project.bank):,} items; invite people with")
    say(f"  gfactor annotate invite {folder} NAME")
