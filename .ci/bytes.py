"""Print one SHA-256 for each kind of content that is the same on every machine.

    python .ci/bytes.py [--into FOLDER]

Banks of every benchmark and every generated family, their pictures, the questions as they are put,
a journal of observers and baselines with its scores, an adaptive profile and the tables of a
report are made in a temporary folder. Two environments that keep the promise print the same lines.

`--into` keeps what was digested as text, so that a difference can be looked at, and tables of
numbers that come out of floating-point arithmetic as `numbers/NAME.csv`: of these, digits may
differ from the tenth on, so that they are compared by `.ci/machines.py` and not digested.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

# Only the path above makes the tests' own small releases of benchmarks importable.
from support.releases import base64_png, write_m3gia, write_mm_iq, write_multi, write_tsv  # noqa: E402

import gfactor as gf  # noqa: E402
from gfactor.administration import Condition, render  # noqa: E402
from gfactor.administration.asking.preparing import Files, prepare  # noqa: E402
from gfactor.benchmarks.texts import LANGUAGES  # noqa: E402
from gfactor.items import Image, ItemBank, answer_to_json, canonical_json, pixel_hash  # noqa: E402
from gfactor.reports import Results, make_tables  # noqa: E402

GENERATED: dict[str, tuple[str, dict[str, Any]]] = {
    "percept-v-audited": ("percept-v", {"seed": 7, "sizes": (3, 12), "instances": 1}),
    "percept-v-paper": (
        "percept-v",
        {"seed": 7, "edition": "paper", "sizes": (12,), "instances": 1},
    ),
    "chc": ("chc", {"seed": 5, "per_cell": 1}),
    "chc-six-languages": (
        "chc",
        {
            "seed": 6,
            "per_cell": 1,
            "difficulty": ("easy",),
            "families": ("set_membership", "syllogisms"),
            "language": LANGUAGES,
            "twin": "both",
        },
    ),
}
"""Name of a bank: its benchmark and options."""
EXAMINEES = (
    "observer:ideal",
    "observer:limited?acuity=0.45&contrast=0.09&capacity=2.5&retention=5&hypotheses=16&seed=2",
    "baseline:random",
)
WHEN = ("created", "latency_s")
"""Columns of a journal that say when something happened, and how long it took."""

Content = dict[str, str]
"""Kind of content: all of it as text."""


def write_tables(folder: Path) -> Path:
    """Write a small table as VLMEvalKit has them."""
    folder.mkdir()
    rows = [
        {"index": k, "question": f"Is it {k}?", "answer": "Yes" if k % 2 else "No",
         "category": "count", "image": base64_png(k)}
        for k in range(4)
    ]  # fmt: skip
    return write_tsv(folder / "MME.tsv", rows)


RELEASES: dict[str, Callable[[Path], Path]] = {
    "m3gia": write_m3gia,
    "mm-iq": write_mm_iq,
    "multi": write_multi,
    "vlmevalkit": write_tables,
}
"""Benchmarks that are read from files, and what writes a small release."""


def lines(values: Iterable[object]) -> str:
    """Write values one a line."""
    return "".join(f"{value}\n" for value in values)


def build_all(folder: Path) -> dict[str, ItemBank]:
    """Build a small bank of every benchmark."""
    banks = {
        name: gf.build(benchmark, path=folder / f"{name}.parquet", jobs=1, **options)
        for name, (benchmark, options) in GENERATED.items()
    }
    for name, write in RELEASES.items():
        source = str(write(folder / f"{name}-release"))
        banks[name] = gf.build(name, path=folder / f"{name}.parquet", jobs=1, source=source)
    return banks


def describe_bank(name: str, bank: ItemBank) -> Content:
    """Describe items, decoded pixels and questions of a bank."""
    items = list(bank)
    condition, materials = prepare(bank, Condition(), Files())
    asked = [render(item, condition, materials) for item in items]
    return {
        f"{name}: items": lines(
            canonical_json([item.id, answer_to_json(item.target), item.provenance.content_hash])
            for item in items
        ),
        f"{name}: pixels": lines(
            f"{item.id} {pixel_hash(pixels)}" for item in items for pixels in bank.pixels(item)
        ),
        f"{name}: questions": lines(
            canonical_json(
                [one.item_id, one.task, *("image" if isinstance(part, Image) else part
                 for turn in (*one.earlier, one.content) for part in turn)]
            )
            for one in asked
        ),
    }  # fmt: skip


def describe_journal(bank: ItemBank, path: Path) -> tuple[Content, dict[str, Any]]:
    """Describe what examinees answer, and return the tables of numbers that follow from it."""
    with gf.run(bank, EXAMINEES, journal=path, jobs=1) as journal:
        rows = journal.responses().drop(columns=list(WHEN))
        asked = journal.items()
        tables = make_tables(Results.from_journal(journal))
        scores = gf.score(journal)
    order = ["examinee", "item_hash", "occasion"]
    content = {
        "journal: responses": rows.sort_values(order).to_csv(index=False),
        "journal: items": asked.sort_values("id").to_csv(index=False),
    }
    numbers = {f"report-{name}": table.frame for name, table in tables.items()}
    return content, {**numbers, "scores": scores.table}


def describe_profile(path: Path) -> tuple[Content, dict[str, Any]]:
    """Describe what an adaptive profile asked, and return its estimates."""
    profile = gf.profile(
        EXAMINEES[1], journal=path, abilities=["Gwm", "EF"], max_items=24, seed=3, jobs=1
    )
    asked = profile.answers[["step", "ability", "family", "cell", "number", "item_hash", "score"]]
    return {"profile: questions": asked.to_csv(index=False)}, {"profile": profile.abilities}


def main() -> None:
    """Make everything, print the digests, and keep what was digested if it is wanted."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--into", type=Path, help="folder for what was digested")
    into = parser.parse_args().into
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        banks = build_all(folder)
        content: Content = {}
        for name, bank in banks.items():
            content |= describe_bank(name, bank)
        answered, numbers = describe_journal(banks["percept-v-audited"], folder / "journal.db")
        profiled, estimates = describe_profile(folder / "profile.db")
        content |= answered | profiled
        numbers |= estimates
    digests = {kind: hashlib.sha256(text.encode()).hexdigest() for kind, text in content.items()}
    for kind, digest in digests.items():
        print(f"{digest}  {kind}")
    if into is not None:
        (into / "numbers").mkdir(parents=True, exist_ok=True)
        for kind, text in content.items():
            (into / f"{kind.replace(': ', '-')}.txt").write_text(text, "utf-8")
        for name, frame in numbers.items():
            frame.to_csv(into / "numbers" / f"{name}.csv")
        (into / "digests.json").write_text(json.dumps(digests, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
