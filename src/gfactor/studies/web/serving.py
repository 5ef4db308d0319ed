"""Running an application in one process, without a log of requests, and with a clear error if the
port is in use."""

from __future__ import annotations

import errno
import gc
import ipaddress
import socket
from collections.abc import Callable, Sequence
from typing import Any

from gfactor.errors import ParameterError
from gfactor.studies.web.address import Address
from gfactor.studies.web.extras import need


def serve(
    app: Any,
    host: str = "127.0.0.1",
    port: int = 8000,
    ready: Callable[[str], None] | None = None,
    proxies: Sequence[str] = (),
    public_url: str = "",
) -> None:
    """Serve until interrupted.

    When the port is bound, `ready` is called with the address (with the path of `public_url`).
    Requests are not logged, because a log would contain addresses of participants. Port 0 takes a
    free port.
    `proxies` are the addresses of trusted proxies: only their header X-Forwarded-For is used for
    the origin of a request, since anybody can write that header.

    Raises ParameterError if the address cannot be bound.
    """
    uvicorn = need("uvicorn")
    bound = _bind(host, port)
    if ready is not None:
        name, number = bound.getsockname()[:2]
        host_shown = f"[{name}]" if ":" in name else name
        ready(f"http://{host_shown}:{number}{Address.of(public_url).prefix}")
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
    )
    # Objects loaded so far stay, so the garbage collector need not examine them again.
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    # Requests leave few reference cycles, so older generations are rarely examined.
    gc.set_threshold(10_000, 20, 20)
    try:
        uvicorn.Server(config).run(sockets=[bound])
    finally:
        bound.close()
        gc.set_threshold(*before)
        gc.unfreeze()


def check_transport(host: str, *, https: bool, public_url: str, insecure_http: bool) -> None:
    """Raise ParameterError if passwords and answers would be sent over the network as plain text.

    Parameters
    ----------
    host: the address to listen at.
    https, public_url: browsers come over HTTPS, through a proxy, to this address.
    insecure_http: True if the owner has confirmed plain HTTP.
    """
    if insecure_http or Address.of(public_url, secure=https).secure or is_loopback(host):
        return
    raise ParameterError(
        f"{host or 'every address'} can be reached from other machines, and over plain HTTP "
        "everybody on the way reads answers and passwords; put a proxy with HTTPS in front and "
        "give --public-url https://..., listen at 127.0.0.1, or say --insecure-http"
    )


def is_loopback(host: str) -> bool:
    """Return True if only this machine reaches an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        taken = getattr(error, "errno", None) == errno.EADDRINUSE
        raise ParameterError(
            f"cannot serve at {host}:{port}: "
            + ("another program has that port; give --port another number" if taken else str(error))
        ) from error
    listener.listen(512)
    return listener
