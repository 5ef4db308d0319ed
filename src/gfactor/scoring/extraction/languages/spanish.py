"""Spanish."""

from gfactor.scoring.extraction.language import Language

_NOUN = (
    r"(?:respuestas?|opci[oó]n|opciones|alternativas?|soluci[oó]n|elecci[oó]n|letras?"
    r"|conclusi[oó]n|inciso)"
)
_KIND = r"(?:(?:la|las|mi|mejor|únicas?|el|los)\s+){0,3}"
_AFTER = (
    r"(?:\s+(?:correctas?|finale?s?|adecuadas?|v[aá]lidas?|ser[ií]a|elegida|acertadas?"
    r"|verdaderas?)){0,2}"
)

_SEEN = (
    r"(?:imagen|figura|gr[aá]fic[oa]s?|diagrama|foto(?:graf[ií]a)?|tabla|mapa|dibujo"
    r"|ilustraci[oó]n|esquema)"
)
_COLOR = (
    r"(?:roj[oa]|azul(?:e(?=s))?|verde|amarill[oa]|naranja|anaranjad[oa]|morad[oa]|violeta|púrpura"
    r"|lila|ros(?:a|ad[oa])|marr(?:ón|one(?=s))|negr[oa]|blanc[oa]|gris(?:e(?=s))?|turquesa|celeste"
    r"|magenta|cian|beige|dorad[oa]|platead[oa])s?(?: (?:clar|oscur)[oa]s?)?\s*$"
)
_FACTS = r"(?:informaci[oó]n|datos?|detalles|contexto)"

_OR_NUMBER = (
    r"(?<=\S )o(?= (?:\d|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|tal vez"
    r"|quizás?))"
)
"""In Portuguese the word is an article."""

_UNITS_TEXT = (
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
    " dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro"
    " veinticinco veintiséis veintisiete veintiocho veintinueve"
)
_UNITS = _UNITS_TEXT.split()
_TENS_TEXT = "treinta cuarenta cincuenta sesenta setenta ochenta noventa"
_TENS = _TENS_TEXT.split()
_HUNDREDS_TEXT = (
    "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos"
    " ochocientos novecientos"
)
_HUNDREDS = _HUNDREDS_TEXT.split()
_CARDINALS = ",".join(
    [f"{word}={k}" for k, word in enumerate(_UNITS) if k != 1]
    + [f"{ten}={10 * k}" for k, ten in enumerate(_TENS, 3)]
    + [f"{ten} y {_UNITS[u]}={10 * k + u}" for k, ten in enumerate(_TENS, 3) for u in range(1, 10)]
    + [f"{ten} y {one}={10 * k + 1}" for k, ten in enumerate(_TENS, 3) for one in ("un", "una")]
    + [f"{word}={100 * k}" for k, word in enumerate(_HUNDREDS, 1)]
    + [f"{word[:-2]}as={100 * k}" for k, word in enumerate(_HUNDREDS, 1) if k > 1]
    + ["cien=100,veintiuna=21,veintiún=21,una docena=12,una decena=10,dieciseis=16"]
)

LANGUAGE = Language(
    spaced=True,
    heading=(
        rf"{_KIND}{_NOUN}{_AFTER}|(?<![^\n])R(?=\s?:)"
        r"|(?<![^\n])(?:(?:la|las) )?(?:verdader|correct|ciert)[ao]s?(?=\s?:)"
    ),
    announce=(
        r"(?:s[oó]lo|solamente|[uú]nicamente) la (?:opci[oó]n|respuesta|alternativa)|"
        rf"{_KIND}{_NOUN}{_AFTER}(?:\s+(?:es|son|ser[ií]a|debe ser|tiene que ser)|\s*=)"
        r"|(?:yo |nosotros )?(?:elijo|escojo|selecciono|elegimos|escogemos|marco|opto por"
        r"|optamos por|optar[ií]a por|votar[ií]a por|elegir[ií]a"
        r"|me quedo con|mantengo|(?:me )?dejo(?= (?:la )?\(?[A-Z]\b)|se cumplen?|me decanto por"
        r"|marcar[ií]a|me inclino por|voto por"
        r"|seleccionamos|respondo|dir[ií]a|marque|marca|elige"
        r"|elija|escoge|selecciona|seleccione)"
        r"|(?:s[oó]n|es|ser[ií]an?|están) (?:correct|verdader|ciert|v[aá]lid"
        r"|adecuad)[ao]s?(?! l[ao]s? que)"
        r"|(?:cambio|corrijo|modifico) (?:mi|la) (?:respuesta|elecci[oó]n)(?: final)? (?:a|por)"
        r"|cambio a"
        r"|(?:mi )?(?:elecci[oó]n|voto|apuesta) (?:es|va para)|prefiero|escoger[ií]a"
        r"|seleccionar[ií]a"
        r"|(?:figura|imagen|pieza|opci[oó]n|alternativa|letra|respuesta|forma) que"
        r" [\w ]{2,50}? es"
        r"|(?:s[oó]lo|[uú]nicamente|solamente)(?= (?:la |el )?(?:opci[oó]n )?\(?[A-Z]\)?"
        r" (?:cumple|satisface|respeta|verifica|completa))"
        r"|(?:la única|el único) (?:\w+ )?que [\w' ]{2,60}? es"
        r"|(?:la |el |lo )que (?!falta)[\w ]{2,40}? es|corresponde a|(?:la|el) correct[ao] (?:es"
        r"|ser[ií]a)"
        r"|(?:la|el) (?:siguiente|que sigue|adecuad[ao]|indicad[ao]) es|lo (?:correcto"
        r"|adecuado) es"
        r"|(?:mejor|[uú]nic[ao]) (?:coincidencia|candidat[ao]|correspondencia|ajuste|encaje"
        r"|continuaci[oó]n)(?: posible)? (?:es|ser[ií]a)"
        r"|(?:hay que|debemos|se debe) (?:elegir|marcar|escoger|seleccionar)|(?:la"
        r"|lo)s? correctas? (?:es|son)"
        rf"|(?:{_NOUN}|figura|imagen|forma|pieza) (?:que |la |el )?(?:más|mejor)"
        r" (?:\w+ )?\w{4,15} (?:es|ser[ií]a|parece(?: ser)?)"
        r"|lo m[aá]s (?:probable|plausible|l[oó]gico|razonable) (?:es|ser[ií]a)"
        r"(?: que (?:sea|se trate de))?"
        r"|(?:la |el )?(?:figura|imagen|forma|pieza|elemento)\s+(?:que falta|faltante|siguiente"
        r"|correct[ao])\s+es"
    ),
    weak=(
        "(?:sin (?:ninguna )?duda|(?!posibl|aparent|supuest|dif[ií]cil|"
        r"presun)\w{4,14}mente)(?:,? (?:es|ser[ií]a))?,?|son(?=\s+\(?[A-Z]\)?\s*(?:,|"
        r"y\b))|m[aá]s bien|pues(?= (?:la )?\(?[A-Z]\b)|de ah[ií](?: que sea)?|es decir,?|"
        "o sea,?|por (?:descarte|eliminaci[oó]n|exclusi[oó]n)[,:]?|no hay otra que|"
        "(?:nos )?(?:lleva|conduce|remite) a|hacen? que (?:la respuesta )?sea|"
        r"l[ao] convierten? en|(?<![^,;:.\n¡])\s*(?:ser[ií]a|es)|"
        "se trata(?:,? (?:entonces|pues|por (?:lo )?tanto),?)? de|debe(?: de)? ser|"
        "tiene que ser|(?:por (?:lo )?tanto|as[ií] que|entonces|luego)[,:]?|(?:me |"
        "nos )?queda(?: (?:s[oó]lo|solamente|[uú]nicamente))?|(?:creo|veo|muestran?|"
        "demuestran?|revelan?) que es|ser[ií]a|(?:en (?:resumen|conclusi[oó]n|definitiva|"
        "suma)|finalmente|para (?:concluir|terminar)),|(?:me|nos) qued(?:o|amos|aría|"
        "aríamos) con"
    ),
    points=(
        r"(?:indican?|se[ñn]alan?|apuntan? (?:a|hacia)|sugieren?|confirman?|respaldan?"
        r"|(?:nos )?dan?(?! (?:imagem|figura|foto|op[cç][aã]o|letra|alternativa)\b)"
        r"|(?:se )?obtiene|obtenemos|obtengo|(?:se llega|llegamos|llego) a)"
        r"(?: que (?:es|se trata de))?"
    ),
    filler=(
        r"la|el|las|los|opci[oó]n|opciones|letras?|alternativas?|respuestas?|literal|inciso"
        r"|claramente|entonces"
        r"|s[oó]lo|solamente|[uú]nicamente|por (?:lo )?tanto|probablemente|figura|imagen|que|es"
        r"|tanto|(?!posibl|aparent|supuest|dif[ií]cil|presun)\w{4,14}mente"
    ),
    option=(
        r"opci[oó]n|opciones|letras?|alternativas?|respuestas?|literale?s?|incisos?|afirmaci[oó]n"
        r"|afirmaciones|casillas?|figuras?|imagen|im[aá]genes|apartados?|enunciados?"
    ),
    right=(
        r"(?:es|son|est[aá]n?|ser[ií]a|sí es|(?:me )?(?:parecen?"
        r"|resultan?)(?: ser)?)(?:\s+(?:la|el|las|los|mi|únicas?|opci[oó]n|opciones"
        r"|claramente|ambas|todas"
        r"|tambi[eé]n|respuestas?|alternativa|mejor)){0,4}\s*(?:correct[ao]s?|verdader[ao]s?"
        r"|v[aá]lid[ao]s?|adecuad[ao]s?"
        r"|ciert[ao]s?|acertad[ao]s?|respuestas?|soluci[oó]n|bien)(?=\s*(?:[.,;:!)\n]|$"
        r"|\s(?:porque|ya|pues|y|pero|dado)\b))"
        r"|(?:es|ser[ií]a) (?:la|el|lo) (?:que (?:completa|encaja|falta|corresponde|cumple|sigue"
        r"|contin[uú]a"
        r"|buscamos|busco|necesitamos|se ajusta)|correct[ao]|indicad[ao]|adecuad[ao]|respuesta"
        r"|soluci[oó]n|intrus[ao]|diferente)"
        r"|(?:encajan?|cumplen?|sirven?|completa (?:la|el)\s\w+)(?: perfectamente| bien"
        r"| exactamente| mejor| a la perfecci[oó]n)?(?=\s*(?:[.,;!\n]|$))"
        r"|(?:es|ser[ií]a|(?:me )?parece(?: ser)?) (?:la|el) (?:mejor|m[aá]s (?:adecuad[ao]"
        r"|apropiad[ao]|probable|l[oó]gic[ao]|plausible))(?: (?:opci[oó]n|respuesta|alternativa"
        r"|elecci[oó]n|candidat[ao]))?(?=\s*(?:[.,;!\n]|$))"
        r"|es (?:la|el) que (?!no\b|menos\b|peor\b)(?=\w)|es (?:la|el) siguiente"
        r"|es (?:una )?mejor(?: opci[oó]n| respuesta| candidata)?(?=\s*(?:[.,;!\n]|$))"
        r"|(?:concuerdan?|coinciden?|corresponden?|se ajustan?) (?:con|a|al) (?:el |la )?(?:texto"
        r"|regla|descripci[oó]n|enunciado|patr[oó]n|serie|pasaje)"
        r"|es (?:la|el) [uú]nic[ao] (?:(?:opci[oó]n|respuesta|alternativa|figura) )?"
        r"(?:que(?! no\b)|posible|restante|v[aá]lid[ao])|queda(?=\s*(?:[.!\n]|$))"
    ),
    wrong=(
        r"(?:es|son|est[aá]n?|queda|quedan|parece)(?:\s+(?:tambi[eé]n|claramente|ambas"
        r"|todas)){0,2}\s*"
        r"(?:incorrect[ao]s?|fals[ao]s?|err[oó]ne[ao]s?|inv[aá]lid[ao]s?|descartad[ao]s?"
        r"|imposibles?|excluid[ao]s?"
        r"|eliminad[ao]s?|mal)|no (?:es|son|est[aá]n?)(?: la| el| las)?\s+(?:correct\w+"
        r"|v[aá]lid\w+|verdader\w+|respuestas?|opci[oó]n)|no (?:encaja|cumple|puede ser)|tampoco"
        r"|se descartan?"
    ),
    not_before=(
        r"a diferencia de|al contrario que|no|no es|no son|ni|salvo|excepto|menos"
        r"|en lugar de|en vez de|descarto|descartamos"
        r"|descartando|descartar"
        r"|elimino|eliminamos|excluyo|tampoco|nunca|sino|y no"
    ),
    unreal=(
        r"(?:soluci[oó]n|respuesta) (?:anterior|previa|propuesta)|"
        r"nada\s*$|(?:muchos|algunos|se|alumnos|gente) (?:cree[ns]?|creer[ií]an?|piensan?"
        r"|pensar[ií]an?"
        r"|dicen?|dir[ií]an?|marcan?|eligen?|responden?)|"
        r"si|aunque|podr[ií]an?|puede ser|parece|parec[ií]a|al principio|pensé|inicialmente"
        r"|quiz[aá]s?|tal vez|no(?! (?:doubt|question|hay duda|cabe duda))|ni"
        r"|supongamos|por qu[eé]|tampoco|nunca|ejemplo"
    ),
    correction=(
        r"digo,|quiero decir|quise decir|me corrijo|espera|esperen?|en realidad|no,|no\."
        r"|correcci[oó]n|perd[oó]n,?|mejor dicho"
        r"|me equivoqu[eé]|de hecho|corrijo"
        r"|pens[aá]ndolo|rectifico|m[aá]s bien|pero|sino|sin embargo|hmm+|disculpa|revisemos"
        r"|finalmente"
    ),
    retraction=(
        r"espera|esperen|me equivoqu[eé]|pens[aá]ndolo (?:bien|mejor)|eso (?:no es correcto"
        r"|est[aá] mal)|revisemos|no, (?:eso|esto)"
    ),
    conclusion=(
        r"por (?:lo )?tanto|entonces|finalmente|en conclusi[oó]n|as[ií] que|en resumen"
        r"|por consiguiente"
    ),
    both=r"y también|y|e|como|así como",
    either=r"o|u|o bien",
    until=r"a|hasta|al",
    every=(
        r"(?<!no )tod[ao]s(?:\s+(?:las|los|estas"
        r"|ellas)\s*(?:\w{1,15})?)?(?:\s+anteriores)?\s+(?:son|est[aá]n)\s+(?:correct[ao]s"
        r"|verdader[ao]s|v[aá]lid[ao]s|ciert[ao]s)|todas las anteriores"
        r"|tod[ao]s(?: l[ao]s \w{4,15})?(?=,? (?:excepto|menos|salvo|a excepci[oó]n)\b)"
    ),
    none=r"ningun[ao](?: de (?:las|los|estas) \w+)?|ninguno|no tod[ao]s",
    excluding=r"excepto|salvo|menos|(?:a|con) excepci[oó]n de|con la excepci[oó]n de",
    excluding_after="",
    only=r"s[oó]lo|solamente|[uú]nicamente|exclusivamente",
    denied=(
        r"(?:pero )?no(?: l[ao]s?)?(?: (?:es|son|est[aá]n?|hacen?|tienen?|pueden?|cumplen?"
        r"|\w{3,10}n?))?|tampoco"
    ),
    affirmed=r"s[ií](?: (?:lo )?(?:es|son|hacen|tienen|pueden))?|lo (?:es|son|hacen)",
    others=r"(?:tod[ao]s )?l[ao]s (?:demás|otr[ao]s)(?: \w{5,12})?|el resto|la otra|el otro",
    refusal=(
        r"lo siento|no (?:puedo|es posible|se puede|logro|veo|tengo"
        r"|dispongo|hay suficiente"
        r"|consigo|soy capaz)|imposible (?:de )?(?:saber|determinar)"
        r"|informaci[oó]n insuficiente|como (?:una )?(?:ia|inteligencia)"
        r"|por favor,? (?:proporcion|adjunt|sub)\w*|disculp\w+"
    ),
    declines=(
        r"no (?:identifico|identificamos|reconozco|nombro)(?: a)? (?:las |ninguna |ningún"
        r" )?(?:personas?|nadie|individuos?|rostros?|gente)|"
        rf"{_SEEN}(?: \w{{1,15}}){{0,3}}? no (?:se |est[aá] |ha sido |fue |aparece|carg[oó]"
        rf"|est[aá]n )"
        r"?(?:ha |han )?(?:proporcion\w+|adjunt\w+|inclu\w+|muestra|ve|disponible|aparece"
        r"|present\w*"
        r"|visible|carg\w+)"
        rf"|no se (?:ha|han|me ha) (?:proporcionado|adjuntado|incluido|mostrado|dado|facilitado)"
        rf"|falta(?:n)? (?:la|el|los|las|un|una|)\s?(?:{_SEEN}|{_FACTS})|me faltan? (?:\w+"
        rf" )?{_FACTS}"
        rf"|{_FACTS}(?: \w{{1,15}}){{0,2}}? (?:es|son|resultan?) insuficientes?"
        rf"|{_FACTS}(?: \w{{1,15}}){{0,2}}? no (?:es|son|bastan?|alcanzan?)(?: suficientes?"
        rf"| para)"
        r"|no hay (?:suficientes?|bastantes?) "
        rf"{_FACTS}"
        rf"|sin (?:la|el|ver la|ver el) {_SEEN}[^.\n]{{0,20}}(?:imposible|no (?:se )?puedo?e?)"
        r"|imposible (?:de )?(?:contestar|responder|resolver|decidir)"
        rf"|(?:necesit\w+|har[ií]a falta|tendr[ií]a que) ver (?:la|el) {_SEEN}"
        r"|(?:prefiero|me veo obligad[oa] a|debo) (?:no (?:responder|contestar|adivinar)"
        r"|abstenerme)"
        rf"|(?:hacen?|har[ií]an?) falta (?:m[aá]s )?{_FACTS}|necesito m[aá]s {_FACTS}"
        r"|me (?:abstengo|niego)"
    ),
    the="el|la",
    and_word="y",
    or_word="o",
    open_text="desconocid[oa]|no (?:lo )?sé",
    blank_announce=(
        r"\b(?:palabra|t[ée]rmino)\b[^.,;:\n]{0,50}?\ses\b|\b(?:palabra|t[ée]rmino|n[úu]mero"
        r"|valor)(?:\s+que)?\s+(?:falta|faltante|correct[ao])\s+es\b|\b(?:valor|resultado|suma"
        "|total|producto|longitud|altura|área|volumen|velocidad|masa|n[úu]mero|ángulo"
        "|per[íi]metro|probabilidad|distancia|tiempo|temperatura|capital"
        r"|nombre)\b[^.,;:\n]{0,40}?\s(?:es|vale)\b"
    ),
    blanks_announce=(
        r"(?:^|(?<=[\n.]\s))(?:los|las)\s+(?:\w+\s){0,2}?(?:valores|palabras|números|respuestas"
        r"|soluciones|raíces)\sson\b|\b(?:palabras|t[ée]rminos|n[úu]meros"
        r"|valores)\s+(?:que faltan"
        r"|faltantes|correct[ao]s)\s+son\b"
    ),
    contrast_text=(
        r"(?:no(?: es| son)?)\s[^.,;\n]{1,40}[ ,](?:sino)\s(?P<name>[^.,;\n]{1,40})[.!]?"
    ),
    against_text=r"(?:no\s)?[^.,;\n]{1,40}[ ,]sino\s(?P<name>[^.,;\n]{1,40})",
    respectively="respectivamente",
    called=r"es|sería|[^.,;\n]{2,40}\sse llaman?",
    called_article="un |el |la ",
    names_text=(
        rf"(?:(?:así|entonces),? )?(?:el|las?|los"
        rf"|su) (?!(?:[\w'-]+ ){{0,5}}?(?:(?<!en la )(?<!en el ){_SEEN}|{_FACTS}"
        rf"|preguntas?|textos?|frases?|regla|paso|resto)\b)"
        r"(?:(?!(?:no|tampoco|nunca)\b)[\w'-]+ ){1,10}?"
        r"(?:(?:es|era|son|vale) "
        rf"(?=(?-i:[A-Z\u00c0-\u00de\d([])|{_COLOR})|(?:es|son) de color (?={_COLOR}))"
    ),
    measures=r"\b(?:es|son|mide|vale)\s+",
    sentence=(
        r"(?:el|la|los|las|a|este|esta)\b.{2,80}\s(?:es|son|mide)\s|(?:entonces)\s.{1,60}\s(?:es"
        r"|son)\s|(?:el|la|los|las)\s(?:\S+\s){0,4}?(?:no)\s|\S+(?:\s\S+){0,2}\s(?:es)\s(?:la|el"
        r"|una?)\s"
    ),
    text_in_doubt=r"\bpodr[ií]a(?:n)? ser\b|\bpuede ser\b|\bquiz[áa]s?\b|\btal vez\b",
    remark_not="no|en vez",
    remark_behind=r"\s+(?:y no|en (?:vez|lugar) de)\s[^,]{1,40}$|\s*,\s*y no\s[^,]{1,40}$",
    replaced_quote=(
        r"\bno\s(?P<verb>(?:va|es|entra|lleva)\s)?(?:\"[^\"\n]{1,60}\""
        r"|'[^'\n]{1,60}')\s?,?\s(?:sino)\s(?=[\"'])"
    ),
    talk=(
        r"^\s*(?:por favor|nota|recuerda|observa|véase)\s|\b(?:difícil"
        r"|imposible) de\b|\b(?:incomplet[ao]|falta)\b|^\s*(?:para|primero|vamos)\s"
    ),
    text_still_open=r"(?:no|o)\b\s*[\"']",
    blank_noun="palabra|t[ée]rmino|n[úu]mero",
    before_quote="es|son|con|por|va|van|entra",
    write="escribir|escribo|poner|insertar",
    reads_text=r"\b(?:dice|indica|muestra|pone|se lee|se llama)",
    section_name=(
        r"(?:pasos?|análisis|explicación|razonamiento|solución|observación|nota|pista|método|d"
        r"atos|conclusión|resumen|cálculos?|comprobación|ejemplo|pregunta|respuesta|figura|fór"
        r"mula|parte|caso)\b"
    ),
    task_noun="(?:preguntas?|enunciado|ejercicios?|instrucciones)",
    interjection="lo siento|bueno|pues|hm+|sí|no|vale|buena pregunta",
    called_sentence=(
        r"[^.!?\n]{2,120}?\s(?:se llaman?|se denominan?|se conoce como)(?: también)? "
        r"(?:(?:una?|el|la) )?(?P<name>[^.,;:!?\n]{1,40})[.!]?"
    ),
    because_only=r"porque",
    blank_word=r"\b(?:palabra|escribir|falta\w*|hueco|espacio|rellen\w*)\b",
    says_what=r"\s(?:es|son)(?:\s(?:entonces|por tanto|pues))?(?:\s(?:el|los|las?|un))?\s+",
    before_number="espacio|hueco",
    ordinal=(
        "(?P<first>primer[oa]?|1[ºªao])|(?P<second>segund[oa]|2[ºªao])|(?P<third>tercer[oa]?"
        "|3[ºªao])|(?P<fourth>cuart[oa]|4[ºªao])|(?P<fifth>quint[oa]|5[ºªao])"
    ),
    gap="espacios?|huecos?|palabras?|términos?|respuestas?|casillas?",
    fills_blank="es|va|lleva|debe ser|corresponde a|entra",
    in_blank="en|para",
    the_blank="el|la",
    blank_before="espacio",
    and_second="y|mientras que",
    and_short="y",
    trailing="y|mientras que",
    counts_in_words=r"\b(?:hay|en total|cuento|conté)\b",
    numerals=(
        "cero _ dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
    ),
    units=(
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
        " dieciséis diecisiete dieciocho diecinueve"
    ),
    tens="veinte treinta cuarenta cincuenta sesenta",
    tens_joint=" y ",
    more_numerals=(
        "catorce=14,una=1,veintiuno=21,veintidós=22,veintitrés=23,veinticuatro=24,veinticinco=25,"
        "veintiséis=26,veintisiete=27,veintiocho=28,veintinueve=29"
    ),
    total_article="el ",
    total_heading="total|suma|conteo|n[úu]mero(?: total)?|cantidad|cuenta",
    ten_and="y",
    and_number="y",
    option_named=r"\b(?:opci[oó]n|n[uú]mero|figura|imagen|alternativa)",
    number_word="n[º°o]|n[uú]mero",
    nth=(
        r"(?<![A-Za-z\u00c0-\u024f])(?:(?:la|el) )?(?:(?P<first>primera?)|"
        "(?P<second>segund[ao])|(?P<third>tercera?)|(?P<fourth>cuart[ao])|"
        "(?P<fifth>quint[ao])|(?P<last>última?)) (?:opción|respuesta|alternativa|figura|"
        r"imagen|foto|gráfica|dibujo)(?![A-Za-z\u00c0-\u024f])|"
        r"(?<![A-Za-z\u00c0-\u024f])(?:la|el) (?:(?P<first>primer[ao])|"
        "(?P<second>segund[ao])|(?P<third>tercer[ao])|(?P<fourth>cuart[ao])|"
        r"(?P<fifth>quint[ao])|(?P<last>últim[ao]))(?=\s*(?:[.!,:;\n]|$))"
    ),
    answer_key="respuesta|opcion|opciones|eleccion|letra|alternativa|seleccion",
    answer_key_before="mejor|la|mi",
    answer_key_behind="correcta|correctas|elegida",
    ordinal_key=(
        "(?P<first>primer)|(?P<second>segund)|(?P<third>tercer)|(?P<fourth>cuart)|(?P<fifth>quint)"
    ),
    answer_tag="respuesta",
    article_spaced="la |el ",
    one_option="opción ",
    because_judged="porque|pues",
    judged=(
        r"\b(?:afirmaci[oó]n|enunciado|frase|proposici[oó]n|declaraci[oó]n"
        r"|oraci[oó]n)\b[^.,;:!?\n]{0,60}?\b(?P<n>no\s+)?(?:es|está),?\s+(?:(?:claramente"
        r"|entonces|pues|por (?:lo )?tanto|en consecuencia|por consiguiente),?\s+)?"
        r"(?:(?P<t>verdader[ao]|ciert[ao]|correct[ao])|(?P<f>fals[ao]|errad[ao]"
        "|incorrect[ao]|err[oó]ne[ao]))"
    ),
    reason="porque|ya que|pues|y|pero",
    at_first=r"\bal principio\b",
    offered_before="las",
    offered="opciones|alternativas",
    each_one=r"\bcada\s",
    is_called=r"es\s(?:(?:la|el)\s)?",
    no_word="no",
    because=r"\b(?:porque|ya que|pues(?:to)?)\b",
    contrast="sino|pero",
    relative="que",
    says_which=r"\b(?:es|son|serían)\s*:?\s+",
    are_first="son",
    concluded="así que|por (?:lo )?tanto",
    no_answer_subject=(
        r"\b(?:peor|segunda mejor) (?:coincidencia|respuesta)\b|\b(?:parecid\w*|opciones|posib\w*"
        r"|letras?|puntos?|quedan|restant\w*|alternativas?)\b"
    ),
    and_part=r"\by\b",
    negation=r"\b(?:no|ni|sin|tampoco|nunca)\b",
    relation=(
        r"\b(?:igual\w*|mism[ao]s?|parec\w*|semejant\w*|posib\w*|qued\w+|rest\w+|diferent\w*"
        r"|opciones|vecin[ao]s|cuál)\b"
    ),
    all_before="tanto|l[ao]s|la|el",
    instead=r"(?<![A-Za-z\u00c0-\u024f])no (?:es|son|era|sería)\s",
    not_only="s[oó]lo|solamente|[uú]nicamente",
    but_rather=r"sino\s(?!también)",
    because_clause=r"(?:porque|ya que|pues)\b",
    not_label="no es|no",
    but_label="sino |es ",
    left_before=r"\b(?:quedan?|restan)(?: s[oó]lo)?\s*",
    left_behind=r"quedan\b",
    may_be_too=r"\btambién (?:podría|puede) ser",
    clause_begins="sino|pero",
    was=r"\b(?:era|fue)\b",
    elsewhere=r"\b(?:anterior|pasad[ao]|ayer|otr[ao])\b",
    turns=r"\bpero\b",
    said_by=r"(?:[^\W\d_]{1,12}\s){0,2}?(?:dice|dijo|afirma|escribe)\b",
    choosing="elegir|escoger|marcar",
    would=(r"\s(?:sería|ignora\w*)\b|\s?es\s(?:un |una )?(?:\w+ )?(?:error|trampa)\b"),
    said_wrong=r"es\s(?:\w+\s)?(?:incorrect[oa]|fals[oa]|errad[oa])",
    drawn=r"\b(?:por (?:lo )?tanto|así que)\b",
    supposed_before="pero|y",
    supposed=(
        r"si (?!on|nous|vous|l'on|\w+mos\b)|de (?:ser|haber|tener|estar|existir)\b|en caso de"
    ),
    by_way_of="por ",
    rejected="exclu[síi]|descart|elimin|no (?:encaja|corresponde|cumple)|errad",
    trap="en el ejemplo|error (?:com[uú]n|frecuente|t[ií]pico)|trampa",
    condition=("si|de (?:ser|haber|tener|existir)|a menos que|siempre que|a no ser que"),
    cell_in_words=(r"(?:en la )?fila[\s:=]{1,3}\d{1,18}\s?,?\s?(?:y\s)?columna[\s:=]{1,3}\d{1,18}"),
    cue="(?:respuesta|resultado)s?|orden(?: correcto)?",
    cell_name="celdas?|células?",
    cue_is=r"\bes\b:?",
    no_difference=r"\b(?:mism[oa]s?|igual\w*|idéntic[oa]s?|coinciden?)\b",
    or_answer=r"\bo\b",
    not_these=r"\b(?:no|falta\w*|ausent\w*|salvo)\b",
    article_announced="el|la",
    any_article="el|la|los|las|un[ao]?",
    article_before="el|la|los|las|un(?:[ao]s?)?",
    degrees="grados?",
    degree_stem="grado",
    true_texts=(
        "verdadero/verdadera/cierto/cierta/correcto/correcta/es verdad/es cierto/es corre"
        "cto/es verdadero/así es/eso es cierto/eso es correcto"
    ),
    false_texts=(
        "falso/falsa/incorrecto/incorrecta/no es cierto/no es verdad/es falso/no es corre"
        "cto/es incorrecto/no es así/eso es falso/eso no es cierto/no es verdadero"
    ),
    yes_texts="sí/si",
    no_texts="no",
    label_words="AEOUY",
    follower=("y|o|porque|ya|es|son|está|pero|no|pues|queda|ni|hasta|a|también|encaja"),
    verdict_follower="no|sí|verdader[oa]|fals[oa]|cert[oa]|(?:in)?correct[oa]",
    named_thing=(
        r"(?<![A-Za-z\u00c0-\u024f])(?:puntos?|rectas?|ángulos?|lados?|vitaminas?|segmento)"
    ),
    list_ends=r"\b(?:son|están)\b",
    it_is="es",
    link_article="la|el|de",
    because_lead="porque",
    line_article=r"(?:la|el)\s+",
    inner_stop=r"(?<=\bp\.)(?=\sej\.)|(?<=\bp\. ej\.)(?=\s\S)|(?<=\baprox\.)(?=\s\S)",
    explains=(
        r"p\.\s?ej\.|(?:por ejemplo|es decir|o sea|más (?:concretamente|precisamente|exactamente)"
        r"|lo que (?:es|equivale))\b"
    ),
    approximately=r"(?:aproximadamente|alrededor de|aprox\b\.?)",
    dimension=(
        r"de (?:profundidad|profundo|largo|longitud|ancho|anchura|alto|altura|diámetro|radio"
        r"|espesor|grosor|edad|lado)\b"
    ),
    behind_amount="de|en|del|sobre|desde",
    of_amount=r"\b(?:de|a|mide|tiene|marca|indica|contiene|cuento)",
    no_total=r"(?:otr[ao]s|más|menos|veces|de (?:los|las|est[ao]s|más|menos)|o|y|a|por)\b",
    compared=r"\bque\b|\b(?:debería|sería|diferencia)\b",
    unit_names=(
        "m=metros/metro,km=kilómetros/kilómetro,cm=centímetros/centímetro"
        ",mm=milímetros/milímetro,m^(2)=metros cuadrados,m^(3)=metros cúbicos,g=gramos/gramo"
        ",kg=kilogramos/kilogramo,L=litros/litro,s=segundos/segundo,min=minutos/minuto"
        ",h=horas/hora,%=por ciento"
        ",yr=años/año,d=días/día,t=toneladas"
    ),
    per_unit=r"\s*\bpor\b\s*",
    unfinished_word="el|la|de|que|o|y",
    equals=r"\bes\s",
    hedge_equation=r"\b(?:si|o|no)\b",
    taken_back=r"[^.!?。\n]{0,60}?\b(?:pero)\s[^.!?\n]{0,30}?(?:\bno)\b",
    but_is=r"\bpero\b[^.,;:\n]{3,60}\b(?:es|son)\s+(?:(?:el|la|una?)\s+)?",
    function_word="el|la|los|las|un[ao]s?|un",
    roughly=r"\b(?:entre|más de|menos de|unos)",
    or_number="o|u",
    described=r"\b(?:cada|un[ao] (?:por|a) un[ao]|las opciones)\b[^.:\n]{0,40}:",
    introduced=r"\b(?:examinemos|analicemos|veamos|vamos)\b",
    then_lead=r"(?:primero|luego|despu[eé]s|ahora),?\s+",
    because_answer=r"(?:porque|pues|ya que)\b",
    committed=r"respuesta|verdader|\bciert[ao]",
    the_label="la|el",
    rest_right=(
        r"\b(?:l[ao]s (?:demás|otr[ao]s(?: dos| tres)?)|el resto) (?:son|es|están) (?:correct"
        r"|verdader"
        "|ciert)[ao]s?"
    ),
    except_for="excepto|salvo|menos|quitando|(?:a|con(?: la)?) excepci[oó]n de",
    except_article="la|las|el|los",
    except_noun="opci[oó]n|opciones|alternativas?|letras?",
    quantified=r"\b(?:tod[ao]s?|ningun[ao]|ninguno|nada|demás|otr[ao]s|resto|no)\b",
    filling=r"(?:los|las)\b",
    none_of=r"\b(?:ningun[ao]|ninguno|nada)\b",
    all_wrong=(
        r"\b(?:fals[ao]s?|errad[ao]s?|err[oó]ne[ao]s?|descartad[ao]s?|eliminad[ao]s?"
        r"|inválid[ao]s?"
        r"|incorrect\w*)\b"
    ),
    all_right=(
        r"\b(?:convien\w+|v[aá]lid[ao]s?|verdader[ao]s?|ciert[ao]s?|adecuad[ao]s?|encajan?"
        r"|sirven?"
        r"|cumplen?|correct[ao]s?|correspond\w*)\b"
    ),
    all_denied=r"\b(?:no|ningun[ao]|ninguno|nada)\b",
    all_open=r"\b(?:si|quiz[aá]s?|tal vez|podr[ií]an?)\b",
    right_stem="verd|ciert",
    goes_on="porque|ya que|pues|y|pero|que",
    broken_off="y",
    hedged_more=r"[^.;!?。\n]{0,25}?\b(?:quiz[aá]s?|tal vez)\s+",
    but_not="y|pero",
    small_word="a|o|un",
    both_before="tanto|ambas|ambos",
    label_article="[Ll]a|[Ee]l",
    from_label=r"[Dd]e\s(?:la\s)?(?=[A-Z]\sa\s)",
    option_lead="l[ao]s|la|el",
    label_number=r"n[º°]|núm\.|número",
    right_mark="(?<!no )encaja|(?<!in)correct[oa]|verdader[oa]|sí",
    wrong_mark="no encaja|incorrect[oa]|fals[oa]|errad[oa]|no",
    answers_right="sí|(?<!in)correct[oa]|verdader[oa]|ciert[oa]",
    answers_wrong="no|fals[oa]|incorrect[oa]|errad[oa]",
    right_side="Verdader[ao]s?|Correct[ao]s?|Ciert[ao]s?",
    wrong_side="Fals[ao]s?|Incorrect[ao]s?|Errad[ao]s?",
    hedge=r"\b(?:parece|podría|quiz[aá]s?|tal vez)\b",
    user_turn="USUARIO|Usuario",
    assistant_turn="ASISTENTE|Asistente",
    next_question="Pregunta|PREGUNTA|Ejercicio",
    number_mark="n[°º]",
    count_sentence=(
        r"\b(?:cuento|conté|una? total de|hay|en total|veo|se ven|(?:la )?(?:imagen|figura)"
        r" (?:contiene|muestra|tiene)|el número de [a-zé ]{2,30} es)\b"
    ),
    count_open=rf"\b(?:filas?|columnas?|tipos?|entre|{_OR_NUMBER}|unos|cerca|menos|más|no)\b",
    count_about=rf"\b(?:{_OR_NUMBER}|unos|cerca)\b",
    who_counts="c|veo|se ven|la |imagen|figura",
    also_counted=r"\by\b",
    total=r"\b(?:en total|suma|total)\b",
    total_doubt=rf"\b(?:{_OR_NUMBER}|unos|cerca|no)\b",
    things=(
        "NODES=nodos?,NODES=vértices?,EDGES=aristas?,CIRCLES=círculos?,TRIANGLES=triángulos?,SQUA"
        "RES=cuadrados?"
    ),
    predicate=r"\b(?:son|es)\s*:?\s+",
    set_noun=r"\b(?:colore?s?|formas?|figuras?)\b",
    part_of_picture=(
        r"\b(?:faltan\w*|ausentes?|otr[oa]s|salvo|primer\w*|princip\w+|algun[oa]s|izquierda"
        r"|derecha|arriba|abajo|fondo)\b"
    ),
    place_names=(
        r"ABOVE=\b(?:encima|arriba|sobre la línea)\b,BELOW=\b(?:debajo|abajo|bajo la línea)\b"
    ),
    cell_lead=r"\b(?:es decir|o sea|esto es|(?:está|queda|se encuentra) en)",
    met_by=r"\b(?:cumplen?|ocurren?|sucede|pasa|se da)",
    only_in=r"(?:\w{4,11}\s)?(?:en|con|para)",
    code="es",
    small_words=(
        "el la los las es son hay y un una en de del que se con para por lo al está están según"
        " su como muestra indica tiene cuenta mide cuántos"
    ),
    group_marks=". ",
    cardinals=_CARDINALS,
    scales="mil=1000,millón=1000000,millones=1000000",
    scale_and="y",
    one_thing=(
        r"\b(?:solo|sólo|solamente|únicamente|exactamente) (?:\w+ ){0,2}?una?o?\b|\bun(?:a sola| "
        r"solo| único|a única)\b|^un[ao]?[.!]?$"
    ),
    one_article=r"una?|uno",
    bound=(
        r"\b(?:al menos|deberían?|por lo menos|como (?:mínimo|máximo)|a lo sumo|(?:más|menos"
        r"|mayor|menor|distinto) (?:de|que)"
        r"|entre|hasta|mínimo|máximo|en (?:lugar|vez) de|desde)\b"
    ),
    bound_behind=r"o (?:más|menos)\b|\+|como (?:mínimo|máximo)\b",
    numbered_noun=(
        r"(?:figuras?|fig\.|imagen|imágenes|filas?|columnas?|pasos?|páginas?|preguntas?|tablas?"
        r"|líneas?|salas?"
        r"|habitación|capítulos?|secciones|sección|días?|semanas?|grupos?|partes?|jugador(?:es)?"
        r"|niveles|nivel"
        r"|opción|opciones|puntos?|grados?|barras?|número|n\.º|nº|andén|autobús|trimestre|caso"
        r"|casilla|ejercicio|talla)"
    ),
    percent=r"\bpor ?cientos?\b|\bporcentajes?\b|%",
    year_lead=r"\b(?:en|de|año|desde|para|hasta|del)",
    below_zero=r"\bmenos",
    below_zero_behind=r"bajo cero",
    part_behind=(
        r"(?:más|menos|otr[oa]s?|adicionales|veces (?:más|menos|mayor)|de (?:ell[oa]s|est[oa]s"
        r"|es[oa]s)|restantes)\b"
    ),
    nothing_but=r"\bno\s\w+\smás\sque\s",
    part_lead=(
        r"(?:de (?:ell[oa]s|est[oa]s|es[oa]s|l[oa]s cuales)|entre ell[oa]s|en comparación|frente "
        r"a|comparado)\b"
    ),
    adds_up=(
        r"\b(?:suman?|hacen|dan?|es decir|da como resultado|total|quedan?|respuesta|resultado"
        r"|equivale a|asciende a|(?:aumento|incremento|diferencia|subida|bajada|descenso) de)\b"
    ),
    no_value=(
        r"\b(?:no|sin|prefiero no) (?:\w+ ){0,3}?(?:dar|adivinar|indicar|precisar|estimar|leer"
        r"|determinar|decir"
        r"|contar|arriesgar|aventurar|inventar)\b|\bningún (?:valor|número)\b"
    ),
    hanging=r"\b(?:el|la|los|las|una?|de|del|y|o|es|son|a|que|para|con)",
    all_word=r"\btod[ao]s?\b",
    copula=r"\s*(?:es|son|era)\b",
    whereas="mientras(?: que)?|a diferencia de|en cambio",
    ends_only=r"\s(?:solamente|[uú]nicamente)\b",
    last_article="(?:las?|el|los|de|en)",
    undecided=(
        r"\b(?:candidat\w*|posib\w*|dud\w*|comparar|comparemos|parecid\w*|similar\w*|"
        r"revis\w*|mir[ae]mos|observ[ae]\w*|f[ií]j\w*|necesit\w*|dif[ií]cil\w*|entre)\b"
    ),
    shows=r"(?:muestran?|representan?|contienen?|ilustran?|cumplen?|completan?|encajan?)\b",
    claimed=(
        r"\b(?:afirma|afirmó|dice|dijo|cree|piensa|sostiene|asegura|opina|insiste en|"
        "escribe|escribió|responde|respondió)(?: que)?"
    ),
    leaves_one=(
        r"\b(?:s[oó]lo|solamente|[uú]nicamente) (?:me |nos )?queda una?o?\b|"
        r"\bqueda (?:s[oó]lo |solamente |[uú]nicamente )?una?(?: sola)?(?=[.\s]|$)"
    ),
    denominators=(
        "medio=2,medios=2,tercio=3,tercios=3,tercera=3,terceras=3,cuarto=4,cuartos=4,cuarta=4"
        ",cuartas=4,quinto=5,quintos=5,quinta=5,quintas=5,sexto=6,sextos=6,sexta=6,sextas=6"
        ",séptimos=7,séptimas=7,octavo=8,octavos=8,octava=8,octavas=8,novenos=9,novenas=9"
        ",décimo=10,décimos=10,décima=10,décimas=10"
    ),
    one_of_parts="una?",
    parts_word="partes?",
    half_alone="la mitad",
    and_half=r"\sy medi[oa]",
    half_noun=r"\w+",
    dozens="(?:una )?docenas?",
    half_dozen="media docena",
    in_all="(?:o sea,?|es decir,?|lo que equivale a|que son)",
    not_in_name="que|para|con|cuando|donde|es|no|se|por",
    that_word="que",
    denied_but="sino(?: de)?",
    self_corrects="quise decir|digo|mejor dicho|o mejor",
    its=r"sus?\b|se (?:reconoce|ve|nota|aprecia)",
    named_as=(
        r"\b(?:se (?:llaman?|denominan?|conocen? como|identifican? (?:con|como))|(?:se "
        ")?tratan?(?: [^.,;]{1,20})?,?(?: (?:pues|entonces|por (?:lo )?tanto),)? de|"
        r"(?:pertenecen?|corresponden?|apuntan?)(?: \w+mente| pues|, pues,)?(?: a(?: que)?(?= "
        "un| la | los | las )| a| al)(?:(?<=que)(?: es| se trata de))?|(?:está|están|es|son|"
        "fue) (?:hech|fabricad|elaborad|tallad|pintad)[oa]s? (?:de|con|en|por)|representan?|"
        "es (?:típico|propio|característico) de|son (?:típic|propi|característic)[oa]s de|"
        "(?:es|son) (?:de|del)|(?:es|son)(?:, pues,)? (?:la bandera|el escudo|el himno|una "
        r"especie|un tipo) de)(?!\w)"
    ),
    is_a=(
        r"\b(?:es|son|era|eran|fue|debe(?:n)?(?: de)? ser|tienen? que ser|s[oó]lo puede "
        r"ser)(?!\w)"
    ),
    shows_it=(
        r"\b(?:muestran?|indican?|toca|lleva|está en|se encuentra en|queda en|habla|dice|usa|"
        r"utiliza|señalan?)(?!\w)"
    ),
    surely=(
        "(?:pues|por (?:lo )?tanto|por consiguiente|entonces|así|claramente|(?:muy "
        ")?probablemente|seguramente|sin (?:ninguna )?duda|sin lugar a dudas|evidentemente|"
        "obviamente|con toda (?:seguridad|probabilidad)|casi con (?:toda )?seguridad|"
        "efectivamente|en efecto|precisamente|en realidad)"
    ),
    name_article=(
        "(?:el|la|los|las|una?|unos|unas|al|del|de (?:la|los|las|una?)|a (?:la|los|las|una?))"
    ),
    name_preposition="de|del|en|a|al|con|por|para|sobre|entre|desde|bajo|ante|como|que",
    describes_place=(
        "muy|más|menos|bastante|poco|demasiado|no|también|así|de|del|en|con|a|al|por|"
        "para|como|que|cuando|donde|aquí|allí|ya|algo|nada|uno de|una de|parte|visible|"
        r"difícil|fácil|posible|est[áe]|\w+[ai]d[oa]s?"
    ),
    describes_it=(
        "antigu[oa]s?|grandes?|pequeñ[oa]s?|viej[oa]s?|nuev[oa]s?|bonit[oa]s?|hermos[oa]s?|"
        "alt[oa]s?|baj[oa]s?|larg[oa]s?|cort[oa]s?|famos[oa]s?|típic[oa]s?|redond[oa]s?|"
        r"important\w+|oscur[oa]s?|clar[oa]s?|roj[oa]s?|azul(?:es)?|verdes?|amarill[oa]s?|"
        "negr[oa]s?|blanc[oa]s?|gris(?:es)?|marr[oó]n(?:es)?|fuertes?|tranquil[oa]s?|"
        "modern[oa]s?|animal|objeto|cosa|persona|hombre|mujer|lugar|imagen|tipo|especie|"
        "ejemplo|y"
    ),
    naming_doubt=(
        r"\b(?:(?:más|menos) \w+ que|delante de|detrás de|junto a|parecid[oa] a|casi|por "
        "ejemplo|en lugar de|en vez de|podr[ií]an?|puede|pudiera|sería|serían|habría|"
        "parecen?|a primera vista|al principio|algunos|muchos|recuerda|si|a diferencia|se "
        r"diría)(?!\w)"
    ),
    name_denied=r"\b(?:podría|parece)(?!\w)",
    refers_back=(
        "est[eao]s?|es[eao]s?|aquello|él|ella|ello|lo que (?:se ve|vemos|aparece)(?: aquí)?|se"
    ),
    concludes_that=(
        r"(?:tod[oa]s?|est[oae]s?|ello)(?: est[oae]s?| ello)?(?: \w+)? (?:indican?|sugieren?|"
        "muestran?|apuntan?|señalan?|significan?|demuestran?|confirman?)(?: a)?(?: que)?|por "
        "(?:est[aeo]s?|todo|es[aeo]s?|ello)(?: [^.,;]{1,30})?,?|(?:se puede|podemos|puedo|"
        "cabe) (?:concluir|decir|afirmar|deducir)(?: que)?|(?:de modo|de manera|por lo|de "
        "forma) que|lo que (?:indica|significa|sugiere)(?: que)?|según est[aeo]s? "
        "[^.,;]{1,30},|a (?:partir|juzgar) (?:de|por) [^.,;]{1,40},|teniendo en "
        "cuenta[^.;]{1,50},|(?:yo )?(?:diría|creo|pienso|concluyo|deduzco) que|es decir|o "
        "sea|luego|así pues|en (?:suma|definitiva|otras palabras)|de ahí que"
    ),
    no_doubt=(
        r"\b(?:s[oó]lo pueden? ser|no puede(?:n)? ser (?:otr[oa] que|más que)|no (?:hay|cabe|"
        "queda)(?: ninguna)? duda(?: de que| alguna)?|sin (?:ninguna )?duda(?: alguna)?|sin "
        r"lugar a dudas|nada menos que|no es otr[oa] que)\b"
    ),
    closing_remark=(
        "espero|si (?:necesitas|necesita|quieres|quiere|tienes|tiene|deseas)|avísame|dime|no "
        "dudes|¿?(?:quieres|deseas|hay algo)"
    ),
    detail_noun=(
        r"\b(?:rasgos?|partes?|detalles?|pistas?|diferencias?|excepci[oó]n|motivos?|fondo|"
        r"leyenda|color(?:es)?|tamaño|forma|pregunta)\b"
    ),
    last_one=r"(?:el|la) últim[oa]",
    summing_up=(
        r"\b(?:en (?:conjunto|suma|definitiva|síntesis)|a fin de cuentas|"
        r"en resumidas cuentas|resumiendo|para resumir|considerándolo todo|"
        r"por todo (?:ello|esto))\b"
    ),
    points_back=(
        r"\b(?:as[ií] que|por (?:lo )?tanto|luego|de modo que),? es (?:ella|él|es[ae]|"
        r"est[ae])\b|\bes,? (?:por (?:lo )?tanto|pues|entonces),? (?:ella|él|es[ae]|"
        r"est[ae])\b"
    ),
    is_case=(
        r"\bes el caso del?\b|\b(?:esto|eso|así) (?:ocurre|sucede|pasa) (?:en|con)\b|"
        r"\b(?:esto|eso) se (?:ve|cumple|da) en\b"
    ),
    some_of_them=(
        r"\b(?:dos|tres|cuatro|cinco) de (?:ell[ao]s|es[ao]s|est[ao]s)\b|"
        r"\bl[ao]s otr[ao]s (?:dos|tres|cuatro|cinco)\b"
    ),
    is_placed=r"\b(?:est[áa]n?|se (?:ven?|encuentran?))",
    abstains=r"\b(?:me abstengo|prefiero no (?:responder|contestar))\b",
    also_called=(
        r"(?:también|tambien|alias|a veces|en (?:algunos|algunas|ciertos|ciertas|otros"
        r"|otras) \w+)(?=[\s,:])"
    ),
    no_end="el|la|los|las|una?|del|al|de|por|con|en",
)
