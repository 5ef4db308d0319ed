"""Secrets of a server: its signing key and the hash of the owner's password."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from gfactor.errors import ParameterError
from gfactor.studies.web.extras import need

SHORTEST_PASSWORD = 10
READABLE_SIGNS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Signs of codes that people type: none looks like another."""
LONGEST_TOKEN = 2_000
_SIGNING = {"key_derivation": "none", "digest_method": hashlib.sha256}
_COST = {"n": 2**14, "r": 8, "p": 1}  # OWASP's minimum for scrypt with 16 MiB


@dataclass(frozen=True, eq=False)
class Secrets:
    """The signing key of a server's cookies and forms, and the owner's password as a hash.

    Objects are compared by identity, so that cached signatures can be looked up fast.
    """

    key: bytes
    salt: bytes
    password_hash: bytes

    @classmethod
    def make(cls, password: str) -> Secrets:
        """Return new secrets; raise ParameterError if the password is short."""
        if len(password) < SHORTEST_PASSWORD:
            raise ParameterError(
                f"the owner's password has {len(password)} characters; give at least "
                f"{SHORTEST_PASSWORD}"
            )
        salt = secrets.token_bytes(16)
        return cls(secrets.token_bytes(32), salt, hashed_password(password, salt))

    def with_password(self, password: str) -> Secrets:
        """Return the key with another password, so that links that were sent out stay valid."""
        secrets = Secrets.make(password)
        return replace(self, salt=secrets.salt, password_hash=secrets.password_hash)

    @classmethod
    def load(cls, path: Path) -> Secrets:
        """Read a file of `save`; raise ParameterError for any other file."""
        try:
            encoded = json.loads(path.read_text("utf-8"))
            return cls(
                *(base64.b64decode(encoded[name]) for name in ("key", "salt", "password_hash"))
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ParameterError(
                f"{str(path)!r} does not hold a server's secrets; bring it back from a copy, or "
                "set a study's password anew with `gfactor study password FOLDER`"
            ) from error

    def save(self, path: Path) -> None:
        """Write them to a file that only its owner can read."""
        names = {"key": self.key, "salt": self.salt, "password_hash": self.password_hash}
        text = json.dumps({name: base64.b64encode(value).decode() for name, value in names.items()})
        path.unlink(missing_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)

    def is_password(self, given: str) -> bool:
        """Return True if the text is the owner's password, in constant time."""
        return hmac.compare_digest(hashed_password(given, self.salt), self.password_hash)

    def sign(self, purpose: str, text: str) -> str:
        """Return a signature of `text` for a purpose; signatures for different purposes differ."""
        signature = hmac.digest(_derived(self.key, purpose), text.encode(), "sha256")
        return base64.urlsafe_b64encode(signature).rstrip(b"=").decode()

    def dated(self, purpose: str, text: str) -> str:
        """Return a text with the time and a signature of both, see `is_dated`."""
        return _dating(self.key, purpose).sign(text).decode()

    def is_dated(self, purpose: str, signed: str, days: float) -> bool:
        """Return True if `dated` made a text for this purpose, at most `days` days ago."""
        return signed.isascii() and _dating(self.key, purpose).validate(signed, int(days * 86_400))

    def token(self, purpose: str, value: Any, *, dated: bool = False) -> str:
        """Return a signed value for an address or a cookie; `dated` makes one that expires."""
        return self._serializer(purpose, dated).dumps(value)

    def value_of(self, purpose: str, token: str, days: float | None = None) -> Any:
        """Return the value of a token; None for any other text. `days` is the validity of a token
        that was made with `dated`."""
        if len(token) > LONGEST_TOKEN or not token.isascii():
            return None
        more = {} if days is None else {"max_age": int(days * 86_400)}
        try:
            return self._serializer(purpose, days is not None).loads(token, **more)
        except need("itsdangerous").BadData:
            return None

    def _serializer(self, purpose: str, dated: bool) -> Any:
        library = need("itsdangerous")
        kind = library.URLSafeTimedSerializer if dated else library.URLSafeSerializer
        return kind(_derived(self.key, purpose), salt=purpose, signer_kwargs=_SIGNING)


@lru_cache(maxsize=256)
def _derived(key: bytes, purpose: str) -> bytes:
    """Return the key for one purpose: that of itsdangerous with `key_derivation="hmac"`."""
    return hmac.digest(key, purpose.encode(), "sha256")


@lru_cache(maxsize=256)
def _dating(key: bytes, purpose: str) -> Any:
    return need("itsdangerous").TimestampSigner(_derived(key, purpose), salt=purpose, **_SIGNING)


def new_password() -> str:
    """Return a random password (98 bits) of four groups of characters that are easy to
    distinguish."""
    groups = ("".join(secrets.choice(READABLE_SIGNS) for _ in range(5)) for _ in range(4))
    return "-".join(groups)


def hashed_password(password: str, salt: bytes) -> bytes:
    """Return a password's scrypt hash, 64 bytes."""
    return hashlib.scrypt(password.encode(), salt=salt, **_COST)
