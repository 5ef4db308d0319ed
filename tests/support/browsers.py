"""Browsers at a study that is served in this process, and a study whose quotas are by answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from gfactor.studies.questionnaires import StudyFolder, application
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.study.study_files import read_study_file
from support.studies import PASSWORD, client_of, exam_bank

PAGES = """
id = "groups"
title = "Groups"
bank = "bank.parquet"
seed = 3
service = "prolific"
completion_code = "C1"
{more}

[codes]
screened_out = "S1"
quota_full = "https://lab.example/full?who={{id}}&session={{SESSION_ID}}"

[quotas]
{quotas}

[[pages]]
kind = "questions"
name = "about-you"
questions = [
    {{name = "age", library = "age"}},
    {{name = "gender", library = "gender"}},
]

[[pages]]
kind = "block"
name = "shapes"
items = ["q01", "q02"]
{after}
"""


class Browser:
    """One of several browsers at a server, each with cookies of its own."""

    def __init__(self, client: Any) -> None:
        self._client, self.cookies = client, cast(Any, {})

    def _with_cookies(self, ask: Any) -> Any:
        self._client.cookies = self.cookies
        reply = ask()
        self.cookies = self._client.cookies
        return reply

    def get(self, path: str, **more: Any) -> Any:
        return self._with_cookies(lambda: self._client.get(path, **more))

    def post(self, path: str, data: dict[str, str]) -> Any:
        return self._with_cookies(lambda: self._client.post(path, data=data))

    def send(self, page: Any, **fields: str) -> Any:
        """Send the question of a page, or else its last form, with these fields more."""
        found = forms(page.text)
        form = next((f for f in found if f.action == "/task"), found[-1])
        return self.post(form.action, {**form.hidden, **fields})

    def begin(self, address: str) -> Any:
        return self.send(self.get(address), agree="yes")

    def answer(self, option: str = "A") -> Any:
        form = next(f for f in forms(self.get("/task").text) if f.action == "/task")
        return self.post("/task", {**form.hidden, "option": option})

    def where(self) -> str:
        """The number of the question that is shown."""
        found = re.search(r"Question (\d+) of", self.get("/task").text)
        return found[1] if found else ""


@contextmanager
def server(study: StudyFolder) -> Iterator[Any]:
    with client_of(application(study)) as client:
        yield lambda: Browser(client)


def of_pages(folder: Path, quotas: str, more: str = "", after: str = "") -> StudyFolder:
    folder.mkdir(parents=True, exist_ok=True)
    exam_bank(folder, 4)
    path = folder / "study-file.toml"
    path.write_text(PAGES.format(quotas=quotas, more=more, after=after), "utf-8")
    given = read_study_file(path)
    return StudyFolder.make(folder / "study", given.study, given.bank, PASSWORD)
