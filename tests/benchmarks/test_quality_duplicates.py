"""What is twice in a bank is found, listed for people, and no longer listed when they decided."""

from __future__ import annotations

import csv
import functools
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.quality import asked, bank_of, checked, found, image, scene
from support.tiers import few

from gfactor.benchmarks import audit_bank, build, check_quality, read_decisions, write_review
from gfactor.benchmarks.quality import look_at
from gfactor.benchmarks.quality.banding import candidates
from gfactor.benchmarks.quality.checks.near_duplicate_images import (
    BITS,
    _bands,
    pairs_alike,
)
from gfactor.benchmarks.quality.checks.near_duplicate_texts import (
    jaccard,
    plain,
    shingles,
    sketches,
)
from gfactor.errors import ParameterError
from gfactor.imaging import Pixels
from gfactor.items import Item, ItemBank, Provenance

PASSAGE = "A train leaves the station at nine and meets another one after 120 kilometres; when?"


def jpeg(pixels: Pixels, quality: int = 40) -> Pixels:
    done, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert decoded is not None
    return decoded.astype(np.uint8)


def test_items_that_ask_the_same_are_one_thing_and_two_with_other_keys(tmp_path: Path) -> None:
    one, copy = image(scene(1), "a.png"), image(scene(1), "elsewhere.png")
    items = [
        asked("first", "Which?", one), asked("copy", "Which? ", copy),
        asked("other-key", "Which?", one, target="B"), asked("other-text", "Where?", one),
        asked("other-picture", "Which?", image(scene(2))),
    ]  # fmt: skip
    quality = checked(items, tmp_path, "identical_items")
    assert found(quality) == {
        "conflicting_keys": [("first", "other-key")], "identical_items": [("first", "copy")]
    }  # fmt: skip
    assert quality.findings[0].severity == "error"
    assert quality.outcomes["identical_items"].measures == {"pictures_with_several_items": 1}


def test_the_audit_counts_the_duplicates_that_the_check_names(tmp_path: Path) -> None:
    one, copy = image(scene(1), "a.png"), image(scene(1), "b.png")
    items = [asked("first", "Which?", one), asked("copy", "Which?", copy),
             asked("other-text", "Where?", one)]  # fmt: skip
    own = [replace(i, provenance=Provenance("own", "1", content_hash=i.id)) for i in items]
    for name, bank in (("hashed", items), ("own", own)):
        audit = audit_bank(bank_of(bank, tmp_path, f"{name}.parquet"))
        assert audit.domains["a"]["duplicates"] == 1, name


@pytest.mark.parametrize(
    ("key", "code"),
    [("40,0", "identical_items"), ("40", "identical_items"), ("41", "conflicting_keys"),
     ("40.0 m", "conflicting_keys")],
)  # fmt: skip
def test_two_spellings_of_one_number_are_one_key(tmp_path: Path, key: str, code: str) -> None:
    items = [
        replace(asked(name, "How warm?"), answer_type="blanks", target=(text,), choices=())
        for name, text in (("first", "40.0"), ("copy", key))
    ]
    quality = checked(items, tmp_path, "identical_items")
    assert list(found(quality)) == [code]
    assert quality.to_dict()["findings"][0]["check"] == "identical_items"


@pytest.mark.parametrize("change", few(["jpeg", "smaller", "brighter", "speck"], 1))
def test_a_picture_that_was_made_anew_is_found_again(tmp_path: Path, change: str) -> None:
    pixels = scene(4, 300, 200)
    speck = pixels.copy()
    speck[3:6, 3:6] = 0
    again = {
        "jpeg": jpeg(pixels),
        "smaller": np.asarray(cv2.resize(pixels, (210, 140), interpolation=cv2.INTER_AREA)),
        "brighter": np.clip(pixels.astype(int) + 8, 0, 255).astype(np.uint8),
        "speck": speck,
    }[change]
    others = [asked(f"q{k}", f"Number {k}?", image(scene(k + 10))) for k in range(30)]
    items = [asked("a", "First?", image(pixels)), *others, asked("b", "Second?", image(again))]
    assert found(checked(items, tmp_path, "near_duplicate_images")) == {
        "near_duplicate_images": [("a", "b")]
    }


def curve(color: tuple[int, int, int]) -> Pixels:
    """A curve in one color on white."""
    x = np.linspace(0, 1, 400)
    y = 150 + 90 * np.sin(14 * x)
    drawn = np.full((300, 440, 3), 255, np.uint8)
    points = np.stack([20 + 400 * x, y], axis=1).round().astype(np.int32)
    return np.asarray(cv2.polylines(drawn, [points], False, color, 4), np.uint8)


@pytest.mark.parametrize(
    ("color", "other"),
    [
        ((255, 165, 0), (255, 0, 0)),
        ((255, 165, 0), (165, 42, 42)),
        ((0, 0, 255), (128, 0, 128)),
    ],
)
def test_pictures_in_which_a_part_has_another_color_are_no_duplicates(
    tmp_path: Path, color: tuple[int, int, int], other: tuple[int, int, int]
) -> None:
    one = curve(color)
    copies = [one, jpeg(one, 60), np.asarray(cv2.resize(one, None, fx=0.6, fy=0.6))]
    shown = [*copies, curve(other)]
    items = [
        asked(f"q{k}", f"Which color has the curve of chart {k}?", image(pixels))
        for k, pixels in enumerate(shown)
    ]
    pairs = {("q0", "q1"), ("q0", "q2"), ("q1", "q2")}
    for check in ("near_duplicate_images", "near_duplicate_texts"):
        assert set(found(checked(items, tmp_path, check))[check]) == pairs


def turned(pixels: Pixels, degrees: float) -> Pixels:
    height, width = pixels.shape[:2]
    change = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    return np.asarray(
        cv2.warpAffine(pixels, change, (width, height), borderValue=(255, 255, 255)), np.uint8
    )


CHANGED: dict[str, Callable[[Pixels], Any]] = {
    "crop-2": lambda p: p[p.shape[0] // 50 : -(p.shape[0] // 50), p.shape[1] // 50 :],
    "crop-10": lambda p: p[p.shape[0] // 10 : -(p.shape[0] // 10),
                           p.shape[1] // 10 : -(p.shape[1] // 10)],
    "padded": lambda p: np.pad(p, ((30, 30), (40, 40), (0, 0)), constant_values=0),
    "mirrored": lambda p: p[:, ::-1],
    "quarter": np.rot90,
    "turned": lambda p: turned(p, 4),
    "inverted": lambda p: 255 - p,
}  # fmt: skip


@functools.cache
def originals() -> dict[str, list[Pixels]]:
    """Percept-V's pictures (several of each domain, alike in layout) and textured ones."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bank.parquet"
        build("percept-v", path, sizes=[3, 8], instances=1, seed=11)
        drawn = [item.images[0].decode() for item in ItemBank.open(path)]
    rng = np.random.default_rng(3)
    textured = []
    for _ in range(len(drawn)):
        coarse = rng.uniform(0, 255, (7, 9, 3)).astype(np.uint8)
        smooth = cv2.resize(coarse, (320, 240), interpolation=cv2.INTER_CUBIC)
        textured.append(np.clip(smooth + rng.normal(0, 4, smooth.shape), 0, 255).astype(np.uint8))
    return {"percept-v": drawn, "textured": textured}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["percept-v", "textured"])
def test_nine_of_ten_changed_copies_are_found_and_one_of_a_hundred_pairs_is_wrong(
    kind: str,
) -> None:
    looks = [look_at(pixels) for pixels in originals()[kind]]
    n, copy_of = len(looks), list(range(len(looks)))
    for place, change in enumerate(CHANGED.values()):
        for i in range(place, n, 6):
            pixels = np.ascontiguousarray(change(originals()[kind][i]), np.uint8)
            looks.append(look_at(pixels))
            copy_of.append(i)
    named = {(i, j) for i, j, _ in pairs_alike(looks)}
    assert np.mean([(copy_of[k], k) in named for k in range(n, len(looks))]) >= 0.9
    assert sum(copy_of[i] != copy_of[j] for i, j in named) <= 0.01 * len(named)


def test_how_a_copy_was_changed_is_said(tmp_path: Path) -> None:
    pixels = originals()["textured"][0]
    items = [asked("a", "First?", image(pixels))]
    items += [asked(f"q{k}", f"Number {k}?", image(p))
              for k, p in enumerate(originals()["textured"][1:9])]  # fmt: skip
    items.append(asked("b", "Second?", image(np.ascontiguousarray(255 - pixels[:, ::-1]))))
    items.append(asked("c", "Third?", image(np.ascontiguousarray(pixels[24:-24, 32:-32]))))
    (finding,) = checked(items, tmp_path, "near_duplicate_images").findings
    said = {case.items: case.detail for case in finding.cases}
    assert said["a", "b"] == "pictures alike: mirrored, inverted"
    assert said["a", "c"] == "pictures alike: 64% of the larger shown in both"


def test_pictures_are_not_suspected_within_an_item_or_a_problem_or_of_one_shade(
    tmp_path: Path,
) -> None:
    one, again = image(scene(4), "1.png"), image(jpeg(scene(4)), "2.png")
    blank, nearly = (np.full((150, 150, 3), shade, np.uint8) for shade in (250, 251))
    items = [
        asked("options", "Which?", options=(one, again)),
        asked("p_0", "First?", image(scene(5)), labels={"domain": "a", "problem": "p"}),
        asked("p_1", "Second?", image(jpeg(scene(5))), labels={"domain": "a", "problem": "p"}),
        asked("white", "This?", image(blank)), asked("whitish", "That?", image(nearly)),
    ]  # fmt: skip
    assert checked(items, tmp_path, "near_duplicate_images").findings == ()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, BITS))
def test_banding_misses_no_pair_of_hashes_within_the_limit(seed: int, apart: int) -> None:
    rng = np.random.default_rng(seed)
    hashes = rng.integers(0, 2**64, 60, np.uint64)
    flipped = sum(1 << int(bit) for bit in rng.choice(64, apart, replace=False))
    hashes[40] = hashes[7] ^ np.uint64(flipped)
    assert [7, 40] in candidates(_bands(hashes)).tolist()


@pytest.mark.thorough
def test_many_alike_do_not_make_a_pair_of_all_with_all() -> None:
    pairs = candidates(np.zeros((3000, 4), np.uint64))
    assert len(pairs) <= 3000 * 40
    assert {b for _, b in pairs.tolist()} | {0} == set(range(3000))


def test_a_look_does_not_depend_on_the_encoding() -> None:
    pixels = scene(9)
    one, again = look_at(pixels), look_at(jpeg(pixels, 60))
    assert (one.bits ^ again.bits).bit_count() <= 3
    assert one.digest != again.digest
    assert not one.flat


def test_texts_that_differ_in_a_few_signs_are_listed_with_their_likeness(tmp_path: Path) -> None:
    items = [
        asked("a", PASSAGE), asked("b", PASSAGE.replace("120", "140")),
        asked("c", "Why do leaves turn red in autumn, and which of them do not fall at all?"),
        asked("short", "Why?"), asked("short-too", "Why?", options=("1", "2")),
    ]  # fmt: skip
    (finding,) = checked(items, tmp_path, "near_duplicate_texts").findings
    assert [case.items for case in finding.cases] == [("a", "b")]
    assert finding.cases[0].detail.endswith("alike")


def test_one_sentence_over_many_pictures_is_no_duplicate(tmp_path: Path) -> None:
    text = "Choose the figure that continues the series in the picture above."
    items = [asked(f"q{k}", text, image(scene(k))) for k in range(20)]
    items += [asked("again", f"{text} Please.", image(jpeg(scene(3))))]
    quality = checked(items, tmp_path, "near_duplicate_texts")
    assert found(quality) == {}
    assert quality.outcomes["near_duplicate_texts"].measures == {"over_other_pictures": 20}
    close = [asked("x", text, image(scene(3))), asked("y", text, image(jpeg(scene(3))))]
    assert found(checked(close, tmp_path, "near_duplicate_texts")) == {
        "near_duplicate_texts": [("x", "y")]
    }


@pytest.mark.slow
@given(st.text(min_size=20, max_size=60), st.integers(0, 19), st.characters())
def test_likeness_is_symmetric_and_whole_for_the_same_text(text: str, at: int, sign: str) -> None:
    one, other = shingles(plain(text)), shingles(plain(text[:at] + sign + text[at + 1 :]))
    if len(one) and len(other):
        assert jaccard(one, one) == 1
        assert jaccard(one, other) == jaccard(other, one)


def test_alike_texts_share_a_band() -> None:
    base = "".join(chr(0x4E00 + (k * k * 7919) % 5000) for k in range(120))
    changed = [base[:k] + "一二" + base[k + 2 :] for k in range(10, 110, 5)]
    sets = [shingles(base), *map(shingles, changed)]
    assert min(jaccard(sets[0], other) for other in sets[1:]) >= 0.8
    pairs = candidates(sketches(sets)).tolist()
    assert all([0, k] in pairs for k in range(1, len(sets)))


def decided(folder: Path, *rows: str) -> Path:
    path = folder / "decisions.csv"
    path.write_text("\n".join(["check,first,second,decision,who,why", *rows]) + "\n")
    return path


def doubles() -> list[Item]:
    return [asked("a", PASSAGE), asked("b", PASSAGE.replace("nine", "ten")), asked("c")]


def test_what_was_decided_is_not_listed_again(tmp_path: Path) -> None:
    quality = checked(doubles(), tmp_path, "near_duplicate_texts")
    review = tmp_path / "review.csv"
    assert write_review(quality.open_cases, review) == 1
    with review.open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["check"], row["first"], row["second"], row["decision"]) == (
        "near_duplicate_texts", "a", "b", ""
    )  # fmt: skip
    assert read_decisions(review).lines == ()
    row |= {"decision": "drop-second", "who": "ed", "why": "same task"}
    line = ",".join(row[n] for n in ("check", "first", "second", "decision", "who", "why"))
    decisions = read_decisions(decided(tmp_path, line), ["a", "b", "c"])
    after = checked(doubles(), tmp_path, "near_duplicate_texts", decisions=decisions)
    assert after.findings == ()
    assert (decisions.dropped, after.decided) == (("b",), 1)


def test_decisions_about_items_that_were_dropped_are_kept_with_one_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = decided(tmp_path, ",a,gone,drop-second,ed,copy", ",b,c,keep,ed,other task")
    decisions = read_decisions(path, ["a", "b", "c"])
    assert decisions.settled("options", ["c", "b"])
    assert "1 decision names items that the bank does not have (gone)" in capsys.readouterr().err
    assert read_decisions(decided(tmp_path, ",a,gone,drop-second,ed,copy"), ["a"]).dropped
    for strange in (",a,gone,keep,ed,x", ",x,y,drop-second,ed,x", ",x,,drop,ed,x"):
        with pytest.raises(ParameterError, match="line 2: unknown item"):
            read_decisions(decided(tmp_path, strange), ["a", "b"])


@pytest.mark.parametrize("separator", [";", "\t"])
def test_decisions_saved_by_a_spreadsheet_elsewhere_are_read(
    tmp_path: Path, separator: str
) -> None:
    cells = [["check", "first", "second", "decision", "who", "why", "detail"],
             ["", "a", "b", "drop-second", "ed", '"copy, same picture"', ""]]  # fmt: skip
    path = tmp_path / "excel.csv"
    path.write_text("".join(separator.join(row) + "\n" for row in cells), "utf-8-sig")
    (line,) = read_decisions(path, ["a", "b"]).lines
    assert (line.dropped, line.why) == (("b",), "copy, same picture")


@pytest.mark.parametrize(
    ("decision", "dropped"),
    [("keep", ()), ("drop", ("b",)), ("drop-first", ("a",)), ("drop-both", ("a", "b"))],
)
def test_a_decision_says_which_items_go(
    tmp_path: Path, decision: str, dropped: tuple[str, ...]
) -> None:
    path = decided(tmp_path, f",b,a,{decision},ed,why", f",a,b,{decision},ed,why")
    if decision in ("keep", "drop-both"):
        assert set(read_decisions(path).dropped) == set(dropped)
        return
    with pytest.raises(ParameterError, match="line 3: an earlier line has another decision"):
        read_decisions(path)
    assert read_decisions(decided(tmp_path, f",a,b,{decision},ed,x")).dropped == dropped


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (",a,b,dropp,ed,x", "did you mean 'drop'"), (",a,b,keep,,x", "a decision needs 'who'"),
        (",a,b,keep,ed,", "a decision needs 'why'"), (",,b,keep,ed,x", "fill in `first`"),
        (",a,,drop-both,ed,x", "needs a pair"), (",a,zz,keep,ed,x", "unknown item 'zz'"),
    ],
)  # fmt: skip
def test_a_decision_that_cannot_be_read_is_told_with_its_line(
    tmp_path: Path, row: str, told: str
) -> None:
    with pytest.raises(ParameterError, match="line 2") as error:
        read_decisions(decided(tmp_path, row), ["a", "b"])
    assert told in str(error.value)


def test_a_file_without_the_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("first,second\na,b\n")
    with pytest.raises(ParameterError, match="column 'check' is missing"):
        read_decisions(path)
    with pytest.raises(ParameterError, match="cannot be read"):
        read_decisions(tmp_path / "nowhere.csv")


@pytest.mark.slow
def test_the_result_is_the_same_for_any_number_of_jobs_and_any_hash_seed(tmp_path: Path) -> None:
    items = [asked(f"q{k}", f"{PASSAGE} {k % 9}", image(jpeg(scene(k % 6), 30 + k)))
             for k in range(24)]  # fmt: skip
    items = [replace(i, provenance=replace(i.provenance, pixel_hashes=())) for i in items]
    bank = bank_of(items, tmp_path)
    whole = check_quality(bank).to_dict()
    assert len(whole["findings"]) == 3
    assert check_quality(bank, jobs=2).to_dict() == whole
    code = (
        "from gfactor.benchmarks import build, check_quality; from gfactor.items import ItemBank; "
        f"print(check_quality(ItemBank.open({str(bank.path)!r})).to_dict())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert said == {f"{whole}\n"}
