"""Every public function that takes a bank, a journal or a table, and what its result must say."""

from __future__ import annotations

import inspect
import math
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pandas as pd

import gfactor as gf
from gfactor.api.analyses.planning import Aims
from gfactor.benchmarks.postprocess import TRANSFORMATIONS
from gfactor.benchmarks.selection import METHODS
from gfactor.reports.exchange.base import EXCHANGES
from support.corridors.banks import bank_of
from support.corridors.by_hand import GROUP, answers_by_hand, by_item, counted, counted_rows

Hand = Mapping[tuple[str, ...], tuple[int, float]]
CLOSE = 1e-9


@dataclass(frozen=True)
class Given:
    """A bank or a journal, and the counts of it by hand."""

    path: Path
    scratch: Path

    @property
    def answers(self) -> pd.DataFrame:
        return answers_by_hand(self.path)

    @property
    def model(self) -> str:
        """An examinee of the journal: the model that most kinds have, or the first of all."""
        examinees = sorted(self.answers["examinee"].unique())
        return "openai:a" if "openai:a" in examinees or not examinees else examinees[0]

    def fresh(self, name: str = "out") -> Path:
        """A path at which nothing is."""
        self.scratch.mkdir(parents=True, exist_ok=True)
        return self.scratch / f"{name}-{len(list(self.scratch.iterdir()))}"


@dataclass(frozen=True)
class Call:
    """A function with the arguments of one use of it, and the check of its result."""

    act: Callable[[Given], Any]
    check: Callable[[Given, Any], Iterator[str]] | None = None


def _different(what: str, found: Hand, expected: Hand, within: float = CLOSE) -> Iterator[str]:
    """Sentences on all cells in which n or mean is another than by hand."""
    for key in sorted({*found, *expected}):
        n, mean = found.get(key, (0, float("nan")))
        by_hand_n, by_hand = expected.get(key, (0, float("nan")))
        same = mean == by_hand or abs(mean - by_hand) < within or (n == by_hand_n == 0)
        if n != by_hand_n or not same:
            yield f"{what} of {key}: n {n}, mean {mean:.4f}; by hand {by_hand_n}, {by_hand:.4f}"


def _table(
    frame: pd.DataFrame, by: list[str], n: str = "n", mean: str = "mean"
) -> dict[tuple[str, ...], tuple[int, float]]:
    rows = frame.reset_index() if not set(by) <= set(frame.columns) else frame
    return {
        tuple(str(row[name]) for name in by): (int(row[n]), float(row[mean]))
        for row in rows.to_dict("records")
        if row[n]
    }


def _score(given: Given, scores: Any) -> Iterator[str]:
    found = _table(scores.table, GROUP, mean="accuracy")
    yield from _different("score", found, counted(given.answers, GROUP))


def _matrix(by: str) -> Callable[[Given, Any], Iterator[str]]:
    def check(given: Given, matrix: Any) -> Iterator[str]:
        items = by_item(given.answers)
        if by == "item":
            groups: Any = items.groupby("examinee")["correct"]
            hand = {(str(who),): (len(p), float(p.mean())) for who, p in groups}
            found = {
                (str(who),): (int(matrix.n.loc[who].sum()), float(matrix.scores.loc[who].mean()))
                for who in matrix.scores.index
                if matrix.n.loc[who].sum()
            }
        else:
            groups = items.dropna(subset=[by]).groupby(["examinee", by])["correct"]
            hand = {tuple(map(str, key)): (len(p), float(p.mean())) for key, p in groups}
            found = {
                (str(who), str(name)): (int(matrix.n.loc[who, name]), float(cell))
                for who, row in matrix.scores.iterrows()
                for name, cell in row.items()
                if matrix.n.loc[who, name]
            }
        yield from _different(f"matrix by {by}", found, hand)

    return check


def _runs(answers: pd.DataFrame) -> pd.DataFrame:
    """With `run`, as comparisons name it."""
    several = len(set(answers["condition"])) > 1
    names = answers["examinee"] + " | " + answers["condition"] if several else answers["examinee"]
    return answers.assign(run=names)


def _by_run(given: Given) -> Hand:
    items = _runs(by_item(given.answers))
    runs: Any = items.groupby("benchmark")["run"].transform("nunique")
    by_benchmark = runs > 1
    return counted_rows(items.loc[by_benchmark], ["benchmark", "run"])


def _compare(given: Given, comparison: Any) -> Iterator[str]:
    ranks = comparison.ranks
    if "benchmark" not in ranks:
        (only,) = comparison.wholes
        ranks = ranks.rename_axis("run").assign(benchmark=only)
    yield from _different("compare", _table(ranks, ["benchmark", "run"]), _by_run(given))


def _report(given: Given, written: Any) -> Iterator[str]:
    folder = written.path.parent / "tables"
    summary = pd.read_csv(folder / "summary.csv", keep_default_na=False, na_values=[""])
    found: dict[tuple[str, ...], tuple[int, float]] = {}
    answers = given.answers
    for row in summary.to_dict("records"):
        accuracy = float(row.get("accuracy", math.nan))
        if not math.isnan(accuracy):
            benchmark = row.get("benchmark", answers["benchmark"].iloc[0])
            found[str(row["examinee"]), str(benchmark)] = (int(row["n"]), accuracy)
    people = answers["examinee"].str.startswith("person:").any()
    if people or len(set(answers["condition"])) > 1:
        return
    hand = counted(answers, ["examinee", "benchmark"])
    # The table in the folder has four digits.
    yield from _different("report", found, hand, within=5e-5)


def _leaderboard(given: Given, board: Any) -> Iterator[str]:
    answers = given.answers
    items = answers.drop_duplicates(["item_hash", "item_id"])
    if board.items < len(items):
        yield f"leaderboard shows {board.items} items, and {len(items)} were answered"


def _exported(given: Given, done: Any) -> Iterator[str]:
    people = given.answers["examinee"].str.startswith("person:")
    if done.answers < int((~people).sum()):
        yield f"export wrote {done.answers} of {int((~people).sum())} answers"


def _reliability(given: Given, result: Any) -> Iterator[str]:
    if result.n > given.answers["examinee"].nunique():
        yield f"reliability has {result.n} examinees, and there are fewer"


def _explained(given: Given, result: Any) -> Iterator[str]:
    if abs(result.gap) > CLOSE:
        yield f"a journal and itself differ by {result.gap}"


def _gtheory(given: Given, result: Any) -> Iterator[str]:
    scores = len(by_item(given.answers))
    if result.n_scores != scores if hasattr(result, "n_scores") else False:
        yield f"generalizability has {result.n_scores} scores, by hand {scores}"


def _norms(given: Given, norms: Any) -> Iterator[str]:
    answers = given.answers
    people = answers.loc[answers["examinee"].str.startswith("person:")]
    for benchmark, part in people.groupby("benchmark"):
        rows = norms.table.loc[norms.table["scale"] == benchmark]
        if len(rows) and int(rows["n"].iloc[0]) != part["examinee"].nunique():
            yield f"norms of {benchmark} have n {int(rows['n'].iloc[0])}"


def _irt(given: Given, fit: Any) -> Iterator[str]:
    if len(fit.table.persons) != given.answers["examinee"].nunique():
        yield f"irt has {len(fit.table.persons)} persons"


def _ranks(given: Given, ranks: Any) -> Iterator[str]:
    items = _runs(by_item(given.answers))
    found = _table(ranks.table.rename_axis("run"), ["run"])
    yield from _different("rank_sets", found, counted_rows(items, ["run"]))


def _again(given: Given, score: Any) -> Iterator[str]:
    """Scores of the answers that came back."""
    by = ["examinee", "benchmark"]
    found = _table(score.table, by, mean="accuracy")
    yield from _different("a table of items, scored", found, counted(given.answers, by))


def _by_item(given: Given) -> Any:
    return gf.matrix(given.path, by="item")


def _halves(given: Given) -> dict[str, Any]:
    """The items as two forms, one of which is called public."""
    items = list(_by_item(given).scores)
    return {"public": items[::2], "fresh": items[1::2]}


def _inflated(given: Given, result: Any) -> Iterator[str]:
    """Means of both forms, by hand."""
    items = by_item(given.answers)
    mine = items.loc[items["examinee"] == given.model].set_index("item_id")["correct"]
    for form, names in _halves(given).items():
        if abs(getattr(result, form) - float(mine[names].mean())) > CLOSE:
            yield f"inflation has a mean of {getattr(result, form)} on the {form} items"


def _writable(given: Given) -> Path:
    """A copy of the journal to write to."""
    path = given.fresh("journal").with_suffix(".db")
    path.write_bytes(given.path.read_bytes())
    return path


def _labeled(given: Given) -> Any:
    folder = given.fresh()
    gf.annotate.new(_own_bank(given), folder)
    return gf.annotate.responses(folder, given.path)


def _into(given: Given) -> Any:
    from support.corridors.journals import LOGS  # noqa: PLC0415  (imports this room)

    folder = given.fresh()
    folder.mkdir()
    return gf.import_logs("vlmevalkit", LOGS["vlmevalkit"](folder), journal=_writable(given))


def _correct(given: Given) -> Any:
    """The scores of the first benchmark and condition; nobody has marked anything."""
    rows = given.answers.sort_values(["benchmark", "condition"]).head(1).to_dict("records")
    named = {name: rows[0][name] for name in ("benchmark", "condition")} if rows else {}
    return gf.correct_scores(given.path, **named)


def _corrected(given: Given, found: Any) -> Iterator[str]:
    rows = by_item(given.answers).sort_values(["benchmark", "condition"])
    first = rows.iloc[0]
    same = (rows["benchmark"] == first["benchmark"]) & (rows["condition"] == first["condition"])
    hand = counted_rows(rows.loc[same], ["examinee"])
    yield from _different("correct_scores", _table(found.scores, ["examinee"], mean="judge"), hand)


def _closed(given: Given) -> Any:
    with gf.open_journal(given.path) as journal:
        return len(journal.items())


JOURNAL: dict[str, list[tuple[str, Call]]] = {
    "score": [
        ("", Call(lambda g: gf.score(g.path), _score)),
        ("of a table of items", Call(lambda g: gf.score(_by_item(g)), _again)),
    ],
    "matrix": [
        ("by domain", Call(lambda g: gf.matrix(g.path), _matrix("domain"))),
        ("by item", Call(_by_item, _matrix("item"))),
        ("of a table of items", Call(lambda g: gf.matrix(_by_item(g), "item"), _matrix("item"))),
    ],
    "compare": [
        ("", Call(lambda g: gf.compare(g.path), _compare)),
        ("of a table of items", Call(lambda g: gf.compare(_by_item(g)))),
    ],
    "compare_sequentially": [("", Call(lambda g: gf.compare_sequentially(g.path)))],
    "calibrate": [
        ("", Call(lambda g: gf.calibrate(g.path))),
        ("by design", Call(lambda g: gf.calibrate(g.path, by="design"))),
    ],
    "calibrate_each": [("", Call(lambda g: gf.calibrate_each(g.path, "benchmark")))],
    "gap": [("", Call(lambda g: gf.gap(g.path, examinees=[g.model])))],
    "gtheory": [
        ("item", Call(lambda g: gf.gtheory(g.path, facets=["item"]), _gtheory)),
        ("item and occasion", Call(lambda g: gf.gtheory(g.path, facets=["item", "occasion"]))),
        ("condition", Call(lambda g: gf.gtheory(g.path, facets=["item", "condition"]))),
    ],
    "report": [("", Call(lambda g: gf.report(g.path, g.fresh()), _report))],
    "leaderboard": [
        ("", Call(lambda g: gf.leaderboard(g.path, g.fresh()), _leaderboard)),
        ("of a table of items", Call(lambda g: gf.leaderboard(_by_item(g), g.fresh()))),
    ],
    "export": [
        (to, Call(lambda g, to=to: gf.export(g.path, to, g.fresh(), organization="a lab",
                                                     dataset="lab/results"), _exported))
        for to in EXCHANGES
    ],
    "norms": [("", Call(lambda g: gf.norms(g.path, min_n=10), _norms))],
    "plan": [
        (aim, Call(lambda g, aim=aim: gf.plan(g.path, aim=aim, target=0.1, simulations=0)))
        for aim in get_args(Aims)
    ],
    "explain_difference": [
        ("", Call(lambda g: gf.explain_difference(
            g.path, g.path, first_settings={"examinee": g.model},
            second_settings={"examinee": g.model}), _explained)),
    ],
    "import_scores": [
        ("", Call(lambda g: gf.import_scores(g.path))),
        ("by item", Call(lambda g: gf.import_scores(g.path, by="item"))),
        ("of a matrix", Call(lambda g: gf.import_scores(gf.matrix(g.path)))),
    ],
    "prune": [("", Call(lambda g: gf.prune(None, g.path)))],
    "prune_items": [("", Call(lambda g: gf.prune_items(g.path, 4)))],
    "compare_benchmarks": [
        ("", Call(lambda g: gf.compare_benchmarks(g.path, n_bootstrap=10))),
        ("of scores", Call(lambda g: gf.compare_benchmarks(
            gf.import_scores(g.path), benchmarks=list(gf.matrix(g.path).scores)[:1],
            n_bootstrap=10))),
    ],
    "dif": [("", Call(lambda g: gf.dif("rasch", _named(g), group="group", force=True)))],
    "irt": [("", Call(lambda g: gf.irt("rasch", _by_item(g)), _irt))],
    "conditional_irt": [("", Call(lambda g: gf.conditional_irt("pcm", _by_item(g))))],
    "correct_scores": [("", Call(_correct, _corrected))],
    "consistency": [
        ("", Call(lambda g: gf.consistency(_by_item(g)), _reliability)),
    ],
    "reliability": [("", Call(lambda g: gf.reliability(_by_item(g)), _reliability))],
    "efa": [("", Call(lambda g: gf.efa(gf.matrix(g.path), 1)))],
    "latent_classes": [("", Call(lambda g: gf.latent_classes(_by_item(g), 2, starts=2)))],
    "adequacy": [("", Call(lambda g: gf.adequacy(gf.matrix(g.path))))],
    "forensics": [("", Call(lambda g: gf.forensics(_by_item(g))))],
    "inflation": [
        ("", Call(lambda g: gf.inflation(g.path, examinee=g.model, **_halves(g)), _inflated)),
        ("of a table of items", Call(lambda g: gf.inflation(
            _by_item(g), examinee=g.model, **_halves(g)), _inflated)),
    ],
    "agreement": [("", Call(lambda g: gf.agreement(_by_item(g), n_bootstrap=20)))],
    "discriminant_validity": [
        ("", Call(lambda g: gf.discriminant_validity(
            {"one": list(_by_item(g).scores)[:3], "two": list(_by_item(g).scores)[3:6]},
            _by_item(g), n_bootstrap=20))),
    ],
    "sem": [("", Call(lambda g: gf.sem(_model(g), _named(g))))],
    "invariance": [("", Call(lambda g: gf.invariance(_model(g), _named(g), group="group")))],
    "pls": [("", Call(lambda g: gf.pls("A =~ x0 + x1; B =~ x2 + x3; B ~ A", _named(g))))],
    "gia": [("", Call(lambda g: gf.gia({"en": gf.matrix(g.path, count=True)}, n_bootstrap=10)))],
    "rank_sets": [
        ("of a matrix", Call(lambda g: gf.rank_sets(_by_item(g), n_bootstrap=20), _ranks)),
        ("of a comparison", Call(lambda g: gf.rank_sets(gf.compare(g.path), n_bootstrap=20),
                                 _ranks)),
        ("of differences", Call(lambda g: gf.rank_sets(gf.compare(g.path).differences))),
    ],
    "select": [
        ("elite", Call(lambda g: gf.select(
            _own_bank(g), "elite", n=2, errors=g.path, path=g.fresh().with_suffix(".parquet")))),
    ],
    "place": [("", Call(lambda g: gf.place(g.path)))],
    "audit": [("", Call(lambda g: gf.audit(_own_bank(g), text_only=g.path, ideal=False)))],
    "annotate.responses": [("", Call(_labeled))],
    "run": [("", Call(lambda g: gf.run(_own_bank(g), "observer:ideal", journal=_writable(g))))],
    "import_logs": [("", Call(_into))],
    "open_journal": [("", Call(_closed))],
}  # fmt: skip
"""By function: the uses of a journal, and of the tables that are made of it."""

ELSEWHERE = {
    "run_adaptive", "profile", "rank_abilities", "build", "study.new", "annotate.new", "undo",
    "transform", "form", "push_bank", "open_bank", "inflation_each", "variants", "place_examinee",
    "update_calibration", "plan_calibration", "merge_calibrations", "profile_each", "cfa",
}  # fmt: skip
"""Functions that make journals (`journals`), take banks (`BANK`), or have tests of their own."""


def _named(given: Given) -> pd.DataFrame:
    """The scores in an order that does not come from the codes of people, which are random."""
    scores = gf.matrix(given.path, by="item").scores
    frame = scores.set_axis([f"x{k}" for k in range(scores.shape[1])], axis=1)
    frame = frame.sort_values(list(frame.columns), kind="stable")
    return frame.assign(group=["a" if k % 2 else "b" for k in range(len(frame))])


def _model(given: Given) -> str:
    return "g =~ x0 + x1 + x2"


def _own_bank(given: Given) -> Path:
    """A bank that the examinees of most journals answered."""
    return bank_of("percept-v", given.scratch.parents[1] / "banks")


def _items_of(given: Given, result: Any, *, all_of_them: bool) -> Iterator[str]:
    n, wanted = result.built.items, len(gf.open_bank(given.path))
    if n > wanted or (all_of_them and n != wanted):
        yield f"{n} items were written of {wanted}"


def _asked(given: Given, journal: Any) -> Iterator[str]:
    wanted = len(gf.open_bank(given.path))
    for result in journal.results:
        if result.asked + result.failed != wanted:
            yield f"{result.asked} of {wanted} items were asked"


def _audited(given: Given, result: Any) -> Iterator[str]:
    n = sum(int(one["n"]) for one in result.audit.domains.values())
    if n != len(gf.open_bank(given.path)):
        yield f"the audit has {n} items of {len(gf.open_bank(given.path))}"


def _ran_and_scored(given: Given) -> Any:
    path = given.fresh("journal").with_suffix(".db")
    gf.run(given.path, ["baseline:random", "baseline:random?seed=1"], journal=path)
    return gf.report(path, given.fresh())


def _bank_path(given: Given) -> Path:
    return given.fresh().with_suffix(".parquet")


BANK: dict[str, list[tuple[str, Call]]] = {
    "open_bank": [("", Call(lambda g: gf.open_bank(g.path, decode=True)))],
    "audit": [
        ("", Call(lambda g: gf.audit(g.path, ideal=False), _audited)),
        ("with the ideal observer", Call(lambda g: gf.audit(g.path), _audited)),
    ],
    "audit_q_matrix": [("", Call(lambda g: gf.audit_q_matrix(g.path)))],
    "run": [
        ("baseline", Call(lambda g: gf.run(
            g.path, "baseline:random", journal=g.fresh().with_suffix(".db")), _asked)),
        ("observer", Call(lambda g: gf.run(
            g.path, "observer:ideal", journal=g.fresh().with_suffix(".db")), _asked)),
        ("without images", Call(lambda g: gf.run(
            g.path, "baseline:random", journal=g.fresh().with_suffix(".db"),
            condition="images=removed"), _asked)),
        ("with reasoning", Call(lambda g: gf.run(
            g.path, "baseline:random", journal=g.fresh().with_suffix(".db"), condition="cot=on"),
            _asked)),
        ("reported", Call(_ran_and_scored)),
    ],
    "select": [
        (method, Call(lambda g, method=method: gf.select(
            g.path, method, path=_bank_path(g), **_options(method)),
            lambda g, r: _items_of(g, r, all_of_them=False)))
        for method in METHODS
    ],
    "transform": [
        (name, Call(lambda g, name=name: gf.transform(g.path, [name], path=_bank_path(g))))
        for name in TRANSFORMATIONS
    ],
    "undo": [("", Call(lambda g: gf.undo(g.path, path=_bank_path(g))))],
    "push_bank": [("", Call(lambda g: gf.push_bank(g.path, "lab/x", path=g.fresh(),
                                                   write_only=True)))],
    "form": [("", Call(lambda g: gf.form(_calibration(), bank=g.path, length=3)))],
    "study.new": [("", Call(lambda g: gf.study.new(g.path, g.fresh(), title="Few",
                                                   per_person=2)))],
    "annotate.new": [("", Call(lambda g: gf.annotate.new(g.path, g.fresh())))],
    "run_adaptive": [
        ("", Call(lambda g: gf.run_adaptive(
            g.path, "observer:ideal", journal=g.fresh().with_suffix(".db"),
            calibration=_calibration(), max_items=2))),
    ],
}  # fmt: skip
"""By function: the uses of a bank."""


def _options(method: str) -> dict[str, Any]:
    return {"stratified": {"by": ["domain"], "n": 3}, "quota": {"by": ["domain"], "quota": "1"},
            "elite": {"n": 2}}.get(method, {})  # fmt: skip


def _calibration() -> Any:
    from support.profiles import calibrations  # noqa: PLC0415

    return calibrations(["running_span", "spatial_span"])["Gwm"]


TAKES = {"JournalLike": JOURNAL, "BankLike": BANK, "TableLike": JOURNAL, "Scores": JOURNAL}
"""Names of the types of parameters: where their functions stand."""


def takers() -> dict[str, set[str]]:
    """Every public function that takes a bank, a journal or a table: what it takes."""
    found: dict[str, set[str]] = {}
    for name in vars(gf)["__all__"]:
        thing = getattr(gf, name)
        parts = {name: thing}
        if isinstance(thing, types.ModuleType):
            parts = {f"{name}.{one}": getattr(thing, one) for one in thing.__all__}
        for full, one in parts.items():
            if not inspect.isfunction(one):
                continue
            notes = " ".join(str(note) for note in one.__annotations__.values())
            if kinds := {kind for kind in TAKES if kind in notes.replace("->", " ")}:
                found[full] = kinds
    return found
