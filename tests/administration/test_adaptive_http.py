"""A profile against a real server: faults, kills and two processes leave the sequence as it is."""

from __future__ import annotations

import json
import os
import signal
import time
from collections import Counter
from pathlib import Path

import pytest
from aiohttp import web
from support.chat_server import Body, ChatServer, chat_server, pictures
from support.forked import Starter
from support.profiles import calibrations, solver_behind_a_server

from gfactor.administration import Journal
from gfactor.items import pixel_hash
from gfactor.psychometrics.irt.scales.calibration_files import write_calibrations

ITEMS, KILLS, IN_FLIGHT = 400, 5, 8
FAMILIES = ("number_series", "number_grids", "rotation_2d")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_calibrations(calibrations(FAMILIES), tmp_path_factory.mktemp("c") / "known")


def words(folder: Path, server: ChatServer, out: Path, items: int = ITEMS) -> tuple[object, ...]:
    return (
        "profile", "openai:m", "--base-url", server.url, "--calibration", folder, "--json",
        "--max-items", items, "--se", 0.01, "--max-in-flight", IN_FLIGHT, "-o", out,
    )  # fmt: skip


def steps(path: Path) -> list[tuple[object, ...]]:
    with Journal.open(path, create=False) as journal, journal._connected() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(
            "SELECT step, ability, cell, number, items, theta, se, given_up FROM steps "
            "ORDER BY step")]  # fmt: skip


async def busy(number: int, request: web.Request) -> web.StreamResponse | None:
    """Every fifth request is refused."""
    headers = {"Retry-After": "0"}
    return web.Response(status=503, headers=headers) if number % 5 == 4 else None


@pytest.mark.slow
def test_400_items_with_faults_and_five_kills_give_the_sequence_of_an_undisturbed_profile(
    tmp_path: Path, processes: Starter, folder: Path
) -> None:
    served: Counter[str] = Counter()
    solve = solver_behind_a_server()

    def reply(body: Body) -> str:
        served["|".join(pixel_hash(picture) for picture in pictures(body))] += 1
        return solve(body)

    with chat_server(solve) as server:
        number = processes.start(tmp_path / "log", *words(folder, server, tmp_path / "whole"))
        assert processes.wait(number) == 0, (tmp_path / "log").read_text()
    with chat_server(reply, busy, latency_s=0.002, keep=False) as server:
        how = words(folder, server, tmp_path / "killed")
        for kill in range(1, KILLS + 1):
            number = processes.start(tmp_path / "k.log", *how)
            deadline = time.monotonic() + 60
            while sum(served.values()) < kill * ITEMS / (KILLS + 1):
                assert time.monotonic() < deadline, (tmp_path / "k.log").read_text()
                time.sleep(0.005)
            os.kill(number, signal.SIGKILL)
            assert processes.wait(number) == -signal.SIGKILL
        number = processes.start(tmp_path / "end.log", *how)
        assert processes.wait(number) == 0, (tmp_path / "end.log").read_text()
    whole, killed = (tmp_path / name / "journal.db" for name in ("whole", "killed"))
    assert len(steps(whole)) == ITEMS
    assert steps(killed) == steps(whole)
    assert len(served) == ITEMS
    assert sum(count - 1 for count in served.values()) <= KILLS * IN_FLIGHT
    document = json.loads((tmp_path / "end.log").read_text())
    again = json.loads((tmp_path / "log").read_text())
    assert document["items"] == ITEMS
    assert document["abilities"] == again["abilities"]
    assert document["thresholds"] == again["thresholds"]
    assert {a["stop"] for a in document["abilities"]} <= {"items", "se_unreachable"}


@pytest.mark.slow
def test_two_examinees_are_profiled_at_once_into_one_journal(
    tmp_path: Path, processes: Starter, folder: Path
) -> None:
    journal = ("--journal", tmp_path / "both.db")
    with chat_server(solver_behind_a_server()) as server:
        how = words(folder, server, tmp_path / "one", 40)
        other = (*how[:1], "openai:n", *how[2:-1], tmp_path / "two")
        numbers = [
            processes.start(tmp_path / f"{k}.log", *given, *journal)
            for k, given in enumerate((how, other))
        ]
        assert [processes.wait(number) for number in numbers] == [0, 0]
        alone = processes.start(tmp_path / "a.log", *words(folder, server, tmp_path / "alone", 40))
        assert processes.wait(alone) == 0
    with Journal.open(tmp_path / "both.db", create=False) as kept:
        assert [name.split("?")[0] for name in kept.examinees()] == ["openai:m", "openai:n"]
        assert kept.responses()["examinee"].value_counts().tolist() == [40, 40]
    found = steps(tmp_path / "both.db")
    want = steps(tmp_path / "alone" / "journal.db")
    assert len(found) == 80
    assert set(found) == set(want)
