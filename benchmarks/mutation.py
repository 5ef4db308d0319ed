"""How many small changes of the code do the tests of psychometrics and scoring let pass?

Mutants are those of Cosmic Ray's operators, of each kind those that make another statistic and
not a TypeError. All places that can be changed, in functions, their defaults and constants of
modules, are put in order of module and line; a systematic sample with a seeded random start is
drawn, so that every module counts by its size, and one change per place. Not sampled: annotations,
decorators, fields of classes, errors and their texts, `strict=` of zip, `__repr__`, changes that
cannot be compiled.

All tests of both areas run once, with a mark before every statement that notes who comes by
(`--marks` keeps the notes, so that for the next sample only those tests run that are new, changed
or come by a changed module); those above
`--slow` seconds of processor time are stopped and left out. Each mutant is then run in a forked
process, in which the changed code takes the place of the old, against all tests that come by,
cheap and specific ones first (`_order`), until one fails; a test that fails must pass in a second
process without the change. A change outside of functions, of which other constants may have been
computed at import, is also run in a new process with a changed copy of the sources (`_anew`)
before it counts as survived. A mutant with which one test takes ten times its processor time and
twenty seconds more is "timed out" and counts as killed, as in Cosmic Ray. `--budget` gives the
seconds of tests after which a mutant counts as survived: for training only. `--only` draws from
some folders or modules (`--only psychometrics/sem psychometrics/irt`). No file is written but
the results, which are kept: a second call runs the survivors only, against `--tests` where given.

Needs cosmic-ray (`pip install cosmic-ray`), which is no dependency of the project.

    python benchmarks/mutation.py results.json --mutants 240 --seed 1
    python benchmarks/mutation.py results.json --tests tests/psychometrics/gold
"""

from __future__ import annotations

import argparse
import ast
import builtins
import functools
import gc
import hashlib
import importlib
import json
import math
import os
import random
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
AREAS = ("psychometrics", "scoring")
OPERATORS = (
    "ReplaceBinaryOperator_Add_Sub", "ReplaceBinaryOperator_Sub_Add",
    "ReplaceBinaryOperator_Mul_Div", "ReplaceBinaryOperator_Div_Mul",
    "ReplaceBinaryOperator_Pow_Mul", "ReplaceBinaryOperator_FloorDiv_Mul",
    "ReplaceBinaryOperator_Mod_FloorDiv", "ReplaceBinaryOperator_BitOr_BitAnd",
    "ReplaceBinaryOperator_BitAnd_BitOr", "ReplaceComparisonOperator_Eq_NotEq",
    "ReplaceComparisonOperator_NotEq_Eq", "ReplaceComparisonOperator_Lt_LtE",
    "ReplaceComparisonOperator_Lt_GtE", "ReplaceComparisonOperator_LtE_Lt",
    "ReplaceComparisonOperator_LtE_Gt", "ReplaceComparisonOperator_Gt_GtE",
    "ReplaceComparisonOperator_Gt_LtE", "ReplaceComparisonOperator_GtE_Gt",
    "ReplaceComparisonOperator_GtE_Lt", "ReplaceComparisonOperator_Is_IsNot",
    "ReplaceComparisonOperator_IsNot_Is", "ReplaceUnaryOperator_Delete_USub",
    "ReplaceUnaryOperator_Delete_Invert", "ReplaceUnaryOperator_Delete_Not",
    "AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr",
    "ReplaceOrWithAnd", "ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "NumberReplacer",
    "ZeroIterationForLoop",
)  # fmt: skip
ALIVE = ("survived", "not reached")
MARK = "__reached__"
# Of a test that is stopped for being slow, files stay open: no failure of the next one.
PLUGINS = [
    word
    for name in ("cacheprovider", "xdist", "unraisableexception")
    for word in ("-p", f"no:{name}")
]
Place = tuple[int, int]


@dataclass
class Mutant:
    """A changed place of the code and what the tests made of it.

    Parameters
    ----------
    path, line, column: the place, in the checkout.
    operator, occurrence: what Cosmic Ray calls the change.
    before, after: the line.
    outcome: "killed", "timed out", "survived" or "not reached"; "" before it is run.
    tests: how many were to be run.
    killer: the test that failed.
    """

    path: str
    line: int
    column: int
    operator: str
    occurrence: int
    before: str = ""
    after: str = ""
    outcome: str = ""
    tests: int = 0
    killer: str = ""

    @property
    def file(self) -> str:
        return str(ROOT / self.path)

    @property
    def alive(self) -> bool:
        return self.outcome in ALIVE


# The sample.


def _span(node: ast.AST) -> tuple[Place, Place]:
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]


def skipped(tree: ast.AST) -> Iterator[tuple[Place, Place]]:
    """Spans in which a change is no change of what is computed, or cannot be put in place."""
    for node in ast.walk(tree):
        found: list[ast.AST | None] = []
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found += [node.returns, *node.decorator_list]
            found += [node] if node.name == "__repr__" else []
        elif isinstance(node, ast.ClassDef):
            found += node.decorator_list
            found += [s for s in node.body if not isinstance(s, ast.FunctionDef)]
        elif isinstance(node, ast.arg | ast.AnnAssign):
            found.append(node.annotation)
        elif isinstance(node, ast.Raise):
            found.append(node)
        elif isinstance(node, ast.keyword) and node.arg == "strict":
            found.append(node.value)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "cast":
            found.append(node.args[0])
        elif isinstance(node, ast.Module):
            kept = (ast.FunctionDef, ast.ClassDef)
            found += [s for s in node.body if not isinstance(s, kept) and not constant(s)]
        yield from (_span(one) for one in found if one is not None)


def constant(node: ast.stmt) -> bool:
    """Whether a statement of a module gives one name a value, and is no alias of a type."""
    simple = isinstance(node, ast.Assign) and len(node.targets) == 1
    if not simple or not isinstance(node.targets[0], ast.Name):  # type: ignore[attr-defined]
        return False
    return not any(word in ast.dump(node) for word in ("Literal", "BitOr"))


def places(path: Path) -> dict[Place, list[tuple[str, int]]]:
    """Operators and occurrences by place (line, column) of a module."""
    plugins = importlib.import_module("cosmic_ray.plugins")
    tools = importlib.import_module("cosmic_ray.ast")
    source = path.read_text()
    left_out = list(skipped(ast.parse(source)))
    nodes = list(tools.ast_nodes(tools.get_ast(source)))
    found: dict[Place, list[tuple[str, int]]] = {}
    for name in OPERATORS:
        operator, occurrence = plugins.get_operator(f"core/{name}")(), 0
        for node in nodes:
            for start, _ in operator.mutation_positions(node):
                if not any(low <= start < high for low, high in left_out):
                    found.setdefault(tuple(start), []).append((name, occurrence))
                occurrence += 1
    return found


def modules() -> list[str]:
    """The modules of both areas."""
    folders = [ROOT / "src" / "gfactor" / area for area in AREAS]
    return [str(p.relative_to(ROOT)) for f in folders for p in sorted(f.rglob("*.py"))]


def sample(count: int, seed: int, only: Sequence[str] = AREAS) -> list[Mutant]:
    """A systematic sample of places in modules below the folders `only`, with one change each."""
    below = tuple(f"src/gfactor/{prefix}" for prefix in only)
    paths = [path for path in modules() if path.startswith(below)]
    if not paths:
        raise SystemExit(f"no module of {', '.join(AREAS)} is below {', '.join(only)}")
    every = [
        (path, place, changes)
        for path in paths
        for place, changes in sorted(places(ROOT / path).items())
    ]
    rng = random.Random(seed)
    step = len(every) / count
    start = rng.uniform(0, step)
    chosen = []
    for k in range(count):
        path, (line, column), changes = every[int(start + k * step)]
        made = [Mutant(path, line, column, *c) for c in rng.sample(changes, len(changes))]
        chosen += [m for m in made if compiles(m)][:1]
    print(f"{len(every):,} places in {len({path for path, *_ in every})} modules", flush=True)
    return chosen


def changed_source(mutant: Mutant) -> str:
    """The changed module; notes the changed line."""
    plugins = importlib.import_module("cosmic_ray.plugins")
    mutating = importlib.import_module("cosmic_ray.mutating")
    source = Path(mutant.file).read_text()
    operator = plugins.get_operator(f"core/{mutant.operator}")()
    changed = mutating.mutate_code(source, operator, mutant.occurrence)
    old, new = source.splitlines(), changed.splitlines()
    at = next(k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    mutant.before, mutant.after = old[at].strip(), new[at].strip()
    return changed


def compiles(mutant: Mutant) -> bool:
    """Whether the changed module is Python: `**` before keyword arguments can be no `*`."""
    try:
        ast.parse(changed_source(mutant))
    except SyntaxError:
        return False
    return True


# Other code in the place of code that is loaded.


def codes(code: CodeType) -> Iterator[CodeType]:
    """All code objects in one."""
    yield code
    for held in code.co_consts:
        if isinstance(held, CodeType):
            yield from codes(held)


def digest(file: Path) -> str:
    """Of what stands in a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def functions_by_file() -> dict[str, list[FunctionType]]:
    """All functions that exist now, whoever holds them, by their modules' files."""
    every: dict[str, list[FunctionType]] = {}
    for held in gc.get_objects():
        if isinstance(held, FunctionType):
            every.setdefault(held.__code__.co_filename, []).append(held)
    return every


def put_in_place(tree: ast.Module, file: str, functions: list[FunctionType]) -> None:
    """Give the loaded functions of a module the code of a changed one, with the same lines."""
    every = list(codes(compile(tree, file, "exec")))
    counts = Counter((c.co_qualname, c.co_firstlineno) for c in every)
    # Several lambdas of one line cannot be distinguished, and stay as they are.
    new = {place: c for c in every if counts[place := (c.co_qualname, c.co_firstlineno)] == 1}
    for function in functions:
        old = function.__code__
        code = new.get((old.co_qualname, old.co_firstlineno))
        if code is not None and code != old and code.co_freevars == old.co_freevars:
            function.__code__ = code


def put_constants(tree: ast.Module, file: str, line: int) -> None:
    """Bind the constant, or the defaults of the function, that stand in this line anew."""
    module = next(m for m in sys.modules.values() if getattr(m, "__file__", None) == file)
    for node in tree.body:
        if constant(node) and node.lineno <= line <= (node.end_lineno or 0):
            name = node.targets[0].id  # type: ignore[attr-defined]
            old, value = getattr(module, name), _value(node.value, module)  # type: ignore[attr-defined]
            for own in list(sys.modules.values()):
                ours = str(getattr(own, "__name__", "")).startswith("gfactor")
                if ours and own.__dict__.get(name) is old:
                    setattr(own, name, value)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            given = [d for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None]
            if any(d.lineno == line for d in given):
                _put_defaults(node, module, file)


def _put_defaults(node: ast.FunctionDef, module: Any, file: str) -> None:
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    for function in functions_by_file().get(file, []):
        if function.__code__.co_firstlineno == first and function.__name__ == node.name:
            function.__defaults__ = tuple(_value(d, module) for d in node.args.defaults)
            for arg, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
                if value is not None:
                    function.__kwdefaults__[arg.arg] = _value(value, module)  # type: ignore[index]


def _value(node: ast.expr, module: Any) -> Any:
    return eval(compile(ast.Expression(node), module.__file__, "eval"), dict(vars(module)))


def forget() -> None:
    """Empty all caches of functions."""
    for held in gc.get_objects():
        if isinstance(held, functools._lru_cache_wrapper):
            held.cache_clear()


def marked(path: str, number: dict[str, int]) -> ast.Module:
    """The module with a mark before each statement of its functions; `number` grows."""
    tree = ast.parse((ROOT / path).read_text())
    for body in list(bodies(tree)):
        marks = []
        for own in body:
            key = f"{path}:{own.lineno}"
            mark = ast.parse(f"{MARK}({number.setdefault(key, len(number))})").body[0]
            marks += [ast.copy_location(mark, own), own]
        body[:] = marks
    return ast.fix_missing_locations(tree)


def bodies(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """The lists of statements in functions."""
    functions = [f for f in ast.walk(tree) if isinstance(f, ast.FunctionDef)]
    known: set[int] = set()
    for node in (n for f in functions for n in ast.walk(f)):
        for name in ("body", "orelse", "finalbody"):
            body: Any = getattr(node, name, None)
            if isinstance(body, list) and body and id(body) not in known:
                known.add(id(body))
                yield body


def statements(path: str, line: int) -> list[str]:
    """The innermost statement of a function with this line; for a constant or a default, all."""
    tree = ast.parse((ROOT / path).read_text())
    every = [s for body in bodies(tree) for s in body]
    if not every:  # A module of constants: who imports them.
        return [one for user in _users(path) for one in statements(user, 0)]
    around = _around(every, line)
    spots = [min(around, key=lambda s: (s.end_lineno or 0) - s.lineno)] if around else every
    return [f"{path}:{s.lineno}" for s in spots]


def _users(path: str) -> list[str]:
    """The modules of both areas that import from a module."""
    name = ".".join(Path(path).relative_to("src").with_suffix("").parts)
    return [m for m in modules() if f"from {name} import" in (ROOT / m).read_text()]


def _around(every: list[ast.stmt], line: int) -> list[ast.stmt]:
    return [s for s in every if s.lineno <= line <= (s.end_lineno or 0)]


def at_import(mutant: Mutant) -> bool:
    """Whether the changed line is evaluated when the module is imported."""
    tree = ast.parse(Path(mutant.file).read_text())
    return not _around([s for body in bodies(tree) for s in body], mutant.line)


def in_processes(work: Callable[[Any], Iterator[Any]], shares: list[Any]) -> Iterator[Any]:
    """What `work` yields of each share in a forked process of its own, as it comes."""
    pipes = selectors.DefaultSelector()
    children = []
    for share in shares:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            with os.fdopen(write, "w") as pipe:
                for found in work(share):
                    print(json.dumps(found), file=pipe, flush=True)
            os._exit(0)
        os.close(write)
        children.append(child)
        pipes.register(os.fdopen(read, "rb", buffering=0), selectors.EVENT_READ, bytearray())
    while pipes.get_map():
        for key, _ in pipes.select():
            part = key.fileobj.read(1 << 16)  # type: ignore[union-attr]
            key.data.extend(part)
            *lines, rest = bytes(key.data).split(b"\n")
            key.data[:] = rest
            yield from map(json.loads, lines)
            if not part:
                pipes.unregister(key.fileobj)
                key.fileobj.close()  # type: ignore[union-attr]
    for child in children:
        os.waitpid(child, 0)


# A session of pytest that runs the tests once with marks, then against the mutants.


class Session:
    """Plugin of pytest: see the module."""

    def __init__(self, mutants: list[Mutant], results: Path, given: argparse.Namespace) -> None:
        self.mutants, self.results, self.jobs = mutants, results, given.jobs
        self.slow, self.budget, self.marks = given.slow, given.budget, given.marks
        self.reached: dict[int, set[int]] = {}
        self.seconds: dict[int, float] = {}
        self.breadth: dict[int, int] = {}
        self.failed = False

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.failed |= report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        items, every = session.items, list(enumerate(self.mutants))
        random.Random(0).shuffle(every)  # whoever stops early has a sample of all modules
        todo = [(k, m) for k, m in every if not m.outcome or m.alive]
        todo.sort(key=lambda one: bool(one[1].outcome))  # survivors of an earlier call last
        self._mark(items, todo)

        def work(share: list[tuple[int, Mutant]]) -> Iterator[Any]:
            for number, mutant in share:
                self._run(items, number, mutant)
                yield number, asdict(mutant)

        for number, row in in_processes(work, [todo[k :: self.jobs] for k in range(self.jobs)]):
            self.mutants[number] = Mutant(**row)
            self.results.write_text(json.dumps([asdict(m) for m in self.mutants], indent=0))
        return True

    def _one(self, item: Any, after: Any) -> bool:
        self.failed = False
        item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
        return self.failed

    def _mark(self, items: list[Any], todo: list[tuple[int, Mutant]]) -> None:
        """Which statements each test comes by: as kept, or by running the test with marks."""
        kept: dict[str, Any] = {"files": {}, "number": {}, "tests": {}}
        if self.marks and self.marks.exists():
            kept = json.loads(self.marks.read_text())
        now = {path: digest(ROOT / path) for path in modules()}
        moved = {path for path, value in now.items() if kept["files"].get(path) != value}
        stale = {n for key, n in kept["number"].items() if key.partition(":")[0] in moved}
        number: dict[str, int] = kept["number"]
        paths = modules()
        held = functions_by_file()
        for path in paths:
            file = str(ROOT / path)
            put_in_place(marked(path, number), file, held.get(file, []))
        known: dict[str, list[Any]] = {}
        files = {item.path: digest(item.path) for item in items}
        new = []
        for k, item in enumerate(items):
            row = kept["tests"].get(item.nodeid)
            same = row and row[0] == files[item.path] and stale.isdisjoint(row[2])
            if row and same and row[1] is not None:  # What failed or was slow may pass now.
                known[item.nodeid] = row
            else:
                new.append(k)
        size = max(1, -(-len(new) // (8 * self.jobs)))
        pieces = [new[k : k + size] for k in range(0, len(new), size)]
        shares = [[k for piece in pieces[j :: self.jobs] for k in piece] for j in range(self.jobs)]
        for k, seconds, seen in in_processes(lambda share: self._reach(items, share), shares):
            known[items[k].nodeid] = [files[items[k].path], seconds, seen]
        if self.marks:
            kept["tests"].update(known)
            kept["files"] = now
            self.marks.write_text(json.dumps(kept))
        held = functions_by_file()
        for path in paths:
            file = str(ROOT / path)
            put_in_place(ast.parse((ROOT / path).read_text()), file, held.get(file, []))
        wanted: dict[int, set[int]] = {}
        for place, mutant in todo:
            for statement in statements(mutant.path, mutant.line):
                wanted.setdefault(number.get(statement, -1), set()).add(place)
        for k, item in enumerate(items):
            _, seconds, seen = known.get(item.nodeid, ("", None, []))
            if seconds is not None:
                self.seconds[k] = seconds
                self.breadth[k] = len(seen)
                for place in set().union(*(wanted.get(mark, set()) for mark in seen)):
                    self.reached.setdefault(place, set()).add(k)
        print(f"\n{len(self.seconds)} of {len(items)} tests are used: "
              f"{sum(self.seconds.values()):.0f} s", flush=True)  # fmt: skip

    def _reach(self, items: list[Any], share: list[int]) -> Iterator[Any]:
        """Tests: number, processor time (none if they fail or are slow), marks they come by."""
        seen: set[int] = set()
        setattr(builtins, MARK, seen.add)

        def too_slow(*_: object) -> None:
            pytest.fail("slow")

        signal.signal(signal.SIGPROF, too_slow)
        for place, k in enumerate(share):
            seen.clear()
            started = time.process_time()
            signal.setitimer(signal.ITIMER_PROF, self.slow, 0.5)
            try:
                after = share[place + 1] if place + 1 < len(share) else None
                failed = self._one(items[k], None if after is None else items[after])
            except BaseException:
                failed = True
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            yield k, None if failed else time.process_time() - started, sorted(seen)

    def _order(self, items: list[Any], number: int) -> list[int]:
        """The tests that come by a mutant: by seconds, times how many statements a test comes by,
        times the place of the test among those of its function."""
        reached = self.reached.get(number, set())
        cost = {k: self.seconds[k] * self.breadth[k] for k in reached}
        earlier: dict[str, int] = {}
        for k in sorted(reached, key=cost.__getitem__):
            name = items[k].nodeid.partition("[")[0]
            earlier[name] = earlier.get(name, 0) + 1
            cost[k] *= earlier[name]
        return sorted(reached, key=cost.__getitem__)

    def _run(self, items: list[Any], number: int, mutant: Mutant) -> None:
        source = changed_source(mutant)
        chosen: list[int] = []
        expected = 0.0
        for k in self._order(items, number):
            expected += self.seconds[k]
            if chosen and expected > self.budget:
                break
            chosen.append(k)
        mutant.tests += len(chosen)
        if not chosen:
            mutant.outcome = mutant.outcome or "not reached"
            return
        started, told = time.monotonic(), ""
        while chosen:
            runs = self._forked
            mutant.outcome, told = runs(items, chosen, mutant, source)
            if mutant.outcome == "survived" and at_import(mutant):
                runs = self._anew
                mutant.outcome, told = runs(items, chosen, mutant, source)
            if mutant.outcome != "killed" or told not in (items[k].nodeid for k in chosen):
                break
            # The test that failed must pass here with the code as it is.
            last = next(n for n, k in enumerate(chosen) if items[k].nodeid == told)
            tree = Path(mutant.file).read_text()
            control, failed = runs(items, chosen[: last + 1], mutant, tree)
            if control == "survived":
                break
            print(f"fails without a change, and is left out: {failed}", flush=True)
            unfit = {k for k in chosen if items[k].nodeid == failed} or {chosen[last]}
            chosen = [k for k in chosen if k not in unfit]
            for k in unfit:
                self.seconds.pop(k, None)
                for own in self.reached.values():
                    own.discard(k)
            mutant.outcome = "survived"
        mutant.killer = told
        print(f"{number} {mutant.path}:{mutant.line} {mutant.outcome} {len(chosen)} tests, "
              f"{time.monotonic() - started:.1f} s {told}", flush=True)  # fmt: skip

    def _forked(
        self, items: list[Any], chosen: list[int], mutant: Mutant, source: str
    ) -> tuple[str, str]:
        """The outcome and the failing test of these tests in a forked process."""
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            self._against(items, chosen, mutant, source, write)
        os.close(write)
        with os.fdopen(read) as pipe:
            told = pipe.read()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return "timed out" if code < 0 else "killed" if code else "survived", told

    def _anew(
        self, items: list[Any], chosen: list[int], mutant: Mutant, source: str
    ) -> tuple[str, str]:
        """The outcome and the failing test in a new process that imports a changed copy."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "src"
            shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
            (copy / Path(mutant.path).relative_to("src")).write_text(source)
            listed = Path(folder) / "tests.txt"
            listed.write_text("\n".join(items[k].nodeid for k in chosen))
            command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=no", "-rfE", *PLUGINS]
            environment = {**os.environ, "PYTHONPATH": f"{copy}:{os.environ['PYTHONPATH']}"}
            ran = subprocess.run([*command, f"@{listed}"], cwd=ROOT, env=environment, text=True,
                                 capture_output=True, check=False)  # fmt: skip
        failed = [
            line for line in ran.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))
        ]
        if ran.returncode == 0:
            return "survived", ""
        # With a change that cannot be imported no test is named: the first one stands for all.
        nodes = [items[k].nodeid for k in chosen]
        told = failed[0].partition(" ")[2].partition(" - ")[0] if failed else nodes[0]
        return "killed", told if told in nodes else nodes[0]

    def _against(
        self, items: list[Any], chosen: list[int], mutant: Mutant, source: str, write: int
    ) -> None:
        code = 1
        try:
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            silent = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silent, 1)
            os.dup2(silent, 2)
            tree = ast.parse(source)
            put_in_place(tree, mutant.file, functions_by_file().get(mutant.file, []))
            put_constants(tree, mutant.file, mutant.line)
            forget()
            for at, k in enumerate(chosen):
                signal.setitimer(signal.ITIMER_PROF, 20 + 10 * self.seconds[k])
                if self._one(items[k], items[chosen[at + 1]] if at + 1 < len(chosen) else None):
                    os.write(write, items[k].nodeid.encode())
                    break
            else:
                code = 0
        except BaseException as error:
            os.write(write, f"{type(error).__name__}: {error}"[:200].encode())
        finally:
            os._exit(code)


def wilson(k: int, n: int, z: float = 1.959964) -> tuple[float, float]:
    """Wilson's interval; the code under test is not asked for it."""
    middle, half = k + z * z / 2, z * (k * (n - k) / n + z * z / 4) ** 0.5
    return (middle - half) / (n + z * z), (middle + half) / (n + z * z)


def told(mutants: list[Mutant]) -> str:
    """The survivors, and how many of how many."""
    run = [m for m in mutants if m.outcome]
    alive = [m for m in run if m.alive]
    lines = [f"{mutants.index(m)} {m.path}:{m.line} {m.outcome} ({m.tests} tests) {m.operator}\n"
             f"    - {m.before}\n    + {m.after}" for m in alive]  # fmt: skip
    low, high = wilson(len(alive), max(1, len(run)))
    share = f"{len(alive)} of {len(run)} survived: {len(alive) / max(1, len(run)):.1%}"
    recorded = sum("recorded" in m.killer for m in run if m.outcome == "killed")
    slow = sum(m.outcome == "timed out" for m in run)
    lines.append(
        f"of {len(run) - len(alive)} killed ({slow} timed out), {recorded} first by recorded values"
    )
    return "\n".join([*lines, f"{share} [{low:.1%}, {high:.1%}]"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="JSON; the survivors in it are run again")
    parser.add_argument("--mutants", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=AREAS, metavar="PREFIX",
                        help="modules to sample, such as psychometrics/irt")  # fmt: skip
    parser.add_argument("--slow", type=float, default=1.0, help="seconds of a test left out")
    parser.add_argument(
        "--budget", type=float, default=math.inf, help="seconds of tests per mutant"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--tests", nargs="+", default=[f"tests/{area}" for area in AREAS])
    parser.add_argument("--marks", type=Path, help="keeps which tests come by which statements")
    given = parser.parse_args()
    results = given.results.resolve()
    os.chdir(ROOT)
    os.environ["CI"] = "1"  # hypothesis draws the same examples in every run
    if results.exists():
        mutants = [Mutant(**row) for row in json.loads(results.read_text())]
    else:
        mutants = sample(given.mutants, given.seed, given.only)
    for name in modules():
        parts = Path(name).relative_to("src").with_suffix("").parts
        try:
            importlib.import_module(".".join(p for p in parts if p != "__init__"))
        except ModuleNotFoundError as error:  # Needs an extra; its mutants are not reached.
            print(f"{name} is not loaded: {error}", flush=True)
    given.marks = given.marks and given.marks.resolve()
    plugin = Session(mutants, results, given)
    arguments = ["-q", "--tb=no", "--show-capture=no", *PLUGINS]
    pytest.main([*arguments, *given.tests], plugins=[plugin])
    print(told(plugin.mutants))


if __name__ == "__main__":
    main()
