"""gfactor annotate comments: write the comments on items and responses.

gfactor annotate comments workspace/ -o comments.csv
"""

from typing import Any

from gfactor.cli.printing import printed


def sentences(table: Any, path: Any, **_: Any) -> str:
    lines = [
        f"{row['created']} {row['annotator']} on {row['on']} {row['response'] or row['item']}: "
        f"{row['comment']}"
        for row in table.to_dict("records")
    ]
    return "\n".join([*lines, f"{len(table):,} comments" + (f" in {path}" if path else "")])


command = printed(__doc__, "annotate.comments", {"path": "-o CSV"}, sentences=sentences)
