"""A small bank of every kind that the package makes; kinds come from the registries."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np

import gfactor as gf
from gfactor.administration import Journal
from gfactor.api.scaffolding import KINDS as SCAFFOLDS
from gfactor.benchmarks import BENCHMARKS
from gfactor.benchmarks.chc.family import FAMILIES
from gfactor.benchmarks.percept_v.domain import DOMAINS
from gfactor.benchmarks.postprocess import TRANSFORMATIONS
from gfactor.benchmarks.selection import METHODS
from gfactor.examinees.observer.solvers import SOLVERS
from gfactor.imaging import encode_png
from gfactor.items import Choice, Image, Item, ItemBank, Provenance, text_hash, write_bank
from support.banks import make_items
from support.corridors.answering import answer
from support.exam import BLANKS, question
from support.releases import write_m3gia, write_mm_iq, write_multi, write_tsv
from support.studies import every_type_bank

Maker = Callable[[Path], Path]

_REGISTRIES = (BENCHMARKS, DOMAINS, FAMILIES, SOLVERS)
_NO_BANK = ("estimator", "import")
"""Kinds of scaffolds that make no bank."""

SMALL: Mapping[str, Mapping[str, Any]] = {
    "percept-v": {
        "domains": ["change_colour", "counting_circles", "sort_lines"], "sizes": [2, 4],
        "instances": 3,
    },
    "chc": {
        "families": ["running_span", "spatial_span", "number_series"], "cells": "main",
        "per_cell": 1,
    },
    "m3gia-parallel": {"language": ["en"], "items": 1},
    "mm-iq-parallel": {"items": 2},
}  # fmt: skip
"""Options of benchmarks that are generated."""

RELEASES: Mapping[str, Callable[[Path], Mapping[str, Any]]] = {
    "m3gia": lambda at: {"source": str(write_m3gia(at)), "languages": ["en", "zh"]},
    "mm-iq": lambda at: {"source": str(write_mm_iq(at)), "languages": ["en", "zh"]},
    "multi": lambda at: {"source": str(write_multi(at))},
    "vlmevalkit": lambda at: {"source": str(_tsv(at))},
}
"""Options of benchmarks that are read from files of others."""


def _tsv(folder: Path) -> Path:
    folder.mkdir()
    rows = [
        {"index": k, "question": f"Which is number {k}?", "A": "one", "B": "two", "C": "three",
         "answer": "ABC"[k % 3], "category": "odd" if k % 2 else "even"}
        for k in range(6)
    ]  # fmt: skip
    return write_tsv(folder / "Small.tsv", rows)


_GENERATED: dict[str, Path] = {}
"""Banks that were generated before, by what they are; banks and journals need the same ones."""


def built(folder: Path, benchmark: str, **changed: Any) -> Path:
    """A bank of a benchmark, built once per folder: that of all kinds if several use it."""
    name = "-".join([benchmark, *map(str, changed.values())])
    path = folder / f"{name}.parquet"
    before = _GENERATED.get(name)
    if not path.exists() and before is not None and before.exists():
        shutil.copyfile(before, path)
    if not path.exists():
        if benchmark in RELEASES:
            options = RELEASES[benchmark](folder / f"{name} release")
        else:
            options = SMALL.get(benchmark, {})
        gf.build(benchmark, path=path, show_progress=False, **{**options, **changed})
        if benchmark in SMALL:
            _GENERATED[name] = path
    return path


def _selected(method: str) -> Maker:
    def make(folder: Path) -> Path:
        benchmark = "multi" if method in ("appendix-d", "elite") else "percept-v"
        source, path = built(folder.parent, benchmark), folder / f"selected {method}.parquet"
        options: dict[str, dict[str, Any]] = {
            "stratified": {"by": ["domain"], "n": 6},
            "quota": {"by": ["domain"], "quota": "2"},
            "elite": {"errors": _errors(folder, source), "n": 4},
        }
        gf.select(source, method, path=path, **options.get(method, {}))
        return path

    return make


def _errors(folder: Path, source: Path) -> Path:
    path = folder / "errors.db"
    with Journal.open(path) as journal:
        answer(journal, ItemBank.open(source), {"openai:a": 0.6, "openai:b": 0.3})
    return path


def _transformed(name: str) -> Maker:
    def make(folder: Path) -> Path:
        path = folder / f"transformed {name}.parquet"
        gf.transform(_exam(folder.parent), [name], path=path)
        assert any(item.provenance.history for item in ItemBank.open(path)), f"{name} did nothing"
        return path

    return make


def _exam(folder: Path) -> Path:
    """Questions that transformations apply to; each changes one of them at least."""
    path = folder / "exam.parquet"
    if not path.exists():
        combined = tuple(
            Choice(label, text)
            for label, text in zip("ABCD", ("(1)(2)", "(1)(3)", "(2)(3)", "(1)(2)(3)"), strict=True)
        )
        cities = (Choice("A", "Rome"), Choice("B", "Oslo"), Choice("C", "Bern"))
        write_bank(
            [
                question("plain"),
                question("html", content=("Which is <b>H<sub>2</sub>O</b>?",)),
                question(
                    "combined",
                    content=("Which are right? (1) one (2) two (3) three",),
                    choices=combined,
                ),
                question(
                    "french", language="fr", target="C", content=("Quel animal donne du lait ?",)
                ),
                question(
                    "names",
                    content=("Anna has more pens than Tom. Who has fewer pens?",),
                    choices=(Choice("A", "Anna"), Choice("B", "Tom")),
                ),
                question(
                    "numbers",
                    content=("What is 12 + 7 × 3?",),
                    choices=(Choice("A", "57"), Choice("B", "33"), Choice("C", "31")),
                ),
                question("blank", content=("The capital of Norway is ____.",), choices=cities),
                question(
                    "parts",
                    **{**BLANKS, "content": ("Say where. (1) Up is [MASK]. (2) Down is [MASK].",)},
                ),
                question("framed", content=(_framed(), "Which animal is it?")),
            ],
            path,
        )
    return path


def _framed() -> Image:
    """Return a picture of a black square with a white margin."""
    pixels = np.full((60, 60, 3), 255, dtype=np.uint8)
    pixels[25:35, 25:35] = 0
    return Image(encode_png(pixels), "framed.png")


def _undone(folder: Path) -> Path:
    path = folder / "undone.parquet"
    changed = gf.transform(
        _exam(folder.parent), ["html-to-markdown"], path=folder / "to undo.parquet"
    )
    gf.undo(changed, path=path)
    return path


def _form(folder: Path) -> Path:
    source = built(folder.parent, "percept-v")
    levels = {f"openai:m{k}": 0.1 + 0.09 * k for k in range(10)}
    with Journal.open(folder / "calibrating.db") as journal:
        answer(journal, ItemBank.open(source), levels)
        known = gf.calibrate(journal)
    gf.form(known, bank=source, length=4, parallel=1, path=folder / "forms")
    return folder / "forms" / "form-1.parquet"


def _scaffolded(kind: str) -> Maker:
    """The bank of a scaffold, whose package is not installed any more when the bank is used."""

    def make(folder: Path) -> Path:
        name = f"corridor_{kind}"
        path, package = folder / f"scaffold {kind}.parquet", folder / name
        gf.scaffold(kind, name, folder=package)
        before = {id(one): dict(one._things) for one in _REGISTRIES if len(one)}
        places = {str(one.parent) for one in package.rglob("*.py")}
        sys.path[:0] = places
        try:
            if kind == "benchmark":
                release = importlib.import_module(f"test_{name}").write_release(folder / "rel")
                gf.build(name.replace("_", "-"), path=path, source=str(release))
            else:
                importlib.import_module(name)
                home, option = {"domain": ("percept-v", "domains"), "family": ("chc", "families")}[
                    kind
                ]
                more = {"sizes": [1, 2], "instances": 2} if kind == "domain" else {"per_cell": 1}
                gf.build(home, path=path, **{option: [name], **more})
        finally:
            sys.path[:] = [one for one in sys.path if one not in places]
            for module in (name, f"test_{name}"):
                sys.modules.pop(module, None)
            for registry in cast(Any, _REGISTRIES):
                registry._things = before[id(registry)]
        return path

    return make


def _same_id(folder: Path) -> Path:
    """An item with an id that percept-v has, and another content."""
    source = ItemBank.open(built(folder.parent, "percept-v"))
    twins = [
        question(item_id, benchmark="exam", provenance=Provenance("t", "1", text_hash(item_id)))
        for item_id in source.ids[:6]
    ]
    return write_bank(twins, folder / "same ids.parquet")


def _choice_and_formatted(folder: Path) -> Path:
    items: list[Item] = [*make_items("ab", 1, 2), question("q1"), question("q2", target="C")]
    return write_bank(items, folder / "both.parquet")


def bank_kinds() -> dict[str, Maker]:
    """Every kind of bank by name; a registered kind that is not known here is built as it is."""
    kinds: dict[str, Maker] = {}
    for name in BENCHMARKS:
        kinds[name] = lambda folder, name=name: built(folder.parent, name)
        if any(option.name == "twin" for option in BENCHMARKS[name].options):
            kinds[f"{name} twins"] = lambda folder, name=name: built(folder, name, twin="both")
    kinds |= {f"select {name}": _selected(name) for name in METHODS}
    kinds |= {f"transform {name}": _transformed(name) for name in TRANSFORMATIONS}
    kinds |= {f"scaffold {kind}": _scaffolded(kind) for kind in SCAFFOLDS if kind not in _NO_BANK}
    return kinds | {
        "undo": _undone,
        "form": _form,
        "every answer type": lambda folder: every_type_bank(folder).path,
        "choice and formatted": _choice_and_formatted,
        "same ids": _same_id,
    }


def bank_of(kind: str, folder: Path) -> Path:
    """The bank of a kind, made once per folder."""
    path = folder / f"bank {kind}"
    if not path.is_dir():
        path.mkdir(parents=True)
    marker = path / "made"
    if not marker.exists():
        marker.write_text(str(bank_kinds()[kind](path)), "utf-8")
    return Path(marker.read_text("utf-8"))
