"""Before the first participant: previews, the pilot, bots that misbehave, the checklist."""

from __future__ import annotations

import ast
import json
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from support.studies import PASSWORD, client_of, exam_bank, make_study

from gfactor.api import study as studies
from gfactor.cli import cli
from gfactor.errors import ParameterError
from gfactor.studies.questionnaires import (
    Conduct,
    Pay,
    Study,
    StudyFolder,
    application,
    marks,
    pages,
)
from gfactor.studies.questionnaires.pages.preview_states import FORMS, MESSAGES
from gfactor.studies.questionnaires.results.median_intervals import median_interval
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.study.page_definitions import (
    LIBRARY,
    Page,
    PageChoice,
    PageQuestion,
)
from gfactor.studies.questionnaires.study.readiness import check_study
from gfactor.studies.questionnaires.translations import words

KINDS = ("impatient", "dropout", "double-starter", "reloader", "late", "tamperer")


def gfactor(*words: object) -> Any:
    return CliRunner(env={"GFACTOR_OWNER_PASSWORD": PASSWORD}).invoke(
        cli, list(map(str, words)), standalone_mode=False
    )


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> tuple[StudyFolder, Any]:
    """Two of each kind take the pilot of a study with a time limit."""
    folder = make_study(
        tmp_path_factory.mktemp("pilot"), count=6, checks=0, time_limit_s=60.0,
        pay=Pay("EUR", 1.0), conduct=Conduct(minimum_per_hour=12.0),
    )  # fmt: skip
    flags = [word for kind in KINDS for word in ("--misbehaving", f"{kind}=2")]
    done = gfactor("study", "simulate", folder.path, "--pilot", "--persons", 6, *flags, "--json")
    assert done.exit_code == 0, done.output
    return folder, json.loads(done.output)


@pytest.mark.slow
def test_misbehaving_bots_are_marked_and_take_nothing_twice(simulated: Any) -> None:
    folder, said = simulated
    with closing(folder.as_pilot().store()) as store:
        answers, people = store.frame("answers"), store.frame("participants")
        contacts = store.frame("contacts")
    marked = marks(answers, people, folder.study.rules).set_index("code")
    kinds = said["kinds"]
    assert set(kinds) == {"person", *KINDS}
    for kind in ("person", "impatient", "reloader", "late", "tamperer"):
        assert kinds[kind]["finished"] == kinds[kind]["people"], kind
        assert kinds[kind]["answers"] == 6 * kinds[kind]["people"], kind
    assert kinds["dropout"]["finished"] == kinds["double-starter"]["finished"] == 0
    assert len(people) == 6 + 2 * len(KINDS)  # who started twice is one person
    assert len(contacts) == 2
    assert marked.loc[contacts["code"], "items"].tolist() == [2, 2]  # and was not let in again
    assert np.count_nonzero(marked["incomplete"].to_numpy(bool)) == 4
    assert np.count_nonzero(marked["speeding"].to_numpy(bool)) == 2
    late = answers.loc[answers["late"].to_numpy(bool)]
    assert late.groupby("code").size().tolist() == [3, 3]
    assert not answers.duplicated(["code", "position"]).any()
    with closing(folder.as_pilot().store()) as store:
        assert store.ended() is None  # the tamperers closed nothing
        assert store.counters().get("withdrawn", 0) == 0


def test_a_pilot_stays_apart(simulated: Any, tmp_path: Path) -> None:
    folder, said = simulated
    assert studies.status(folder.path).people == ()
    assert len(studies.status(folder.path, pilot=True).people) == said["people"]
    assert studies.export(folder.path, tmp_path / "real").people == 0
    done = gfactor("study", "export", folder.path, "-o", tmp_path / "pilot", "--pilot", "--json")
    assert json.loads(done.output)["people"] == said["people"]


def test_the_pilots_owners_and_log_are_its_own(tmp_path: Path) -> None:
    made = make_study(tmp_path, count=3, checks=0).path

    def said(*words: object) -> Any:
        return json.loads(gfactor("study", *words, "--json").output)

    said("owners", made, "add", "anna", "--pilot")
    names = [[row["name"] for row in said("owners", made, *pilot)["owners"]]
             for pilot in ((), ("--pilot",))]  # fmt: skip
    assert names == [["owner"], ["owner", "anna"]]
    logged = [[row["action"] for row in said("log", made, *pilot)["actions"]]
              for pilot in ((), ("--pilot",))]  # fmt: skip
    assert logged == [[], ["owner added"]]


def test_a_pilot_may_change_and_says_so(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0)
    with client_of(application(folder.as_pilot())) as client:
        form = forms(client.get("/").text)[0]
        client.post("/start", data={**form.hidden, "agree": "yes"})
    text = (folder.path / "study.toml").read_text()
    (folder.path / "study.toml").write_text(text.replace("quota = 0", "quota = 9"))
    changed = StudyFolder.open(folder.path)
    with closing(changed.as_pilot().store()) as store:
        assert [row["reason"] for row in store.declarations()[1]] == ["changed during the pilot"]
    with closing(changed.store()) as store:  # nobody has come yet
        assert store.declarations() == (None, [])
    exam_bank(tmp_path, 4).path.replace(folder.path / "bank.parquet")
    with pytest.raises(ParameterError, match=r"move pilot\.db out"):
        StudyFolder.open(folder.path).as_pilot().store()


def test_the_pilots_median_time_decides_on_pay_per_hour(simulated: Any) -> None:
    folder, _ = simulated
    with closing(folder.as_pilot().store()) as store:
        answers, people = store.frame("answers"), store.frame("participants")
    done = people.loc[people["finished"].notna(), "code"]
    minutes = answers.groupby("code")["seconds"].sum().loc[list(done)] / 60
    rate = 60 / float(np.median(minutes))
    for least, state in ((rate * 0.4, "ok"), (rate * 0.999, "note"), (rate * 1.01, "missing")):
        study = replace(folder.study, conduct=Conduct(minimum_per_hour=least))
        trial = StudyFolder(folder.path)
        trial.__dict__["study"] = study
        checks = {one.name: one for one in check_study(trial)}
        assert checks["pay"].says.startswith(f"{rate:.2f} EUR per hour")
        assert f"n = {len(done)}" in checks["pay"].says
        assert checks["pay"].state == state, (least, checks["pay"])
        assert checks["pilot"].state == "ok"
        assert "bots" in checks["pilot"].says


def test_the_interval_of_a_median_covers_it() -> None:
    """Order statistics 2 and 9 of 10 (Conover's table: 95 % at least, as 1 - 2 * 11 / 1024)."""
    assert median_interval([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) == (2.0, 9.0)
    assert median_interval([1, 2, 3, 4, 5]) == (0.0, 0.0)
    source = np.random.default_rng(1)
    draws = [median_interval(source.exponential(size=25)) for _ in range(1_000)]
    covered = np.mean([low <= np.log(2) <= high for low, high in draws])
    assert 0.94 < covered < 0.985  # 0.957 by the binomial


def ready(folder: Path, **more: Any) -> StudyFolder:
    conduct = Conduct("University", "Research", ethics="2026-17")
    settings = {"contact": "lab@uni.example", "consent": "Please agree.", "conduct": conduct,
                "completion_code": "C1", "quota": 40, **more}  # fmt: skip
    return make_study(folder, count=3, checks=0, **settings)


def states(folder: StudyFolder, **more: Any) -> dict[str, str]:
    return {one.name: one.state for one in check_study(folder, **more)}


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("contact", {"contact": " "}),
    ("ethics", {"conduct": Conduct("University", "Research")}),
    ("data protection", {"conduct": Conduct(ethics="1")}),
    ("retention", {"retention_days": 0}),
    ("retention", {"retention_days": 4_000}),
    ("completion code", {"completion_code": ""}),
    ("consent", {"consent": ""}),
    ("languages", {"languages": ("en", "ar")}),
    ("languages", {"conduct": Conduct({"ar": "x"}, "Research", ethics="1")}),
    ("quotas", {"quota": 40, "quotas": {"en": 41}}),
    ("quotas", {"quota": 40, "quotas": {"en": 39}}),
    ("pay", {"pay": Pay("EUR", 1.0)}),
]


def test_the_checklist_of_a_study_that_is_ready_has_nothing_missing(tmp_path: Path) -> None:
    folder = ready(tmp_path)
    (tmp_path / "copies").mkdir()
    (tmp_path / "copies" / "answers.db").touch()
    words = ["study", "check", folder.path, "--public-url", "https://lab.example",
             "--backups", tmp_path / "copies"]  # fmt: skip
    done = gfactor(*words)
    assert done.return_value == 1, "the code that `gfactor` ends with"
    lacking = [line for line in done.output.splitlines() if line.startswith("missing")]
    assert [line.split(":")[0].split()[1] for line in lacking] == ["pilot"]
    simulated = gfactor("study", "simulate", folder.path, "--pilot", "--persons", 5)
    assert simulated.exit_code == 0, simulated.output
    done = gfactor(*words, "--json")
    assert (done.exit_code, done.return_value) == (0, 0), done.output
    assert json.loads(done.output)["ready"] is True


@pytest.mark.parametrize(("name", "wrong"), WRONG, ids=lambda v: v if isinstance(v, str) else "")
def test_the_checklist_says_what_is_missing(
    tmp_path: Path, name: str, wrong: dict[str, Any]
) -> None:
    right, broken = ready(tmp_path / "a"), ready(tmp_path / "b", **wrong)
    url = "https://lab.example"
    before, after = states(right, public_url=url), states(broken, public_url=url)
    assert before[name] == "ok"
    assert after[name] == "missing"
    assert {n for n in after if after[n] == "missing"} - {
        n for n in before if before[n] == "missing"
    } == {name}
    assert states(right, public_url="http://lab.example")["address"] == "missing"
    assert "items" not in before
    assert (after.get("items") == "note") is ("languages" in wrong)


ASKED = Page("questions", name="you", questions=(
    PageQuestion("gender", "single", library="gender", options=tuple(
        PageChoice(value) for value in LIBRARY["gender"][1])),
    PageQuestion("age", "number", library="age"),
))  # fmt: skip


@pytest.mark.parametrize(
    ("quotas", "state"),
    [({"gender:woman": 20, "gender:man": 20, "condition:hint": 20, "condition:plain": 20,
       "en": 40, "age:18-": 40, "age:18-29": 20, "age:0-17": 0}, "ok"),
     ({"condition:hint": 30, "condition:plain": 20}, "missing"),
     ({"condition:hint": 10, "condition:plain": 20}, "missing"),
     ({"gender:woman": 30, "gender:man": 11}, "missing"),
     ({"gender:woman": 20, "gender:man": 11}, "ok")],
)  # fmt: skip
def test_quotas_add_up_within_a_variable_and_not_across_them(
    tmp_path: Path, quotas: dict[str, int], state: str
) -> None:
    pages = (Page("consent", text="Agree."), ASKED, Page("block", name="b"))
    folder = ready(tmp_path, quotas=quotas, conditions=("hint", "plain"), pages=pages)
    found = [one for one in check_study(folder) if one.name == "quotas"]
    assert [one.state for one in found] == [state], found


def test_the_studys_own_database_is_no_copy_and_a_backup_without_answers_is_one(
    tmp_path: Path,
) -> None:
    folder = ready(tmp_path)
    folder.store().close()
    assert (folder.path / folder.database).exists()
    assert states(folder, backups=folder.path)["backup"] == "missing"
    (folder.path / folder.database).unlink()
    assert gfactor("study", "backup", folder.path, "-o", tmp_path / "copies").exit_code == 0
    assert states(folder, backups=tmp_path / "copies")["backup"] == "ok"


def test_conduct_is_read_strictly_and_changes_no_older_digest(tmp_path: Path) -> None:
    study = Study("s", "S")
    assert "conduct" not in json.loads(study.to_json())
    kept = replace(study, conduct=Conduct({"en": "University", "ar": "جامعة"}, "Research"))
    file = tmp_path / "study.toml"
    file.write_text(kept.to_toml())
    assert Study.from_toml(file) == kept
    for line, said in (("controller = 3", "controller is 3"), ("boss = 'x'", "no setting 'boss'"),
                       ("purpose = {xx = 'y'}", "purpose is"), ("minimum_per_hour = -1", "give 0"),
                       ):  # fmt: skip
        file.write_text(f'id = "s"\ntitle = "S"\n[conduct]\n{line}\n')
        with pytest.raises(ParameterError, match=said):
            Study.from_toml(file)


@pytest.fixture(scope="module")
def previewed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("preview")
    folder = make_study(place, count=6, checks=1, practice=("q05",), languages=("en", "ar"),
                        disclose="closed")  # fmt: skip
    before = {p.name: p.read_bytes() for p in folder.path.iterdir()}
    done = gfactor("study", "preview", folder.path, "-o", place / "preview", "--json")
    assert done.exit_code == 0, done.output
    assert {p.name: p.read_bytes() for p in folder.path.iterdir()} == before  # nothing is written
    assert json.loads(done.output)["pages"] == len(list((place / "preview").glob("*/*.html")))
    return place / "preview"


@pytest.mark.slow
def test_a_preview_has_every_page_in_every_language(previewed: Path) -> None:
    names = {"en": "Before you begin", "ar": "قبل أن تبدأ"}
    for language, consent in names.items():
        shown = [p.read_text("utf-8") for p in sorted((previewed / language).glob("*.html"))]
        assert consent in shown[0]
        assert sum('name="option"' in page for page in shown) == 8  # seven, and one left empty
        empty = f'role="status">{words(language)("no_answer")}<'
        assert sum(empty in page for page in shown) == 1
        assert all(f'lang="{language}"' in page for page in shown)
        others = list((previewed / f"{language}-other-pages").glob("*.html"))
        assert len(others) == len(MESSAGES) + len(FORMS) + 2
        said = "".join(page.read_text("utf-8") for page in others)
        for key in ("right", "wrong"):  # what follows a practice item
            assert f": {words(language)(key)}</h1>" in said
        assert sum("results" in p.name for p in (previewed / language).glob("*.html")) == 3
    index = (previewed / "index.html").read_text("utf-8")
    for path in re.findall(r'href="([^"]+\.html)"', index):
        assert (previewed / path).exists()


def test_a_preview_leads_nowhere_and_holds_no_token(previewed: Path) -> None:
    for path in previewed.glob("*/*.html"):
        page = path.read_text("utf-8")
        assert "<script" not in page
        assert not re.findall(r'(?:src|href|action)="/', page)
        assert not re.findall(r'name="form_token" value="[^"]', page)
        assert "data-step" not in page  # which names the item
        for picture in re.findall(r'src="([^"]+)"', page):
            assert (path.parent / picture).stat().st_size > 100


def test_a_preview_knows_every_message_that_a_page_can_give() -> None:
    """Each `message(request, heading, text)` in the code, so that a new one cannot be forgotten."""
    told = set()
    for file in Path(pages.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "message":
                keys = [a.value for a in node.args[1:3] if isinstance(a, ast.Constant)]
                told.add(tuple(keys))
    told = {keys for keys in told if len(keys) == 2 and keys[1] != "viewers_read"}
    assert told <= set(MESSAGES)


def test_bots_of_an_unknown_kind_are_refused(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3)
    done = gfactor("study", "simulate", folder.path, "--misbehaving", "vandal=1")
    assert "vandal" in str(done.exception)
    done = gfactor("study", "simulate", folder.path, "--misbehaving", "late")
    assert "KIND=N" in str(done.exception)
