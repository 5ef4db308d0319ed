"""Figures of a leaderboard as small SVG files, drawn here: hundreds of them in seconds.

Reports draw with matplotlib; a figure of that takes a second and 50 kB, one of these a millisecond
and 3 kB. They follow the reader's dark or light setting.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from gfactor.escaping import visible

ROW = 18
NAMES, PLOT, MARGIN, PAD = 228, 220, 52, 8
"""Widths in pixels: a figure with long names is as wide as a phone can show legibly."""

_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#1f252b}.s{fill:#5b6470}"
    "path{stroke:#0b5fa5;fill:none;stroke-width:1.5}.r{stroke:#b3541e}.g{stroke:#8a929b;"
    "stroke-width:1}.c{stroke-dasharray:4 3}"
    ".d{stroke-width:7;stroke-linecap:round}circle{fill:#0b5fa5}.o{fill:#b3541e}"
    "rect{fill:#0b5fa5;fill-opacity:.14}"
    # The width is that of the picture on the page: letters of a narrow picture shrink with it.
    "@media(max-width:440px){text{font-size:13.5px}}"
    "@media(prefers-color-scheme:dark){text{fill:#e4e6e8}.s{fill:#aab1b9}path{stroke:#7db7e8}"
    "circle{fill:#7db7e8}.r{stroke:#e0915f}.o{fill:#e0915f}.g{stroke:#6b737b}"
    "rect{fill:#7db7e8}}"
)


@dataclass(frozen=True)
class FigureLine:
    """A row of a figure: a name, a value with its interval (0 to 1; NaN for none), the text after
    it, True for a reference, and the position of a tick for its own chance level."""

    name: str
    value: float
    low: float
    high: float
    note: str = ""
    reference: bool = False
    chance: float = math.nan


def intervals(
    title: str,
    lines: Sequence[FigureLine],
    *,
    chance: float = math.nan,
    band: tuple[float, float] | None = None,
) -> bytes:
    """Draw values with intervals, a row each, from 0 to 100 %.

    Parameters
    ----------
    title : str
        Description for people who cannot see the drawing.
    lines : sequence of FigureLine
        Lines from the top.
    chance : float
        Position of a dashed line; none for NaN.
    band : pair of float, optional
        A shaded range: people.
    """
    height = ROW * len(lines) + 34
    parts = [
        _text(NAMES + PLOT * k / 4, height - 6, f"{25 * k} %", "middle", "s") for k in range(5)
    ]
    parts.append(_path([f"M{_at(k / 4)} 4V{height - 22}" for k in range(5)], "g"))
    if band is not None and all(map(math.isfinite, band)):
        low, high = band
        parts.append(
            f'<rect x="{_at(low)}" y="4" width="{_short((high - low) * PLOT)}" '
            f'height="{height - 26}"/>'
        )
    if math.isfinite(chance):
        parts.append(_path([f"M{_at(chance)} 4V{height - 22}"], "g c"))
    for reference in (False, True):
        parts += _drawn(lines, reference)
    ticks = [f"M{_at(one.chance)} {ROW * k + 7}v12" for k, one in enumerate(lines)
             if math.isfinite(one.chance)]  # fmt: skip
    if ticks:
        parts.append(_path(ticks, "g"))
    for k, line in enumerate(lines):
        y = ROW * k + 17
        parts.append(_text(NAMES - PAD, y, _cut(line.name), "end"))
        if line.note:
            parts.append(_text(NAMES + PLOT + PAD, y, line.note, "start", "s"))
    unused = NAMES - min(
        NAMES, max((_width(_cut(line.name)) for line in lines), default=0) + 2 * PAD
    )
    return _svg(title, NAMES + PLOT + MARGIN, height, parts, left=unused)


_LETTER_WIDTHS = dict.fromkeys("ijlIJ.,:;'|!", 4.0) | dict.fromkeys("frt-()[]/ ", 5.0)
_LETTER_WIDTHS |= dict.fromkeys("ABCDEFGHKLNOPQRSTUVXYZ&w", 9.5)
_LETTER_WIDTHS |= dict.fromkeys("mMW@%\N{HORIZONTAL ELLIPSIS}#+<=>^~", 12.0)
"""Widths of letters of 12 pixels in a wide font; all others take `_LETTER`, East Asian ones
`_WIDE`."""
_LETTER, _WIDE = 7.7, 14.0
_ON_PHONES = 13.5 / 12
"""Size of letters in a narrow picture (`_STYLE`), relative to that in a wide one."""


def _width(name: str) -> int:
    """Estimate the largest width of a name in pixels; readers' fonts differ."""
    wide = (unicodedata.east_asian_width(letter) in "FW" for letter in name)
    widths = (
        _WIDE if east_asian else _LETTER_WIDTHS.get(letter, _LETTER)
        for letter, east_asian in zip(name, wide, strict=True)
    )  # fmt: skip
    return math.ceil(_ON_PHONES * sum(widths))


def _drawn(lines: Sequence[FigureLine], reference: bool) -> list[str]:
    steps, dots = [], []
    for k, line in enumerate(lines):
        if line.reference != reference or not math.isfinite(line.value):
            continue
        y = ROW * k + 13
        if math.isfinite(line.low) and math.isfinite(line.high):
            steps.append(f"M{_at(line.low)} {y}H{_at(line.high)}")
        dots.append(f"M{_at(line.value)} {y}h0")
    color = "r" * reference
    return [_path(paths, f"{color}{more}".strip())
            for paths, more in ((steps, ""), (dots, " d")) if paths]  # fmt: skip


def curve(
    title: str,
    theta: Sequence[float],
    probability: Sequence[float],
    points: Iterable[tuple[float, float]] = (),
) -> bytes:
    """Return an item's curve: the expected share of its points against ability, with observed
    scores.

    Parameters
    ----------
    title : str
        Description for people who cannot see the drawing.
    theta, probability : sequence of float
        The curve.
    points : pairs of float
        Ability and score of runs.
    """
    width, height, left, bottom = 420, 200, 40, 30
    span = theta[-1] - theta[0]

    def at(x: float, y: float) -> tuple[str, str]:
        return (
            _short(left + (x - theta[0]) / span * (width - left - 10)),
            _short(8 + (1 - y) * (height - bottom - 8)),
        )

    parts = [_path([f"M{at(theta[0], y)[0]} {at(0, y)[1]}H{width - 10}" for y in (0, 0.5, 1)], "g")]
    parts += [_text(left - 4, float(at(0, y)[1]) + 4, f"{y:.0%}", "end", "s") for y in (0, 0.5, 1)]
    ticks = range(math.ceil(theta[0]), math.floor(theta[-1]) + 1, 2)
    parts += [_text(float(at(x, 0)[0]), height - 10, f"{x:g}", "middle", "s") for x in ticks]
    corners = [" ".join(at(x, y)) for x, y in zip(theta, probability, strict=True)]
    parts.append(_path(["M" + "L".join(corners)], ""))
    for x, y in points:
        if theta[0] <= x <= theta[-1]:
            cx, cy = at(x, y)
            parts.append(f'<circle class="o" cx="{cx}" cy="{cy}" r="3"/>')
    return _svg(title, width, height, parts)


def _svg(title: str, width: int, height: int, parts: Iterable[str], left: int = 0) -> bytes:
    shape = f'viewBox="{left} 0 {width - left} {height}" width="{width - left}" height="{height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {shape} role="img">'
        f"<title>{escape(visible(title))}</title>"
        f"<style>{_STYLE}</style>{''.join(parts)}</svg>\n"
    ).encode()


def _path(steps: Iterable[str], style: str) -> str:
    named = f' class="{style}"' if style else ""
    return f'<path{named} d="{"".join(steps)}"/>'


def _text(x: float, y: float, text: str, anchor: str, style: str = "") -> str:
    named = f' class="{style}"' if style else ""
    words = escape(visible(text))
    return f'<text{named} x="{_short(x)}" y="{_short(y)}" text-anchor="{anchor}">{words}</text>'


def _at(share: float) -> str:
    return _short(NAMES + PLOT * min(max(share, 0.0), 1.0))


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _cut(name: str) -> str:
    """Return a name that fits beside the plot: its middle is left out if it is too wide."""
    room, start = NAMES - 2 * PAD, len(name) - 7
    text = name
    while _width(visible(text)) > room and start > 0:
        start -= 1
        text = f"{name[:start]}\N{HORIZONTAL ELLIPSIS}{name[-7:]}"
    return text
