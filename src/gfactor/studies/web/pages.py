"""Templates of an application, with escaping on and safe markup at hand."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from typing import Any

from gfactor.studies.web.bounded import Bounded
from gfactor.studies.web.extras import need
from gfactor.studies.web.gaps import Gaps, Pieces, filled
from gfactor.studies.web.markup import to_html

MOST_PAGES = 1_000
"""Largest number of pages with gaps in memory."""


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


@cache
def _compiled() -> Any:
    """The code of the templates that were compiled in this process: each is compiled once for all
    languages and studies."""
    codes: dict[tuple[str, str], Any] = {}

    class Compiled(need("jinja2").BytecodeCache):
        def load_bytecode(self, bucket: Any) -> None:
            bucket.code = codes.get((bucket.key, bucket.checksum))

        def dump_bytecode(self, bucket: Any) -> None:
            codes[bucket.key, bucket.checksum] = bucket.code

    return Compiled()


class Pages:
    """Templates of `package`/templates.

    Templates escape every value. Only `markup(text)` and `markup(text, inline=True)` insert HTML,
    and they clean it first.
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
            bytecode_cache=_compiled(),
        )
        self._gaps = Gaps()
        self._pieces: dict[Hashable, Pieces] = Bounded(MOST_PAGES)
        self.safe, self._escape = need("markupsafe").Markup, need("markupsafe").escape
        self._environment.globals["markup"] = lambda text, inline=False: self.safe(
            to_html(str(text), inline=inline)
        )
        self._environment.globals.update(shared)

    def know(self, **shared: Any) -> None:
        """Add values that every template can use."""
        self._environment.globals.update(shared)

    def compile(self, names: Iterable[str]) -> None:
        """Compile templates now, so that nobody waits for it later."""
        for name in names:
            self._environment.get_template(name)

    def text(self, name: str, **values: Any) -> str:
        """Return the page as HTML."""
        return self._environment.get_template(name).render(**values)

    def filled(
        self, name: str, gaps: Mapping[str, object], key: Hashable = (), **values: Any
    ) -> str:
        """Return the page as HTML, rendered once.

        Parameters
        ----------
        name: name of the template.
        gaps: values that differ between calls and are filled into the rendered page; the template
            may only write them.
        key: identifier of the other values, under which the rendered page is cached.
        values: the other values.
        """
        piece_key = name, key
        pieces = self._pieces.get(piece_key)
        if pieces is None:
            marks = {gap: self._gaps.mark(k) for k, gap in enumerate(gaps)}
            text = self.text(name, **{**values, **marks})
            pieces = self._pieces[piece_key] = self._gaps.pieces(text)
        return filled(pieces, [str(self._escape(value)) for value in gaps.values()])

    def response(self, name: str, status: int = 200, **values: Any) -> Any:
        """Return the page as a response."""
        return self.html(self.text(name, **values), status)

    def html(self, text: str, status: int = 200) -> Any:
        """Return HTML as a response."""
        return _html()(text, status)
