"""Serving of sites: the options that all functions which serve one have, and what they do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from gfactor.errors import UnknownNameError
from gfactor.studies.web.serving import check_transport
from gfactor.studies.web.serving import serve as serve_application


class ServingOptions(TypedDict, total=False):
    """Options of every function that serves a site: how browsers reach it.

    Parameters
    ----------
    https : bool
        Assume that browsers reach this server over HTTPS, through a proxy.
    public_url : str
        Address under which browsers reach the site: "https://lab.example/site".
    proxies : list of str
        Addresses of trusted proxies; their header X-Forwarded-For gives the addresses of browsers.
    insecure_http : bool
        Allow plain HTTP at addresses that other machines can reach (not encrypted).
    """

    https: bool
    public_url: str
    proxies: Sequence[str]
    insecure_http: bool


def check_options(options: ServingOptions) -> None:
    """Raise UnknownNameError for an unknown option."""
    known_names = ServingOptions.__annotations__
    if unknown := sorted(options.keys() - known_names.keys()):
        raise UnknownNameError("option", unknown[0], known_names)


@dataclass(frozen=True)
class Serving:
    """The address at which a site is served.

    Parameters
    ----------
    host, port: address and port to listen at.
    ready: called with the address once the port is bound.
    https, public_url, proxies: as in `ServingOptions`.
    """

    host: str
    port: int
    ready: Callable[[str], None] | None = None
    https: bool = False
    public_url: str = ""
    proxies: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, host: str, port: int, ready: Callable[[str], None] | None, options: ServingOptions
    ) -> Serving:
        """Return the address that options describe.

        Raises UnknownNameError for an unknown option, and ParameterError if others would read what
        browsers send.
        """
        check_options(options)
        https, public_url = bool(options.get("https")), options.get("public_url") or ""
        insecure = bool(options.get("insecure_http"))
        check_transport(host, https=https, public_url=public_url, insecure_http=insecure)
        return cls(host, port, ready, https, public_url, tuple(options.get("proxies") or ()))

    def run(self, app: Any) -> None:
        """Serve an application until interrupted."""
        serve_application(app, self.host, self.port, self.ready, self.proxies, self.public_url)
