"""The scripts of examples/ run as they are, and print what their first lines promise."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.chat_server import chat_server
from support.observed import observed_reply

from gfactor.examinees.observer.limited import Limited

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "examples").glob("*.py"))
PRINTED = {
    "01_evaluate_a_model": r"observer:ideal +45 +1\.0.*report\.html",
    "02_model_behind_an_endpoint": r"openai:my-model.*: 20 asked.*\b2 +10\b.*\b5 +10\b",
    "03_leaderboard_of_prediction_files": r"alder-70b +0\.8625 +80.*index\.html",
    "04_factor_analysis": r"cfi\.robust +1\.0.*spatial +cubes +1\.0.*difference",
    "05_item_response_theory": r"n_items +24.*likelihood ratio test",
    "06_reliability": r"alpha +0\.\d+.*omega +0\.\d+.*item",
    "07_sample_size": r"items: \d+",
    "08_items_occasions_and_error": r"examinee x item x occasion",
    "09_why_two_scores_differ": r"images",
    "10_is_a_score_inflated": r"^\d+\.\d points \[\d+\.\d, \d+\.\d\]",
}
"""What the output of a script has to match."""


def run_script(script: Path, folder: Path, *words: str) -> str:
    """Run a script in a folder that sees the example data; return what it prints."""
    (folder / "docs").symlink_to(ROOT / "docs")
    done = subprocess.run(
        [sys.executable, "-W", "error::FutureWarning", str(script), *words],
        cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "COLUMNS": "200"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_ten_scripts_each_with_a_claim() -> None:
    assert [script.stem for script in SCRIPTS] == sorted(PRINTED)
    assert len(SCRIPTS) == 10


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_is_short(script: Path) -> None:
    assert 12 <= len(script.read_text("utf-8").splitlines()) <= 32


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_prints_what_it_promises(script: Path, tmp_path: Path) -> None:
    if script.stem == "02_model_behind_an_endpoint":
        observer = Limited(acuity=0.5, contrast=0.3, capacity=5.0, seed=1)
        with chat_server(observed_reply(observer), keep=False) as server:
            printed = run_script(script, tmp_path, "my-model", server.url)
            asked = server.served
            run_again = subprocess.run(
                [sys.executable, str(script), "my-model", server.url],
                cwd=tmp_path, capture_output=True, text=True, check=True,
            ).stdout  # fmt: skip
            assert " 0 asked" in run_again
            assert server.served == asked
    else:
        printed = run_script(script, tmp_path)
    assert re.search(PRINTED[script.stem], printed, re.DOTALL), printed
