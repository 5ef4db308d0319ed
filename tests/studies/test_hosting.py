"""A server on the internet: HTTPS only, behind a proxy that is named, backed up, and watched."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import socket
import sqlite3
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner
from support.studies import client_of, exam_bank, make_study
from support.visitors import PATIENCE_S, Visitor

import gfactor as gf
from gfactor.cli import cli
from gfactor.errors import ParameterError
from gfactor.studies.annotation import Project
from gfactor.studies.annotation import application as desk
from gfactor.studies.questionnaires import StudyFolder, application
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.web.backing_up import MANIFEST, back_up, backups
from gfactor.studies.web.deployment import Deployment, caddyfile
from gfactor.studies.web.operations import request_log
from gfactor.studies.web.serving import check_transport
from gfactor.studies.web.serving import serve as serve_application

CADDY = shutil.which("caddy")
MAIN = "from gfactor.cli import main; main()"
LINE = {"time", "method", "page", "status", "ms", "bytes"}


def run(*words: object) -> Any:
    done = CliRunner().invoke(cli, [*map(str, words), "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def tables(folder: Path) -> dict[str, Any]:
    """Everything in a study's database, and its other files."""
    with closing(StudyFolder.open(folder).store()) as store:
        names = ("participants", "answers", "shown", "contacts", "meta", "counters", "taken")
        held: dict[str, Any] = {name: store.frame(name).to_dict("list") for name in names}
    files = {p.name: p.read_bytes() for p in folder.iterdir() if not p.name.startswith("answers")}
    files.pop(MANIFEST, None)
    return held | files


@contextmanager
def served(folder: Path, *words: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A study served by the command line in a process of its own."""
    command = [sys.executable, "-c", MAIN, "study", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(
        [*command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
            assert found is not None, process.communicate()
            yield found[0], process
        finally:
            process.terminate()


@pytest.mark.slow
def test_a_backup_during_the_study_is_whole_and_restores_to_an_equal_study(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=30, checks=0)
    acknowledged: list[int] = []
    stop = threading.Event()

    def answering(base: str) -> None:
        with Visitor(base, **{"x-forwarded-for": "203.0.113.9"}) as visitor:
            visitor.begin("/?PROLIFIC_PID=5f")
            while not stop.is_set() and len(acknowledged) < 30:
                visitor.answer(option="A")
                acknowledged.append(len(acknowledged))

    logged = tmp_path / "requests.jsonl"
    with served(study.path, "--log", str(logged), "--log-addresses") as (base, _):
        person = threading.Thread(target=answering, args=(base,))
        person.start()
        made = []
        while len(made) < 3:
            before = len(acknowledged)
            backup = Path(run("study", "backup", study.path, "-o", tmp_path / "b")["backup"])
            made.append((before, backup))
        stop.set()
        person.join(PATIENCE_S)
    # Without a proxy that is named nobody's word on where they come from counts.
    lines = logged.read_text().splitlines()
    assert {json.loads(line)["address"] for line in lines} == {"127.0.0.1"}
    for before, backup in made:
        again = StudyFolder.open(gf.study.restore(backup, tmp_path / f"again-{backup.name}"))
        with closing(again.store()) as store:
            answers = store.frame("answers")
            assert len(answers) >= before
            assert answers["position"].tolist() == list(range(len(answers)))
    last = gf.study.backup(study.path, tmp_path / "b", keep=2)
    assert backups(tmp_path / "b") == [made[-1][1], last]  # the older ones went
    gf.study.restore(tmp_path / "b", tmp_path / "equal")
    assert tables(tmp_path / "equal") == tables(study.path)
    assert all(path.stat().st_mode & 0o077 == 0 for path in last.iterdir())
    with client_of(application(tmp_path / "equal")) as client:
        assert "Before you begin" in client.get("/").text


def test_a_workspace_is_backed_up_and_restored(tmp_path: Path) -> None:
    bank = exam_bank(tmp_path, 3)
    gf.annotate.new(bank, tmp_path / "w", title="W")
    gf.annotate.invite(tmp_path / "w", "first")
    run("annotate", "backup", tmp_path / "w", "-o", tmp_path / "b")
    restored = Path(run("annotate", "restore", tmp_path / "b", "-o", tmp_path / "again")["folder"])
    store = Project.open(restored).store()
    assert list(store.annotators()) == ["first"]
    store.close()


@pytest.mark.slow
def test_another_program_takes_no_log_from_a_server_that_has_exported(tmp_path: Path) -> None:
    """What opened the database a second time in the server's process ended its locks: the next
    command deleted the log, and answers that were acknowledged later were lost."""
    study = make_study(tmp_path, count=3, checks=0)
    look = [sys.executable, "-c", MAIN, "study", "status", str(study.path), "--json"]
    with client_of(application(study)) as client:
        client.post("/start", data={**forms(client.get("/").text)[0].hidden, "agree": "yes"})
        study.store().close()  # as the export page does
        for _ in range(3):
            subprocess.run(look, check=True, capture_output=True)
            hidden = forms(client.get("/task").text)[0].hidden
            client.post("/task", data={**hidden, "option": "B"})
        seen = json.loads(subprocess.run(look, check=True, capture_output=True).stdout)
    assert seen["facts"]["Finished"] == "1"


@pytest.mark.thorough
def test_a_backup_holds_what_a_pilot_has_acknowledged(tmp_path: Path) -> None:
    """Its last answers are in SQLite's log still, while the server runs."""
    study = make_study(tmp_path, count=2, checks=0)
    with client_of(application(study.as_pilot())) as client:
        client.post("/start", data={**forms(client.get("/").text)[0].hidden, "agree": "yes"})
        hidden = forms(client.get("/task").text)[0].hidden
        client.post("/task", data={**hidden, "option": "B"})
        made = gf.study.backup(study.path, tmp_path / "b")
        assert not [file.name for file in made.iterdir() if "-" in file.name]
    again = StudyFolder.open(gf.study.restore(made, tmp_path / "again"))
    with closing(again.as_pilot().store()) as store:
        assert store.frame("answers")["item"].size == 1
    with closing(again.store()) as store:
        assert store.frame("participants").empty


def test_a_backup_that_was_changed_or_is_not_whole_is_refused(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=2)
    study.store().close()
    backup = gf.study.backup(study.path, tmp_path / "b")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    with pytest.raises(ParameterError, match="not empty"):
        gf.study.restore(backup, tmp_path / "full")
    with (backup / "study.toml").open("a") as file:
        file.write("# changed\n")
    with pytest.raises(ParameterError, match=r"study\.toml of the backup .* is not as it was"):
        gf.study.restore(backup, tmp_path / "again")
    assert not (tmp_path / "again").exists()
    with pytest.raises(ParameterError, match="holds no backup"):
        gf.study.restore(tmp_path / "full", tmp_path / "again")

    def fails(_: Path) -> None:
        raise ParameterError("it cannot be opened")

    with pytest.raises(ParameterError, match="cannot be opened"):
        back_up(study.path, "answers.db", tmp_path / "c", fails)
    assert list((tmp_path / "c").iterdir()) == []
    database = study.path / "answers.db"
    damaged = bytearray(database.read_bytes())
    damaged[4096:12288] = b"\xff" * 8192
    database.write_bytes(damaged)
    with pytest.raises(ParameterError):
        gf.study.backup(study.path, tmp_path / "d")
    assert list((tmp_path / "d").iterdir()) == []


def test_health_says_whether_the_database_is_there_and_nothing_else(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=2)
    with client_of(application(study, public_url="http://study.test/s")) as client:
        for path in ("/health", "/s/health"):
            reply = client.get(path)
            assert (reply.status_code, reply.json()) == (200, {"status": "ok"})
            assert "set-cookie" not in reply.headers
        with closing(sqlite3.connect(study.path / "answers.db")) as base, base:
            base.execute("DROP TABLE meta")
        reply = client.get("/health")
        assert (reply.status_code, reply.json()) == (503, {"status": "failing"})
    gf.annotate.new(exam_bank(tmp_path, 2), tmp_path / "w", title="W")
    with client_of(desk(tmp_path / "w")) as client:
        assert client.get("/health").json() == {"status": "ok"}


def test_the_log_has_a_line_a_request_and_no_ids_answers_or_addresses(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=2, checks=0)
    file = tmp_path / "log.jsonl"
    with (
        request_log(str(file)) as log,
        client_of(application(study, log=log, public_url="http://study.test/s")) as client,
    ):
        page = client.get("/s/?PROLIFIC_PID=secret-id").text
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', page))
        client.post("/s/start", data={**fields, "agree": "yes"})
        page = client.get("/s/task").text
        picture = re.search(r"/image/[\w-]+/0/0", page)
        assert picture is not None
        assert client.get(f"/s{picture[0]}").status_code == 200
        client.get("/s/results/some-token-of-somebody")
        client.get("/s/nowhere/else?x=1")
        client.post("/s/task", content=b"x" * 300_000)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert all(set(line) == LINE for line in lines)
    assert [(line["method"], line["page"], line["status"]) for line in lines] == [
        ("GET", "/", 200), ("POST", "/start", 303), ("GET", "/instructions", 200),
        ("GET", "/task", 200),
        ("GET", "/image/{folder:str}/{position:number}/{number:number}", 200),
        ("GET", "/results/{token:str}", 400), ("GET", "", 404), ("POST", "", 413),
    ]  # fmt: skip
    assert file.stat().st_mode & 0o077 == 0
    held = file.read_text()
    assert not any(text in held for text in ("secret-id", "some-token", "testclient", "nowhere"))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "lab.example", ""])
def test_plain_http_on_a_public_address_is_refused(host: str) -> None:
    plain: dict[str, Any] = {"https": False, "public_url": "", "insecure_http": False}
    with pytest.raises(ParameterError, match="plain HTTP"):
        check_transport(host, **plain)
    with pytest.raises(ParameterError, match="plain HTTP"):
        check_transport(host, **{**plain, "public_url": "http://lab.example"})
    check_transport(host, **{**plain, "insecure_http": True})
    check_transport(host, **{**plain, "https": True})
    check_transport(host, **{**plain, "public_url": "https://lab.example/study"})
    for loopback in ("127.0.0.1", "127.1.2.3", "::1", "localhost"):
        check_transport(loopback, **plain)


@pytest.mark.parametrize(
    "words", [("study", "serve"), ("annotate", "serve"), ("campaign", "view")], ids=" ".join
)
def test_every_server_refuses_it(words: tuple[str, ...], tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, [*words, str(tmp_path), "--host", "0.0.0.0"])
    assert isinstance(done.exception, ParameterError)
    assert "plain HTTP" in str(done.exception)


def test_deployments_are_written_once_and_name_what_they_serve(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=2)
    wheel = tmp_path / "gfactor-9-py3-none-any.whl"
    wheel.touch()
    output = tmp_path / "deploy"
    done = run("study", "deploy", study.path, "--domain", "lab.example", "--path", "/study",
               "-o", output, "--wheel", wheel)  # fmt: skip
    assert [Path(file).name for file in done["files"]] == [
        "Dockerfile", "compose.yaml", "Caddyfile",
    ]  # fmt: skip
    assert "COPY gfactor-9-py3-none-any.whl" in (output / "Dockerfile").read_text()
    assert (output / wheel.name).exists()
    yaml = pytest.importorskip("yaml")
    services = yaml.safe_load((output / "compose.yaml").read_text())["services"]
    server, proxy = services["server"], services["proxy"]
    assert "--public-url=https://lab.example/study" in server["command"]
    named = proxy["networks"]["inner"]["ipv4_address"]
    assert f"--proxy={named}" in server["command"]
    assert "ports" not in server
    assert (output / server["volumes"][0].partition(":")[0]).resolve() == study.path.resolve()
    assert server["user"] == f"{os.getuid()}:{os.getgid()}"
    # Docker makes folders that are missing as root; the backups' is there, and the user's.
    copies = output / services["backup"]["volumes"][1].partition(":")[0]
    assert (copies.is_dir(), copies.stat().st_uid) == (True, os.getuid())
    # What the containers run is what the command line takes.
    words = [word.replace("/data", str(study.path)) for word in server["command"]]
    parser = cli.get_command(None, words[0]).get_command(None, words[1])  # type: ignore[union-attr]
    assert parser.make_context("serve", list(words[2:])).params["port"] == 8000
    with pytest.raises(ParameterError, match="is there already"):
        gf.study.deploy(study.path, output, domain="lab.example")


@pytest.mark.parametrize(
    ("domain", "path"),
    [("https://lab.example", ""), ("lab", ""), ("lab.example {", ""), ("lab.example", "study"),
     ("lab.example", "/a b"), ("lab.example", "/a\n}"), ("lab.example", "/")],
)  # fmt: skip
def test_domains_and_paths_that_cannot_be_are_refused(domain: str, path: str) -> None:
    with pytest.raises(ParameterError):
        Deployment("study", Path("study"), domain, path)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def behind_caddy(
    folder: Path, settings: str, upstream: str, ports: tuple[int, int]
) -> Iterator[Any]:
    """Debian's Caddy with the deployed settings, certificates of its own; what a client needs to
    trust them."""
    (folder / "Caddyfile").write_text(settings, "utf-8")
    more = {
        "GFACTOR_SITE": f"https://localhost:{ports[1]}",
        "GFACTOR_UPSTREAM": upstream.removeprefix("http://"),
        "GFACTOR_HTTP_PORT": str(ports[0]),
        "GFACTOR_HTTPS_PORT": str(ports[1]),
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
    }
    command = [str(CADDY), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    with (folder / "caddy.log").open("w") as log:
        process = subprocess.Popen(command, env={**os.environ, **more}, stdout=log, stderr=log)
    try:
        root = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and process.poll() is None:
            if root.exists() and _answers(root, ports[1]):
                break
            time.sleep(0.1)
        else:
            raise AssertionError((folder / "caddy.log").read_text())
        yield ssl.create_default_context(cafile=str(root))
    finally:
        process.terminate()
        process.wait()


def _answers(root: Path, port: int) -> bool:
    try:
        with socket.create_connection(("localhost", port)) as plain:
            context = ssl.create_default_context(cafile=str(root))
            context.wrap_socket(plain, server_hostname="localhost").close()
    except OSError:
        return False
    return True


@pytest.mark.skipif(CADDY is None, reason="Debian's package caddy is not installed")
def test_a_participant_comes_through_caddy_over_https_below_a_path(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=2, checks=0, completion_code="C1")
    ports, logged = (free_port(), free_port()), tmp_path / "requests.jsonl"
    public = f"https://localhost:{ports[1]}/study"
    settings = caddyfile(Deployment("study", study.path, "lab.example", "/study"))
    with (
        served(study.path, "--public-url", public, "--proxy", "127.0.0.1",
               "--log", str(logged), "--log-addresses") as (base, _),
        behind_caddy(tmp_path, settings, base, ports) as trusted,
        httpx2.Client(verify=trusted, follow_redirects=True, timeout=PATIENCE_S) as browser,
    ):  # fmt: skip
        visitor = Visitor(public)
        visitor.client.close()
        visitor.client = httpx2.Client(
            base_url=public, verify=trusted, follow_redirects=True, timeout=PATIENCE_S
        )
        with visitor:
            first = visitor.get("/?PROLIFIC_PID=5f")
            assert first.headers["strict-transport-security"].startswith("max-age=31536000")
            assert "server" not in {name for name in first.headers if name == "uvicorn"}
            cookie = first.headers["set-cookie"]
            assert re.search(r"; Secure", cookie)
            assert re.search(r"; Path=/study/", cookie)
            assert re.search(r"; HttpOnly", cookie)
            begun = visitor.begin("/?PROLIFIC_PID=5f")
            assert str(begun.url).startswith(f"{public}/instructions")
            # Links and forms below the prefix stand in pages with it.
            page = visitor.client.get(f"{public}/task").text
            assert 'action="/study/task"' in page
            hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
            for position in range(2):
                fields = {**hidden, "position": str(position), "option": "A"}
                origin = {"origin": public.removesuffix("/study")}
                reply = visitor.client.post(f"{public}/task", data=fields, headers=origin)
                assert reply.status_code == 200
            assert "C1" in visitor.client.get(f"{public}/done").text
        other = {"origin": "https://elsewhere.example"}
        assert (
            browser.post(f"{public}/start", data={"agree": "yes"}, headers=other).status_code == 403
        )
        assert browser.get(public.removesuffix("/study")).status_code == 404
        assert browser.get(f"{public}ies").status_code == 404
        plain = httpx2.get(f"http://localhost:{ports[0]}/study/", timeout=PATIENCE_S)
        assert plain.status_code == 308
        assert plain.headers["location"].startswith("https://localhost")
        # Caddy's word on where somebody comes from counts, a browser's does not.
        forged = {"x-forwarded-for": "203.0.113.9"}
        browser.get(f"{public}/health", headers=forged)
        httpx2.get(f"{base}/study/health", headers=forged, timeout=PATIENCE_S)
    lines = [json.loads(line) for line in logged.read_text().splitlines()]
    through, named = [line["address"] for line in lines if line["page"] == "/health"]
    assert through in ("127.0.0.1", "::1")
    assert named == "203.0.113.9"
    assert "203.0.113.9" not in {line["address"] for line in lines[:-1]}


@pytest.mark.thorough
@pytest.mark.parametrize("url", ["https://Lab.Example/trial", "https://lab.example:443/trial"])
def test_a_public_address_is_compared_as_browsers_write_it(tmp_path: Path, url: str) -> None:
    with client_of(application(make_study(tmp_path, count=4), public_url=url)) as client:
        client.base_url = "https://lab.example"
        form = forms(client.get("/trial/").text)[0]
        reply = client.post(
            "/trial/start",
            data={**form.hidden, "agree": "yes"},
            headers={"origin": "https://lab.example"},
            follow_redirects=False,
        )
    assert reply.headers["location"] == "/trial/instructions"


def test_a_server_that_ended_leaves_the_collector_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    uvicorn, during = pytest.importorskip("uvicorn"), []
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: during.append(gc.get_threshold()))
    before = gc.get_threshold()
    serve_application(None, port=0)
    assert during != [before]
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)
