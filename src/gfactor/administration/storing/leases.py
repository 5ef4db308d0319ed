"""The claims of a journal in SQL: the process that asks each key, and the end of its claim.

Times are the database's, so that the clocks of the processes need not agree. On PostgreSQL no
statement here waits for another process that could be waiting for it: keys are inserted in one
order, and rows that another transaction holds are skipped when leases are ended.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from gfactor.administration.storing.rows import KEY, Key, insert
from gfactor.administration.storing.tables import CLAIMS, FAILURES, RESPONSES

Claimed = tuple[set[Key], set[Key], set[Key]]
"""Keys that the owner may now ask; keys that are answered; keys that failed in another process of
the same run."""


def claim(
    connection: sa.Connection,
    whose: Mapping[str, str],
    lease_s: float,
    keys: Iterable[Key],
    done: Iterable[Key],
    failed_after: int,
) -> Claimed:
    """Claim keys for a process, except those that another one has claimed.

    Parameters
    ----------
    whose: `examinee`, `condition`, and as `owner` the process, by a name that no other has.
    lease_s: seconds after which others may claim the keys.
    done: keys whose claims end now.
    failed_after: attempts that failed after this one are not made again.
    """
    wanted, c, f = sorted(keys), CLAIMS.c, FAILURES.c
    expires = connection.execute(sa.select(now(connection))).scalar_one() + lease_s
    _end(connection, whose, sorted(done))
    new = _begin(connection, whose, expires, wanted)
    claimed = sa.select(c.item_hash, c.occasion).where(c.owner == whose["owner"])
    vain = sa.select(f.item_hash, f.occasion).where(
        f.id > failed_after, f.examinee == whose["examinee"], f.condition == whose["condition"]
    )
    got = set(wanted)
    if new < len(wanted):
        got &= _keys(connection, claimed)
    answered = got & _keys(connection, claimed.where(_answered()))
    failed = (got - answered) & _keys(connection, vain)
    _end(connection, whose, sorted(answered | failed))
    return got - answered - failed, answered, failed


def renew(connection: sa.Connection, owner: str, lease_s: float) -> set[Key]:
    """Extend all claims that a process still holds, and return their keys."""
    c = CLAIMS.c
    later = CLAIMS.update().where(c.owner == owner)
    connection.execute(later.values(expires=now(connection) + lease_s))
    return _keys(connection, sa.select(c.item_hash, c.occasion).where(c.owner == owner))


def open_claims(
    connection: sa.Connection, examinee: str, condition: str, but: str
) -> dict[Key, tuple[str, float]]:
    """Return the keys that are being asked, with the process that asks and the seconds until its
    claim expires, except the claims of the owner `but`."""
    c = CLAIMS.c
    left = (c.expires - now(connection)).label("left")
    rows = sa.select(c.item_hash, c.occasion, c.owner, left).where(
        c.examinee == examinee, c.condition == condition, c.owner != but
    )
    return {(h, k): (owner, seconds) for h, k, owner, seconds in connection.execute(rows)}


def release(connection: sa.Connection, owners: Sequence[str]) -> None:
    """End the claims of these processes, and all claims that have expired."""
    c = CLAIMS.c
    ended = c.owner.in_(owners) | (c.expires < now(connection))
    key = [c[name] for name in KEY]
    free = sa.select(*key).where(ended).with_for_update(skip_locked=True)
    connection.execute(CLAIMS.delete().where(sa.tuple_(*key).in_(free)))


def now(connection: sa.Connection) -> sa.ColumnElement[float]:
    """Return seconds since 1970 by the database's clock."""
    if connection.dialect.name == "postgresql":
        return sa.cast(sa.extract("epoch", sa.func.clock_timestamp()), sa.Double)
    return sa.literal_column("((julianday('now') - 2440587.5) * 86400.0)", sa.Float)


def _keys(connection: sa.Connection, query: sa.Select[Any, Any]) -> set[Key]:
    return {(item, occasion) for item, occasion in connection.execute(query)}


def _answered() -> sa.ColumnElement[bool]:
    """Return the SQL condition that a claimed question has a response."""
    return sa.exists().where(*(RESPONSES.c[name] == CLAIMS.c[name] for name in KEY))


_KEYS = "SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:keys)"
"""Keys in SQLite's SQL. One statement for all of them releases Python's lock once; a thread that
released it for every key would wait each time until the event loop pauses."""

_BEGIN = f"""
INSERT INTO {CLAIMS.name} (examinee, condition, owner, expires, item_hash, occasion)
SELECT :examinee, :condition, :owner, :expires, * FROM ({_KEYS}) WHERE true ON CONFLICT DO NOTHING
"""

_END = f"""
DELETE FROM {CLAIMS.name} WHERE owner = :owner AND examinee = :examinee AND condition = :condition
AND (item_hash, occasion) IN ({_KEYS})
"""


def _begin(
    connection: sa.Connection, whose: Mapping[str, Any], expires: float, keys: Sequence[Key]
) -> int:
    """Claim those keys that nobody has claimed; return their number."""
    if keys and connection.dialect.name == "sqlite":
        given = {**whose, "expires": expires, "keys": json.dumps(keys)}
        return connection.exec_driver_sql(_BEGIN, given).rowcount
    rows = [{**whose, "item_hash": h, "occasion": k, "expires": expires} for h, k in keys]
    return insert(connection, CLAIMS, rows)


def _end(connection: sa.Connection, whose: Mapping[str, Any], keys: Sequence[Key]) -> None:
    """End an owner's claims to keys, under an examinee and a condition."""
    if not keys:
        return
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_END, {**whose, "keys": json.dumps(keys)})
        return
    rows = [{**whose, "item_hash": h, "occasion": k} for h, k in keys]
    same = (CLAIMS.c[name] == sa.bindparam(f"of_{name}") for name in rows[0])
    connection.execute(
        CLAIMS.delete().where(*same), [{f"of_{k}": v for k, v in row.items()} for row in rows]
    )
