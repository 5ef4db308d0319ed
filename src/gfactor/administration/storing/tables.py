"""The tables of a journal.

meta facts about the file: `kind`, `schema`, `version`, `created`
campaigns   one row per call of the runner: which bank, which examinee, when
items       one row per item administered, without its images
samples     one rendered item per task, segment by segment, with its images
responses   one row per key (examinee, item_hash, condition, occasion)
turns       replies to the earlier turns of items put in several rounds, one row per key and turn
failures    attempts that failed, any number per key
late        replies to keys (and turns) that another process had answered meanwhile; never scored
claims      keys that a process is asking now, until its lease ends or the reply is stored
reserved active processes of a campaign, and the money that each has reserved for its requests
batches     questions submitted to a vendor at once, to be answered within a day
batch_keys  the keys of each batch, numbered as its requests are
profiles one row per adaptive administration: the settings that determine its sequence of items
steps one row per step of one: the design cell, its items, and the estimate before
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Column,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA = 4
"""Raised with every change of the tables; journals of schema 2 and 3 are upgraded when opened."""

KIND = "gfactor journal"

TABLES = MetaData()

META = Table("meta", TABLES, Column("key", String, primary_key=True), Column("value", Text))

CAMPAIGNS = Table(
    "campaigns",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("bank", Text, nullable=False),
    Column("digest", String, nullable=False),
    Column("items", Integer, nullable=False),
    Column("examinee", Text, nullable=False),
    Column("condition", Text, nullable=False),
    Column("occasions", Integer, nullable=False),
    # The prompt packs whose sentences were used, name to hash, as JSON.
    Column("packs", Text, nullable=False, server_default="{}"),
    Column("version", String, nullable=False),
    Column("started", String, nullable=False),
)

ITEMS = Table(
    "items",
    TABLES,
    # An item is its benchmark and content; an id with two contents is two items. Two items that
    # ask exactly the same share a hash, hence a response, but not a row.
    Column("content_hash", String, primary_key=True),
    Column("id", String, primary_key=True),
    Column("benchmark", String, primary_key=True),
    Column("edition", String, nullable=False),
    Column("labels", Text, nullable=False),
    Column("answer_type", String, nullable=False),
    Column("target", Text, nullable=False),
    Column("accepted", Text, nullable=False),
    Column("output_format", Text),
    Column("points", Float, nullable=False),
    Column("language", String, nullable=False),
    # The texts of the question, one below the other, and [label, text or null] of every choice.
    Column("question", Text, nullable=False),
    Column("choices", Text, nullable=False),
)

BANK_ITEMS = Table(
    "bank_items",
    TABLES,
    Column("digest", String, primary_key=True),
    Column("id", String, primary_key=True),
    Column("content_hash", String, primary_key=True),
    Column("benchmark", String, primary_key=True),
)

SAMPLES = Table(
    "samples",
    TABLES,
    Column("benchmark", String, primary_key=True),
    Column("task", String, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("item_id", String, nullable=False),
    Column("text", Text),
    Column("image", LargeBinary),
    Column("path", Text),
)


def _attempt_columns() -> list[Column[Any]]:
    return [
        Column("id", Integer, primary_key=True),
        Column("examinee", Text, nullable=False),
        Column("item_hash", String, nullable=False),
        Column("condition", Text, nullable=False),
        Column("occasion", Integer, nullable=False),
        Column("text", Text, nullable=False),
        Column("outcome", String, nullable=False),
        Column("finish_reason", Text, nullable=False),
        Column("tokens", Text, nullable=False),
        Column("latency_s", Float, nullable=False),
        Column("cost", Float),
        Column("detail", Text, nullable=False),
        Column("reasoning", Text, nullable=False),
        Column("created", String, nullable=False),
        # The model that answered according to the server, and its version as far as given.
        Column("answered_by", Text, nullable=False, server_default=""),
        Column("fingerprint", Text, nullable=False, server_default=""),
    ]


RESPONSES = Table(
    "responses",
    TABLES,
    *_attempt_columns(),
    UniqueConstraint("examinee", "item_hash", "condition", "occasion", name="answered_once"),
)

TURNS = Table(
    "turns",
    TABLES,
    *_attempt_columns(),
    Column("turn", Integer, nullable=False),
    UniqueConstraint("examinee", "item_hash", "condition", "occasion", "turn", name="said_once"),
)

FAILURES = Table("failures", TABLES, *_attempt_columns())

LATE = Table("late", TABLES, *_attempt_columns(), Column("turn", Integer))

CLAIMS = Table(
    "claims",
    TABLES,
    Column("examinee", Text, primary_key=True),
    Column("item_hash", String, primary_key=True),
    Column("condition", Text, primary_key=True),
    Column("occasion", Integer, primary_key=True),
    Column("owner", Text, nullable=False),
    # Seconds since 1970 by the database's clock, which all processes share.
    Column("expires", Float, nullable=False),
    sqlite_with_rowid=False,
)

RESERVED = Table(
    "reserved",
    TABLES,
    Column("owner", Text, primary_key=True),
    # "" in the row with the time until which the process counts as active.
    Column("examinee", Text, primary_key=True),
    # Largest possible cost and number of requests that may be sent at any moment, and of requests
    # that were sent and never answered.
    Column("money", Float, nullable=False),
    Column("requests", Integer, nullable=False),
    Column("unanswered_money", Float, nullable=False),
    Column("unanswered", Integer, nullable=False),
    Column("expires", Float, nullable=False),
    sqlite_with_rowid=False,
)

BATCHES = Table(
    "batches",
    TABLES,
    # The mark of its requests, which is stored before anything is submitted.
    Column("token", String, primary_key=True),
    Column("examinee", Text, nullable=False),
    # The vendor's id; "" until it is known.
    Column("remote", Text, nullable=False),
    # Its largest possible cost, until its answers have arrived.
    Column("money", Float, nullable=False),
    Column("collected", Integer, nullable=False),
    Column("created", String, nullable=False),
)

BATCH_KEYS = Table(
    "batch_keys",
    TABLES,
    Column("token", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("item_hash", String, nullable=False),
    Column("condition", Text, nullable=False),
    Column("occasion", Integer, nullable=False),
)

BATCH_FILES = Table(
    "batch_files",
    TABLES,
    Column("token", String, primary_key=True),
    Column("examinee", Text, nullable=False),
    # The hash of the requests, with which their ids begin: the same requests are uploaded once.
    Column("digest", String, nullable=False),
    # The vendor's id of the uploaded file; "" if it can no longer be used.
    Column("file", Text, nullable=False),
)

PROFILES = Table(
    "profiles",
    TABLES,
    # The hash of the settings that determine the sequence of items: examinee, condition and
    # settings.
    Column("key", String, primary_key=True),
    Column("examinee", Text, nullable=False),
    Column("condition", Text, nullable=False),
    # Seed, calibration, stop rule and the rest, as JSON.
    Column("settings", Text, nullable=False),
    Column("version", String, nullable=False),
    Column("started", String, nullable=False),
)

STEPS = Table(
    "steps",
    TABLES,
    Column("profile", String, primary_key=True),
    Column("step", Integer, primary_key=True),
    Column("ability", Text, nullable=False),
    Column("cell", Text, nullable=False),
    # Number of the item in its cell, from 0; the hashes of it and of its twins, as JSON.
    Column("number", Integer, nullable=False),
    Column("items", Text, nullable=False),
    # Estimate of the ability when the cell was chosen, from the answers known then.
    Column("theta", Float, nullable=False),
    Column("se", Float, nullable=False),
    Column("given_up", Integer, nullable=False),
    sqlite_with_rowid=False,
)

ORDER = "order_seed"
"""The key of `meta` under which the order of a run that may stop early is kept."""

FACTS = ("kind", "schema", "version", "created", ORDER)
"""The keys of `meta` that are facts about the journal. All others are marks of processes, and
`Journal.meta` does not return them."""

NOTED = "spill "
"""Prefix of the keys of `meta` that record which spill files were stored."""

STOPPED = "stopped "
"""Prefix of the keys of `meta` that record examinees whose budget was reached."""

INVALID = "invalid "
"""Prefix of the keys of `meta` that record people whom a study's rules mark invalid."""

IMPORTED = "imported "
"""Prefix of the keys of `meta` that record runs from a log; the values are formats of logs."""

ANSWERED_BY = ("answered_by", "fingerprint")
"""The columns that schema 4 added to the tables of attempts."""

ATTEMPTS = (RESPONSES, TURNS, FAILURES, LATE)
"""The tables whose rows are replies."""

ADDED = (TURNS, LATE, CLAIMS, RESERVED, BATCHES, BATCH_KEYS, BATCH_FILES, PROFILES, STEPS)
"""Tables that journals of older versions lack; they are made when such a journal is written to."""
