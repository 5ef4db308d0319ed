"""The tables of a study's database. Nothing in them names a person or an address."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

METADATA = sa.MetaData()
SCHEMA = 2

META = sa.Table(
    "meta",
    METADATA,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

PARTICIPANTS = sa.Table(
    "participants",
    METADATA,
    sa.Column("code", sa.Text, primary_key=True),  # a pseudonym
    sa.Column("number", sa.Integer, nullable=False, unique=True),
    sa.Column("session", sa.Text, nullable=False, unique=True),  # hash of the cookie's token
    sa.Column("form", sa.Text, nullable=False),  # JSON, see allocation.to_json
    sa.Column("language", sa.Text, nullable=False),
    sa.Column("consent_version", sa.Text, nullable=False),
    sa.Column("declaration", sa.Text, nullable=False),  # digest of the study as it was then
    sa.Column("started", sa.Text, nullable=False),
    sa.Column("finished", sa.Text),
)

CONSENTS = sa.Table(
    "consents",  # what each participant agreed to
    METADATA,
    sa.Column("code", sa.Text, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False),  # of the text, see consent_texts
    sa.Column("at", sa.Text, nullable=False),
    sqlite_with_rowid=False,
)

CONSENT_TEXTS = sa.Table(
    "consent_texts",  # every text that somebody agreed to
    METADATA,
    sa.Column("digest", sa.Text, primary_key=True),  # SHA-256 of the text
    sa.Column("text", sa.Text, nullable=False),
)

CONTACTS = sa.Table(
    "contacts",  # deleted when the study's retention ends
    METADATA,
    sa.Column("code", sa.Text, primary_key=True),
    sa.Column("external_id", sa.Text, nullable=False, unique=True),
    sa.Column("facts", sa.Text, nullable=False),  # JSON: what else the service's address held
    sa.Column("since", sa.Text, nullable=False),
)

TAKEN = sa.Table(
    "taken",  # keyed hashes of all ids that ever took part, linked to nobody
    METADATA,
    sa.Column("hash", sa.Text, primary_key=True),
)

RESERVATIONS = sa.Table(
    "reservations",  # those who came back after their place had expired, and got one again
    METADATA,
    sa.Column("code", sa.Text, primary_key=True),
    sa.Column("since", sa.Text, nullable=False),
)

EXITS = sa.Table(
    "exits",  # participations that ended before the last page
    METADATA,
    sa.Column("code", sa.Text, primary_key=True),
    sa.Column("outcome", sa.Text, nullable=False),  # see recruiting.OUTCOMES
    sa.Column("created", sa.Text, nullable=False),
)

PAYMENTS = sa.Table(
    "payments",  # what was written to payment files; rows are only added
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("code", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),  # of the file, see recruiting.Service
    sa.Column("cents", sa.Integer, nullable=False),  # 0 in a file without amounts
    sa.Column("created", sa.Text, nullable=False),
)

TRANSFERS = sa.Table(
    "transfers",  # bonuses that were ordered from a service's API; each is in `payments`, too
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("code", sa.Text, nullable=False),
    sa.Column("submission", sa.Text, nullable=False),  # the service's id of the participation
    sa.Column("order", sa.Text, nullable=False),  # the service's id of the order
    sa.Column("cents", sa.Integer, nullable=False),
    sa.Column("before", sa.Integer, nullable=False),  # bonuses on the submission before, in cents
    sa.Column("state", sa.Text, nullable=False),  # see transfers.Transfer
    sa.Column("since", sa.Float, nullable=False),  # seconds since 1970
)

APPEALS = sa.Table(
    "appeals",  # the owner's last word on somebody who is not paid by the study's rule
    METADATA,
    sa.Column("code", sa.Text, primary_key=True),
    sa.Column("paid", sa.Boolean, nullable=False),  # whether they are paid all the same
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
)

ANSWERS = sa.Table(
    "answers",
    METADATA,
    sa.Column("code", sa.Text, primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("item", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),  # in the item's own labels, as scoring reads it
    sa.Column("place", sa.Integer),  # of the chosen option on the page, from 0
    sa.Column("earned", sa.Float, nullable=False),
    sa.Column("possible", sa.Float, nullable=False),
    sa.Column("right", sa.Boolean, nullable=False),
    sa.Column("seconds", sa.Float),  # by the browser's clock, from shown to sent
    sa.Column("server_seconds", sa.Float),
    sa.Column("away_count", sa.Integer, nullable=False),
    sa.Column("away_seconds", sa.Float, nullable=False),
    sa.Column("resized", sa.Integer, nullable=False),
    sa.Column("late", sa.Boolean, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
    sqlite_with_rowid=False,  # one tree, not two, for each answer
)

TURNS = sa.Table(
    "turns",  # the replies to the turns of conversations; all of them together are the answer
    METADATA,
    sa.Column("code", sa.Text, primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    sa.Column("turn", sa.Integer, primary_key=True),  # from 0
    sa.Column("text", sa.Text, nullable=False),  # "" for a turn that asks nothing
    sa.Column("seconds", sa.Float),  # by the browser's clock, since the first turn was shown
    sa.Column("away_count", sa.Integer, nullable=False),
    sa.Column("away_seconds", sa.Float, nullable=False),
    sa.Column("resized", sa.Integer, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
)

PAGE_LOADS = sa.Table(
    "shown",
    METADATA,
    sa.Column("code", sa.Text, primary_key=True),
    sa.Column("page", sa.Text, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),  # seconds since 1970, when it was first shown
    sa.Column("times", sa.Integer, nullable=False),  # how often it was loaded
    sqlite_with_rowid=False,
)

PRESENTATIONS = sa.Table(
    "presentations",  # of questions whose pictures are shown for a short time
    METADATA,
    sa.Column("code", sa.Text, primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    sa.Column("sent", sa.Integer, nullable=False),  # how often the picture was sent before
    sa.Column("begun", sa.Boolean, nullable=False),  # whether the participant has started it
    sa.Column("measured", sa.Text, nullable=False),  # JSON, see presentation.MEASURED
)

PLAYBACKS = sa.Table(
    "playbacks",  # of sounds and films that a participant has begun
    METADATA,
    sa.Column("code", sa.Text, primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    sa.Column("plays", sa.Integer, nullable=False),  # how often it was begun
    sa.Column("started", sa.Float, nullable=False),  # seconds since 1970, the first time
    sa.Column("ends", sa.Integer, nullable=False),  # how often it was played to its end
    sa.Column("ended", sa.Float, nullable=False),  # the last time; 0 without an end
    sa.Column("measured", sa.Text, nullable=False),  # JSON, see playbacks.MEASURED
)

RANDOMIZED = sa.Table(
    "randomized",  # those whose language was drawn
    METADATA,
    sa.Column("code", sa.Text, primary_key=True),
    sa.Column("known", sa.Text, nullable=False),  # which languages they read, with ";"
)

CHALLENGES = sa.Table(
    "challenges",
    METADATA,
    sa.Column("code", sa.Text, primary_key=True),
    sa.Column("item", sa.Text, primary_key=True),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("verdict", sa.Text, nullable=False),  # "", or one of rulings.VERDICTS
    sa.Column("reply", sa.Text, nullable=False),
)

RULINGS = sa.Table(
    "rulings",  # upheld challenges; they stay when the challenger withdraws
    METADATA,
    sa.Column("item", sa.Text, primary_key=True),
    sa.Column("answer", sa.Text, primary_key=True),  # right as well; "" if the item is void
    sa.Column("reply", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
)

AMENDMENTS = sa.Table(
    "amendments",  # changes of the study after its first participant
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("changes", sa.Text, nullable=False),  # JSON, see declaration.changes
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("definition", sa.Text, nullable=False),
)

DELETIONS = sa.Table(
    "deletions",  # when something of a person was deleted; not whose it was
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("what", sa.Text, nullable=False),  # see deleting.WHAT
)

COUNTERS = sa.Table(
    "counters",  # what is known of those without a row: visits, refusals, withdrawals
    METADATA,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("count", sa.Integer, nullable=False),
)

OWNERS = sa.Table(
    "owners",  # beside the one whose password lies in secrets.json
    METADATA,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("role", sa.Text, nullable=False),  # one of owners.ROLES
    sa.Column("salt", sa.LargeBinary, nullable=False),
    sa.Column("password_hash", sa.LargeBinary, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
)

ACTIONS = sa.Table(
    "actions",  # what owners did; rows are added and never changed: triggers refuse it
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),  # from 1
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
    sa.Column("digest", sa.Text, nullable=False),  # of the row and the digest before it
)


def stored_value(key: str) -> sa.Select[Any]:
    """Return the query of a value in `META`."""
    return sa.select(META.c.value).where(META.c.key == key)


def now_text(at: float | None = None) -> str:
    """Return a time in the stored form, UTC in milliseconds: now, or the given number of seconds
    since 1970."""
    second, rest = divmod(time.time() if at is None else at, 1)
    return f"{_to_second(int(second))}.{int(rest * 1000):03d}+00:00"


@lru_cache(maxsize=4)
def _to_second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
