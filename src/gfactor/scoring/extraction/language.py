"""The words of one language of replies: every kind of word that a rule needs is a field."""

from __future__ import annotations

from dataclasses import dataclass

from gfactor.scoring.extraction.name_fields import NameFields


@dataclass(frozen=True)
class Language(NameFields):
    """One language's phrases, as regular expressions without unnamed groups.

    The phrases up to `declines` are matched in any case and, in a spaced language, between word
    boundaries. The later fields are optional, contain their own word boundaries, and are named in
    the rules that use them; a new language adds those that its corpus needs.

    Parameters
    ----------
    spaced: words are separated by spaces (phrases then begin and end at word boundaries).
    heading: words before a colon, or alone above the answer ("final answer").
    announce: words at whose end the answer begins ("the correct answer is").
    weak: the same, less certain ("so it must be").
    points: verbs that point to a label, not to an option's text ("indicates").
    filler: words that may stand between an announcement and the label ("clearly", "option").
    option: words for an option, before its label.
    right, wrong: a verdict after a label ("is correct", "is ruled out").
    not_before: words that reject a label after them ("not", "rule out").
    unreal: words that make a claim in the same clause no claim ("if", "might", "at first").
    correction: words that announce that the next claim replaces the last one ("no, actually").
    retraction: words of correction that take the last claim back even if nothing follows.
    conclusion: words that make a later claim final ("therefore").
    both, either: between labels ("and", "or").
    until: between the ends of a range ("through").
    every, none: all or no option is meant; `excluding` stands before the exceptions, or, with
        `excluding_after`, after them.
    only: words that limit the answer to the labels after them ("only").
    denied, affirmed: what, after labels and at the end of a clause, denies or affirms of them what
        was said of others ("is not", "do").
    others: all labels that were not named before ("the others").
    refusal: declining to answer, or saying that it cannot be answered.
    declines: the same in more words, looked for only if no answer was found: that what the
        question needs is missing, that it cannot be solved, that it should be sent.
    stop: signs that end a sentence, beside those of ASCII, for a character class.
    comma: signs that part a list, likewise.
    script: the letters of an unspaced language, as ranges of a character class.
    the: definite articles.
    and_word: "and" between texts, with no boundaries.
    or_word: "or" between two texts.
    polite: the ending of a polite sentence after its last noun.
    polite_only: polite endings with which no noun ends.
    open_text: signs for a text that is not given.
    blank_announce: announcements of the text of a blank, beside `announce`.
    blanks_announce: announcements of the texts of several blanks together.
    contrast_text: a sentence that denies one text and gives another, in the group `name` ("not
        weight but mass").
    against_text: the same after an announcement: "12 sino 14".
    respectively: before several texts, in the order of the blanks.
    called: the beginning of a short sentence that does nothing but name a text.
    called_article: an article before such a name.
    names_text: the beginning of a sentence that does nothing but name a text ("The city is").
    no_text: after an announcement, that no text is given ("not visible", "too blurry").
    measures: words before a number or a formula.
    but_formula: a contrast after which a formula stands.
    sentence: the beginning of a sentence that says something of its subject, and is no text for
        a blank.
    text_in_doubt: words that leave a text in doubt.
    remark_not: the beginning of a remark in brackets on what a text is not, or was at first.
    remark_behind: words after a text, at the end, which say what it is not.
    replaced_quote: a quoted text that the next one replaces (not "heat" but); the group `verb`
        stays.
    talk: words with which a reply that speaks about its task begins or ends, or that it holds.
    text_still_open: after an announced text, that it is denied, or one of two.
    blank_noun: nouns for the text of a blank.
    before_quote: right before a quoted text, what says that it fills a blank.
    write: verbs of writing a text into a blank.
    joined_before_quote: the same in unspaced languages.
    behind_quote: after a quoted text at the end of a sentence.
    blank_word: words of sentences about blanks.
    filled_with: before a text, that it is filled in.
    fills: words after a text which say that it fills the blank.
    is_prefix: before a text, what says that it is the text, without a space.
    reads_text: right before a quoted or bold text, that it is to be read somewhere ("The sign
        says").
    reads_text_behind: the same after the text, at the end of its sentence.
    section_name: names of the parts of a solution, which stand in bold before them ("Step").
    task_noun: nouns for the task itself ("question", "prompt").
    interjection: words before a dash that name nothing ("Well").
    called_sentence: a sentence that says what something is called, the group `name`.
    because_only: a reason after a text, without a mark before it.
    says_what: between a subject and a bold text, that it is the text.
    is_sign: a copula that stands between two texts without spaces.
    joined_and: "and" between texts without a space before it.
    parted: a space that parts two texts of a language that has none inside them.
    abbreviated_heading: an abbreviated heading before a stop ("Ans.").
    digits: the numerals from zero to ten, one sign each.
    letters: the letters that number parts, in their order.
    circled_letters: letters in circles that number parts, in rows with spaces between them.
    before_number: before the number of a blank.
    numbered_sign: after the number of a blank or an option.
    numbered_blank: a numbered blank; its number is the group `c`.
    blank_ends: the last letters of words before a number without a space.
    particle_number: after a number in brackets, a particle.
    ordinal_sign: sign after a number that makes it an ordinal.
    ordinal: ordinals, in the groups `first` to `fifth`.
    gap: nouns for a blank or its place, after an ordinal or before a number.
    fills_blank: between a blank and its text.
    joined_to_blank: the same in unspaced languages.
    in_blank: before the ordinal of a blank.
    the_blank: an article before it.
    blank_before: a word for a blank before its ordinal.
    digits_five: the numerals of a blank in words.
    and_second: "and" or "while" before the second of two blanks.
    and_short: the same in one word.
    trailing: words that a list of texts leaves after one of them.
    trailing_joined: the same in unspaced languages.
    counts_in_words: words that say that a sentence counts, beside which a numeral may be read.
    numerals: the numerals from zero on, with spaces between them, `_` for one that is also an
        article.
    units: the numerals from zero to nineteen, with spaces between them.
    tens: twenty to sixty, with spaces between them.
    tens_joint: word that joins a unit to a ten.
    more_numerals: further numerals, `word=number` with commas between them.
    more_counted: numerals that `numerals` lacks, in the same form.
    tens_before: tens before which nothing stands, `word=number`; units follow without a space.
    units_behind: the units that follow them.
    counted_numerals: the numerals before a counter, from zero on, with spaces between them.
    counted_things: a numeral, in the group `n`, with the words that count.
    two: the sign for two before a counter.
    number_signs: a number below a hundred in the signs of `digits`.
    total_article: articles before a heading for a total.
    total_heading: a heading for a total.
    joined_total: the same in unspaced languages, with what stands after it.
    number_run: a number in signs or letters of an unspaced language.
    ten_and: between a ten and a unit.
    counter_behind: a counter after a number, and what may follow it.
    and_circled: "and" between circled numbers.
    and_number: "and" between the numbers of options.
    option_numbered: words after a number which say that it is an option's.
    number_char: the signs with which that begins.
    before_option_number: an abbreviation before an option's number.
    option_named: words for an option, before its number.
    number_word: "number" between such a word and the number.
    ordinal_option: an option by its place; the number, in digits or signs, is the group `n`.
    nth_sign: sign that makes such a place one.
    nth: the first to the fifth of the options, in the groups `first` to `fifth`, and the last one,
        in the group `last`.
    answer_key: a key for an answer in JSON, in lower case, without accents, spaces and marks.
    answer_key_before: text before it in the key.
    answer_key_behind: text after it in the key.
    answer_key_adjective: adjectives that stand before it without anything else.
    joined_key: a key for an answer as a whole, in unspaced languages.
    ordinal_key: ordinals that begin the key of a blank's text, in the groups `first` to
        `fifth`.
    answer_tag: names of a tag round the answer.
    article_spaced: definite articles with the space after them.
    one_option: "option" before one label.
    because_judged: reasons after a judgement of the statement.
    judged: a sentence that judges the statement: the group `t` true, `f` false, `n` a denial.
    joined_judged: the same in unspaced languages, with its end.
    reason: words that begin a reason, or go on, after a label in brackets.
    joined_reason: the same in unspaced languages.
    at_first: before a box, that it was only the first thought.
    offered_before: before such a heading.
    offered: a heading after which all options are merely named.
    each_one: before "answer:", that it heads no answer ("each answer:").
    is_called: between a label and "my answer:".
    no_word: "no:" after a correction.
    because: a reason after a correction's label.
    contrast: words of `correction` that only contrast.
    relative: relative pronouns.
    behind_small: text that may follow a label in lower case.
    says_which: between a subject and the labels that it is.
    are_first: "are" that begins a sentence, before its subject.
    concluded: before a clause that concludes.
    joined_concluded: the same in unspaced languages.
    no_answer_subject: subjects whose predicate is not an answer.
    and_part: "and" that parts a list.
    negation: negations.
    relation: predicates that relate the options to one another, which answers nothing.
    all_before: articles, and "both" or "all", before labels.
    instead: words that deny the label after them, in whose place another is put.
    not_only: "only" after a denial: nothing is denied.
    but_rather: before the label in its place.
    because_clause: a reason that ends the clause before it.
    not_label: "not" before a label with which a reply begins.
    but_mark: instead of a comma, between the two labels.
    but_label: "but" before the second label.
    label_for_label: a reply that is no more than a label in another's place; the groups `yes`
        and `no`.
    left_before: before the labels that remain ("leaves only").
    left_behind: after them.
    ends_sentence: the last letter of a sentence without a stop.
    ends_reply: the last letter of a reply that does not break off.
    ends_long_reply: the same of a long reply.
    may_be_too: words after an answer which say that another may be as right.
    may_be_behind: words after a label which say that it may be the answer.
    clause_begins: words with which a clause begins after another.
    clause_edge: words that part two clauses without a mark.
    question_end: the end of a question.
    no_denial: words that deny in another language, not in this one.
    recognized: sign that a text is in this language.
    was: a copula of the past.
    elsewhere: words for another question.
    turns: after a trap, the turn to the answer.
    said_by: after a claim in quotes, who says so.
    choosing: verbs of choosing, as the subject of what follows.
    would: words about a choice that is not made.
    said_wrong: words after a claim in quotes which say that it is wrong.
    drawn: words after a condition which say that a conclusion is drawn.
    supposed_before: before a condition with which a sentence begins.
    supposed: a condition with which a sentence begins.
    by_way_of: words that make a rejection the way to the answer.
    rejected: stems of words that reject, inside an announcement.
    joined_rejected: the same in unspaced languages.
    trap: a sentence that tells of a mistake or an example.
    condition: a condition after a claim.
    joined_condition: the same in unspaced languages.
    list_words: between two parts of a list.
    unfinished_and: at the end of a line, that the list goes on.
    or_to: words after a part which say that another could be meant.
    cue: name of the answer in a last line.
    cell_name: name of a cell in a last line.
    no_difference: words which say that a cell is the same in two grids.
    cell_in_words: a cell by its row and its column, in this order ("row 0, column 2").
    cue_is: between such a word and the answer.
    or_answer: between two answers of which one is meant.
    doer: before a label's word that is a verb.
    not_these: above a list, that its parts are no answer.
    article_announced: articles between an announcement and the label.
    elided: an article that is written together with its noun.
    word_script: letters of a script that tells where a word begins, for a character class.
    any_article: articles before an option's text.
    article_before: articles that may be taken for a label before an option's text.
    degrees: the word for degrees.
    degree_stem: its beginning after a number.
    true_texts: names of an option that says 'true', with `/` between them.
    false_texts: the same for 'false'.
    yes_texts: the same for 'yes'.
    no_texts: the same for 'no'.
    label_behind: words that belong to a label before them.
    same_things: names of one color or shape, with `/` between them and commas between things.
    color_names: names of colors that CSS does not have, with spaces between them.
    shape_names: names of shapes, with spaces between them.
    format_words: other words of answers in a fixed format, with spaces between them.
    format_cue: words of an output format that stand for all of these.
    label_words: capitals that are words of their own at the start of a sentence.
    follower: words that may follow a label, and no word of that letter.
    verdict_follower: the same at the end of a clause.
    named_thing: before a letter that is a name, no label.
    pronoun_label_follower: after the label I, which is then "I" for none.
    list_ends: text that follows the last label of a list.
    it_is: before a further label.
    link_article: an article or preposition before a further label.
    label_unit: after a label, before what joins the next one.
    because_lead: a reason after a label with which a reply begins.
    joined_because: a reason in an unspaced language.
    line_article: an article before the word for an option.
    abbreviations: words besides a sentence that a stop may end.
    inner_stop: after a stop that ends an abbreviation, that the sentence goes on ("St. Louis").
    explains: after a text and a comma, that the same follows in other words ("i.e.").
    approximately: before a number, that it is rounded.
    unit_names: symbols of units with their names, `symbol=name/name`, with commas between them.
    per_unit: "per" between two units, with the spaces round it.
    dimension: after a number and its unit, what is measured ("deep", "in length").
    behind_amount: prepositions after a number and its unit ("of water").
    of_amount: words before a number that ends its sentence ("a depth of").
    no_total: right after a number, that it is a part, or a difference ("more").
    compared: words with which a sentence compares ("than").
    measured_subject: in unspaced languages, a subject and "is" before a number.
    unfinished_word: a last word with which no reply ends.
    equals: a copula before a number or a formula.
    hedge_equation: words that leave an equation in doubt, or deny it.
    whether_behind: words after an option's text which say that it is asked or one of two.
    taken_back: words after an option's text which say that it is taken back.
    means: a conclusion that a verb draws.
    but_is: a contrast whose copula names the subject.
    function_word: an option's text that any sentence may hold.
    more_text: more than a noun after an option's text.
    roughly: before a number that is a bound or a guess.
    or_number: between a number and another that could be meant.
    described: words that announce a description option by option.
    introduced: words that announce it in the sentence before.
    then_lead: the beginning of a sentence of it, before the option.
    because_answer: a reason after a bare label with which a reply begins.
    committed: words that commit to an answer.
    the_label: articles before a label in capitals.
    rest_right: words for: all options not called wrong before are right.
    unit_chars: signs of words for options between a label and an exception.
    except_for: before the options that are excepted.
    except_article: articles after them.
    except_noun: words for options after these.
    joined_except: the same in unspaced languages.
    except_behind: after the options that are excepted.
    quantified: words for all, none or the others.
    filling: words that may stand beside them in a sentence that says nothing else.
    none_of: words for none.
    all_wrong: words for: options are wrong, anywhere in a sentence.
    all_right: words for: options are right, anywhere in a sentence.
    all_denied: negations anywhere in a sentence with an exception.
    all_open: conditions and doubts anywhere in such a sentence.
    right_stem: words of "all are right".
    are_right: "are right" before the exceptions.
    excluded_unit: a word for an option before `excluding_after`.
    excluded_end: text that may follow `excluding_after`.
    sentence_particle: a particle after an answer.
    goes_on: words with which a sentence goes on after an answer.
    polite_label: the ending of a polite sentence after a label.
    broken_off: a last word after which a list breaks off.
    hedged_more: between an answer and another that may be as right.
    but_not: before "not", after an answer.
    small_word: a short word between an announcement and the answer.
    particle: particle that goes on after an answer without a space.
    both_before: "both" before an answer.
    the_capital: an article before a label, in any case.
    label_article: the same, before a small letter too.
    from_label: "from" before a range of labels.
    option_lead: before the word for an option in an answer.
    label_number: "number" before a label.
    and_list: "and" between the parts of an answer.
    right_mark: a verdict of one word that an option is right.
    wrong_mark: the same that it is wrong.
    answers_right: a verdict with which a line goes on.
    answers_wrong: the same that the option is wrong.
    numbered_verdict: an option's number before a verdict.
    right_side: a heading above the right options.
    wrong_side: a heading above the wrong ones.
    hedge: words that leave a verdict in doubt.
    digit_before: signs that may stand before a number without a space.
    digit_behind: signs that may stand after it.
    strict_units: the numerals of answers in a fixed format, from zero to nineteen, with spaces
        between them.
    strict_tens: twenty to ninety, with spaces between them.
    user_turn: mark of the turn of the one who asks.
    assistant_turn: mark of the turn of the one who answers.
    no_turn: the first signs of such a mark that begins an answer too.
    next_question: heading of a next question.
    number_mark: before the number of a question.
    count_sentence: signs that a sentence counts.
    count_things: after a number, the name of the things that were counted.
    count_open: words that leave a count in doubt, or are a part of it.
    count_about: words that make a headed count a guess.
    who_counts: the beginning of a sentence that tells what somebody counted.
    also_counted: signs in such a sentence that the count may not be all.
    counters: counters after a number.
    total: words that announce the total after the numbers it is the sum of.
    total_doubt: words that leave such a total in doubt.
    number_link: between a label's word and its number.
    things: names of the things counted, `LABEL=word` with commas between them.
    place_names: words for the places that labels name, `LABEL=words` with commas between them.
    cell_lead: words before the cell that a last line names ("that is", "stands on").
    met_by: before "only", that what follows meets the conditions.
    only_in: prepositions after "only", and a verb before them.
    only_behind: after labels, that only they are meant.
    lead_doubt: words after a word with which a line answers which say that it is taken back.
    predicate: between a subject and the words of a set.
    set_noun: nouns for the members of a set.
    part_of_picture: subjects that are a part of the picture, or what it does not hold.
    announced_article: an article with which an announcement breaks off.
    code: its tag in the labels of items ("de").
    small_words: frequent words by which a text of a spaced language is recognized, with spaces.
    group_marks: signs that part the thousands of a number; where the stop is one, the comma begins
        the decimals.
    cardinals: numerals, `word=number` with commas between them; the articles are left out.
    scales: words that multiply the number before them, likewise.
    scale_and: "and" between a hundred and the number after it.
    numeral_lead: signs before which a numeral of an unspaced language is none.
    numeral_behind: what must follow such a numeral.
    one_thing: words for one where they count, not as an article or a pronoun.
    one_article: the article that may also be the number one, before its noun.
    bound: before a number, that it is a bound, a range or a number rejected ("at least").
    bound_behind: the same right after a number ("or more").
    numbered_noun: nouns before a number that names one of several ("figure", "row").
    percent: words of a question that asks for a percentage.
    year_lead: before a year.
    year_behind: after a year, or a month.
    below_zero: before a number, that it is negative.
    below_zero_behind: the same after it and its unit.
    part_behind: right after a number, that it counts a part or a difference ("more").
    nothing_but: a negation with which a number is all there is ("ne voit que").
    part_lead: at the beginning of a sentence, that it tells of a part ("of these").
    adds_up: verbs before a result.
    no_value: declining to give a number.
    copula: between the words of the question and the text that answers it.
    all_word: words for all, in a sentence with an exception.
    hanging: a last word with which no sentence ends.
    ordinal_lead: before a number with a stop, that it is an ordinal.
    whereas: words that begin a clause about the other options ("whereas").
    ends_only: after labels at the end of a sentence, that only they are meant.
    last_verb: verbs and participles that may end a sentence after its labels.
    last_article: articles and prepositions between a copula and the labels that end a sentence.
    undecided: words that leave a last sentence without an answer ("the candidates").
    shows: verbs after the label of a picture that say what it shows.
    claimed: at the end of a text, a verb with which somebody else claims what follows.
    leaves_one: a last sentence which says that one option alone is left, and does not name it.
    double_s: a double s in all its spellings.
    last_one: the last of several, with its article.
    summing_up: words with which a last sentence puts together what was seen.
    points_back: a conclusion with a pronoun for the only option that a reply names.
    is_case: before the options for which the condition named before holds.
    some_of_them: a count of the options that a reply sets against another one.
    is_placed: a verb between a thing and the picture that has it.
    mark_word: a word that stands for a tick at the end of a line.
    lacks: words of a refusal that may only say what a picture lacks.
    abstains: words with which a reply leaves its own hint unanswered.
    counted_tail: a number of things behind the options of a list.
    """

    spaced: bool
    heading: str
    announce: str
    weak: str
    points: str
    filler: str
    option: str
    right: str
    wrong: str
    not_before: str
    unreal: str
    correction: str
    retraction: str
    conclusion: str
    both: str
    either: str
    until: str
    every: str
    none: str
    excluding: str
    excluding_after: str
    only: str
    denied: str
    affirmed: str
    others: str
    refusal: str
    declines: str
    stop: str = ""
    comma: str = ""
    script: str = ""
    the: str = ""
    and_word: str = ""
    or_word: str = ""
    polite: str = ""
    polite_only: str = ""
    open_text: str = ""
    blank_announce: str = ""
    blanks_announce: str = ""
    contrast_text: str = ""
    against_text: str = ""
    respectively: str = ""
    called: str = ""
    called_article: str = ""
    names_text: str = ""
    no_text: str = ""
    measures: str = ""
    but_formula: str = ""
    sentence: str = ""
    text_in_doubt: str = ""
    remark_not: str = ""
    remark_behind: str = ""
    replaced_quote: str = ""
    talk: str = ""
    text_still_open: str = ""
    blank_noun: str = ""
    before_quote: str = ""
    write: str = ""
    joined_before_quote: str = ""
    behind_quote: str = ""
    blank_word: str = ""
    filled_with: str = ""
    fills: str = ""
    is_prefix: str = ""
    reads_text: str = ""
    reads_text_behind: str = ""
    section_name: str = ""
    task_noun: str = ""
    interjection: str = ""
    called_sentence: str = ""
    because_only: str = ""
    says_what: str = ""
    is_sign: str = ""
    joined_and: str = ""
    parted: str = ""
    abbreviated_heading: str = ""
    digits: str = ""
    letters: str = ""
    circled_letters: str = ""
    before_number: str = ""
    numbered_sign: str = ""
    numbered_blank: str = ""
    blank_ends: str = ""
    particle_number: str = ""
    ordinal_sign: str = ""
    ordinal: str = ""
    gap: str = ""
    fills_blank: str = ""
    joined_to_blank: str = ""
    in_blank: str = ""
    the_blank: str = ""
    blank_before: str = ""
    digits_five: str = ""
    and_second: str = ""
    and_short: str = ""
    trailing: str = ""
    trailing_joined: str = ""
    counts_in_words: str = ""
    numerals: str = ""
    units: str = ""
    tens: str = ""
    tens_joint: str = ""
    more_numerals: str = ""
    more_counted: str = ""
    tens_before: str = ""
    units_behind: str = ""
    counted_numerals: str = ""
    counted_things: str = ""
    two: str = ""
    number_signs: str = ""
    total_article: str = ""
    total_heading: str = ""
    joined_total: str = ""
    number_run: str = ""
    ten_and: str = ""
    counter_behind: str = ""
    and_circled: str = ""
    and_number: str = ""
    option_numbered: str = ""
    number_char: str = ""
    before_option_number: str = ""
    option_named: str = ""
    number_word: str = ""
    ordinal_option: str = ""
    nth_sign: str = ""
    nth: str = ""
    answer_key: str = ""
    answer_key_before: str = ""
    answer_key_behind: str = ""
    answer_key_adjective: str = ""
    joined_key: str = ""
    ordinal_key: str = ""
    answer_tag: str = ""
    article_spaced: str = ""
    one_option: str = ""
    because_judged: str = ""
    judged: str = ""
    joined_judged: str = ""
    reason: str = ""
    joined_reason: str = ""
    at_first: str = ""
    offered_before: str = ""
    offered: str = ""
    each_one: str = ""
    is_called: str = ""
    no_word: str = ""
    because: str = ""
    contrast: str = ""
    relative: str = ""
    behind_small: str = ""
    says_which: str = ""
    are_first: str = ""
    concluded: str = ""
    joined_concluded: str = ""
    no_answer_subject: str = ""
    and_part: str = ""
    negation: str = ""
    relation: str = ""
    all_before: str = ""
    instead: str = ""
    not_only: str = ""
    but_rather: str = ""
    because_clause: str = ""
    not_label: str = ""
    but_mark: str = ""
    but_label: str = ""
    label_for_label: str = ""
    left_before: str = ""
    left_behind: str = ""
    ends_sentence: str = ""
    ends_reply: str = ""
    ends_long_reply: str = ""
    may_be_too: str = ""
    may_be_behind: str = ""
    clause_begins: str = ""
    clause_edge: str = ""
    question_end: str = ""
    no_denial: str = ""
    recognized: str = ""
    was: str = ""
    elsewhere: str = ""
    turns: str = ""
    said_by: str = ""
    choosing: str = ""
    would: str = ""
    said_wrong: str = ""
    drawn: str = ""
    supposed_before: str = ""
    supposed: str = ""
    by_way_of: str = ""
    rejected: str = ""
    joined_rejected: str = ""
    trap: str = ""
    condition: str = ""
    joined_condition: str = ""
    list_words: str = ""
    unfinished_and: str = ""
    or_to: str = ""
    cue: str = ""
    cell_name: str = ""
    no_difference: str = ""
    cell_in_words: str = ""
    cue_is: str = ""
    or_answer: str = ""
    doer: str = ""
    not_these: str = ""
    article_announced: str = ""
    elided: str = ""
    word_script: str = ""
    any_article: str = ""
    article_before: str = ""
    degrees: str = ""
    degree_stem: str = ""
    true_texts: str = ""
    false_texts: str = ""
    yes_texts: str = ""
    no_texts: str = ""
    label_behind: str = ""
    same_things: str = ""
    color_names: str = ""
    shape_names: str = ""
    format_words: str = ""
    format_cue: str = ""
    label_words: str = ""
    follower: str = ""
    verdict_follower: str = ""
    named_thing: str = ""
    pronoun_label_follower: str = ""
    list_ends: str = ""
    it_is: str = ""
    link_article: str = ""
    label_unit: str = ""
    because_lead: str = ""
    joined_because: str = ""
    line_article: str = ""
    abbreviations: str = ""
    inner_stop: str = ""
    explains: str = ""
    approximately: str = ""
    unit_names: str = ""
    per_unit: str = ""
    dimension: str = ""
    behind_amount: str = ""
    of_amount: str = ""
    no_total: str = ""
    compared: str = ""
    measured_subject: str = ""
    unfinished_word: str = ""
    equals: str = ""
    hedge_equation: str = ""
    whether_behind: str = ""
    taken_back: str = ""
    means: str = ""
    but_is: str = ""
    function_word: str = ""
    more_text: str = ""
    roughly: str = ""
    or_number: str = ""
    described: str = ""
    introduced: str = ""
    then_lead: str = ""
    because_answer: str = ""
    committed: str = ""
    the_label: str = ""
    rest_right: str = ""
    unit_chars: str = ""
    except_for: str = ""
    except_article: str = ""
    except_noun: str = ""
    joined_except: str = ""
    except_behind: str = ""
    quantified: str = ""
    filling: str = ""
    none_of: str = ""
    all_wrong: str = ""
    all_right: str = ""
    all_denied: str = ""
    all_open: str = ""
    right_stem: str = ""
    are_right: str = ""
    excluded_unit: str = ""
    excluded_end: str = ""
    sentence_particle: str = ""
    goes_on: str = ""
    polite_label: str = ""
    broken_off: str = ""
    hedged_more: str = ""
    but_not: str = ""
    small_word: str = ""
    particle: str = ""
    both_before: str = ""
    the_capital: str = ""
    label_article: str = ""
    from_label: str = ""
    option_lead: str = ""
    label_number: str = ""
    and_list: str = ""
    right_mark: str = ""
    wrong_mark: str = ""
    answers_right: str = ""
    answers_wrong: str = ""
    numbered_verdict: str = ""
    right_side: str = ""
    wrong_side: str = ""
    hedge: str = ""
    digit_before: str = ""
    digit_behind: str = ""
    strict_units: str = ""
    strict_tens: str = ""
    user_turn: str = ""
    assistant_turn: str = ""
    no_turn: str = ""
    next_question: str = ""
    number_mark: str = ""
    count_sentence: str = ""
    count_things: str = ""
    count_open: str = ""
    count_about: str = ""
    who_counts: str = ""
    also_counted: str = ""
    counters: str = ""
    total: str = ""
    total_doubt: str = ""
    number_link: str = ""
    things: str = ""
    place_names: str = ""
    cell_lead: str = ""
    met_by: str = ""
    only_in: str = ""
    only_behind: str = ""
    lead_doubt: str = ""
    predicate: str = ""
    set_noun: str = ""
    part_of_picture: str = ""
    announced_article: str = ""
    code: str = ""
    small_words: str = ""
    group_marks: str = ""
    cardinals: str = ""
    scales: str = ""
    scale_and: str = ""
    numeral_lead: str = ""
    numeral_behind: str = ""
    one_thing: str = ""
    one_article: str = ""
    bound: str = ""
    bound_behind: str = ""
    numbered_noun: str = ""
    percent: str = ""
    year_lead: str = ""
    year_behind: str = ""
    below_zero: str = ""
    below_zero_behind: str = ""
    part_behind: str = ""
    nothing_but: str = ""
    part_lead: str = ""
    adds_up: str = ""
    no_value: str = ""
    copula: str = ""
    all_word: str = ""
    hanging: str = ""
    ordinal_lead: str = ""
    whereas: str = ""
    ends_only: str = ""
    last_verb: str = ""
    last_article: str = ""
    undecided: str = ""
    shows: str = ""
    claimed: str = ""
    leaves_one: str = ""
    double_s: str = ""
    last_one: str = ""
    summing_up: str = ""
    points_back: str = ""
    is_case: str = ""
    some_of_them: str = ""
    is_placed: str = ""
    mark_word: str = ""
    lacks: str = ""
    abstains: str = ""
    counted_tail: str = ""
