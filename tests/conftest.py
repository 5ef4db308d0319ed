"""Settings of the whole suite, made before anything imports numpy."""

import gc
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from support.forked import Starter, starter
from support.messages import send_fewer
from support.tiers import left_out
from xdist.scheduler import LoadFileScheduling

# The tests run in one process per core already; a linear-algebra thread pool in each of them
# spends its time waiting for the others.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

# For the same reason banks are built and observers asked in the process of the test, unless it
# names a number of jobs: a new process imports for seconds what it then uses for milliseconds.
os.environ.setdefault("LOKY_MAX_CPU_COUNT", "1")

# A busy machine is slow, not wrong: neither the time of one example nor that of drawing it counts.
# Continuous integration draws the same examples in every run; others are drawn anew each time, so
# that many short runs see more than a long one.
settings.register_profile(
    "gfactor",
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("gfactor")


def pytest_configure(config: pytest.Config) -> None:
    """Let the quick tests draw no constants of the source code.

    To find them, Hypothesis parses every module that is imported, three seconds in each process of
    tests. Where slow tests run too, they are drawn. Processes of tests send only what is shown.
    """
    if "slow" in left_out(config):
        providers._get_local_constants = lambda: providers._local_constants
    send_fewer(config)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(
    collector: pytest.Collector, name: str, obj: object
) -> list[pytest.Item] | None:
    """Make no items of tests that the run leaves out: there are thousands of them."""
    marks = {mark.name for mark in getattr(obj, "pytestmark", ())}
    return [] if marks & left_out(collector.config) and name.startswith("test") else None


# Ten thousand collected tests are a million objects, which each full collection of garbage would
# walk through again: a third of the whole processor time. They stay until the end, so they are
# frozen once, and no garbage is looked for before.
gc.disable()
RARELY = (50_000, 20, 20)
"""New objects before a search for garbage, and searches before a longer one."""


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave what was collected out of all later searches for garbage, and search less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*RARELY)
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Search no more often after a command that has changed it, and leave out what stays.

    `gfactor run` searches often, as few objects live in a process of its own, and a server that
    ends has frozen objects searched again. What a file of tests leaves (modules, caches) is frozen
    before the next one, small files together.
    """
    gc.set_threshold(*RARELY)
    if nextitem is not None and nextitem.path != item.path and gc.get_count()[2] >= 2:
        gc.collect()
        gc.freeze()


DRAWN: list[Callable[..., dict[str, bytes]]] = []
"""The function that draws files of figures, once another one stands in its place."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave files of figures blank in quick tests: most pages are tested for their words.

    Figures are made all the same. Nothing is imported for this: what is not loaded yet draws once.
    """
    canvas: Any = sys.modules.get("gfactor.reports.drawing.canvas")
    if canvas and not DRAWN and "slow" in left_out(item.config):
        DRAWN.append(canvas.rendered)
        canvas.rendered = lambda _: {"svg": b"<svg></svg>", "png": b""}


@pytest.fixture
def drawn_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the files of figures in this test, which looks at them."""
    if DRAWN:
        monkeypatch.setattr("gfactor.reports.drawing.canvas.rendered", DRAWN[0])


@pytest.fixture(scope="session")
def processes() -> Iterator[Starter]:
    """The process that forks `gfactor` commands; it imports for seconds, so there is one."""
    with starter() as started:
        yield started


TOGETHER = {
    **dict.fromkeys(
        ("test_error_labels.py", "test_one_rule.py", "test_paper_m3gia.py", "test_paper_tables.py",
         "test_report_tables.py"),
        "the journals of papers (tests/reports/conftest.py)",
    ),
    **dict.fromkeys(
        ("test_calibrate_update_cli.py", "test_leaving_families_out.py", "test_living_scale.py",
         "test_placing_live.py", "test_real_anchors.py"),
        "the calibration of simulated models (support.simulated_anchors)",
    ),
    **dict.fromkeys(("test_architecture.py", "test_words.py"), "parsed files (support.parsed)"),
    **dict.fromkeys(
        ("test_plot.py", "test_recorded_fits.py", "test_recorded_results.py",
         "test_result_protocol.py", "test_two_levels.py"),
        "small results (support.every_result) and recorded fits (support.lavaan_recorded)",
    ),
    **dict.fromkeys(
        ("test_batches.py", "test_claims.py", "test_faults.py", "test_http_sharing.py",
         "test_interruptions.py", "test_kill_and_resume.py"),
        "the process that forks (support.forked)",
    ),
    **dict.fromkeys(
        ("test_perception_timing.py", "test_random_languages.py", "test_recordings.py",
         "test_right_to_left.py", "test_signed_addresses.py", "test_study_answers.py",
         "test_study_attacks.py", "test_study_command_line.py", "test_study_conversations.py",
         "test_study_files.py"),
        "the process that forks servers of studies (support.warm_servers)",
    ),
}  # fmt: skip
"""Files of tests and what they share, made once for a process."""


class SharedFixtures(LoadFileScheduling):
    """A file of tests runs in one process; files that share what they test run in the same one."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return TOGETHER.get(PurePath(file).name, file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    """Return the scheduler of `--dist loadfile`, which `make test` asks for."""
    return SharedFixtures(config, log) if config.getvalue("dist") == "loadfile" else None
