"""One question in several languages is one observation, whatever is computed from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import gfactor as gf
from gfactor.administration import Journal
from gfactor.api.inputs.scoring import scoring_of
from gfactor.api.scales.calibrating import _laboratories
from gfactor.api.scales.irt_data import ItemResponses, item_responses
from gfactor.api.scales.laboratories import pooled_responses
from gfactor.api.scales.languages_of_items import TABLE_OF_ONE, translations
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.frames import pick
from gfactor.items import write_bank
from gfactor.scoring.policies import BENCHMARKS_POLICY

FAMILIES = ["number_series", "if_then"]
EXAMINEES = [f"observer:limited?acuity={a}&capacity=3&seed={s}" for s, a in enumerate((0.2, 0.5))]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Journals of two observers: items in two languages, and the same in English alone."""
    folder = tmp_path_factory.mktemp("languages")
    for name, languages in (("both", ["en", "fr"]), ("alone", ["en"])):
        bank = gf.build(
            "chc", families=FAMILIES, per_cell=3, seed=3, language=languages,
            path=folder / f"{name}.parquet",
        )  # fmt: skip
        gf.run(bank, EXAMINEES, journal=folder / f"{name}.db").close()
    return folder


def intervals(path: Path) -> pd.DataFrame:
    return pick(gf.score(path).table, ["accuracy", "ci_lower", "ci_upper", "chance"])


@pytest.mark.thorough
def test_a_translation_adds_no_information(made: Path) -> None:
    both, alone = (intervals(made / f"{name}.db") for name in ("both", "alone"))
    assert gf.score(made / "both.db").table["n"].tolist() == [36, 36]
    # An observer sees pictures, so that it answers alike in both languages.
    pd.testing.assert_frame_equal(both, alone, rtol=1e-9)


@pytest.mark.thorough
def test_a_difference_is_found_over_questions_in_a_journal_and_in_its_matrix(made: Path) -> None:
    found = []
    for name in ("both", "alone"):
        with Journal.open(made / f"{name}.db") as journal:
            for data in (journal, gf.matrix(journal, by="item")):
                pair = gf.compare(data).differences.iloc[0]
                found.append(pair[["estimate", "ci_lower", "ci_upper", "p"]].to_numpy(float))
    assert np.allclose(found, found[0], rtol=1e-9)


def responses(path: Path, groups: str | None = None) -> ItemResponses:
    with Journal.open(path) as journal:
        return item_responses(
            journal, scoring_of((), None, None, BENCHMARKS_POLICY, {}), groups=groups
        )


@pytest.mark.thorough
def test_answers_to_one_question_in_several_languages_are_named_as_dependent(made: Path) -> None:
    both, alone = (
        {d.code for d in responses(made / f"{name}.db").diagnostics} for name in ("both", "alone")
    )
    assert both - alone == {"items_in_several_languages"}
    (found,) = (
        one for one in responses(made / "both.db").diagnostics
        if one.code == "items_in_several_languages"
    )  # fmt: skip
    assert found.sentence.startswith(
        "The 36 items are only 18 questions: some differ in language or form alone, and"
    )


def test_groups_of_languages_answer_the_same_items(made: Path) -> None:
    found = responses(made / "both.db", "language")
    assert found.scores.shape == (4, 18)
    assert "chc if_then-easy-000" in found.scores
    with pytest.raises(ParameterError, match="language at their end"):
        responses(made / "alone.db", "language")


def test_an_audit_counts_no_translation_as_a_duplicate(made: Path, tmp_path: Path) -> None:
    bank = gf.open_bank(made / "both.parquet")
    assert all(one["duplicates"] == 0 for one in gf.audit(bank).audit.domains.values())
    first, *others = bank
    write_bank([first, *others, replace(first, id="again-en")], tmp_path / "copy.parquet")
    copy = gf.audit(gf.open_bank(tmp_path / "copy.parquet"))
    assert sum(one["duplicates"] for one in copy.audit.domains.values()) == 1


def test_the_language_is_a_label_by_its_own_name(made: Path) -> None:
    with Journal.open(made / "both.db") as journal:
        one = gf.matrix(journal, by="item", where={"language": "fr"}).scores
        by = gf.compare(journal, by="language")
    assert one.shape == (2, 18)
    assert all(name.endswith("-fr") for name in one.columns)
    assert set(by.parts) == {"en", "fr"}


def test_scores_are_grouped_by_any_label_as_by_domain(made: Path) -> None:
    found = gf.score(made / "both.db")
    families = found.groups("family").rename(columns={"family": "domain"})
    pd.testing.assert_frame_equal(families, found.groups("domain"), check_dtype=False)
    assert found.groups("language")["language"].tolist() == ["en", "fr", "en", "fr"]
    with pytest.raises(UnknownNameError, match="unknown label 'topic'"):
        found.groups("topic")


def to_calibrate(*journals: Path, where: dict[str, str] | None = None) -> ItemResponses:
    """The responses of journals as `gf.calibrate` takes them together."""
    scoring = scoring_of((), None, None, BENCHMARKS_POLICY, {})
    parts, _ = _laboratories(list(journals), scoring, "whole", (None, None, where or {}, None))
    return next(iter(parts.values())) if len(parts) == 1 else pooled_responses(parts)


def remedies(found: ItemResponses) -> list[str]:
    return [d.remedy for d in found.diagnostics if d.code == "items_in_several_languages"]


def test_a_calibration_takes_one_language_as_its_warning_says_once(made: Path) -> None:
    both = made / "both.db"
    (remedy,) = remedies(to_calibrate(both, both))
    assert (
        remedy == "Take one language: --where language=TAG (in Python: where={'language': 'TAG'})."
    )
    one = to_calibrate(both, where={"language": "fr"})
    assert (remedies(one), one.scores.shape) == ([], (2, 18))
    with pytest.raises(UnknownNameError, match="language 'de'; known: en, fr"):
        gf.calibrate(both, where={"language": "de"})


@pytest.mark.thorough
def test_two_laboratories_that_asked_in_two_languages_are_warned(made: Path) -> None:
    both = made / "both.db"
    scoring = scoring_of((), None, None, BENCHMARKS_POLICY, {})
    parts = {
        tag: _laboratories(both, scoring, "whole", (None, None, {"language": tag}, None))[0]["both"]
        for tag in ("en", "fr")
    }
    assert len(remedies(pooled_responses(parts))) == 1


def test_copies_in_one_language_are_not_called_translations() -> None:
    ids = ["a", "b", "c"]
    rows = pd.DataFrame({"item_id": ids, "item_hash": ["1", "1", "2"], "language": "en"})
    (found,) = translations(rows.assign(benchmark="own"), TABLE_OF_ONE)
    assert str(found) == (
        "warning: The 3 items are only 2 questions: some are copies or other forms of others, and "
        "answers to the same question depend on each other. Leave out all but one of them; gfactor "
        "audit BANK lists copies."
    )
