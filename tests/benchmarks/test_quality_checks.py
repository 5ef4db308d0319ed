"""Every check finds the fault that it names, and nothing in items that have none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from support.banks import make_items
from support.quality import asked, bank_of, checked, found, image, scene

from gfactor.benchmarks import check_quality
from gfactor.benchmarks.quality import CHECKS, BlindRun, SurveyedItem
from gfactor.benchmarks.quality.chance import against_chance
from gfactor.benchmarks.quality.checks.formulas import flaws_in
from gfactor.benchmarks.quality.checks.language import mismatch
from gfactor.errors import UnknownNameError
from gfactor.items import Item


def sound() -> list[Item]:
    return [asked(f"q{k}", f"What is {k} and {k}?", image(scene(k)), target="ABCD"[k % 4])
            for k in range(8)]  # fmt: skip


def test_sound_items_give_no_finding(tmp_path: Path) -> None:
    quality = checked(sound(), tmp_path)
    assert quality.findings == ()
    assert quality.to_dict()["checks"]["small_images"] == {
        "n": 8, "pictures": 8, "both_sides_small": 0
    }  # fmt: skip
    assert set(quality.to_dict()["checks"]) == set(CHECKS)


def test_an_unknown_check_gets_the_closest_one(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'options'"):
        check_quality(bank_of(sound(), tmp_path), checks=["option"])


def test_pictures_under_100_pixels_are_listed_by_their_size(tmp_path: Path) -> None:
    small, narrow = image(scene(1, 99, 99)), image(scene(2, 300, 99))
    items = [*sound(), asked("s", "Small?", small), asked("n", "Narrow?", narrow),
             asked("e", "Just right?", image(scene(3, 100, 100)))]  # fmt: skip
    quality = checked(items, tmp_path, "small_images")
    (finding,) = quality.findings
    assert [(c.items, c.detail) for c in finding.cases] == [
        (("s",), "99 x 99"), (("n",), "300 x 99")
    ]  # fmt: skip
    assert quality.outcomes["small_images"].measures["both_sides_small"] == 1


def test_empty_and_equal_options_are_told_apart_by_what_they_do(tmp_path: Path) -> None:
    same = image(scene(5))
    items = [
        asked("empty", options=("x", " ", "y", "z")),
        asked("keyed", options=("x", "y", "x ", "z"), target="A"),
        asked("wrong", options=("x", "y", "y", "z"), target="A"),
        asked("pictures", options=(same, same, image(scene(6)), image(scene(7))), target="C"),
        asked("raised", options=("3²", "32", "AA", "Aa")),
        asked("unlisted", options=("", "", "", "")),
    ]
    assert found(checked(items, tmp_path, "options")) == {
        "empty_options": [("empty",)],
        "ambiguous_options": [("keyed",)],
        "duplicate_options": [("wrong",), ("pictures",)],
    }


def test_a_key_must_be_among_the_options_that_the_text_lists(tmp_path: Path) -> None:
    labels = ("",) * 5
    items = [
        asked("listed", "Which?\nA. x\nB. y\nC. z", options=labels, target="E"),
        asked("right", "Which?\nA. x\nB. y\nC. z", options=labels, target="C"),
        asked("empty", options=("x", "", "y", "z"), target="B"),
        asked("picture", "Which?", image(scene(1)), options=labels, target="E"),
    ]
    quality = checked(items, tmp_path, "answers")
    assert found(quality) == {"answer_not_offered": [("listed",), ("empty",)]}
    assert quality.outcomes["answers"].measures == {"options_in_pictures": 1}


def test_answer_positions_are_tested_by_chi_square_per_number_of_options(tmp_path: Path) -> None:
    counts = (80, 40, 40, 40)
    items = [asked(f"{label}{k}", target=label)
             for label, n in zip("ABCD", counts, strict=True) for k in range(n)]  # fmt: skip
    items += [asked(f"t{k}", options=("yes", "no"), target="AB"[k % 2]) for k in range(20)]
    quality = checked(items, tmp_path, "answer_positions")
    (finding,) = quality.findings
    chi2, p = stats.chisquare(counts)
    assert finding.values["chi2"] == pytest.approx(chi2, abs=1e-4)
    assert finding.values["p"] == pytest.approx(p, rel=1e-5)
    assert (finding.values["n"], finding.values["most_frequent"]) == (200, 1)
    assert [r["n"] for r in quality.outcomes["answer_positions"].measures["positions"]] == [20, 200]


def test_the_longest_option_is_a_cue_only_where_it_is_right_too_often(tmp_path: Path) -> None:
    long = [asked(f"l{k}", options=("aa", "bbbbbb", "cc", "d"), target="B") for k in range(30)]
    fair = [asked(f"f{k}", options=("aa", "bbbbbb", "cc", "d"), target="ABCD"[k % 4])
            for k in range(32)]  # fmt: skip
    assert list(found(checked(long, tmp_path, "option_length"))) == ["longest_option_cue"]
    quality = checked(fair, tmp_path, "option_length")
    assert quality.findings == ()
    measured = quality.outcomes["option_length"].measures["longest"]
    assert (measured["right"], measured["n"], measured["chance"]) == (8, 32, 0.25)
    assert measured["low"] < 0.25 < measured["high"]


@given(st.integers(0, 40), st.integers(2, 6))
def test_against_chance_is_the_exact_binomial_where_all_have_as_many_options(
    right: int, options: int
) -> None:
    result = against_chance(right, [options] * 40)
    dist = stats.binom(40, 1 / options)
    p = min(1, 2 * min(dist.cdf(right), dist.sf(right - 1)))
    assert result.p == pytest.approx(p, rel=1e-9, abs=1e-15)
    assert result.low <= right / 40 <= result.high


def test_unbalanced_labels_are_noted_with_what_the_smallest_value_can_tell(tmp_path: Path) -> None:
    items = [asked(f"q{k}", labels={"domain": "a" if k else "b", "name": f"n{k}"})
             for k in range(40)]  # fmt: skip
    (finding,) = checked(items, tmp_path, "label_balance").findings
    assert finding.values["label"] == "domain"
    assert (finding.values["largest_n"], finding.values["smallest_n"]) == (39, 1)
    assert finding.severity == "note"


CHINESE = "下列关于光合作用的说法中正确的是哪一项请选择"
ENGLISH = "Which of the following is the best answer to the question that you have read?"
SPANISH = "¿Cuál de las siguientes figuras es la que sigue en la serie que se muestra aquí?"
PORTUGUESE = "Qual das seguintes figuras não é a que vem em seguida na série mostrada no quadro?"
KOREAN = "그림에 맞는 낱말을 고르시오"
FRENCH = "Quelle est la figure suivante dans la série que vous avez sous les yeux et pour qui ?"


@pytest.mark.parametrize(
    ("text", "language", "told"),
    [
        (CHINESE, "zh", ""), (CHINESE, "en", "most in Han"), (ENGLISH, "en", ""),
        (ENGLISH, "zh", "most in Latin"), (ENGLISH, "fr", "function words of en"),
        (SPANISH, "es", ""), (PORTUGUESE, "pt", ""), (FRENCH, "fr", ""), (FRENCH, "en", "of fr"),
        ("Yes or no?", "zh", ""), ("2, 4, 8, ?", "ko", ""), ("A B C D", "zh", ""),
        ("$\\frac{velocity}{acceleration}$ 是[MASK]", "zh", ""), (ENGLISH, "xx", ""),
        (KOREAN, "ko", ""), (KOREAN, "pt", "most in Hangul"),
    ],
)  # fmt: skip
def test_a_language_is_claimed_only_where_the_text_is_sure(
    text: str, language: str, told: str
) -> None:
    said = mismatch(text, language)
    assert (told in said) if told else said == ""


def test_a_text_in_another_language_than_its_label_is_listed(tmp_path: Path) -> None:
    items = [asked("zh", CHINESE, language="zh"), asked("en", ENGLISH, language="zh"),
             asked("xx", ENGLISH, language="xx")]  # fmt: skip
    quality = checked(items, tmp_path, "language")
    assert found(quality) == {"language": [("en",)]}
    assert quality.outcomes["language"].measures == {"unknown_language": 1}


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        (r"$\frac{1}{2}$ and $x^2$", ""), (r"$x^{2$", "a { without"), (r"$x}$", "a } without"),
        ("$x$ and $y", "odd number of $"), ("It costs $5.", ""), ("From $3 to $20 a day", ""),
        (r"$\frac{1}$", "lacks an argument"), (r"$\frac 12$", ""), (r"$\sqrt[3]{2}$", ""),
        (r"$\sqrt{}$", ""), (r"$x^$", "nothing behind ^"), (r"\(x\) and \[y\]", ""),
        (r"\(x", r"1 \( and 0 \)"), (r"$\left(x\right]$", ""), (r"$\left(x$", r"\left without"),
        (r"$\begin{cases}x\\[2pt]y\end{cases}$", ""), (r"$\begin{case}x\end{case}$", "'case'"),
        (r"$\begin{matrix}x$", r"\begin{matrix} without"), ("$$x$$ text $y$", ""),
        ("$$x$ y", "odd number of $$"), (r"\$5 and $x$", ""), ("$ $", "an empty formula"),
        (r"$\{x\}$", ""), (r"$x_{n+1}$ 中 $a_1$", ""), (r"$\text{若 }x$", ""), ("no formula", ""),
    ],
)  # fmt: skip
def test_formulas_are_parsed_as_far_as_their_structure(text: str, flaw: str) -> None:
    flaws = flaws_in(text)
    assert (flaw in flaws[0]) if flaw else flaws == []


@given(st.text("$\\{}()[]^_&x1 frac", max_size=30))
def test_no_text_makes_the_formula_checker_fail(text: str) -> None:
    assert all(isinstance(flaw, str) for flaw in flaws_in(text))


def test_formulas_of_options_and_written_answers_are_checked_too(tmp_path: Path) -> None:
    items = [
        asked("option", options=("$x$", "$y", "z", "w")),
        asked("answer", "It is [MASK].", options=(), target=("$x^$",)),
        asked("fine", "$x$"),
    ]
    assert found(checked(items, tmp_path, "formulas")) == {"formulas": [("option",), ("answer",)]}


def blind(n: int, right: int, name: str = "model") -> BlindRun:
    points = {f"q{k}": float(k < right) for k in range(n)}
    return BlindRun(name, "images=removed", points)


def test_a_run_without_images_is_held_against_chance_and_the_best_constant(tmp_path: Path) -> None:
    picture = image(scene(1))
    items = [asked(f"q{k}", f"Number {k}?", picture, target="ABCD"[k % 4]) for k in range(100)]
    items += [asked("none", "No picture?")]
    good = checked(items, tmp_path, "text_only", blind=[blind(100, 60)])
    (finding,) = good.findings
    assert (finding.code, finding.values["n"]) == ("answered_without_images", 100)
    assert finding.values["share"] == 0.6
    assert finding.values["chance"] == pytest.approx(0.25)
    assert finding.values["p"] < 1e-9
    (nothing,) = checked(items, tmp_path, "text_only", blind=[blind(100, 30)]).findings
    assert (nothing.code, nothing.severity) == ("no_sign_without_images", "note")
    assert "30 of 100 (30.0%, 95 % interval 21.9% to 39.6%; chance 25.0%" in nothing.sentence
    assert nothing.sentence.endswith(": no sign that they can be answered without.")
    assert f"{blind(100, 60).examinee} under images=removed answers" in good.findings[0].sentence
    several = checked(items, tmp_path, "text_only", blind=[blind(100, 30), blind(100, 30, "b")])
    note = several.findings[-1]
    assert len(several.findings) == 3
    assert (note.code, len(note.cases), note.values["expected"]) == (
        "right_without_images", 30, 6.25
    )  # fmt: skip


def test_a_key_that_is_the_only_long_option_is_named_by_its_item(tmp_path: Path) -> None:
    long = "an orange curve that rises until noon"
    items = [
        asked("key", options=("violet", long, "green", "brown"), target="B"),
        asked("other", options=(long, "violet", "green", "brown"), target="B"),
        asked("even", options=(long, f"{long}, then falls", "green", "brown"), target="B"),
    ]
    (finding,) = checked(items, tmp_path, "option_length").findings
    assert [case.items for case in finding.cases] == [("key",)]
    assert finding.sentence == (
        "2 items have one option at least 2 times as long as any other; it is the key in 1 (by "
        "chance in 0.5)."
    )


def test_items_that_nearly_all_examinees_answer_alike_are_listed(tmp_path: Path) -> None:
    items = [asked(name, target="A") for name in ("easy", "hard", "fine", "few")]
    votes = {
        "easy": {"A": 9, "B": 1}, "hard": {"B": 5, "C": 4, "A": 1}, "fine": {"A": 8, "B": 2},
        "few": {"A": 4},
    }  # fmt: skip
    quality = checked(items, tmp_path, "near_constant", votes=votes)
    (finding,) = quality.findings
    assert [(case.items, case.detail) for case in finding.cases] == [
        (("hard",), "9 of 10 wrong"), (("easy",), "9 of 10 right")
    ]  # fmt: skip
    assert quality.outcomes["near_constant"].n == 3


def test_runs_without_images_of_a_bank_without_pictures_are_not_passed_over(
    tmp_path: Path,
) -> None:
    items = [asked(f"q{k}", f"Number {k}?") for k in range(4)]
    (finding,) = checked(items, tmp_path, "text_only", blind=[blind(4, 4)]).findings
    assert (finding.code, finding.severity) == ("no_pictures", "warning")
    assert checked(items, tmp_path, "text_only").findings == ()


def test_a_constant_answer_that_pays_is_no_proof_of_reading(tmp_path: Path) -> None:
    picture = image(scene(1))
    items = [asked(f"q{k}", f"Number {k}?", picture, target="A") for k in range(60)]
    (finding,) = checked(items, tmp_path, "text_only", blind=[blind(60, 60)]).findings
    assert finding.severity == "note"
    assert finding.sentence.endswith(": no more than that label does.")


def test_generated_items_are_alike_on_purpose(tmp_path: Path) -> None:
    codes = found(checked(make_items(), tmp_path))
    assert set(codes) == {"small_images"}


def test_a_survey_knows_what_an_item_lists() -> None:
    seen = SurveyedItem("a", "en", "x", (), "open", "y", (), {}, (), False)
    assert not seen.listed
    assert seen.words == "x"


def test_findings_are_plain_enough_for_json_and_pages(tmp_path: Path) -> None:
    quality = checked([asked("a", options=("x", " <b>", "y", ""))], tmp_path)
    assert quality.findings[0].to_dict()["cases"] == [{"items": ["a"], "detail": "option D"}]
    assert "<td>error</td>" in quality._repr_html_()
    assert quality.summary().startswith("error: 1 of 1 items")
    assert np.isfinite(quality.items)
