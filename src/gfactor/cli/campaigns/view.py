"""gfactor campaign view: a live page with replies and failures as they come.

gfactor campaign view campaign.toml --port 8020
"""

from pathlib import Path
from typing import Any

from gfactor.api import campaign
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived

SPELLED = {"file": "FILE", "host": "--host ADDRESS", "public_url": "--public-url URL",
           "proxies": "--proxy ADDRESS"}  # fmt: skip


@derived(__doc__, "campaign.view", SPELLED, without=["ready"])
def command(file: Path, as_json: bool, **given: Any) -> None:
    def ready(address: str) -> None:
        put_json({"address": address}) if as_json else say(f"{file}: {address}/")

    campaign.view(file, **given, ready=ready)
