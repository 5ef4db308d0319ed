"""The place where a command computes: `--jobs`, `--backend` and `--backend-options`."""

from __future__ import annotations

import functools
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import click

from gfactor.cli.options import JOBS, Decorator, together
from gfactor.computing import BACKENDS, Name, backend

BACKEND_OPTIONS: tuple[Decorator, ...] = (
    click.option(
        "--backend",
        type=click.Choice(BACKENDS),
        help="Machine for the computations: processes of this machine (loky), or a Dask or Ray "
        "cluster. The result does not depend on it.  [default: loky]",
    ),
    click.option(
        "--backend-options",
        default="",
        metavar="KEY=VALUE,...",
        help="Options of the backend, such as address=tcp://HOST:8786 (dask) or address=auto "
        "(ray). Without an address, dask and ray start a cluster on this machine.",
    ),
)


def computing(
    jobs: int | None, default: Any, name: Name | None, options: str, *, handed_on: bool = True
) -> AbstractContextManager[Any]:
    """Return the context of a command's computations, with its backend and jobs.

    Parameters
    ----------
    jobs : int, optional
        Number of processes; None to choose a number that fits the machine.
    default : int, optional
        Number of processes if the option is not given.
    name : str, optional
        Name of the backend; None if the option is not given.
    options : str
        The backend's options, "key=value,key=value".
    handed_on : bool
        True if `jobs` is also passed to the function. Otherwise the context alone sets the number
        of processes.
    """
    from gfactor.api.inputs.backend_options import backend_settings

    settings = backend_settings(options)
    if name is None and (handed_on or jobs == 1) and not settings:
        return nullcontext()
    several = jobs if name in (None, "loky") or jobs != default else None
    return backend(name or "loky", several, **settings)


def jobs_option(help_text: str) -> Decorator:
    """Return the options `--jobs`, `--backend` and `--backend-options` of a command whose function
    does not take `jobs`."""
    jobs = click.option(
        "--jobs", type=JOBS, default=1, show_default=True, metavar="N", help=help_text
    )

    def added(command: Any) -> Any:
        @functools.wraps(command)
        def in_place(*args: Any, **given: Any) -> Any:
            jobs, name, text = (given.pop(one) for one in ("jobs", "backend", "backend_options"))
            with computing(jobs, 1, name, text, handed_on=False):
                return command(*args, **given)

        return together(jobs, *BACKEND_OPTIONS)(in_place)

    return added
