"""campaign.toml is read strictly: whatever it gets wrong is one sentence with file and key."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import cast

import pytest
from support.banks import make_items

import gfactor as gf
from gfactor.api.campaign.declaring import read_campaign
from gfactor.api.campaign.run_options import KEYS, LEFT_OUT, placed
from gfactor.api.campaign.survey import key_of
from gfactor.errors import ParameterError
from gfactor.items import write_bank

BANK = '[[banks]]\npath = "b.parquet"\n'
SERVER = '[servers.lab]\nbase_url = "http://127.0.0.1:1/v1"\n'
MODEL = '[[models]]\nspec = "openai:m"\nserver = "lab"\n'
ALL = BANK + SERVER + MODEL
BUILT = SERVER + MODEL + "[[banks]]\npath = 'new.parquet'\n"
PV = "build = 'percept-v'\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_bank(make_items("ab", 2, 3), tmp_path / "b.parquet")
    return tmp_path


def written(folder: Path, text: str) -> Path:
    path = folder / "c.toml"
    path.write_text(text, encoding="utf-8")
    return path


MISTAKES = {
    "": "banks: give at least one",
    "[campagin]\n" + ALL: "campagin: this means nothing here; did you mean campaign?",
    "[campaign]\nbudgett = 3\n" + ALL: "campaign.budgett: this means nothing here; did you mean b",
    "[campaign]\nbudget = -1\n" + ALL: "campaign.budget: give a number from 0, not -1",
    "[campaign]\nbudget = 3\n" + ALL: "campaign.budget: model 'openai:m' has no price",
    "[campaign]\noccasions = 0\n" + ALL: "campaign.occasions: give a whole number from 1",
    "[[banks]]\npath = 'x.parquet'\n"
    + SERVER
    + MODEL: "banks\\[1\\].path: there is no file '.*x.p",
    BANK + ALL: "banks: two are called 'b'; give each a name",
    "[[banks]]\npath = 'b.parquet'\nseed = 3\n"
    + SERVER
    + MODEL: "options and seed apply only to a bank",
    BANK + SERVER: "models: give at least one",
    BANK
    + '[[models]]\nspec = "openai:m"\n': "models\\[1\\].server: a model over HTTP needs a serv",
    BANK + MODEL: "models\\[1\\].server: there is no table \\[servers.lab\\]",
    ALL + MODEL: "models: two are called 'openai:m'",
    ALL + "prices = {}\n": "models\\[1\\].prices: this means nothing here; did you mean price?",
    ALL + "price = {input = 1}\n": "models\\[1\\].price.output: this is missing",
    ALL + "price = {input = 1, output = nan}\n": "models\\[1\\].price.output: give a number",
    ALL + "rpm = 1.5\n": "models\\[1\\].rpm: give a whole number from 1, not 1.5",
    ALL + '[[models]]\nspec = "baseline:random"\nbudget = 3\n': "'baseline:random' is not asked ov",
    ALL + '[[models]]\nspec = "observr:ideal"\n': "models\\[2\\].spec: unknown examinee scheme",
    BANK + "[servers.lab]\nbase_url = 'ftp://x'\n" + MODEL: "servers.lab: base URL 'ftp://x' is no",
    BANK + "[servers.lab]\nkey = 'secret'\n" + MODEL: "servers.lab.key: .* did you mean key_env?",
    ALL
    + "[conditions]\ncott = true\n": "conditions.cott: this means nothing here; did you mean cot",
    ALL + "[conditions]\ncot = []\n": "conditions.cot: give a value, or a list",
    ALL + "[conditions]\nimages = ['shwn']\n": "conditions: images=shwn: unknown value of images",
    ALL + "[conditions]\ncot = [true, true]\n": "conditions: the condition cot=on comes twice",
    ALL + "[conditions]\nimages = 'shown,cot=on'\n": "conditions.images: 'shown,cot=on' is not on",
    ALL + "[[exclude]]\nmodel = 'x'\n": "exclude\\[1\\].model: there is no model 'x'",
    ALL + "[[exclude]]\ncot = true\n": "exclude\\[1\\]: no cell is excluded by this",
    ALL + "[[exclude]]\nmodel = 'openai:m'\n": "exclude: every cell is excluded",
    ALL + "[materials]\nknowledge = 'k.csv'\n": "materials.knowledge: there is no file",
    ALL + "[materials]\ncaptions_by = 'x'\n": "materials.captions_by: no model is called 'x'",
    ALL + "[conditions]\nknowledge = true\n": "materials.knowledge: a condition has knowledge=on",
    ALL + "[conditions]\nshots = 2\n": "materials.shots_from: a condition has shots",
    BANK + "[[models]]\nspec = ''\n": "^campaign file '[^']+', models\\[1\\].spec: give a",
    BUILT + "build = 'percept'\n": "banks\\[1\\].build: unknown benchmark 'percept'; did you mean",
    BUILT
    + PV
    + "options = {size = [1]}\n": "options.size: this means nothing here; did you mean s",
    BUILT + PV + "options = {jobs = 2}\n": "banks\\[1\\].options.jobs: this means nothing here",
    "[campaign]\nuntil = 'ranking decided'\n" + ALL: "campaign.until: .* asks all its qu",
    "[campaign]\nknowledge = 'k.csv'\n" + ALL: "it stands in \\[materials\\] knowledge; known are",
}


@pytest.mark.parametrize("text", MISTAKES, ids=lambda text: MISTAKES[text][:40])
def test_a_mistake_is_one_sentence_with_file_and_key(folder: Path, text: str) -> None:
    with pytest.raises(ParameterError, match=MISTAKES[text]) as told:
        read_campaign(written(folder, text))
    assert str(told.value).startswith(f"campaign file '{folder / 'c.toml'}', ")
    assert "\n" not in str(told.value)


def test_every_option_of_run_has_a_key_of_the_file_or_a_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A new option of `run` has a reason before somebody writes one."""
    options = {*inspect.signature(gf.run).parameters}
    assert options >= KEYS.keys() | LEFT_OUT.keys()
    assert not KEYS.keys() & LEFT_OUT.keys()
    assert all(map(placed, options))
    monkeypatch.delitem(cast("dict[str, str]", LEFT_OUT), "dry_run")
    assert placed("dry_run") == "only gfactor run has it, not a campaign"
    assert placed("dry_walk") == ""


def test_what_is_no_toml_or_no_file_is_said(folder: Path) -> None:
    with pytest.raises(ParameterError, match="is not TOML: Expected"):
        read_campaign(written(folder, "[campaign"))
    with pytest.raises(ParameterError, match="cannot be read"):
        read_campaign(folder / "missing.toml")


def test_a_byte_order_mark_and_line_ends_of_windows_are_read(folder: Path) -> None:
    path = folder / "c.toml"
    path.write_bytes(b"\xef\xbb\xbf" + ALL.replace("\n", "\r\n").encode())
    assert [model.name for model in read_campaign(path).models] == ["openai:m"]


def test_an_option_of_the_wrong_type_is_said_before_the_bank_is_built(folder: Path) -> None:
    path = written(folder, BUILT + PV + "options = {instances = 'many'}\n")
    with pytest.raises(ParameterError, match="bank 'new' cannot be built: an option of percept-v"):
        gf.campaign.plan(path)
    assert not (folder / "new.parquet").exists()


def test_a_grid_is_every_combination_but_what_is_excluded(folder: Path) -> None:
    text = BANK + SERVER + MODEL + '[[models]]\nspec = "baseline:random"\nname = "guess"\n' + (
        '[conditions]\nimages = ["shown", "removed"]\ncot = [false, true]\ntemperature = [0, 0.5]\n'
        '[[exclude]]\nimages = "removed"\ncot = true\n'
        '[[exclude]]\nmodel = "guess"\ntemperature = 0.5\n'
    )  # fmt: skip
    read = read_campaign(written(folder, text))
    assert len(read.conditions) == 8
    assert len(read.cells) == 6 + 3
    keys = {key for _, model, key in read.cells if model == "guess"}
    assert keys == {"temperature=0", "cot=on,temperature=0", "images=removed,temperature=0"}


def test_a_key_that_is_not_set_is_said_before_anything_is_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LAB_KEY", raising=False)
    path = written(folder, BANK + SERVER + "key_env = 'LAB_KEY'\n" + MODEL)
    assert gf.campaign.plan(path).facts["answers"] == 12
    with pytest.raises(ParameterError, match="environment variable LAB_KEY holds no key"):
        gf.campaign.run(path)
    assert not (folder / "c.db").exists()


def test_models_of_one_server_share_its_limits_and_have_their_own(folder: Path) -> None:
    second = '[[models]]\nspec = "openai:n"\nserver = "lab"\nrpm = 30\nmax_in_flight = 99\n'
    read = read_campaign(written(folder, BANK + SERVER + "rpm = 60\nmax_in_flight = 8\n" + MODEL
                                 + second))  # fmt: skip
    one, two = read.models
    assert one.server is two.server
    assert one.server is not None
    assert (one.server.endpoint.rpm, one.endpoint.rpm, two.endpoint.rpm) == (60, 0, 30)
    assert (one.endpoint.max_in_flight, two.endpoint.max_in_flight) == (8, 8)


def test_two_names_of_one_examinee_are_refused(folder: Path) -> None:
    path = written(folder, ALL + '[[models]]\nname = "again"\nspec = "openai:m"\nserver = "lab"\n')
    with pytest.raises(ParameterError, match="two entries give the same examinee, 'openai:m"):
        gf.campaign.plan(path)


def test_a_plan_counts_what_is_left_and_says_what_it_rests_on(folder: Path) -> None:
    path = written(
        folder,
        "[campaign]\noccasions = 2\nbudget = 0.001\n" + ALL + "price = {input = 1, output = 2}\n"
        "[conditions]\nmax_tokens = 50\ncot = [false, true]\n",
    )
    plan = gf.campaign.plan(path)
    facts, cells = plan.facts, plan.cells
    assert (facts["answers"], facts["requests"], len(cells)) == (48, 48, 4)
    assert set(cells["tokens_out"]) == {12 * 50}
    assert facts["cost"] == pytest.approx((facts["tokens_in"] + 2 * 48 * 50) / 1e6, rel=0.01)
    assert facts["rests_on"].startswith("rules for images and texts")
    assert [d.code for d in plan.diagnostics] == ["budget"]
    # 48 answers of 1 s + 50 tokens at 50 a second, 64 at once.
    assert facts["hours"] == pytest.approx(48 * 2 / 64 / 3600)


def test_limits_decide_how_long_it_takes(folder: Path) -> None:
    path = written(folder, BANK + SERVER + "rpm = 2\n" + MODEL)
    assert gf.campaign.plan(path).facts["hours"] == pytest.approx(12 / 2 / 60)


def test_a_bank_is_built_from_its_recipe_once(folder: Path) -> None:
    recipe = (
        '[[banks]]\npath = "made.parquet"\nbuild = "percept-v"\nseed = 3\nsample = 1\n'
        'options = {domains = ["counting_circles"], sizes = [1, 2], instances = 2}\n'
    )
    path = written(folder, recipe + '[[models]]\nspec = "baseline:random"\n')
    assert gf.campaign.plan(path).facts["answers"] == 2
    before = (folder / "made.parquet").stat().st_mtime_ns
    assert len(gf.open_bank(folder / "made.parquet")) == 4
    assert gf.campaign.run(path).facts["done"] == 2
    assert (folder / "made.parquet").stat().st_mtime_ns == before


def test_a_vendors_key_goes_to_that_vendor_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = {
        "openai": "OPENAI_API_KEY",
        "anthropic": "ANTHROPIC_API_KEY",
        "google": "GOOGLE_API_KEY",
    }
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    for kind, variable in kinds.items():
        monkeypatch.setenv(variable, f"sk-of-{kind}")
    models = [f'[[models]]\nspec = "{kind}:m"\nserver = "vendor"\n' for kind in kinds]
    elsewhere = '[[models]]\nspec = "anthropic:other"\nserver = "lab"\n'
    text = BANK + SERVER + "[servers.vendor]\n" + "".join(models) + elsewhere
    keys = [key_of(entry) for entry in read_campaign(written(folder, text)).models]
    assert keys == ["sk-of-openai", "sk-of-anthropic", "sk-of-google", ""]
