"""Choosing items of a bank and writing them as a bank."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gfactor.benchmarks.derived import derive, in_parts, unchanged
from gfactor.benchmarks.quality import Decisions
from gfactor.benchmarks.selection.candidates import Errors, pool_of
from gfactor.benchmarks.selection.method import METHODS
from gfactor.errors import ParameterError
from gfactor.items import Built, ItemBank, Watch


@dataclass(frozen=True)
class Selection:
    """The bank that was written, and the method of selection."""

    built: Built
    step: Mapping[str, Any]

    def summary(self) -> str:
        """Return the written bank, and the warnings, as text."""
        lines = [f"{self.built.path}: {self.step['what']} (seed {self.step['seed']})"]
        return "\n".join([*lines, *(f"warning: {one}" for one in self.step["warnings"])])

    def to_dict(self) -> dict[str, Any]:
        """Return the result, ready for JSON."""
        return {"bank": self.built.to_dict(), "selection": dict(self.step)}


def select(
    bank: ItemBank,
    path: Path | str,
    method: str,
    *,
    seed: int = 0,
    errors: Errors | None = None,
    decisions: Decisions | None = None,
    typed: Mapping[str, str] | None = None,
    jobs: int = 1,
    watch: Watch[Path] | None = None,
) -> Selection:
    """Choose items by a method and write them, in the bank's order.

    Parameters
    ----------
    seed: seed of every draw; the same seed gives the same file, byte by byte.
    errors: errors of examinees, for methods that use them.
    decisions: decisions of people; items that they dropped are removed before the method chooses.
    typed: the method's options as text; options that are not given have their defaults.

    Raises UnknownNameError or ParameterError before any work if an argument is not valid.
    """
    chosen_method, typed = METHODS[method], typed or {}
    options = {o.name: o for o in chosen_method.options}
    strangers = [name for name in typed if name not in options]
    if strangers:
        listed = f"; it has: {', '.join(f'--{name}' for name in options)}" if options else ""
        raise ParameterError(f"the method '{method}' has no option --{strangers[0]}{listed}")
    values = {name: o.parse(typed.get(name, o.default)) for name, o in options.items()}
    dropped = decisions.dropped if decisions else ()
    pool = pool_of(bank, errors, set(dropped))
    picked = chosen_method.choose(pool, seed, **values)
    chosen = set(picked.ids)
    ids = [item_id for item_id in bank.ids if item_id in chosen]
    step = {
        "what": f"{len(ids):,} of {len(bank):,} items selected by {method}",
        "selection": method,
        "source": chosen_method.source,
        "seed": seed,
        "options": {name: typed.get(name, o.default) for name, o in options.items()},
        "of_items": len(bank),
        "of_digest": bank.scene_digest,
        "dropped_by_decision": len(set(dropped) & set(bank.ids)),
        **picked.facts,
        "warnings": list(picked.warnings),
    }
    step = json.loads(json.dumps(step))
    built = derive(bank, path, in_parts(ids), unchanged, step, jobs=jobs, watch=watch)
    return Selection(built, step)
