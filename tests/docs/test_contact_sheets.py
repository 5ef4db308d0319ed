"""Contact sheets: every difficulty of a family, two items each, on one picture."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gfactor.benchmarks.chc import FAMILIES
from gfactor.items import Image

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(autouse=True)
def docs_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS))


@pytest.mark.thorough
def test_a_sheet_has_a_column_for_each_difficulty_and_two_items_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import batteries_page  # noqa: PLC0415
    import contact_sheets  # noqa: PLC0415

    monkeypatch.setitem(FAMILIES._things, "cube_nets", replace(FAMILIES["cube_nets"], extreme={}))
    names = ("running_span", "cube_nets")
    *pictures, page = contact_sheets.write(tmp_path / "sheets", 3, names)
    assert [path.stem for path in pictures] == list(names)
    widths = [Image(path.read_bytes(), path.name).decode().shape[1] for path in pictures]
    column = batteries_page.TILE[0] + 12
    assert widths == [4 * column, 3 * column]
    text = page.read_text(encoding="utf-8")
    assert text.count("<li>") == 2 * (4 + 3)
    for name in names:
        for difficulty in FAMILIES[name].difficulties:
            assert f"{name}-{difficulty}-001" in text
    assert sys.modules["contact_sheets"].__file__ == str(DOCS / "contact_sheets.py")


def test_the_last_picture_of_a_long_conversation_is_shown() -> None:
    import batteries_page  # noqa: PLC0415

    item = next(i for i in batteries_page.items_of(FAMILIES["updating"], 3, ("en",)))
    assert len(item.images) > batteries_page.MOST_PICTURES
    most = batteries_page.MOST_PICTURES
    left_out = item.images[most - 1 : -1]
    short = replace(item, content=tuple(p for p in item.content if p not in left_out), turns=())
    assert len(short.images) == most
    assert np.array_equal(batteries_page.tile(short), batteries_page.tile(item))
    without_last = replace(item, content=item.content[:-1], turns=())
    assert not np.array_equal(batteries_page.tile(without_last), batteries_page.tile(item))
