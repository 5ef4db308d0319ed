"""Fuzzed posts to every route of a study: no 500, nothing lost, no key told, no viewer changes it.

Participants, visitors, an owner and a viewer post to every route (the pages' own lists, so that a
new one is fuzzed, too) what no page of the study holds; in between participants answer rightly
formed questions. The right answers and the names of items are strings that stand nowhere else: they
may be in no reply to anybody but owners. What was acknowledged must be in the database at the end.
Last, the server's time for right and wrong answers is compared.

    python benchmarks/fuzz_studies.py [--posts 10000] [--seed 21] [--write FILE]
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import random
import re
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pages import replace_section
from scipy.stats import mannwhitneyu
from starlette.testclient import TestClient

from gfactor.items import Choice, Item, ItemBank, Provenance, digest_of, write_bank
from gfactor.studies.questionnaires import Study, StudyFolder, application
from gfactor.studies.questionnaires import pages as rooms
from gfactor.studies.questionnaires.simulating.form import forms

MARKER = "## Fuzzed studies"
PASSWORD, VIEWER = "the first password", "the viewer's password"
KEY, NAME = "zqkey", "zqitem"
"""What right answers and the names of items begin with: strings that stand nowhere else."""

ROUTES = [
    (method, route.path)
    for room in pkgutil.iter_modules(rooms.__path__, f"{rooms.__name__}.")
    for route in getattr(importlib.import_module(room.name), "routes", list)()
    for method in sorted(getattr(route, "methods", None) or ())
    if method in ("GET", "POST")
]
FIELDS = [
    "form_token", "position", "turn", "seconds", "away_count", "away_seconds", "resized", "over",
    "option", "text", "part", "none", "agree", "sent", "item", "reason", "code", "verdict", "sure",
    "language", "receipt", "do", "sentence", "identifiers", "name", "password", "reply", "blank-0",
    "q-0", "q-0-0", "part-0", "part-0-0", "part-99999",
]  # fmt: skip
VALUES = [
    "", "A", "-1", "0", "1", "2", "1e309", "nan", "inf", "٣", "９", "9" * 4_400, "\0", "\ud7ff",
    "'; DROP TABLE answers; --", "<script>", "%s{0}{x}", "../../etc/passwd", "yes", "YES", "show",
    "delete", "owner", "viewer", "a" * 5_000, "\u202e", "true", "[]", "{}", "\r\n\r\n", "💥",
    "accept", "void", "ar", "xx", "22222-22222-22222-22222",
]  # fmt: skip


@dataclass(eq=False)
class Actor:
    """Somebody with cookies of their own; `acknowledged` answers must be in the database."""

    role: str
    cookies: dict[str, str] = field(default_factory=dict)
    token: str = ""
    receipt: str = ""
    acknowledged: int = 0
    gone: bool = False


@dataclass
class Report:
    """What came of it: replies by status, leaks (path and string), and what was lost."""

    posts: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    answered: int = 0
    leaks: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


class Fuzzer:
    """Posts to a study in this process, one after the other.

    Parameters
    ----------
    folder: a study of `secret_bank`, with a viewer of the password `VIEWER`.
    client: of its application.
    seed: of everything that is posted.
    """

    def __init__(self, folder: StudyFolder, client: TestClient, seed: int) -> None:
        self._folder, self._client, self._source = folder, client, random.Random(seed)
        self.report = Report()

    def send(self, actor: Actor, method: str, path: str, data: Any = None, **headers: str) -> Any:
        """A request with the actor's cookies, and the page that it leads to."""
        reply = self._once(actor, method, path, data, headers)
        while reply.status_code == 303:
            reply = self._once(actor, "GET", reply.headers["location"], None, headers)
        return reply

    def _once(
        self, actor: Actor, method: str, path: str, data: Any, headers: dict[str, str]
    ) -> Any:
        self._client.cookies.clear()
        cookie = "; ".join(f"{n}={v}" for n, v in actor.cookies.items())
        given = {"data": data} if method == "POST" else {}
        reply = self._client.request(
            method, path, headers={"cookie": cookie, **headers}, follow_redirects=False, **given
        )
        actor.cookies |= dict(reply.cookies)
        self._look(actor, path, reply)
        return reply

    def _look(self, actor: Actor, path: str, reply: Any) -> None:
        self.report.statuses[reply.status_code] += 1
        if actor.role in ("owner", "viewer"):
            return
        told = reply.text + json.dumps(dict(reply.headers))
        for secret in (KEY, NAME):
            if secret in told:
                self.report.leaks.append(f"{path}: {secret}")

    def begin(self, actor: Actor) -> None:
        form = forms(self.send(actor, "GET", "/").text)[0]
        self.send(actor, "POST", "/start", {**form.hidden, "agree": "yes"})
        self.renew(actor)
        page = self.send(actor, "GET", "/receipt").text
        [actor.receipt] = re.findall(r"(?:\w{5}-){3}\w{5}(?=<)", page)

    def log_in(self, actor: Actor, password: str) -> None:
        form = forms(self.send(actor, "GET", "/owner/login").text)[0]
        name = "anna" if actor.role == "viewer" else "owner"
        fields = {**form.hidden, "name": name, "password": password}
        self.send(actor, "POST", "/owner/login", fields)
        self.renew(actor, "/owner")

    def renew(self, actor: Actor, path: str = "/task") -> None:
        """Take a form's token from a page."""
        shown = forms(self.send(actor, "GET", path).text)
        actor.token = next((f.hidden.get("form_token", "") for f in shown), "")

    def answer(self, actor: Actor) -> None:
        """Answer the next question as a form of the page allows."""
        page = self.send(actor, "GET", "/task").text
        form = next((f for f in forms(page) if f.action.endswith("/task")), None)
        if form is None or "position" not in form.hidden:
            return
        actor.token, position = form.hidden["form_token"], int(form.hidden["position"])
        filled = {name: "something" for name in form.texts}
        filled |= {"option": self._source.choice(list(form.options))} if form.options else {}
        self.send(actor, "POST", "/task", {**form.hidden, **filled})
        actor.acknowledged = max(actor.acknowledged, position)
        self.report.answered += 1

    def fuzz(self, actor: Actor) -> None:
        """One request that no page of the study makes."""
        source = self._source
        method, path = source.choice(ROUTES)
        path = re.sub(r"{\w+:number}", lambda _: source.choice(["0", "1", "99", "9" * 30]), path)
        path = re.sub(
            r"{\w+:str}", lambda _: source.choice(["x", "%00", "..", "p2", "a" * 300]), path
        )
        fields = {source.choice(FIELDS): source.choice(VALUES) for _ in range(source.randint(0, 9))}
        if source.random() < 0.8:
            fields["form_token"] = actor.token
        if path.endswith("logout"):
            fields.pop("form_token", None)  # the actors stay who they are
        if path == "/receipt" and actor.role == "person" and source.random() < 0.5:
            fields["receipt"] = actor.receipt
        self.send(actor, method, path, fields, **{"x-fragment": source.choice(["0", "1"])})
        self.report.posts += 1
        if method == "POST" and fields.get("form_token") == actor.token:
            asked = fields.get("do") == "delete" and fields.get("sure") == "yes"
            gone = path == "/withdraw" or (path == "/receipt" and asked and "receipt" in fields)
            actor.gone = actor.gone or gone

    def check(self, actors: list[Actor]) -> None:
        """Whether all that was acknowledged is there, and the viewer changed nothing."""
        with closing(self._folder.store()) as store:
            people, answers = store.frame("participants"), store.frame("answers")
            actions, problem = store.log.read()
        for code, of_person in answers.groupby("code"):
            if list(of_person["position"]) != list(range(len(of_person))):
                self.report.lost.append(f"{code}: positions {list(of_person['position'])}")
        stay = [actor for actor in actors if actor.role == "person" and not actor.gone]
        kept = sorted(answers.groupby("code").size().tolist(), reverse=True)
        for least, count in zip(
            sorted((a.acknowledged for a in stay), reverse=True), kept, strict=False
        ):
            if count < least:
                self.report.lost.append(f"{least} answers were acknowledged, {count} are stored")
        if len(people) < len(stay):
            self.report.lost.append(f"{len(stay)} people began, {len(people)} are stored")
        by_viewer = {one.action for one in actions if one.who == "anna"} - {"logged in"}
        if by_viewer or problem:
            self.report.lost.append(f"the viewer: {by_viewer}; the log: {problem}")


def secret_bank(folder: Path, count: int) -> ItemBank:
    """Open and choice items whose right answers and names stand nowhere on their pages."""
    items = []
    for k in range(count):
        facts = {"labels": {"type": "t"}, "provenance": Provenance("f", "1", digest_of([f"{k}"]))}
        if k % 2:
            options = tuple(Choice(label, f"option {label} of {k}") for label in "ABCD")
            more: dict[str, Any] = {"target": "ABCD"[k % 4], "choices": options, **facts}
            items.append(Item(f"{NAME}-{k}", "fuzz", (f"Choose {k}.",), "choice", **more))
        else:
            more = {"target": f"{KEY}-{k}", **facts}
            items.append(Item(f"{NAME}-{k}", "fuzz", (f"Write {k}.",), "open", **more))
    return ItemBank.open(write_bank(items, folder / "secret.parquet"))


def run(place: Path, posts: int, seed: int, people: int = 20) -> Report:
    """Fuzz a new study in a folder."""
    study = Study("fuzz", "Fuzz", checks=1, time_limit_s=5.0, languages=("en", "ar"))
    folder = StudyFolder.make(place / "study", study, secret_bank(place, 12), PASSWORD)
    with closing(folder.store()) as store:
        store.owners.add("anna", "viewer", VIEWER, "fuzz")
    source = random.Random(f"actors {seed}")
    with TestClient(application(folder), base_url="http://study.test") as client:
        fuzzer = Fuzzer(folder, client, seed)
        owner, viewer = Actor("owner"), Actor("viewer")
        fuzzer.log_in(owner, PASSWORD)
        fuzzer.log_in(viewer, VIEWER)
        actors = [Actor("person") for _ in range(people)]
        for actor in actors:
            fuzzer.begin(actor)
        others = [Actor("visitor"), owner, viewer, viewer]
        while fuzzer.report.posts < posts:
            actor = source.choice([*actors, *others])
            fuzzer.fuzz(actor)
            if actor.role == "owner":
                for path in ("/owner/reopen", "/owner/resume"):
                    fuzzer.send(owner, "POST", path, {"form_token": owner.token})
            elif actor.role == "person" and source.random() < 0.1:
                fuzzer.answer(actor)
            if actor.gone and actor in actors:  # somebody else comes for who has withdrawn
                actors[actors.index(actor)] = newcomer = Actor("person")
                fuzzer.begin(newcomer)
        fuzzer.check(actors)
    return fuzzer.report


def times(place: Path, count: int) -> tuple[float, float, float]:
    """Median seconds of the server for right and for wrong answers, and the p value of their
    difference (Mann-Whitney)."""
    study = Study("times", "Times", checks=0, shuffle=False, shuffle_options=False)
    place.mkdir()
    folder = StudyFolder.make(place / "study", study, secret_bank(place, 90), PASSWORD)
    spent: dict[bool, list[float]] = {True: [], False: []}
    source = random.Random(1)
    with TestClient(application(folder), base_url="http://study.test") as client:
        for _ in range(-(-count // 90)):  # nobody reaches the limit of requests
            fuzzer, actor = Fuzzer(folder, client, 0), Actor("person")
            fuzzer.begin(actor)
            for item in folder.bank:
                right = source.random() < 0.5
                spent[right].append(_spent(fuzzer, client, actor, item, right))
    median = {right: sorted(values)[len(values) // 2] for right, values in spent.items()}
    return median[True], median[False], float(mannwhitneyu(spent[True], spent[False]).pvalue)


def _spent(fuzzer: Fuzzer, client: TestClient, actor: Actor, item: Item, right: bool) -> float:
    """Seconds of the server for an answer to the next question, which is this item."""
    form = forms(fuzzer.send(actor, "GET", "/task").text)[0]
    wrong = f"{KEY}-x" if item.answer_type == "open" else "B" if item.target == "A" else "A"
    fields = {"option" if form.options else "text": str(item.target) if right else wrong}
    cookie = "; ".join(f"{n}={v}" for n, v in actor.cookies.items())
    begun = time.perf_counter()
    client.post("/task", data={**form.hidden, **fields}, headers={"cookie": cookie},
                follow_redirects=False)  # fmt: skip
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--posts", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--answers", type=int, default=1_000)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        report = run(Path(name), given.posts, given.seed)
        right, wrong, p = times(Path(name) / "times", given.answers)
    codes = ", ".join(f"{n:,} of {status}" for status, n in sorted(report.statuses.items()))
    text = f"""{MARKER}

`python benchmarks/fuzz_studies.py --posts {given.posts}`: {report.posts:,} fuzzed requests to
{len(ROUTES)} routes by 20 participants at a time, a visitor, an owner and a viewer, and
{report.answered:,} answers between them (seed {given.seed}).

| | |
|---|---|
| replies by status | {codes} |
| replies of 500 and above | {sum(n for s, n in report.statuses.items() if s >= 500)} |
| right answers or items' names told | {len(report.leaks)} |
| acknowledged answers lost, changes by the viewer | {len(report.lost)} |
| server's time of a right answer / of a wrong one, medians of {given.answers:,} or more | \
{right / wrong:.3f} (Mann-Whitney p = {p:.2f}) |
"""
    print(text, *report.leaks[:10], *report.lost[:10], sep="\n")
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
