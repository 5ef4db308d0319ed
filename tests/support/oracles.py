"""Where recorded numbers of other programs lie: the project's own copy, and ../shared beside it.

`tests/oracles` holds what may be redistributed (its README names sources and versions). What may
not (data of GPL packages without a free copy) stays in ../shared/oracles; tests of it skip where
that folder is absent.
"""

from __future__ import annotations

from pathlib import Path

import pytest

ORACLES = Path(__file__).parents[1] / "oracles"
OUTSIDE = Path(__file__).parents[2].parent / "shared" / "oracles"


def oracle(path: str) -> Path:
    """The recorded file, from the project or from ../shared; the test skips where it is absent."""
    for folder in (ORACLES, OUTSIDE):
        if (folder / path).exists():
            return folder / path
    pytest.skip(f"the recorded file ../shared/oracles/{path} is not in this checkout")


def recorded(pattern: str) -> list[Path]:
    """Every recorded file that matches, by name; the project's copy where both folders have it."""
    paths = {path.relative_to(folder): path
             for folder in (OUTSIDE, ORACLES) for path in folder.glob(pattern)}  # fmt: skip
    return [paths[key] for key in sorted(paths)]
