"""Whether a wrong option of a generated item can be defended, family by family.

The grammars here are wider than those that items are drawn and proven by, and were written from the
paradigms: nothing of gfactor is imported. `rivals` names the wrong options that equal another
option as it is seen, or that some rule of the wider grammar puts in the place of the key. A rule
counts only if what is shown verifies it: more is shown than determines its constants.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from support.wider_grammars import counting, deduction, figures, numbers, space, strokes

Options = Sequence[Any]

FITTING: Mapping[str, Callable[[Any, Options], Mapping[int, str]]] = {
    **numbers.FITTING,
    **figures.FITTING,
    **strokes.FITTING,
    **space.FITTING,
    **deduction.FITTING,
    **counting.FITTING,
}
"""Family -> (scene, options) -> number of each option that the wider grammar lets pass, and the
rule that it follows."""

SEEN: Mapping[str, Callable[[Any], Any]] = {
    **figures.SEEN,
    **strokes.SEEN,
    **space.SEEN,
    **counting.SEEN,
}
"""Family -> what of an option can be seen; two options with the same are one. Where none is named,
its content."""


def rivals(family: str, scene: Any, options: Options, key: int) -> list[str]:
    """Return a line for each wrong option that equals another one or that a wider rule lets pass.

    Parameters
    ----------
    family : str
        Name of the family.
    scene, options
        Scene and contents of the options as the provenance has them.
    key : int
        Place of the right option, from 0.

    Returns
    -------
    list of str
        Empty where the key stands alone. A key that the wider grammar does not let pass is a line.
    """
    seen = [repr(SEEN.get(family, _content)(option)) for option in options]
    lines = [
        f"option {k} looks like option {seen.index(one)}"
        for k, one in enumerate(seen)
        if seen.index(one) < k
    ]
    fitting = FITTING[family](scene, options)
    lines += [f"option {k}: {rule}" for k, rule in sorted(fitting.items()) if k != key]
    return lines if key in fitting else [*lines, "the key follows no rule"]


def _content(option: Any) -> Any:
    return option
