"""Errors of the house: their tree is complete, and they pass from one process to another."""

from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path

import pytest

import gfactor
from gfactor import errors
from gfactor.errors import BankError, GfactorError, MissingExtraError, UnknownNameError
from gfactor.examinees.http.calls import QueueFullError, SubmissionLostError

CLASS = re.compile(r"^class (\w+)\((\w+Error)\)", re.MULTILINE)


@pytest.mark.parametrize(
    "error",
    [
        UnknownNameError("domain", "pairs", ["paths"]),
        BankError("bank.parquet", "it has no items", row=3, item_id="a"),
        MissingExtraError("a study", "studies"),
        SubmissionLostError("the server answers 504", refused=True),
        QueueFullError("too many tokens wait", wait_s=20.0),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_of_another_process_says_the_same_sentence(error: GfactorError) -> None:
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is type(error)
        assert str(other) == str(error)
        assert other.args == error.args
        assert vars(other) == vars(error)


@pytest.mark.thorough
def test_the_tree_of_errors_names_every_class() -> None:
    words = set(str(errors.__doc__).split())
    for path in Path(gfactor.__file__).parent.rglob("*.py"):
        for name, base in CLASS.findall(path.read_text()):
            assert name in words or base not in words, f"{path}: {name}"


def test_an_unknown_name_gets_the_two_that_are_one_letter_away_and_a_short_code_the_list() -> None:
    assert "did you mean 'rule' or 'rules'?" in str(
        UnknownNameError("radical", "rulez", ["rule", "rules", "noise"])
    )
    assert str(UnknownNameError("language", "de", ["en", "es", "pt"])).endswith(
        "known: en, es, pt."
    )
    assert "did you mean 'options'?" in str(UnknownNameError("check", "option", ["options"]))
