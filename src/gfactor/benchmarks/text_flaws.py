"""Mistakes in templates and words, as sentences that say where and what to write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gfactor.benchmarks.templates import Field, brace_flaw, fields_of, in_braces
from gfactor.benchmarks.texts import LANGUAGES, Texts, spellings


def flaws(texts: Texts) -> list[str]:
    """Return the flaws of templates and words, as sentences.

    Flaws are a missing language, malformed braces, fields that differ between languages, agreement
    with a field that the sentence does not have, and a form that two words of a class share.
    """
    result = []
    for name, languages in texts.templates.items():
        result += _template_flaws(texts.where(f"texts.{name}"), languages)
    for kind, words in texts.words.items():
        for word, forms in words.items():
            where = texts.where(f"words.{kind}.{word}")
            missing = [tag for tag in LANGUAGES if not all(forms.get(tag, ("",)))]
            result += [f'{where} has no form in {tag!r}; write {tag} = "..."' for tag in missing]
        result += _shared_forms(texts, kind)
    return result


def _template_flaws(where: str, languages: Mapping[str, str]) -> Iterator[str]:
    yield from (
        f'{where} has no text in {tag!r}; write {tag} = "..."'
        for tag in LANGUAGES
        if not languages.get(tag, "").strip()
    )
    texts = {tag: text for tag, text in languages.items() if text.strip()}
    broken = {tag: flaw for tag, text in texts.items() if (flaw := brace_flaw(text))}
    yield from (f"{where}, {tag}: {flaw}" for tag, flaw in broken.items())
    fields = {tag: fields_of(text) for tag, text in texts.items() if tag not in broken}
    names = {tag: {one.name for one in some} for tag, some in fields.items()}
    for tag, some in fields.items():
        if names[tag] != names.get("en", names[tag]):
            yield (
                f"{where}, {tag}: it has {in_braces(names[tag])}, and English has "
                f"{in_braces(names['en'])}; write the same fields in both"
            )
        yield from (
            f"{where}, {tag}: {flaw}" for one in some for flaw in _strangers(one, names[tag])
        )


def _strangers(one: Field, names: set[str]) -> Iterator[str]:
    for other in sorted({one.of, one.n} - {""} - names):
        yield (
            f"{{{one.name}}} agrees with {other!r}, which is no field of the sentence; "
            f"there are {in_braces(names)}"
        )


def _shared_forms(texts: Texts, kind: str) -> Iterator[str]:
    """Two words of a class with one form: a text twin could be read as either."""
    word_of: dict[tuple[str, str], str] = {}
    for word, languages in texts.words[kind].items():
        for tag, forms in languages.items():
            for form in filter(None, spellings(forms)):
                other = word_of.setdefault((tag, form), word)
                if other != word:
                    yield (
                        f"{texts.where(f'words.{kind}.{word}')}, {tag}: {form!r} is also a form of "
                        f"{other!r}; write another, so that the text twin can be read"
                    )
