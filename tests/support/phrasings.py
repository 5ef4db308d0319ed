"""The replies of the collected phrasings, for tests of what searches them."""

from pathlib import Path

PHRASINGS = Path(__file__).parents[1] / "scoring" / "phrasings"


def collected_replies() -> list[str]:
    """Return all replies, in the order of files and lines."""
    return [
        line.split(" | ", 1)[1].replace("\\n", "\n")
        for path in sorted(PHRASINGS.iterdir())
        for line in path.read_text("utf-8").splitlines()
        if " | " in line
    ]
