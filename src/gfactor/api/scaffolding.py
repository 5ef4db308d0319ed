"""A package with a domain, family, benchmark, import format or estimator that works as it is."""

from __future__ import annotations

import builtins
import importlib.util
import io
import keyword
import re
import sys
import token as token_type
import tokenize
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from gfactor.errors import ParameterError, UnknownNameError

SCAFFOLDS = files("gfactor.api").joinpath("scaffolds")
"""A folder per kind. Its files work as they are, with the name `plugin_name`."""

KINDS = {
    "domain": "registered through the entry-point group gfactor.percept_v",
    "family": "registered through the entry-point group gfactor.chc",
    "benchmark": "registered through the entry-point group gfactor.benchmarks",
    "import": "registered through the entry-point group gfactor.imports",
    "estimator": "gfactor has no registry of estimators: import it, or propose it to gfactor",
}
"""Kinds of packages that can be created, with the way in which gfactor finds each."""

_LONGEST = 40


def scaffold(kind: str, name: str, *, folder: Path | str | None = None) -> list[Path]:
    """Create a package with a domain, a family, a benchmark, an import format or an estimator.

    The package works at once: it has a pyproject.toml, one module, one test that passes, and a
    README that says what to replace. All kinds except an estimator are registered by an entry
    point.

    Parameters
    ----------
    kind : str
        Kind of the package: "domain", "family", "benchmark", "import" (a format of logs) or
        "estimator".
    name : str
        Name of the domain, family, benchmark, format or function, of small letters, digits and
        underscores.
    folder : path, optional
        Folder to write, which must not exist yet; "gfactor-NAME" if None.

    Returns
    -------
    list of Path
        The files that were written.

    Raises
    ------
    UnknownNameError
        For another kind.
    ParameterError
        If the name is taken or cannot be the name of a module, or if the folder exists.

    Examples
    --------
    >>> import gfactor as gf
    >>> [path.name for path in gf.scaffold("estimator", "hedges_g")]
    ['README.md', 'hedges_g.py', 'pyproject.toml', 'test_hedges_g.py']
    """
    if kind not in KINDS:
        raise UnknownNameError("kind of thing to create", kind, KINDS)
    _check(kind, name)
    target = Path(folder or f"gfactor-{name.replace('_', '-')}")
    return [target / file for file in _write_scaffold(kind, name, target)]


def _write_scaffold(kind: str, name: str, folder: Path) -> list[str]:
    """Write the files of a kind under a name into a new folder; the names of the files.

    Raises ParameterError if the folder exists or cannot be made.
    """
    try:
        folder.mkdir(parents=True)
    except FileExistsError as error:
        raise ParameterError(f"{str(folder)!r} exists; name another folder") from error
    sources = SCAFFOLDS.joinpath(kind).iterdir()
    return sorted(_write(source, name, folder) for source in sources if source.is_file())


def _write(source: Traversable, name: str, folder: Path) -> str:
    file = folder / _named(source.name, name)
    file.write_text(_named(source.read_text("utf-8"), name), encoding="utf-8", newline="\n")
    return file.name


def _named(text: str, name: str) -> str:
    """Fill the name into a template's text, in the spelling of modules, packages and classes."""
    module, distribution = name.replace("-", "_"), name.replace("_", "-")
    text = text.replace("plugin_name", module).replace("plugin-name", distribution)
    return text.replace("PluginName", "".join(part.capitalize() for part in module.split("_")))


def _check(kind: str, name: str) -> None:
    """Raise ParameterError if a name cannot be the name of a module, or is in use."""
    hyphens = "-" if kind == "benchmark" else ""
    if len(name) > _LONGEST or not re.fullmatch(rf"[a-z][a-z0-9]*([_{hyphens}][a-z0-9]+)*", name):
        signs = "hyphens, underscores" if hyphens else "underscores"
        raise ParameterError(
            f"{name!r} cannot be the name of this {kind}; use at most {_LONGEST} small letters, "
            f"digits, {signs}, a letter first"
        )
    if _is_registered(kind, name):
        article = "an" if kind == "import" else "a"
        raise ParameterError(f"there is {article} {kind} {name!r} already; choose another name")
    module = _named("plugin_name", name)
    if (
        keyword.iskeyword(module)
        or module in sys.stdlib_module_names
        or importlib.util.find_spec(module) is not None
    ):
        raise ParameterError(f"{name!r} is the name of another Python module; choose another name")
    if kind == "estimator" and name.startswith("test"):
        raise ParameterError(
            f"{name!r}: pytest takes a function of this name for a test; rename it"
        )
    if kind == "estimator" and {module, _named("PluginName", name)} & _names_in_use(kind):
        raise ParameterError(f"{name!r} is already a name in the module; choose another name")


def _names_in_use(kind: str) -> set[str]:
    """The identifiers of a kind's module, and Python's own: an estimator is a name among them."""
    source = SCAFFOLDS.joinpath(kind, "plugin_name.py").read_text("utf-8")
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {token.string for token in tokens if token.type == token_type.NAME} | set(dir(builtins))


def _is_registered(kind: str, name: str) -> bool:
    if kind == "estimator":
        return False
    if kind == "domain":
        from gfactor.benchmarks.percept_v import DOMAINS  # noqa: PLC0415

        return name in DOMAINS
    if kind == "family":
        from gfactor.benchmarks.chc import FAMILIES  # noqa: PLC0415

        return name in FAMILIES
    if kind == "import":
        from gfactor.administration.imports import IMPORTS  # noqa: PLC0415

        return name.replace("_", "-") in {registered.replace("_", "-") for registered in IMPORTS}
    from gfactor.benchmarks import BENCHMARKS  # noqa: PLC0415

    return name.replace("_", "-") in {registered.replace("_", "-") for registered in BENCHMARKS}
