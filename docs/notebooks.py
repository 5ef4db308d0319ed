"""The tutorial's notebooks: Markdown files that are executed, with what they print and draw.

    python docs/notebooks.py docs/tutorials/evaluate.md                  # run it
    python docs/notebooks.py docs/tutorials/evaluate.md -o evaluate.ipynb

jupytext reads a page of `docs/tutorials/` as a notebook: a block of Python is a cell. nbclient
runs it in a folder of its own, and nbconvert writes it with its outputs; all three are Project
Jupyter's.
`mkdocs.yml` names this file as a hook, so that the site has the outputs, and the notebook beside
each page. A cell that fails ends the build.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbclient import NotebookClient
from nbconvert import MarkdownExporter

FOLDER = "tutorials/"
LIMIT_S = 600
"""Seconds that a cell may take."""


def executed(page: Path) -> Any:
    """A page as a notebook, run in an empty folder; CellExecutionError where a cell fails."""
    notebook = jupytext.read(page)
    notebook.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=LIMIT_S,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
        )
        client.execute()
    for cell in notebook.cells:
        # Progress bars are for who waits, not for who reads.
        shown = cell.get("outputs", [])
        cell["outputs"] = [one for one in shown if one.get("name") != "stderr"]
        if cell.cell_type != "code":
            del cell["outputs"]
    return notebook


def as_markdown(notebook: Any, name: str) -> tuple[str, dict[str, bytes]]:
    """A notebook as a page, and its pictures by their names."""
    exporter = MarkdownExporter()
    found = exporter.from_notebook_node(notebook, {"unique_key": name, "output_files_dir": name})
    text, resources = found
    # Tables of pandas look like the site's own.
    text = re.sub(r"<style scoped>.*?</style>\n", "", text, flags=re.DOTALL)
    text = text.replace('<table border="1" class="dataframe">', "<table>")
    return text, dict(resources.get("outputs") or {})


def on_files(files: Any, config: Any) -> Any:
    """Put the outputs into the pages, and the notebooks beside them."""
    from mkdocs.structure.files import File  # noqa: PLC0415  (the extra docs)

    for page in list(files.documentation_pages()):
        if not page.src_uri.startswith(FOLDER):
            continue
        name = Path(page.src_uri).stem
        notebook = executed(Path(page.abs_src_path))
        text, pictures = as_markdown(notebook, name)
        written = nbformat.writes(notebook)
        download = f"[Download this notebook]({name}.ipynb).\n\n"
        title, _, rest = text.partition("\n")
        files.remove(page)
        files.append(File.generated(config, page.src_uri, content=f"{title}\n\n{download}{rest}"))
        files.append(File.generated(config, f"{FOLDER}{name}.ipynb", content=written))
        for path, data in pictures.items():
            files.append(File.generated(config, f"{FOLDER}{path}", content=data))
    return files


def main() -> None:
    """Run a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    notebook = executed(given.page)
    if given.output:
        nbformat.write(notebook, given.output)


if __name__ == "__main__":
    main()
