"""The plan of a picture with panels of the question above lettered options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.imaging.canvas import RGB, Canvas, Frame, Pixels

LETTER, GAP, MARGIN = 34, 12, 12
"""Pixels: height for an option's letter, distance between panels, margin of the picture."""

INK: RGB = (0, 0, 0)
FRAME_COLOR: RGB = (150, 150, 150)


@dataclass(frozen=True)
class Panel:
    """A rectangle of a picture: its left and top edge, width and height, in pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def middle(self) -> tuple[int, int]:
        """Return the middle of the panel, from the left and from the top of the picture."""
        return self.x + self.width // 2, self.y + self.height // 2

    def of(self, pixels: Pixels) -> Pixels:
        """Return the pixels in the panel, without its frame."""
        x, y = self.x + 2, self.y + 2
        return pixels[y : y + self.height - 4, x : x + self.width - 4]


@dataclass(frozen=True)
class Board:
    """Panels of the question, side by side, above lettered options.

    Parameters
    ----------
    panel_sizes: width and height of each panel of the question, in pixels.
    options: number of lettered panels below; 0 if there are none.
    option: width and height of an option, in pixels.
    across: number of options in a row.
    """

    panel_sizes: Sequence[tuple[int, int]]
    options: int = 0
    option: tuple[int, int] = (150, 150)
    across: int = 4

    @property
    def _widths(self) -> tuple[int, int]:
        above = sum(w for w, _ in self.panel_sizes) + GAP * (len(self.panel_sizes) - 1)
        count = min(self.options, self.across)
        return above, max(0, count * self.option[0] + GAP * (count - 1))

    @property
    def width(self) -> int:
        """Return the width of the picture in pixels."""
        return max(self._widths) + 2 * MARGIN

    @property
    def height(self) -> int:
        """Return the height of the picture in pixels."""
        rows = -(-self.options // self.across)
        above = max(h for _, h in self.panel_sizes)
        return above + 2 * MARGIN + rows * (LETTER + self.option[1])

    @property
    def panels(self) -> tuple[Panel, ...]:
        """Return the panels of the question, from left to right."""
        left, out = (self.width - self._widths[0]) // 2, []
        for width, height in self.panel_sizes:
            out.append(Panel(left, MARGIN, width, height))
            left += width + GAP
        return tuple(out)

    @property
    def option_panels(self) -> tuple[Panel, ...]:
        """Return the panels of the options, A first."""
        top = MARGIN + max(h for _, h in self.panel_sizes) + LETTER
        left = (self.width - self._widths[1]) // 2
        width, height = self.option
        return tuple(
            Panel(
                left + k % self.across * (width + GAP),
                top + k // self.across * (height + LETTER),
                width,
                height,
            )
            for k in range(self.options)
        )

    def canvas(self) -> Canvas:
        """Return white paper with the panels' frames and the letters of the options."""
        canvas = Canvas(Frame(self.width, self.height))
        for panel in (*self.panels, *self.option_panels):
            _frame(canvas, panel)
        for k, panel in enumerate(self.option_panels):
            canvas.text(panel.middle[0], panel.y - 14, chr(ord("A") + k), 18, INK, 2)
        return canvas


def _frame(canvas: Canvas, panel: Panel) -> None:
    x, y, right, bottom = panel.x, panel.y, panel.x + panel.width, panel.y + panel.height
    canvas.rectangle(x, y, right, y + 2, FRAME_COLOR)
    canvas.rectangle(x, bottom - 2, right, bottom, FRAME_COLOR)
    canvas.rectangle(x, y, x + 2, bottom, FRAME_COLOR)
    canvas.rectangle(right - 2, y, right, bottom, FRAME_COLOR)
