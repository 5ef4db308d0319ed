"""Examinees that no common items link are not ranked together."""

import json
from pathlib import Path

import pandas as pd
import pytest

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.linking import linked_groups

READ = {"a": "BBBA", "b": "BBAA", "e": "BAAA", "c": "BBBB", "d": "BBBB"}


def journal_of(folder: Path, answers: dict[str, tuple[str, str]]) -> Path:
    """Import replies of models, each to the items of a language: "en0", "en1" and so on."""
    rows = [
        {"id": f"{language}{k}", "question": f"{language}: {k} + 1?", "answer": "B",
         "options": ["1", str(k + 2)], "language": language}
        for language in ("en", "fr") for k in range(4)
    ]  # fmt: skip
    bank = folder / "sums.jsonl"
    bank.write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = folder / "c.db"
    for model, (language, letters) in answers.items():
        file = folder / f"{model}.jsonl"
        file.write_text("".join(
            json.dumps({"id": f"{language}{k}", "prediction": letter}) + "\n"
            for k, letter in enumerate(letters)
        ))  # fmt: skip
        gf.import_logs("replies", file, journal=path, bank=bank)
    return path


@pytest.fixture(scope="module")
def two_languages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three models answered the English items, and two better ones the French items."""
    folder = tmp_path_factory.mktemp("two")
    return journal_of(folder, {name: ("fr" if name in "cd" else "en", READ[name]) for name in READ})


def test_the_largest_group_that_items_link_is_ranked_and_the_others_are_named(
    two_languages: Path,
) -> None:
    found = gf.compare(two_languages)
    assert sorted(found.ranks.index) == ["replies:a", "replies:b", "replies:e"]
    assert max(found.ranks["worst"]) == 3
    assert set(found.differences["n"]) == {4}
    (warning,) = [one for one in found.diagnostics if one.code == "other_items"]
    assert warning.sentence == (
        "replies:c; replies:d have no item of sums in common with the 3 examinees that are ranked, "
        "and are left out of ranks and differences."
    )
    assert "replies:c" not in "\n".join(found._lines())  # pyright: ignore[reportPrivateUsage]


def test_a_leaderboard_gives_no_rank_to_models_with_other_items(
    two_languages: Path, tmp_path: Path
) -> None:
    site = gf.leaderboard(two_languages, tmp_path / "site")
    assert "No item of sums in common with the ranked examinees: c (4 items), d (4 items)." in (
        site.summary()
    )
    table = pd.read_csv(tmp_path / "site" / "tables" / "board-1.csv")
    ranked = table[table["best"].notna()]
    assert ranked["name"].tolist() == ["a", "b", "e"]
    assert max(ranked["worst"]) == 3
    assert set(table.loc[table["best"].isna(), "name"]) >= {"c", "d"}
    assert "Answers to fewer" not in (tmp_path / "site" / "index.html").read_text("utf-8")


def test_nobody_is_compared_if_no_two_answered_the_same_item(tmp_path: Path) -> None:
    path = journal_of(tmp_path, {"a": ("en", "BBBA"), "c": ("fr", "BBBB")})
    with pytest.raises(ParameterError, match="no two examinees answered the same item"):
        gf.compare(path)


def test_a_chain_of_common_items_links_runs() -> None:
    """The first and the third answered no item both, and the second one links them."""
    nan = float("nan")
    scores = [[1, 0, nan, nan], [nan, 1, 1, nan], [nan, nan, nan, 1]]
    assert [group.tolist() for group in linked_groups(scores)] == [[0, 1, 2], [3]]
