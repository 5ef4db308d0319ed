"""gfactor study preview: write every page of a study as a file.

gfactor study preview study/ -o preview/
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "study.preview",
    sentences=lambda count, path, **_: f"{count} pages: {path / 'index.html'}",
    document=lambda count, path, **_: {"pages": count, "index": str(path / "index.html")},
)  # fmt: skip
