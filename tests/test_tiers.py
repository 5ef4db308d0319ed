"""`make test` keeps a claim of every file of tests; slow and thorough ones wait for longer runs."""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parent
SLOW = {
    "administration/test_adaptive_http.py": "kills and faults of whole profiles",
    "cli/test_campaign_cli.py": "kills of processes; administration/test_claims.py has some",
    "reports/test_leaderboard_browser.py": "test_right_to_left.py is one way in a browser",
    "studies/test_annotation_in_a_browser.py": "test_right_to_left.py is one way in a browser",
    "studies/test_battery_in_a_browser.py": "test_right_to_left.py is one way in a browser",
    "studies/test_fuzzed_studies.py": "half a minute of a server under a fuzzer",
    "studies/test_owner_in_a_browser.py": "test_right_to_left.py is one way in a browser",
    "studies/test_study_in_a_browser.py": "test_right_to_left.py is one way in a browser",
    "studies/test_whole_way_in_browsers.py": "test_right_to_left.py is one way in a browser",
}
"""Files of which `make test` runs nothing, and why."""


LATER = ("pytest.mark.slow", "pytest.mark.thorough")


def waits(function: ast.FunctionDef) -> bool:
    """Return True if `make test` leaves out a test as a whole."""
    return any(ast.unparse(mark) in LATER for mark in function.decorator_list)


def test_every_file_keeps_a_test_in_make_test() -> None:
    silent = []
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text("utf-8")
        if text.count("\ndef test_") > sum(text.count(f"@{mark}\n") for mark in LATER):
            continue  # Parsing all files takes seconds.
        tests = [
            node
            for node in ast.parse(text).body
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        ]
        if tests and all(waits(test) for test in tests):
            silent.append(str(path.relative_to(TESTS)))
    assert silent == sorted(SLOW)
