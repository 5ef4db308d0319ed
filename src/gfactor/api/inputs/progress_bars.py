"""Progress bars: on a terminal's standard error, and as widgets in a notebook."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from tqdm import tqdm

from gfactor.escaping import visible

T = TypeVar("T")


def progress(things: Iterable[T], total: int, what: str, unit: str = "item") -> Iterable[T]:
    """Return a progress bar with the remaining time, which appears after a second; none if nobody
    would see it."""
    return _bar(things, total, what, unit)


def counter(total: int, what: str, unit: str = "item") -> tqdm[Any]:
    """Return a bar like `progress`, for work that reports itself: call `update(n)`, close at the
    end."""
    return _bar(None, total, what, unit)


def ticks(bar: tqdm[Any]) -> Callable[..., None]:
    """Return a function that advances a bar by one and ignores its arguments."""
    return lambda *_progress: bar.update()  # pyright: ignore[reportReturnType]


def climbs(bar: tqdm[Any]) -> Callable[[int, float], None]:
    """Return a function that shows the log-likelihood of a step and its last change."""
    last: list[float] = []

    def advance(step: int, loglik: float) -> None:
        change = f" ({loglik - last[0]:+.2g})" if last else ""
        last[:] = [loglik]
        bar.set_postfix_str(f"log-likelihood {loglik:.2f}{change}", refresh=False)
        bar.update()

    return advance


def silent(things: Iterable[T], total: int, what: str, unit: str = "item") -> Iterable[T]:
    """Return the items without showing a bar."""
    return things


def tell(sentence: str) -> None:
    """Print a sentence about work in progress to standard error, above a bar if there is one."""
    tqdm.write(visible(sentence), file=sys.stderr)


def _in_notebook() -> bool:
    """Return True if the program runs in a kernel of Jupyter, where bars are widgets.

    A kernel has loaded `ipykernel`; asking for the module loads nothing.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython and "ipykernel" in sys.modules else None
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


def _has_widgets() -> bool:
    """Return True if the widgets of bars are installed; without them tqdm.auto would warn."""
    return importlib.util.find_spec("ipywidgets") is not None


def _size() -> tuple[int | None, int | None]:
    """Return columns and rows for a bar if the terminal does not know its own.

    Terminals that programs open (`script`, `docker run -t`, build servers) often have 0 rows, in
    which tqdm would draw nothing.
    """
    try:
        columns, rows = os.get_terminal_size(sys.stderr.fileno())
    except (OSError, ValueError, AttributeError):
        return None, None
    return (None, None) if columns and rows else (80, 24)


def _bar(things: Any, total: int, what: str, unit: str) -> Any:
    kind, visible = tqdm, sys.stderr.isatty()
    if _in_notebook():
        visible = True
        if _has_widgets():
            from tqdm.auto import tqdm as kind  # noqa: PLC0415  (loads asyncio)
    columns, rows = _size()
    return kind(
        things,
        total=total,
        desc=what,
        unit=unit,
        delay=1.0,
        file=sys.stderr,
        disable=not visible,
        smoothing=0.1,
        ncols=columns,
        nrows=rows,
    )
