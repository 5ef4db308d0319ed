"""gfactor explain-difference: a pair made for the purpose, and pairs of other harnesses."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from support.banks import COUNT, make_item
from support.cli import Ran, run_cli
from support.logs import eval_log, header, output, sample
from support.vlmevalkit import predictions
from support.vlmevalkit import row as prediction

import gfactor as gf
from gfactor.administration import Condition, Journal, Response, render
from gfactor.administration.asking.questions import middle_items
from gfactor.administration.asking.registration import register_bank
from gfactor.errors import ParameterError
from gfactor.examinees import Reply
from gfactor.items import Choice, Image, Item, ItemBank, write_bank

SHARED = Path(__file__).parents[3] / "shared" / "data" / "real_logs"
MATCHED, EXTRA = 400, 100
WHO = "openai:model"


def png(seed: int, scale: float = 1.0, quality: int = 0) -> bytes:
    pixels = np.random.default_rng(seed).integers(0, 256, (16, 24, 3), dtype=np.uint8)
    size = int(24 * scale), int(16 * scale)
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    if quality:
        return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
    return cv2.imencode(".png", small)[1].tobytes()


def item(number: int, data: bytes) -> Item:
    name = f"a-{number:03d}"
    return make_item(name, content=("How many?", Image(data, f"{name}.png")), output_format=COUNT)


def filled(
    path: Path, bank: ItemBank, condition: Condition, says: Callable[[str, int], list[str]]
) -> Path:
    """A journal of replies; `says` gives those to an item, by its number."""
    occasions = max(len(says(name, int(name[2:]))) for name in bank.ids)
    hashes = dict(zip(bank.frame()["id"], bank.frame()["content_hash"], strict=True))
    with Journal.open(path) as journal:
        shown = [render(bank.item(one), Condition()) for one in middle_items(bank).values()]
        register_bank(journal, bank, WHO, condition, occasions, samples=shown)
        journal.add(
            Response(WHO, hashes[name], condition.key, k, Reply(text, "ok", "stop"), "2026-01-01")
            for name in bank.ids
            for k, text in enumerate(says(name, int(name[2:])))
        )
    return path


def reply(right: bool, formatted: bool) -> str:
    number = 3 if right else 5
    return f"COUNT: {number}" if formatted else f"I count, and the count is {number} circles."


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return made(tmp_path_factory.mktemp("made"), MATCHED, EXTRA)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The same pair of fewer items, for what does not depend on their number."""
    return made(tmp_path_factory.mktemp("small"), 40, 10)


def made(folder: Path, matched: int, extra: int) -> tuple[Path, Path]:
    """Four known alterations: easy items more in the first, half of the second's images scaled
    down (-.25), temperature 1 (-.10), and the first read leniently where .8 keep to the format."""
    rng = np.random.default_rng(20)
    ours = [item(k, png(k)) for k in range(matched + extra)]
    theirs = [item(k, png(k, 0.5 if k % 2 else 1.0)) for k in range(matched)]
    first = ItemBank.open(write_bank(ours, folder / "ours.parquet"))
    second = ItemBank.open(write_bank(theirs, folder / "theirs.parquet"))

    def of_first(_: str, k: int) -> list[str]:
        return [reply(k >= matched or rng.random() < 0.8, rng.random() < 0.8)]

    def of_second(_: str, k: int) -> list[str]:
        return [reply(rng.random() < 0.7 - 0.25 * (k % 2), rng.random() < 0.8)]

    said = [
        {n: f(n, int(n[2:])) for n in b.ids} for f, b in ((of_first, first), (of_second, second))
    ]
    return (
        filled(folder / "a.db", first, Condition(), lambda name, _: said[0][name]),
        filled(
            folder / "b.db", second, Condition(decoding={"temperature": 1.0}.items()),  # type: ignore[arg-type]
            lambda name, _: said[1][name],
        ),
    )  # fmt: skip


TRUTH = {
    "items": (0.8 * 400 + 100) / 500 - 0.8,
    "images": 0.125 * 0.9,
    "decoding": 0.10 * 0.9,
    "extraction": 0.2 * (0.8 + 0.575) / 2,
}
"""The population's shares: effects on replies count with the mean of both readings (1 and .8)."""


@pytest.mark.slow
def test_the_shares_of_a_pair_made_for_the_purpose_are_right_within_their_intervals(
    pair: tuple[Path, Path],
) -> None:
    found = gf.explain_difference(*pair, first_settings={"reading": "lenient"})
    shares = found.shares
    assert shares["estimate"].sum() == pytest.approx(found.gap)
    for cause, truth in TRUTH.items():
        row = shares.loc[cause]
        assert row["ci_lower"] < truth < row["ci_upper"], cause
        assert 0 < row["se"] < 0.05
    zero = shares.loc[["prompt", "judge", "scoring rule", "answer key", "unexplained"], "estimate"]
    assert (zero == 0).all()
    assert shares.loc["images", "method"] == shares.loc["decoding", "method"] == "matched items"
    assert found.matched == MATCHED
    assert found.images.set_index("kind")["items"].to_dict() == {"same": 200, "size": 200}
    assert "24 x 16 and 12 x 8 pixels, PNG" in set(found.images["detail"])
    assert found.shares.loc["decoding", "second"] == "temperature=1"


@pytest.mark.slow
def test_a_run_under_mixed_settings_separates_what_else_is_joint(
    pair: tuple[Path, Path], tmp_path: Path
) -> None:
    """Prompt and decoding differ for all items; a third run has the second's prompt alone."""
    bank = ItemBank.open(pair[0].parent / "theirs.parquet")
    cot, hot = Condition(cot=True), Condition(cot=True, decoding=(("temperature", 1.0),))
    right = {"default": 300, cot.key: 200, hot.key: 160}

    def says(condition: Condition) -> Callable[[str, int], list[str]]:
        return lambda _, k: [reply(k < right[condition.key], formatted=True)]

    one = filled(tmp_path / "one.db", bank, Condition(), says(Condition()))
    other = filled(tmp_path / "other.db", bank, hot, says(hot))
    joint = gf.explain_difference(one, other)
    assert joint.shares.loc["prompt + decoding", "estimate"] == pytest.approx(140 / 400)
    assert [d.code for d in joint.diagnostics] == ["joint prompt + decoding"]
    filled(tmp_path / "one.db", bank, cot, says(cot))
    apart = gf.explain_difference(one, other, first_settings={"condition": "default"})
    assert apart.shares.loc["prompt", "estimate"] == pytest.approx(100 / 400)
    assert apart.shares.loc["decoding", "estimate"] == pytest.approx(40 / 400)
    assert "prompt + decoding" not in apart.shares.index


@pytest.mark.slow
def test_the_same_run_again_differs_by_sampling_error_alone(
    pair: tuple[Path, Path], tmp_path: Path
) -> None:
    bank, rng = ItemBank.open(pair[0].parent / "theirs.parquet"), np.random.default_rng(3)
    runs = []
    for name in ("one.db", "other.db"):
        right = rng.random(MATCHED) < 0.6
        runs.append(
            filled(tmp_path / name, bank, Condition(), lambda _, k, r=right: [reply(r[k], True)])
        )
    found = gf.explain_difference(*runs)
    row = found.shares.loc["sampling error"]
    assert row["estimate"] == pytest.approx(found.gap)
    assert row["ci_lower"] < found.gap < row["ci_upper"]
    assert found.shares.loc["unexplained", "estimate"] == 0
    other_model = filled(tmp_path / "m.db", bank, Condition(), lambda _, k: [reply(k < 40, True)])
    left = gf.explain_difference(runs[0], other_model).shares.loc["unexplained"]
    assert left["ci_lower"] > 0.2


@pytest.mark.slow
def test_repeated_answers_tell_the_size_of_sampling_error(
    pair: tuple[Path, Path], tmp_path: Path
) -> None:
    bank, rng = ItemBank.open(pair[0].parent / "theirs.parquet"), np.random.default_rng(4)
    replies = {n: [reply(rng.random() < 0.5, True) for _ in range(2)] for n in bank.ids}
    one = filled(tmp_path / "one.db", bank, Condition(), lambda name, _: replies[name])
    hot = Condition(decoding=(("temperature", 1.0),))
    other = filled(tmp_path / "other.db", bank, hot, lambda name, _: replies[name])
    row = gf.explain_difference(one, other).shares.loc["sampling error"]
    assert row["se"] == pytest.approx(np.sqrt(2 * 0.25 / 2 / MATCHED), rel=0.1)
    assert row["method"].startswith("repeated answers")


@pytest.mark.slow
def test_another_answer_key_is_exchanged_like_a_rule(
    pair: tuple[Path, Path], tmp_path: Path
) -> None:
    bank = ItemBank.open(pair[0].parent / "theirs.parquet")
    corrected = ItemBank.open(
        write_bank([replace(i, target=5) if i.id < "a-050" else i for i in bank],
                   tmp_path / "corrected.parquet")
    )  # fmt: skip
    says = lambda _, k: [reply(k >= 100, True)]  # noqa: E731
    one = filled(tmp_path / "one.db", bank, Condition(), says)
    other = filled(tmp_path / "other.db", corrected, Condition(), says)
    found = gf.explain_difference(one, other)
    assert found.shares.loc["answer key", "estimate"] == pytest.approx(-50 / 400)
    assert found.shares.loc["sampling error", "estimate"] == 0


def test_recompressed_images_are_found_by_their_pixels(tmp_path: Path) -> None:
    data = [png(k) for k in range(4)]
    pixels: Any = cv2.imdecode(np.frombuffer(data[1], np.uint8), 1)
    again = cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, 0])[1].tobytes()
    changed = [data[0], again, png(2, quality=60), png(3, 2.0)]
    banks = [
        ItemBank.open(
            write_bank([item(k, d) for k, d in enumerate(made)], tmp_path / f"{n}.parquet")
        )
        for n, made in enumerate((data, changed))
    ]
    runs = [
        filled(tmp_path / f"{n}.db", bank, Condition(), lambda _, k, n=n: [reply(k + n < 3, True)])
        for n, bank in enumerate(banks)
    ]
    found = gf.explain_difference(*runs)
    assert found.images.set_index("kind")["items"].to_dict() == {
        "format and pixels": 1, "same": 1, "same pixels in another file": 1, "size": 1,
    }  # fmt: skip
    assert "dB" in " ".join(found.images["detail"])
    # The second misses item 2, which was recompressed.
    assert found.shares.loc["images", "estimate"] == pytest.approx(0.25)
    banks[1].path.unlink()
    blind = gf.explain_difference(*runs)
    assert "images_unknown" in {d.code for d in blind.diagnostics}


def lmms_log(folder: Path, count: int) -> Path:
    """A sample log of lmms-eval: right is B, said is the option's text, its own verdict wants B."""
    picture = base64.b64encode(png(1)).decode()
    lines = [
        {"doc_id": k, "target": "B", "doc_hash": f"hash {k}", "acc": 0.0 if k % 2 else 1.0,
         "filtered_resps": ["dog" if k % 2 else "B"],
         "input": f"Which animal is number {k}?\nA. cat\nB. dog\nAnswer with the letter.",
         "input_media": [f"data:image/png;base64,{picture}"]}
        for k in range(count)
    ]  # fmt: skip
    folder.mkdir(exist_ok=True)
    path = folder / "20261122_180657_samples_toy.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    settings = {"max_new_tokens": 16, "temperature": 0.0}
    configs = {"model_name": "vlm", "configs": {"toy": {"generation_kwargs": settings}}}
    (folder / "20261122_180657_results.json").write_text(json.dumps(configs), "utf-8")
    return path


def inspect_log(path: Path, count: int) -> Path:
    picture = base64.b64encode(png(1)).decode()
    samples = [
        sample(k, output("ANSWER: B" if k % 4 else "ANSWER: A"),
               attachments={"abc": f"data:image/png;base64,{picture}"},
               scores={"choice": {"value": "C" if k % 4 else "I"}})
        for k in range(count)
    ]  # fmt: skip
    return eval_log(path, samples, header(model="openai/vlm"))


def test_logs_of_lmms_eval_and_inspect_are_explained_as_they_are(tmp_path: Path) -> None:
    one, other = lmms_log(tmp_path / "lmms", 24), inspect_log(tmp_path / "log.eval", 20)
    found = gf.explain_difference(one, other, first_settings={"reading": "harness"})
    assert found.matched == 20
    assert found.scores["score"].tolist() == [0.5, 0.75]
    assert found.shares.loc["extraction", "estimate"] == pytest.approx(-0.5)
    # By our reading lmms-eval's replies are all right, three quarters of Inspect's.
    assert found.shares.loc["prompt + decoding", "estimate"] == pytest.approx(0.25)
    assert found.shares["estimate"].sum() == pytest.approx(found.gap)
    assert found.shares.loc["decoding", "first"] == "max_tokens=16,temperature=0"
    assert found.images["kind"].tolist() == ["same"]


def test_decoding_that_nobody_knows_is_not_called_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files of VLMEvalKit say nothing of temperature: any effect of it is in what is left."""
    journals = []
    for name, letters in (("one", "BBAB"), ("two", "BAAB")):
        folder = tmp_path / name
        file = predictions(folder, [prediction(k, said) for k, said in enumerate(letters)])
        journals.append(str(folder / "c.db"))
        gf.import_logs("vlmevalkit", file, journal=journals[-1])
    found = gf.explain_difference(*journals)
    row = found.shares.loc["decoding"]
    assert np.isnan(row["estimate"])
    assert row["method"] == "not known; its share is in what is left"
    assert "unknown_decoding" in {note.code for note in found.diagnostics}
    assert found.shares["estimate"].sum() == pytest.approx(found.gap) == pytest.approx(0.25)
    shown = run_cli(monkeypatch, capsys, "explain-difference", *journals).out
    line = next(line for line in shown.splitlines() if line.split()[:1] == ["decoding"])
    assert line.split()[1:3] == ["-", "-"]
    same = gf.explain_difference(journals[0], journals[0])
    assert same.shares.loc["decoding", "method"] == "the same in both"


@pytest.mark.thorough
def test_an_imported_journal_says_the_same_as_its_log(tmp_path: Path) -> None:
    log, other = lmms_log(tmp_path / "lmms", 20), inspect_log(tmp_path / "log.eval", 20)
    gf.import_logs("lmms-eval", log, journal=tmp_path / "lmms.db")
    gf.import_logs("inspect", other, journal=tmp_path / "inspect.db")
    of_logs = gf.explain_difference(log, other)
    of_journals = gf.explain_difference(tmp_path / "lmms.db", tmp_path / "inspect.db")
    assert of_journals.gap == of_logs.gap
    assert of_journals.shares["estimate"].tolist() == of_logs.shares["estimate"].tolist()


def test_a_reported_score_that_is_not_reproduced_is_its_own_cause(small: tuple[Path, Path]) -> None:
    found = gf.explain_difference(*small, second_settings={"reported": "0.9"})
    assert found.scores.loc["second", "score"] == 0.9
    scored = found.scores.loc["second", "scored"]
    assert found.shares.loc["not reproduced", "estimate"] == pytest.approx(scored - 0.9)
    assert found.shares["estimate"].sum() == pytest.approx(found.gap)


def few_answers(path: Path, bank: ItemBank, right: str, condition: Condition) -> Path:
    """A journal in which an item is right ("1"), wrong ("0") or was never answered ("-")."""
    hashes = dict(zip(bank.frame()["id"], bank.frame()["content_hash"], strict=True))
    with Journal.open(path) as journal:
        shown = [render(bank.item(one), Condition()) for one in middle_items(bank).values()]
        register_bank(journal, bank, WHO, condition, 1, samples=shown)
        journal.add(
            Response(WHO, hashes[name], condition.key, 0,
                     Reply(reply(mark == "1", True), "ok", "stop"), "2026-01-01")
            for name, mark in zip(bank.ids, right, strict=True) if mark != "-"
        )  # fmt: skip
    return path


def small_bank(folder: Path, count: int) -> ItemBank:
    return ItemBank.open(write_bank([item(k, png(k)) for k in range(count)], folder / "b.parquet"))


@pytest.mark.thorough
def test_items_answered_in_one_measurement_alone_are_no_effect_of_the_prompt(
    tmp_path: Path,
) -> None:
    """On the four items that both answered nothing differs; the first lost two more."""
    bank = small_bank(tmp_path, 6)
    one = few_answers(tmp_path / "one.db", bank, "111000", Condition())
    other = few_answers(tmp_path / "other.db", bank, "1110--", Condition(cot=True))
    found = gf.explain_difference(one, other)
    assert (found.matched, found.gap) == (4, pytest.approx(0.5 - 0.75))
    assert found.shares.loc["prompt", "estimate"] == 0
    assert found.shares.loc["items", "estimate"] == pytest.approx(found.gap)
    assert found.shares["estimate"].sum() == pytest.approx(found.gap)
    assert [note.code for note in found.diagnostics] == ["missing_answers"]


def test_items_of_one_measurement_that_are_all_right_leave_the_share_uncertain(
    tmp_path: Path,
) -> None:
    bank = small_bank(tmp_path, 6)
    one = few_answers(tmp_path / "one.db", bank, "111111", Condition())
    other = few_answers(tmp_path / "other.db", bank, "1111--", Condition(cot=True))
    row = gf.explain_difference(one, other).shares.loc["items"]
    assert row["estimate"] == 0
    assert row["ci_lower"] < -0.1 < 0.1 < row["ci_upper"]


def test_measurements_without_an_item_that_both_answered_are_refused(tmp_path: Path) -> None:
    bank = small_bank(tmp_path, 4)
    one = few_answers(tmp_path / "one.db", bank, "111-", Condition())
    other = few_answers(tmp_path / "other.db", bank, "--11", Condition(cot=True))
    with pytest.raises(ParameterError, match="1 of the 4 items that match have an answer in both"):
        gf.explain_difference(one, other)


@pytest.mark.skipif(not SHARED.is_dir(), reason="real logs of harnesses lie beside the checkout")
def test_real_logs_of_lmms_eval_and_inspect() -> None:
    pytest.importorskip("zstandard")
    one = next((SHARED / "lmms_eval").glob("*samples_my_mc.jsonl"))
    other = next((SHARED / "inspect").glob("*colours*.eval"))
    found = gf.explain_difference(one, other, first_settings={"reading": "harness"})
    assert found.matched == 40
    assert found.scores.loc["first", "score"] == pytest.approx(0.025)
    # 18 of the 38 replies that came are right by hand; lmms-eval's prefix match finds one of 40.
    assert found.shares.loc["extraction", "estimate"] == pytest.approx(0.025 - 18 / 38)
    assert found.shares["estimate"].sum() == pytest.approx(found.gap)
    assert found.images.set_index("kind")["items"].to_dict() == {"same": 40}


@pytest.fixture
def explain(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *words: run_cli(monkeypatch, capsys, "explain-difference", *map(str, words))


@pytest.mark.slow
def test_the_command_says_the_same_and_writes_a_page(
    explain: Callable[..., Ran], pair: tuple[Path, Path], tmp_path: Path
) -> None:
    ran = explain(*pair, "--first", "reading=lenient", "--json", "-o", tmp_path / "page")
    found = gf.explain_difference(*pair, first_settings={"reading": "lenient"})
    assert json.loads(ran.out) == found.to_dict()
    assert (tmp_path / "page" / "report.html").exists()
    text = explain(*pair, "--first", "reading=lenient").out
    assert found.title in text
    for cause in (*TRUTH, "sampling error", "unexplained"):
        assert cause in text
    assert "24 x 16 and 12 x 8 pixels" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--first", "lenient"), "NAME=VALUE"),
        (("--first", "reading=free"), "unknown reading 'free'"),
        (("--first", "color=red"), "unknown setting of the first measurement 'color'"),
        (("--first", "reported=40"), "from 0 to 1"),
        (("--second", "examinee=openai:other"), "unknown examinee"),
        (("--second", "condition=cot=on"), "unknown condition 'cot=on'; known: temperature=1"),
        (("--second", "reading=harness"), "needs the log file"),
        (("--cluster", "colour"), "unknown label 'colour'"),
        (("--second", "bank=none.parquet"), "there is no file"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(
    explain: Callable[..., Ran], small: tuple[Path, Path], words: tuple[str, ...], message: str
) -> None:
    ran = explain(*small, *words)
    assert ran.code == 2
    assert message in ran.err


def test_items_of_different_benchmarks_do_not_match(
    small: tuple[Path, Path], tmp_path: Path
) -> None:
    bank = ItemBank.open(
        write_bank(
            [make_item(f"b-{k:03d}", content=(f"Question {k}",), answer_type="choice", target="A",
                       choices=(Choice("A", "x"), Choice("B", "y")), output_format=None)
             for k in range(5)],
            tmp_path / "other.parquet",
        )
    )  # fmt: skip
    other = filled(tmp_path / "other.db", bank, Condition(), lambda _, k: ["A"])
    with pytest.raises(ParameterError, match="0 items of both measurements match"):
        gf.explain_difference(small[0], other)


def test_blank_images_are_other_pixels_and_removed_ones_another_number(tmp_path: Path) -> None:
    bank = gf.build(
        "percept-v", domains=["counting_circles"], sizes=[1, 5], instances=2,
        path=tmp_path / "pv.parquet",
    )  # fmt: skip
    gf.run(bank, ["baseline:random"], journal=tmp_path / "a.db").close()
    kinds = {
        "blank": "pixels", "first": "same", "blank-if-needed": "same", "removed": "number of images"
    }  # fmt: skip
    for images, kind in kinds.items():
        path = tmp_path / f"{images}.db"
        gf.run(bank, ["baseline:random"], journal=path, condition=f"images={images}").close()
        altered = gf.explain_difference(tmp_path / "a.db", path).images
        assert list(altered["kind"]) == [kind]
