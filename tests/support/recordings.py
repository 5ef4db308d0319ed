"""A sound and a film for tests, made here."""

from __future__ import annotations

import io
import wave
from pathlib import Path

import numpy as np
import pytest

CAPTIONS = "WEBVTT\n\n00:00.000 --> 00:02.000\nA tone of 440 Hz\n"


def sound(seconds: float = 1.0, hertz: float = 440.0) -> bytes:
    """A sine as a WAV file of 8,000 samples a second."""
    times = np.arange(int(8_000 * seconds)) / 8_000
    samples = (8_000 * np.sin(2 * np.pi * hertz * times)).astype("<i2")
    stream = io.BytesIO()
    with wave.open(stream, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8_000)
        file.writeframes(samples.tobytes())
    return stream.getvalue()


def film(path: Path, seconds: float = 1.0) -> None:
    """Write a film of gray frames (WebM, VP8); skips the test where OpenCV cannot."""
    cv2 = pytest.importorskip("cv2")
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"VP80"), 10, (64, 64))
    for k in range(int(10 * seconds)):
        writer.write(np.full((64, 64, 3), 20 * k % 255, np.uint8))
    writer.release()
    if not path.is_file() or not path.stat().st_size:
        pytest.skip("OpenCV writes no WebM here")
