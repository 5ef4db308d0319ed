"""Examples of docstrings as tests. The bank and the journal that many begin with are made once."""

from __future__ import annotations

import contextlib
import doctest
import shutil
from pathlib import Path
from typing import Any

import pytest

BEGINNINGS = (
    ("bank = gf.build(", 'path="pv.parquet")\n', 'bank = gf.open_bank("pv.parquet")\n'),
    ("journal = gf.run(bank, [", '], journal="c.db")\n', 'journal = gf.open_journal("c.db")\n'),
)
"""How a line begins and ends that makes a file, and a line that opens the same file."""


class Examples:
    """Runs examples in a folder of their own.

    Parameters
    ----------
    folder : Path
        Where files that several examples begin with are stored.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[str, Path] = {}

    def parsed(self, text: str, name: str) -> doctest.DocTest:
        """Return the examples of a docstring."""
        return doctest.DocTestParser().get_doctest(text, {}, name, None, None)

    def run(self, test: doctest.DocTest, here: Path) -> tuple[doctest.TestResults, str]:
        """Run examples in the folder `here`; what is told of those that fail."""
        lines = [line for line in map(self._opened, test.examples) if line]
        # The example of `gf.build` is about building, and that of `gf.run` about asking.
        if lines and test.name not in ("build", "run"):
            self._put("".join(example.source for example, _ in lines), here)
            for example, opening in lines:
                example.source = opening
        told: list[str] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(here)
            return doctest.DocTestRunner().run(test, out=told.append), "".join(told)

    def _opened(self, example: doctest.Example) -> tuple[doctest.Example, str] | None:
        """Return what opens the file that an example makes, None if it makes none."""
        for begins, ends, opening in BEGINNINGS:
            source = example.source
            if source.startswith(begins) and source.endswith(ends) and not example.want:
                return example, opening
        return None

    def _put(self, source: str, here: Path) -> None:
        """Put the files that some lines make into the folder `here`."""
        if source not in self._made:
            there = self._folder / str(len(self._made))
            there.mkdir()
            space: dict[str, Any] = {}
            with contextlib.chdir(there):
                exec(f"import gfactor as gf\n{source}", space)
            if "journal" in space:
                space["journal"].close()
            self._made[source] = there
        shutil.copytree(self._made[source], here, dirs_exist_ok=True)
