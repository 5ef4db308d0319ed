"""Numbers stand with the right form of their noun, and text says serious where JSON says error."""

from __future__ import annotations

import pytest

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.results import number_of


@pytest.mark.parametrize(
    ("n", "noun", "plural", "text"),
    [(1, "item", "", "1 item"), (0, "item", "", "0 items"), (1200, "answer", "", "1,200 answers"),
     (2, "group has", "groups have", "2 groups have"), (1, "person", "people", "1 person")],
)  # fmt: skip
def test_a_number_has_its_noun(n: int, noun: str, plural: str, text: str) -> None:
    assert number_of(n, noun, plural) == text


def test_a_diagnostic_of_a_result_that_was_computed_is_no_error_of_the_run() -> None:
    one = Diagnostic("not_converged", "error", "The fit did not converge.", "Do not use it.")
    assert str(one) == "serious: The fit did not converge. Do not use it."
    assert one.to_dict()["severity"] == "error"
    assert str(Diagnostic("few", "note", "n is 12.", "Ask more.")).startswith("note: ")
