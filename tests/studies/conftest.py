"""Servers of studies start at once in these tests, and passwords cost them next to nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support import served
from support.warm_servers import CHEAP, warm_subprocess

from gfactor.studies.questionnaires.simulating import simulation
from gfactor.studies.web import secrets


@pytest.fixture(scope="session", autouse=True)
def servers_start_at_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, warm_subprocess() as forking:
        for module in (simulation, served):
            patch.setattr(module, "subprocess", forking)
        patch.setitem(secrets._COST, "n", CHEAP)
        yield
