"""Three hundred fuzzed requests to every route; ten thousand are a benchmark."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from support.benchmark_scripts import BENCHMARKS, benchmark_script


@pytest.fixture
def fuzzing(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """benchmarks/fuzz_studies.py."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return benchmark_script("fuzz_studies")


@pytest.mark.slow
def test_fuzzed_requests_break_lose_and_tell_nothing(fuzzing: ModuleType, tmp_path: Path) -> None:
    paths = {path for _, path in fuzzing.ROUTES}
    assert {"/task", "/receipt", "/owner/export", "/owner/person/{code:str}", "/privacy"} <= paths
    # How many answers come within 300 requests hangs on the time that readers take.
    report = fuzzing.run(tmp_path, 300, seed=3, people=6, kills=1, answers=20)
    assert report.posts >= 300
    assert report.answered >= 20
    assert max(report.statuses) < 500
    assert report.statuses[403] > 10
    assert report.statuses[200] > 200
    assert report.leaks == []
    assert report.lost == []
    assert report.wrongly_paid == []


@pytest.mark.slow
def test_the_fuzzer_sees_a_key_that_a_page_tells(
    fuzzing: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A right answer that slips into the data of a receipt, or an item's name, is reported."""
    study = fuzzing.Study("leak", "Leak", checks=0, disclose="closed")
    bank = fuzzing.secret_bank(tmp_path, 2)
    folder = fuzzing.StudyFolder.make(tmp_path / "s", study, bank, fuzzing.PASSWORD)
    with fuzzing.TestClient(fuzzing.application(folder), base_url="http://study.test") as client:
        fuzzer, actor = fuzzing.Fuzzer(client, 0), fuzzing.Actor("person", hasty=True)
        fuzzer.begin(actor)
        for _ in range(2):
            fuzzer.answer(actor)
        fuzzer.send(actor, "GET", "/results")
        assert fuzzer.report.leaks == []
        with fuzzing.closing(folder.store()) as store:
            store.end()
        fuzzer.send(actor, "GET", "/results")
        assert fuzzer.report.leaks
