"""Files that put a server on the internet: an image, Caddy with HTTPS, nightly backups."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from gfactor import __version__
from gfactor.errors import ParameterError

_DOMAIN = re.compile(r"(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,62}")
_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)*")
NETWORK, PROXY = "172.30.83.0/24", "172.30.83.2"
"""Addresses of the containers in their network; the proxy's is fixed and known to the server."""


@dataclass(frozen=True)
class Deployment:
    """A server to be put on the internet.

    Parameters
    ----------
    verb: command that serves it: "study" or "annotate".
    folder: folder that is served.
    domain: domain name of the machine, "lab.example".
    path: path below which browsers reach the server; "" for the whole site.
    wheel: a file of gfactor to be installed; None for the release of this version.
    keep: number of nightly backups to keep.
    """

    verb: str
    folder: Path
    domain: str
    path: str = ""
    wheel: Path | None = None
    keep: int = 14

    def __post_init__(self) -> None:
        if _DOMAIN.fullmatch(self.domain) is None:
            raise ParameterError(
                f"{self.domain!r} is not a domain; give one such as lab.example, without https://"
            )
        if _PATH.fullmatch(self.path) is None:
            raise ParameterError(f"{self.path!r} is not a path; give one such as /study")
        if self.wheel is not None and not (self.wheel.suffix == ".whl" and self.wheel.is_file()):
            raise ParameterError(f"{str(self.wheel)!r} is not a wheel (a file that ends in .whl)")

    @property
    def public_url(self) -> str:
        return f"https://{self.domain}{self.path}"


def write_deployment(deployment: Deployment, output: Path) -> list[Path]:
    """Write Dockerfile, compose.yaml and Caddyfile; return their paths.

    Raises ParameterError if one exists already or the folder cannot be written to.
    """
    texts = {
        "Dockerfile": _dockerfile(deployment),
        "compose.yaml": _compose(deployment, output),
        "Caddyfile": caddyfile(deployment),
    }
    there = next((name for name in texts if (output / name).exists()), None)
    if there is not None:
        raise ParameterError(f"{str(output / there)!r} is there already; name another folder")
    try:
        # Docker would make the folder of the backups as root, and the user could not write there.
        (output / "backups").mkdir(parents=True, exist_ok=True, mode=0o700)
        if deployment.wheel is not None:
            shutil.copyfile(deployment.wheel, output / deployment.wheel.name)
        for name, text in texts.items():
            (output / name).write_text(text, "utf-8")
    except OSError as error:
        raise ParameterError(f"cannot write to {str(output)!r}: {error.strerror}") from error
    return [output / name for name in texts]


def caddyfile(deployment: Deployment) -> str:
    """Return Caddy's settings: automatic HTTPS, and the proxy to the server.

    Caddy overwrites X-Forwarded-For, so that a browser cannot forge its address. The variables in
    braces are for tests on one machine.
    """
    path = deployment.path
    inner = "\treverse_proxy {$GFACTOR_UPSTREAM:server:8000}\n"
    if path:
        inner = (
            f"\t@served path {path} {path}/*\n\thandle @served {{\n\t{inner}\t}}\n"
            "\thandle {\n\t\trespond 404\n\t}\n"
        )
    return (
        "{\n\tadmin off\n\tskip_install_trust\n\thttp_port {$GFACTOR_HTTP_PORT:80}\n"
        "\thttps_port {$GFACTOR_HTTPS_PORT:443}\n}\n\n"
        f"{{$GFACTOR_SITE:{deployment.domain}}} {{\n{inner}}}\n"
    )


def _dockerfile(deployment: Deployment) -> str:
    if deployment.wheel is None:
        copy, source = "", f"gfactor[web]=={__version__}"
    else:
        name = deployment.wheel.name
        copy, source = f"COPY {name} /tmp/{name}\n", f"/tmp/{name}[web]"
    return (
        "FROM python:3.12-slim\n"
        f"{copy}"
        f'RUN pip install --no-cache-dir "{source}"\n'
        "ENV PYTHONDONTWRITEBYTECODE=1\n"
        'ENTRYPOINT ["gfactor"]\n'
    )


def _compose(deployment: Deployment, output: Path) -> str:
    folder = os.path.relpath(deployment.folder.resolve(), output.resolve())
    folder = folder if folder.startswith(".") else f"./{folder}"
    user = f"{os.getuid()}:{os.getgid()}"
    verb, keep = deployment.verb, deployment.keep
    return f"""services:
  server:
    build: .
    user: "{user}"
    restart: unless-stopped
    command:
      - {verb}
      - serve
      - /data
      - --host=0.0.0.0
      - --port=8000
      - --public-url={deployment.public_url}
      - --proxy={PROXY}
      - --log=-
    volumes: ["{folder}:/data"]
    networks: [inner]
    read_only: true
    tmpfs: [/tmp]
    cap_drop: [ALL]
    healthcheck:
      test: [CMD, python, -c, "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/health')"]
      interval: 30s
      start_period: 60s

  proxy:
    image: caddy:2
    restart: unless-stopped
    depends_on: [server]
    ports: ["80:80", "443:443", "443:443/udp"]
    volumes: ["./Caddyfile:/etc/caddy/Caddyfile:ro", "certificates:/data", "caddy:/config"]
    networks:
      inner: {{ipv4_address: {PROXY}}}

  backup:
    build: .
    user: "{user}"
    restart: unless-stopped
    entrypoint: [sh, -c]
    command:
      - >-
        while :; do
        nice -n 10 gfactor {verb} backup /data -o /backups --keep {keep}; sleep 86400;
        done
    volumes: ["{folder}:/data", "./backups:/backups"]
    network_mode: none

networks:
  inner:
    ipam: {{config: [{{subnet: {NETWORK}}}]}}

volumes:
  certificates:
  caddy:
"""
