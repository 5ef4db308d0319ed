"""Banks and journals: built, or opened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from gfactor import benchmarks
from gfactor.administration import Journal
from gfactor.administration.sharing.spilling import take_in
from gfactor.api.inputs.progress_bars import progress, silent, tell
from gfactor.api.inputs.prompt_packs import build_with_notes
from gfactor.api.inputs.taking import JournalLike, address_of
from gfactor.errors import GfactorError, UnknownNameError
from gfactor.items import ItemBank
from gfactor.parameters import Jobs

OptionValue: TypeAlias = (
    str | float | bool | Path | Iterable[str] | Iterable[int] | Mapping[str, str] | None
)
"""A value of an option of a benchmark."""


def build(
    benchmark: str,
    *,
    path: Path | str,
    jobs: Jobs = 1,
    show_progress: bool = True,
    **options: OptionValue,
) -> ItemBank:
    """Build the bank of a benchmark: one Parquet file, and Croissant metadata beside it.

    The same options give the same items and pixels on any machine and with any number of jobs. A
    build that was stopped continues when it is called again.

    Parameters
    ----------
    benchmark : str
        A registered benchmark: "percept-v", "m3gia", "mm-iq", "multi", "vlmevalkit".
    path : path
        Parquet file to write. It appears under this name only when it is complete.
    jobs : int
        Number of parallel processes; the result does not depend on it.
    show_progress : bool
        True to show a progress bar.
    **options : any
        Options of the benchmark; for "percept-v" `seed`, `edition`, `domains`, `sizes`,
        `instances`, `prompts`. `gfactor build BENCHMARK --help` describes each.

    Returns
    -------
    ItemBank
        The opened bank. Its `metadata` hold the number of items and, if the bank was made from
        other files, the rows of these files that were skipped (`skipped`, `skipped_rows`).
        `warnings` names items without the picture that they should have.

    Raises
    ------
    UnknownNameError
        For an unknown benchmark or option; the message suggests the closest name.
    ParameterError
        If an option has an impossible value, or the path cannot be written.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build(
    ...     "percept-v", seed=7, domains=["change_colour"], sizes=[1, 5], path="pv.parquet"
    ... )
    >>> len(bank)
    20
    """
    available = [option.name for option in benchmarks.BENCHMARKS[benchmark].options]
    for name in options:
        if name not in available:
            raise UnknownNameError(f"option of {benchmark}", name, available)
    watch = progress if show_progress else silent
    built = build_with_notes(benchmark, path, jobs=jobs, watch=watch, **options)
    for warning in built.warnings:
        tell(f"warning: {warning}")
    for note in built.notes:
        tell(f"note: {note}")
    return ItemBank.open(path)


def open_bank(path: Path | str, *, decode: bool = False) -> ItemBank:
    """Open an item bank, and check all of it except the pixels of its images.

    Parameters
    ----------
    path : path
        A Parquet file, as `build` writes it.
    decode : bool
        True to also decode every image and compare it with its stored hash, which takes some
        milliseconds per image.

    Returns
    -------
    ItemBank
        The items in order. `frame()` returns them as a DataFrame, `sample()` returns a stratified
        sample.

    Raises
    ------
    BankError
        If the bank cannot be used; the message names file, row and item.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> gf.open_bank("pv.parquet").ids == bank.ids
    True
    """
    return ItemBank.open(path, decode=decode)


def open_journal(path: Path | str, *, create: bool = False) -> Journal:
    """Open a journal, which holds every answer of every examinee.

    Parameters
    ----------
    path : path or URL
        A SQLite file, or a database URL ("postgresql://...").
    create : bool
        True to create a missing file.

    Returns
    -------
    Journal
        The opened journal. Use it in a `with` block, or call `close()` at the end.

    Raises
    ------
    JournalError
        If the journal cannot be opened.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> gf.run(bank, ["observer:ideal"], journal="c.db").close()
    >>> with gf.open_journal("c.db") as journal:
    ...     len(journal.items())
    10
    """
    return Journal.open(path, create=create)


@contextmanager
def journal_to_write(
    journal_or_path: JournalLike, *, make_folder: bool = False
) -> Iterator[Journal]:
    """Yield the journal, made if it does not exist. If the block fails because of a user's mistake,
    no empty journal is left.

    Replies that an earlier run could not store are stored first. With `make_folder` the folder of
    the journal is made, too.
    """
    if isinstance(journal_or_path, Journal):
        yield journal_or_path
        return
    path = address_of(journal_or_path)
    is_new = "://" not in str(path) and not Path(path).exists()
    if is_new and make_folder:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    try:
        with Journal.open(path) as journal:
            try:
                if taken := take_in(journal):
                    tell(
                        f"{taken:,} replies that an earlier run could not store were taken into "
                        f"{journal.name}"
                    )
                yield journal
            except GfactorError:
                is_new = is_new and journal.items().empty
                raise
    except GfactorError:
        if is_new:
            with suppress(OSError):
                Path(path).unlink()
        raise
