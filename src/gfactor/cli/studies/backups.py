"""gfactor study backups: list backups with what was deleted since.

gfactor study backups backups/ study/
"""

from pathlib import Path
from typing import Any

from gfactor.cli.printing import printed


def sentences(table: Any, path: Path, **_: Any) -> str:
    lines = [
        f"{row['backup']}: may hold {row['participants']} participants and {row['recruiting_ids']} "
        f"recruiting ids deleted since; backups from {row['clean_from'][:19]} UTC on hold none of "
        "them" if row["clean_from"] else f"{row['backup']}: holds nobody who was deleted"
        for row in table.to_dict("records")
    ]  # fmt: skip
    return "\n".join(lines) or f"{path} holds no backup"


command = printed(
    __doc__, "study.backups", {"path": "BACKUPS"}, sentences=sentences,
    document=lambda table, **_: {"backups": table.to_dict("records")},
)  # fmt: skip
