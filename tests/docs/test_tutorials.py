"""The tutorial's notebooks run from the first cell to the last, and say what their text claims."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))

CLAIMS = {
    "evaluate": ["observer:ideal: 64 asked", "0 asked, 64 known already", "figures: report/"],
    "people": ["34 people, 612 answers", "of the people"],
    "benchmark": ["no limit is broken", "Wide.Seeing.copy"],
    "zero-one": ["<Dataset vlm_items: 128 models x 7,265 items>", "items hardly depend on ability"],
    "cfa-for-r-users": ["visual =~ spd3", "satorra.bentler"],
    "own-benchmark": ["pictures that look alike", "row 4, id 'sign-03'"],
}
"""What the outputs of a notebook hold."""


def said(notebook: dict[str, Any]) -> str:
    """All that the cells of a notebook printed or showed as text."""
    outputs = [one for cell in notebook["cells"] for one in cell.get("outputs", ())]
    texts = [one.get("text") or one.get("data", {}).get("text/plain", "") for one in outputs]
    return "\n".join("".join(text) for text in texts)


def test_the_tutorial_has_six_notebooks_that_say_what_is_claimed() -> None:
    assert {page.stem for page in PAGES} == set(CLAIMS)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_notebook_runs(page: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.ipynb"
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "notebooks.py"), str(page), "-o", str(out)],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    notebook = json.loads(out.read_text("utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) == len(re.findall(r"^```python$", page.read_text("utf-8"), re.MULTILINE))
    printed = said(notebook)
    for claim in CLAIMS[page.stem]:
        assert claim in printed, claim
    assert str(tmp_path) not in printed
    assert "Warning" not in printed
