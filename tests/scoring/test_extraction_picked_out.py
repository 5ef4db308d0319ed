"""Sentences that pick out options in a form of their own, and marks in lists of options' texts.

Every form is read in several languages, beside a sentence of the same form that answers nothing.
"""

from __future__ import annotations

import pytest
from support.readings import one, several

PICTURES = dict.fromkeys("ABCD", "")
ANIMALS = {"A": "ox", "B": "donkey", "C": "sheep", "D": "camel"}
TIERE = {"A": "Ochse", "B": "Esel", "C": "Schaf", "D": "Kamel"}
MOODS = {"A": "joy", "B": "pride", "C": "boredom", "D": "fear"}
LOCKS = {"A": "Elm lock", "B": "Meadow lock", "C": "Sand lock", "D": "None"}
Options = dict[str, str]


def nothing(answer: object) -> bool:
    """Return True if a helper answered with a reason in words instead of labels."""
    return len(str(answer)) > 4


@pytest.mark.parametrize(
    "reply",
    [
        "The first, the second and the last one; the third shows a 6.",
        "Der erste, der zweite und der letzte; der dritte zeigt eine 6.",
        "Le premier, le deuxième et le dernier ; le troisième montre un 6.",
        "El primero, el segundo y el último; el tercero muestra un 6.",
        "O primeiro, o segundo e o último; o terceiro mostra um 6.",
    ],
)
def test_the_last_of_several_places_is_read(reply: str) -> None:
    assert several(reply, PICTURES) == "ABD"


@pytest.mark.parametrize(
    "reply",
    [
        "The first, the fifth and so on.",
        "First, the last row is empty.",
        "O primeiro, o segundo ou o último.",
        "The first, the second or the third one.",
    ],
)
def test_places_that_are_no_list_of_answers_give_nothing(reply: str) -> None:
    assert nothing(several(reply, PICTURES))


@pytest.mark.parametrize(
    ("reply", "options", "labels"),
    [
        ("ox ........ OK\ndonkey .... X\nsheep ..... OK\ncamel ..... X", ANIMALS, "AC"),
        ("Ochse: V\nEsel: X\nSchaf: X\nKamel: V", TIERE, "AD"),
        ("□ ox\n■ donkey\n□ sheep\n■ camel", ANIMALS, "BD"),
        ("( ) ox\n(•) donkey\n( ) sheep\n(•) camel", ANIMALS, "BD"),
        ("| | lies |\n|--|--|\n| ox | ✔ |\n| donkey | – |\n| sheep | ✔ |\n| camel | – |",
         ANIMALS, "AC"),
    ],
)  # fmt: skip
def test_marks_behind_dots_in_squares_and_in_cells_choose_options(
    reply: str, options: Options, labels: str
) -> None:
    assert several(reply, options) == labels


def test_one_mark_in_a_list_of_boxes_is_the_answer() -> None:
    assert one("ox ... X\ndonkey ... X\nsheep ... OK\ncamel ... X", ANIMALS) == "C"
    assert one("Selection:\n( ) ox\n( ) donkey\n(•) sheep\n( ) camel", ANIMALS) == "C"
    assert one("[ ] ox\n[√] donkey\n[ ] sheep\n[ ] camel", ANIMALS) == "B"


@pytest.mark.parametrize(
    "reply",
    [
        "ox ........ X\ndonkey .... -\nsheep ..... X\ncamel ..... -",
        "[ ] ox\n[ ] donkey\n[ ] sheep\n[ ] camel",
        "ox .......\ndonkey ....\nsheep .....\ncamel .....",
    ],
)
def test_marks_that_may_mean_either_choose_nothing(reply: str) -> None:
    assert nothing(several(reply, ANIMALS))


@pytest.mark.parametrize(
    "reply",
    [
        "Your manual gives C. I do not see the same cages and I abstain.",
        "Ihr Lehrbuch gibt C an. Ich sehe andere Käfige und enthalte mich.",
        "L'énoncé de votre manuel donne « C ». Je ne vois pas les mêmes cages et je m'abstiens.",
        "El manual indica C. Prefiero no responder.",
        "O manual indica C. Prefiro não responder.",
    ],
)
def test_an_abstention_behind_a_hint_takes_it_back(reply: str) -> None:
    assert nothing(one(reply, PICTURES))


@pytest.mark.parametrize(
    "reply",
    [
        "A tight rope is straight. That's the case with the rope in picture A and the line in "
        "picture D. The others hang loose.",
        "Das ist bei dem Seil in Bild A und bei der Leine in Bild D der Fall. In den anderen hängt "
        "es durch.",
        "C'est le cas de la corde de l'image A et de l'amarre de l'image D. Dans les autres, elle "
        "pend.",
        "Es el caso de la cuerda de la imagen A y del cabo de la imagen D. En las demás cuelga.",
        "É o caso da corda da imagem A e do cabo da imagem D. Nas outras ela pende.",
    ],
)
def test_pictures_are_listed_with_what_they_show(reply: str) -> None:
    assert several(reply, PICTURES) == "AD"


@pytest.mark.parametrize(
    "reply",
    [
        "That is not the case with the rope in picture A and the line in picture D.",
        "That's the case with the rope in picture A or the line in picture D.",
        "That's the case with the rope in picture A and the line in picture D. Picture C is near.",
        "That's the case with the rope in picture A and the line in picture D, perhaps.",
    ],
)
def test_a_case_that_is_denied_or_left_open_lists_nothing(reply: str) -> None:
    assert nothing(several(reply, PICTURES))


@pytest.mark.parametrize(
    ("reply", "labels"),
    [
        ("In short, two statements hold: A and D. It was tempting to tick more.", "AD"),
        ("Kurz gesagt sind zwei richtig: A und D. Es wäre verlockend, mehr anzukreuzen.", "AD"),
        ("En résumé, deux propositions sont à retenir : A et D. L'ombre est nette.", "AD"),
        ("Em resumo, duas são verdadeiras: A e D. Seria tentador marcar mais alguma.", "AD"),
        ("En resumen, dos son correctas: A y D. Sería tentador marcar alguna más.", "AD"),
        ("In short, two statements hold: A and D. Maybe more do.", None),
        ("In short, two statements were rejected: A and D. It was tempting to tick more.", None),
    ],
)
def test_a_remark_may_follow_the_set_that_is_summed_up(reply: str, labels: str | None) -> None:
    answer = several(reply, PICTURES)
    assert nothing(answer) if labels is None else answer == labels


def test_only_before_texts_that_end_a_reply_names_them() -> None:
    said = "The donkey and the camel are standing. Lying, only the ox and the sheep."
    assert several(said, ANIMALS) == "AC"
    assert several("Esel und Kamel stehen. Liegend: nur Ochse und Schaf.", TIERE) == "AC"
    said = "The donkey and the camel are standing. Lying, not only the ox and the sheep."
    assert several(said, ANIMALS) != "AC"
    oxen = {"A": "소", "B": "당나귀", "C": "양", "D": "낙타"}
    assert (
        several("당나귀와 낙타는 서 있습니다. 따라서 누운 동물은 소와 양 두 마리입니다.", oxen)
        == "AC"
    )
    food = {"A": "烧卖", "B": "油条", "C": "糍粑", "D": "豆花"}
    assert several("油条已经没有了。综上,桌上的早点是烧卖、糍粑和豆花三样。", food) == "ACD"


@pytest.mark.parametrize(
    "reply",
    [
        "Only swatch C matches the draft.",
        "Nur Stoff C passt zur Vorlage.",
        "Solo el retal C coincide con el patrón.",
        "Seul l'échantillon C correspond.",
        "Só o retalho C combina.",
        "Bird C. The long crest gives it away.",
        "Vogel C. Die lange Haube verrät ihn.",
        "Pájaro C. La cresta lo delata.",
        "Oiseau C. La huppe le trahit.",
        "Ave C. O penacho denuncia.",
        "A holds only wax, B is fresh foundation and D has no cells. The brood is in picture C.",
        "Bild A hat nur Wachs, B und D sind leer. Die Brut ist in Bild C.",
        "En A solo hay cera, B y D están vacías. Las crías están en la imagen C.",
        "Dans A il n'y a que de la cire, B et D sont vides. Le couvain est dans l'image C.",
        "Three of them have one spout. The one in picture C has two.",
        "Drei davon haben eine Tülle. Der in Bild C hat zwei.",
        "Trois d'entre eux ont un bec. Celui de l'image C en a deux.",
        "Três deles têm um bico. O da imagem C tem dois.",
        "Tres de ellos llevan solo uno. El de la imagen C tiene dos.",
    ],
)
def test_a_sentence_picks_out_one_picture(reply: str) -> None:
    assert one(reply, PICTURES) == "C"


@pytest.mark.parametrize(
    "reply",
    [
        "Only vitamin C dissolves.",
        "Only swatch C does not match.",
        "Vitamin C. It helps.",
        "Bird C. It is not a lapwing.",
        "Bird C. It is brown. Bird D. It is green.",
        "A shows the brood, B is fresh and D is full. The eggs are in picture C.",
        "A holds only wax, B is fresh and D has no cells. The brood may be in picture C.",
        "Three of them have one spout. The one in picture C is similar.",
        "Three of them have one spout. The one in picture C is no exception.",
        "Three of them fit. The one in picture C could too.",
        "The one in picture C has two spouts and I cannot say more.",
    ],
)
def test_a_sentence_about_one_picture_may_answer_nothing(reply: str) -> None:
    assert nothing(one(reply, PICTURES))


@pytest.mark.parametrize(
    ("reply", "options", "label"),
    [
        ("Fear is out, and so is boredom. Taken together, the posture expresses pride.",
         MOODS, "B"),
        ("Alles zusammengenommen wirkt der Junge stolz.", {"A": "Ekel", "B": "Stolz"}, "B"),
        ("En definitiva, el niño siente orgullo.", {"A": "Asco", "B": "Orgullo"}, "B"),
        ("Somme toute, le garçon exprime la fierté.", {"A": "Dégoût", "B": "Fierté"}, "B"),
        ("Ao fim e ao cabo, o menino sente orgulho.", {"A": "Nojo", "B": "Orgulho"}, "B"),
        ("There are no tears, which rules out fear. The whole conveys **pride**.", MOODS, "B"),
        ("The sluice of the Sand lock is open, and water comes in, so it is that one.", LOCKS, "C"),
        ("Les vannes de l'écluse du Pré sont levées, c'est donc elle qui se remplit.",
         {"A": "L'écluse de l'Orme", "B": "L'écluse du Pré"}, "B"),
        ("La compuerta del norte está abierta; por tanto, es esa la que se llena.",
         {"A": "La compuerta del sur", "B": "La compuerta del norte"}, "B"),
    ],
)  # fmt: skip
def test_a_last_sentence_sums_up_or_points_back(reply: str, options: Options, label: str) -> None:
    assert one(reply, options) == label


@pytest.mark.parametrize(
    ("reply", "options"),
    [
        ("Fear is out. Taken together, the posture does not express pride.", MOODS),
        ("I cannot see the image. The title mentions **pride**.", MOODS),
        ("I can't see the face. Perhaps **pride**.", MOODS),
        ("The Sand lock is open. The rest are shut, but it is therefore not that one.", LOCKS),
        ("The Sand lock is open, the Elm lock is shut, so it is that one.", LOCKS),
    ],
)
def test_a_last_sentence_that_denies_or_may_mean_two_names_nothing(
    reply: str, options: Options
) -> None:
    assert nothing(one(reply, options))


@pytest.mark.parametrize(
    ("reply", "yes", "no", "label"),
    [
        ("La afirmación es, por tanto, verdadera.", "Verdadero", "Falso", "A"),
        ("La afirmación no es, por tanto, verdadera.", "Verdadero", "Falso", "B"),
        ("El enunciado es, en consecuencia, falso.", "Verdadero", "Falso", "B"),
        ("The statement is, therefore, true.", "True", "False", "A"),
        ("The statement is, therefore, not true.", "True", "False", "B"),
        ("L'affirmation est, par conséquent, vraie.", "Vrai", "Faux", "A"),
        ("A afirmação é, portanto, falsa.", "Verdadeiro", "Falso", "B"),
        ("Die Aussage ist folglich wahr.", "Wahr", "Falsch", "A"),
    ],
)
def test_a_judgment_may_hold_a_conclusion(reply: str, yes: str, no: str, label: str) -> None:
    assert one(reply, {"A": yes, "B": no}) == label


@pytest.mark.parametrize(
    "reply",
    [
        "You can see it in B and in D.",
        "Man sieht es in B und in D.",
        "On le voit sur B et sur D.",
        "Se ve en la B y en la D.",
        "Vê-se na B e na D.",
    ],
)
def test_each_label_of_a_list_may_have_its_own_article(reply: str) -> None:
    assert several(reply, PICTURES) == "BD"


@pytest.mark.parametrize(
    "reply",
    [
        "You may see it in B and in D.",
        "You see it in B or in D.",
        "You do not see it in B and in D.",
    ],
)
def test_a_doubtful_list_with_articles_names_nothing(reply: str) -> None:
    assert nothing(several(reply, PICTURES))


def test_a_line_with_a_remark_is_not_the_only_one_of_its_kind() -> None:
    assert nothing(one("B (folds)\nD (folds)", PICTURES))
    assert nothing(one("ox ....... X\ndonkey ... unclear\nsheep .... X", ANIMALS))


def test_a_picture_with_any_noun_is_set_against_the_others() -> None:
    said = "Cup C has the handle on the left, while the others have it on the right."
    assert one(said, PICTURES) == "C"
    assert one("The handle is on the left in picture C.", PICTURES) == "C"


def test_a_word_of_another_form_than_an_option_leaves_the_set_open() -> None:
    said = "Ich sehe links einen Löwen und rechts eine Giraffe. Weder Zebra noch Strauß sind da."
    options = {"A": "Löwe", "B": "Zebra", "C": "Giraffe", "D": "Strauß"}
    assert nothing(several(said, options))
