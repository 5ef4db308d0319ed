"""Sentences in six languages: templates, words that agree in number and gender, and their reader.

A `Say` names a template and fills its fields, without regard to language; `Texts.write` puts it
into one. A template is a whole sentence or line: nothing is glued together from fragments, so that
every template can be reviewed as it stands. Its fields are written in braces:

    {count}             a whole number
    {form}              a word of the class "form" (a noun in the singular, an adjective as it is)
    {form:n=count}      the noun in the number that `count` asks for in the language
    {size:of=form}      the adjective in the gender of the noun in the field `form`
    {size:of=form,n=count}  ... and in the number of `count`
    {cells}             other `Say`s with "; " between them (Chinese "；", French " ; ")
    {numbers}           whole numbers with ", " between them

A field may carry a digit at its end ({form2} is a word of the class "form"). `Texts.read` is the
inverse: it finds the template and the values in a line, which shows that a text twin says all that
the picture shows.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from gfactor.benchmarks.templates import Field, fields_of, in_braces, names_in, parsed
from gfactor.errors import ParameterError

LANGUAGES = ("en", "zh", "fr", "es", "pt", "ko")
"""Every language that sentences are written in (BCP 47)."""

Forms: TypeAlias = tuple[str, ...]
"""Forms of a word. One form: it never changes. A noun: singular, plural, gender ("m", "f", "n"). An
adjective: masculine and feminine singular, masculine and feminine plural.
"""

Words: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Forms]]]
"""Class -> word -> language -> its forms."""

Templates: TypeAlias = Mapping[str, Mapping[str, str]]
"""Name -> language -> template."""

Value: TypeAlias = "int | str | tuple[int, ...] | tuple[Say, ...]"

_BETWEEN_SAYS, _BETWEEN_NUMBERS = {"zh": "；", "fr": " ; "}, ", "
_NOUN, _ADJECTIVE = 3, 4


@dataclass(frozen=True)
class Say:
    """A template's name and the values of its fields, in the order of their names."""

    template: str
    fields: tuple[tuple[str, Value], ...] = ()

    @property
    def values(self) -> dict[str, Value]:
        """The fields by name."""
        return dict(self.fields)

    def __getitem__(self, name: str) -> Value:
        if name not in self.values:
            raise ParameterError(
                f"texts.{self.template}: the module reads {{{name}}} in its text twin, and the "
                f"template has {in_braces(self.values)}; write {{{name}}} in every language"
            )
        return self.values[name]


def say(template: str, **values: Value) -> Say:
    """Return a `Say`, a template's name with these values of its fields."""
    return Say(template, tuple(sorted(values.items())))


@dataclass(frozen=True)
class Texts:
    """The templates and words of a family (with those that all families share).

    Parameters
    ----------
    templates: name -> language -> template.
    words: class -> word -> language -> forms.
    files: "texts.NAME" or "words.CLASS.WORD" -> its file, for sentences about mistakes.
    """

    templates: Templates
    words: Words
    files: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def where(self, key: str) -> str:
        """Return the file, if it is known, and the key of a template or a word."""
        return f"{self.files[key]}, {key}" if key in self.files else key

    def write(self, one: Say, language: str) -> str:
        """Return the sentence in a language.

        Raises ParameterError for an unknown template, language, word or field.
        """
        try:
            return self._sentence(one, language)
        except KeyError as error:
            raise ParameterError(self._lacking(one, language)) from error

    def _sentence(self, one: Say, language: str) -> str:
        values = one.values
        out = []
        for literal, field in parsed(self.templates[one.template][language]):
            out.append(literal)
            if field is not None:
                out.append(self._written(field, values, language))
        return "".join(out)

    def _written(self, field: Field, values: Mapping[str, Value], language: str) -> str:
        value = values[field.name]
        if isinstance(value, int):
            return str(value)
        if isinstance(value, tuple):
            if all(isinstance(v, int) for v in value):
                return _BETWEEN_NUMBERS.join(map(str, value))
            parts = (self.write(v, language) for v in value if isinstance(v, Say))
            return _BETWEEN_SAYS.get(language, "; ").join(parts)
        forms = self.words[field.kind][value][language]
        plural = bool(field.n) and is_plural(values[field.n], language)
        if len(forms) == _NOUN:
            return forms[1 if plural else 0]
        if len(forms) == _ADJECTIVE:
            feminine = field.of and self._gender(field.of, values, language) == "f"
            return forms[2 * plural + bool(feminine)]
        return forms[0]

    def _lacking(self, one: Say, language: str) -> str:
        """Return why a sentence cannot be written: a name in the module that the files lack."""
        where, values = self.where(f"texts.{one.template}"), one.values
        if one.template not in self.templates:
            near = difflib.get_close_matches(one.template, self.templates, n=1, cutoff=0.0)
            closest = "".join(f", or rename {self.where(f'texts.{name}')}" for name in near)
            return f"the module says {one.template!r}, and there is no {where}; add it{closest}"
        if language not in self.templates[one.template]:
            return f'{where} has no text in {language!r}; write {language} = "..."'
        for name in names_in(self.templates[one.template][language]):
            if name not in values:
                given = in_braces(values)
                return f"{where}, {language}: {{{name}}} has no value; the module gives {given}"
            kind, word = Field(name).kind, values[name]
            if isinstance(word, str) and language not in self.words.get(kind, {}).get(word, {}):
                return f"{where}, {language}: {{{name}}} is to be {word!r}; add words.{kind}.{word}"
        return f"{where}, {language}: a word agrees in gender with a field that is no word"

    def _gender(self, noun: str, values: Mapping[str, Value], language: str) -> str:
        forms = self.words[Field(noun).kind][str(values[noun])][language]
        return forms[2] if len(forms) == _NOUN else "m"

    def read(self, line: str, language: str, among: Sequence[str] = ()) -> Say:
        """Return the template and values from which `write` makes this line.

        Parameters
        ----------
        among: names of the templates that may be meant; every template if empty.

        Raises ValueError if no template fits, or more than one.
        """
        result = []
        for name in among or self.templates:
            match = self._patterns[name, language].fullmatch(line)
            if match and (one := self._read(name, match, language)) is not None:
                result.append(one)
        if len(set(result)) != 1:
            raise ValueError(
                f"{line!r} fits {len(set(result))} templates in {language!r}, not exactly one"
            )
        return result[0]

    def _read(self, name: str, match: re.Match[str], language: str) -> Say | None:
        values: dict[str, Value] = {}
        for field in fields_of(self.templates[name][language]):
            text = match[field.name]
            if field.kind in self.words:
                values[field.name] = self._word_of[field.kind, language][text]
            elif re.fullmatch(r"-?\d+", text):
                values[field.name] = int(text)
            elif re.fullmatch(r"-?\d+(, -?\d+)*", text):
                values[field.name] = tuple(int(t) for t in text.split(_BETWEEN_NUMBERS))
            else:
                parts = text.split(_BETWEEN_SAYS.get(language, "; "))
                try:
                    among = self._nested(language)
                    values[field.name] = tuple(self.read(part, language, among) for part in parts)
                except ValueError:
                    return None
        one = say(name, **values)
        return one if self.write(one, language) == match.string else None

    def _nested(self, language: str) -> list[str]:
        """The templates that may stand within another: those that are more than one bare field."""
        return [
            name
            for name, languages in self.templates.items()
            if len(pieces := list(parsed(languages[language]))) > 1
            or any(literal for literal, _ in pieces)
            or any(field is not None and field.kind in self.words for _, field in pieces)
        ]

    @cached_property
    def _word_of(self) -> dict[tuple[str, str], dict[str, str]]:
        """Class and language -> form -> word; two words of a class never share a form."""
        result: dict[tuple[str, str], dict[str, str]] = {}
        for kind, words in self.words.items():
            for word, languages in words.items():
                for language, forms in languages.items():
                    word_of_form = result.setdefault((kind, language), {})
                    for form in spellings(forms):
                        if word_of_form.setdefault(form, word) != word:
                            raise ValueError(
                                f"{form!r} is a form of both {word!r} and {word_of_form[form]!r}"
                            )
        return result

    @cached_property
    def _patterns(self) -> dict[tuple[str, str], re.Pattern[str]]:
        return {
            (name, language): re.compile(self._pattern(template, language), re.DOTALL)
            for name, languages in self.templates.items()
            for language, template in languages.items()
        }

    def _pattern(self, template: str, language: str) -> str:
        parts, seen = [], set()
        for literal, field in parsed(template):
            parts.append(re.escape(literal))
            if field is None:
                continue
            if field.name in seen:
                parts.append(f"(?P={field.name})")
                continue
            seen.add(field.name)
            forms = self._word_of.get((field.kind, language))
            if forms is None:
                parts.append(f"(?P<{field.name}>.+?)")
            else:
                longest = sorted(forms, key=len, reverse=True)
                parts.append(f"(?P<{field.name}>{'|'.join(map(re.escape, longest))})")
        return "".join(parts)


def is_plural(count: Value, language: str) -> bool:
    """Return True if a noun counted by `count` is in the plural (CLDR's category is not "one")."""
    if language in ("zh", "ko"):
        return False
    return count not in ((0, 1) if language in ("fr", "pt") else (1,))


def joined(*parts: Texts) -> Texts:
    """Return the templates and words of several sets; a later entry replaces an earlier one of the
    same name."""
    templates = {name: t for part in parts for name, t in part.templates.items()}
    words = {name: w for part in parts for name, w in part.words.items()}
    files = {key: file for part in parts for key, file in part.files.items()}
    return Texts(templates, words, files)


def spellings(forms: Forms) -> tuple[str, ...]:
    """Return the forms of a word that a sentence may hold."""
    return forms[:2] if len(forms) == _NOUN else forms
