"""A whole example: models answer generated forms, one has learned the public keys by heart."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.cli import run_cli

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.examinees import EXAMINEES, RenderedItem, Reply
from gfactor.psychometrics.inference.inflation import Inflation

FORMS = {"public": 1, "fresh": 2}
"""Seeds of the generated forms."""
PAGE = Path(__file__).parents[2] / "docs" / "inflation.md"
MODELS = {f"simulated:{k}": 0.15 + 0.07 * k for k in range(8)}
"""Share of the items that a model knows without having seen them."""
LEARNED = "simulated:1"
"""The model that has learned three quarters of the public items by heart."""


class Simulated:
    """A model that knows the keys of some items."""

    in_flight = 8

    def __init__(self, name: str, banks: dict[str, Any]) -> None:
        self.name, self.keys = name, {}
        rng = np.random.default_rng(int(name.split(":")[1]))
        for form, path in banks.items():
            for k, item in enumerate(gf.open_bank(path)):
                learned = (name, form) == (LEARNED, "public") and k % 4
                if (rng.random() < MODELS[name] or learned) and item.output_format:
                    key = item.output_format.render(item.target)
                    self.keys[item.images[0].sha256] = key

    async def __call__(self, item: RenderedItem) -> Reply:
        return Reply(self.keys.get(item.images[0].sha256, "I cannot tell."))

    async def close(self) -> None:
        pass


def forms(folder: Path, instances: int) -> dict[str, Any]:
    """A bank of each form."""
    made: dict[str, Any] = {}
    for name, seed in FORMS.items():
        made[name] = folder / f"{name}.parquet"
        gf.build(
            "percept-v", domains=["change_colour", "sort_lines"], sizes=[4, 6, 8], seed=seed,
            instances=instances, path=made[name],
        )  # fmt: skip
    return made


@pytest.fixture(scope="module")
def banks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return forms(tmp_path_factory.mktemp("forms"), 8)


@pytest.fixture(scope="module")
def journal(banks: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("answers") / "c.db"
    if "simulated" not in EXAMINEES:
        EXAMINEES.add(
            "simulated",
            lambda spec, bank=None, jobs=1: Simulated(f"simulated:{spec.argument}", banks),
        )
    for bank in banks.values():
        gf.run(bank, list(MODELS), journal=path, jobs=1)
    return path


@pytest.fixture(scope="module")
def found(journal: Path, banks: dict[str, Any]) -> Inflation:
    return gf.inflation(journal, examinee=LEARNED, **banks)


def items_of_forms(journal: Path, banks: dict[str, Any]) -> dict[str, Any]:
    """The items of each form by their names in the journal."""
    hashes = {h[:8] for h in gf.open_bank(banks["public"]).frame()["content_hash"]}
    names = [str(name) for name in gf.matrix(journal, by="item").scores.columns]
    return {
        form: [name for name in names if (name.split("@")[1] in hashes) == (form == "public")]
        for form in FORMS
    }


def p_of(found: Inflation) -> float:
    return float(found.tests.set_index("test").loc["t", "p"])


@pytest.mark.thorough
def test_who_has_learned_the_public_keys_is_found(found: Inflation) -> None:
    assert found.ci_lower > 0
    assert found.sentence.startswith(f"{LEARNED} scores {found.estimate:.1f} points [")
    assert found.sentence.endswith("of 7 reference models none differs as much.")


@pytest.mark.thorough
def test_no_honest_model_is_accused(journal: Path, banks: dict[str, Any]) -> None:
    table, named = gf.matrix(journal, by="item").scores, items_of_forms(journal, banks)
    honest = [name for name in MODELS if name != LEARNED]
    for name in honest:
        others = [other for other in honest if other != name]
        one = gf.inflation(table, examinee=name, references=others, **named)
        assert p_of(one) * len(honest) > 0.05, name


def test_listed_items_are_learned_ones_and_stand_on_the_page_with_picture_and_replies(
    found: Inflation, banks: dict[str, Any], tmp_path: Path
) -> None:
    public = list(gf.open_bank(banks["public"]))
    learned = {str(item.provenance.content_hash)[:8] for k, item in enumerate(public) if k % 4}
    listed = [str(name).split("@")[1] for name in found.items["item"]]
    assert np.mean([name in learned for name in listed]) > 0.8
    assert [sample.item_id for sample in found.samples] == found.items["item"].tolist()
    first = found.samples[0]
    assert first.replies[0].examinee == LEARNED
    assert first.replies[0].mark == "right"
    assert any(reply.text == "I cannot tell." for reply in first.replies[1:])
    page = found.report(tmp_path / "page").path.read_text("utf-8")
    assert f"<h1>{found.sentence}</h1>" in page
    assert page.count("data:image/png;base64") == sum(
        not isinstance(part, str) for sample in found.samples for part in sample.parts
    )
    assert page.count("I cannot tell.") == sum(
        reply.text == "I cannot tell." for sample in found.samples for reply in sample.replies
    )


@pytest.mark.thorough
def test_without_banks_pictures_come_from_those_that_filled_the_journal(
    journal: Path, found: Inflation, banks: dict[str, Any], tmp_path: Path
) -> None:
    table, items = gf.matrix(journal, by="item").scores, items_of_forms(journal, banks)
    named = gf.inflation(journal, examinee=LEARNED, **items)
    assert named.estimate == pytest.approx(found.estimate)
    assert named.samples[0].parts == found.samples[0].parts
    of_table = gf.inflation(table, examinee=LEARNED, **items)
    assert not of_table.samples
    of_table.report(tmp_path / "plain")


def test_several_models_have_one_page_with_the_items_of_the_inflated_one(
    journal: Path, banks: dict[str, Any], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    words = [word for name in (LEARNED, "simulated:0") for word in ("--examinee", name)]
    given = [word for name, bank in banks.items() for word in (f"--{name}", str(bank))]
    done = run_cli(
        monkeypatch, capsys, "inflation", str(journal), *words, *given, "-o", str(tmp_path / "p")
    )
    assert f"{LEARNED} scores" in done.out
    page = (tmp_path / "p" / "report.html").read_text("utf-8")
    assert f"Public items that {LEARNED} has right" in page
    assert "Public items that simulated:0 has right" not in page
    assert "data:image/png;base64" in page


@pytest.mark.thorough
def test_answers_on_several_occasions_are_averaged(banks: dict[str, Any], tmp_path: Path) -> None:
    names = [f"baseline:random?seed={k}" for k in range(6)]
    for bank in banks.values():
        gf.run(bank, names, journal=tmp_path / "c.db", jobs=1, occasions=2)
    found = gf.inflation(tmp_path / "c.db", examinee=names[0], **banks)
    assert np.isfinite(found.estimate)
    scores = gf.matrix(tmp_path / "c.db", by="item").scores
    hashes = {h[:8] for h in gf.open_bank(banks["public"]).frame()["content_hash"]}
    public = scores.loc[names[0], [c for c in scores if str(c).split("@")[1] in hashes]]
    assert ((public > 0) & (public < 1)).any()
    assert found.public == pytest.approx(public.mean())


class Mumbler(Simulated):
    """An honest model, half of whose replies to fresh items hold no answer."""

    def __init__(self, banks: dict[str, Any]) -> None:
        super().__init__("simulated:6", banks)
        self.name = "mumbler:one"
        fresh = [item.images[0].sha256 for item in gf.open_bank(banks["fresh"])]
        self.unread = set(fresh[::2])

    async def __call__(self, item: RenderedItem) -> Reply:
        if item.images[0].sha256 in self.unread:
            return Reply("The number of objects that I see is hard to tell; perhaps many")
        return await super().__call__(item)


def test_no_verdict_is_given_on_a_model_whose_replies_were_read_on_one_form_only(
    journal: Path, banks: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "c.db"
    path.write_bytes(journal.read_bytes())
    EXAMINEES.add("mumbler", lambda spec, bank=None, jobs=1: Mumbler(banks))
    for bank in banks.values():
        gf.run(bank, ["mumbler:one"], journal=path, jobs=1)
    honest = [name for name in MODELS if name not in (LEARNED, "simulated:6")]
    found = gf.inflation(path, examinee="mumbler:one", references=honest, **banks)
    assert found.ci_lower > 0
    assert p_of(found) <= 0.05
    assert not found.higher
    shares = "no answer was found in 0.0 % of its replies to public and 50.0 % to fresh items"
    assert found.sentence.startswith(f"mumbler:one: not decided, as {shares}.")
    assert "unread_replies" in [one.code for one in found.diagnostics]
    several = gf.inflation_each(path, examinees=["mumbler:one"], references=honest, **banks)
    assert not several.inflated
    assert "unread_replies" in [one.code for one in several.diagnostics]


def test_a_table_of_means_by_domain_is_refused(journal: Path) -> None:
    with pytest.raises(ParameterError, match='matrix\\(journal, by="item"\\)'):
        gf.inflation(gf.matrix(journal), examinee=LEARNED, public="a*", fresh="b*")


@pytest.mark.thorough
def test_two_seeds_of_a_generator_are_two_forms_though_their_items_have_the_same_names(
    tmp_path: Path,
) -> None:
    made = forms(tmp_path, 4)
    names = [f"baseline:random?seed={k}" for k in range(6)]
    for bank in made.values():
        gf.run(bank, names, journal=tmp_path / "c.db", jobs=1)
    found = gf.inflation(tmp_path / "c.db", examinee=names[0], **made)
    assert len(found.references) == 5
    accuracy = gf.matrix(tmp_path / "c.db", by="item").scores.loc[names[0]]
    hashes = {h[:8] for h in gf.open_bank(made["public"]).frame()["content_hash"]}
    public = [c for c in accuracy.index if str(c).split("@")[1] in hashes]
    assert found.public == pytest.approx(accuracy[public].mean())
    with pytest.raises(ParameterError, match="both public and fresh"):
        gf.inflation(
            tmp_path / "c.db", examinee=names[0], public=made["public"], fresh=made["public"]
        )


@pytest.mark.slow
def test_the_example_on_the_page_prints_what_stands_below_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Limited observers look at the pictures; one of them knows half of the public keys."""
    code, printed = re.findall(
        r"```python\n((?:(?!```).)*?class Memorizer.*?)```\n\n```text\n(.*?)```",
        PAGE.read_text("utf-8"), re.DOTALL,
    )[0]  # fmt: skip
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(compile(code, "docs/inflation.md", "exec"), names)
    assert capsys.readouterr().out == printed
    found, public = names["found"], list(gf.open_bank("public.parquet"))
    learned = {str(item.provenance.content_hash)[:8] for item in public[::2]}
    listed: pd.Series = found.items["item"]
    assert np.mean([name.split("@")[1] in learned for name in listed]) > 0.8
    assert min(names["p"].values()) * len(names["p"]) > 0.05
