"""Replies that decline are found in six languages, and no reply that answers is taken for one."""

from __future__ import annotations

import pytest

from gfactor.administration.packs import Packs
from gfactor.scoring.extraction import extract

OPTIONS = {"A": "the first rod", "B": "the second rod", "C": "both rods", "D": "neither rod"}

DECLINES = {
    "en": (
        "I cannot determine the answer without seeing the figure.",
        "The question refers to a diagram that was not provided.",
        "There is not enough information to answer this question.",
        "I don't have access to the image, so I can't answer.",
        "No figure has been attached to your message.",
        "Since the picture is missing, no option can be chosen with confidence.",
        "Cannot answer. The graph is missing.",
        "The given information is insufficient to solve the problem.",
        "It is not possible to answer this question based on the text alone.",
        "Could you share the image the question refers to?",
        "I'm afraid I can't see any picture here.",
        "Without the diagram, this question can't be answered.",
        "The image did not come through. Please resend it.",
        "I would need to see the chart to answer this.",
        "This cannot be solved because the table it mentions isn't included.",
        "I must decline to answer, as key details are absent.",
        "Unfortunately, the required figure isn't available to me.",
        "More information is needed to answer the question.",
        "It seems that the image is not included in your question.",
        "I refuse to guess; the drawing was left out.",
        "There's no way to know without the map.",
        "The necessary data are not given, so I am not going to guess.",
    ),
    "zh": (
        "由于没有图片，我无法确定正确选项。",
        "题目中提到的图未给出，无法作答。",
        "信息不足，不能作答。",
        "您没有上传图片，请补充后再提问。",
        "缺少题图，无从判断。",
        "很抱歉，我看不到题目里的图。",
        "题目条件不够，解不出来。",
        "没有附图，所以没法选。",
        "图像缺失，难以给出答案。",
        "需要看到图才能回答。",
        "我不能在没有图示的情况下回答这道题。",
        "未见图片，拒绝作答。",
        "该题依赖于图形，而图形并未提供，因此不予作答。",
        "请先把图发给我。",
        "仅凭文字无法解答。",
        "所给信息不够，无法得出结论。",
    ),
    "es": (
        "No se puede responder. Falta la figura.",
        "No puedo ver la imagen, así que no sé cuál es la opción correcta.",
        "La información dada es insuficiente para responder.",
        "No se ha proporcionado ninguna imagen.",
        "Sin la figura es imposible contestar.",
        "Por favor, adjunte el gráfico al que se refiere la pregunta.",
        "Me faltan datos para resolver el problema.",
        "Necesitaría ver el diagrama para responder.",
    ),
    "fr": (
        "Impossible de répondre : il manque la figure.",
        "Je ne vois aucune image.",
        "L'image n'a pas été fournie.",
        "Les informations données ne suffisent pas.",
        "Sans le schéma, on ne peut pas répondre à cette question.",
        "Veuillez joindre le graphique dont parle l'énoncé.",
        "Il manque des données pour résoudre ce problème.",
        "Je préfère ne pas répondre, faute d'informations suffisantes.",
    ),
    "pt": (
        "Não é possível responder sem a figura.",
        "Não consigo ver a imagem mencionada.",
        "A imagem não foi fornecida.",
        "As informações são insuficientes para responder.",
        "Faltam dados para resolver a questão.",
        "Por favor, envie o gráfico.",
        "Sem o diagrama, não dá para responder.",
        "Preciso ver a figura para responder.",
    ),
    "ko": (
        "답할 수 없음. 그림이 없습니다.",
        "이미지가 제공되지 않아 답을 알 수 없습니다.",
        "정보가 부족하여 답변드릴 수 없습니다.",
        "그림을 볼 수 없어서 정답을 고를 수 없습니다.",
        "주어진 정보만으로는 판단할 수 없습니다.",
        "문제에 나온 도표를 첨부해 주세요.",
        "그림이 누락되어 풀 수 없습니다.",
        "죄송하지만 이미지를 확인할 수 없네요.",
    ),
}

ANSWERS = {
    "en": (
        "The rods cannot be moved, so the answer is A.",
        "I can't see why it would be C; the answer is A.",
        "No information is lost, so A.",
        "It is impossible to tell them apart by color, but by length the answer is A.",
        "The image is missing, but from the text alone the answer is A.",
        "Although the figure was not provided, I would choose A.",
        "Without the diagram I have to guess: A",
        "Sorry for the confusion earlier. Answer: A",
        "There is not enough force to move the second rod. Therefore A.",
    ),
    "zh": (
        "虽然没有图片，但根据文字可知选A。",
        "第二根杆无法移动，所以选A。",
        "缺少B所述的条件，因此答案是A。",
        "抱歉，刚才算错了，答案是A。",
        "信息不足以选择B，正确答案：A",
    ),
    "es": (
        "Aunque no se ve la figura, la respuesta es A.",
        "No se puede mover la segunda. Respuesta: A",
    ),
    "fr": (
        "Même sans la figure, la réponse est A.",
        "Il est impossible de déplacer B. Réponse : A",
    ),
    "pt": ("Mesmo sem a figura, a resposta é A.", "Não é possível mover a segunda. Resposta: A"),
    "ko": ("그림은 없지만 정답은 A입니다.", "두 번째 막대는 움직일 수 없으므로 정답은 A"),
}

NEITHER = {
    "en": (
        "Let us look at the rods one by one.",
        "The image shows two rods, of which the first is longer.",
        "It could be any of them.",
        "There was no data sheet beside it.",
        "Two of the rods cannot move.",
        "The table provides the lengths in meters.",
        "The author is unable to hide his sorrow.",
        "In the third row the last figure is missing.",
        "One tile of the picture is missing; each row has three shapes.",
        "The graph is not linear.",
        "The chart does not start at zero.",
    ),
    "zh": ("我们先看图。", "图中有两根杆。", "题目给出了条件。", "这几个选项都有道理。",
           "杆不能移动。", "第三行缺少一个图形。", "图中没有圆。"),
    "es": ("La imagen muestra dos barras.", "Veamos la figura.", "Falta poco para el final."),
    "fr": ("L'image montre deux tiges.", "Regardons la figure.", "Il ne manque rien à la figure."),
    "pt": ("A imagem mostra duas barras.", "Vamos ver a figura.", "Não falta nada na figura."),
    "ko": ("그림에는 막대가 두 개 있습니다.", "하나씩 살펴봅시다.", "막대는 움직일 수 있습니다."),
}  # fmt: skip


MORE_DECLINES = (
    "I'm not able to view attachments, so this one stays open.",
    "The photo you mention isn't part of the prompt.",
    "As the circuit diagram has been omitted, the current cannot be computed.",
    "This question requires a figure I do not have.",
    "Insufficient data.",
    "Unable to answer without the accompanying graph.",
    "Nothing was attached; please send the picture again.",
    "I won't answer because the table is not visible.",
    "There appears to be no image in this conversation.",
    "It can't be decided from what is given.",
    "Please upload the missing diagram.",
    "The problem is incomplete: the figure it relies on is absent.",
    "I do not have sufficient information to choose an option.",
    "Which picture do you mean? None was sent.",
    "图片没有显示出来，无法判断。",
    "没有看到题目所说的图。",
    "抱歉，缺少图片信息，不能确定答案。",
    "题中未提供图像，因此不能选择。",
    "请提供完整的题目和图片。",
    "在缺图的情况下我选择不回答。",
    "依据现有信息无法得出答案。",
    "我这边看不到任何图。",
    "条件不足，此题无解答可给。",
    "由于信息缺失，我不猜。",
    "No tengo acceso a la figura.",
    "No dispongo de datos suficientes.",
    "Falta la imagen del enunciado.",
    "Je n'ai pas accès à l'image.",
    "La figure n'est pas visible ici.",
    "Données insuffisantes pour conclure.",
    "Não tenho acesso à figura.",
    "A figura não aparece aqui.",
    "Faltam informações.",
    "그림이 보이지 않습니다.",
    "정보 부족으로 답할 수 없음",
    "이미지를 다시 올려 주세요.",
    "I have no picture to look at, hence no answer.",
    "The chart was never shared with me.",
    "Answering is impossible given that the photo is absent.",
    "I am unable to identify the right option because there is no figure.",
    "You haven't included the graph.",
    "Sorry, this can't be worked out from the text.",
    "I'd rather not guess without seeing the table.",
    "The statement lacks the data required.",
    "I need the figure to answer.",
    "No answer possible: missing diagram.",
    "题干不完整，无法选择。",
    "没有图，我答不了。",
    "图没有发过来。",
    "请补充图片。",
    "信息太少，不好判断。",
    "此处应有图片，但我没收到。",
    "不知道图中内容，无法给出选项。",
    "由于缺乏图像，我拒绝回答。",
    "我没法看到这张图片。",
    "缺少必要条件，不能确定。",
    "No veo ninguna figura adjunta.",
    "Los datos son insuficientes.",
    "Sin ver el gráfico no puedo decidir.",
    "Je ne peux pas voir le schéma.",
    "Aucune figure n'est jointe.",
    "Il manque l'image.",
    "Não há figura na pergunta.",
    "Os dados não são suficientes.",
    "Sem ver o gráfico não consigo decidir.",
    "사진이 첨부되지 않았습니다.",
    "조건이 부족합니다.",
    "그래프를 볼 수 없어요.",
    "My apologies, but the picture failed to load.",
    "I can't work this out because part of the question is missing.",
    "No option can be justified without the image.",
    "Not answerable from the text.",
    "The required map has not been supplied.",
    "I do not see a figure.",
    "I will pass on this one, since the graph is unavailable.",
    "Please include the figure.",
    "Not enough data.",
    "It is impossible to decide without the chart.",
    "抱歉，图片加载失败。",
    "题目缺少关键信息。",
    "没有足够的信息来回答。",
    "请重新发送图片。",
    "我没有收到任何图片，请上传。",
    "无图，无法选择。",
    "不提供图则不能解答。",
    "这道题我没法作答。",
    "La imagen no se cargó.",
    "Hacen falta más datos.",
    "L'image ne s'est pas chargée.",
    "Je manque d'informations.",
    "A imagem não carregou.",
    "São necessários mais dados.",
    "이미지가 로드되지 않았습니다.",
    "답변을 드리기 어렵습니다.",
)
"""Written before the rules that find them were widened, in all languages."""

MORE_OTHERS = (
    "We first compare the two triangles.",
    "The picture shows a cat that cannot climb the tree.",
    "The diagram provides all lengths.",
    "No two sides are equal.",
    "The image is blurred at the edges, which suggests motion.",
    "There are not enough circles in the third box.",
    "The data increase with time.",
    "First row: square, circle. Second row: circle, missing.",
    "Each option shows a different rotation.",
    "The speaker refuses the invitation.",
    "Please note that the sides are parallel.",
    "The author could not attend the meeting.",
    "图中的三角形没有直角。",
    "小明不能准时到达。",
    "第二个图形缺一个角。",
    "条件如下。",
    "请看图。",
    "数据逐年增加。",
    "作者拒绝了邀请。",
    "两条直线没有交点。",
    "La figura tiene tres lados.",
    "El autor no acepta la invitación.",
    "La figure a trois côtés.",
    "L'auteur refuse l'invitation.",
    "A figura tem três lados.",
    "O autor não aceita o convite.",
    "그림에는 원이 없고 사각형만 있다.",
    "저자는 초대를 거절했다.",
    "Consider the missing term in the series.",
    "The woman is unable to see the stage from her seat.",
    "The table is made of wood.",
    "It has no picture on the wall.",
    "The figure is rotated by 90 degrees.",
    "Information flows from left to right.",
    "I choose to look at the rows first.",
    "He cannot answer the phone.",
    "There is no information desk on this map.",
    "Not all details are visible in the first box.",
    "他看不到前面的路。",
    "机器无法启动。",
    "他不知道该怎么办。",
    "图形逐个旋转。",
    "缺口在右下角。",
    "信息技术发展很快。",
    "小红没有回答老师。",
    "条件概率是二分之一。",
    "Los datos son correctos.",
    "Falta un triángulo en la segunda fila.",
    "Il manque un carré au milieu.",
    "Les données sont exactes.",
    "Os dados são corretos.",
    "Falta um quadrado no meio.",
    "정보 기술이 발전한다.",
    "사각형 하나가 없다.",
    "The lamp is not attached to the wall.",
    "It is not possible for a triangle to have two right angles.",
    "The missing number is between 3 and 5.",
    "Because the data are normal, the test applies.",
    "The man on the left can't reach the shelf.",
    "I see three lines in the image.",
    "Notice the arrow in each picture.",
    "The photo was taken in winter.",
    "We need to compare the sides.",
    "The third chart shows growth.",
    "图片显示一只猫。",
    "不能同时选两项。",
    "没有足够的水。",
    "数据见下表。",
    "她不知道答案。",
    "这个图形少一条边。",
    "请看第二行。",
    "条件一成立。",
    "La imagen es clara.",
    "No todos los datos crecen.",
    "L'image est nette.",
    "Il ne peut pas venir.",
    "A imagem é clara.",
    "Ele não pode vir.",
    "이미지에 고양이가 있습니다.",
    "그는 올 수 없다.",
)


@pytest.mark.thorough
@pytest.mark.parametrize("reply", MORE_DECLINES)
def test_more_replies_that_decline(reply: str) -> None:
    for kind in ("choice", "blanks"):
        assert extract(reply, kind, OPTIONS if kind == "choice" else ()).rule == "refusal"


@pytest.mark.thorough
@pytest.mark.parametrize("reply", MORE_OTHERS)
def test_more_replies_that_do_not_decline(reply: str) -> None:
    assert extract(reply, "choice", OPTIONS).rule != "refusal"


@pytest.mark.parametrize(("language", "reply"), [(k, r) for k, v in DECLINES.items() for r in v])
def test_a_reply_that_declines_is_a_refusal(language: str, reply: str) -> None:
    for kind in ("choice", "choices"):
        found = extract(reply, kind, OPTIONS)
        assert (found.has_answer, found.rule) == (False, "refusal"), language
    found = extract(reply, "blanks", blanks=1)
    assert (found.has_answer, found.rule) == (False, "refusal"), language


@pytest.mark.thorough
@pytest.mark.parametrize(("language", "reply"), [(k, r) for k, v in ANSWERS.items() for r in v])
def test_a_reply_that_answers_is_no_refusal_whatever_else_it_says(
    language: str, reply: str
) -> None:
    found = extract(reply, "choice", OPTIONS)
    assert (found.answer, found.has_answer) == ("A", True), (language, found.rule)


@pytest.mark.thorough
@pytest.mark.parametrize(("language", "reply"), [(k, r) for k, v in NEITHER.items() for r in v])
def test_a_reply_that_neither_answers_nor_declines_is_no_refusal(language: str, reply: str) -> None:
    found = extract(reply, "choice", OPTIONS)
    assert not found.has_answer
    assert found.rule != "refusal", language


@pytest.mark.parametrize("language", list(DECLINES))
def test_what_the_prompt_asks_a_decliner_to_write_is_a_refusal(language: str) -> None:
    asked = Packs().find("any", language).declining()
    said = asked.replace("«", "“").replace("»", "”").split("“")[1].split("”")[0].strip()
    for kind in ("choice", "choices"):
        assert extract(said, kind, OPTIONS).rule == "refusal"
        assert extract(f"{said}.", kind, OPTIONS).rule == "refusal"
    assert extract(said, "blanks", blanks=2).rule == "refusal"
