"""Templates of an application, with escaping on and safe markup at hand."""

from __future__ import annotations

from functools import cache
from typing import Any

from gfactor.studies.web.extras import need
from gfactor.studies.web.markup import to_html


@cache
def _html() -> Any:
    """A response whose headers are written at once."""

    class Html(need("starlette.responses").Response):
        def __init__(self, text: str, status: int) -> None:
            self.status_code, self.background = status, None
            self.body = text.encode()
            length = str(len(self.body)).encode()
            kind = b"text/html; charset=utf-8"
            self.raw_headers = [(b"content-length", length), (b"content-type", kind)]

    return Html


class Pages:
    """Templates of `package`/templates.

    In a template every value is escaped; `markup(text)` and `markup(text, inline=True)` are the
    only ways to HTML, and they clean what they get.
    """

    def __init__(self, package: str, **shared: Any) -> None:
        jinja2 = need("jinja2")
        self._environment = jinja2.Environment(
            loader=jinja2.PackageLoader(package),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self.safe = need("markupsafe").Markup
        self._environment.globals["markup"] = lambda text, inline=False: self.safe(
            to_html(str(text), inline=inline)
        )
        self._environment.globals.update(shared)

    def know(self, **shared: Any) -> None:
        """Add to what every template knows."""
        self._environment.globals.update(shared)

    def text(self, name: str, **values: Any) -> str:
        """The page as HTML."""
        return self._environment.get_template(name).render(**values)

    def response(self, name: str, status: int = 200, **values: Any) -> Any:
        """The page as a response."""
        return self.html(self.text(name, **values), status)

    def html(self, text: str, status: int = 200) -> Any:
        """HTML as a response."""
        return _html()(text, status)
