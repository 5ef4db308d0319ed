"""`gf.gap` makes the claim of every other command, and says which."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.corridors.answering import filled

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.items import ItemBank

DOMAINS = ["change_colour", "counting_circles", "sort_lines"]


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made-up answers of a model to pictures, twins and blank pictures of three domains."""
    folder = tmp_path_factory.mktemp("gap")
    built = gf.build("percept-v", domains=DOMAINS, sizes=[2, 4], instances=6, twin="both",
                     path=folder / "twins.parquet", show_progress=False)  # fmt: skip
    bank = ItemBank.open(built.path)
    who = {"openai:a": 0.6}
    blank = {"condition": "images=blank"}
    return filled(folder / "c.db", (bank, who, {}), (bank, who, blank))


@pytest.fixture(scope="module")
def same(journal: Path) -> Any:
    return gf.gap(journal)


@pytest.fixture(scope="module")
def other(journal: Path) -> Any:
    return gf.gap(journal, claim="other-domains")


def test_a_gap_generalizes_to_other_scenes_of_the_same_domains_unless_another_claim_is_made(
    same: Any, other: Any
) -> None:
    assert same.about["generalizes_to"] == "generalizes to other items of these 3 domains"
    assert same.title.endswith("generalizes to other items of these 3 domains")
    assert other.about["claim"] == "other-domains"
    assert other.title.endswith("generalizes to other domains of this kind (3 domains here)")


def test_the_claim_about_other_domains_is_never_the_narrower_one(same: Any, other: Any) -> None:
    for table in ("gap", "accuracy", "losses"):
        one, two = (getattr(found.whole, table).iloc[0] for found in (same, other))
        assert two["estimate"] == one["estimate"]
        assert two["ci_upper"] - two["ci_lower"] >= one["ci_upper"] - one["ci_lower"], table


def test_the_gap_has_the_interval_that_compare_gives_the_same_answers(
    journal: Path, same: Any
) -> None:
    """Pictures and twins of the same scenes, as if they were two runs of the same items."""
    scores = gf.matrix(journal, by="item", condition="default").scores.iloc[0]
    pictures = scores[[name for name in scores.index if not name.endswith("-text")]]
    twins = scores[[f"{name}-text" for name in pictures.index]].set_axis(pictures.index)
    from gfactor.psychometrics import Sampling, all_pairs  # noqa: PLC0415

    domains = [name.rsplit("-", 2)[0] for name in pictures.index]
    pair = all_pairs(
        pictures.to_frame("picture").assign(twin=twins),
        sampling=Sampling.of("same-domains", len(pictures), domains=domains),
    ).table.iloc[0]
    row = same.whole.gap.loc[pair["method"]]
    assert row["ci_lower"] == pytest.approx(pair["low"])
    assert row["ci_upper"] == pytest.approx(pair["high"])


def test_within_one_domain_the_claim_is_about_other_scenes_of_it(same: Any, other: Any) -> None:
    columns = ["level", "gap", "ci_lower", "ci_upper"]
    for found in (same, other):
        assert set(found.by.loc[found.by["by"] == "family", "level"]) == set(DOMAINS)
    families = [one.by.loc[one.by["by"] == "family", columns].to_numpy() for one in (same, other)]
    assert (families[0] == families[1]).all()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"claim": "these-items"}, "excludes the claim these-items"),
        ({"claim": "other-domains", "domain_label": "twin"}, "needs scenes of at least two twins"),
    ],
)
def test_a_claim_that_cannot_be_made_is_refused(journal: Path, options: Any, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        gf.gap(journal, **options)
