"""Code, messages and docs use the field's words: no private vocabulary."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from support.parsed import parsed

import gfactor

PACKAGE = Path(gfactor.__file__).parent
ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"

PHRASES = {
    r"noughts?": "zero",
    r"mend(?:s|ed|ing)?": "fix",
    r"(?:told|tells?|telling) apart": "distinguish",
    r"(?:speaks?|spoke|speaking) against": "diagnostics",
    r"gravest|graver|how grave": "most severe, by severity",
    r"tongues?": "languages",
    r"desks?": "workspace",
    r"dealt|dealers?|decks?": "allocated, balanced, order",
    r"patience|patiently": "retry, wait",
    r"kin|kindred": "related",
    r"gathers": "index",
    r"forger(?:y|ies)_\w+": "csrf",
}
"""What a reader would have to learn (a regular expression, any case) -> the field's word."""

NAMES = {"found", "own", "mine", "made", "place", "places", "crowd", "gather", "mind", "minds"}
"""Names of variables, parameters, fields and functions that do not say what they hold."""

ALLOWED = {
    ("studies/questionnaires/order/allocation.py", "deck"),  # a key of the random order: it stays
    ("benchmarks/published/tables.py", "place"),  # a column of the published files and of --json
    ("benchmarks/percept_v/parts.py", "place"),  # a verb: places circles
    ("api/comparisons/placing.py", "place"),  # gf.place: places a model on a scale
    ("api/asking/placing_live.py", "place"),
    *(  # fields of scenes are part of items' identity; others are positions in a picture
        (f"{folder}/{name}.py", word)
        for folder, names in {
            "benchmarks/chc/families": (
                "logical_strokes paper_folding same_or_different spatial_span tower_planning "
                "transitive_relations"
            ),
            "benchmarks/chc": "marks",
            "examinees/observer/domains": (
                "odd_one_out spatial_span symmetry_axes tower_planning transitive_relations"
            ),
            "imaging": "figures polycubes",
            "scoring": "rules",
        }.items()
        for name in names.split()
        for word in ("place", "places")
    ),
}
"""(file, word): what files, seeds and other programs hold, which cannot change."""


def sources(*suffixes: str) -> list[Path]:
    return [path for path in sorted(PACKAGE.rglob("*")) if path.suffix in suffixes]


@cache
def _text(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def _words(path: Path) -> frozenset[str]:
    """Return the words of a file in small letters, with their hyphens and underscores."""
    return frozenset(re.findall(r"[\w-]+", _text(path).lower()))


@cache
def _all_words() -> frozenset[str]:
    return frozenset().union(*map(_words, TEXTS))


TEXTS = [
    *sources(".py", ".j2", ".js"),
    *sorted(DOCS.glob("*.md")),
    *sorted((DOCS / "evidence").glob("*.md")),
    *sorted(DOCS.glob("*.py")),
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("phrase", "better"), PHRASES.items())
def test_texts_use_the_words_of_the_field(phrase: str, better: str) -> None:
    pattern = re.compile(rf"(?<![\w-])(?:{phrase})(?![\w-])", re.IGNORECASE)
    # Only files with a word that the phrase can begin with are read through.
    begins = set(filter(re.compile(phrase.partition(" ")[0]).fullmatch, _all_words()))
    seen = [
        f"{path.name}:{number}: {line.strip()}"
        for path in TEXTS
        if not begins.isdisjoint(_words(path))
        for number, line in enumerate(_text(path).splitlines(), 1)
        if (match := pattern.search(line)) and (_name(path), match[0].lower()) not in ALLOWED
    ]
    assert not seen, f"write {better}: {seen}"


@pytest.mark.thorough
def test_names_say_what_they_hold() -> None:
    bad = [
        f"{_name(path)}: {name}"
        for path in sources(".py")
        for name in sorted(NAMES.intersection(_bindings(path)))
        if (_name(path), name) not in ALLOWED
    ]
    assert not bad


VERBS = {"asked", "held", "kept", "known", "said", "shown", "told"}
"""Verbs of speech and having: a variable is named after its content (`message`, `stored`)."""

PUBLIC_VERBS = {
    ("administration/adaptive/asking.py", "asked"),  # AdaptiveRun, and its counters
    ("administration/adaptive/asking.py", "known"),
    ("administration/asking/concurrent.py", "asked"),  # counters that results are made of
    ("administration/asking/batch_storing.py", "asked"),
    ("administration/imports/base.py", "said"),  # Verdict: what a judge said, for importers
    ("administration/imports/loading.py", "known"),  # ImportResult
    ("administration/storing/journal.py", "said"),  # Journal.said
    ("administration/asking/runner.py", "asked"),  # RunResult, printed by --json
    ("administration/asking/runner.py", "known"),
    ("api/demonstration.py", "asked"),  # Demo.asked, printed by --json
    ("api/analyses/planning.py", "known"),  # gf.plan(known=...)
    ("benchmarks/chc/families/balance_puzzles.py", "asked"),  # fields of scenes: items' identity
    ("benchmarks/chc/families/paired_associates.py", "asked"),
    ("benchmarks/chc/families/running_span.py", "shown"),
    ("benchmarks/chc/families/spatial_span.py", "shown"),
    ("benchmarks/chc/families/tower_planning.py", "asked"),
    ("benchmarks/chc/families/updating.py", "asked"),
    ("api/scaffolds/family/plugin_name.py", "asked"),  # a field of a scene: an item's identity
    ("errors.py", "known"),  # UnknownNameError(kind, name, known), raised by plug-ins
    ("examinees/base.py", "asked"),  # RenderedItem.asked, for examinees of plug-ins
    ("psychometrics/gold/precision.py", "known"),  # reliabilities(scores, known)
    ("psychometrics/inference/resampling.py", "kept"),  # Bootstrap.kept
    ("psychometrics/irt/adaptive/exposure.py", "asked"),  # ExposureControl.pick of plug-ins
    ("psychometrics/irt/anchors/anchor_set.py", "asked"),  # fields of anchors, in their files
    ("psychometrics/irt/anchors/drift.py", "asked"),
    ("psychometrics/irt/anchors/placement_findings.py", "asked"),
    ("psychometrics/irt/anchors/placing.py", "asked"),
    ("psychometrics/irt/scores/profiles.py", "asked"),  # Ranking, printed by --json
    ("psychometrics/planning/aims.py", "asked"),  # Aim.asked
    ("psychometrics/planning/inflation_aim.py", "asked"),
    ("psychometrics/planning/result.py", "known"),  # gf.plan(known=...)
    ("psychometrics/psychophysics/curves.py", "asked"),  # CurveData
    ("psychometrics/psychophysics/fits.py", "asked"),  # fit_curves(right, asked)
    ("psychometrics/sem/batches/outcome.py", "kept"),  # ManyFits.kept
    ("psychometrics/sem/constraints.py", "kept"),  # Reduction.kept
    ("psychometrics/sem/diagnostics/case.py", "held"),  # Case.held
    ("psychometrics/sem/ordinal/columns.py", "known"),  # OrdinalColumn.known
    ("reports/pages/demo_page.py", "asked"),  # Demo.asked
}
"""(file, word): names that users, files and plug-ins have."""

VERBS_LEFT = {
    "results.py": 1,
    "scoring": 4,
}
"""Bindings of VERBS by room, zero in the others: lower these numbers, never raise them."""


def test_variables_are_named_after_their_content() -> None:
    left: Counter[str] = Counter()
    for path in sources(".py"):
        words = [word for word in _bindings(path) if word in VERBS]
        left[_name(path).partition("/")[0]] += sum(
            (_name(path), word) not in PUBLIC_VERBS for word in words
        )
    grown = {room: n for room, n in left.items() if n > VERBS_LEFT.get(room, 0)}
    assert not grown, "name the content: `message`, `stored`, `observed`, not said, kept, known"


def test_public_verbs_are_in_use() -> None:
    unused = {(name, word) for name, word in PUBLIC_VERBS if word not in _bindings(PACKAGE / name)}
    assert not unused


SIGNED_OR_INTERVAL = re.compile(
    r":\+,?\.\d+f\}"  # with a sign
    r"|\[\{[^{}]*:,?\.\d+f\}"  # behind the opening bracket of an interval
    r"|:,?\.\d+f\}\]"  # before its closing bracket
)
"""A number that may be negative, written without the z that makes "-0.0" a "0.0"."""

P_VALUE = re.compile(
    r"""\b(\w+_)?p(_?value|_adjusted|_holm|_fdr|_families)?(["']\])?:\.[1-5][fg]\}"""
)
"""A p-value that `numbers_in_text.p_value` does not write."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("expression", "written", "better"),
    [
        (SIGNED_OR_INTERVAL, 'f"[{low:.2f}, {high:.2f}]"', 'f"[{low:z.2f}, {high:z.2f}]"'),
        (P_VALUE, 'f"p = {fit.pvalue:.3g}"', "f\"p {p_value(fit.pvalue, '= ')}\""),
    ],
    ids=["minus_zero", "p_value"],
)
def test_numbers_are_written_in_one_way(
    expression: re.Pattern[str], written: str, better: str
) -> None:
    assert expression.search(written)
    assert not expression.search(better)
    found = [
        f"{_name(path)}: {line.strip()}"
        for path in sources(".py")
        for line in path.read_text().splitlines()
        if expression.search(line)
    ]
    assert not found, f"write {better}"


SIMULATED = {
    "_item_of": "scenes drawn until one is an item",
    "_predictive": "predictive data sets",
    "_reference": "random tables",
    "binomial_draws": "posterior draws",
    "parallel_analysis": "random tables",
    "plausible_values": "posterior draws",
    "predictive_check": "predictive data sets",
    "sem": "bootstrap samples, under lavaan's name of the option",
    "total_correlation": "random weights",
}
"""Functions whose `draws` are no bootstrap samples -> what they are."""


@pytest.mark.slow
def test_the_number_of_bootstrap_samples_is_n_bootstrap() -> None:
    counts = {
        node.name
        for path in sources(".py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for given in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        if given.arg in {"bootstrap", "draws", "n_draws", "n_resamples", "resamples"}
        and given.annotation is not None
        and "int" in ast.unparse(given.annotation).split(" | ")
    }
    assert counts == set(SIMULATED)


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix() if path.is_relative_to(PACKAGE) else path.name


_GIVEN = re.compile(
    rf"(?<!\w)_*(?:{'|'.join(NAMES | VERBS)})_*(?!\w)\s*(?:[=:,()\]+*/%&|^@<>#\\-]|in\b)",
    re.IGNORECASE,
)
"""One of the words before a sign that can follow a name where it is given."""


@cache
def _bindings(path: Path) -> tuple[str, ...]:
    """Return those of the words that a file gives as names, once for each time: of functions,
    classes, parameters, variables and fields. Only a file that can give one is parsed."""
    return _parsed_bindings(path) if _GIVEN.search(_text(path)) else ()


@cache
def _parsed_bindings(path: Path) -> tuple[str, ...]:
    names: list[str] = []
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.arg):
            names.append(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.append(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.append(node.attr)
    words = (name.strip("_").lower() for name in names)
    return tuple(word for word in words if word in NAMES | VERBS)


@pytest.mark.slow
def test_a_file_that_is_not_parsed_gives_none_of_the_words() -> None:
    assert not [path for path in sources(".py") if _bindings(path) != _parsed_bindings(path)]


FRAGMENTS = {"Of": 0, "Whose": 0, "Where": 0, "What": 0}
"""Descriptions in docstrings and help that begin so: lower these numbers, never raise them."""


@cache
def _descriptions(path: Path) -> str:
    """Return the docstrings and the help of a file, one after the other."""
    texts = re.compile(r'"""(.*?)"""|(help="[^"]*)', re.DOTALL)
    return "\n".join(map("".join, texts.findall(_text(path))))


@pytest.mark.thorough
@pytest.mark.parametrize("word", FRAGMENTS)
def test_descriptions_are_whole_noun_phrases(word: str) -> None:
    begins = re.compile(rf'(?:^ +|: |help="){word} [a-z]', re.MULTILINE)
    count = sum(len(begins.findall(_descriptions(path))) for path in sources(".py"))
    assert count <= FRAGMENTS[word], "name the thing: 'Seed of the bank.', not 'Of the bank.'"


QUESTIONS = 0
"""Docstrings that begin with a question word or "Of": lower this number, never raise it."""


@pytest.mark.thorough
def test_docstrings_say_what_is_returned_or_done() -> None:
    begins = re.compile(
        r'^ *r?"""(?:How|Of|What|When|Where|Whether|Which|Who|Whom|Whose)\b', re.MULTILINE
    )
    count = sum(len(begins.findall(_text(path))) for path in sources(".py"))
    assert count <= QUESTIONS, 'write "Return the share of ...", not "What ..." or "Whether ..."'


SUMMARIES_LEFT = 1
"""Public functions described by a bare noun: the help of `gfactor`, which says what gfactor is."""


@pytest.mark.thorough
def test_public_functions_are_described_by_what_they_do() -> None:
    nouns = {"The", "A", "An", "All", "Both", "Each", "Every", "One", "Two"}
    count = sum(
        (ast.get_docstring(node) or "").split(" ")[0] in nouns
        for path in sources(".py")
        if _begins_with(nouns, _text(path))
        for node in _public_functions(parsed(path))
    )
    assert count <= SUMMARIES_LEFT, 'write "Return the rows of a table", not "The rows of a table"'


def _begins_with(words: set[str], text: str) -> bool:
    """Return True if the description of a public function in a file may begin with a word."""
    begins = re.compile(rf'^ +[rR]?"""\s*(?:{"|".join(words)})\b', re.MULTILINE)
    heads = (text[: match.start()].rpartition("def ")[2] for match in begins.finditer(text))
    return any(head.rstrip().endswith(":") and head[:1] != "_" for head in heads)


def _public_functions(
    tree: ast.Module | ast.ClassDef,
) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the public functions and methods of a module, without properties."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from _public_functions(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            wrapped = any("property" in ast.unparse(one) for one in node.decorator_list)
            if not (wrapped or node.name.startswith("_")):
                yield node


def test_returns_say_what_is_in_the_result() -> None:
    """A type alone is no description: a line below it says what the value holds."""
    bare = re.compile(r"Returns\n( +)-{7}\n\1(\S[^.:`\n]*)\n(?!\1    \S)")
    bare_types = {
        f"{_name(path)}: {match[2]}"
        for path in sources(".py")
        for match in bare.finditer(_text(path))
    }
    assert not bare_types
