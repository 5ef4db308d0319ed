"""What a server must keep to itself: its signing key and the hash of the owner's password."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from gfactor.errors import ParameterError

SHORTEST_PASSWORD = 10
_SIGNS = "23456789abcdefghjkmnpqrstuvwxyz"
_COST = {"n": 2**14, "r": 8, "p": 1}  # OWASP's least for scrypt with 16 MiB


@dataclass(frozen=True)
class Secrets:
    """The signing key of a server's cookies and forms, and the owner's password as a hash."""

    key: bytes
    salt: bytes
    password_hash: bytes

    @classmethod
    def make(cls, password: str) -> Secrets:
        """New secrets; ParameterError where the password is short."""
        if len(password) < SHORTEST_PASSWORD:
            raise ParameterError(
                f"the owner's password has {len(password)} characters; give at least "
                f"{SHORTEST_PASSWORD}"
            )
        salt = secrets.token_bytes(16)
        return cls(secrets.token_bytes(32), salt, hashed_password(password, salt))

    @classmethod
    def load(cls, path: Path) -> Secrets:
        """Read a file that `save` wrote; ParameterError where it is not one."""
        try:
            held = json.loads(path.read_text("utf-8"))
            return cls(*(base64.b64decode(held[name]) for name in ("key", "salt", "password_hash")))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ParameterError(
                f"{str(path)!r} does not hold a server's secrets; bring it back from a copy, or "
                "set a study's password anew with `gfactor study password FOLDER`"
            ) from error

    def save(self, path: Path) -> None:
        """Write them to a file that only its owner can read."""
        names = {"key": self.key, "salt": self.salt, "password_hash": self.password_hash}
        text = json.dumps({name: base64.b64encode(held).decode() for name, held in names.items()})
        path.unlink(missing_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)

    def is_password(self, given: str) -> bool:
        """Whether it is the owner's, in a time that tells nothing."""
        return hmac.compare_digest(hashed_password(given, self.salt), self.password_hash)

    def sign(self, purpose: str, text: str) -> str:
        """A signature of `text` for one purpose; one for another purpose differs."""
        return hmac.new(self.key, f"{purpose}\0{text}".encode(), hashlib.sha256).hexdigest()

    def signed_by_us(self, purpose: str, text: str, signature: str) -> bool:
        return hmac.compare_digest(self.sign(purpose, text).encode(), signature.encode())


def new_password() -> str:
    """A password of four groups of signs that are not mistaken for each other, 98 bits."""
    groups = ("".join(secrets.choice(_SIGNS) for _ in range(5)) for _ in range(4))
    return "-".join(groups)


def hashed_password(password: str, salt: bytes) -> bytes:
    """A password's scrypt hash, 64 bytes."""
    return hashlib.scrypt(password.encode(), salt=salt, **_COST)
