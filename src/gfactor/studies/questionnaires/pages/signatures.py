"""Addresses that a recruiting service has signed: whom they name, by the service's public keys.

The signature is a JSON Web Token (RFC 7519) with RS256. It is valid until it expires, at the domain
and for the study for which it was made.
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.study.definition import Study
from gfactor.studies.questionnaires.study.recruiting import SERVICES, Signing
from gfactor.studies.questionnaires.study.settings import Signature
from gfactor.studies.web.extras import need

LONGEST = 8_000
"""Largest number of characters of a token; one of Prolific's with a key of 2,048 bits has fewer
than 1,000."""

LEEWAY_S = 60
"""Seconds by which the clocks of two machines may differ."""

DAILY_S, PAUSE_S, PATIENCE_S = 86_400.0, 60.0, 10.0
"""Age at which published keys are fetched again; least time between two attempts, since anybody can
send the id of a key that does not exist; seconds to wait for a reply."""

_LARGEST = 200_000


class SignatureError(Exception):
    """A signature is invalid; the argument is the key of the sentence for the visitor."""


class KeysMissingError(Exception):
    """The service's keys are not available at the moment."""


@dataclass
class PublicKeys:
    """Keys of a service by their ids, fetched when they are needed.

    Parameters
    ----------
    fetch: function that returns the text of a JSON Web Key Set.
    changes: False for a set that stays as it was read first.
    clock: function that returns seconds.
    """

    fetch: Callable[[], str]
    changes: bool = True
    clock: Callable[[], float] = time.monotonic
    _keys: Mapping[str, Any] = field(default_factory=dict)
    _fetched: float = float("-inf")
    _tried: float = float("-inf")
    _lock: Lock = field(default_factory=Lock)

    def key(self, name: str) -> Any | None:
        """Return the key with an id; None if the service has none.

        Raises KeysMissingError if no keys could be fetched. Keys that were fetched before are used
        until new ones can be fetched.
        """
        if name not in self._keys or self._is_old():
            with (
                self._lock
            ):  # A thread that waited here finds the keys that another one has fetched.
                if name not in self._keys or self._is_old():
                    self._refresh()
        if not self._keys:
            raise KeysMissingError
        return self._keys.get(name)

    def read(self) -> None:
        """Fetch the keys; raise ParameterError if the reply is not a set of public keys with
        RS256."""
        self._keys = _read_keys(self.fetch())
        self._fetched = self.clock()

    def _is_old(self) -> bool:
        return self.changes and self.clock() - self._fetched >= DAILY_S

    def _refresh(self) -> None:
        if not self.changes or self.clock() - self._tried < PAUSE_S:
            return
        self._tried = self.clock()
        try:
            self.read()
        except (OSError, http.client.HTTPException, ParameterError):
            return


@dataclass(frozen=True)
class SignedAddresses:
    """Addresses of a study that its recruiting service signs.

    Parameters
    ----------
    signature: what the study asks for.
    signing: how the service signs.
    keys: its public keys.
    """

    signature: Signature
    signing: Signing
    keys: PublicKeys

    @classmethod
    def of(cls, study: Study, folder: Path) -> SignedAddresses | None:
        """Return the signed addresses of a study; None if it does not ask for signatures.

        Raises ParameterError if the file of keys that it names holds none, MissingExtraError if the
        library that checks signatures is not installed.
        """
        signature = study.signature
        signing = SERVICES[study.service].signing if study.service else None
        if signature is None or signing is None:
            return None
        need("jwt.algorithms")
        if not signature.keys:
            address = signing.keys()
            return cls(signature, signing, PublicKeys(lambda: _published(address)))
        path = folder / signature.keys
        keys = PublicKeys(lambda: path.read_text("utf-8"), changes=False)
        try:
            keys.read()
        except (OSError, UnicodeDecodeError, ParameterError) as error:
            raise ParameterError(
                f"{str(path)!r} cannot be read as the service's public keys ({error}); save what "
                f"lies at {signing.keys()} there, or leave out keys of [signature]"
            ) from error
        return cls(signature, signing, keys)

    @property
    def parameter(self) -> str:
        """URL parameter that holds the signature."""
        return self.signature.parameter or self.signing.parameter

    def parameters(self, token: str, domain: str) -> dict[str, str]:
        """Return the parameters of an address that a token signs.

        Parameters
        ----------
        domain: domain at which browsers reach the study.

        Raises SignatureError if the token is invalid here, and KeysMissingError.
        """
        claims = self._claims(token)
        parameters = claims.get(self.signing.claim)
        if not isinstance(parameters, dict):
            raise SignatureError("link_bad")
        is_ours = parameters.get(self.signing.study) in self.signature.studies
        if not is_ours or not _is_for(claims["aud"], domain):
            raise SignatureError("link_elsewhere")
        return {name: value for name, value in parameters.items() if isinstance(value, str)}

    def _claims(self, token: str) -> dict[str, Any]:
        """Return the claims of a token that the service has signed and that has not expired."""
        jwt = need("jwt")
        if len(token) > LONGEST:
            raise SignatureError("link_bad")
        options = {"require": ["exp", "aud"], "verify_aud": False}
        try:
            name = jwt.get_unverified_header(token).get("kid")
            key = self.keys.key(name) if isinstance(name, str) else None
            if key is None:
                raise SignatureError("link_bad")
            return jwt.decode(token, key, algorithms=["RS256"], leeway=LEEWAY_S, options=options)
        except jwt.ExpiredSignatureError as error:
            raise SignatureError("link_expired") from error
        except jwt.InvalidTokenError as error:
            raise SignatureError("link_bad") from error


def _is_for(audience: Any, domain: str) -> bool:
    """Return True if a token was made for a domain, whether it names the domain or an address."""
    named = audience if isinstance(audience, list) else [audience]
    return any(isinstance(one, str) and domain_of(one) == domain for one in named)


def domain_of(address: str) -> str:
    """Return the domain of an address, with or without its scheme; "" if it has none."""
    try:
        return urlsplit(address if "//" in address else f"//{address}").hostname or ""
    except ValueError:
        return ""


def _published(address: str) -> str:
    """Return the content at an address, without following redirects."""
    with urllib.request.urlopen(address, timeout=PATIENCE_S) as reply:
        if reply.geturl() != address:
            raise OSError(f"{address} leads to {reply.geturl()}")
        return reply.read(_LARGEST).decode("utf-8", "replace")


def _read_keys(text: str) -> dict[str, Any]:
    """Return the keys of a JSON Web Key Set that check signatures with RS256, by id."""
    jwt = need("jwt")
    try:
        given = json.loads(text)["keys"]
        plain = [one for one in given if one.get("kty") == "RSA" and isinstance(one["kid"], str)]
        keys = {one["kid"]: jwt.PyJWK(one, algorithm="RS256") for one in plain}
    except (ValueError, LookupError, TypeError, AttributeError, jwt.PyJWTError) as error:
        raise ParameterError("it is no JSON Web Key Set") from error
    if not keys:
        raise ParameterError("it holds no RSA key with an id")
    return keys
