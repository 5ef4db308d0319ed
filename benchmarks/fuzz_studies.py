"""Fuzzed posts to every route of a study that is killed: no 500, nothing lost, no key told, nobody
paid twice.

Participants, visitors, owners and viewers post to every route (the pages' own lists, so that a new
one is fuzzed, too) what no page of the study holds; in between participants answer rightly formed
questions, some of them faster than the study pays for. The server is killed (SIGKILL) while they do
and started again; what was not answered is sent again, as pages do. After each kill and at the end
payment files are written. The right answers and the names of items are strings that stand nowhere
else: they may be in no reply to anybody but owners. What was acknowledged must be in the database
at the end. Last, the server's time for right and wrong answers is compared.

    python benchmarks/fuzz_studies.py [--posts 10000] [--people 50] [--kills 3] [--seed 21]
        [--write FILE]
"""

from __future__ import annotations

import argparse
import csv
import importlib
import json
import pkgutil
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from pages import replace_section
from scipy.stats import mannwhitneyu
from starlette.testclient import TestClient

from gfactor.items import Choice, Item, ItemBank, Provenance, digest_of, write_bank
from gfactor.studies.questionnaires import Study, StudyFolder, application
from gfactor.studies.questionnaires import pages as rooms
from gfactor.studies.questionnaires.paying.pay import bonus
from gfactor.studies.questionnaires.paying.payments import write_payments
from gfactor.studies.questionnaires.simulating.form import Form, forms
from gfactor.studies.questionnaires.study.settings import Pay, Rules

MARKER = "## Fuzzed studies"
PASSWORD, VIEWER = "the first password", "the viewer's password"
KEY, NAME = "zqkey", "zqitem"
"""What right answers and the names of items begin with: strings that stand nowhere else."""

SERVED = """
import sys; from pathlib import Path
from gfactor.studies.questionnaires import application
from gfactor.studies.web import serve
serve(application(Path(sys.argv[1])), port=0, ready=lambda a: print(a, flush=True))
"""
RULES = Rules(checks_wrong=0, rapid_s=0.4, rapid_share=0.5)
CROWD = 10
"""Participants who post one after the other; crowds post at the same time."""

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


class Server:
    """A served study that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.running = threading.Event()
        self._start()

    def _start(self) -> None:
        command = [sys.executable, "-c", SERVED, str(self._folder)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.base = self._process.stdout.readline().strip()
        self.running.set()

    def kill(self) -> None:
        """End the server by SIGKILL, whatever it is doing, and start it again."""
        self.running.clear()
        self.close()
        self._start()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


class Connection:
    """A client of a server that is killed in between: what was not answered is sent again."""

    def __init__(self, server: Server) -> None:
        self._server, self._client = server, httpx2.Client(timeout=60, trust_env=False)
        self.cookies = self._client.cookies
        self.sent_again = 0

    def request(self, method: str, path: str, **more: Any) -> httpx2.Response:
        while True:
            self._server.running.wait()
            try:
                return self._client.request(method, self._server.base + path, **more)
            except httpx2.TransportError:
                self.sent_again += 1
                time.sleep(0.05)

    def close(self) -> None:
        self._client.close()


@dataclass(eq=False)
class Actor:
    """Somebody with cookies of their own; `acknowledged` answers must be in the database. A
    `hasty` one answers as fast as pages come and at random, others read first; `page` is the form
    that they read, and since when."""

    role: str
    external_id: str = ""
    hasty: bool = False
    cookies: dict[str, str] = field(default_factory=dict)
    token: str = ""
    receipt: str = ""
    acknowledged: int = 0
    gone: bool = False
    page: tuple[Form, float] | None = None

    @property
    def address(self) -> str:
        """The way in by which the recruiting service sends them."""
        ids = f"PROLIFIC_PID={self.external_id}&STUDY_ID=s&SESSION_ID=s{self.external_id}"
        return f"/?{ids}" if self.external_id else "/"


@dataclass
class Report:
    """What came of it: replies by status, leaks (path and string), and what was lost."""

    posts: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    answered: int = 0
    sent_again: int = 0
    leaks: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    wrongly_paid: list[str] = field(default_factory=list)
    paid: int = 0
    rejected: int = 0


class Fuzzer:
    """Posts to a study, one after the other.

    Parameters
    ----------
    client: client of its application.
    seed: seed of everything that is posted.
    """

    def __init__(self, client: TestClient | Connection, seed: int | str) -> None:
        self._client, self._source = client, random.Random(seed)
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
        form = forms(self.send(actor, "GET", actor.address).text)[0]
        self.send(actor, "POST", form.action, {**form.hidden, "agree": "yes"})
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
        """Answer the next question as a form of the page allows; who reads comes twice for it."""
        if actor.page is None:
            page = self.send(actor, "GET", "/task").text
            form = next((f for f in forms(page) if f.action.endswith("/task")), None)
            if form is None or "position" not in form.hidden:
                return
            actor.page = form, time.monotonic()
        form, since = actor.page
        if not actor.hasty and time.monotonic() - since < 1.2 * RULES.rapid_s:
            return
        actor.page, actor.token = None, form.hidden["form_token"]
        filled = {name: "something" for name in form.texts}
        if form.options:
            check = re.search(r"\b([A-D])\.\s*$", form.stem)
            by_chance = self._source.choice(list(form.options))
            filled["option"] = by_chance if check is None or actor.hasty else check[1]
        self.send(actor, "POST", "/task", {**form.hidden, **filled})
        actor.acknowledged = max(actor.acknowledged, int(form.hidden["position"]))
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


def check_stored(folder: StudyFolder, actors: Sequence[Actor]) -> list[str]:
    """Return what is missing of that which was acknowledged, and what the viewer changed."""
    with closing(folder.store()) as store:
        people, answers = store.frame("participants"), store.frame("answers")
        actions, problem = store.log.read()
    lost = [
        f"{code}: positions {list(of_person['position'])}"
        for code, of_person in answers.groupby("code")
        if list(of_person["position"]) != list(range(len(of_person)))
    ]
    stay = [actor for actor in actors if actor.role == "person" and not actor.gone]
    counts = sorted(answers.groupby("code").size().tolist(), reverse=True)
    counts += [0] * (len(stay) - len(counts))
    acknowledged = sorted((actor.acknowledged for actor in stay), reverse=True)
    lost += [
        f"{least} answers were acknowledged, {count} are stored"
        for least, count in zip(acknowledged, counts, strict=False)
        if count < least
    ]
    if len(people) < len(stay):
        lost.append(f"{len(stay)} people began, {len(people)} are stored")
    by_viewer = {one.action for one in actions if one.who == "anna"} - {"logged in"}
    return [*lost, f"the viewer: {by_viewer}; the log: {problem}"] if by_viewer or problem else lost


def pay(folder: StudyFolder, place: Path, number: int) -> None:
    """Write what is due by now."""
    for kind in ("approve", "bonus", "reject"):
        write_payments(folder, place / f"{kind}-{number}.csv", "prolific", kind)


def check_payments(folder: StudyFolder, place: Path, report: Report) -> None:
    """Compare the payment files with the stored answers, counted here once more."""
    files = {kind: _rows(place, kind) for kind in ("approve", "bonus", "reject")}
    paid = Counter(row[0] for row in files["approve"])
    rejected = Counter(row[0] for row in files["reject"])
    cents: Counter[str] = Counter()
    for external_id, amount in files["bonus"]:
        cents[external_id] += round(100 * float(amount))
    with closing(folder.store()) as store:
        answers = store.frame("answers")
        contacts = store.frame("contacts").set_index("code")["external_id"]
    wrong = [f"{one} is in {n} files of approval" for one, n in paid.items() if n > 1]
    wrong += [f"{one} is approved and rejected" for one in paid.keys() & rejected.keys()]
    wrong += [f"{one} has a bonus and no approval" for one in cents.keys() - paid.keys()]
    code: Any
    for code, of_person in answers.groupby("code"):
        external_id: Any = contacts[code]
        rows = of_person.to_dict("records")
        if _is_excluded(rows) and external_id in paid:
            wrong.append(f"{external_id} is excluded by the rule and paid")
        owed = round(100 * bonus(folder.study.pay, rows))
        if cents[external_id] > owed:
            wrong.append(f"{external_id} is owed {owed} cents and paid {cents[external_id]}")
    report.wrongly_paid, report.paid, report.rejected = wrong, len(paid), len(rejected)


def _rows(place: Path, kind: str) -> list[list[str]]:
    rows = []
    for path in sorted(place.glob(f"{kind}-*.csv")):
        with path.open(newline="") as opened:
            rows += list(csv.reader(opened))[kind == "reject" :]
    return rows


def _is_excluded(answers: Sequence[Mapping[Any, Any]]) -> bool:
    """Return True if a check question is wrong, or too many answers came too fast for the server's
    clock."""
    wrong = any(row["kind"] == "check" and not row["right"] for row in answers)
    fast = [row["server_seconds"] < RULES.rapid_s for row in answers if row["kind"] == "item"]
    return wrong or sum(fast) > RULES.rapid_share * len(fast)


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


class Crowd:
    """Some participants, a visitor, an owner and a viewer, who post in turn to a served study."""

    _gate = threading.Lock()  # Nobody begins while an owner's post has closed the study.

    def __init__(self, server: Server, people: int, seed: str) -> None:
        self._source = random.Random(f"actors {seed}")
        self._connection = Connection(server)
        self.fuzzer = Fuzzer(self._connection, f"posts {seed}")
        self._owner, self._viewer = Actor("owner"), Actor("viewer")
        self._people = people
        self.everybody: list[Actor] = []

    def post(self, posts: int, answers: int = 0) -> None:
        """Send so many fuzzed requests, and answers between them; more requests follow (up to ten
        times as many) until there are so many answers."""
        fuzzer, source = self.fuzzer, self._source
        fuzzer.log_in(self._owner, PASSWORD)
        fuzzer.log_in(self._viewer, VIEWER)
        actors = [self._newcomer() for _ in range(self._people)]
        others = [Actor("visitor"), self._owner, self._viewer, self._viewer]
        report = fuzzer.report
        while report.posts < posts or (report.answered < answers and report.posts < 10 * posts):
            actor = source.choice([*actors, *others])
            if actor.role == "owner":
                self._fuzz_as_owner()
                continue
            fuzzer.fuzz(actor)
            if actor.role == "person" and source.random() < 0.5:
                fuzzer.answer(actor)
            if actor.role == "visitor" and source.random() < 0.3:
                self._pretend_to_be(source.choice(self.everybody))
            if actor.gone and actor in actors:  # somebody else comes for who has withdrawn
                actors[actors.index(actor)] = self._newcomer()
        report.sent_again = self._connection.sent_again
        self._connection.close()

    def _newcomer(self) -> Actor:
        identifier = f"{self._source.getrandbits(96):024x}"
        actor = Actor("person", identifier, hasty=self._source.random() < 0.3)
        self.everybody.append(actor)
        with self._gate:
            self.fuzzer.begin(actor)
        return actor

    def _fuzz_as_owner(self) -> None:
        with self._gate:
            self.fuzzer.fuzz(self._owner)
            for path in ("/owner/reopen", "/owner/resume"):
                token = {"form_token": self._owner.token}
                self.fuzzer.send(self._owner, "POST", path, token)

    def _pretend_to_be(self, other: Actor) -> None:
        """Come by somebody's address in another browser, and agree to whatever is asked."""
        stranger = Actor("stranger", other.external_id)
        form = next(iter(forms(self.fuzzer.send(stranger, "GET", stranger.address).text)), None)
        if form is not None:
            self.fuzzer.send(stranger, "POST", form.action, {**form.hidden, "agree": "yes"})


def run(
    place: Path, posts: int, seed: int, people: int = 50, kills: int = 3, answers: int = 0
) -> Report:
    """Fuzz a new study in a folder, until it has so many answers, and kill its server at even
    intervals."""
    study = Study(
        "fuzz", "Fuzz", checks=1, time_limit_s=5.0, languages=("en", "ar"), rules=RULES,
        pay=Pay("EUR", base=1.0, per_right=0.05), service="prolific", ids="required",
    )  # fmt: skip
    folder = StudyFolder.make(place / "study", study, secret_bank(place, 12), PASSWORD)
    with closing(folder.store()) as store:
        store.owners.add("anna", "viewer", VIEWER, "fuzz")
    count = max(1, people // CROWD)
    server = Server(folder.path)
    crowds = [Crowd(server, people // count, f"{seed} {k}") for k in range(count)]
    reports = [crowd.fuzzer.report for crowd in crowds]
    try:
        with ThreadPoolExecutor(count) as pool:
            running = [
                pool.submit(crowd.post, posts // count, answers // count) for crowd in crowds
            ]
            for kill in range(1, kills + 1):
                while sum(one.posts for one in reports) < kill * posts / (kills + 1):
                    time.sleep(0.01)
                    if any(one.done() and one.exception() for one in running):
                        break
                server.kill()
                pay(folder, place, kill)
            for one in running:
                one.result()
    finally:
        server.close()
    pay(folder, place, kills + 1)
    report = Report(posts=sum(one.posts for one in reports))
    for one in reports:
        report.statuses += one.statuses
        report.answered += one.answered
        report.sent_again += one.sent_again
        report.leaks += one.leaks
    report.lost = check_stored(folder, [a for crowd in crowds for a in crowd.everybody])
    check_payments(folder, place, report)
    return report


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
            fuzzer, actor = Fuzzer(client, 0), Actor("person")
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
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--answers", type=int, default=1_000)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        report = run(Path(name), given.posts, given.seed, given.people, given.kills)
        right, wrong, p = times(Path(name) / "times", given.answers)
    codes = ", ".join(f"{n:,} of {status}" for status, n in sorted(report.statuses.items()))
    text = f"""{MARKER}

`python benchmarks/fuzz_studies.py --posts {given.posts} --seed {given.seed}`: {report.posts:,}
fuzzed requests to {len(ROUTES)} routes by {given.people} participants at a time, visitors, owners
and viewers, and {report.answered:,} answers between them. The server was killed {given.kills}
times (SIGKILL) meanwhile, and {report.sent_again} requests were sent again.

| | |
|---|---|
| replies by status | {codes} |
| replies of 500 and above | {sum(n for s, n in report.statuses.items() if s >= 500)} |
| right answers or items' names told | {len(report.leaks)} |
| acknowledged answers lost, changes by the viewer | {len(report.lost)} |
| participants in files of approval, in files of rejection | {report.paid}, {report.rejected} |
| paid twice or too much, or excluded by the rule and paid | {len(report.wrongly_paid)} |
| server's time of a right answer / of a wrong one, medians of {given.answers:,} or more | \
{right / wrong:.3f} (Mann-Whitney p = {p:.2f}) |
"""
    print(text, *report.leaks[:10], *report.lost[:10], *report.wrongly_paid[:10], sep="\n")
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
