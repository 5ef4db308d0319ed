"""gfactor study person: show, export or delete a participant's data, by receipt code.

gfactor study person study/ abcde-fghjk-mnpqr-stuvw --export data.json
gfactor study person study/ abcde-fghjk-mnpqr-stuvw --delete
"""

from pathlib import Path
from typing import Any

from gfactor.cli.printing import printed


def sentences(data: dict[str, Any], path: Path | None, delete: bool, folder: Path, **_: Any) -> str:
    lines = [f"{len(data['answers'])} answers since {data['consent']['given'][:16]}"]
    lines += [f"written to {path}"] * (path is not None)
    lines += [
        "deleted, from the files of the study too; backups made before may hold the person:",
        f"  gfactor study backups BACKUPS {folder}",
    ] * delete
    return "\n".join(lines)


command = printed(
    __doc__, "study.person", {"receipt": "RECEIPT", "path": "--export FILE"}, sentences=sentences,
    document=lambda data, delete, **_: {"deleted": delete, "data": data},
)  # fmt: skip
