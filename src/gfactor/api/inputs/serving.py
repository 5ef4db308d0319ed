"""Serving of sites: the options that all functions which serve one have, and what they do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from gfactor.errors import UnknownNameError
from gfactor.studies.web.operations import request_log
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


class LoggedServingOptions(ServingOptions, total=False):
    """Options of the functions that serve a site to people: a log of requests, and those of all.

    Parameters
    ----------
    log : str
        File to which a line of JSON is added for each request, without ids or answers; "-" for
        standard error. By default there is no log.
    log_addresses : bool
        Also log the address from which a request comes.
    """

    log: str
    log_addresses: bool


def check_options(
    options: ServingOptions | LoggedServingOptions, group: type = ServingOptions
) -> None:
    """Raise UnknownNameError for an option that the group does not have."""
    known_names = group.__annotations__
    if unknown := sorted(options.keys() - known_names.keys()):
        raise UnknownNameError("option", unknown[0], known_names)


@dataclass(frozen=True)
class Serving:
    """The address at which a site is served.

    Parameters
    ----------
    host, port: address and port to listen at.
    ready: called with the address once the port is bound.
    https, public_url, proxies, log, log_addresses: as in `LoggedServingOptions`.
    """

    host: str
    port: int
    ready: Callable[[str], None] | None = None
    https: bool = False
    public_url: str = ""
    proxies: tuple[str, ...] = ()
    log: str | None = None
    log_addresses: bool = False

    @classmethod
    def of(
        cls,
        host: str,
        port: int,
        ready: Callable[[str], None] | None,
        options: ServingOptions | LoggedServingOptions,
        group: type = ServingOptions,
    ) -> Serving:
        """Return the address that options of a group describe.

        Raises UnknownNameError for an unknown option, and ParameterError if others could read
        what browsers send.
        """
        check_options(options, group)
        https, public_url = bool(options.get("https")), options.get("public_url") or ""
        insecure = bool(options.get("insecure_http"))
        check_transport(host, https=https, public_url=public_url, insecure_http=insecure)
        proxies = tuple(options.get("proxies") or ())
        log, addresses = options.get("log"), bool(options.get("log_addresses"))
        return cls(host, port, ready, https, public_url, proxies, log, addresses)

    def run(self, app: Any) -> None:
        """Serve an application until interrupted."""
        serve_application(app, self.host, self.port, self.ready, self.proxies, self.public_url)

    def run_logged(self, application: Callable[..., Any]) -> None:
        """Make an application that may log its requests, and serve it until interrupted."""
        with request_log(self.log, addresses=self.log_addresses) as log:
            self.run(application(secure=self.https, public_url=self.public_url, log=log))
