"""The words of one language for names and for parts of numbers, each kind a field."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class NameFields:
    """One language's expressions round the name of a thing, and for fractions and dozens.

    All are optional and contain their own word boundaries, or are tried at those of words.

    Parameters
    ----------
    denominators: denominators of fractions, `word=number` with commas between them.
    one_of_parts: words for one before a denominator.
    parts_word: a word for parts after a denominator.
    of_parts: what stands between a denominator and its numerator after it.
    half_alone: words for a half without a number.
    and_half: "and a half" after a number.
    half_noun: nouns between the number and these words.
    halves: numerals with a half, `word=value` with commas between them.
    dozens: words for a dozen.
    half_dozen: words for half a dozen.
    named_as: between a subject and its name, what says that it is its name ("belongs to").
    is_a: the same, a copula alone.
    shows_it: the same, a verb after which a thing may be merely described ("shows").
    surely: adverbs between these and the name.
    name_article: an article, or a preposition with one, before the name.
    elided_before: the same, written together with the name.
    name_preposition: prepositions that stand before a name if they stand in the question.
    behind_name: what follows the name at the end of its sentence.
    describes_it: words of a predicate that describe a thing instead of naming it.
    describes_place: the same, at the beginning of a predicate; they answer no question about a
        color or a shape either.
    describes_behind: the same, at the end of a predicate.
    name_denied: words after a name which deny it or leave it in doubt.
    naming_doubt: words before a name which leave it in doubt.
    refers_back: subjects that stand for the thing asked for.
    denied_but: before a text given in place of one that was denied ("but").
    self_corrects: words with which a short reply corrects itself, beside `correction`.
    that_word: "that" between an announcement and a text.
    not_in_name: words that stand in no name.
    in_all: before an amount in another unit, beside `explains`.
    its: other words with which a sentence about a thing named before begins.
    concludes_that: words with which a conclusion about a name is drawn, beside `conclusion`.
    no_doubt: negations with which nothing is denied ("no doubt").
    closing_remark: beginnings of sentences that only close a reply politely.
    detail_noun: subjects that are a detail of the thing.
    also_called: in brackets behind a name, what leads to another name of the same thing.
    no_end: articles and prepositions, with which no sentence ends.
    """

    denominators: str = ""
    one_of_parts: str = ""
    parts_word: str = ""
    of_parts: str = ""
    half_alone: str = ""
    and_half: str = ""
    half_noun: str = ""
    halves: str = ""
    dozens: str = ""
    half_dozen: str = ""
    named_as: str = ""
    is_a: str = ""
    shows_it: str = ""
    surely: str = ""
    name_article: str = ""
    elided_before: str = ""
    name_preposition: str = ""
    behind_name: str = ""
    describes_it: str = ""
    describes_place: str = ""
    describes_behind: str = ""
    name_denied: str = ""
    naming_doubt: str = ""
    refers_back: str = ""
    denied_but: str = ""
    self_corrects: str = ""
    that_word: str = ""
    not_in_name: str = ""
    in_all: str = ""
    its: str = ""
    concludes_that: str = ""
    no_doubt: str = ""
    closing_remark: str = ""
    detail_noun: str = ""
    also_called: str = ""
    no_end: str = ""
