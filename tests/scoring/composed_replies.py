"""Replies put together at random from parts that people and models write, in six languages.

Few of them make sense: what matters is that every rule meets the others, in any order and with any
mark between. What is read in them is recorded by `recorded_readings.py`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

OPTION_SETS: tuple[dict[str, str], ...] = (
    {"A": "the red kite", "B": "the blue drum", "C": "the green bell", "D": "the yellow leaf"},
    {"A": "12", "B": "1500", "C": "3/4", "D": "7"},
    {"A": "Yes", "B": "No"},
    {"A": "vitamin C", "B": "a cat and a dog", "C": "a cat", "D": "none of the above",
     "E": "\\frac{1}{2}"},
    {"A": "a red kite that flies above the beach", "B": "a blue drum, which is out of the frame",
     "C": "a green bell (of a school or a church)"},
    {"1": "left", "2": "right", "3": "up"},
    dict.fromkeys("ABCDEF", ""),
)  # fmt: skip
PARTS = """
The answer is {l}|Answer: {l}|I choose {l}|So it must be {l}|My final answer: {l}|正确答案是{l}
所以选{l}|La respuesta es {l}|La réponse est {l}|정답은 {l}입니다|A resposta correta é {l}
Therefore {l}|{l} is correct|{l} is wrong|{l} 不对|{l} es incorrecta|{l} est fausse|not {l}
neither {l} nor {l}|both {l} and {l}|{l} and {l}|{l}, {l}|{l} or {l}|either {l} or {l}|{l}|({l})
**{l}**|{l})|{l}: {t}|({l}) {t}|{t} ({l})|{t}|It shows {t}|There are {n}|{n}|x = {n}
\\boxed{[{l}]}|\\boxed{[{t}]}|<answer>{l}</answer>|[[{l}]]|Option {l}|option {l} fits|{l} ✓|{l} ✗
{l}: yes|{l}: no|{l} - true|{l} - false|- {l}|- {l}: {t}|1. {t}|2. {t}|the first option
the second one|the last one|第二个选项|all of them|none of them|only {l}|everything but {l}
all except {l} and {l}|wait, {l}|no, actually {l}|but {l} is better|however {t}|I first thought {l}
Is it {l}?|if so, {l}|maybe {l}|could also be {l}|it is not {t}|I would rule out {l}|unlike {l}
rather than {l}|{l} because it is {t}|since {t} is there|hence {t}|Option {l} shows {t}
{l} shows {t}, which is wrong|{l} matches|{l} does not match|it can't be {l}|I am not sure
I cannot say|'{l}'|"{l}"|{l}.|the answer|Final answer|vitamin {l}|point {l}|row {n}|{l}{l}|{l} > {l}
from {l} to {l}|{l}-{l}|{n} or {n}|more than {n}|about {n}|between {n} and {n}|the result is {n}
ni {l} ni {l}|{l} 和 {l}|{l}와 {l}|{l} y {l}|sauf {l}|除了{l}|{l} es correcta|{l} é falsa
{l} est correcte|{["answer": "{l}"]}|{["answer": ["{l}", "{l}"]]}|{["result": {["choice": "{t}"]}]}
| {l} / {t} |{l} and {l} are right; {l} is not|{l} does not fit, but {l} does|so {l} remains
leaving {l} and {l}|not {l} but {l}|only {l} and {l}|{l} floats and {l} does not|the others sink
{l} and {l} float in water|{l} and {l}, whereas {l} does not|不是{l}，而是{l}|剩下{l}|{l}만 남
{l} are left|area = {n}|angle {l} = {n}|{l} is the only one that fits|{l} possibly also {l}
{["output": {["result": {["answer": {["answer": "{l}"]}]}]}]}|{["answer": "the second option"]}
answer {l} and possibly {l}|{t} and {t}|{t} or {t}|the {t}, or maybe {t}|{l}, but not {l}
"""
BLANKS = """
The missing word is {w}|The answer is {w}|{w}|1. {w}|2. {w}|first: {w}|second: {w}|(1) {w}|(2) {w}
{w} and {w}|{w}, {w}|{w} or {w}|Blank A: {w}|Blank 2: {w}|["{w}", "{w}"]|{["answer": "{w}"]}
{["second": "{w}", "first": "{w}"]}|{["blank1": "{w}", "blank2": "{w}"]}|**{w}**|_{w}_|'{w}'
I cannot say|maybe {w}|no, actually {w}|the first blank is {w}, the second {w}|respectively
填{w}|第一空{w}，第二空{w}|la palabra es {w}|le mot est {w}|a palavra é {w}|첫 번째는 {w}
{w} because it is {w}|it is not {w}|either {w} or {w}|It is called {w}|x = {w}|{w}/{w}|"{w}" ; "{w}"
a) {w}|b) {w}|I put {w} and {w}|The {w} points north|{w}.|I would write {w}|I am not sure
"""
JOINTS = (". ", ". ", ".\n", "\n", "\n\n", ", ", "; ", " ", " but ", " so ", " and ", " or ",
          ": ", " - ", ", not ", " because ", "。", "! ", "? ", " (", ") ", "\n- ", "...",
          ", then ")  # fmt: skip
WORDS = ("north", "the river", "12", "3.5 kg", "H2O", "cats and dogs", "une ville", "北京", "x^2")
KINDS = ("choice", "choice", "choices", "choices", "blanks")
NUMBERS = ("1", "2", "3", "7", "12", "1,500", "0.75", "-3", "two", "seven", "三", "dos", "50%")


def _parts(given: str) -> list[str]:
    """The parts of a list; {[ and ]} in it stand for braces."""
    return [part for line in given.strip().splitlines() for part in line.split("|") if part]


def _filled(part: str, rng: random.Random, fillings: dict[str, tuple[str, ...]]) -> str:
    def chosen(match: re.Match[str]) -> str:
        said = rng.choice(fillings[match[1]])
        return said.lower() if match[1] == "l" and rng.random() < 0.1 else said

    return re.sub(r"{(\w)}", chosen, part).replace("{[", "{").replace("]}", "}")


def composed(count: int, seed: str) -> Iterator[tuple[str, str, dict[str, str], int]]:
    """Reply, kind ("choice", "choices", "blanks"), options and number of blanks."""
    rng = random.Random(seed)
    for _ in range(count):
        kind, options = rng.choice(KINDS), rng.choice(OPTION_SETS)
        texts = tuple(text for text in options.values() if text) or ("it",)
        fillings = {"l": (*options,), "t": texts, "n": NUMBERS, "w": WORDS}
        parts = _parts(BLANKS if kind == "blanks" else PARTS)
        said = ""
        for _ in range(rng.choice((1, 1, 2, 2, 3, 4, 6))):
            said += _filled(rng.choice(parts), rng, fillings) + rng.choice(JOINTS)
        if rng.random() < 0.7:
            said = said.rstrip(" \n.,;:-(?") + rng.choice((".", "", ".", "!", "\n"))
        yield said, kind, options, rng.choice((1, 1, 2, 3))
