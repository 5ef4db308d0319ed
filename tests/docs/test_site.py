"""The site, the guide for contributors and a release say what is there: pages, links, versions."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import yaml

import gfactor
from gfactor.benchmarks.chc import FAMILIES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
TARGET = re.compile(r"\]\(([^)\s]+)\)")


def loaded(file: Path) -> ModuleType:
    """A script, as a module."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def settings() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))


def leaves(entries: Any) -> Iterator[str]:
    """The pages of a navigation, in its order."""
    for entry in entries if isinstance(entries, list) else [entries]:
        if isinstance(entry, dict):
            for inner in entry.values():
                yield from leaves(inner)
        else:
            yield entry


def prose(page: Path) -> str:
    """A page's text without its code."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as Python-Markdown's table of contents makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ +(.+?)\s*$", text, re.MULTILINE)
    kept = [re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings]
    return {re.sub(r"[-\s]+", "-", heading) for heading in kept}


def test_every_page_is_in_the_navigation_once() -> None:
    shown = list(leaves(settings()["nav"]))
    assert sorted(shown) == [page.relative_to(DOCS).as_posix() for page in PAGES]


def test_the_index_leads_to_every_page() -> None:
    linked = {target.partition("#")[0] for target in TARGET.findall(prose(DOCS / "index.md"))}
    assert {page.relative_to(DOCS).as_posix() for page in PAGES} - {"index.md"} <= linked


def test_the_user_part_is_read_in_an_afternoon() -> None:
    counts = loaded(DOCS / "counts.py")
    pages = counts.user_pages(DOCS)
    assert DOCS / "index.md" in pages
    assert DOCS / "tutorials" / "people.md" in pages
    assert not {DOCS / "cli.md", DOCS / "evidence" / "coverage.md"} & set(pages)
    assert len(pages) <= 45
    assert sum(map(counts.words, pages)) <= 60_000


@pytest.mark.thorough
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_to_a_page_and_a_heading(page: Path) -> None:
    for target in TARGET.findall(prose(page)):
        if target.startswith(("https://", "mailto:")):
            continue
        file, _, anchor = target.partition("#")
        found = (page.parent / file).resolve() if file else page
        assert found.is_relative_to(DOCS), f"{page.name} links to {target}, outside the site"
        assert found.is_file(), f"{page.name} links to {target}"
        assert not anchor or anchor in anchors(found), f"{page.name} links to {target}"


def test_the_site_asks_for_nothing_from_elsewhere() -> None:
    site = settings()
    assert site["theme"]["font"] is False
    assert "extra_javascript" not in site
    assert all((DOCS / name).is_file() for name in site["extra_css"])
    assert not re.search(r"url\(|@import|https?:", (DOCS / "site.css").read_text("utf-8"))
    assert "http" not in str({key: site[key] for key in ("theme", "plugins")})
    for page in PAGES:
        assert not re.search(r"!\[[^]]*\]\(http|<(?:img|script|link)\b", prose(page)), page.name


@pytest.mark.slow
def test_the_site_has_all_items_in_words_and_all_sentences() -> None:
    catalogs = loaded(DOCS / "catalogs.py")
    config = catalogs.on_config(SimpleNamespace(nav=settings()["nav"]))
    made = catalogs.batteries_page.catalogs()
    assert set(made) <= set(leaves(config.nav))
    for content in made.values():
        for family in FAMILIES:
            assert f"\n## {family}\n" in content


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script that makes the reference, loaded without the extra `docs`."""
    for name, content in {
        "griffe": {"Extension": object},
        "mkdocs": {},
        "mkdocs.config": {},
        "mkdocs.config.defaults": {"MkDocsConfig": dict},
        "mkdocs.structure": {},
        "mkdocs.structure.files": {"File": None, "Files": None},
    }.items():
        module = ModuleType(name)
        module.__dict__.update(content)
        monkeypatch.setitem(sys.modules, name, module)
    return loaded(DOCS / "api_pages.py")


def test_the_reference_has_every_package_with_public_names(api: ModuleType) -> None:
    found = api.packages()
    assert set(found) == set(api.PUBLIC)
    for package in api.PUBLIC:
        assert found[package] == list(importlib.import_module(package).__all__)
        assert found[package]
    assert "gfactor.api.study.md" in api.page("gfactor", ["study"])
    config = api.on_config(SimpleNamespace(nav=[{"Reference": [{"Python API": []}]}]))
    assert sorted(leaves(config.nav)) == sorted(map(api.address, found))


@pytest.mark.slow
def test_the_reference_finds_where_a_name_is_defined(api: ModuleType) -> None:
    assert api.defined("gfactor.items", "ItemBank") == ("gfactor.items.bank", "ItemBank", True)
    assert "\n::: gfactor.items.bank.ItemBank\n" in api.page("gfactor.items", ["ItemBank"])
    # A function of a submodule, a name loaded later, and one of several in a statement.
    assert api.defined("gfactor.benchmarks.selection", "select")[0].endswith("selection.selecting")
    assert api.defined("gfactor.psychometrics", "wilson")[0].endswith("inference.intervals")
    assert not api.defined("gfactor.imaging", "GLYPH_HEIGHT")[2]
    for package, names in api.packages().items():
        for name in names:
            if f"{package}.api.{name}" in api.PUBLIC:
                continue
            module, inner, _ = api.defined(package, name)
            offered = getattr(importlib.import_module(package), name)
            assert getattr(importlib.import_module(module), inner) is offered, f"{package}.{name}"


def test_parameters_are_put_as_numpydoc_has_them(api: ModuleType) -> None:
    assert api.numpydoc(
        "A line: as it is.\n\nParameters\n----------\na, b: two things,\n    in order.\n*c: more.\n"
    ) == (
        "A line: as it is.\n\nParameters\n----------\na, b\n    two things,\n    in order.\n"
        "*c\n    more.\n"
    )


def test_what_the_guide_for_contributors_names_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = re.findall(r"`((?:src|tests|docs|benchmarks)/[\w./]*)`", text)
    assert len(named) > 20
    for name in named:
        assert (ROOT / name).exists(), f"CONTRIBUTING.md names {name}"
    for target in TARGET.findall(text):
        assert (ROOT / target).exists(), f"CONTRIBUTING.md links to {target}"
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for goal in set(re.findall(r"`?\bmake ([a-z][a-z-]+)", text)):
        assert f"\n{goal}:" in makefile, f"CONTRIBUTING.md says make {goal}"


def test_a_file_of_the_code_that_a_page_names_is_there() -> None:
    """Such as `alignment.py`."""
    known = {
        path.name
        for folder in ("src", "docs", "tests", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
    }
    named = {
        (page.name, name)
        for page in [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "README.md"]
        for name in re.findall(r"`(?:[\w/]+/)?(\w+\.py)`", page.read_text("utf-8"))
    }
    assert ("benchmarks.md", "alignment.py") in named
    assert not [(page, name) for page, name in sorted(named) if name not in known]


def test_one_version_stands_in_every_file() -> None:
    assert set(loaded(ROOT / ".ci" / "release_notes.py").versions().values()) == {
        gfactor.__version__
    }


def test_a_release_takes_its_notes_from_the_changelog_and_refuses_what_is_not_ready(
    tmp_path: Path,
) -> None:
    release = loaded(ROOT / ".ci" / "release_notes.py")
    (tmp_path / "src" / "gfactor").mkdir(parents=True)
    (tmp_path / "src" / "gfactor" / "__init__.py").write_text('__version__ = "1.2.0"\n')
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\n')
    (tmp_path / "CITATION.cff").write_text("version: 1.1.0\n")
    changelog = (
        "# Changelog\n\n## 1.2.0 (2026-01-02)\n\n- New.\n\n## 1.1.0 (unreleased)\n\n- Old.\n"
    )
    (tmp_path / "CHANGELOG.md").write_text(changelog)
    assert release.notes(changelog, "1.2.0") == "- New."
    assert release.flaws("1.2.0", tmp_path) == ["CITATION.cff has version 1.1.0, not 1.2.0"]
    assert "CHANGELOG.md calls 1.1.0 unreleased; put the date there" in release.flaws(
        "1.1.0", tmp_path
    )
    assert "CHANGELOG.md says nothing of 2.0.0" in release.flaws("2.0.0", tmp_path)


def test_workflows_hold_no_secret_and_run_what_the_makefile_has() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for file in (ROOT / ".github" / "workflows").glob("*.yml"):
        text = file.read_text("utf-8")
        assert yaml.safe_load(text)["jobs"]
        assert "secrets." not in text
        for goal in re.findall(r"run: make ([a-z-]+)", text):
            assert f"\n{goal}:" in makefile, f"{file.name} runs make {goal}"


def test_who_is_cited_and_what_a_commit_runs() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert citation["title"] == project["name"]
    assert citation["license"] == project["license"]
    assert citation["authors"] == project["authors"]
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    assert {repository["repo"] for repository in hooks} == {"local"}
    assert {hook["language"] for repository in hooks for hook in repository["hooks"]} == {"system"}


def luminance(color: str) -> float:
    """Relative luminance of #rrggbb (WCAG 2)."""
    shares = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


GROUNDS = {"default": "#f5f5f5", "slate": "#272a35"}
"""Grounds of code in the theme's two schemes."""


def test_the_sites_own_colors_have_contrast_in_light_and_dark() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert settings()["extra_css"] == ["site.css"]
    style = (DOCS / "site.css").read_text("utf-8")
    for scheme, ground in GROUNDS.items():
        (block,) = re.findall(
            rf'^\[data-md-color-scheme="{scheme}"\] \{{(.*?)\}}', style, re.M | re.S
        )
        colors = re.findall(r"(--md-code-\S+): (#\w{6});", block)
        assert len(colors) >= 4
        assert all(contrast(color, ground) >= 4.5 for _, color in colors), scheme
