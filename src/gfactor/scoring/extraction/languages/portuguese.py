"""Portuguese."""

from gfactor.scoring.extraction.language import Language

_NOUN = (
    r"(?:respostas?|alternativas?|op[cç][aã]o|op[cç][oõ]es|solu[cç][aã]o|letras?|escolha"
    r"|conclus[aã]o|gabarito|itens|item)"
)
_KIND = r"(?:(?:as?|os?|minha|melhor|únicas?)\s+){0,3}"
_AFTER = (
    r"(?:\s+(?:corretas?|corretos?|certas?|finais|final|adequadas?|v[aá]lidas?"
    r"|verdadeiras?)){0,2}"
)

_SEEN = (
    r"(?:imagem|figura|gr[aá]fico|diagrama|foto(?:grafia)?|tabela|mapa|desenho|ilustra[cç][aã]o)"
)
_COLOR = (
    r"(?:vermelh[oa]|azul|azui(?=s)|verde|amarel[oa]|laranja|alaranjad[oa]|rox[oa]|violeta|púrpura"
    r"|lilás|rosa|cor-de-rosa|castanh[oa]|marrom|marron(?=s)|pret[oa]|negr[oa]|branc[oa]|cinza"
    r"|cinzent[oa]|turquesa|magenta|ciano|bege|dourad[oa]|pratead[oa])s?"
    r"(?:[ -](?:clar|escur)[oa]s?)?\s*$"
)
_FACTS = r"(?:informa[cç](?:[aã]o|[oõ]es)|dados?|detalhes|contexto)"

_UNITS_TEXT = (
    "zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze"
    " dezesseis dezessete dezoito dezenove"
)
_UNITS = _UNITS_TEXT.split()
_TENS_TEXT = "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa"
_TENS = _TENS_TEXT.split()
_HUNDREDS_TEXT = (
    "cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos"
)
_HUNDREDS = _HUNDREDS_TEXT.split()
_CARDINALS = ",".join(
    [f"{word}={k}" for k, word in enumerate(_UNITS) if k != 1]
    + [f"{ten}={10 * k}" for k, ten in enumerate(_TENS, 2)]
    + [
        f"{ten} e {word}={10 * k + u}"
        for k, ten in enumerate(_TENS, 2)
        for u, words in enumerate(["um uma", "dois duas", *_UNITS[3:10]], 1)
        for word in words.split()
    ]
    + [f"{word}={100 * k}" for k, word in enumerate(_HUNDREDS, 1)]
    + [f"{word[:-2]}as={100 * k}" for k, word in enumerate(_HUNDREDS, 1) if k > 1]
    + ["cem=100,duas=2,catorze=14,dezasseis=16,dezassete=17,dezanove=19,uma dúzia=12,uma dezena=10"]
)

LANGUAGE = Language(
    spaced=True,
    heading=(
        rf"{_KIND}{_NOUN}{_AFTER}|(?<![^\n])R(?=\s?:)"
        r"|(?<![^\n])(?:(?:a|as) )?(?:verdadeir|corret|cert)[ao]s?(?=\s?:)"
    ),
    announce=(
        r"(?:s[oó]|somente|apenas) a (?:alternativa|op[cç][aã]o|resposta|letra)|"
        rf"{_KIND}{_NOUN}{_AFTER}(?:\s+(?:é|e'|s[aã]o|seria|deve ser|tem que ser)|\s*=)"
        r"|(?:eu |nós )?(?:escolho|seleciono|escolhemos|marco|opto p(?:or|el[ao])"
        r"|votaria (?:em|n[ao])|decido-me por|marcaria"
        r"|assinalaria|optamos por|escolheria"
        r"|fico com|mantenho|voto n[ao]"
        r"|selecionamos|respondo|diria|marque|escolha|selecione)|(?:deve-se|devemos"
        r"|é preciso) (?:escolher|marcar"
        r"|assinalar)|assinal(?:ar|[ae])"
        r"|(?:s[aã]o|é|seriam?|est[aã]o) (?:corret|verdadeir|cert|v[aá]lid"
        r"|adequad)[ao]s?(?! [ao]s? que)"
        r"|(?:mudo|corrijo|altero|troco) (?:minha|a) (?:resposta|escolha)(?: final)? (?:para"
        r"|por)|(?:mudo|troco) para"
        r"|(?:minha )?(?:escolha|aposta|voto) (?:é|vai para)|prefiro|optaria (?:por|pel[ao])"
        r"|escolheria"
        r"|(?:figura|imagem|peça|op[cç][aã]o|alternativa|letra|resposta|forma) que"
        r" [\w ]{2,50}? é"
        r"|(?:s[oó]|apenas|somente)(?= (?:a |o )?(?:op[cç][aã]o |alternativa )?\(?[A-Z]\)?"
        r" (?:cumpre|satisfaz|respeita|verifica|completa|atende))"
        r"|(?:a única|o único) (?:\w+ )?que [\w' ]{2,60}? é"
        r"|(?:a|o) que (?!falta)[\w ]{2,40}? é|corresponde [aà]"
        r"|(?:a|o) (?:pr[oó]xim[ao]|seguinte|adequad[ao]) é|o (?:correto|adequado) é"
        r"|(?:a|o|as|os) (?:corret|cert)[ao]s? (?:é|s[aã]o)"
        r"|(?:melhor|[uú]nic[ao]) (?:correspond[eê]ncia|candidat[ao]|ajuste|encaixe"
        r"|continua[cç][aã]o)(?: poss[ií]vel)? (?:é|seria)"
        r"|(?:a |o )?(?:figura|imagem|forma|peça|elemento)\s+(?:que falta|faltante|seguinte"
        r"|corret[ao]|cert[ao])\s+é"
        rf"|(?:{_NOUN}|figura|imagem|forma|peça) (?:que |a |o )?(?:mais|melhor)"
        r" (?:\w+ )?\w{4,15} (?:é|seria|parece ser)|o mais (?:prov[aá]vel|plaus[ií]vel|l[oó]gico)"
        r" (?:é|seria)(?: que seja)?"
    ),
    weak=(
        "(?:com certeza|sem (?:nenhuma )?dúvida|(?!possiv|aparent|supost|dific|"
        r"presum)\w{4,14}mente)(?:,? (?:é|seria))?,?|s[aã]o(?=\s+\(?[A-Z]\)?\s*(?:,|e\b))|"
        "da[ií](?: que seja)?|isto é,?|ou seja,?|(?:vai|vou|vamos)(?: de| com|"
        r"(?= a \(?[A-Z]\b))|por (?:elimina[cç][aã]o|exclus[aã]o)[,:]?|"
        "n[aã]o h[aá] outra (?:sen[aã]o|que)|(?:nos )?(?:leva|conduz|remete) (?:a|à)|"
        "fa(?:z|zem) com que (?:a resposta )?seja|tornam? a resposta|"
        r"(?<![^,;:.\n])\s*(?:seria|é)|trata-se(?:,? (?:ent[aã]o|portanto|"
        "assim),?)? d[ea]|deve ser|só pode ser|tem que ser|(?:portanto|logo|assim|"
        "ent[aã]o)[,:]?|(?:nos |me )?(?:resta|sobra|restando|ficamos com)(?: (?:apenas|"
        "somente|s[oó]))?|(?:acho|vejo|mostram?|demonstram?|revelam?) que é|seria|"
        "(?:em (?:resumo|conclus[aã]o|suma)|finalmente|por fim|para concluir),|fi(?:co|"
        "camos) com|fica(?= (?:a )?[A-Z](?:[.!]|$))"
    ),
    points=(
        r"(?:indicam?|apontam? (?:para|a)|sugerem?|confirmam?|(?:nos )?d(?:á|ão)"
        r"|(?:se )?obt[eé]m(?:-se)?|obtemos|obtenho|(?:chega-se|chegamos|chego) (?:a|à))"
        r"(?: que (?:é|se trata de))?"
    ),
    filler=(
        r"as|os|alternativas?|op[cç][aã]o|op[cç][oõ]es|letras?|respostas?|item|claramente"
        r"|portanto"
        r"|ent[aã]o|provavelmente"
        r"|figura|imagem|que|é|tanto|certamente|s[oó]|apenas|somente"
        r"|(?!possiv|aparent|supost|dific|presum)\w{4,14}mente"
    ),
    option=(
        r"alternativas?|op[cç][aã]o|op[cç][oõ]es|letras?|respostas?|item|itens|afirma[cç][aã]o"
        r"|afirma[cç][oõ]es|afirmativas?|figuras?|imagem|imagens|assertivas?"
    ),
    right=(
        r"(?:é|s[aã]o|est[aá]|est[aã]o|seria|(?:me )?parecem?(?: ser)?)(?:\s+(?:as?|os?"
        r"|minha|únicas?|alternativa|op[cç][aã]o"
        r"|claramente|ambas|todas|também"
        r"|respostas?|melhor)){0,4}\s*(?:corret[ao]s?|cert[ao]s?|verdadeir[ao]s?|v[aá]lid[ao]s?"
        r"|adequad[ao]s?|respostas?"
        r"|solu[cç][aã]o)(?=\s*(?:[.,;:!)\n]|$|\s(?:porque|pois|já|e|mas)\b))"
        r"|(?:é|seria) (?:a|o) (?:que (?:completa|encaixa|falta|corresponde|continua|segue"
        r"|procuramos"
        r"|melhor \w+|se encaixa)|corret[ao]|adequad[ao]|cert[ao]|resposta|solu[cç][aã]o"
        r"|intrus[ao]|diferente)"
        r"|(?:(?:se )?encaixam?|servem?|atendem?|completa (?:a|o)\s\w+)(?: perfeitamente| bem"
        r"| exatamente| melhor| com perfeição)?(?=\s*(?:[.,;!\n]|$))"
        r"|(?:é|seria|(?:me )?parece(?: ser)?) (?:a|o) (?:melhor|mais (?:adequad[ao]"
        r"|apropriad[ao]"
        r"|prov[aá]vel|l[oó]gic[ao]|plaus[ií]vel))(?: (?:op[cç][aã]o|resposta|alternativa"
        r"|escolha))?(?=\s*(?:[.,;!\n]|$))"
        r"|é (?:a|o) que (?!n[aã]o\b|menos\b|pior\b)(?=\w)|é (?:a|o) pr[oó]xim[ao]"
        r"|é (?:uma )?melhor(?: op[cç][aã]o| resposta)?(?=\s*(?:[.,;!\n]|$))"
        r"|(?:concordam?|coincidem?|correspondem?|se ajustam?) (?:com|a|à|ao) (?:[ao] )?(?:texto"
        r"|regra|descri[cç][aã]o|enunciado|padr[aã]o|s[eé]rie|passagem)"
        r"|é (?:a|o) [uú]nic[ao] (?:(?:op[cç][aã]o|resposta|alternativa|figura) )?"
        r"(?:que(?! n[aã]o\b)|poss[ií]vel|restante|v[aá]lid[ao])|(?:resta|sobra)(?=\s*(?:[.!\n]"
        r"|$))"
    ),
    wrong=(
        r"(?:é|s[aã]o|est[aá]|est[aã]o|fica|ficam|parece)(?:\s+(?:também|claramente|ambas"
        r"|todas)){0,2}\s*"
        r"(?:incorret[ao]s?|errad[ao]s?|fals[ao]s?|inv[aá]lid[ao]s?|descartad[ao]s?"
        r"|eliminad[ao]s?|imposs[ií]ve[li]s?)"
        r"|n[aã]o (?:é|s[aã]o|est[aá]|est[aã]o)(?: a| o| as)?\s+(?:corret\w+|cert\w+|v[aá]lid\w+"
        r"|verdadeir\w+|respostas?|alternativa)|n[aã]o (?:encaixa|cumpre|pode ser)"
        r"|tamb[eé]m n[aã]o|tampouco"
    ),
    not_before=(
        r"ao contr[aá]rio d[ea]|diferentemente d[ea]|n[aã]o|n[aã]o é|nem|exceto|salvo|menos"
        r"|em vez de|ao inv[eé]s de|descarto|descartamos"
        r"|descartando|elimino"
        r"|eliminamos|excluo|nunca|e n[aã]o"
    ),
    unreal=(
        r"(?:solu[cç][aã]o|resposta) (?:anterior|pr[eé]via|proposta)|"
        r"nada\s*$|(?:muit[ao]s?|algun?s|alunos|gente|pessoas) (?:\w+ )?(?:acham?|pensam?"
        r"|dizem?|diriam?"
        r"|marcam?|escolhem?|respondem?|(?:marca|escolhe|responde)riam?)|"
        r"(?:muita gente|muit[ao]s|algun?s|alunos|pessoas|a maioria)\s*$|"
        r"se (?:a|o|for|fosse|for[ae]m)|embora|poderiam?|pode ser|parece|parecia|a princ[ií]pio"
        r"|no in[ií]cio|pensei|inicialmente|talvez|n[aã]o|nem"
        r"|suponha|por que|nunca|exemplo"
    ),
    correction=(
        r"digo,|qu(?:er|ero) dizer|melhor dizendo|retifico|me corrijo|e sim(?= [ao] )|espere?"
        r"|na verdade|n[aã]o,|n[aã]o\.|corre[cç][aã]o|perd[aã]o,?|ali[aá]s|me enganei"
        r"|pensando (?:bem|melhor)|de fato"
        r"|corrigindo|ou melhor|mas sim|mas|por[eé]m|hmm+|desculp[ae],?|revendo|finalmente"
    ),
    retraction=(
        r"espere?|me enganei|pensando (?:bem|melhor)|isso (?:n[aã]o est[aá] certo|est[aá] errado)"
        r"|revendo|n[aã]o, (?:isso|isto)"
    ),
    conclusion=r"portanto|logo|ent[aã]o|finalmente|em conclus[aã]o|assim|em resumo",
    both=r"e também|e|bem como|como|quanto",
    either=r"ou",
    until=r"a|at[eé]|à",
    every=(
        r"(?<!nem )tod[ao]s(?:\s+(?:as|os|elas)\s*(?:\w{1,15})?)?(?:\s+(?:acima"
        r"|anteriores))?\s+(?:s[aã]o|est[aã]o)\s+(?:corret[ao]s|verdadeir[ao]s|v[aá]lid[ao]s"
        r"|cert[ao]s)|todas as anteriores"
        r"|tod[ao]s(?: [ao]s \w{4,15})?(?=,? (?:exceto|menos|salvo|com exce[cç][aã]o)\b)"
    ),
    none=r"nenhum[ao]?(?: d[ao]s \w+)?|nem tod[ao]s",
    excluding=r"exceto|salvo|menos|(?:com|à) exce[cç][aã]o d[eao]s?",
    excluding_after="",
    only=r"só|somente|apenas|unicamente|exclusivamente",
    denied=(
        r"(?:mas )?n[aã]o(?: [ao]s?)?(?: (?:é|s[aã]o|est[aá]|est[aã]o|t[eê]m|pode|podem"
        r"|\w{3,10}m?"
        r"))?|tampouco|tamb[eé]m n[aã]o"
    ),
    affirmed=r"sim|s[aã]o|o s[aã]o",
    others=r"(?:tod[ao]s )?[ao]s (?:demais|outr[ao]s)(?: \w{5,12})?|o resto|a outra|o outro",
    refusal=(
        r"desculpe?|sinto muito|lamento|n[aã]o (?:consigo|posso|é poss[ií]vel|tenho|vejo|h[aá]"
        r"|sou capaz|sei)"
        r"|informa[cç][oõ]es insuficientes|imposs[ií]vel (?:saber|determinar)|como (?:uma )?(?:ia"
        r"|intelig\w+)|por favor,? (?:envie|forne\w+)"
    ),
    declines=(
        r"n[aã]o (?:identifico|identificamos|reconheço|nomeio) (?:as |nenhuma |nenhum"
        r" )?(?:pessoas?|ninguém|indiv[ií]duos?|rostos?)|"
        rf"{_SEEN}(?: \w{{1,15}}){{0,3}}? (?:n[aã]o (?:foi|est[aá]|aparece|carregou|consta)"
        rf"|est[aá]"
        r" (?:ausente|faltando)|faltou)"
        rf"|(?:nenhuma? {_SEEN} (?:foi|est[aá]))|(?<!n[aã]o )falta(?:m|ram)? (?:a|o|os|as|uma?"
        rf"|)\s?"
        rf"(?:{_SEEN}|{_FACTS})"
        rf"|{_FACTS}(?: \w{{1,15}}){{0,2}}? (?:[ée]|s[aã]o) insuficientes?"
        rf"|{_FACTS}(?: \w{{1,15}}){{0,2}}? n[aã]o (?:[ée]|s[aã]o|bastam?)(?: suficientes?| para)"
        r"|n[aã]o (?:d[aá]|h[aá] como|se pode|tem como) (?:para )?(?:responder|resolver|saber"
        r"|determinar|decidir)|imposs[ií]vel (?:de )?(?:responder|resolver|decidir)"
        rf"|(?:preciso|precisaria|seria preciso|necessito)(?: de)? ver (?:a|o) {_SEEN}"
        r"|(?:prefiro|devo) n[aã]o (?:responder|adivinhar)|me (?:recuso|abstenho)|recuso-me"
        rf"|(?:s[aã]o|seriam) necess[aá]ri[oa]s mais {_FACTS}|preciso de mais {_FACTS}"
        r"|poderia (?:enviar|anexar|fornecer|compartilhar)"
    ),
    the="o|a",
    and_word="e",
    or_word="ou",
    open_text="desconhecid[oa]|não sei",
    blank_announce=(
        r"\b(?:palavra|termo)\b[^.,;:\n]{0,50}?\sé\b|\b(?:palavra|termo|n[úu]mero|valor)(?:\s+que"
        r"|\s+em)?\s+(?:falta|faltante|corret[ao])\s+é\b|\b(?:valor|resultado|soma|total|produto"
        "|comprimento|altura|área|volume|velocidade|massa|n[úu]mero|[áâ]ngulo|per[íi]metro"
        r"|probabilidade|dist[aâ]ncia|tempo|temperatura|capital|nome)\b[^.,;:\n]{0,40}?\s(?:é"
        r"|vale)\b"
    ),
    blanks_announce=(
        r"(?:^|(?<=[\n.]\s))(?:os|as)\s+(?:\w+\s){0,2}?(?:valores|números|palavras|respostas"
        r"|soluções|raízes)\ssão\b|\b(?:palavras|termos|n[úu]meros|valores)\s+(?:que faltam"
        r"|faltantes|corret[ao]s)\s+s[ãa]o\b"
    ),
    contrast_text=(
        "(?:n[aã]o(?: é"
        r"| são)?)\s[^.,;\n]{1,40}[ ,](?:mas(?: sim)?)\s(?P<name>[^.,;\n]{1,40})[.!]?"
    ),
    against_text=r"(?:n[aã]o\s)?[^.,;\n]{1,40}[ ,]mas sim\s(?P<name>[^.,;\n]{1,40})",
    respectively="respectivamente",
    called=r"é|seria|[^.,;\n]{2,40}\s(?:chama-se|se chama)",
    called_article="o |a ",
    names_text=(
        rf"(?:(?:logo|assim|então),? )?(?:as?|os?|su?a|seu) "
        rf"(?!(?:[\w'-]+ ){{0,5}}?(?:(?<!na )(?<!no ){_SEEN}|{_FACTS}"
        rf"|perguntas?|textos?|frases?|regra|passo|resto)\b)"
        r"(?:(?!n[aã]o\b|nunca\b)[\w'-]+ ){1,10}?"
        r"(?:(?:é|era|são|vale) "
        rf"(?=(?-i:[A-Z\u00c0-\u00de\d([])|{_COLOR})|(?:(?:é|são) d[ea]|tem a) cor (?={_COLOR}))"
    ),
    measures=r"\b(?:é|são|vale|mede)\s+",
    sentence=(
        r"(?:o|a|os|as|este|esta|isso)\b.{2,80}\s(?:é|são|mede)\s|(?:portanto|logo"
        r"|ent[aã]o)\s.{1,60}\s(?:é|são)\s|(?:o|a|os|as)\s(?:\S+\s){0,4}?(?:n[aã]o|no)\s"
        r"|\S+(?:\s\S+){0,2}\s(?:é)\s(?:a|o|uma?)\s"
    ),
    text_in_doubt=r"\bpode ser\b|\bpoderia ser\b|\btalvez\b",
    remark_not="não|nao|em vez",
    remark_behind=r"\s+(?:e não|em vez de)\s[^,]{1,40}$|\s*,\s*e não\s[^,]{1,40}$",
    replaced_quote=(
        r"\bn[aã]o\s(?P<verb>(?:vai|é|entra|leva|fica)\s)?(?:\"[^\"\n]{1,60}\""
        r"|'[^'\n]{1,60}')\s?,?\s(?:mas(?: sim)?)\s(?=[\"'])"
    ),
    talk=(
        r"^\s*(?:por favor|note|lembre|observe|veja)\s|\b(?:difícil|impossível) de\b"
        r"|\b(?:incomplet[ao]|falta)\b|^\s*(?:para|primeiro|vamos)\s"
    ),
    text_still_open=r"(?:ou|não)\b\s*[\"']",
    blank_noun="palavra|termo|n[úu]mero",
    before_quote="é|são|com|por|vai|entra",
    write="escrever|escrevo|pôr|inserir",
    reads_text=r"\b(?:diz|indica|mostra|está escrito|lê-se|chama-se|se chama)",
    section_name=(
        r"(?:passos?|etapas?|análise|explicação|raciocínio|solução|observação|nota|dica|método"
        r"|dados|conclusão|resumo|cálculos?|verificação|exemplo|pergunta|resposta|figura|fórmu"
        r"la|parte|caso)\b"
    ),
    task_noun="(?:perguntas?|enunciado|exercícios?|instruções)",
    interjection="desculpe?|bem|bom|hm+|sim|não|boa pergunta",
    called_sentence=(
        r"[^.!?\n]{2,120}?\s(?:chama-se|se chama|é chamad[oa](?: de)?|é conhecid[oa] como) "
        r"(?:(?:uma?|o|a) )?(?P<name>[^.,;:!?\n]{1,40})[.!]?"
    ),
    because_only=r"porque",
    blank_word=r"\b(?:palavra|escrever|falta\w*|lacuna|preench\w*|espaço)\b",
    says_what=r"\s(?:é|são)(?:\s(?:portanto|então|assim))?(?:\s(?:os?|as?|uma?))?\s+",
    before_number="espaço|lacuna",
    ordinal_sign="[ao]",
    ordinal=(
        "(?P<first>primeir[oa]|1[ºªao])|(?P<second>segund[oa]|2[ºªao])|(?P<third>terceir[oa]"
        "|3[ºªao])|(?P<fourth>quart[oa]|4[ºªao])|(?P<fifth>quint[oa]|5[ºªao])"
    ),
    gap="espaços?|lacunas?|palavras?|termos?|respostas?",
    fills_blank="é|vai|fica|deve ser|corresponde a|entra",
    in_blank="para|no|na",
    the_blank="o|a|os|as",
    blank_before="lacuna",
    and_second="e|enquanto",
    and_short="e",
    trailing="e|enquanto(?: que)?",
    counts_in_words=r"\b(?:há|existem|no total|ao todo|conto|contei)\b",
    numerals=(
        "zero _ dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze"
    ),
    units=(
        "zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze d"
        "ezesseis dezessete dezoito dezenove"
    ),
    tens="vinte trinta quarenta cinquenta sessenta",
    tens_joint=" e ",
    more_numerals="catorze=14,dezasseis=16,dezassete=17,dezanove=19,duas=2,uma=1",
    more_counted="duas=2,quatorze=14",
    total_article="o ",
    total_heading="total|soma|contagem|n[úu]mero(?: total)?|quantidade",
    ten_and="e",
    and_number="e",
    option_named=r"\b(?:op[cç][aã]o|n[uú]mero|figura|imagem|alternativa)",
    number_word="n[º°o]|n[uú]mero",
    nth=(
        r"(?<![A-Za-z\u00c0-\u024f])(?:(?:a|o) )?(?:(?P<first>primeir[ao])|"
        "(?P<second>segund[ao])|(?P<third>terceir[ao])|(?P<fourth>quart[ao])|"
        "(?P<fifth>quint[ao])|(?P<last>últim[ao])) (?:alternativa|opção|resposta|figura|"
        r"imagem|foto|gráfico|desenho)(?![A-Za-z\u00c0-\u024f])|"
        r"(?<![A-Za-z\u00c0-\u024f])(?:a|o) (?:(?P<first>primeir[ao])|"
        "(?P<second>segund[ao])|(?P<third>terceir[ao])|(?P<fourth>quart[ao])|"
        r"(?P<fifth>quint[ao])|(?P<last>últim[ao]))(?=\s*(?:[.!,:;\n]|$))"
    ),
    answer_key="resposta|opcao|opcoes|escolha|gabarito|selecao",
    answer_key_before="melhor|a|minha",
    answer_key_behind="correta|corretas|escolhida",
    ordinal_key=(
        "(?P<first>primeir)|(?P<second>segund)|(?P<third>terceir)|(?P<fourth>quart)"
        "|(?P<fifth>quint)"
    ),
    answer_tag="resposta",
    article_spaced="a |o ",
    one_option="opção ",
    because_judged="porque|pois",
    judged=(
        r"\b(?:afirma[cç][aã]o|enunciado|frase|afirmativa|assertiva|proposi[cç][aã]o"
        r"|declara[cç][aã]o|senten[cç]a|item)\b[^.,;:!?\n]{0,60}?\b(?P<n>n[aã]o\s+)?(?:é"
        r"|está),?\s+(?:(?:claramente|portanto|assim|pois|por conseguinte|por isso),?\s+)?"
        r"(?:(?P<t>verdadeir[ao]|cert[ao]|corret[ao])"
        "|(?P<f>fals[ao]|errad[ao]|incorret[ao]|err[oô]ne[ao]))"
    ),
    reason="porque|pois|e|já|mas",
    at_first=r"\b(?:no in[ií]cio|a princ[ií]pio)\b",
    offered_before="as",
    offered="op[cç][oõ]es|alternativas",
    each_one=r"\bcada\s",
    is_called=r"é\s(?:[ao]\s)?",
    because=r"\b(?:porque|pois|já que|uma vez que)\b",
    contrast="mas sim|e sim|mas|por[eé]m",
    relative="que",
    says_which=r"\b(?:é|são|seriam)\s*:?\s+",
    are_first="são",
    concluded="portanto|logo|então|assim|por tanto",
    no_answer_subject=(
        r"\b(?:pior|segunda melhor) (?:correspond[eê]ncia|resposta)\b|\b(?:parecid\w*"
        r"|op[cç][oõ]es"
        r"|letras?|pontos?|restam|restant\w*|alternativas?)\b"
    ),
    and_part=r"\be\b",
    negation=r"\b(?:n[aã]o|nem|sem|nunca|jamais)\b",
    relation=(
        r"\b(?:igual\w*|mesm[ao]s?|parec\w*|semelhant\w*|poss[ií]ve\w*|rest\w+|diferent\w*"
        r"|op[cç][oõ]es|vizinh[ao]s|qual)\b"
    ),
    all_before="tanto|as?|os?",
    instead=r"(?<![A-Za-z\u00c0-\u024f])n[aã]o (?:é|são|era|seria)\s",
    not_only="apenas|somente|[uú]nicamente",
    but_rather=r"(?:mas|e) sim\s(?!também)",
    because_clause=r"(?:porque|pois|já que)\b",
    not_label="n[aã]o é|n[aã]o",
    but_label="mas |(?:mas|e) sim |é ",
    left_before=r"\b(?:restam?|sobram?|ficam?)(?: s[oó]| apenas)?\s*",
    left_behind=r"(?:restam|sobram)\b",
    may_be_too=r"\btambém (?:pode|poderia) ser",
    clause_begins="mas|e sim",
    no_denial=r"\bno\b",
    recognized=(
        r"[ãõ]|\b(?:é|uma|foi|há|são|existem|vejo|conto|contei|tem|estão|meu|minha|resposta"
        r"|alternativas?|figura que|ou seja)\b"
    ),
    was=r"\b(?:era|foi)\b",
    elsewhere=r"\b(?:anterior|passad[ao]|ontem|outr[ao])\b",
    turns=r"\bmas\b",
    said_by=r"(?:[^\W\d_]{1,12}\s){0,2}?(?:disse|diz|escreve|afirma)\b",
    choosing="escolher|marcar",
    would=r"\s(?:seria|ignora\w*)\b|\s?é\s(?:uma? )?(?:\w+ )?(?:erro|armadilha)\b",
    said_wrong=r"é\s(?:\w+\s)?(?:fals[oa]|errad[oa]|incorret[oa])",
    drawn=r"\b(?:portanto|por isso|por tanto|logo)\b",
    supposed_before="mas|e",
    supposed=r"se (?:a|o|for|for[ae]m|\w+ss?em?)\b|caso (?!contr)",
    by_way_of="por ",
    rejected="exclu[síi]|descart|elimin|errad",
    trap="no exemplo|pegadinha|armadilha|erro (?:comum|frequente|t[ií]pico)",
    condition="caso|desde que|a menos que|a no ser que|se (?:a|o|for|fosse|for[ae]m)",
    cell_in_words=(r"(?:na )?linha[\s:=]{1,3}\d{1,18}\s?,?\s?(?:e\s)?coluna[\s:=]{1,3}\d{1,18}"),
    cue="(?:resposta|resultado)s?|ordem(?: correta)?",
    cell_name="células?",
    cue_is=r"\bé\b:?",
    no_difference=r"\b(?:mesm[oa]s?|igua(?:l|is)|idêntic[oa]s?|coincidem?)\b",
    or_answer=r"\bou\b",
    not_these=r"\b(?:n[aã]o|falta\w*|ausent\w*|exceto|salvo)\b",
    article_announced="a|o",
    any_article="os?|as?|uma?",
    article_before="os?|as?|uma?",
    degrees="graus?",
    degree_stem="grau",
    true_texts=(
        "verdadeiro/verdadeira/correto/correta/certo/certa/é verdade/é verdadeiro/está ce"
        "rto/é correto/está correto/está correta/está certa/isso é verdade/isso está cert"
        "o"
    ),
    false_texts=(
        "falso/falsa/errado/errada/incorreto/incorreta/não é verdade/é falso/não é verdad"
        "eiro/está errado/não é correto/está incorreto/está incorreta/está errada/é incor"
        "reto/isso é falso/isso está errado/isso não é verdade"
    ),
    yes_texts="sim",
    no_texts="não/nao",
    label_words="AEO",
    follower="porque|pois|é|e|são|está|mas|não|nem|até|a|também|ou|o",
    verdict_follower="não|sim|verdadeir[oa]|fals[oa]|cert[oa]|errad[oa]|(?:in)?corret[oa]",
    named_thing=(
        r"(?<![A-Za-z\u00c0-\u024f])(?:pontos?|retas?|lados?|ângulos?|vitaminas?|segmento)"
    ),
    list_ends=r"\b(?:são|estão)\b",
    it_is="é",
    link_article="a|o|de",
    because_lead="porque|pois",
    inner_stop=r"(?<=\bp\.)(?=\sex\.)|(?<=\bp\. ex\.)(?=\s\S)|(?<=\baprox\.)(?=\s\S)",
    explains=(
        r"(?:por exemplo|isto é|ou seja|mais (?:precisamente|especificamente|exatamente)"
        r"|o que (?:é|equivale))\b"
    ),
    approximately=r"(?:aproximadamente|cerca de|aprox\b\.?)",
    dimension=(
        r"de (?:profundidade|comprimento|largura|altura|diâmetro|raio|espessura|idade|lado)\b"
    ),
    behind_amount="de|em|na|no|do|da|nas|nos|acima|abaixo",
    of_amount=r"\b(?:de|a|mede|tem|marca|indica|contém|conto)",
    no_total=r"(?:outr[ao]s|mais|menos|vezes|d[ao]s|dest[ae]s|ou|e|a|por)\b",
    compared=r"\bque\b|\b(?:deveria|seria|diferença)\b",
    unit_names=(
        "km=quilômetros/quilómetros,mm=milímetros,m^(2)=metros quadrados,g=gramas/grama"
        ",kg=quilogramas/quilograma,%=por cento"
        ",m=metros/metro,cm=centímetros/centímetro,yr=anos/ano,d=dias/dia,t=toneladas"
    ),
    unfinished_word="de|que|o|a",
    equals=r"\bé\s",
    hedge_equation=r"\b(?:ou|n[aã]o|no)\b",
    taken_back=(r"[^.!?。\n]{0,60}?\b(?:mas|por[eé]m)\s[^.!?\n]{0,30}?(?:\bn[aã]o|\bno)\b"),
    but_is=r"\bmas\b[^.,;:\n]{3,60}\b(?:é|são)\s+(?:(?:o|a|uma?)\s+)?",
    function_word="os|as|uma?",
    roughly=r"\b(?:entre|mais de|menos de|cerca de|acima de|abaixo de)",
    or_number="ou",
    described=r"\b(?:cada|uma? (?:por|a) uma?|as op[cç][oõ]es)\b[^.:\n]{0,40}:",
    introduced=r"\b(?:examinemos|vamos|vejamos|analisemos)\b",
    then_lead=r"(?:primeiro|depois|agora|em seguida),?\s+",
    because_answer=r"(?:porque|pois)\b",
    committed=r"verdadeir|resposta|(?<!in)corret|\bcert[ao]\b",
    the_label="a|o",
    rest_right=(
        r"\b[ao]s (?:demais|outr[ao]s)(?: du[ao]s| dois| três)? (?:s[aã]o|est[aã]o)"
        r" (?:corret|verdadeir|cert)[ao]s"
    ),
    except_for="salvo|menos|exceto|tirando|(?:com|à) exce[cç][aã]o d[eoa]s?|fora",
    except_article="as?|os?",
    except_noun="alternativas?|letras?|op[cç][aã]o",
    quantified=r"\b(?:tod[ao]s?|nada|resto|demais|outr[ao]s|nenhum[ao]?|no)\b",
    none_of=r"\b(?:nada|nenhum[ao]?)\b",
    all_wrong=(
        r"\b(?:fals[ao]s?|errad[ao]s?|err[oó]ne[ao]s?|descartad[ao]s?|eliminad[ao]s?"
        r"|inválid[ao]s?"
        r"|incorret[ao]s?)\b"
    ),
    all_right=(
        r"\b(?:v[aá]lid[ao]s?|corret[ao]s?|cert[ao]s?|verdadeir[ao]s?|adequad[ao]s?|servem?"
        r"|correspond\w*)\b"
    ),
    all_denied=r"\b(?:nada|nenhum[ao]?|n[aã]o|nem)\b",
    all_open=r"\b(?:talvez|poderiam?|se)\b",
    right_stem="verd|cert",
    goes_on="porque|pois|já|e|mas|que",
    broken_off="e",
    hedged_more=r"[^.;!?。\n]{0,25}?\b(?:talvez)\s+",
    but_not="e|mas",
    small_word="[aoàé]",
    both_before="tanto|ambas|ambos",
    label_article="[ao]",
    from_label=r"[Dd]e\s(?=[A-Z]\s(?:a|até)\s)",
    option_lead="as?|os?",
    label_number=r"n[º°]|núm\.|número",
    right_mark="(?<!no )(?<!não )encaixa|(?<!in)corret[oa]|cert[oa]|verdadeir[oa]|sim",
    wrong_mark="não encaixa|fals[oa]|incorret[oa]|errad[oa]|não",
    answers_right="sim|(?<!in)correc?t[oa]|cert[oa]|verdadeir[oa]",
    answers_wrong="não|fals[oa]|incorret[oa]|errad[oa]",
    right_side="Verdadeir[ao]s?|Corret[ao]s?|Cert[ao]s?",
    wrong_side="Fals[ao]s?|Errad[ao]s?|Incorret[ao]s?",
    hedge=r"\b(?:parece|poderia|talvez)\b",
    user_turn="USU[ÁA]RIO|Usu[áa]rio",
    assistant_turn="ASSISTENTE|Assistente",
    next_question="Pergunta|PERGUNTA|Exercício",
    number_mark="n[°º]",
    count_sentence=(
        r"\b(?:conto|contei|um total de|há|existem|no total|ao todo|vejo|(?:a )?(?:imagem|figura)"
        r" (?:contém|mostra|tem)|o número de [a-zéâã ]{2,30} é)\b"
    ),
    count_open=r"\b(?:linhas?|colunas?|tipos?|ou|entre|cerca|menos|mais|talvez|não)\b",
    count_about=r"\b(?:ou|cerca)\b",
    who_counts="c|vejo|a |imagem|figura",
    also_counted=r"\be\b",
    total=r"\b(?:no total|ao todo|soma|total)\b",
    total_doubt=r"\b(?:ou|cerca|talvez|não|no)\b",
    things=(
        "NODES=nós?,NODES=vértices?,EDGES=arestas?,CIRCLES=círculos?,TRIANGLES=triângulos?,SQUARE"
        "S=quadrados?"
    ),
    predicate=r"\b(?:são|é)\s*:?\s+",
    set_noun=r"\b(?:formas?|figuras?|cor(?:es)?)\b",
    part_of_picture=(
        r"\b(?:faltan\w*|ausentes?|outr[oa]s|salvo|primeir\w*|princip\w+|algum\w*|esquerda"
        r"|direita"
        r"|cima|baixo|fundo)\b"
    ),
    announced_article="[ao]",
    place_names=r"ABOVE=\b(?:acima|em cima|sobre a linha)\b,BELOW=\b(?:abaixo|embaixo|em baixo)\b",
    cell_lead=r"\b(?:ou seja|isto é|quer dizer|(?:está|fica|encontra-se) (?:em|na?))",
    met_by=r"\b(?:obedecem?|cumprem?|ocorrem?|acontecem?|vale)",
    only_in=r"(?:\w{4,11}\s)?(?:em|n[ao]|com|para)",
    code="pt",
    small_words=(
        "o a os as é são há e um uma em de do da dos das no na nos nas que se com para por ao está"
        " estão segundo foi tem mostra indica custa logo"
    ),
    group_marks=". ",
    cardinals=_CARDINALS,
    scales="mil=1000,milhão=1000000,milhões=1000000,bilhões=1000000000",
    scale_and="e",
    one_thing=(
        r"\b(?:apenas|só|somente|exatamente) (?:\w+ ){0,2}?uma?\b|\bum(?:a única| único|a só| "
        r"só)\b|^uma?[.!]?$"
    ),
    one_article=r"uma?",
    bound=(
        r"\b(?:pelo menos|deveriam?|ao menos|no (?:mínimo|máximo)|(?:mais|menos|maior|menor"
        r"|diferente) (?:de|que|do que)"
        r"|entre|até|mínimo|máximo|em vez de|desde)\b"
    ),
    bound_behind=r"ou (?:mais|menos)\b|\+|no (?:mínimo|máximo)\b",
    numbered_noun=(
        r"(?:figuras?|fig\.|imagem|imagens|linhas?|colunas?|fileiras?|passos?|páginas?|perguntas?"
        r"|tabelas?|salas?"
        r"|quartos?|capítulos?|seções|seção|dias?|semanas?|grupos?|partes?|jogador(?:es)?|níveis"
        r"|nível"
        r"|opção|opções|pontos?|graus?|barras?|número|n\.º|nº|plataforma|ônibus|trimestre|caso"
        r"|casa|exercício|tamanho|questão)"
    ),
    percent=r"\bpor ?centos?\b|\bporcentage(?:m|ns)\b|\bpercentual|\bpercentage(?:m|ns)\b|%",
    year_lead=r"\b(?:em|de|ano|desde|para|até|do)",
    below_zero=r"\bmenos",
    below_zero_behind=r"(?:abaixo de zero|negativos)",
    part_behind=(
        r"(?:mais|menos|outr[oa]s?|adicionais|vezes (?:mais|menos|maior)|del[ea]s|dess[ea]s"
        r"|dest[ea]s|restantes)\b"
    ),
    part_lead=(
        r"(?:del[ea]s|dess[ea]s|dest[ea]s|entre el[ea]s|em comparação|contra|comparado|d[oa]s "
        r"quais)\b"
    ),
    adds_up=(
        r"\b(?:somam|soma|dão|dá|fazem|ou seja|total|totalizando|restam?|sobram?|resposta"
        r"|resultado|equivale a|perfazem|(?:aumento|diferença|queda|redução|acréscimo) de)\b"
    ),
    no_value=(
        r"\b(?:não|sem|prefiro não) (?:\w+ ){0,3}?(?:dar|adivinhar|indicar|precisar|estimar|ler"
        r"|determinar|dizer"
        r"|contar|arriscar|chutar|informar|inventar)\b|\bnenhum (?:valor|número)\b"
    ),
    hanging=r"\b(?:o|a|os|as|uma?|de|do|da|e|ou|é|são|que|igual|para|com)",
    all_word=r"\btod[ao]s?\b|\btudo\b",
    copula=r"\s*(?:é|são|era)\b",
    whereas="enquanto|ao passo que|ao contrário|diferente",
    ends_only=r"\s(?:apenas|somente)\b",
    last_article="(?:as?|os?|d[ao]s?|n[ao]s?)",
    undecided=(
        r"\b(?:candidat\w*|poss[ií]ve\w*|d[uú]vid\w*|comparar|comparemos|parecid\w*|"
        r"semelhant\w*|olh[ae]\w*|observ\w*|precis\w*|dif[ií]c\w*|entre)\b"
    ),
    shows=(
        "(?:mostram?|representam?|ilustram?|cont[eéê]m|satisfaz(?:em)?|completam?|"
        r"encaixam?)\b"
    ),
    claimed=(
        r"\b(?:afirma|afirmou|diz|disse|acha|acredita|sustenta|garante|escreve|escreveu|"
        "responde|respondeu)(?: que)?"
    ),
    leaves_one=(
        r"\b(?:s[oó]|apenas) (?:resta|sobra|fica) uma?\b|\b(?:resta|sobra) (?:s[oó]|"
        r"apenas) uma?\b"
    ),
    denominators=(
        "meio=2,meios=2,terço=3,terços=3,terça=3,terças=3,quarto=4,quartos=4,quarta=4,quartas=4"
        ",quinto=5,quintos=5,quinta=5,quintas=5,sexto=6,sextos=6,sétimos=7,oitavo=8,oitavos=8"
        ",oitavas=8,nonos=9,décimo=10,décimos=10,décima=10,décimas=10"
    ),
    one_of_parts="uma?",
    parts_word="partes?",
    half_alone="(?:a )?metade",
    and_half=r"\se mei[oa]",
    half_noun=r"\w+",
    dozens="(?:uma )?dúzias?",
    half_dozen="meia dúzia",
    in_all="(?:ou seja,?|isto é,?|o que dá|o que equivale a)",
    not_in_name="que|para|com|quando|onde|é|não|se|por",
    that_word="que",
    denied_but="mas(?: sim)?|e sim",
    self_corrects="quer dizer|digo|ou melhor|aliás",
    its=r"(?:sua?s?|seus?)\b|reconhece-se|vê-se|dá para",
    named_as=(
        r"\b(?:chamam?-se|se chamam?|é chamad[oa](?: de)?|são chamad[oa]s(?: de)?|é "
        "conhecid[oa] como|denominam?-se|identificam?-se (?:com|como)|trata-se(?: "
        "[^.,;]{1,20}|, [^.,;]{1,20},)? d[eoa]s?(?: uma?)?|se trata(?: [^.,;]{1,20}|, "
        "[^.,;]{1,20},)? d[eoa]s?(?: uma?)?|(?:pertencem?|correspondem?|apontam?)(?:, "
        "[^.,;]{1,15},| assim| claramente)?(?: aos?| à| a| para(?: [oa]s?)?)|(?:é|são|está|"
        "foi) (?:feit|fabricad|pintad|esculpid)[oa]s? (?:de|com|em|por)|representam?|é "
        "(?:típic|própri|característic)[oa] d[eoa]|são (?:típic|própri|característic)[oa]s "
        "d[eoa]s?|(?:é|são)(?:, [^.,;]{1,12},)? (?:a bandeira|o escudo|uma espécie|um tipo) "
        r"d[eoa]|(?:é|são)(?:, [^.,;]{1,12},)? d[eoa])(?!\w)"
    ),
    is_a=(
        r"(?<!\w)(?:é|(?-i:são)|era|eram|foi|deve(?:m)? ser|só pode(?:m)? ser|tem que ser|tem "
        r"de ser)(?!\w)"
    ),
    shows_it=(
        r"\b(?:mostram?|indicam?|toca|usa|está tocando|fica em|fica no|fica na|está em|fala|"
        r"diz|utiliza)\b"
    ),
    surely=(
        "(?:pois|portanto|assim|então|logo|por isso|por conseguinte|claramente|(?:muito "
        ")?provavelmente|certamente|sem (?:nenhuma )?dúvida|evidentemente|obviamente|com "
        "certeza|com toda a (?:certeza|probabilidade)|de fato|realmente|na verdade|"
        "justamente)"
    ),
    name_article="(?:os?|as?|uma?|uns|umas|aos?|à|do|da|dos|das|num|numa|no|na|de uma?)",
    name_preposition=(
        "de|do|da|dos|das|em|no|na|nos|nas|a|ao|à|com|por|pelo|pela|para|sobre|entre|sob|como|que"
    ),
    describes_place=(
        "muito|muita|mais|menos|tão|bastante|pouco|demais|não|também|assim|de|do|da|em|no|na|"
        "com|a|ao|por|para|como|que|quando|onde|aqui|ali|já|um dos|uma das|parte|visível|"
        r"difícil|fácil|possível|\w+[ai]d[oa]s?"
    ),
    describes_it=(
        "antig[oa]s?|grandes?|pequen[oa]s?|velh[oa]s?|nov[oa]s?|bonit[oa]s?|alt[oa]s?|"
        r"baix[oa]s?|long[oa]s?|curt[oa]s?|famos[oa]s?|típic[oa]s?|redond[oa]s?|important\w+|"
        "escur[oa]s?|clar[oa]s?|vermelh[oa]s?|azul|azuis|verdes?|amarel[oa]s?|pret[oa]s?|"
        "negr[oa]s?|branc[oa]s?|cinzas?|marrom|modern[oa]s?|tranquil[oa]s?|animal|objeto|"
        "coisa|pessoa|homem|mulher|lugar|imagem|tipo|espécie|exemplo|e"
    ),
    naming_doubt=(
        r"(?<!\w)(?:(?:mais|menos) \w+ que|em frente|atrás d|ao lado d|parecid[oa] com|quase|"
        "por exemplo|em vez de|poderia(?:m)?|pode(?! ser que)|seria(?:m)?|teria|parecem?|à "
        r"primeira vista|no início|alguns|muitos|lembra|(?<!-)se|ao contrário|diria-se)(?!\w)"
    ),
    name_denied=r"\b(?:poderia|parece)\b",
    refers_back=(
        "este|esta|isto|isso|esse|essa|aquilo|ele|ela|o que (?:se vê|vemos|aparece)(?: aqui)?"
    ),
    concludes_that=(
        "(?:tudo|todos|todas|iss[oe]|ist[oe]|ess[ae]s?|est[ae]s?)(?: iss[oe]| ess[ae]s| "
        r"est[ae]s)?(?: \w+)? (?:indicam?|sugerem?|mostram?|apontam?|significam?|demonstram?|"
        "confirmam?)(?: para)?(?: que)?|por (?:isso|isto|ess[ae]s? [^.,;]{1,30}|est[ae]s? "
        "[^.,;]{1,30}|tudo isso),?|(?:pode-se|podemos|posso) (?:concluir|dizer|afirmar|"
        "deduzir)(?: que)?|de modo que|de forma que|o que (?:indica|significa|sugere)(?: "
        "que)?|com base (?:em|nis|ness|nest)[^.,;]{0,40},|a partir (?:de|diss|dess|"
        "dest)[^.,;]{0,40},|considerando[^.;]{1,50},|(?:eu )?(?:diria|acredito|acho|penso|"
        "concluo) que|ou seja|isto é|em (?:suma|outras palavras|resumo)|dessa forma|desse "
        "modo|sendo assim"
    ),
    no_doubt=(
        r"\b(?:só pode(?:m)? ser|não pode(?:m)? ser (?:outr[oa] senão|senão)|não (?:há|resta|"
        "restam) (?:nenhuma )?dúvidas?(?: de que)?|sem (?:nenhuma |qualquer )?dúvida(?: "
        r"alguma)?|nada menos que|não é outr[oa] senão)\b"
    ),
    closing_remark=(
        "espero|se (?:precisar|quiser|tiver|você)|me avise|avise|fique à vontade|posso "
        "ajudar|deseja|quer"
    ),
    detail_noun=(
        r"\b(?:traços?|partes?|detalhes?|pistas?|diferenças?|exceção|motivos?|fundo|legenda|"
        r"cor(?:es)?|tamanho|forma|pergunta)\b"
    ),
    last_one=r"[oa] últim[oa]",
    summing_up=(
        r"\b(?:no conjunto|em (?:suma|síntese|última análise)|resumindo|ao fim e ao cabo|"
        r"tudo (?:somado|considerado)|por tudo isso|no fim das contas)\b"
    ),
    points_back=(
        r"\b(?:portanto|logo|assim|então),? é (?:ela|ele|ess[ae]|est[ae])\b|"
        r"\bé,? (?:portanto|pois|então),? (?:ela|ele|ess[ae]|est[ae])\b"
    ),
    is_case=(
        r"\bé o caso d[aeo]s?\b|\b(?:isso|isto) (?:acontece|ocorre|vale|se vê) (?:em|"
        r"n[ao]s?|para|com)\b|\bvê-se isso n[ao]s?\b"
    ),
    some_of_them=(
        r"\b(?:dois|duas|três|quatro|cinco) del[ea]s\b|\b[ao]s outr[ao]s (?:dois|duas|"
        r"três|quatro|cinco)\b"
    ),
    is_placed=r"\b(?:est(?:á|ão)|fica[m]?|se encontram?)",
    lacks=r"\bn[aã]o h[aá]\b(?! (?:informa|dados|imagem|como|resposta))",
    abstains=r"\b(?:me abstenho|abstenho-me|prefiro n[aã]o (?:responder|opinar))\b",
    also_called=(
        r"(?:também|tambem|vulgo|às vezes|em (?:alguns|algumas|certos|certas|outros|outras)"
        r" \w+)(?=[\s,:])"
    ),
    no_end="os?|as?|uma?|d[oa]s?|n[oa]s?|ao|de|por|pel[oa]s?|com|em",
)
