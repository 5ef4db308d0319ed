"""Files of requests that were uploaded for batches, stored in the journal to be used again."""

from __future__ import annotations

from functools import partial

import sqlalchemy as sa

from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.outages import Outage
from gfactor.administration.storing.tables import BATCH_FILES


class UploadedFiles:
    """The uploaded files of requests of an examinee's batches, as the journal stores them. If the
    vendor's queue is full, a batch is submitted again later from the file that this or an earlier
    process has uploaded.

    Parameters
    ----------
    examinee: owner of the batches.
    journal: where the files' ids are stored.
    outage: waits for the journal while it is out of reach.
    """

    def __init__(self, examinee: str, journal: Journal, outage: Outage) -> None:
        self._examinee, self._journal, self._outage = examinee, journal, outage

    async def find(self, digest: str) -> str:
        """Return the vendor's id of an uploaded file by the hash of its requests; "" if none is
        known."""
        return await self._outage.outlast(partial(self._find, digest))

    async def note(self, token: str, digest: str, file: str) -> None:
        """Store the file of a batch before the batch is submitted."""
        await self._outage.outlast(partial(self._note, token, digest, file))

    async def forget(self, digest: str) -> None:
        """Record that a file can no longer be used."""
        await self._outage.outlast(partial(self._forget, digest))

    async def prefix(self, token: str) -> str:
        """Return the text with which the ids of a batch's requests begin: the hash of its file, or
        else its token."""
        return await self._outage.outlast(partial(self._prefix, token))

    def _find(self, digest: str) -> str:
        f = BATCH_FILES.c
        usable = (f.examinee == self._examinee) & (f.digest == digest) & (f.file != "")
        with self._journal.transaction() as connection:
            return connection.execute(sa.select(f.file).where(usable)).scalars().first() or ""

    def _note(self, token: str, digest: str, file: str) -> None:
        row = {"token": token, "examinee": self._examinee, "digest": digest, "file": file}
        with self._journal.transaction() as connection:
            connection.execute(BATCH_FILES.delete().where(BATCH_FILES.c.token == token))
            connection.execute(BATCH_FILES.insert(), [row])

    def _forget(self, digest: str) -> None:
        f = BATCH_FILES.c
        these = (f.examinee == self._examinee) & (f.digest == digest)
        with self._journal.transaction() as connection:
            connection.execute(BATCH_FILES.update().where(these).values(file=""))

    def _prefix(self, token: str) -> str:
        f = BATCH_FILES.c
        with self._journal.transaction() as connection:
            of_batch = sa.select(f.digest).where(f.token == token)
            return connection.execute(of_batch).scalars().first() or token
