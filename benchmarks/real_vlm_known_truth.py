"""Table of docs/evidence/real-models-evidence.md: the same analysis where the truth is known.

`real_vlm_study.py` calls `sections`. Models are drawn from the estimated population, in families of
the real sizes, and answer the real items by their estimated curves. One in twenty items is broken
(a wrong option has the key), one in ten replies is unread (more of some families), and one family
knows one in twenty items by heart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from real_vlm_predictions import TITLES, markdown
from real_vlm_structure import differing_items, expected_answers
from scipy import special

from gfactor.psychometrics.irt.anchors.anchor_set import Anchors
from gfactor.psychometrics.irt.anchors.calibrating import AnchorCalibration, calibrate_with_evidence
from gfactor.psychometrics.irt.anchors.placement import place_models
from gfactor.psychometrics.irt.likelihood.curves import Floats

BROKEN, UNREAD, LEAKED = 0.05, 0.10, 0.05
OPTIONS = 4
_FAMILY_SHARE = 0.6
_MOST_UNREAD = 0.6
_CHATTY = 0.2
_HARD = 0.7
_KNOWN = 0.97
_LEAKY = "Qwen-VL"
_NEW_FAMILIES, _NEW_SIZE = 45, 1
_ASKED = 100


class World(NamedTuple):
    """Simulated answers (models x items), and what was done to them.

    `broken` and `leaked` mark items, `chatty` marks models with many unread replies.
    """

    answers: pd.DataFrame
    families: pd.Series
    broken: NDArray[np.bool_]
    leaked: NDArray[np.bool_]
    chatty: NDArray[np.bool_]


def sections(calibration: AnchorCalibration) -> list[str]:
    """Return the section of the page about simulated models."""
    rng = np.random.default_rng(36)
    real = calibration.anchors
    items = int(sum(len(b.items) for b in real.benchmarks))
    broken, leaked = rng.random(items) < BROKEN, rng.random(items) < LEAKED
    own = calibration.families.tolist()
    world = simulate(real, own, broken, leaked, unread_shares(own, rng), rng)
    fitted = calibrate_with_evidence(world.answers, world.families, name="simulated")
    labels = [f"new{k // _NEW_SIZE}" for k in range(_NEW_FAMILIES * _NEW_SIZE)]
    new = simulate(real, labels, broken, leaked, unread_shares(labels, rng), rng)
    text = f"""## Where the truth is known

{len(own)} simulated models in families of the real sizes were drawn from the estimated population
and answered the {items:,} items by their estimated curves. {100 * BROKEN:.0f} % of the items have
the key on a wrong option. {100 * UNREAD:.0f} % of the replies are unread: the share is
exponential over families, so that some lose hardly any and some a third. The {own.count(_LEAKY)}
models of one family know {100 * LEAKED:.0f} % of the items by heart. The calibration does not know
any of this. Then {len(new.answers)} models of new families were placed, with the same broken items
and their own shares of unread replies.

{markdown(_items(real, fitted, world), ("recovered", *TITLES.values()))}

{markdown(_models(fitted.anchors, new), ("new models", "models", *TITLES.values()))}

{markdown(_named(real, fitted, world, new), ("named", "of", "found", "false alarms"))}"""
    return [text]


def simulate(
    real: Anchors,
    families: Sequence[str],
    broken: NDArray[np.bool_],
    leaked: NDArray[np.bool_],
    unread: Floats,
    rng: np.random.Generator,
    shifts: Floats | float = 0.0,
) -> World:
    """Draw models in families, and their answers to all items of a scale.

    Parameters
    ----------
    real : Anchors
        Curves and population.
    families : sequence of str
        Family of each model.
    broken, leaked : array (J,) of bool
        Items whose key is a wrong option, and items that the family `_LEAKY` knows.
    unread : array (N,)
        Share of each model's replies that are not read.
    rng : Generator
    shifts : array (J,) or (N, J), optional
        What is added to the logits of right answers, by default nothing.
    """
    names, member = np.unique(list(families), return_inverse=True)
    size, count = len(real.mean), len(families)
    root = np.linalg.cholesky(real.covariance)
    common = rng.normal(size=(len(names), size))[member]
    own = rng.normal(size=(count, size))
    effects = np.zeros((count, len(real.pool.mean)))
    mixed = np.sqrt(_FAMILY_SHARE) * common + np.sqrt(1 - _FAMILY_SHARE) * own
    effects[:, :size] = real.mean + mixed @ root.T
    testlets = np.sqrt(np.diag(real.pool.covariance)[size:])
    effects[:, size:] = testlets * rng.normal(size=(count, len(testlets)))
    parts = [
        p.curves.intercepts + (p.loadings * effects[:, p.effects]).sum(-1) for p in real.pool.parts
    ]
    chance = special.expit(np.hstack(parts) + shifts)
    chance[:, broken] = (1 - chance[:, broken]) / (OPTIONS - 1)
    leaky = np.array([family == _LEAKY for family in families])
    chance[np.ix_(leaky, leaked & ~broken)] = _KNOWN
    right = rng.random(chance.shape) < chance
    read = rng.random(chance.shape) >= unread[:, None]
    columns = [f"{b.name}:{item}" for b in real.benchmarks for item in b.items]
    index = pd.Index([f"{family}-{k}" for k, family in enumerate(families)], name="model")
    answers = pd.DataFrame((right & read).astype(float), index=index, columns=columns)
    return World(answers, pd.Series(list(families), index=index), broken, leaked, unread > _CHATTY)


def unread_shares(families: Sequence[str], rng: np.random.Generator) -> Floats:
    """Return the share of unread replies of each model, the same for a family."""
    names, member = np.unique(list(families), return_inverse=True)
    return np.minimum(rng.exponential(UNREAD, len(names)), _MOST_UNREAD)[member]


def _items(real: Anchors, fitted: AnchorCalibration, world: World) -> list[list[object]]:
    """Slopes and intercepts of sound items, on the scale of the drawn abilities."""
    rows: list[list[object]] = [["correlation of slopes"], ["correlation of intercepts"],
                                ["slopes in their 95 % interval, percent"]]  # fmt: skip
    start = 0
    for before, after in zip(real.benchmarks, fitted.anchors.benchmarks, strict=True):
        sound = ~(world.broken | world.leaked)[start : start + len(before.items)]
        start += len(before.items)
        true, found = before.curves.slopes[sound, 0], after.curves.slopes[sound, 0]
        # The unit of the simulated models' abilities is not that of the real ones.
        unit = float(true @ found / (true @ true))
        error = np.sqrt(after.curves.covariance[sound, 0, 0])
        inside = np.abs(found - unit * true) <= 1.96 * error
        pairs = before.curves.intercepts[sound], after.curves.intercepts[sound]
        rows[0].append(f"{np.corrcoef(true, found)[0, 1]:.2f}")
        rows[1].append(f"{np.corrcoef(*pairs)[0, 1]:.2f}")
        rows[2].append(f"{100 * inside.mean():.1f}")
    return rows


def _models(anchors: Anchors, new: World) -> list[list[object]]:
    """Error, bias and coverage of predicted full scores from adaptive questions."""
    errors: dict[str, Floats] = {}
    inside: dict[str, NDArray[np.bool_]] = {}
    for b, name in enumerate(anchors.names):
        rows = new.answers.filter(like=f"{name}:")
        placed = place_models(anchors.restricted([b]), rows, items=_ASKED, select="adaptive")
        one = placed.predictions.set_index("model").loc[rows.index]
        truth = rows.mean(axis=1)
        errors[name] = 100 * (one["accuracy"] - truth).to_numpy()
        held = (one["ci_lower"] <= truth) & (truth <= one["ci_upper"])
        inside[name] = held.to_numpy()
    result: list[list[object]] = []
    for title, members in (
        (f"up to {100 * _CHATTY:.0f} % unread", ~new.chatty),
        ("more unread", new.chatty),
    ):
        cells = [
            f"error {np.abs(errors[n][members]).mean():.1f}, "
            f"bias {errors[n][members].mean():+.1f}, "
            f"{int(inside[n][members].sum())} of {int(members.sum())} in the interval"
            for n in anchors.names
        ]
        result.append([f"{title}, {_ASKED} questions", int(members.sum()), *cells])
    return result


def _named(
    real: Anchors, fitted: AnchorCalibration, world: World, new: World
) -> list[list[object]]:
    anchors = fitted.anchors
    usable = np.concatenate([b.usable for b in anchors.benchmarks])
    chance = expected_answers(fitted)
    members = (world.families == _LEAKY).to_numpy()
    answers = world.answers.to_numpy()
    found, effect, _ = differing_items(answers, chance, members, usable)
    easier = found & (effect > 0)
    candidates = world.leaked & usable & ~world.broken
    missed = candidates & (chance[members].mean(0) < _HARD)
    placed = place_models(anchors, new.answers)
    lost = {d.where[0] for d in placed.diagnostics if d.code == "easy_items_lost"}
    named = new.answers.index.isin(list(lost))
    odd = ~np.concatenate([b.usable for b in real.benchmarks]) & ~world.broken
    sound = ~world.broken & ~odd
    return [
        ["broken items, left out", int(world.broken.sum()),
         _part(~usable, world.broken), _part(~usable, sound)],
        ["items that the real scale leaves out, left out", int(odd.sum()), _part(~usable, odd), ""],
        ["leaked items: easier for the family that knows them", int(candidates.sum()),
         _part(easier, candidates), _part(easier, usable & ~world.leaked)],
        [f"leaked items that fewer than {100 * _HARD:.0f} % of such models would solve",
         int(missed.sum()), _part(easier, missed), ""],
        [f"new models with over {100 * _CHATTY:.0f} % unread replies, from all answers: easy items "
         "lost", int(new.chatty.sum()), _part(named, new.chatty), _part(named, ~new.chatty)],
    ]  # fmt: skip


def _part(found: NDArray[np.bool_], among: NDArray[np.bool_]) -> str:
    count = int((found & among).sum())
    return f"{count} of {int(among.sum())} ({100 * count / max(int(among.sum()), 1):.1f} %)"
