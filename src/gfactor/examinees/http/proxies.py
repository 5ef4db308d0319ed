"""Proxy between this machine and a server, as the environment names it."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from gfactor.errors import ParameterError


def proxy_of(url: str) -> str | None:
    """Return the proxy for an address: HTTP_PROXY, HTTPS_PROXY or ALL_PROXY, unless NO_PROXY
    excepts it.

    None if there is none, and for this machine itself, whose servers need no proxy. Raises
    ParameterError for a proxy that is not reached by HTTP (SOCKS), with the remedy.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if _is_this_machine(host) or proxy_bypass(host):
        return None
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy:
        return None
    # Proxies are often written without their scheme.
    whole = proxy if "://" in proxy else f"http://{proxy}"
    scheme = urlsplit(whole).scheme
    if scheme not in ("http", "https"):
        raise ParameterError(
            f"the environment names a {scheme} proxy for {host}; set {parts.scheme.upper()}_PROXY "
            f"to an http:// proxy, or NO_PROXY={host} to go without"
        )
    return whole


def _is_this_machine(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
