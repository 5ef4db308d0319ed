"""Print what the changelog says of a version, and check that the version is the same everywhere.

    python .ci/release_notes.py 0.2.0

The release workflow runs it before it builds anything. It needs no package installed.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def versions(root: Path = ROOT) -> dict[str, str]:
    """The version as each file that states one has it."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    package = (root / "src" / "gfactor" / "__init__.py").read_text("utf-8")
    citation = (root / "CITATION.cff").read_text("utf-8")
    return {
        "pyproject.toml": str(project["version"]),
        "src/gfactor/__init__.py": _first(r'^__version__ = "(.+)"$', package),
        "CITATION.cff": _first(r"^version: (.+)$", citation),
    }


def notes(changelog: str, version: str) -> str:
    """The section of a version, without its heading; "" where there is none or it is empty."""
    parts = re.split(r"^## (.+)$", changelog, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    return next((t.strip() for h, t in sections.items() if h.split()[0] == version), "")


def flaws(version: str, root: Path = ROOT) -> list[str]:
    """Why a version cannot be released, as sentences."""
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    found = [
        f"{file} has version {other}, not {version}"
        for file, other in versions(root).items()
        if other != version
    ]
    if not notes(changelog, version):
        found.append(f"CHANGELOG.md says nothing of {version}")
    if re.search(rf"^## {re.escape(version)} \(unreleased\)$", changelog, re.MULTILINE):
        found.append(f"CHANGELOG.md calls {version} unreleased; put the date there")
    return found


def _first(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.MULTILINE)
    return match[1] if match else "none"


def main() -> None:
    """Print the notes, or end with what is wrong."""
    if len(sys.argv) != 2:
        sys.exit("usage: python .ci/release_notes.py VERSION")
    if found := flaws(sys.argv[1]):
        sys.exit("\n".join(found))
    print(notes((ROOT / "CHANGELOG.md").read_text("utf-8"), sys.argv[1]))


if __name__ == "__main__":
    main()
