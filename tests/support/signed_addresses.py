"""Keys, tokens and a server of keys, as Prolific's documentation describes them."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

PERSON, STUDY, SESSION = "5f0123456789abcdef012345", "6a0123456789abcdef012345", "7b01234567"


@dataclass(frozen=True)
class Signer:
    """Somebody with a private key, whose public key has the id `name`."""

    name: str = "key-1"
    key: Any = field(default_factory=lambda: rsa.generate_private_key(65_537, 2_048))

    def jwks(self) -> dict[str, Any]:
        """Return the set with the public key."""
        public = json.loads(RSAAlgorithm.to_jwk(self.key.public_key()))
        more = {"kid": self.name, "alg": "RS256", "use": "sig", "key_ops": ["verify"]}
        return {"keys": [{**public, **more}]}

    def token(
        self, *, seconds: float = 300.0, audience: Any = "https://study.test",
        without: str = "", **parameters: Any,
    ) -> str:  # fmt: skip
        """Return a token that expires so many seconds from now.

        Parameters
        ----------
        audience: claim `aud`.
        without: claim that is left out.
        parameters: parameters of the address that differ from the usual ones.
        """
        usual = {"PROLIFIC_PID": PERSON, "STUDY_ID": STUDY, "SESSION_ID": SESSION}
        claims = {
            "exp": int(time.time() + seconds), "aud": audience,
            "prolific": {**usual, "workspace_id": "w1", **parameters},
        }  # fmt: skip
        claims.pop(without, None)
        return jwt.encode(claims, self.key, "RS256", {"kid": self.name})


@dataclass
class KeyServer:
    """A server that publishes keys; `asked` counts the requests."""

    url: str = ""
    body: str = ""
    status: int = 200
    asked: int = 0


@contextmanager
def key_server(signer: Signer) -> Iterator[KeyServer]:
    """A running server with the keys of a signer."""
    server = KeyServer(body=json.dumps(signer.jwks()))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.asked += 1
            right = self.path == "/.well-known/study/jwks.json"
            self.send_response(server.status if right else 404)
            self.end_headers()
            self.wfile.write(server.body.encode())

        def log_message(self, format: str, *args: Any) -> None:
            return

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.url = f"http://127.0.0.1:{listener.server_address[1]}"
    thread = threading.Thread(target=listener.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown()
        listener.server_close()
        thread.join()
