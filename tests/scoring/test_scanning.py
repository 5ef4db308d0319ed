"""A `Scanner` finds just what its whole expression finds, in any text and any part of it."""

from __future__ import annotations

import re
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.phrasings import collected_replies

from gfactor.lazy import lazy_pattern
from gfactor.scoring.extraction import (
    beginnings,
    blank_texts,
    candidates,
    choice,
    claims,
    closing,
    contrast,
    factuality,
    labels,
    numbering,
    option_by_option,
    quantified,
    refusal,
    scanning,
    thoughts,
)
from gfactor.scoring.extraction.markers import finder
from gfactor.scoring.extraction.scanning import Scanner

KINDS = (
    *("announce", "weak", "points", "right", "wrong", "unreal", "not_before", "correction"),
    *("retraction", "conclusion", "every", "none", "only", "others", "refusal", "declines"),
)
SCANNERS = {
    **{kind: finder(kind) for kind in KINDS},
    "heading with its colon": claims._heading(),
    "correction with its comma": claims._correction(),
    "heading of a sentence": choice._headed(),
    "judged": choice._JUDGED,
    "nth": candidates.NTH,
    "instead": contrast._INSTEAD,
    "small labels": labels._small(),
    "described": option_by_option._EACH,
    "except": quantified._EXCEPT,
    "excepted": quantified._AFTERWARDS,
}
REPLIES = collected_replies()
REPLIES.append("Let us look at each option: A is a mill, B is a barn, C is")
MIXED = [REPLIES[(k * 1009) % len(REPLIES)] for k in range(len(REPLIES))]
"""The same, languages and files mixed."""
ODD = (
    "\u0130",
    "\u0131\u017f",
    "\u212a",
    "\u1e9e",
    "\u2c7e",
    "\t",
    "\u3000",
    "\x1f",
    "_",
    "②",
    "é",
)


def check(scanner: Scanner, text: str, start: int, end: int) -> None:
    """Compare a scanner's methods with those of its whole expression."""
    whole = scanner.whole
    spans = [m.span() for m in scanner.finditer(text, start, end)]
    assert spans == [m.span() for m in whole.finditer(text, start, end)]
    first = whole.search(text, start, end)
    found = scanner.search(text, start, end)
    assert (found[0] if found else "") == (first[0] if first else "")
    here, there = scanner.match(text, start), whole.match(text, start)
    assert (here and here.span()) == (there and there.span())


@pytest.mark.thorough
@pytest.mark.parametrize("name", SCANNERS)
def test_beginnings_lose_no_match_in_the_collected_phrasings(name: str) -> None:
    scanner = SCANNERS[name]
    with_matches = [*islice((reply for reply in MIXED if scanner.whole.search(reply)), 60)]
    assert with_matches, "no reply has such words: the test shows nothing"
    for number, reply in enumerate(with_matches + REPLIES[sum(map(ord, name)) % 19 :: 19]):
        text = [reply, reply.upper(), reply.swapcase(), " ".join(reply.split())][number % 4]
        check(scanner, text, 0, len(text))


@settings(deadline=None, max_examples=40)
@given(
    st.sampled_from(sorted(SCANNERS)),
    st.lists(
        st.one_of(st.sampled_from(REPLIES), st.sampled_from(ODD), st.text(max_size=5)), max_size=4
    ),
    st.sampled_from(["", " ", "\n", ", "]),
    st.integers(0, 60),
    st.integers(0, 200),
)
def test_beginnings_lose_no_match_in_mixed_texts(
    name: str, parts: list[str], joint: str, start: int, length: int
) -> None:
    text = joint.join(parts)
    check(SCANNERS[name], text, min(start, len(text)), min(len(text), start + length))


WORDS = (
    *("ab", "a b", "(?:a|b)", "[ab]{2,3}", "b?", r"\s*c", beginnings.BOUNDARY, "é", r"\w{1,2}"),
    *("(?=b)", "(?!a)", "[^c]", "选", "a+?", r"(?<=\s)", "[A-C]", "(?i:k)", "(?:c a){0,2}"),
)


@pytest.mark.thorough
@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), min_size=1, max_size=3),
    st.text(alphabet="abcABC é选k\u212a\n_1", max_size=20),
    st.integers(0, 5),
    st.booleans(),
)
def test_beginnings_of_any_expression_lose_no_match(
    parts: list[list[str]], text: str, start: int, any_case: bool
) -> None:
    scanner = Scanner(*map("".join, parts), flags=re.IGNORECASE if any_case else 0)
    check(scanner, text, min(start, len(text)), len(text))


def test_a_part_that_ignores_case_is_tried_in_lower_case_first() -> None:
    fast = [part for part in thoughts._saying().parts if part.lowered_match is not None]
    assert len(fast) > 300
    for text in (reply for reply in REPLIES[::5] if reply.isascii()):
        for part in fast:
            for at in range(0, len(text), 3):
                if part.match(text, at):
                    matched = part.lowered_match and part.lowered_match(text.lower(), at)
                    assert matched, (part.expression[:60], text)
    for expression in ("the answer is [A-D]", "(?i:also (?-i:A))", "(?i:option [+-D])"):
        assert scanning.Alternative(expression, 0).lowered_match is None
    answer = scanning.Alternative(r"(?i:Answer\S [A-D](?P<is>\W))", 0).lowered_match
    assert answer is not None
    assert answer("answer: d.", 0)
    (match,) = Scanner(r"(?i:it is\s[A-Za-z])").finditer("so IT IS\nB")
    assert match[0] == "IT IS\nB"


def test_groups_of_a_match_are_those_of_its_own_part() -> None:
    scanner = Scanner("the (?P<noun>answer)", "(?P<other>so)")
    assert [m.groupdict() for m in scanner.finditer("so the answer")] == [
        {"other": "so"},
        {"noun": "answer"},
    ]


def test_an_expression_that_may_begin_with_anything_is_tried_everywhere() -> None:
    scanner = Scanner("[^x] is", "so")
    assert [m[0] for m in scanner.finditer("A is so. Ü is")] == ["A is", "so", "Ü is"]


def test_beginnings_of_other_letters_are_compiled_for_texts_that_have_such_letters() -> None:
    scanner = Scanner("答案是", "therefore", ": is")
    assert scanner.search("Yes: is it?") is not None
    assert scanner._starts is not None
    compiled = vars(scanner._starts)
    assert "ascii_pattern" in compiled
    assert "pattern" not in compiled
    found = scanner.search("我的答案是")
    assert found is not None
    assert found[0] == "答案是"
    assert "pattern" in compiled


def test_matches_do_not_overlap_and_the_first_part_counts() -> None:
    assert [m[0] for m in Scanner("aba", "ab", "ba").finditer("ababa ba")] == ["aba", "ba", "ba"]


def test_matches_are_replaced_one_by_one() -> None:
    assert Scanner("ab", "c").sub(lambda m: m[0].upper(), "xabc ab") == "xABC AB"
    assert Scanner("ab").sub(lambda m: "", "xyz") == "xyz"


def test_lower_case_is_what_re_compares_but_for_the_unusual_letters() -> None:
    letters = [
        chr(code) for code in range(0x2C80) if beginnings.is_plain(code) and chr(code).isalpha()
    ]
    cased = "".join(
        c
        for c in map(chr, range(0x1F000))
        if c.lower() != c or c.upper() != c or (c.isalpha() and ord(c) < 0x250)
    )  # fmt: skip
    usual = scanning._UNUSUAL.sub("", cased)
    for letter in letters[::3]:
        same = re.findall(re.escape(letter), usual, re.IGNORECASE)
        assert {c.lower() for c in same} <= {letter.lower()}, letter


def test_no_letter_becomes_part_of_a_word_by_its_lower_case() -> None:
    letter = re.compile(f"[{beginnings.WORD_LETTER}]")
    changed = {
        c for c in map(chr, range(0x1F000))
        if not letter.match(c) and letter.match(c.lower()) and not scanning._UNUSUAL.match(c)
    }  # fmt: skip
    assert changed == set()


LAZY = type(lazy_pattern(""))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "module", [blank_texts, closing, factuality, numbering, quantified, refusal]
)
def test_patterns_that_are_compiled_at_their_first_use_can_be_compiled(module):
    found = {name: value for name, value in vars(module).items() if isinstance(value, LAZY)}
    assert found
    for name, value in found.items():
        assert value.groups == re.compile(value.pattern).groups, name


def test_a_lazy_pattern_is_compiled_once_and_not_before_its_first_use(monkeypatch):
    compiled = []
    monkeypatch.setattr(
        re, "compile", lambda *given, of=re.compile: compiled.append(given) or of(*given)
    )
    pattern = lazy_pattern("(b)|c", re.IGNORECASE)
    assert pattern.pattern == "(b)|c"
    assert not compiled
    assert [m[0] for m in pattern.finditer("aBc")] == ["B", "c"]
    assert pattern.sub("-", "aBc") == "a--"
    assert compiled == [("(b)|c", re.IGNORECASE)]
    with pytest.raises(re.error):
        lazy_pattern("(").search("")
