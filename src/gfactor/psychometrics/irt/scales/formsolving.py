"""Linear forms as a mixed-integer program, solved by scipy's HiGHS.

The integers are the numbers of times that each item stands in each form and in the anchor set,
which all forms share. Every form has its length, its content and, at every ability of a line, an
information between L and (1 + tolerance) L. Without a target the least L over the abilities that
are aimed at is made as large as possible (maximin); with a target and a length the target is met
with as little information as possible, so that the best items are saved; with a target alone the
length is made as small as possible.

References
----------
van der Linden, W. J. (2005). Linear Models for Optimal Test Design. Springer.
van der Linden, W. J., Boekkooi-Timminga, E. (1989). A maximin model for test design with practical
    constraints. Psychometrika 54, 237-247.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.likelihood.curves import Floats

Flags = NDArray[np.bool_]
_NODES = 200
"""Nodes of the search tree after which the best forms so far are taken: no limit of time, so that
the same request gives the same forms on every machine."""
_MOST_CHOICES = 100_000
"""Items times forms beyond which the program is too large."""
_MOST_NODES = 20_000
"""Nodes after which the search gives up if it has no forms at all."""


@dataclass(frozen=True, eq=False)
class ContentBound:
    """Bounds of the number of items of one content in a form.

    Parameters
    ----------
    name : str
        Name of the content, in words: "domain=maze".
    members : array (J,) of bool
        Items of this content.
    low, high : int
        Smallest and largest number in every form, anchors included.
    """

    name: str
    members: Flags
    low: int
    high: int


@dataclass(frozen=True, eq=False)
class FormRequirements:
    """Requirements that forms have to meet.

    Parameters
    ----------
    information : array (J, T)
        Information of every item on the line of abilities.
    line : array (T,)
        Abilities at which forms must have equal information.
    aimed : array (T,) of bool
        True for the abilities at which information is wanted.
    length : int or None
        Number of items of a form, anchors included; None for as few as the target needs.
    parallel : int
        Number of forms.
    anchors : int
        Number of items that all forms share.
    target : float or None
        Least information at the abilities aimed at.
    content : tuple of ContentBound
    copies : int
        Largest total number of uses of an item (or cell): 1 for stored items.
    tolerance : float
        Largest share by which the information of two forms may differ.
    gap : float
        Distance to the optimum, as a share, at which the search may stop.
    seed : int
        Seed of the choice among equally good forms.
    """

    information: Floats
    line: Floats
    aimed: Flags
    length: int | None
    parallel: int = 1
    anchors: int = 0
    target: float | None = None
    content: tuple[ContentBound, ...] = ()
    copies: int = 1
    tolerance: float = 0.05
    gap: float = 0.02
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Assembly:
    """Forms that satisfy a plan.

    Parameters
    ----------
    counts : array (F, J)
        Number of times that every item stands in every form, without the anchors.
    anchors : array (J,)
        Number of times that every item stands in the anchor set.
    gap : float
        Proven distance to the optimum, as a share.
    """

    counts: NDArray[np.intp]
    anchors: NDArray[np.intp]
    gap: float


def solve(plan: FormRequirements) -> Assembly | None:
    """Return the forms of a plan, or None if there are none.

    Parameters
    ----------
    plan : FormRequirements

    Returns
    -------
    Assembly or None
        The items of each form; None if there is no solution.

    Raises
    ------
    ParameterError
        If the search gives up without an answer.
    """
    items, forms, points = len(plan.information), plan.parallel, len(plan.line)
    if items * (forms + 1) > _MOST_CHOICES:
        raise ParameterError(
            f"{forms} forms of {items:,} items are more than {_MOST_CHOICES:,} choices; ask for "
            "fewer forms at a time, or give a bank with fewer items"
        )
    order = np.random.default_rng(plan.seed).permutation(items)
    program = _Program(plan, order)
    whole = items * (forms + 1)
    size = whole + points + 1
    integrality = np.zeros(size)
    integrality[:whole] = 1
    integrality[-1] = plan.length is None
    upper = np.full(size, np.inf)
    upper[:whole] = plan.copies
    if not plan.anchors:
        upper[items * forms : whole] = 0
    cost = np.zeros(size)
    if plan.target is None:
        cost[-1] = -1
    elif plan.length is None:
        cost[-1] = 1
    else:
        cost[whole : whole + points] = plan.aimed / plan.target
    limits: Any = (np.zeros(size), upper)
    rows = program.constraints()
    for nodes in (_NODES if plan.gap else _MOST_NODES, _MOST_NODES):
        solution: Any = optimize.milp(
            cost, constraints=rows, integrality=integrality, bounds=optimize.Bounds(*limits),
            options={"mip_rel_gap": plan.gap, "node_limit": nodes},
        )  # fmt: skip
        if solution.x is not None or solution.status != 1:
            break
    if solution.x is None:
        if solution.status == 1:
            raise ParameterError(
                f"the search for forms gave up after {_MOST_NODES:,} steps, without a proof that "
                "there are none; widen the bounds of the content, or the tolerance"
            )
        return None
    chosen = np.zeros((forms + 1, items), dtype=np.intp)
    chosen[:, order] = np.rint(solution.x[:whole]).astype(np.intp).reshape(forms + 1, items)
    gap = solution.mip_gap
    # All forms have the same requirements, so that the solver's last bits decide which one is the
    # first.
    sorted_forms = chosen[:forms][np.lexsort(-chosen[:forms, ::-1].T)]
    return Assembly(sorted_forms, chosen[forms], float(gap) if gap is not None else 0.0)


class _Program:
    """Rows of the constraints; columns are forms x items, anchors, L at every ability, one more.

    The last column is the least information (without a target) or the length (without one).
    """

    def __init__(self, plan: FormRequirements, order: NDArray[np.intp]) -> None:
        self.plan, self.order = plan, order
        self.rows: list[sparse.csr_array] = []
        self.low: list[float] = []
        self.high: list[float] = []

    def constraints(self) -> optimize.LinearConstraint:
        plan, points = self.plan, len(self.plan.line)
        every = np.ones(len(plan.information))
        for form in range(plan.parallel):
            count = self._row(form, every, anchors=every)
            if plan.length is None:
                count[-1] = -1
                self._add(count, 0, 0)
            else:
                self._add(count, plan.length, plan.length)
            for bound in plan.content:
                inside = bound.members[self.order].astype(float)
                self._add(self._row(form, inside, anchors=inside), bound.low, bound.high)
            for t in range(points):
                here = plan.information[self.order, t]
                row = self._row(form, here, anchors=here)
                row[self._level(t)] = -1
                self._add(row, 0, np.inf)
                row = row.copy()
                row[self._level(t)] = -(1 + plan.tolerance)
                self._add(row, -np.inf, 0)
        self._add(self._row(None, every, anchors=every), plan.anchors, plan.anchors)
        self._add_shares()
        for t in np.flatnonzero(plan.aimed):
            row = np.zeros(self._size)
            row[self._level(int(t))] = 1
            if plan.target is None:
                row[-1] = -1
            self._add(row, plan.target or 0, np.inf)
        once = sparse.hstack([
            *[sparse.eye_array(len(every))] * (plan.parallel + 1),
            sparse.csr_array((len(every), points + 1)),
        ])  # fmt: skip
        whole = sparse.vstack([*self.rows, once], format="csr")
        low: Any = [*self.low, *(0.0 * every)]
        high: Any = [*self.high, *(plan.copies * every)]
        return optimize.LinearConstraint(whole, low, high)

    def _add_shares(self) -> None:
        """The anchor set has the content of the forms, up to rounding."""
        plan = self.plan
        if not plan.anchors or plan.length is None:
            return
        for bound in plan.content:
            inside = bound.members[self.order].astype(float)
            self._add(self._row(None, inside, anchors=inside), *anchor_range(plan, bound))

    @property
    def _size(self) -> int:
        return len(self.plan.information) * (self.plan.parallel + 1) + len(self.plan.line) + 1

    def _level(self, t: int) -> int:
        return len(self.plan.information) * (self.plan.parallel + 1) + t

    def _row(self, form: int | None, items: Floats, anchors: Floats) -> Floats:
        row, count = np.zeros(self._size), len(items)
        if form is not None:
            row[form * count : (form + 1) * count] = items
        row[self.plan.parallel * count : (self.plan.parallel + 1) * count] = anchors
        return row

    def _add(self, row: Floats, low: float, high: float) -> None:
        self.rows.append(sparse.csr_array(row[None]))
        self.low.append(float(low))
        self.high.append(float(high))


def anchor_range(plan: FormRequirements, bound: ContentBound) -> tuple[int, int]:
    """Return the smallest and largest number of anchors of a content: its share of the form,
    rounded down and up."""
    share = plan.anchors / (plan.length or plan.anchors)
    return math.floor(bound.low * share), math.ceil(bound.high * share)


def explained(plan: FormRequirements) -> str:
    """Explain why a plan has no forms, in a sentence that names the constraint."""
    return counted(plan) or _relaxed(plan)


def counted(plan: FormRequirements) -> str | None:
    """Explain by counting items why a plan can have no forms; return None if counting does not show
    it."""
    stock = len(plan.information) * plan.copies
    if plan.length is None:
        return None
    forms = f"{plan.parallel} forms of {plan.length} items" if plan.parallel > 1 else (
        f"a form of {plan.length} items"
    )  # fmt: skip
    verb = "need" if plan.parallel > 1 else "needs"
    needed = plan.parallel * (plan.length - plan.anchors) + plan.anchors
    if needed > stock:
        shared = f" with {plan.anchors} anchors" if plan.anchors else ""
        return (
            f"{forms}{shared} {verb} {needed} items, and there are {stock}: ask for shorter or "
            "fewer forms, or for more anchors"
        )
    for bound in plan.content:
        shared = min(anchor_range(plan, bound)[1], bound.low, plan.anchors)
        least = plan.parallel * (bound.low - shared) + shared
        available = int(bound.members.sum()) * plan.copies
        if least > available:
            return (
                f"content {bound.name}: {forms} with at least {bound.low} of it {verb} {least} "
                f"items, and there are {available}; lower the bound"
            )
    for label in sorted({bound.name.split("=")[0] for bound in plan.content}):
        of_label = [b for b in plan.content if b.name.split("=")[0] == label]
        low, high = sum(b.low for b in of_label), sum(b.high for b in of_label)
        if low > plan.length:
            return f"content {label}: the least counts add up to {low}, more than {plan.length}"
        if high < plan.length and np.any([b.members for b in of_label], axis=0).all():
            return f"content {label}: the largest counts add up to {high}, less than {plan.length}"
    return None


def _relaxed(plan: FormRequirements) -> str:
    """Return a sentence about what becomes possible if one constraint is left out."""
    longest = (len(plan.information) * plan.copies - plan.anchors) // plan.parallel + plan.anchors
    if plan.target is not None:
        length = plan.length or longest
        free = replace(plan, target=None, length=length)
        assembly = solve(free)
        if assembly is not None:
            each = (assembly.counts + assembly.anchors) @ plan.information
            worst = np.where(plan.aimed, each.min(axis=0), np.inf)
            t = int(worst.argmin())
            return (
                f"target standard error {plan.target**-0.5:.3g}: the best forms of {length} items "
                f"have {worst[t] ** -0.5:.3g} at theta = {plan.line[t]:.3g}; ask for longer or "
                "fewer forms, a larger error, or other abilities"
            )
        plan = free
    for bound in plan.content:
        without = tuple(b for b in plan.content if b is not bound)
        if solve(replace(plan, content=without)) is not None:
            return f"content {bound.name} cannot be met together with the rest; widen its bounds"
    if solve(replace(plan, tolerance=1e3)) is not None:
        return (
            f"no forms have information within {100 * plan.tolerance:g} % of each other; raise the "
            "tolerance, or ask for fewer forms"
        )
    return "the constraints cannot be met together; widen the bounds of the content"
