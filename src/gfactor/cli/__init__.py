"""The command line: one file per verb in `verbs/`, found by itself."""

from __future__ import annotations

import atexit
import gc
import sys

import click

from gfactor import __version__
from gfactor.cli.folder import Folder
from gfactor.errors import GfactorError, ParameterError
from gfactor.escaping import visible

# An ending process gives its memory back as a whole. Looking through the packages that a command
# has imported for garbage once more takes a tenth of a second, or several.
atexit.register(gc.freeze)


@click.group(
    cls=Folder,
    kind="command",
    home="gfactor.cli.verbs",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="gfactor")
def cli() -> None:
    """A psychometric laboratory for multimodal LLMs.

    Build a test, audit it, administer it, score the answers, report what was measured:

    \b
      gfactor build percept-v --seed 7 -o percept_v.parquet
      gfactor audit percept_v.parquet
      gfactor run percept_v.parquet --examinee observer:ideal --journal c.db
      gfactor report c.db -o report/
    """


_LONGEST, _END = 1200, 200
"""Signs of a message that are shown, and how many of them are its end, which says what to do."""


def main() -> None:
    """Run the command line; a user's mistake is one sentence and exit code 2."""
    collect_rarely()
    try:
        _check_words(sys.argv[1:])
        status = cli.main(standalone_mode=False)
    except GfactorError as error:
        status = _report_error(str(error), error.code)
    except click.ClickException as error:
        status = _report_error(error.format_message() + _on_journals(error, sys.argv[1:]))
    except OSError as error:
        if error.filename is None or error.strerror is None:
            raise
        status = _report_error(f"{str(error.filename)!r} cannot be used: {error.strerror}")
    except (KeyboardInterrupt, click.Abort) as error:
        click.echo("gfactor: stopped; run the same command again to go on", err=True)
        # click puts an exception of its own in the place of the interrupt.
        status = getattr(error.__cause__ or error, "code", 130)
    sys.exit(status if isinstance(status, int) else 0)


def collect_rarely() -> None:
    """Make Python's garbage collection rarer.

    Items, answers and tables contain no reference cycles, and searching them for cycles would take
    a tenth of the time of a report.
    """
    gc.set_threshold(10_000, 10, 10)


def _on_journals(error: click.ClickException, words: list[str]) -> str:
    """Return how several journals are joined, if there were too many for a command of one."""
    journals = [word for word in words if word.endswith(".db")]
    if "unexpected extra argument" not in error.format_message() or len(journals) < 2:
        return ""
    return f"; join journals first: gfactor import journal {' '.join(journals)} --journal all.db"


def _check_words(words: list[str]) -> None:
    """ParameterError for a word that is not text: no file format here could hold such a name."""
    for word in words:
        if any("\ud800" <= sign <= "\udfff" for sign in word):
            raise ParameterError(f"{word!r} is not text in UTF-8; rename the file")


def _report_error(message: str, code: int = 2) -> int:
    """Say what is wrong, in one line that a terminal can hold; return the exit code."""
    line = " ".join(visible(message).split("\n"))
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST - _END]} ... {line[-_END:]}"
    click.echo(f"gfactor: {line}", err=True)
    return code
