"""Items whose text is not in the language of their label."""

from __future__ import annotations

from collections import Counter

from gfactor.benchmarks.latin_languages import FUNCTION_WORDS, function_words, words_of
from gfactor.benchmarks.quality.bank_survey import Survey
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Case, Finding

_RANGES = (
    ("Latin", 0x0041, 0x024F),
    ("Greek", 0x0370, 0x03FF),
    ("Cyrillic", 0x0400, 0x052F),
    ("Hebrew", 0x0590, 0x05FF),
    ("Arabic", 0x0600, 0x06FF),
    ("Devanagari", 0x0900, 0x097F),
    ("Thai", 0x0E00, 0x0E7F),
    ("Hangul", 0x1100, 0x11FF),
    ("Latin", 0x1E00, 0x1EFF),
    ("Kana", 0x3040, 0x30FF),
    ("Han", 0x3400, 0x4DBF),
    ("Han", 0x4E00, 0x9FFF),
    ("Hangul", 0xAC00, 0xD7AF),
)

SCRIPTS = {
    "zh": {"Han"}, "ja": {"Kana", "Han"}, "ko": {"Hangul", "Han"}, "ru": {"Cyrillic"},
    "uk": {"Cyrillic"}, "el": {"Greek"}, "he": {"Hebrew"}, "ar": {"Arabic"}, "fa": {"Arabic"},
    "hi": {"Devanagari"}, "th": {"Thai"}, "en": {"Latin"}, "fr": {"Latin"}, "es": {"Latin"},
    "pt": {"Latin"}, "de": {"Latin"}, "it": {"Latin"},
}  # fmt: skip
"""Language -> the scripts it is written in."""

LEAST_LETTERS, LEAST_SIGNS = 40, 8
"""Least number of letters (and of signs of Han, Kana or Hangul) for a finding."""

LEAST_WORDS = 5
"""Least number of function words for a finding."""


def _scripts_in(text: str) -> Counter[str]:
    """Letters of each script, formulas and single letters (labels, variables) left out."""
    counts: Counter[str] = Counter()
    for token in words_of(text):
        for letter in token:
            script = _script(letter)
            if script and (len(token) > 1 or script != "Latin"):
                counts[script] += 1
    return counts


def _script(letter: str) -> str:
    code = ord(letter)
    return next((name for name, low, high in _RANGES if low <= code <= high), "")


def mismatch(text: str, language: str) -> str:
    """Return the actual language or script of a text that contradicts its label, in words; "" in
    doubt.

    A text contradicts its label if 90 % of the letters are of scripts that the language does not
    use, or, among languages in Latin script, if it has five function words of another language and
    at least three times as many as of its own. Short texts and unknown languages are never
    reported.
    """
    base = language.partition("-")[0].lower()
    if base not in SCRIPTS:
        return ""
    scripts = _scripts_in(text)
    total = scripts.total()
    if not total:
        return ""
    script, most = max(scripts.items(), key=lambda pair: (pair[1], pair[0]))
    enough = LEAST_SIGNS if script in ("Han", "Kana", "Hangul") else LEAST_LETTERS
    foreign = sum(n for name, n in scripts.items() if name not in SCRIPTS[base])
    if most >= enough and foreign >= 0.9 * total:
        return f"{foreign / total:.0%} of {total:,} letters are not in its script, most in {script}"
    if base in FUNCTION_WORDS and script == "Latin":
        return _other_words(text, base)
    return ""


def _other_words(text: str, base: str) -> str:
    counts = function_words(text)
    best = max(counts, key=lambda name: (counts[name], name == base, name))
    if best != base and counts[best] >= max(LEAST_WORDS, 3 * counts[base]):
        return f"{counts[best]} function words of {best}, {counts[base]} of {base}"
    return ""


@register("language", "texts that are not in the language of their label")
def check(survey: Survey) -> CheckOutcome:
    """Find texts whose script or function words belong to another language."""
    recognizable = [i for i in survey.items if i.language.partition("-")[0].lower() in SCRIPTS]
    cases, of = [], Counter[str]()
    for item in recognizable:
        words = mismatch(item.words, item.language)
        if words:
            cases.append(Case((item.id,), f"label {item.language}: {words}"))
            of[item.language] += 1
    measures = {"unknown_language": len(survey.items) - len(recognizable)}
    left = survey.undecided("language", cases)
    if not left:
        return CheckOutcome(len(recognizable), (), measures)
    spread = ", ".join(f"{n:,} labeled {language}" for language, n in sorted(of.items()))
    finding = Finding(
        "language",
        "warning",
        f"{len(left):,} of {len(recognizable):,} items are in another language than their label "
        f"says ({spread}).",
        "Correct the label, or say that such items (passages in a foreign language) are meant.",
        left,
        review=True,
    )
    return CheckOutcome(len(recognizable), (finding,), measures)
