"""Spanish."""

from gfactor.scoring.extraction.markers import Language

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
_FACTS = r"(?:informaci[oó]n|datos?|detalles|contexto)"

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
        r"|me quedo con|se cumplen?|me decanto por|marcar[ií]a|me inclino por|voto por"
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
        r"|(?:la |el )?(?:figura|imagen|forma|pieza|elemento)\s+(?:que falta|faltante|siguiente"
        r"|correct[ao])\s+es"
    ),
    weak=(
        r"(?:sin (?:ninguna )?duda|(?!posibl|aparent|supuest|dif[ií]cil|presun)\w{4,14}mente)"
        r"(?:,? (?:es|ser[ií]a))?,?|son(?=\s+\(?[A-Z]\)?\s*(?:,|y\b))|m[aá]s bien"
        r"|de ah[ií](?: que sea)?|es decir,?|o sea,?|por (?:descarte|eliminaci[oó]n"
        r"|exclusi[oó]n)[,:]?|no hay otra que"
        r"|(?:nos )?(?:lleva|conduce|remite) a"
        r"|hacen? que (?:la respuesta )?sea|l[ao] convierten? en"
        r"|(?<![^,;:.\n¡])\s*(?:ser[ií]a|es)|se trata(?:,? (?:entonces|pues"
        r"|por (?:lo )?tanto),?)? de|debe(?: de)? ser|tiene que ser"
        r"|(?:por (?:lo )?tanto|as[ií] que"
        r"|entonces|luego)[,:]?|(?:me |nos )?queda(?: (?:s[oó]lo|solamente|[uú]nicamente))?"
        r"|(?:creo|veo|muestran?|demuestran?|revelan?) que es|ser[ií]a"
        r"|(?:en (?:resumen|conclusi[oó]n|definitiva|suma)|finalmente|para (?:concluir|terminar)),"
    ),
    points=(
        r"(?:indican?|se[ñn]alan?|apuntan? (?:a|hacia)|sugieren?|confirman?|respaldan?"
        r"|(?:nos )?dan?"
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
        rf"{_SEEN}(?: \w{{1,15}}){{0,3}}? no (?:se |est[aá] |ha sido |fue |aparece|carg[oó]"
        rf"|est[aá]n )"
        r"?(?:ha |han )?(?:proporcion\w+|adjunt\w+|inclu\w+|muestra|ve|disponible|aparece"
        r"|present\w*"
        r"|visible|carg\w+)"
        rf"|no se (?:ha|han|me ha) (?:proporcionado|adjuntado|incluido|mostrado|dado|facilitado)"
        rf"|falta(?:n)? (?:la|el|los|las|un|una|)\s?(?:{_SEEN}|{_FACTS})|me faltan? (?:\w+"
        rf" )?{_FACTS}"
        rf"|{_FACTS}(?: \w{{1,15}}){{0,2}}? (?:es|son|resultan?) insuficientes?"
        rf"|{_FACTS}(?: \w{{1,15}}){{0,2}}? no (?:es|son|bastan?|alcanzan?)(?: suficientes?| para)"
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
)
