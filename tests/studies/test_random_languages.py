"""Languages drawn at random among those that a participant reads: balanced, and open by quota."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
from support.studies import PASSWORD, client_of, exam_items
from support.visitors import Visitor

from gfactor.errors import ParameterError
from gfactor.items import ItemBank, write_bank
from gfactor.studies.questionnaires import Study, StudyFolder, application, export_study
from gfactor.studies.questionnaires.simulating import serving, simulate
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.study.languages import LanguageDraw

LANGUAGES = ("en", "zh", "ar")


def parallel_study(folder: Path, **settings: object) -> StudyFolder:
    items = []
    for language in LANGUAGES:
        for item in exam_items(2, "zh" if language == "zh" else "en"):
            values = {**vars(item), "id": f"{language}-{item.id}", "language": language}
            values = {k: v for k, v in values.items() if k in item.__dataclass_fields__}
            items.append(type(item)(**values))
    bank = ItemBank.open(write_bank(items, folder / "bank.parquet"))
    study = Study(
        **{
            "id": "parallel", "title": "Parallel", "checks": 0, "languages": LANGUAGES,
            "random_languages": LANGUAGES, **settings,
        }
    )  # fmt: skip
    return StudyFolder.make(folder / "study", study, bank, PASSWORD)


def enter(folder: StudyFolder, app: object, *reads: str) -> str:
    """Consent as somebody who reads these; the page that follows."""
    with client_of(app) as client:
        [form] = [f for f in forms(client.get("/").text) if f.action.endswith("/start")]
        return client.post("/start", data={**form.hidden, "agree": "yes", "reads": reads}).text


def drawn(folder: StudyFolder) -> pd.DataFrame:
    store = folder.store()
    people = store.frame("participants").merge(store.frame("randomized"), on="code")
    store.close()
    return people.sort_values("number")


@pytest.mark.slow
def test_those_who_read_the_same_languages_are_spread_evenly_over_them(tmp_path: Path) -> None:
    folder = parallel_study(tmp_path)
    app = application(folder)
    for _ in range(6):
        enter(folder, app, *LANGUAGES)
        enter(folder, app, "ar", "en")
        enter(folder, app, "zh")
    people = drawn(folder)
    counts = {known: Counter(part["language"]) for known, part in people.groupby("known")}
    assert counts["en;zh;ar"] == {"en": 2, "zh": 2, "ar": 2}
    assert counts["en;ar"] == {"en": 3, "ar": 3}
    assert counts["zh"] == {"zh": 6}
    for row in people.to_dict("records"):
        assert f'"{row["language"]}-' in row["form"], "their items are in their language"
    order = list(people.loc[people["known"] == "en;ar", "language"])
    assert all(set(order[k : k + 2]) == {"en", "ar"} for k in (0, 2, 4))


def test_which_comes_first_is_random_and_follows_from_the_seed(tmp_path: Path) -> None:
    folder = parallel_study(tmp_path)
    draw = LanguageDraw(folder.study, ("en", "zh"), ("en", "zh"), folder.plans)
    first = [draw.language({}, number) for number in range(200)]
    assert first == [draw.language({}, number) for number in range(200)]
    assert 70 < first.count("en") < 130
    assert {draw.language({"en": 3, "zh": 2}, number) for number in range(20)} == {"zh"}


@pytest.mark.slow
def test_a_full_language_is_drawn_no_more_and_all_full_is_full(tmp_path: Path) -> None:
    folder = parallel_study(tmp_path, quotas={"en": 1, "zh": 1, "ar": 1})
    with serving(folder) as base:
        for _ in range(2):
            with Visitor(base) as visitor:
                hidden = visitor.form("/", "/start").hidden
                visitor.post("/start", {**hidden, "agree": "yes", "reads": ["en", "ar"]})
                visitor.finish()
        with Visitor(base) as visitor:
            hidden = visitor.form("/", "/start").hidden
            page = visitor.post("/start", {**hidden, "agree": "yes", "reads": ["ar", "en"]}).text
            assert "Enough people" in page
            page = visitor.post("/start", {**hidden, "agree": "yes", "reads": LANGUAGES}).text
            assert 'lang="zh-Hans"' in page
    assert Counter(drawn(folder)["language"]) == {"en": 1, "ar": 1, "zh": 1}
    export_study(folder, tmp_path / "out")
    data = tmp_path / "out" / "psych_ds"
    people = pd.read_csv(data / "data" / "study-parallel_participants_data.csv")
    assert sorted(people["languages_read"]) == ["en;ar", "en;ar", "en;zh;ar"]
    dictionary = pd.read_csv(data / "data_dictionary.csv").set_index("variable")
    assert "was drawn" in dictionary.loc["languages_read", "description"]


@pytest.mark.slow
def test_nobody_is_drawn_who_says_nothing_and_a_withdrawal_deletes_it(tmp_path: Path) -> None:
    folder = parallel_study(tmp_path)
    with serving(folder) as base, Visitor(base) as visitor:
        hidden = visitor.form("/?language=ar", "/start").hidden
        page = visitor.post("/start", {**hidden, "agree": "yes"}).text
        assert 'dir="rtl"' in page
        assert 'role="alert"' in page
        assert drawn(folder).empty
        visitor.post("/start", {**hidden, "agree": "yes", "reads": ["en", "fr", "<b>"]})
        assert list(drawn(folder)["known"]) == ["en"]
        visitor.post("/withdraw", visitor.form("/withdraw", "/withdraw").hidden)
    store = folder.store()
    assert store.frame("randomized").empty
    store.close()


def test_a_consent_was_given_in_the_language_that_was_read_not_in_the_one_drawn(
    tmp_path: Path,
) -> None:
    folder = parallel_study(tmp_path)
    with client_of(application(folder)) as client:
        [form] = [f for f in forms(client.get("/").text) if f.action.endswith("/start")]
        client.post("/start", data={**form.hidden, "agree": "yes", "reads": "zh"})
        held = client.get("/receipt/consent").json()["consent"]
    assert list(drawn(folder)["language"]) == ["zh"]
    assert (held["language"], held["text"][:4]) == ("en", "You ")


def test_simulated_people_read_all_languages(tmp_path: Path) -> None:
    folder = parallel_study(tmp_path)
    with serving(folder, simulated=True) as base:
        asyncio.run(simulate(base, folder, {"person": 3}, seed=1))
    people = drawn(folder)
    assert sorted(people["language"]) == sorted(LANGUAGES)
    assert people["finished"].notna().to_numpy().all()


@pytest.mark.parametrize("names", [("en",), ("en", "en"), ("en", "fr")])
def test_random_languages_are_languages_of_the_study(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    with pytest.raises(ParameterError, match="random_languages of a study are"):
        parallel_study(tmp_path, random_languages=names)


def test_studies_without_keep_their_digest() -> None:
    assert "random_languages" not in Study("old", "Old").to_json()
