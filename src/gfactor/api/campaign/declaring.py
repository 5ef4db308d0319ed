"""campaign.toml: banks, models, servers, conditions, budgets; read strictly."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gfactor.administration import Condition
from gfactor.administration.asking.preparing import Files
from gfactor.administration.presenting.condition import DESCRIBED
from gfactor.api.asking.administering import Presentation
from gfactor.api.campaign.grid import cells_of, conditions_of
from gfactor.api.campaign.strict import StrictTable
from gfactor.benchmarks import BENCHMARKS
from gfactor.errors import GfactorError, UnknownNameError
from gfactor.examinees import EXAMINEES, Spec
from gfactor.examinees.http import Endpoint, TokenPrice
from gfactor.examinees.http.batches import DISCOUNT, FORMATS, LONGEST_WAIT_S
from gfactor.examinees.image_limits import ImageLimit
from gfactor.items.toml_files import read_toml


@dataclass(frozen=True)
class BankEntry:
    """A bank of a campaign: a file, or the `benchmark` and `options` from which it is built."""

    name: str
    path: Path
    sample: int | None = None
    benchmark: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ServerEntry:
    """A server of models, with the limits that all its models share.

    `endpoint` has address, attempts and limits; its `model` and `key` are empty. `batch` names the
    format of the batch API that is used instead of single requests; "" for none. `batch_tokens` is
    the largest number of tokens in the vendor's queue; None to learn it from refusals.
    `batch_search_s` is the time in seconds to wait for a batch whose id never arrived, when
    nothing else is left to do, `batch_wait_s` that to wait for the end of a batch. `given_up` are
    the vendor's ids of batches that are lost.
    """

    name: str
    endpoint: Endpoint
    key_env: str = ""
    batch: str = ""
    batch_size: int = 1000
    poll_s: float = 30.0
    batch_tokens: int | None = None
    batch_search_s: float = 3600.0
    batch_wait_s: float = LONGEST_WAIT_S
    given_up: tuple[str, ...] = ()


@dataclass(frozen=True)
class ModelEntry:
    """A model of a campaign with server, price (of batches, if these are used) and own limits."""

    name: str
    spec: Spec
    server: ServerEntry | None = None
    price: TokenPrice | None = None
    budget: float | None = None
    limits: Mapping[str, int] = field(default_factory=dict)
    image_limit: ImageLimit | None = None

    @property
    def endpoint(self) -> Endpoint:
        """Return the endpoint of the model, without the key."""
        base = self.server.endpoint if self.server else Endpoint("")
        own_limits = {name: self.limits.get(name, 0) for name in ("rpm", "tpm")}
        most = min(self.limits.get("max_in_flight", base.max_in_flight), base.max_in_flight)
        return replace(
            base, model=self.spec.argument, max_in_flight=most, image_limit=self.image_limit,
            **own_limits,
        )  # fmt: skip


@dataclass(frozen=True)
class CampaignFile:
    """A campaign as its file declares it.

    `cells` are (bank, model, condition) by their names and keys, without those that are excluded.
    """

    path: Path
    name: str
    journal: str
    occasions: int
    seed: int
    budget: float | None
    banks: tuple[BankEntry, ...]
    models: tuple[ModelEntry, ...]
    conditions: Mapping[str, Condition]
    cells: tuple[tuple[str, str, str], ...]
    files: Files
    captions_by: str | None

    def given(self, condition: Condition) -> Presentation:
        """Return a condition with the files that it uses."""
        described = condition.images in DESCRIBED
        files = Files(
            self.files.packs,
            self.files.captions if described else None,
            None,
            self.files.knowledge if condition.knowledge else None,
            self.files.shots_from if condition.shots else None,
        )
        return Presentation(condition, files, self.captions_by if described else None)


def read_campaign(path: Path | str) -> CampaignFile:
    """Return the campaign that a file declares.

    Raises ParameterError, with the file and the key, for everything that is unknown, missing,
    given twice or out of range, and for files that do not exist.
    """
    path = Path(path)
    table, _ = read_toml(path, "campaign file")
    top = StrictTable(path, "", table)
    general = top.table("campaign")
    journal = general.text("journal", f"{path.stem}.db")
    banks = tuple(_unique(top, "banks", map(_bank, top.tables("banks"))))
    servers = {name: _server(name, part) for name, part in top.named_tables("servers")}
    models = tuple(_unique(top, "models", (_model(t, servers) for t in top.tables("models"))))
    grid = top.table("conditions")
    conditions = conditions_of(grid)
    excluded = list(top.tables("exclude", required=False))
    names = [b.name for b in banks], [m.name for m in models]
    cells = cells_of(top, *names, conditions, excluded)
    materials = top.table("materials")
    read = CampaignFile(
        path,
        general.text("name", path.stem),
        journal if "://" in journal else str(path.parent / journal),
        general.whole("occasions", 1, least=1),
        general.whole("seed", 0, least=0),
        general.money("budget"), banks, models, conditions,
        cells, _files(materials), _captioner(materials, models),
    )  # fmt: skip
    for part in (general, materials, top):
        part.end()
    _check_budgets(read, general)
    _check_materials(read, materials)
    return read


def _files(materials: StrictTable) -> Files:
    captions = materials.file("captions", must_exist=False)
    knowledge, shots_from = materials.file("knowledge"), materials.file("shots_from")
    return Files(tuple(materials.files("packs")), captions, None, knowledge, shots_from)


def _captioner(materials: StrictTable, models: Sequence[ModelEntry]) -> str | None:
    name = materials.text("captions_by", "")
    if name and name not in {model.name for model in models}:
        raise materials.error("captions_by", f"no model is called {name!r}")
    return name or None


def _check_budgets(read: CampaignFile, general: StrictTable) -> None:
    reached = [model for model in read.models if model.server]
    for model in reached:
        if model.price is None and (read.budget is not None or model.budget is not None):
            key = "budget" if model.budget is None else f"budget of model {model.name!r}"
            raise general.error(
                key,
                f"model {model.name!r} has no price, which a budget needs; if it costs nothing, "
                "write price = {input = 0, output = 0}",
            )


def _bank(table: StrictTable) -> BankEntry:
    path, benchmark = table.path_of("path"), table.text("build", "")
    options = table.plain_table("options")
    if "seed" in table:
        options["seed"] = table.whole("seed", 0, least=0)
    sample = table.whole("sample", 0, least=1) if "sample" in table else None
    name = table.text("name", path.stem)
    if benchmark:
        _check_options(table, benchmark, options)
    if not benchmark and options:
        raise table.error(
            "options", "options and seed apply only to a bank that the campaign builds; add build"
        )
    if not benchmark and not path.is_file():
        raise table.error(
            "path", f"there is no file {str(path)!r}; to build the bank, add build to its entry"
        )
    table.end("seed", "sample")
    return BankEntry(name, path, sample, benchmark, options)


def _check_materials(read: CampaignFile, materials: StrictTable) -> None:
    conditions = [read.conditions[key] for _, _, key in read.cells]
    if any(one.knowledge for one in conditions) and read.files.knowledge is None:
        raise materials.error(
            "knowledge", "a condition has knowledge=on, which needs this file; name it"
        )
    if any(one.shots for one in conditions) and read.files.shots_from is None:
        raise materials.error("shots_from", "a condition has shots, which need this bank; name it")


def _check_options(table: StrictTable, benchmark: str, options: Mapping[str, Any]) -> None:
    """Refuse options that the benchmark does not have."""
    if benchmark not in BENCHMARKS:
        raise table.error("build", str(UnknownNameError("benchmark", benchmark, BENCHMARKS)))
    options_of_plan = list(inspect.signature(BENCHMARKS[benchmark].plan).parameters)
    for name in options:
        if name not in options_of_plan:
            raise table.table("options").unknown(name, options_of_plan)


_LIMITS = ("rpm", "tpm", "max_in_flight")
_SECONDS = {"timeout": "request_s", "first_wait": "first_wait_s"}


def _server(name: str, table: StrictTable) -> ServerEntry:
    fields: dict[str, Any] = {"base_url": table.text("base_url")} if "base_url" in table else {}
    for limit in (*_LIMITS, "attempts", "max_reply"):
        if limit in table:
            fields[limit] = table.whole(limit, 0, least=1)
    for key, attribute in _SECONDS.items():
        if key in table:
            fields[attribute] = table.number(key)
    key_env, batch = table.text("key_env", ""), table.text("batch", "")
    if batch and batch not in FORMATS:
        raise table.error("batch", f"batches are of the format {' or '.join(FORMATS)}")
    size = table.whole("batch_size", 1000, least=1)
    poll_s = table.number("poll") if "poll" in table else 30.0
    tokens = table.whole("batch_tokens", 0, least=1) if "batch_tokens" in table else None
    search_s = table.number("batch_search") if "batch_search" in table else 3600.0
    wait_s = table.number("batch_wait") if "batch_wait" in table else LONGEST_WAIT_S
    given_up = tuple(table.texts("batch_give_up"))
    table.end(
        "base_url",
        "attempts",
        "max_reply",
        "poll",
        "batch_tokens",
        "batch_search",
        "batch_wait",
        "batch_give_up",
        *_LIMITS,
        *_SECONDS,
    )
    how = key_env, batch, size, poll_s, tokens, search_s, wait_s, given_up
    try:
        return ServerEntry(name, Endpoint("", **fields), *how)
    except GfactorError as error:
        raise table.error("", str(error)) from error


def _model(table: StrictTable, servers: Mapping[str, ServerEntry]) -> ModelEntry:
    text = table.text("spec")
    try:
        spec = Spec.parse(text)
        reached = "endpoint" in _parameters(spec)
    except GfactorError as error:
        raise table.error("spec", str(error)) from error
    server = None
    if "server" in table:
        name = table.text("server")
        if name not in servers:
            raise table.error("server", f"there is no table [servers.{name}]; add it")
        server = servers[name]
    if reached and "base_url" in spec.parameters:
        raise table.error(
            "spec", "write base_url in a table [servers.NAME], and name it with server"
        )
    if reached and server is None:
        raise table.error("server", "a model over HTTP needs a server; name a [servers.NAME]")
    for key in ("server", "price", *_LIMITS, "image_limit", "budget"):
        if key in table and not reached:
            raise table.error(key, f"{str(spec)!r} is not asked over HTTP")
    price = None
    if "price" in table:
        inner = table.table("price")
        off = DISCOUNT if server and server.batch else 1.0
        price = TokenPrice(off * inner.number("input"), off * inner.number("output"))
        inner.end()
    limits = {name: table.whole(name, 0, least=1) for name in _LIMITS if name in table}
    image_limit = ImageLimit.parse(table.text("image_limit")) if "image_limit" in table else None
    budget, name = table.money("budget"), table.text("name", str(spec))
    table.end("server", "price", "image_limit", *_LIMITS)
    return ModelEntry(name, spec, server, price, budget, limits, image_limit)


def _parameters(spec: Spec) -> Mapping[str, Any]:
    return inspect.signature(EXAMINEES[spec.scheme]).parameters


def _unique(top: StrictTable, key: str, entries: Iterator[Any]) -> Iterator[Any]:
    seen: set[str] = set()
    for entry in entries:
        if entry.name in seen:
            raise top.error(key, f"two are called {entry.name!r}; give each a name of its own")
        seen.add(entry.name)
        yield entry
