"""The answer to a mistyped command: names that are near, and words that people use elsewhere."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

WORDS = {
    "gfactor analyze reliability": "alpha cronbach omega glb icc internal-consistency",
    "gfactor analyze generalizability": "gtheory gstudy lmer variance-components",
    "gfactor analyze cfa": "sem lavaan measurement-model growth path-analysis",
    "gfactor analyze efa": "fa factanal factor-analysis pca scree nfactors",
    "gfactor analyze adequacy": "kmo bartlett",
    "gfactor analyze irt": "mirt ltm tam rasch 1pl 2pl 3pl grm dif",
    "gfactor analyze latent-classes": "lca polca mixture clusters",
    "gfactor analyze q-matrix": "gdina cdm dina qmatrix",
    "gfactor analyze pls": "seminr plspm smartpls",
    "gfactor analyze invariance": "measeq measurementinvariance",
    "gfactor compare": "anova ttest t-test mcnemar rank ranking diff difference significance",
    "gfactor plan": "power pwr sample-size samplesize",
    "gfactor run": "eval evaluate ask test administer predict infer",
    "gfactor score": "grade mark accuracy results metrics",
    "gfactor report": "view show open plot figures tables html",
    "gfactor list": "ls models benchmarks examinees families",
    "gfactor build": "make generate create download",
    "gfactor import": "load ingest read convert",
    "gfactor export": "save dump write",
    "gfactor audit": "check lint validate quality",
    "gfactor inflation": "contamination leak leakage memorization",
    "gfactor profile": "cat adaptive abilities live",
    "gfactor annotate serve": "label labelstudio",
    "gfactor study serve": "survey questionnaire",
    "gfactor demo": "example quickstart tutorial try",
    "gfactor --help": "help commands",
    "gfactor --version": "version",
}
"""Call to the words of other programs and of everyday speech that mean it."""


OPTIONS = {
    "--examinee": "model models llm engine agent",
    "--base-url": "url endpoint host server api-base",
    "--key-env": "api-key key token",
    "--journal": "db database",
    "--output": "out outfile output-dir",
    "--sample": "limit n num-samples subset",
    "--max-items": "limit n num-items",
    "--max-in-flight": "concurrency workers threads parallel batch-size",
    "--columns": "items variables vars indicators",
    "--condition": "temperature max-tokens prompt cot",
}
"""Option to the words of other programs that mean it."""
_LAVAAN = "lavaan's options are given as --lavaan-options '{{\"{0}\": true}}'"
EXPLAINED = {
    ("cfa", "std.lv"): _LAVAAN.format("std.lv"),
    ("cfa", "std-lv"): _LAVAAN.format("std.lv"),
    ("cfa", "orthogonal"): _LAVAAN.format("orthogonal"),
    ("invariance", "std.lv"): "variances are 1 in the reference group, unless --marker is given",
    ("irt", "scores"): "-o FOLDER writes them to FOLDER/tables/persons.csv (Python: fit.scores())",
    ("score", "lenient"): "the lenient reading always stands beside, in the column 'lenient'",
    ("profile", "model"): "the model is an argument: gfactor profile openai:MODEL",
}
"""(Command, unknown option) to what the command has in its place."""


def suggest_option(name: str, options: Sequence[str], command: str) -> str:
    """Return the end of a message about an unknown option: what was probably meant.

    Parameters
    ----------
    name : str
        The unknown option as it was typed.
    options : sequence of str
        Options of the command, as they are typed.
    command : str
        The command as it is called: "gfactor run".

    Returns
    -------
    str
        A question that names options, what the command has instead, or the call that lists them.

    Examples
    --------
    >>> suggest_option("--model", ["--detail", "--examinee"], "gfactor run")
    "did you mean '--examinee'?"
    >>> suggest_option("--baseurl", ["--base-url", "--se"], "gfactor run")
    "did you mean '--base-url'?"
    """
    word = name.lstrip("-").casefold().replace("_", "-")
    if explained := EXPLAINED.get((command.rsplit(maxsplit=1)[-1], word)):
        return explained
    same_letters = [one for one in options if _letters(one) == _letters(word)]
    meant = [one for one, words in OPTIONS.items() if word in words.split() and one in options]
    near = difflib.get_close_matches(name, sorted(options), n=2, cutoff=0.7)
    if calls := same_letters or meant or near:
        return _question(calls)
    return f"'{command} --help' lists the options"


def _letters(option: str) -> str:
    """Return an option without its dashes."""
    return option.replace("-", "").casefold()


def suggest(name: str, siblings: Iterable[str], paths: Sequence[str], help_call: str) -> str:
    """Return the end of a message about an unknown command: what was probably meant.

    Parameters
    ----------
    name : str
        The unknown command as it was typed.
    siblings : iterable of str
        Commands that could stand in its place.
    paths : sequence of str
        All commands of the program, as they are typed.
    help_call : str
        The call that lists the commands that could stand in its place.

    Returns
    -------
    str
        A question that names commands, or the call that lists them.

    Examples
    --------
    >>> suggest("bild", ["audit", "build"], [], "gfactor --help")
    "did you mean 'build'?"
    >>> suggest("KMO", [], [], "gfactor --help")
    "did you mean 'gfactor analyze adequacy'?"
    """
    word = name.casefold().replace("_", "-").replace(".", "-")
    same_name = [path for path in paths if path.split()[-1] == word]
    by_word = {word: call for call, words in WORDS.items() for word in words.split()}
    if word in by_word:
        return _question([by_word[word]])
    if same_name:
        return _question(same_name)
    if near := difflib.get_close_matches(word, sorted(siblings), n=1, cutoff=0.6):
        return _question(near)
    last_words = sorted({path.split()[-1] for path in paths} | set(by_word))
    if near := difflib.get_close_matches(word, last_words, n=1, cutoff=0.75):
        same_name = [path for path in paths if path.split()[-1] == near[0]]
        return _question(same_name or [by_word[near[0]]])
    return f"{help_call!r} lists the commands"


def _question(calls: Sequence[str]) -> str:
    """Ask whether one of these calls was meant."""
    *others, last = map(repr, calls)
    return f"did you mean {', '.join(others)} or {last}?" if others else f"did you mean {last}?"
