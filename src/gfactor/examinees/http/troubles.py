"""Connection errors in plain words, with the server's address and advice."""

from __future__ import annotations

import difflib
import errno
import os
import re
from urllib.parse import urlsplit

import aiohttp

from gfactor.examinees.http.answer import one_line


def words_of(error: BaseException, url: str) -> str:
    """Return in plain words the reason why a request got no response.

    Parameters
    ----------
    error: error with which the request ended.
    url: its address.

    Examples
    --------
    >>> words_of(aiohttp.ServerDisconnectedError(), "http://localhost:8000/v1/chat/completions")
    'http://localhost:8000 closed the connection before it had answered; see its log'
    """
    where = _host(url)
    if isinstance(error, aiohttp.ClientProxyConnectionError):
        text = f"the proxy to {where} cannot be reached; check HTTP_PROXY, HTTPS_PROXY and NO_PROXY"
    elif isinstance(error, aiohttp.ClientHttpProxyError):
        text = (
            f"the proxy to {where} refuses the connection (HTTP {error.status}); check HTTP_PROXY, "
            "HTTPS_PROXY and NO_PROXY"
        )
    elif isinstance(error, aiohttp.ClientConnectorDNSError):
        text = f"no address is known for {where}; check the base URL and the network"
    elif isinstance(error, aiohttp.ClientConnectorCertificateError):
        text = f"the certificate of {where} is not trusted; check the base URL and the clock"
    elif isinstance(error, aiohttp.ClientConnectorSSLError):
        text = f"{where} does not speak TLS; check http:// or https:// in the base URL"
    elif isinstance(error, aiohttp.ClientConnectorError):
        text = (
            f"nothing answers at {where} ({_reason(error.os_error)}); check the base URL and "
            "whether the server runs"
        )
    elif isinstance(error, aiohttp.ServerDisconnectedError):
        text = f"{where} closed the connection before it had answered; see its log"
    elif isinstance(error, aiohttp.ClientPayloadError):
        cause = str(error)
        if "decode" in cause and "content-encoding" in cause.lower():
            text = f"the answer of {where} cannot be decompressed; check a proxy in between"
        else:
            text = f"the answer of {where} broke off; check the network and the server's log"
    elif isinstance(error, aiohttp.ClientResponseError):
        text = f"{where} answered with what is no HTTP ({one_line(error.message)})"
    elif isinstance(error, aiohttp.InvalidURL | ValueError):
        text = f"the address {where} cannot be used: {one_line(str(error))}"
    elif isinstance(error, OSError):
        text = f"the connection to {where} broke ({_reason(error)}); check the network"
    else:
        text = f"the connection to {where} broke ({one_line(str(error)) or 'no reason is known'})"
    return text


def where_to_look(base_url: str, vendors: str) -> str:
    """Return advice on an address without a server or an API, "" if there is none.

    Parameters
    ----------
    base_url: address of the server, as it was given.
    vendors: the vendor's own address, which is asked if none is given.

    Examples
    --------
    >>> where_to_look("http://localhost:8000/", "https://api.openai.com/v1")
    '; check the base URL: most servers want /v1 at its end, http://localhost:8000/v1'
    >>> where_to_look("http://localhost:8000/v1", "https://api.openai.com/v1")
    ''
    """
    plain = base_url.rstrip("/")
    if plain == vendors.rstrip("/"):
        return " (the vendor's own address, which is asked if no --base-url is given)"
    path = urlsplit(vendors).path
    if urlsplit(plain).path or not path:
        return ""
    return f"; check the base URL: most servers want {path} at its end, {plain}{path}"


def unlisted(body: object, model: str) -> str:
    """Return a sentence if a server's list of models lacks the model; "" if it has the model, or
    there is no list.

    Parameters
    ----------
    body: what the server answers under `/models`.
    model: name that is asked for.

    Examples
    --------
    >>> unlisted({"data": [{"id": "lab-vl-7b"}]}, "lab-vl-7")
    "the server does not list 'lab-vl-7' among its models (lab-vl-7b); check the name"
    >>> unlisted({"data": [{"id": "llava:latest"}, {"id": "org/tiny"}]}, "llava")
    ''
    """
    rows = body.get("data") if isinstance(body, dict) else None
    names = [str(row["id"]) for row in rows or () if isinstance(row, dict) and row.get("id")]
    # Servers accept a name without its tag ("llava:latest"), or without its owner.
    short = {cut for one in names for cut in (one.split(":", 1)[0], one.rsplit("/", 1)[-1])}
    if not names or model in {*names, *short}:
        return ""
    near = difflib.get_close_matches(model, names, n=1) or names[:3]
    left = " ..." if len(names) > len(near) else ""
    return (
        f"the server does not list {model!r} among its models ({', '.join(near)}{left}); check the "
        "name"
    )


def _host(url: str) -> str:
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname or ''}{port}"


def _reason(error: OSError) -> str:
    """Return the system's words for an error, without numbers and names of classes."""
    # One error combines those of all addresses of a host, with their numbers in its text.
    numbers = [error.errno, *map(int, re.findall(r"\[Errno (\d+)\]", str(error)))]
    number = next((one for one in numbers if one in errno.errorcode), None)
    if number is not None:
        return os.strerror(number).lower()
    return one_line(error.strerror or str(error)) or "no reason is known"
