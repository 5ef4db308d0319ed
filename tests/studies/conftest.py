"""Servers of studies start at once in these tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support import served
from support.warm_servers import warm_subprocess

from gfactor.studies.questionnaires.simulating import simulation


@pytest.fixture(scope="session", autouse=True)
def servers_start_at_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, warm_subprocess() as forking:
        for module in (simulation, served):
            patch.setattr(module, "subprocess", forking)
        yield
