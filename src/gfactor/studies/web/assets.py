"""Pictures of items, styles and scripts; no file is looked up by a name from a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from gfactor.items import Image
from gfactor.studies.web.extras import need

_KINDS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)


def kind_of(data: bytes) -> str | None:
    """Return the type of a picture by its first bytes; None for content that a browser could
    execute, such as SVG."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for start, kind in _KINDS if data.startswith(start)), None)


def picture(images: Sequence[Image], number: int) -> Any:
    """Return the picture with a number (from 0) among `images`; status 404 if there is none, or a
    browser could execute it."""
    response = need("starlette.responses").Response
    image = images[number] if number < len(images) else None
    kind = kind_of(image.data) if image is not None else None
    if image is None or kind is None:
        return response(status_code=404)
    headers = {"cache-control": "private, max-age=86400, immutable"}
    return response(image.data, media_type=kind, headers=headers)


def static_route(package: str, kinds: Mapping[str, str]) -> Any:
    """Return the route /static/NAME for the files of `package`/static that `kinds` names with
    types."""
    response = need("starlette.responses").Response
    contents = {name: files(package).joinpath("static", name).read_bytes() for name in kinds}

    async def static(request: Any) -> Any:
        name = request.path_params["name"]
        if name not in contents:
            return response(status_code=404)
        headers = {"cache-control": "public, max-age=300"}
        return response(contents[name], media_type=kinds[name], headers=headers)

    return need("starlette.routing").Route("/static/{name:str}", static)
