"""A bootstrap in words, as text and as HTML."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.bootstrapping.result import Bootstrap


def headline(found: Bootstrap) -> str:
    """What was done, with what became of the resamples."""
    words = {
        "plain": "cases resampled",
        "bollen-stine": "cases moved to the model and resampled (Bollen-Stine)",
        "parametric": "cases simulated from the model",
    }[found.kind]
    counts = ", ".join(f"{count} {kind}" for kind, count in found.shares.items() if count)
    line = f"Bootstrap, {found.asked} samples of n = {found.n}, {words}: {counts}."
    if found.p_value is not None:
        line += (
            f" Chi-square {found.statistic:.2f}: bootstrap p = {found.p_value:.4f} "
            f"({found.counted} statistics)."
        )
    return line


def as_text(found: Bootstrap) -> str:
    """Diagnostics, the headline, and intervals of what was estimated."""
    frame = found.intervals
    shown = frame.loc[~(frame["low"].isna() & frame["high"].isna())]
    lines = [*(str(one) for one in found.diagnostics), headline(found)]
    table = pd.DataFrame(
        {
            "": [_name(row) for row in shown.to_dict("records")],
            "est": shown["est"].map(_number),
            "se": shown["se"].map(_number),
            f"{found.level:.0%} interval": [
                f"[{_number(row['low'])}, {_number(row['high'])}]"
                for row in shown.to_dict("records")
            ],
        }
    )
    return "\n".join([*lines, table.to_string(index=False)])


def as_html(found: Bootstrap) -> str:
    """The same for notebooks."""
    said = "".join(f"<p>{html.escape(str(one))}</p>" for one in found.diagnostics)
    return f"{said}<p>{html.escape(headline(found))}</p>{found.intervals.to_html(index=False)}"


def _name(row: dict[Any, Any]) -> str:
    group = f" (group {row['group']})" if row["group"] and row["group"] > 1 else ""
    return f"{row['lhs']} {row['op']} {row['rhs']}{group}".strip()


def _number(value: float) -> str:
    if math.isnan(value):
        return "-"
    return f"{value:.3f}" if math.isfinite(value) else ("inf" if value > 0 else "-inf")


def plain(value: Any) -> Any:
    """JSON-safe: None for what is not finite."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
