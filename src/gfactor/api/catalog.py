"""Lists of what is available: benchmarks, domains, examinee schemes, and the papers' tables."""

from __future__ import annotations

import pkgutil
import sys
import tomllib
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import pandas as pd

from gfactor.administration.imports import IMPORTS
from gfactor.administration.packs import KEYS, template
from gfactor.api.datasets.loading import DATASETS
from gfactor.benchmarks import BENCHMARKS
from gfactor.benchmarks import published as papers
from gfactor.benchmarks.chc import FAMILIES
from gfactor.benchmarks.chc.shipped import shipped_calibrations
from gfactor.benchmarks.percept_v.domain import DOMAINS
from gfactor.benchmarks.postprocess.transformation import TRANSFORMATIONS
from gfactor.benchmarks.published import Published
from gfactor.benchmarks.quality.check import CHECKS
from gfactor.benchmarks.selection.method import METHODS
from gfactor.benchmarks.vlmevalkit.shipped import read_anchor_set, shipped_anchor_names
from gfactor.errors import UnknownNameError
from gfactor.examinees.base import EXAMINEES
from gfactor.reports.exchange import EXCHANGES
from gfactor.scoring.tables.base import SCORE_FORMATS


def _benchmarks() -> dict[str, str]:
    return {name: BENCHMARKS[name].description for name in BENCHMARKS}


def _domains() -> dict[str, str]:
    return {name: ", ".join(DOMAINS[name].skills) for name in DOMAINS}


def _families() -> dict[str, str]:
    return {
        name: f"{family.ability}: {', '.join(family.radicals)}" for name, family in FAMILIES.items()
    }


def _calibrations() -> dict[str, str]:
    real = {name: read_anchor_set(name).title.partition(": ")[2] for name in shipped_anchor_names()}
    designs = {
        f"chc-{ability}": f"design prior: {calibration.title}"
        for ability, calibration in shipped_calibrations().items()
    }
    return {**real, **designs}


def _datasets() -> dict[str, str]:
    return dict(DATASETS)


def _published() -> dict[str, str]:
    return {
        name: f"{about['title']} ({about['place']})" if about["place"] else about["title"]
        for name, about in papers.published_tables().items()
    }


def _first_line(thing: object) -> str:
    return (thing.__doc__ or "").strip().partition("\n")[0]


def _first_lines(registry: Mapping[str, object]) -> dict[str, str]:
    return {name: _first_line(thing) for name, thing in registry.items()}


def _languages() -> dict[str, str]:
    from gfactor.scoring.extraction import languages  # noqa: PLC0415

    names = (module.name for module in pkgutil.iter_modules(languages.__path__))
    modules = {name: import_module(f"{languages.__name__}.{name}") for name in names}
    return _first_lines(modules)


def _services() -> dict[str, str]:
    from gfactor.studies.questionnaires.study.recruiting import SERVICES  # noqa: PLC0415

    return {name: service.title for name, service in SERVICES.items()}


def _solvers() -> dict[str, str]:
    from gfactor.examinees.observer.solvers import SOLVERS  # noqa: PLC0415

    modules = {name: sys.modules[solver.__module__] for name, solver in SOLVERS.items()}
    return _first_lines(modules)


def _figures() -> dict[str, str]:
    from gfactor.reports.figure_registry import FIGURES  # noqa: PLC0415

    return {name: _first_line(figure.make) for name, figure in FIGURES.items()}


def _tables() -> dict[str, str]:
    from gfactor.reports.table_registry import TABLES  # noqa: PLC0415

    return {name: _first_line(table.make) for name, table in TABLES.items()}


def _prompt_pack() -> dict[str, str]:
    tables = tomllib.loads(template())
    return {
        f"{table}.{key}": tables[table][key]
        for table, keys in KEYS.items()
        for key in keys
        if key in tables.get(table, {})
    }


KINDS: Mapping[str, Callable[[], dict[str, str]]] = {
    "benchmarks": _benchmarks,
    "calibrations": _calibrations,
    "checks": lambda: {name: check.about for name, check in CHECKS.items()},
    "datasets": _datasets,
    "domains": _domains,
    "examinees": lambda: _first_lines(EXAMINEES),
    "exports": lambda: _first_lines(EXCHANGES),
    "families": _families,
    "figures": _figures,
    "imports": lambda: _first_lines(IMPORTS),
    "languages": _languages,
    "prompt-pack": _prompt_pack,
    "published": _published,
    "score-tables": lambda: {n: _first_line(form.read) for n, form in SCORE_FORMATS.items()},
    "selections": lambda: {name: method.about for name, method in METHODS.items()},
    "services": _services,
    "solvers": _solvers,
    "tables": _tables,
    "transformations": lambda: {name: one.about for name, one in TRANSFORMATIONS.items()},
}
"""Kinds that can be listed: name -> function that returns a line for each entry."""


def families() -> list[dict[str, Any]]:
    """Return the families of the generated batteries: ability, radicals, answer types, origin.

    Returns
    -------
    list of dict
        By family: `family`, `ability`, `radicals` (name -> levels), `answer_types`, `languages`,
        `mm_iq`, `m3gia` (the types there that it parallels) and `origin`.

    Examples
    --------
    >>> from gfactor.api.catalog import families
    >>> {entry["family"]: entry["ability"] for entry in families()}["matrices"]
    'Gf-I'
    """
    return [family.to_dict() for family in FAMILIES.values()]


def available(kind: str) -> pd.DataFrame:
    """List what comes with gfactor: benchmarks, calibrations, example data, families and others.

    Parameters
    ----------
    kind : str
        Kind of things to list: "benchmarks", "calibrations" (scales that come with gfactor),
        "checks" (of banks), "datasets" (example data), "domains" (of Percept-V), "families" (of
        the generated batteries), "examinees", "solvers" (of the observers), "imports", "exports"
        and "score-tables" (formats), "languages" (of replies), "selections" and "transformations"
        (of banks), "services" (that send participants), "figures" and "tables" (of the report),
        "published" (the papers' tables), or "prompt-pack" (the sentences added to items, as a file
        to translate).

    Returns
    -------
    DataFrame
        A row for each, with the columns `name` and `description`, sorted by name.

    Raises
    ------
    UnknownNameError
        For an unknown kind; the message suggests the closest one.

    Examples
    --------
    >>> import gfactor as gf
    >>> gf.available("benchmarks")["name"].tolist()[:4]
    ['chc', 'm3gia', 'm3gia-parallel', 'mm-iq']
    >>> len(gf.available("domains"))
    34
    """
    if kind not in KINDS:
        raise UnknownNameError("kind of thing to list", kind, KINDS)
    return pd.DataFrame(list(KINDS[kind]().items()), columns=["name", "description"])


def published(name: str) -> Published:
    """Return a table from the papers on M3GIA, MM-IQ, MULTI or GOLD, as it was published.

    The figures are those of the papers; notes below a table describe its misprints. The table
    "misprints" lists the misprints of all tables, with the correct values.

    Parameters
    ----------
    name : str
        Name of the table: the benchmark and the table's number, such as "multi-6", or "misprints".
        `available("published")` lists all names.

    Returns
    -------
    Published
        `frame` (a DataFrame), `title`, `place` (in the paper), `source`, `note`, `misprints` and
        `summary()`.

    Raises
    ------
    UnknownNameError
        For an unknown table; the message suggests the closest one.

    Examples
    --------
    >>> import gfactor as gf
    >>> table = gf.published("multi-6")
    >>> table.title, table.place
    ('Score ratio by type of question', 'table 6')
    """
    return papers.published(name)
