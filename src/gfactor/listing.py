"""Names in a sentence: the first few, and how many more there are."""

from __future__ import annotations

from collections.abc import Iterable


def first_few(names: Iterable[object], most: int = 5, *, between: str = ", ") -> str:
    """Return the first names in words, and the number of the others.

    Parameters
    ----------
    names : iterable of object
        Names, as they are written by `str`.
    most : int
        Largest number of names that are written out.
    between : str
        Text between two names, such as "; " where names hold commas.

    Returns
    -------
    str
        "a, b and 3 more", or all names.

    Examples
    --------
    >>> first_few("abcde", 2), first_few("ab", 2)
    ('a, b and 3 more', 'a, b')
    """
    texts = [str(name) for name in names]
    listed = between.join(texts[:most])
    return f"{listed} and {len(texts) - most:,} more" if len(texts) > most else listed
