"""Numbers of examinees of a journal that chose each option of a bank's items."""

from __future__ import annotations

from collections import Counter

from gfactor.api.inputs.taking import JournalLike, opened
from gfactor.api.scales.irt_data import BOUNDS
from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.items.formats import option_from_json
from gfactor.psychometrics.classical.key_votes import Votes
from gfactor.reports.answers.results import role_of
from gfactor.scoring import scored


def votes_in(journal: JournalLike, bank: ItemBank) -> dict[str, Votes]:
    """Return the number of examinees that chose each option, by item.

    Items are the same by content or, if they were imported without the bank, by id. Each examinee
    has one vote on an item, that of its first answer in which an option was found; baselines and
    the ideal observer have none.

    Raises ParameterError if the journal has no answer to an item of the bank.
    """
    with opened(journal) as open_journal:
        table, path = scored(open_journal), open_journal.name
    frame = bank.frame()
    ids = set(frame["id"])
    by_hash = dict(zip(frame["content_hash"], frame["id"], strict=True))
    columns = ("examinee", "item_id", "item_hash", "answer_lenient", "occasion")
    chosen: dict[tuple[str, str], str] = {}
    answers = 0
    for examinee, item_id, item_hash, answer, _ in sorted(
        zip(*(table[name] for name in columns), strict=True), key=lambda row: row[4]
    ):
        # Copies of an item have the same content, and each its own id.
        listed_id = item_id if item_id in ids else by_hash.get(item_hash)
        if listed_id is None:
            continue
        answers += 1
        option = option_from_json(answer)
        if option is not None and role_of(examinee) not in BOUNDS:
            chosen.setdefault((examinee, listed_id), option)
    if not answers:
        raise ParameterError(
            f"journal {path!r} has no answers to this bank's items. If they are those of imported "
            "files, import these again with --bank BANK, into a new journal"
        )
    votes: dict[str, Counter[str]] = {}
    for (_, item_id), option in chosen.items():
        votes.setdefault(item_id, Counter())[option] += 1
    return dict(votes)
