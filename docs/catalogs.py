"""Two pages that only the site has: all generated items in words, and all sentences of families.

They are made from the code when the site is built (137,000 words), so they do not stand in the
repository. `mkdocs.yml` names this file as a hook.

    python docs/catalogs.py FOLDER   # write them into a folder
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent))

import batteries_page

TITLES = {"batteries-items.md": "Items in words", "batteries-templates.md": "Templates"}
PART = "Generated batteries"


def on_config(config: Any) -> Any:
    """Put the pages into the navigation, below the families."""
    pages = next(entry[PART] for entry in config.nav or [] if PART in entry)
    pages += [{title: name} for name, title in TITLES.items()]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages."""
    from mkdocs.structure.files import File  # noqa: PLC0415  (the extra docs)

    for name, content in batteries_page.catalogs().items():
        files.append(File.generated(config, name, content=content))
    return files


if __name__ == "__main__":
    for name, content in batteries_page.catalogs().items():
        Path(sys.argv[1], name).write_text(content, "utf-8")
