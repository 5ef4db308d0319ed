"""One calibration by design from those of several laboratories, with the error of their links.

This is for files without answers. If the answers are available, calibrate them together
(`calibrate` with several journals), which uses more of them and counts a model once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gfactor.errors import ParameterError
from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.scales.calibration import (
    MEAN,
    SPREAD,
    TESTLETS,
    VARIANCE,
    Calibration,
    Entry,
)
from gfactor.psychometrics.irt.scales.calibration_files import calibration_digest
from gfactor.psychometrics.irt.scales.calibration_linking import FEW_LINKS
from gfactor.psychometrics.irt.scales.constant_cells import left_out_of_all, merged_cells_notes
from gfactor.psychometrics.irt.scales.laboratory_links import (
    CellDrift,
    Links,
    link_laboratories,
    shares,
)

_SCORING = ("counting", "policy", "judge", "condition")


def merge_linked(parts: Mapping[str, Calibration]) -> Calibration:
    """Merge calibrations by design by linking their common cells.

    Parameters
    ----------
    parts : mapping of str to Calibration
        Calibrations by the name of their laboratory. Their order does not matter, except for the
        order in which they are named.

    Returns
    -------
    Calibration
        Its population is the respondents of all laboratories, whose mean is 0. Covariances hold
        the error of the links. `about["linking"]` has a shift with its standard error for every
        laboratory, and the cells that drifted, which are left out.

    Raises
    ------
    ParameterError
        If a calibration is by item, if they were scored differently, if only some have a testlet
        variance, if two are the same, or if their scales are not linked.
    """
    _check(parts)
    links = link_laboratories(parts)
    share = shares(parts)
    labels, slopes = _stacked(parts, links)
    errors = _stacked_errors(parts, links)
    means = np.array([part.mean for part in parts.values()]) + links.shifts
    variances = np.array([part.variance for part in parts.values()])
    entries = tuple(_entry(k, cell, parts, links) for k, cell in enumerate(links.cells))
    covariance = slopes @ errors @ slopes.T
    first = next(iter(parts.values()))
    merged = Calibration(
        "design", "rasch", entries, labels, 0.5 * (covariance + covariance.T), 0.0,
        float(share @ (variances + means**2)), _about(parts, links),
        testlet_variance=float(share @ [part.testlet_variance for part in parts.values()]),
        testlet=first.testlet,
    )  # fmt: skip
    drifted = {one.cell for one in links.drifted}
    constant = {
        name: [one for one in part.left_out if one["name"] not in drifted]
        for name, part in parts.items()
    }
    left_out, elsewhere = left_out_of_all(constant, merged.position)
    about = {**merged.about, **({"left_out": left_out} if left_out else {})}
    notes = [*_carried(parts), *_notes(parts, links), *merged_cells_notes(left_out, elsewhere)]
    return replace(merged, about=about, diagnostics=by_severity(notes))


def drift_note(drifted: Sequence[CellDrift]) -> list[Diagnostic]:
    """Return a warning that names cells which drifted between laboratories."""
    if not drifted:
        return []
    texts = (
        f"{one.cell} in {one.laboratory} by {one.shift:+z.2f} ± {one.se:.2f}" for one in drifted
    )
    return [Diagnostic(
        "drifted_cells", "warning",
        f"{len(drifted)} cells have another difficulty in one laboratory than in the others "
        f"(logits): {first_few(texts, 3, between='; ')}. They link nothing and were left out.",
        "Compare what was asked there: version of the family, pictures, condition.",
        tuple(one.cell for one in drifted),
    )]  # fmt: skip


def _check(parts: Mapping[str, Calibration]) -> None:
    if len(parts) < 2:
        raise ParameterError("merging needs the calibrations of two or more laboratories")
    odd = next((name for name, part in parts.items() if part.by != "design"), None)
    if odd is not None:
        raise ParameterError(
            f"the calibration of {odd} is by item, but only calibrations by design can be merged; "
            "give the journals instead, whose answers are then calibrated together"
        )
    name_by_digest: dict[str, str] = {}
    for name, part in parts.items():
        same = name_by_digest.setdefault(calibration_digest(part), name)
        if same != name:
            raise ParameterError(
                f"{same} and {name} hold the same calibration, whose respondents would count "
                "twice; leave one of them out"
            )
    (one, first), *others = parts.items()
    for other, part in others:
        for name in _SCORING:
            ours, theirs = ((p.about.get("scoring") or {}).get(name) for p in (first, part))
            if ours != theirs:
                raise ParameterError(
                    f"{one} and {other} were scored with another {name}, {ours!r} and {theirs!r}, "
                    "so that their difficulties mean different things; calibrate both alike"
                )
        if (first.testlet is None) != (part.testlet is None):
            lacking, there = (one, other) if first.testlet is None else (other, one)
            raise ParameterError(
                f"{there} has a testlet variance and {lacking} has none, so that their logits have "
                "different units; give the journals instead, whose answers are then calibrated "
                "together"
            )


def _stacked(parts: Mapping[str, Calibration], links: Links) -> tuple[tuple[str, ...], Floats]:
    """Uncertain parameters of the merged calibration, and their derivatives in the stacked
    estimates. These are the cells' estimates of all laboratories, then log clone_sd of the same,
    then mean, variance and testlet variance of each laboratory.
    """
    size, rows, count = len(links.cells), len(links.rows), len(parts)
    share = shares(parts)
    means = np.array([part.mean for part in parts.values()]) + links.shifts
    spreads = np.zeros((size, rows))
    for k in range(size):
        for row, weight in _spread_weights(k, parts, links):
            spreads[k, row] = weight
    slopes = np.zeros((2 * size + 2, 2 * rows + 3 * count))
    slopes[:size, :rows] = -links.slopes[:size]
    slopes[:size, 2 * rows : 2 * rows + count] = -links.of_means[:size]
    slopes[size : 2 * size, rows : 2 * rows] = spreads
    # share * (variance + (mean + shift)^2), whose shift depends on all estimates that link.
    pull = 2 * share * means
    slopes[-2, :rows] = pull @ links.slopes[size:]
    slopes[-2, 2 * rows : 2 * rows + count] = pull @ (np.eye(count) + links.of_means[size:])
    slopes[-2, 2 * rows + count : 2 * rows + 2 * count] = share
    slopes[-1, 2 * rows + 2 * count :] = share
    names = [f"{c}.d" for c in links.cells] + [f"{c}.{SPREAD}" for c in links.cells]
    labels = (*names, VARIANCE, TESTLETS)
    if not any(TESTLETS in part.uncertain for part in parts.values()):
        return labels[:-1], slopes[:-1]
    return labels, slopes


def _stacked_errors(parts: Mapping[str, Calibration], links: Links) -> Floats:
    """Covariance of the stacked estimates; laboratories' errors are independent except for
    clones."""
    rows, count = len(links.rows), len(parts)
    errors = np.zeros((2 * rows + 3 * count,) * 2)
    for index, part in enumerate(parts.values()):
        rows_here = [k for k, (laboratory, _) in enumerate(links.rows) if laboratory == index]
        cells = [links.cells[links.rows[k][1]] for k in rows_here]
        wanted = [(k, f"{c}.d") for k, c in zip(rows_here, cells, strict=True)]
        wanted += [(rows + k, f"{c}.{SPREAD}") for k, c in zip(rows_here, cells, strict=True)]
        wanted += [(2 * rows + index, MEAN), (2 * rows + count + index, VARIANCE)]
        wanted += [(2 * rows + 2 * count + index, TESTLETS)]
        there = [(at, part.uncertain[name]) for at, name in wanted if name in part.uncertain]
        at, source = np.array(there).T
        errors[np.ix_(at, at)] = part.covariance[np.ix_(source, source)]
        # A difficulty is the negative of its intercept.
        flip = np.where(at < rows, -1.0, 1.0)
        errors[np.ix_(at, at)] *= np.outer(flip, flip)
    errors[:rows, :rows] = links.errors
    return errors


def _spread_weights(
    cell: int, parts: Mapping[str, Calibration], links: Links
) -> list[tuple[int, float]]:
    """Weights of laboratories in the log clone_sd of a cell, by their precision."""
    every = list(parts.values())
    chosen, precision = [], []
    for k, (laboratory, column) in enumerate(links.rows):
        if column == cell:
            part, name = every[laboratory], f"{links.cells[cell]}.{SPREAD}"
            at = part.uncertain.get(name)
            error = part.covariance[at, at] if at is not None else 0.0
            chosen.append(k)
            precision.append(1 / max(float(error), 1e-6))
    total = sum(precision)
    return [(k, one / total) for k, one in zip(chosen, precision, strict=True)]


def _entry(cell: int, name: str, parts: Mapping[str, Calibration], links: Links) -> Entry:
    """A cell of the merged calibration."""
    every = list(parts.values())
    entry_of_row = {
        k: every[laboratory].entries[every[laboratory].position[name]]
        for k, (laboratory, column) in enumerate(links.rows) if column == cell
    }  # fmt: skip
    weights = dict(_spread_weights(cell, parts, links))
    spread = np.array([max(entry.clone_sd, 1e-6) for entry in entry_of_row.values()])
    share = np.array([weights[k] for k in entry_of_row])
    digests = {entry.facts.get("items_digest") for entry in entry_of_row.values()}
    alike = len(digests) == 1 and None not in digests
    items = [int(entry.facts.get("items", 0)) for entry in entry_of_row.values()]
    first = next(iter(entry_of_row.values()))
    facts = {
        "labels": first.facts["labels"], "items": items[0] if alike else sum(items),
        "n": int(sum(int(entry.facts.get("n") or 0) for entry in entry_of_row.values())),
        **{end: float(np.exp(share @ np.log([max(entry.facts[end], 1e-6) for entry in
                                             entry_of_row.values()])))
           for end in ("clone_sd_low", "clone_sd_high")
           if all(end in entry.facts for entry in entry_of_row.values())},
        **({"items_digest": next(iter(digests))} if alike else {}),
        "laboratories": len(entry_of_row),
    }  # fmt: skip
    values = (1.0, -float(links.b[cell]), *first.values[2:])
    return Entry(
        name, first.kind, first.scores, values, float(np.exp(share @ np.log(spread))), facts
    )


def _about(parts: Mapping[str, Calibration], links: Links) -> dict[str, Any]:
    every = [part.about for part in parts.values()]
    banks = [about.get("bank") or {} for about in every]
    digests = {bank.get("digest") for bank in banks}
    first = every[0]
    named = {about["population"] for about in every if about.get("population")}
    return {
        "population": "; ".join(sorted(named)) or None, "date": None,
        "respondents": merged_respondents({n: p.about["respondents"] for n, p in parts.items()}),
        "bank": {
            "digest": digests.pop() if len(digests) == 1 else None,
            "items": sum(int(bank.get("items", 0)) for bank in banks),
            "benchmarks": sorted({one for bank in banks for one in bank.get("benchmarks", ())}),
            "scene_digests": sorted(
                {one for bank in banks for one in bank.get("scene_digests", ())}
            ),
        },
        "scoring": first.get("scoring"), "fit": None,
        **({"ability": first["ability"]} if first.get("ability") else {}),
        "linking": {
            "to": None, "method": "simultaneous", "items": links.common,
            "between_sd": float(np.sqrt(links.between_variance)),
            "laboratories": [
                {"name": name, "shift": float(links.shifts[k]),
                 "link_se": links.shift_error(k),
                 "cells": sum(1 for laboratory, _ in links.rows if laboratory == k)}
                for k, name in enumerate(links.laboratories)
            ],
            "drifted": [one._asdict() for one in links.drifted],
        },
    }  # fmt: skip


def merged_respondents(parts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return a description of the respondents of all calibrations, with a line for each laboratory.

    Parameters
    ----------
    parts : mapping of str to mapping
        `about["respondents"]` of every laboratory.

    Returns
    -------
    dict
        The same keys for all together, and `laboratories`.
    """
    kinds: dict[str, int] = {}
    members: dict[str, int] = {}
    alone = 0
    for part in parts.values():
        for kind, n in (part.get("kinds") or {}).items():
            kinds[kind] = kinds.get(kind, 0) + int(n)
        for family, n in (part.get("members") or {}).items():
            members[family] = members.get(family, 0) + int(n)
        alone += 0 if part.get("members") else int(part.get("families") or part["n"])
    clustered = {part.get("clustered_by") for part in parts.values()} - {None}
    return {
        "n": sum(int(part["n"]) for part in parts.values()), "kinds": dict(sorted(kinds.items())),
        "families": len(members) + alone,
        "clustered_by": clustered.pop() if len(clustered) == 1 else None,
        "members": dict(sorted(members.items())) or None,
        "examinees": sorted({one for part in parts.values() for one in part.get("examinees", ())}),
        "laboratories": [
            {"name": name, "n": int(part["n"]), "kinds": part.get("kinds"),
             "families": part.get("families")}
            for name, part in parts.items()
        ],
    }  # fmt: skip


def _carried(parts: Mapping[str, Calibration]) -> list[Diagnostic]:
    """Warnings of the parts, with the laboratory in front."""
    return [
        replace(one, sentence=f"{name}: {one.sentence}")
        for name, part in parts.items() for one in part.diagnostics
        if one.severity != "note" and one.code != "constant_cells"
    ]  # fmt: skip


def _notes(parts: Mapping[str, Calibration], links: Links) -> list[Diagnostic]:
    notes = drift_note(links.drifted)
    if links.common < FEW_LINKS:
        notes.append(Diagnostic(
            "few_links", "warning",
            f"The scales are linked by {links.common} common cells alone.",
            f"Have {FEW_LINKS} or more in common.", values={"n": links.common},
        ))  # fmt: skip
    names = Counter(
        one for part in parts.values() for one in part.about["respondents"].get("examinees", ())
    )
    twice = tuple(sorted(name for name, count in names.items() if count > 1))
    if twice:
        notes.append(Diagnostic(
            "examinees_twice", "warning",
            f"{len(twice)} examinees answered in several laboratories and count as often: "
            "standard errors take their answers to be independent, and are too small.",
            "Give the journals: answers that are calibrated together count an examinee once.",
            twice,
        ))  # fmt: skip
    return notes
