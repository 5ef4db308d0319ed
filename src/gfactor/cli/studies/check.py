"""gfactor study check: what is missing before the first participant.

gfactor study check study/ --public-url https://lab.example/study --backups copies/
"""

from pathlib import Path
from typing import Any

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived

SPELLED = {"backups": "--backups FOLDER"}


ABOUT = """Pay per hour is judged by the median time of the pilot (study serve --pilot) against
minimum_per_hour in [conduct] of study.toml. The exit code is 1 if anything is missing."""


@derived(__doc__, "study.check", SPELLED, about=ABOUT)
def command(folder: Path, as_json: bool, **given: Any) -> int:
    checks = study.check(folder, **given)
    lacking = checks["state"].tolist().count("missing")
    if as_json:
        put_json({"ready": not lacking, "checks": checks.to_dict("records")})
    else:
        for row in checks.to_dict("records"):
            remedy = f" -> {row['remedy']}" if row["remedy"] and row["state"] != "ok" else ""
            say(f"{row['state']:8}{row['name']}: {row['says']}{remedy}")
        say(f"{lacking} missing" if lacking else "nothing is missing")
    return 1 if lacking else 0
