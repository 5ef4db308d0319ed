"""What replies say round the text of a blank: announcements, quotes, texts left open, mere talk."""

from __future__ import annotations

import re

from gfactor.scoring.extraction.markers import phrases

LEFT_OPEN = re.compile(
    r"\?+|_{2,}|—+|…+|\.{3}|\(?(?:unknown|n/?a|\[?blank\]?|\[?empty\]?|(?:i )?(?:don't|do not) know"
    r"|(?:i(?:'m| am) )?not (?:entirely |quite )?(?:sure|certain)|no idea|不会[做写]|모릅니다"
    r"|unclear|cannot be determined|can't tell|未知|不知道|不确定|不清楚|空白|无法\w{1,4}"
    r"|inconnue?"
    r"|je ne sais pas|desconocid[oa]|no (?:lo )?sé|desconhecid[oa]|não sei|모름|모르겠\w{1,4}"
    r"|알 수 없음)\)?",
    re.IGNORECASE,
)
"""What stands in the place of a text that is not given."""
FOR_BLANKS = re.compile(
    r"(?:missing|right|correct|appropriate|proper|required)\s+(?:word|term|phrase|number|value"
    r"|expression|formula|name)s?\s+(?:is|are|would be|should be)\b"
    r"|\b(?:word|term|mot|terme|palabra|t[ée]rmino|palavra|termo)\b[^.,;:\n]{0,50}?\s(?:is|est|es|é)\b"
    r"|\bblanks?\s+(?:should|must|would)\s+(?:contain|read|say|hold)\b"
    r"|\b(?:value|result|sum|total|product|length|width|height|area|volume|speed|mass|number|angle"
    r"|perimeter|probability|distance|time|temperature|capital|name)\b[^.,;:\n]{0,40}?\s(?:is"
    r"|equals)\b"
    r"|\bblanks?\s+(?:(?:should|must|can|is to) be|is|are)(?:\s+filled(?:\s+in)?\s+(?:with|by))?\b"
    r"|(?:空格?|横线|横線|空白|括号)(?:处|里|中|上"
    r"|内)?(?:的?[数字词数值][字值语]?)?(?:应该?|應該?|可以?|需要?|要)?"
    r"(?:填写?|填入|填上|是|为)(?:的?是)?|[应應]?填(?:写|入)?(?:的是|为|:|(?=\"))"
    r"|\b(?:mot|terme|nombre|valeur)s?\s+(?:manquante?|correcte?|juste|cherchée?)s?\s+(?:est"
    r"|sont)\b"
    r"|\b(?:palabra|t[ée]rmino|n[úu]mero|valor)(?:\s+que)?\s+(?:falta|faltante|correct[ao])\s+es\b"
    r"|\b(?:palavra|termo|n[úu]mero|valor)(?:\s+que|\s+em)?\s+(?:falta|faltante|corret[ao])\s+é\b"
    r"|\b(?:valeur|résultat|somme|total|produit|longueur|largeur|hauteur|aire|volume|vitesse|masse"
    r"|nombre|angle|périmètre|probabilité|distance|durée|température|capitale|nom)\b"
    r"[^.,;:\n]{0,40}?\s(?:est|vaut)\b"
    r"|\b(?:valor|resultado|suma|soma|total|producto|produto|longitud|comprimento|altura|área"
    r"|volum[e]n?|velocidade?|mas[as]a?|n[úu]mero|[áâ]ngulo|per[íi]metro|probabilidade?"
    r"|dist[aâ]ncia"
    r"|tiempo|tempo|temperatura|capital|nombre|nome)\b[^.,;:\n]{0,40}?\s(?:es|é|vale)\b"
    r"|(?:빈칸에?|빈칸의|물음표에?)\s*(?:들어갈|알맞은|들어가는)?\s*(?:알맞은\s*)?(?:말"
    r"|단어|수|숫자|것|답|내용|값)(?:은|는)"
    r"|(?:알맞은|올바른|빠진)\s*(?:말|단어|수|숫자|값|낱말)(?:은|는)|(?:값|결과|합|넓이"
    r"|길이)(?:은|는)"
    r"|(?:[数值和积差商]|结果|面积|长度|体积|周长|概率|名称)(?:应该?)?(?:是|为|等于)",
    re.IGNORECASE,
)
"""How the text of a blank is announced, beside what announces any answer."""
FOR_SEVERAL = re.compile(
    r"(?:^|(?<=[\n.]\s))(?:the|les|los|las|os|as|l'|two|three)\s+(?:\w+\s){0,2}?(?:values|words|numbers|answers|terms|results"
    r"|solutions|blanks|roots|valeurs|mots|nombres|termes|réponses|valores|palabras|números|palavras"
    r"|respuestas|respostas|soluciones|soluções|raíces|raízes)\s(?:are|sont|son|são)\b|"
    r"\b(?:missing|right|correct|appropriate|proper|required)\s+(?:words|terms|phrases|numbers"
    r"|values|expressions|names)\s+(?:are|would be|should be)\b"
    r"|\bblanks\s+(?:(?:should|must|can|are to) be|are)(?:\s+filled(?:\s+in)?\s+(?:with|by))?\b"
    r"|\b(?:mots|termes|nombres|valeurs)\s+(?:manquants?|manquantes|corrects|correctes"
    r"|qui manquent"
    r"|à insérer)\s+sont\b"
    r"|\b(?:palabras|t[ée]rminos|n[úu]meros|valores)\s+(?:que faltan|faltantes"
    r"|correct[ao]s)\s+son\b"
    r"|\b(?:palavras|termos|n[úu]meros|valores)\s+(?:que faltam|faltantes|corret[ao]s)\s+s[ãa]o\b"
    r"|[应應]?(?:分别|分別|依次)(?:应?填[写入]?|为|是|填)?的?(?:是|为)?:?"
    r"|빈칸에?\s*(?:들어갈|알맞은|들어가는)?\s*(?:말|단어|수|숫자|것|답|내용)(?:들)?(?:은|는)",
    re.IGNORECASE,
)
"""How the texts of several blanks are announced together."""
NOT_BUT = re.compile(
    r"(?:it is |it's |this is |ce n'est |c'est )?"
    r"(?:not|pas|non pas|no(?: es| son)?|n[aã]o(?: é| são)?)"
    r"\s[^.,;\n]{1,40}[ ,](?:but|mais|sino"
    r"|mas(?: sim)?)\s(?P<name>[^.,;\n]{1,40})[.!]?"
    r"|(?:it|this|that) (?:isn't|is not) [^.,;\n]{1,40}[,;.] (?:it's|it is|but) "
    r"(?P<name3>[^.,;\n]{1,40})[.!]?"
    r"|[^.,;\n]{1,20}[이가]\s?아니라\s(?P<name4>[^.,;\n]{1,20}?)(?:입니다|이다|예요|이에요)[.!]?"
    r"|(?:不是|并非)[^,。\n]{1,20},?(?:而是|是)(?P<name2>[^,。\n]{1,20})[.。]?",
    re.IGNORECASE,
)
"""A text against another: "not weight but mass"."""
AGAINST = re.compile(
    r"\s*(?:(?:not|pas|non pas|no|n[aã]o)\s)?[^.,;\n]{1,40}[ ,](?:sino|mas sim)\s"
    r"(?P<name>[^.,;\n]{1,40})",
    re.IGNORECASE,
)
"""Behind "the value is not": "12 sino 14"."""
LED_IN = re.compile(
    r"(?=[^:\n]*\w\s\w)[^:\n\d]{3,80}\s?:\s(?=[^:\n]+$)"
    r"|(?:respectively|respectivement|respectivamente)\b\s?[:,]?\s*(?=[^:\n]+$)",
    re.IGNORECASE,
)
"""Before several texts in one line, what leads to them: "two products: CO₂ and H₂O"."""
CALLED = re.compile(
    r"(?:it(?:'s| is| should be| must be| would be)|that(?:'s| is)|c'est|ce serait|es|é"
    r"|sería|seria"
    r"|(?:la|le|l'|les|el|o|a|os|as|the)\s?(?:\w+\s){1,4}?(?:is|are) (?:called|named|known as"
    r"|termed)|[^.,;\n]{2,40}\s(?:s'appelle(?:nt)?|se llaman?|chama-se|se chama)|[^,。]{1,12}"
    r"(?:称为|叫做|叫作))\s*(?P<name>(?:a |an |the |une? |el |la |le |l'|o "
    r"|a )?[^\s.,;!?]{1,30})[.。!]?",
    re.IGNORECASE,
)
"""A short sentence that does nothing but name the text: "It is salt.", "It is called X."."""
_COPULA = (
    r"(?:is|are|equals|was|measures|est|sont|vaut|mesure|es|son|mide|é|são|vale|mede)\s+"
    r"|(?:是|为|等于)\s*|(?<=[가-힣])(?:은|는)\s+"
)
FORMULA_SAID = re.compile(
    rf"[^.!?。\n=]{{2,80}}?(?:\b{_COPULA}|:\s+)(?:(?:the|le|la|el|o|a)\s+)?(?P<name>(?=[^\s]*(?:[\d√₀-₉²³°Α-ω^_\\]|(?-i:[A-Z][a-z]?[A-Z])))[^\s一-鿿가-힣,;]{{1,40}}"
    r"|[^.!?。\n]{1,60}? but (?=\S*[\d₀-₉])\S{1,30})"
    r"(?:이다|입니다|이에요|예요|임|임\.)?[\s.。]*",
    re.IGNORECASE,
)
"""A sentence whose predicate is a number or a formula: "The gas released is CO₂"."""
SENTENCE = re.compile(
    r"\s*(?:the|this|that|it|le|la|les|l'|ce|cela|el|los|las|o|a|os|as|este|esta|isso|c'est)\b.{2,80}"
    r"\s(?:is|are|was|measures|est|sont|mesure|es|son|mide|é|são|mede)\s"
    r"|\s*(?:so|thus|hence|then|donc|ainsi|entonces|portanto|logo|ent[aã]o)\s.{1,60}\s(?:is|are|est|sont|es"
    r"|son|é|são)\s"
    r"|\s*(?:the|this|that|it|there|i|we|le|la|les|il|elle|je|on|ce|el|los|las|o|a|os|as)\s(?:\S+\s){0,4}?"
    r"(?:not|\w+n't|cannot|no|n[aã]o|ne)\s|\s*l'\S+\s(?:\S+\s){0,3}?(?:ne\s|n')"
    r"|\s*\S+(?:\s\S+){0,2}\s(?:is|are|est|es|é)\s(?:the|an?|la|le|el|une?|una?|uma?|o)\s|(?=.*\s.*\s)[가-힣\w]+[는은가이을를]\s.*(?:다|요)[.!]?$|[一-鿿]{3,}.*[A-Za-z0-9Α-ω].*[一-鿿]{2,}[.。]?$|[一-鿿]{2,8}[是叫][一-鿿\w]{1,8}[.。]",
    re.IGNORECASE,
)
"""The beginning of a sentence that says something of its subject, and is no text for a blank."""
EITHER = re.compile(
    r"\b(?:either|maybe|perhaps|possibly)\b|^\s*(?:\S{1,12}\s)?[\"']?(?:\w{1,20})[\"']?\s(?:or|ou|o|또는|이나|아니면)\s[\"']?\w{1,20}[\"']?[.。]?\s*$"
    r"|\b(?:could|may|might|can) be\b|\bpeut[- ]être\b|\bpourrait être\b"
    r"|\bpodr[ií]a(?:n)? ser\b|\bpuede ser\b"
    r"|\bquiz[áa]s?\b|\btal vez\b|\bpode ser\b|\bpoderia ser\b|\btalvez\b"
    r"|可能|也许|或许|아마|중 하나|일 수도"
    r"|인지",
    re.IGNORECASE,
)
"""What leaves a text in doubt: two of them, or one that may be."""
IN_BRACKETS = re.compile(
    r"\s?\((?:not|no|non|pas|não|instead of|rather than|i |my |不是|非|아니)[^()\n]{0,60}\)",
    re.IGNORECASE,
)
"""A remark in brackets on what a text is not, or was at first."""
REMARK = re.compile(
    r"\s*\((?:not|no|non|pas|não|nao|instead of|rather than|i |my |à la place|en vez|em vez|不是"
    r"|非|아니)[^()]{0,60}\)$"
    r"|\s+(?:et non(?: pas)?|and not|y no|e não|rather than|instead of|plutôt que|au lieu de"
    r"|en (?:vez|lugar) de|em vez de)\s[^,]{1,40}$"
    r"|\s*,\s*(?:not|pas|et non|y no|e não|and not)\s[^,]{1,40}$|[,，]\s*(?:而)?(?:不是|非"
    r"|不填)[^,]{1,20}$",
    re.IGNORECASE,
)
"""Behind a text, what it is not."""
REPLACED = re.compile(
    r"\b(?:not|no|n[aã]o|pas)\s(?P<verb>(?:va|es|vai|é|entra|lleva|fica)\s)?"
    r"(?:\"[^\"\n]{1,60}\"|'[^'\n]{1,60}')\s?,?\s(?:but|mais|sino|mas(?: sim)?|rather)\s(?=[\"'])"
    r"|不(?P<verb2>[是填])(?:\"[^\"\n]{1,60}\"),?而(?:[是填])(?=\")"
    r"|\"[^\"\n]{1,60}\"[이가]\s아니라\s(?=\")",
    re.IGNORECASE,
)
"""A quoted text that another replaces: not "heat" but "light"."""
TALK = re.compile(
    r"(?<=\w\w)\s?\?\s*$|\b(?:hard|difficult|difficile|difícil|impossible|imposible"
    r"|impossível) (?:to|à|de)\b|难以|어렵|"
    r"\b(?:incomplete|unclear|could be|can't|cannot|don't know"
    r"|incomplet[ao]?|manque|falta)\b"
    r"|^\s*(?:to|first(?! (?:blank|gap|word|one|answer)\b)|let's|let us|we|i|pour|d'abord"
    r"|on|il faut|para|primero|primeiro|vamos)\s"
    r"|^\s*(?:首先|先|我|请|要|需要|根据|由于|因为|먼저|우선|저는|나는)|(?:然后|接着|[,、])\s*$"
    r"|[가-힣](?:면|고|서|는데)\s*$",
    re.IGNORECASE,
)
"""What a reply that speaks about its task begins or ends with; it is no text for a blank."""
OPEN_STILL = re.compile(
    r"\s*(?:(?:not|or|either|pas|ou|no|o|não|labell?ed|missing|unclear)\b\s*[\"']"
    r"|或者?\s*[\"']|不是)",
    re.IGNORECASE,
)
QUOTES = re.compile(r"(?<![A-Za-zÀ-ɏ])([\"'])(?P<inside>[^\"'\n]{1,100})\1(?![A-Za-zÀ-ɏ])")
_NOUNS = (
    r"(?:(?:the|le|la|el|o|a)\s+)?(?:word|term|phrase|number|mot|terme|nombre|palabra|t[ée]rmino"
    r"|palavra|termo|n[úu]mero)\s+"
)
BEFORE_QUOTE = re.compile(
    r"(?:\b(?:is|are|be|est|sont|es|son|é|são|with|by|par|avec|con|com|por|va|van|vai"
    r"|entra|irait|vient)\s+(?:" + _NOUNS + r")?"
    r"|\b(?:write|put|insert|écrire|écris|mettre|insérer|escribir|escribo|poner|insertar|escrever"
    r"|escrevo|pôr|inserir)\s+(?:" + _NOUNS + r")?"
    r"|(?:是|为|填[写入上]?)(?:的?是)?[::]?\s*|(?:은|는|에는?)\s*)$",
    re.IGNORECASE,
)
BETWEEN_QUOTES = re.compile(r"\s*(?:[,;、和与及]|[과와]|,?\s*(?:and|et|y|e))\s*")
AFTER_QUOTE = r"\s*(?:입니다|이다|예요|이에요|[이가] 들어[가갑]\w*|[을를] \w{1,6})?[\s.。!)]*"
DENIED = re.compile(rf"{phrases('unreal')}|{phrases('not_before')}|\?", re.IGNORECASE)
DOUBTED = re.compile(rf"{DENIED.pattern}|{phrases('either')}", re.IGNORECASE)
BLANK_WORD = re.compile(
    r"\b(?:word|term|mot|terme|palabra|palavra|write|écrire|écris|escribir|escrever"
    r"|insert\w*|blank"
    r"|gap|missing|compl[eè]t\w*|fill\w*|manqu\w+|blanc|trou|rempli\w*|vide|falta\w*"
    r"|hueco|espacio|rellen\w*|lacuna|preench\w*|espaço)\b|空|填|横线|橫線|括号|빈칸|빈 칸"
    r"|들어|알맞은",
    re.IGNORECASE,
)
