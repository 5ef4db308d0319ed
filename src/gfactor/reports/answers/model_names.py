"""Names of models as a paper gives them: without the address of a server."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from gfactor.administration.storing.who_answered import without_address
from gfactor.scoring.unread import NO_MODELS


def names_for_print(examinees: Iterable[str]) -> dict[str, str]:
    """Return the name of each examinee for a text or a figure that is to be published.

    A model has no address, and no scheme if it has no other parameters; a name that two examinees
    would share stays whole. Observers, baselines and people keep their names. These names mean the
    same in any text, unlike the labels of one report (`short_labels`) and the words of a title
    (`examinee_title`).

    Parameters
    ----------
    examinees : iterable of str
        Specifications of examinees.

    Returns
    -------
    dict of str to str
        Names by specification.

    Examples
    --------
    >>> names_for_print(["openai:m?base_url=http://localhost/v1", "observer:ideal"])
    {'openai:m?base_url=http://localhost/v1': 'm', 'observer:ideal': 'observer:ideal'}
    """
    short = {one: _short(one) for one in dict.fromkeys(examinees)}
    times = Counter(short.values())
    return {one: name if times[name] == 1 else one for one, name in short.items()}


def _short(examinee: str) -> str:
    if examinee.startswith(NO_MODELS):
        return examinee
    name = without_address(examinee)
    return name if "?" in name else name.partition(":")[2] or name


def with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a text in which each specification is replaced by its name, longer ones first.

    Parameters
    ----------
    text : str
        Text with specifications.
    names : mapping of str to str
        Names by specification (`names_for_print`).
    """
    for one in sorted(names, key=len, reverse=True):
        text = re.sub(
            rf"(?<![\w-]){re.escape(one)}(?!\.?[\w?&=:/-])", lambda _, n=names[one]: n, text
        )
    return text
