"""A progress bar is drawn on every terminal, also on one that does not know its size."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import sys
import termios

import pytest

from gfactor.api.inputs.progress_bars import counter


@pytest.mark.parametrize("size", [(0, 0), (24, 100)])
def test_a_bar_is_drawn_on_a_terminal_of_any_size(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    reading, writing = pty.openpty()
    os.set_blocking(reading, False)
    fcntl.ioctl(writing, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    with os.fdopen(writing, "w") as terminal, os.fdopen(reading, "rb", 0) as screen:
        monkeypatch.setattr(sys, "stderr", terminal)
        with counter(10, "openai:m") as bar:
            bar.start_t -= 2  # A bar appears after a second, and is drawn ten times a second.
            bar.last_print_t -= 2
            bar.update(5)
            drawn = (screen.read(4096) or b"").decode()
    assert "openai:m:  50%|" in drawn
