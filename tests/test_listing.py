"""Names in a sentence: the first few are written out, and the others are counted."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from gfactor.listing import first_few

SOURCE = Path(__file__).parents[1] / "src" / "gfactor"
MORE = re.compile(r" \.\.\.[\"']|\} more[\"']")
"""The end of a text that says that more names follow."""


def test_names_that_are_not_written_out_are_counted() -> None:
    assert first_few("abc") == "a, b, c"
    assert first_few("abcde", 5) == "a, b, c, d, e"
    assert first_few("abcdef", 5) == "a, b, c, d, e and 1 more"
    assert first_few((f"{k}" for k in range(3000)), 2, between="; ") == "0; 1 and 2,998 more"
    assert first_few([]) == ""


def _shortened_by_hand(node: ast.AST) -> bool:
    """Return True for `text if len(names) > 5 else ...` whose text says that more names follow."""
    if not isinstance(node, ast.IfExp) or "len(" not in ast.unparse(node.test):
        return False
    text = ast.unparse(node.body)
    return text.strip("'f") in {" ...", ", ..."} or text.rstrip("'").endswith("} more")


@pytest.mark.thorough
def test_no_other_place_shortens_a_list_of_names() -> None:
    counted_otherwise = {
        "listing.py",  # the one place
        "examinees/http/batches/openai.py",  # reasons of a vendor, with "; and"
        "examinees/http/troubles.py",  # the nearest names, not the first
        "psychometrics/irt/data.py",  # "'a' and 'b' ..." within a remedy
        "replications/m3gia/battery.py",  # one name, all of which follow
    }
    places = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if MORE.search(text := path.read_text("utf-8"))  # Parsing all files takes seconds.
        if any(map(_shortened_by_hand, ast.walk(ast.parse(text))))
    }
    assert places <= counted_otherwise
