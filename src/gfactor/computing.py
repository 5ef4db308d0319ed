"""Computing backends: this process, other processes of this machine, or a Dask or Ray cluster.

All parallel work (making and checking items, observers, bootstraps, simulation studies) goes
through `each` or `executor`. Work is cut into parts, and random numbers are drawn, before the parts
are sent out, so that results do not depend on the machine or on the number of processes.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeVar

from gfactor.errors import MissingExtraError, ParameterError, UnknownNameError

R = TypeVar("R")

Name = Literal["loky", "dask", "ray"]
BACKENDS: tuple[Name, ...] = ("loky", "dask", "ray")
"""loky: processes of this machine. dask, ray: a cluster, or a local one for the time being."""

_LOKY = ("inner_max_num_threads", "temp_folder")
"""Options of joblib's backend that hold for what is computed here."""

_AHEAD = 8
"""Calls per worker handed to Ray at once; joblib's Ray backend waits for the slowest of a list."""


@dataclass(frozen=True)
class Computing:
    """Place of computation within a block of `backend`.

    Parameters
    ----------
    name: name of the backend.
    jobs: number of parallel jobs.
    settings: settings of joblib's backend.
    executor: function that makes the executor of single calls; None for processes of this machine.
    """

    name: Name
    jobs: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    executor: Callable[[], Executor] | None = None


_CURRENT: ContextVar[Computing | None] = ContextVar("gfactor_backend", default=None)


@contextlib.contextmanager
def backend(
    name: Name = "loky", jobs: int | None = None, **options: str | float | bool
) -> Iterator[Computing]:
    """Compute in several processes, or on a cluster, within a `with` block.

    Items, answers of observers, audits, bootstraps and simulation studies are computed there.
    Results are the same on every backend and with any number of jobs, byte by byte. Only files of
    banks may differ, because the same pixels can be compressed in several ways: compare banks by
    their digests.

    Parameters
    ----------
    name : {"loky", "dask", "ray"}
        "loky" uses processes of this machine. "dask" and "ray" use the cluster that `options`
        name, or else start a local cluster that ends with the block.
    jobs : int, optional
        Number of processes. If None, all cores of this machine or of the cluster are used. A
        function that is called with its own `jobs` above 1 uses that number instead.
    **options : any
        Options of the backend. "dask" takes `address` ("tcp://HOST:8786") or `scheduler_file`, and
        all other options of `distributed.Client`. "ray" takes `address` ("auto",
        "ray://HOST:10001"), and all other options of `ray.init`. "loky" takes
        `inner_max_num_threads` and `temp_folder`, as in `joblib.parallel_config`.

    Returns
    -------
    context manager
        Its value in `as` has `name` and `jobs`, the number of parallel computations.

    Raises
    ------
    UnknownNameError
        For an unknown backend, or an option that "loky" does not have.
    ParameterError
        If the cluster does not know an option, or cannot be reached.
    MissingExtraError
        If the backend needs `pip install 'gfactor[dask]'` or `'gfactor[ray]'`.

    References
    ----------
    joblib's backends: https://joblib.readthedocs.io, "Custom backend API".

    Examples
    --------
    >>> import gfactor as gf
    >>> with gf.backend("loky", jobs=2) as current:
    ...     bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> current.jobs, len(bank)
    (2, 10)
    """
    if name not in BACKENDS:
        raise UnknownNameError("backend", name, BACKENDS)
    if jobs is not None and jobs < 1:
        raise ParameterError(f"jobs must be 1 or more, not {jobs}")
    entered = {"loky": _loky, "dask": _dask, "ray": _ray}[name]
    with entered(jobs, options) as current:
        before = _CURRENT.set(current)
        try:
            yield current
        finally:
            _CURRENT.reset(before)


def workers(jobs: int = 1) -> int:
    """Return the number of parallel jobs: `jobs`, or if it is 1 that of the enclosing `backend`."""
    current = _CURRENT.get()
    return jobs if jobs > 1 or current is None else current.jobs


def executor() -> Executor | None:
    """Return the executor of the enclosing block's cluster; None if there is no cluster."""
    current = _CURRENT.get()
    return current.executor() if current and current.executor else None


def each(
    function: Callable[..., R],
    arguments: Iterable[tuple[Any, ...]],
    *,
    jobs: int = 1,
    ordered: bool = True,
) -> Iterator[R]:
    """Return an iterator over a function's results for many arguments, as they are computed.

    Parameters
    ----------
    function : callable
        Must pickle if more than one process computes.
    arguments : iterable of tuple
        Positional arguments of every call; drawn from as calls are handed out.
    jobs : int
        See `workers`.
    ordered : bool
        True for results in the order of the arguments, False for results as they come.

    Returns
    -------
    iterator
        Iterator over the results; computed in this process, one after the other, if `workers` is 1.

    Examples
    --------
    >>> list(each(divmod, [(7, 2), (9, 4)]))
    [(3, 1), (2, 1)]
    """
    current, count = _CURRENT.get(), workers(jobs)
    if count == 1 and (current is None or current.executor is None):
        return (function(*given) for given in arguments)
    return _parallel(current, count, function, arguments, ordered)


def _parallel(
    current: Computing | None,
    count: int,
    function: Callable[..., R],
    arguments: Iterable[tuple[Any, ...]],
    ordered: bool,
) -> Iterator[R]:
    import joblib  # noqa: PLC0415  (who computes in one process need not wait for it)

    calls = (joblib.delayed(function)(*given) for given in arguments)
    chosen = (
        joblib.parallel_config(current.name, **current.settings)
        if current
        else contextlib.nullcontext()
    )
    done: Any
    with chosen:
        if current is None or current.name != "ray":
            how = "generator" if ordered else "generator_unordered"
            done = joblib.Parallel(
                n_jobs=-1 if current and current.name == "dask" else count,
                return_as=how, max_nbytes=None,
            )(calls)  # fmt: skip
            yield from done
            return
        with joblib.Parallel(n_jobs=count) as pool:
            while some := list(islice(calls, _AHEAD * count)):
                done = pool(some)
                yield from done


def _cores() -> int:
    import joblib  # noqa: PLC0415

    return joblib.cpu_count()


@contextlib.contextmanager
def _loky(jobs: int | None, options: Mapping[str, Any]) -> Iterator[Computing]:
    if unknown := sorted(options.keys() - set(_LOKY)):
        raise UnknownNameError("option of the backend loky", unknown[0], _LOKY)
    yield Computing("loky", jobs or _cores(), dict(options))


@contextlib.contextmanager
def _dask(jobs: int | None, options: Mapping[str, Any]) -> Iterator[Computing]:
    try:
        import distributed  # noqa: PLC0415  (an extra)
    except ImportError as error:
        raise MissingExtraError("computing on Dask", "dask") from error
    dask: Any = distributed  # Its methods are asynchronous only if it is asked for.
    with contextlib.ExitStack() as stack:
        given = dict(options)
        with _reaching("dask", options):
            _check_place(options)
            if not {"address", "scheduler_file"} & given.keys():
                given["address"] = stack.enter_context(
                    dask.LocalCluster(
                        n_workers=jobs or _cores(),
                        threads_per_worker=1,
                        dashboard_address=None,
                        silence_logs=logging.ERROR,
                    )
                )
            # Not the default client of this process: a block must not change what others use.
            client = stack.enter_context(dask.Client(set_as_default=False, **given))
            count = sum(client.nthreads().values())
        if not count:
            raise ParameterError("the Dask cluster has no workers; start some")
        yield Computing("dask", count, {"client": client}, client.get_executor)


def _check_place(options: Mapping[str, Any]) -> None:
    """Raise ValueError for a cluster that Dask would wait for, though it cannot come."""
    file, address = options.get("scheduler_file"), options.get("address")
    if file is not None and not Path(file).is_file():
        raise ValueError("there is no such file")
    if isinstance(address, str) and ":" not in address:
        raise ValueError("the address has no port; write one, as in tcp://HOST:8786")


@contextlib.contextmanager
def _ray(jobs: int | None, options: Mapping[str, Any]) -> Iterator[Computing]:
    try:
        import ray  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
        from ray.util.joblib import register_ray  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise MissingExtraError("computing on Ray", "ray") from error
    began = not ray.is_initialized()
    if began:
        given: dict[str, Any] = {"log_to_driver": False, **options}
        if "address" not in given:
            given = {"num_cpus": jobs or _cores(), "include_dashboard": False, **given}
        given.setdefault("logging_level", logging.ERROR)
        with _reaching("ray", given):
            ray.init(**given)
    logging.getLogger("ray.util.multiprocessing.pool").setLevel(logging.ERROR)
    register_ray()
    try:
        count = jobs or int(ray.cluster_resources().get("CPU", 1))
        yield Computing("ray", count, {}, _RayExecutor)
    finally:
        if began:
            ray.shutdown()


@contextlib.contextmanager
def _reaching(name: str, options: Mapping[str, Any]) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        # Ray has exceptions of its own, which share no class but Exception.
        where = options.get("address") or options.get("scheduler_file") or "of its own"
        raise ParameterError(
            f"the backend {name} cannot use the cluster {str(where)!r}: "
            f"{str(error) or type(error).__name__}"
        ) from error


class _RayExecutor(Executor):
    """Single calls on Ray, as `concurrent.futures` has them."""

    def __init__(self) -> None:
        import ray  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

        self._call: Any = ray.remote(_called)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return self._call.remote(fn, args, kwargs).future()


def _called(function: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    return function(*given, **named)
