"""Pictures as SVG: what a canvas draws, written down as elements beside its pixels.

Within `recorded` every canvas also notes what is drawn on it, in the same sixteenths of a pixel.
If a ground is made of pixels (textures, specks) the SVG holds these as an image below its
shapes. Sizes are those of the raster picture; OpenCV's smoothed edges reach a little further than
the outline, which `EDGE` makes good.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from gfactor.imaging.png import encode_png

if TYPE_CHECKING:
    from gfactor.imaging.canvas import RGB, Pixels

_SUB = 16
"""Parts of a pixel in which coordinates are given."""

EDGE = 1.25
"""Width in pixels of the line round a filled shape that covers what OpenCV's smoothing adds."""

_WIDER = {0: 1.375, 1: 2.375}
"""Pixels by which OpenCV's smoothed lines are wider than asked for, if that is an even number and
if it is an odd one; lines of one pixel are wider by `_HAIR`. Measured: of all widths in steps of an
eighth these give the least difference between the pixels and the SVG."""

_HAIR = 0.25

Fixed = tuple[int, int]
"""A point in sixteenths of a pixel from the center of the top left one."""


class Drawing:
    """The SVG elements of a picture, in the order in which they are drawn."""

    def __init__(self, width: int, height: int, background: RGB) -> None:
        self.width, self.height = width, height
        self.elements = [f'<rect width="{width}" height="{height}" fill="{_hex(background)}"/>']

    def circle(self, center: Fixed, r: int, fill: RGB | None, outline: RGB | None, w: int) -> None:
        """Add a circle, filled, outlined or both."""
        x, y = map(_coordinate, center)
        for paint in _paints(fill, outline, w):
            self.elements.append(f'<circle cx="{x}" cy="{y}" r="{_number(r / _SUB)}" {paint}/>')

    def polygon(
        self, points: Sequence[Fixed], fill: RGB | None, outline: RGB | None, w: int
    ) -> None:
        """Add a closed polygon, filled, outlined or both."""
        for paint in _paints(fill, outline, w):
            self.elements.append(f'<polygon points="{_path(points)}" {paint}/>')

    def polyline(self, points: Sequence[Fixed], color: RGB, w: int) -> None:
        """Add an open line through points."""
        self.elements.append(f'<polyline points="{_path(points)}" {_stroke(color, w)}/>')

    def rectangle(self, x1: int, y1: int, x2: int, y2: int, fill: RGB) -> None:
        """Add a filled rectangle: columns x1 to x2 - 1, rows y1 to y2 - 1 of the pixels."""
        if x2 > x1 and y2 > y1:
            self.elements.append(
                f'<rect x="{x1}" y="{y1}" width="{x2 - x1}" height="{y2 - y1}" '
                f'fill="{_hex(fill)}"/>'
            )

    def ground(self, pixels: Pixels) -> None:
        """Replace everything drawn so far by an image of pixels."""
        self.elements = [_image(pixels)]

    def paste(self, other: Drawing, across: float = 1.0, down: float = 0.0) -> None:
        """Add another drawing, stretched by the factor `across` and moved `down` by pixels."""
        inner = "".join(other.elements)
        moved = f"translate(0 {_number(down)}) scale({across!r} 1)"
        self.elements.append(f'<g transform="{moved}">{inner}</g>')

    def svg(self) -> str:
        """Return the drawing as an SVG document."""
        size = f'width="{self.width}" height="{self.height}"'
        box = f'viewBox="0 0 {self.width} {self.height}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>'
        return "\n".join([head, *self.elements, "</svg>\n"])


Record = list[tuple["Pixels", Drawing]]

_RECORD: ContextVar[Record | None] = ContextVar("gfactor_drawings", default=None)


@contextmanager
def _recording() -> Iterator[Record]:
    record: Record = []
    token = _RECORD.set(record)
    try:
        yield record
    finally:
        _RECORD.reset(token)


def note(pixels: Pixels, drawing: Drawing) -> Drawing | None:
    """Record that `pixels` are drawn by `drawing`; return the drawing, or None if nothing is
    recorded."""
    record = _RECORD.get()
    if record is None:
        return None
    record.append((pixels, drawing))
    return drawing


def drawing_of(pixels: Pixels) -> Drawing:
    """Return the recorded drawing of these pixels, or an image of them if there is none."""
    for seen, drawing in reversed(_RECORD.get() or []):
        if seen is pixels:
            return drawing
    height, width = pixels.shape[:2]
    drawing = Drawing(width, height, (255, 255, 255))
    drawing.ground(pixels)
    return drawing


def note_stack(pixels: Pixels, top: Pixels, draw_below: Callable[[], Pixels]) -> None:
    """Record that `pixels` are `top`, stretched to their width, above a part that `draw_below`
    draws."""
    height, width = pixels.shape[:2]
    drawing = note(pixels, Drawing(width, height, (255, 255, 255)))
    if drawing is not None:
        drawing.paste(drawing_of(top), across=width / top.shape[1])
        drawing.paste(drawing_of(draw_below()), down=float(top.shape[0]))


def recorded(draw: Callable[[], Sequence[Pixels]]) -> list[str]:
    """Draw pictures and return each as an SVG document.

    Parameters
    ----------
    draw : callable
        Draws the pictures on canvases and returns their pixels.

    Returns
    -------
    list of str
        An SVG document for each picture, of the same size.

    Examples
    --------
    >>> from gfactor.imaging import Canvas, Frame
    >>> def draw():
    ...     canvas = Canvas(Frame(40, 30))
    ...     canvas.line(5, 5, 20, 5, (0, 0, 0), 3)
    ...     return [canvas.pixels]
    >>> print(recorded(draw)[0].splitlines()[2])
    <polyline points="5.5,5.5 20.5,5.5" fill="none" stroke="#000000" stroke-width="5.375" stroke-linecap="round" stroke-linejoin="round"/>
    """  # noqa: E501
    with _recording():
        return [drawing_of(pixels).svg() for pixels in draw()]


def _paints(fill: RGB | None, outline: RGB | None, w: int) -> list[str]:
    """The attributes of a shape's inside and of its outline, each drawn by itself."""
    paints = []
    if fill is not None:
        color = _hex(fill)
        edge = f'stroke="{color}" stroke-width="{_number(EDGE)}" stroke-linejoin="round"'
        paints.append(f'fill="{color}" {edge}')
    if outline is not None:
        paints.append(_stroke(outline, w))
    return paints


def _stroke(color: RGB, w: int) -> str:
    ends = 'stroke-linecap="round" stroke-linejoin="round"'
    return f'fill="none" stroke="{_hex(color)}" stroke-width="{_number(stroke_width(w))}" {ends}'


def stroke_width(w: int) -> float:
    """Return the actual width in pixels of OpenCV's smoothed lines of width `w`."""
    return w + (_HAIR if w <= 1 else _WIDER[w % 2])


def _path(points: Sequence[Fixed]) -> str:
    return " ".join(f"{_coordinate(x)},{_coordinate(y)}" for x, y in points)


def _coordinate(fixed: int) -> str:
    """A coordinate: pixels count from their corner in SVG, and from their center in OpenCV."""
    return _number(fixed / _SUB + 0.5)


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _hex(color: RGB) -> str:
    return "#{:02x}{:02x}{:02x}".format(*map(int, color))


def _image(pixels: Pixels) -> str:
    height, width = pixels.shape[:2]
    data = base64.b64encode(encode_png(pixels)).decode()
    return f'<image width="{width}" height="{height}" href="data:image/png;base64,{data}"/>'
