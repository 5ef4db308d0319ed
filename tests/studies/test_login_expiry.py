"""An owner stays logged in for twelve hours, and not longer."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from support.studies import PASSWORD, client_of, make_study

from gfactor.studies.questionnaires import application
from gfactor.studies.questionnaires.pages import context
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.web import Logins

HOUR = 3600


def test_a_session_of_the_owner_ends_after_twelve_hours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(context, "Logins", partial(Logins, clock=lambda: now[0]))
    app = application(make_study(tmp_path, count=3, checks=0))

    def where() -> str:
        return client.get("/owner").url.path

    with client_of(app) as client:
        assert where() == "/owner/login"
        login = forms(client.get("/owner/login").text)[0]
        client.post("/owner/login", data={**login.hidden, "password": PASSWORD})
        assert where() == "/owner"
        now[0] = 12 * HOUR - 1
        assert where() == "/owner"
        now[0] = 12 * HOUR + 1
        assert where() == "/owner/login"
        now[0] = 1000 * HOUR
        assert where() == "/owner/login"
