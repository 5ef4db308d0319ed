"""`observer:ideal` and `observer:limited?acuity=1&contrast=1&capacity=4&seed=0`."""

from __future__ import annotations

from typing import Any

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees.base import EXAMINEES, Spec
from gfactor.examinees.observer.limited import Limited
from gfactor.examinees.observer.observer import Observer

_OBSERVERS = ("ideal", "limited")
_FORMER = "human-like"


@EXAMINEES.register("observer")
def observer(spec: Spec, bank: Any = None, jobs: int = 1) -> Observer:
    """Make an observer, which learns nothing from the bank and works in `jobs` processes.

    Raises UnknownNameError for another observer or parameter, ParameterError for a bad value.
    """
    if spec.argument == "ideal":
        if spec.parameters:
            raise ParameterError(
                f"observer:ideal has no parameters, got {', '.join(spec.parameters)}; "
                "take observer:limited for one that sees and remembers less"
            )
        return Observer(str(spec), jobs=jobs)
    if spec.argument == "limited":
        person = Limited.from_parameters(spec.parameters)
        name = str(Spec("observer", "limited", person.parameters()))
        return Observer(name, person, jobs)
    if spec.argument == _FORMER:
        raise ParameterError(
            f"observer:{_FORMER} is now called observer:limited: its limits are those of the "
            "literature, its accuracy is not that of people; write observer:limited"
        )
    raise UnknownNameError("observer", spec.argument, _OBSERVERS)
