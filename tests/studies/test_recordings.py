"""Sounds and films on pages: who gets them and when, what is noted, and what the export says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.recordings import CAPTIONS, film, sound
from support.served import serving_app
from support.studies import accessibility_problems, browser_page, client_of, exam_bank

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.studies.questionnaires import StudyFolder, application
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.storing.playbacks import read_facts
from gfactor.studies.questionnaires.study.recordings import KINDS

SOUND = sound()
QUESTION = '[[pages.questions]]\nname = "heard"\nkind = "text"\ntext = "What was it?"\n'
BLOCK = '[[pages]]\nkind = "block"\nname = "items"\nitems = ["q01"]\n'


def study_of(folder: Path, page: str, *, files: dict[str, bytes] | None = None) -> StudyFolder:
    """A study with a page before the one with a recording, and a block behind it."""
    exam_bank(folder, 2)
    (folder / "tone.wav").write_bytes(SOUND)
    for name, data in (files or {}).items():
        (folder / name).write_bytes(data)
    (folder / "file.toml").write_text(
        'id = "s"\ntitle = "S"\nbank = "bank.parquet"\ncompletion_code = "C"\n'
        '[[pages]]\nkind = "instructions"\ntext = "Listen."\n'
        f'[[pages]]\nkind = "questions"\nname = "listening"\n{page}\n{QUESTION}{BLOCK}'
    )
    made = gf.study.new(folder / "file.toml", folder / "study", password="correct horse battery")
    return StudyFolder.open(made.folder)


@pytest.fixture
def study(tmp_path: Path) -> StudyFolder:
    return study_of(tmp_path, 'media = "tone.wav"\nonce = true')


@pytest.fixture
def free(tmp_path: Path) -> StudyFolder:
    """A study whose sound is played as often as wanted, with captions."""
    return study_of(tmp_path, 'media = "tone.wav"', files={"tone.vtt": CAPTIONS.encode()})


@contextmanager
def beginning(study: StudyFolder) -> Iterator[Any]:
    """Somebody at the page before the one with the recording."""
    with client_of(application(study)) as client:
        begin(client)
        yield client


def begin(client: Any, address: str = "/") -> None:
    hidden = forms(client.get(address).text)[0].hidden
    client.post("/start", data={**hidden, "agree": "yes"})


def go_on(client: Any, **fields: str) -> Any:
    hidden = forms(client.get("/task").text)[0].hidden
    return client.post("/task", data={**hidden, **fields})


def source(page: str) -> str:
    found = re.search(r'data-source="([^"]+)"', page)
    assert found
    return found[1]


def tell(client: Any, event: str, page: str, **facts: Any) -> int:
    """The status of the reply to an event of the player."""
    hidden = forms(page)[0].hidden
    told = {"event": event, "facts": json.dumps(facts)}
    return client.post("/playback", data={**hidden, **told}).status_code


def exported(study: StudyFolder, folder: Path) -> pd.DataFrame:
    gf.study.export(study.path, folder)
    return pd.read_csv(next(folder.rglob("*_playbacks_data.csv")))


def test_a_recording_comes_with_its_page_and_neither_before_nor_after(
    study: StudyFolder,
) -> None:
    with client_of(application(study)) as client, client_of(application(study)) as other:
        begin(client)
        with closing(study.store()) as store:
            (code,) = store.frame("participants")["code"]
        ahead = f"/media/{study.secrets.sign('pictures', code)[:22]}/1"
        assert "data-source" not in client.get("/task").text
        assert client.get(ahead).status_code == 404  # its page is not shown yet
        assert source(go_on(client).text) == ahead
        assert client.get(ahead).content == SOUND
        assert client.get(ahead.replace("/1", "/0")).status_code == 404
        begin(other)
        go_on(other)
        assert other.get(ahead).status_code == 404  # somebody else's
        go_on(client, **{"q-0": "a tone"})
        assert client.get(ahead).status_code == 404  # its page is over


def test_what_is_played_once_is_sent_until_it_begins(study: StudyFolder) -> None:
    with beginning(study) as client:
        page = go_on(client).text
        assert client.get(source(page)).headers["cache-control"] == "no-store"
        assert client.get(source(page)).status_code == 200  # a line that broke may ask again
        assert tell(client, "end", page) == 409  # nothing has begun
        assert tell(client, "begin", page) == 204
        assert tell(client, "begin", page) == 409
        assert client.get(source(page)).status_code == 404
        again = client.get("/task").text
        assert "is not played again" in again
        assert not re.search("<(audio|video)", again)
        assert tell(client, "end", page) == 204
        assert tell(client, "end", page) == 409


def test_parts_of_a_recording_are_sent_as_players_ask_for_them(free: StudyFolder) -> None:
    with beginning(free) as client:
        page = go_on(client).text
        reply = client.get(source(page), headers={"range": "bytes=100-199"})
        assert (reply.status_code, reply.content) == (206, SOUND[100:200])
        assert reply.headers["content-type"] == "audio/wav"
        captions = client.get(f"{source(page)}/captions")
        assert captions.text == CAPTIONS
        assert captions.headers["content-type"] == "text/vtt; charset=utf-8"


def test_events_of_another_page_or_a_forged_form_are_not_noted(free: StudyFolder) -> None:
    with beginning(free) as client:
        first = client.get("/task").text
        assert tell(client, "begin", first) == 409  # a page without a recording
        page = go_on(client).text
        assert tell(client, "begin", first) == 409
        assert tell(client, "rewind", page) == 409
        forged = client.post("/playback", data={"position": "1", "event": "begin"})
        assert forged.status_code == 403
        assert client.get("/playback").status_code in (404, 405)
    with closing(free.store()) as store:
        assert len(store.frame("playbacks")) == 0


def test_the_export_says_when_it_began_how_often_and_that_it_ended(
    free: StudyFolder, tmp_path: Path
) -> None:
    with beginning(free) as client:
        page = go_on(client).text
        facts = {"duration_s": 1.0, "played_s": 1.0, "volume": 0.5, "muted": 1}
        for _ in range(2):
            assert tell(client, "begin", page, volume=1.0) == 204
            assert tell(client, "end", page, **facts) == 204
        assert tell(client, "begin", page, **facts) == 204
        go_on(client, **{"q-0": "a tone"})
    with beginning(free) as client:
        go_on(client)
        go_on(client, **{"q-0": "nothing"})
    with closing(free.store()) as store:
        shown = store.pages.frame()
        row = store.frame("playbacks").iloc[0]
        at = shown.loc[(shown["code"] == row["code"]) & (shown["page"] == "question-2"), "at"]
    table = exported(free, tmp_path / "out").set_index("state")
    played = table.loc["ended"]
    assert (played["plays"], played["ends"], played["media"]) == (3, 2, "tone.wav")
    assert (played["volume"], played["muted"], played["duration_s"]) == (0.5, True, 1.0)
    assert played["started_s"] == round(row["started"] - at.iloc[0], 3)
    assert 0 <= played["started_s"] <= played["ended_s"]
    assert (table.loc["not played", "plays"], table.loc["not played", "page"]) == (0, "listening")
    dictionary = pd.read_csv(next((tmp_path / "out").rglob("data_dictionary.csv")))
    described = dictionary.loc[dictionary["table"] == "playbacks"].set_index("variable")
    assert described["description"].notna().all()


@pytest.mark.parametrize(
    ("text", "facts"),
    [('{"volume": 0.5, "muted": 0}', {"volume": 0.5, "muted": 0}), ('{"volume": 2}', {}),
     ('{"duration_s": "long", "played_s": NaN, "muted": true}', {}), ("[1]", {}), ("{", {}),
     ('{"note": "' + "x" * 2_000 + '", "volume": 1}', {})],
)  # fmt: skip
def test_a_browser_can_tell_only_what_can_be(text: str, facts: dict[str, Any]) -> None:
    assert json.loads(read_facts(text)) == facts


def test_withdrawal_deletes_what_was_played_and_a_receipt_shows_it(free: StudyFolder) -> None:
    with beginning(free) as client:
        page = go_on(client).text
        tell(client, "begin", page)
        (code,) = re.findall(r'class="code" dir="ltr">([^<]+)<', client.get("/receipt").text)
        hidden = forms(client.get("/receipt").text)[0].hidden
        data = client.post("/receipt", data={**hidden, "receipt": code}).json()
        assert data["recordings"][0]["plays"] == 1
        hidden = forms(client.get("/withdraw").text)[0].hidden
        client.post("/withdraw", data=hidden)
    with closing(free.store()) as store:
        assert len(store.frame("playbacks")) == 0


def test_another_file_than_the_declared_one_is_not_played(free: StudyFolder) -> None:
    assert set(free.study.media or {}) == {"tone.wav", "tone.vtt"}
    (free.path / "tone.wav").write_bytes(sound(hertz=880))
    with pytest.raises(ParameterError, match=r"tone\.wav .* digest"):
        application(free)
    (free.path / "tone.wav").unlink()
    with pytest.raises(ParameterError, match=r"tone\.wav is missing"):
        application(free)


@pytest.mark.parametrize(
    ("page", "sentence"),
    [('media = "tone.exe"', r"pages\[2\]\.media is 'tone\.exe'.*\.mp3"),
     ('media = "../tone.wav"', r"pages\[2\]\.media"),
     ('media = "other.wav"', "other.wav is missing"),
     ("once = true", r"pages\[2\]\.once is for sounds"), ("autoplay = true", "add media, or"),
     ('media = {en = "tone.wav", ar = "tone.txt"}', "tone.txt")],
)  # fmt: skip
def test_a_study_file_names_recordings_that_can_be_played(
    page: str, sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(ParameterError, match=sentence):
        study_of(tmp_path, page)


def test_every_language_can_have_a_recording_of_its_own(tmp_path: Path) -> None:
    other = sound(hertz=880)
    page = 'media = {en = "tone.wav", ar = "nagham.wav"}'
    study = study_of(tmp_path, page, files={"nagham.wav": other})
    both = replace(study.study, languages=("en", "ar"))
    (study.path / "study.toml").write_text(both.to_toml())
    opened = StudyFolder.open(study.path)
    with client_of(application(opened)) as client:
        begin(client, "/?language=ar")
        assert client.get(source(go_on(client).text)).content == other


def test_a_static_experiment_refuses_recordings_and_a_preview_leads_nowhere(
    free: StudyFolder, tmp_path: Path
) -> None:
    with pytest.raises(ParameterError, match="plays a sound or a film"):
        gf.study.jspsych(free.path, tmp_path / "static")
    gf.study.preview(free.path, tmp_path / "preview")
    pages = [path.read_text("utf-8") for path in (tmp_path / "preview").rglob("*.html")]
    assert any("<audio" in page for page in pages)
    assert not any("/media/" in page or "/playback" in page for page in pages)


def test_bots_take_a_study_with_recordings(free: StudyFolder) -> None:
    assert gf.study.simulate(free.path, persons=2, seed=1).to_dict()["finished"] == 2


def test_all_types_of_files_are_those_of_sounds_and_films() -> None:
    assert all(kind.startswith(("audio/", "video/")) for kind in KINDS.values())


# ---- in a real browser


@contextmanager
def listening(study: StudyFolder, broken: Sequence[bool] = ()) -> Iterator[Any]:
    """A browser at the page with the recording, after the button of the page before; as long as
    there is something in `broken`, no sound reaches it."""
    with (
        serving_app("gfactor.studies.questionnaires", study.path) as url,
        browser_page() as page,
    ):
        page.route("**/media/**", lambda way: way.abort() if broken else way.continue_())
        page.goto(url)
        page.check("input[name=agree]")
        page.click("button[type=submit]")
        page.wait_for_url(re.compile("/task"))
        page.click("button[type=submit]")
        page.wait_for_selector("#recording")
        yield page


def stored(study: StudyFolder, until: Callable[[Any], bool], page: Any) -> Any:
    """The row of the recording, once it is as it has to become."""
    rows: list[Any] = []
    for _ in range(300):
        with closing(study.store()) as store:
            rows = store.rows("playbacks", store.frame("participants")["code"].iloc[0])
        if rows and until(rows[0]):
            return rows[0]
        page.wait_for_timeout(100)
    raise AssertionError(rows)


def eventually(page: Any, expression: str) -> None:
    """Wait until an expression is true; the page's own policy lets no script look at it."""
    for _ in range(300):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(100)
    raise AssertionError(expression)


@pytest.mark.slow
def test_a_browser_plays_a_sound_once_and_its_page_goes_on(study: StudyFolder) -> None:
    with listening(study) as page:
        assert page.is_hidden("audio")
        page.click("#play")
        row = stored(study, lambda row: row["ends"] == 1, page)
        assert (row["plays"], json.loads(row["measured"])["duration_s"]) == (1, 1.0)
        assert 0.9 < row["ended"] - row["started"] < 60
        page.wait_for_selector("audio", state="detached")
        assert "has been played" in page.inner_text("#media-note")
        page.reload()
        assert "is not played again" in page.inner_text("#recording")
        assert accessibility_problems(page) == []
        page.fill("input[name=q-0]", "a tone")
        page.click("button[type=submit]")
        page.wait_for_selector("input[name=option]")


@pytest.mark.slow
def test_a_sound_is_fetched_again_when_the_network_is_back(study: StudyFolder) -> None:
    with listening(study, broken := [True]) as page:
        eventually(page, "document.querySelector('#status').textContent.includes('connection')")
        assert page.is_disabled("#play")
        broken.clear()
        page.wait_for_selector("#play:enabled")
        assert page.inner_text("#status") == ""


@pytest.mark.slow
def test_what_is_played_once_cannot_be_wound_back(tmp_path: Path) -> None:
    study = study_of(tmp_path, 'media = "tone.wav"\nonce = true', files={"tone.wav": sound(3.0)})
    with listening(study) as page:
        page.click("#play")
        eventually(page, "document.querySelector('audio')?.currentTime > 1")
        page.evaluate("document.querySelector('audio').currentTime = 0")
        page.wait_for_timeout(300)
        assert page.evaluate("document.querySelector('audio')?.currentTime ?? 3") > 0.9
        assert stored(study, lambda row: row["ends"] == 1, page)["plays"] == 1


@pytest.mark.slow
def test_a_sound_begins_after_the_button_with_controls_and_captions(tmp_path: Path) -> None:
    study = study_of(
        tmp_path, 'media = "tone.wav"\nautoplay = true', files={"tone.vtt": CAPTIONS.encode()}
    )
    with listening(study) as page:
        eventually(page, "document.querySelector('#caption').textContent === 'A tone of 440 Hz'")
        stored(study, lambda row: row["ends"] == 1, page)
        player = page.locator("audio")
        assert player.get_attribute("controls") is not None
        assert player.get_attribute("aria-label") == "Sound"
        assert accessibility_problems(page) == []
        page.evaluate("document.querySelector('audio').play()")
        assert stored(study, lambda row: row["ends"] == 2, page)["plays"] == 2


@pytest.mark.slow
def test_a_film_is_played_by_the_browsers_own_controls(tmp_path: Path) -> None:
    film(tmp_path / "film.webm")
    study = study_of(tmp_path, 'media = "film.webm"')
    with listening(study) as page:
        eventually(page, "document.querySelector('video').readyState >= 2")
        page.evaluate("document.querySelector('video').play()")
        assert stored(study, lambda row: row["ends"] == 1, page)["plays"] == 1
        assert accessibility_problems(page) == []


def test_without_scripts_the_players_own_controls_are_there(study: StudyFolder) -> None:
    with beginning(study) as client:
        page = go_on(client).text
    fallback = re.search(r"<noscript>(.*?)</noscript>", page, re.DOTALL)
    assert fallback
    assert f'controls src="{source(page)}"' in fallback[1]
