"""A PostgreSQL server of the tests' own, on a socket in a temporary folder."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa


def binary(name: str) -> str:
    """A program of PostgreSQL's; skips the test where it is not installed."""
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = shutil.which(name) or (str(debian[-1]) if debian else None)
    if found is None:
        pytest.skip(f"PostgreSQL's {name} is not installed (Debian: apt install postgresql)")
    return found


@contextlib.contextmanager
def postgres_server() -> Iterator[str]:
    """The URL of an empty database, until the block ends."""
    initdb, postgres = binary("initdb"), binary("postgres")
    user = None
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        if os.getuid() == 0:
            # PostgreSQL refuses to run as root.
            user = "nobody"
            os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
        data = f"{folder}/data"
        subprocess.run(
            [initdb, "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync"],
            check=True, capture_output=True, user=user, cwd=folder,
        )  # fmt: skip
        with open(f"{folder}/log", "wb") as log:
            server = subprocess.Popen(
                [postgres, "-D", data, "-k", folder, "-h", "", "-F"],
                stdout=log, stderr=log, user=user, cwd=folder,
            )  # fmt: skip
        try:
            deadline = time.monotonic() + 30
            while b"ready to accept connections" not in Path(f"{folder}/log").read_bytes():
                assert time.monotonic() < deadline, Path(f"{folder}/log").read_text()
                time.sleep(0.05)
            yield f"postgresql://tester@/postgres?host={folder}"
        finally:
            server.terminate()
            server.wait(30)


def fresh_database(server: str, name: str) -> str:
    """The URL of a new, empty database of that name on a server."""
    engine = sa.create_engine(server.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(sa.text(f"drop database if exists {name} with (force)"))
        connection.execute(sa.text(f"create database {name}"))
    engine.dispose()
    return server.replace("/postgres?", f"/{name}?")
