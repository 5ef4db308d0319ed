"""French."""

from gfactor.scoring.extraction.language import Language

_NOUN = r"(?:réponses?|reponses?|choix|options?|solutions?|propositions?|lettres?|conclusion)"
_KIND = r"(?:(?:bon(?:ne)?s?|meilleure?s?|seule?s?|la|les|ma|mon|le|votre|notre)\s+){0,3}"
_AFTER = (
    r"(?:\s+(?:final(?:es?)?|correcte?s?|exacte?s?|justes?|à (?:choisir|retenir|cocher)|possible"
    r"|attendue|correspondante|définitives?|recherchée|cherchée))?"
)

_SEEN = (
    r"(?:image|figure|sch[ée]ma|graphique|diagramme|photo(?:graphie)?|tableau|carte|dessin"
    r"|illustration)"
)
_COLOR = (
    r"(?:rouge|bleue?|verte?|jaune|orange|violet(?:te)?|mauve|rose|pourpre|marron|brune?|noire?|blanc(?:he)?"
    r"|grise?|turquoise|magenta|cyan|beige|dorée?|argentée?)s?(?: (?:claire?|foncée?)s?)?\s*$"
)
_FACTS = r"(?:informations?|donn[ée]es?|d[ée]tails|contexte|[ée]l[ée]ments)"

_UNITS_TEXT = (
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
    " dix-sept dix-huit dix-neuf"
)
_UNITS = _UNITS_TEXT.split()
_TENS = {
    "vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60, "septante": 70,
    "huitante": 80, "nonante": 90, "quatre-vingt": 80,
}  # fmt: skip
_CARDINALS = ",".join(
    [f"{word}={k}" for k, word in enumerate(_UNITS) if k != 1]
    + [f"{ten}={n}" for ten, n in _TENS.items()]
    + [
        f"{ten}{j}{_UNITS[u]}={n + u}"
        for ten, n in _TENS.items()
        for u in range(1, 10)
        for j in "- "
    ]
    + [
        f"{ten}{j}et{j}{one}={n + 1}"
        for ten, n in _TENS.items()
        for j in "- "
        for one in ("un", "une")
    ]
    + [
        f"{ten}-{_UNITS[u]}={n + u}"
        for ten, n in (("soixante", 60), ("quatre-vingt", 80))
        for u in range(10, 20)
    ]
    + [
        "soixante et onze=71,soixante-et-onze=71,quatre-vingts=80"
        ",quatre-vingt-une=81,une douzaine=12,une dizaine=10"
    ]
)

LANGUAGE = Language(
    spaced=True,
    heading=(
        rf"{_KIND}{_NOUN}{_AFTER}|(?<![^\n])R(?=\s?:)"
        r"|(?<![^\n])(?:vraie?s?|justes?|correcte?s?|exacte?s?)(?=\s?:)"
    ),
    announce=(
        r"soit (?:la (?:bonne )?(?:réponse|proposition|lettre)|l'option)|"
        r"(?:seule|uniquement) (?:l'option|la réponse|la proposition)|"
        rf"{_KIND}{_NOUN}{_AFTER}(?:\s+(?:à|pour) (?:la|cette|ce|l') ?\w{{3,15}}"
        rf"(?: \w{{3,15}})?)?(?:\s+(?:est|sont|serait|doit être)|\s*=)(?:\s+(?:justes|correctes"
        rf"|exactes|vraies|bonnes)(?=\s*[:,]))?(?:\s+donc|\s+bien)?"
        r"|(?:je|nous|on)?\s*(?:choisis|choisit|choisissons|sélectionne|retiens|retient|opte pour"
        r"|optons pour|opterais pour|choisirais|coche|cochez|choisissez|sélectionnez"
        r"|vote(?: pour)?"
        r"|penche pour|pencherais pour|miserais sur|mise sur|parie sur|réponds|dirais"
        r"|garde|prends|maintiens|conclus que c'est)"
        r"|(?:change|modifie|corrige)(?: donc)? (?:ma|la|mon) (?:réponse|choix)(?: finale?)?"
        r" (?:pour|en|par|vers)"
        r"|sont (?:correcte?s|exacte?s|justes|vraie?s|bonne?s|valides)(?=\s*(?:[:,]|l[ae]s?\b"
        r"|l'))"
        r"|(?:mon )?(?:choix|vote|pari) (?:est|va à|se porte sur)|je préfère|préférence pour"
        r"|(?:figure|image|pièce|option|proposition|lettre|réponse|forme|élément|symbole|dessin"
        r"|motif|tuile|case) qui [\w' ]{2,50}? est"
        r"|(?:seule?|uniquement)(?= (?:la |l')?(?:option |proposition |réponse )?\(?[A-Z]\)?"
        r" (?:satisfait|respecte|vérifie|remplit|complète))"
        r"|(?:la bonne|le bon|la meilleure|la correcte|l'exacte) (?:est|serait|sera)"
        r"|(?:la seule|le seul) (?:\w+ )?(?:qui|que) [\w' ]{2,60}? est"
        r"|(?:celui|celle) qui [\w' ]{2,40}? est|correspond à|je (?:miserais|parierais"
        r"|dirais)(?: sur)?"
        r"|(?:la suivante|le suivant) est"
        rf"|(?:{_NOUN}|pièce|figure|image|tuile|case|forme) (?:la |le )?(?:plus|mieux)"
        r" (?:\w+ )?\w{4,15}(?: est| serait|,? c'est)|le plus (?:probable|plausible|logique)"
        r" (?:est|serait)(?: donc)?(?: que ce soit)?"
        rf"|(?:bonne|bon|vraie) (?:pièce|figure|image|tuile|case|forme|{_NOUN})"
        r"(?: est| serait|,? c'est)"
        r"|(?:meilleure?|seule?|plus proche) (?:correspondance|candidate?|concordance"
        r"|continuation|suite|ajustement)(?: possible)? (?:est|serait)"
        r"|(?:il (?:faut|convient de)|on (?:doit|peut)|je dois|nous devons) (?:donc |alors "
        r"|bien )?(?:choisir|cocher|sélectionner|prendre"
        r"|retenir)"
        r"|(?:la |le |l')?(?:figure|image|forme|pièce|élément)\s+(?:manquante?|suivante?"
        r"|correcte?)\s+est"
    ),
    weak=(
        "(?:sans (?:aucun )?doute|certainement|clairement|assurément),?|(?:va|allons-y|"
        "optons) pour|je (?:pars|reste) sur|c'est (?:bien |donc )?le cas (?:de|pour)|"
        "c'est-à-dire,?|autrement dit,?|il n'y a que|d'où|plutôt|par (?:élimination|"
        r"exclusion)[,:]?|(?!contraire|diffici|appar|suppos|possib)\w{4,14}ment,?|(?:mène|"
        "conduit|amène|renvoie) à|c'est|il (?:s'agit|ne peut s'agir que) (?:donc |bien |"
        "alors )?d(?:[eu]|(?='))|ce (?:doit être|sera)|(?:donc|ainsi|alors)[,:]?|reste|"
        r"en fait(?=\s(?:la|le|une?)\b|\sl')|fait que (?:ce soit|la réponse (?:est|soit))|"
        "il ne (?:nous )?reste (?:donc )?(?:plus )?que|je pense que c'est|"
        "(?:en (?:résumé|conclusion|somme|définitive)|au final|finalement|bref|"
        "pour (?:conclure|finir)),|(?:je|on|nous) (?:garde|gardons|retiens|retient|"
        "retenons)"
    ),
    points=(
        r"(?:indique(?:nt)?|désigne(?:nt)?|suggère(?:nt)?|confirme(?:nt)?|donne(?:nt)?"
        r"|(?:pointe|oriente)(?:nt)? vers|aboutit à|arrive à|plaide(?:nt)? pour"
        r"|(?:on|j'|nous) ?(?:obtient|obtiens|obtenons|trouve))(?: donc)?(?: que c'est)?"
    ),
    filler=(
        r"la|le|les|l'(?:option|image|alternative)|options?|réponses?|reponses?|choix|lettres?"
        r"|propositions?|figure|image|donc|bien"
        r"|seulement|uniquement|probablement|sans doute|clairement|que|c'est|est|à la fois"
        r"|par conséquent|(?!contraire|diffici|appar|suppos|possib)\w{4,14}ment|de|d'"
    ),
    option=(
        r"l'option|l'alternative|l'affirmation|l'image|l'item|options?|réponses?|reponses?|choix"
        r"|lettres?|propositions?|affirmations?|alternatives?|cases?|figures?|images?"
    ),
    right=(
        r"(?:(?:est|sont)|(?:me )?(?:semble(?:nt)?|paraît|paraissent)(?: être)?)"
        r"(?:\s+(?:donc|bien|clairement|tous|toutes|également|la|le|les|l'|ma|mon|notre|seule?s?"
        r"|bonnes?|meilleure?s?)){0,4}\s*(?:correcte?s?|exacte?s?|justes?|vraie?s?|bonnes?"
        r"|valides?"
        r"|réponses?|choix|option|solution)(?:\s+(?:réponses?|correcte?s?|options?|choix|solution"
        r"|exactes?))?(?=\s*(?:[.,;:!)\n]|$|\s(?:car|parce|puisque|et|mais)\b))"
        r"|(?:est|serait) (?:(?:la|le|celle|celui) )?(?:qui (?:convient|complète|manque"
        r"|correspond)|l'intrus"
        r"|(?:la|le) (?:bonne|bon)\b|différente?)(?=\s*(?:[.,;!\n]|$|\s\w))"
        r"|qui (?:convient|fonctionne|correspond|complète)"
        r"|(?:convien(?:t|nent)|convenaient|fonctionne|complète (?:la|le)\s\w+)"
        r"(?: parfaitement| bien| le mieux| exactement| mieux)?(?=\s*(?:[.,;!\n]|$))"
        r"|est (?:celle|celui) qui (?!ne\b|n'|convient le moins)(?=\w)|est (?:la suivante"
        r"|le suivant)"
        r"|est une? meilleure? (?:choix|réponse|option)"
        r"|(?:correspond(?:ent)?|est conforme) (?:bien )?(?:à la|au|à l'|à) ?(?:texte|règle"
        r"|description|consigne|énoncé|motif|série|suite|passage)"
        r"|est (?:la|le) seule? (?:(?:réponse|option|proposition|figure"
        r"|solution) )?(?:qui(?! ne\b"
        r"| n')|à (?!ne\b)|possible|restante?|valable)|reste(?: seule?)?(?: possible| en lice)?"
        r"(?=\s*(?:[.!\n]|$))"
    ),
    wrong=(
        r"(?:est|sont|semble|semblent)(?:\s+(?:aussi|également|donc|clairement|tous|toutes"
        r"|à)){0,2}"
        r"\s*(?:faux|fausses?|incorrecte?s?|inexacte?s?|erronée?s?|exclue?s?|éliminée?s?|exclure"
        r"|éliminer|impossibles?|mauvaise?s?|invalides?)|(?:n'est|ne sont"
        r"|ne peut être)\s+pas\s+(?:la\s+)?(?:correcte?s?|bonnes?|juste|exacte?s?|vraie?s?"
        r"|possible|réponse)|ne convien\w+ pas|non plus"
    ),
    not_before=(
        r"contrairement à|à la différence de|à l'inverse de|pas|non|ni|sauf|excepté|hormis"
        r"|plutôt que|au lieu de|élimine|éliminons|écarte|exclut"
        r"|exclus|exclure"
        r"|éliminer|écarter|n'est|jamais"
    ),
    unreal=(
        r"(?:solution|réponse) (?:précédente|proposée)|"
        r"(?:on|ils|beaucoup|certains|élèves|gens) (?:croi\w+|pens\w+"
        r"|di(?:t|sent|rai(?:t|ent))|répond\w*|chois\w+)|"
        r"(?:mauvaise|première|fausse)\s*$|"
        r"si|bien que|quoique|pourrait|pourraient|peut-être|semble|semblait|à première vue"
        r"|au début"
        r"|d'abord|je pensais|pensais|pas|ne|n'est|n'est pas|ni|supposons|impossible"
        r"|(?<!c'est )(?<!voilà )pourquoi"
        r"|jamais|exemple"
    ),
    correction=(
        r"je (?:veux|voulais) dire|je rectifie|(?:ou|enfin) plutôt|attendez|attends|en fait"
        r"|non,|non\.|correction|pardon,?|finalement|plutôt"
        r"|je me (?:suis )?tromp\w{1,3}"
        r"|erreur|en réalité|mais|toutefois|cependant|je corrige|à la réflexion|hmm+"
        r"|en y regardant"
        r"|vérifions|reprenons|excusez"
    ),
    retraction=(
        r"attendez|attends|je me (?:suis )?tromp\w{1,3}|à la réflexion|reprenons"
        r"|ce n'est pas (?:ça|correct|juste)|c'est (?:faux|une erreur)|non, (?:ce|cela|ça)"
    ),
    conclusion=r"donc|ainsi|finalement|en conclusion|par conséquent|au final|en résumé",
    both=r"et aussi|et également|et|ainsi que|plus",
    either=r"ou|soit|ou bien",
    until=r"à|jusqu'à",
    every=(
        r"(?:toutes les|tous les) \w{4,15}(?=,? (?:sauf|excepté|hormis|à l'exception)\b)"
        r"|(?:toutes les|tous les|toutes ces)\s*(?:\w{1,15}\s+)?(?:réponses|options|propositions"
        r"|affirmations|choix)?(?:\s+(?:ci-dessus))?\s*(?:sont)\s+(?:correcte?s|exacte?s|justes"
        r"|vraie?s|bonne?s|valides)"
        r"|(?:tous|toutes|tout)(?=,? (?:sauf|excepté|hormis|à l'exception)\b)"
        r"|toutes les (?:réponses"
        r"|options) ci-dessus"
    ),
    none=(
        r"aucune?(?:\s+(?:des|de ces|réponse|option|proposition)\w*)?|ni l'une ni l'autre"
        r"|pas toutes"
    ),
    excluding=r"sauf|excepté|hormis|à l'exception de|à part",
    excluding_after="",
    only=r"seule?s?|uniquement|seulement|exclusivement|rien que",
    denied=(
        r"non|pas|n'en (?:est|sont) pas(?: une?)?|ne (?:l'est|le sont|le fait|le font|le peut"
        r"|le peuvent|les? \w+) pas|n'est pas|ne sont pas|ne \w+ pas"
    ),
    affirmed=r"oui|si|l'est|le sont|le font|le fait|en (?:est une?|sont)",
    others=r"(?:toutes |tous )?les autres|le reste|l'autre",
    refusal=(
        r"désolée?|je (?:ne )?(?:peux|suis|vois|parviens|sais|dispose|arrive) (?:pas|à|en mesure)"
        r"|je ne|je n'ai pas"
        r"|impossible (?:de|à)|pas (?:assez|suffisamment) d'informations?"
        r"|informations? insuffisantes?"
        r"|en tant qu'ia|veuillez (?:fournir|joindre)|il est difficile de|pas en mesure"
    ),
    declines=(
        r"n'identifie(?:rai|rons|ons)? (?:pas|aucune?|jamais|personne)|ne (?:reconnais|nomme)"
        r" (?:pas|jamais) (?:de |les |des )?(?:personnes|gens|individus|visages)|pas identifier"
        r" (?:de |les |des )?(?:personnes|gens|individus|visages)|"
        rf"{_SEEN}(?: \w{{1,15}}){{0,3}}? (?:n'a pas [ée]t[ée]|n'est pas|n'appara[iî]t pas|ne"
        rf" s'affiche"
        r" pas|manque|est absente?|est manquante?|fait d[ée]faut)"
        rf"|aucune? {_SEEN}[^.\n]{{0,12}}(?:n'(?:a|est)|fournie?|jointe?|visible)"
        rf"|il (?:me )?manque (?:la|le|l'|des|les|une?|quelques) ?(?:{_SEEN}|{_FACTS})"
        rf"|{_FACTS}(?: \w{{1,15}}){{0,3}}? (?:ne suffi(?:t|sent) pas|sont insuffisantes"
        rf"|manquent)"
        r"|on ne (?:peut|saurait) (?:pas )?(?:r[ée]pondre|d[ée]terminer|conclure|trancher)"
        r"|(?:je )?(?:pr[ée]f[èe]re|choisis de|dois) ne pas (?:r[ée]pondre|deviner)"
        rf"|{_FACTS} insuffisant(?:e?s)?"
        r"|je (?:m'abstiens|refuse)|faute d(?:e |'){0,1}\s?(?:informations?|donn[ée]es|image"
        r"|figure)"
        rf"|(?:il faudrait|j'aurais besoin de|il me faut) (?:voir )?(?:la|le|l') ?{_SEEN}"
        rf"|{_SEEN}[^.\n]{{0,12}} ne s'est pas (?:charg[ée]e?|affich[ée]e?)|je manque d'{_FACTS}"
        rf"|il (?:me )?faudrait (?:plus|davantage) d'{_FACTS}"
        r"|merci de (?:joindre|fournir|partager|renvoyer)|pouvez-vous (?:joindre|fournir|partager"
        r"|renvoyer)"
    ),
    the="le|la",
    and_word="et",
    or_word="ou",
    open_text="inconnue?|je ne sais pas",
    blank_announce=(
        r"\b(?:mot|terme)\b[^.,;:\n]{0,50}?\sest\b|\b(?:mot|terme|nombre"
        r"|valeur)s?\s+(?:manquante?"
        r"|correcte?|juste|cherchée?)s?\s+(?:est|sont)\b|\b(?:valeur|résultat|somme|total|produit"
        "|longueur|largeur|hauteur|aire|volume|vitesse|masse|nombre|angle|périmètre|probabilité"
        r"|distance|durée|température|capitale|nom)\b[^.,;:\n]{0,40}?\s(?:est|vaut)\b"
    ),
    blanks_announce=(
        r"(?:^|(?<=[\n.]\s))(?:les|l')\s+(?:\w+\s){0,2}?(?:solutions|valeurs|mots|nombres|termes"
        r"|réponses)\ssont\b|\b(?:mots|termes|nombres|valeurs)\s+(?:manquants?|manquantes"
        r"|corrects"
        r"|correctes|qui manquent|à insérer)\s+sont\b"
    ),
    contrast_text=(
        "(?:ce n'est |c'est )?(?:pas"
        r"|non pas)\s[^.,;\n]{1,40}[ ,](?:mais)\s(?P<name>[^.,;\n]{1,40})[.!]?"
    ),
    respectively="respectivement",
    called=r"c'est|ce serait|[^.,;\n]{2,40}\ss'appelle(?:nt)?",
    called_article="une? |la |le |l'",
    names_text=(
        rf"(?:(?:donc|ainsi),? )?(?:l[ea]s?\s|l'"
        rf"|s[ao]n )(?!(?:[\w'-]+ ){{0,5}}?(?:(?<!sur la )(?<!dans la )(?<!sur le )"
        rf"(?<!sur l'){_SEEN}|{_FACTS}"
        rf"|questions?|textes?|phrases?|règle|étape|reste)\b)(?:[\w'-]+ ){{1,10}}?"
        r"(?:(?:est|était|sont|vaut) "
        rf"(?=(?-i:[A-Z\u00c0-\u00de\d([])|{_COLOR})|(?:est|sont) de couleur (?={_COLOR}))"
    ),
    measures=r"\b(?:est|sont|vaut|mesure)\s+",
    sentence=(
        r"(?:le|la|les|l'|ce|cela|c'est)\b.{2,80}\s(?:est|sont|mesure)\s|(?:donc"
        r"|ainsi)\s.{1,60}\s(?:est|sont)\s|(?:le|la|les|il|elle|je|on"
        r"|ce)\s(?:\S+\s){0,4}?(?:ne)\s"
        r"|\S+(?:\s\S+){0,2}\s(?:est)\s(?:la|le|une?)\s|l'\S+\s(?:\S+\s){0,3}?(?:ne\s|n')"
    ),
    text_in_doubt=r"\bpeut[- ]être\b|\bpourrait être\b",
    remark_not="non|pas|à la place",
    remark_behind=(
        r"\s+(?:et non(?: pas)?|plutôt que|au lieu de)\s[^,]{1,40}$|\s*,\s*(?:pas"
        r"|et non)\s[^,]{1,40}$"
    ),
    replaced_quote=(
        r"\bpas\s(?P<verb>va\s)?(?:\"[^\"\n]{1,60}\"|'[^'\n]{1,60}')\s?,?\s(?:mais)\s(?=[\"'])"
    ),
    talk=(
        r"^\s*(?:veuillez|notez|voir|rappelez)\s|\b(?:difficile|impossible) (?:à"
        r"|de)\b|\b(?:incomplet|manque)\b|^\s*(?:pour|d'abord|on"
        r"|il faut)\s"
    ),
    text_still_open=r"(?:pas|ou)\b\s*[\"']",
    blank_noun="mot|terme|nombre",
    before_quote="est|sont|par|avec|va|irait|vient",
    write="écrire|écris|mettre|insérer",
    reads_text=r"\b(?:lire|lit|indique|affiche|dit|est écrit|s'appelle|se nomme)",
    section_name=(
        r"(?:étapes?|analyse|explications?|raisonnement|solution|observations?|remarque|note|i"
        r"ndice|méthode|données|conclusion|résumé|calculs?|vérification|exemple|question|répon"
        r"se|figure|formule|partie|cas)\b"
    ),
    task_noun="(?:questions?|consignes?|exercices?|énoncé)",
    interjection="désolée?|eh bien|bon|hum+|oui|non|d'accord|bonne question",
    called_sentence=(
        r"[^.!?\n]{2,120}?\s(?:s'appelle|s'appellent|se nomme|est appelée?)(?: aussi)? "
        r"(?:(?:une?|l[ea]) |l')?(?P<name>[^.,;:!?\n]{1,40})[.!]?"
    ),
    because_only=r"parce que",
    blank_word=(r"\b(?:mot|terme|écrire|écris|compl[eè]t\w*|manqu\w+|blanc|trou|rempli\w*|vide)\b"),
    says_what=r"\s(?:est|sont)(?:\s(?:donc|alors|ainsi|bien))?(?:\s(?:les?|la|une?))?\s+",
    before_number="blanc",
    ordinal=(
        "(?P<first>premi(?:er|ère|ere)|1er|1ère|1re)|(?P<second>deuxième|deuxieme|seconde?|2e"
        "|2ème)|(?P<third>troisième|troisieme|3e|3ème)|(?P<fourth>quatrième|quatrieme|4e)"
        "|(?P<fifth>cinquième|5e)"
    ),
    gap="blancs?|trous?|mots?|cases?|espaces?|termes?|réponses?",
    fills_blank="est|sont|va|doit être",
    in_blank="dans|pour|au|à|en",
    the_blank="le|la|l'|au",
    blank_before="blanc",
    and_second="et",
    and_short="et",
    trailing="et|tandis que",
    counts_in_words=r"\b(?:il y a|au total|en tout|compte|compté|dénombre)\b",
    numerals=(
        "zéro _ deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze"
    ),
    units=(
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze "
        "seize dix-sept dix-huit dix-neuf"
    ),
    tens="vingt trente quarante cinquante soixante",
    tens_joint="-",
    more_numerals="vingt et un=21,trente et un=31,quarante et un=41,une=1",
    total_article="le ",
    total_heading="total|somme|compte|nombre(?: total)?",
    ten_and="et",
    and_number="et",
    option_named=r"\b(?:proposition|réponse numéro|numéro|figure|image)",
    number_word="n[º°o]|num[eé]ro",
    nth=(
        r"(?<![A-Za-z\u00c0-\u024f])(?:(?:la|le|l') )?(?:(?P<first>premi[eè]re?)|"
        "(?P<second>deuxième|second)|(?P<third>troisième)|(?P<fourth>quatrième)|"
        "(?P<fifth>cinquième)|(?P<last>derni[eè]re?)) (?:option|proposition|réponse|"
        "figure|image|photo|dessin|courbe|graphique|schéma|"
        r"patron)(?![A-Za-z\u00c0-\u024f])|(?<![A-Za-z\u00c0-\u024f])(?:la|le|"
        "l') (?:(?P<first>premi[eè]re?)|(?P<second>deuxième|seconde?)|"
        "(?P<third>troisième)|(?P<fourth>quatrième)|(?P<fifth>cinquième)|"
        r"(?P<last>derni[eè]re?))(?=\s*(?:[.!,:;\n]|$))"
    ),
    answer_key="reponse|choix|lettre|proposition",
    answer_key_before="bonne|finale|ma|la",
    answer_key_behind="finale|finales|correcte|correctes|choisie",
    ordinal_key=(
        "(?P<first>premier)|(?P<second>deuxieme)|(?P<third>troisieme)|(?P<fourth>quatrieme)"
        "|(?P<fifth>cinquieme)"
    ),
    answer_tag="réponse|reponse",
    article_spaced="la |l'",
    because_judged="car|puisque",
    judged=(
        r"\b(?:affirmation|énoncé|proposition|phrase|assertion"
        r"|déclaration)\b[^.,;:!?\n]{0,60}?\b(?:n'(?P<n>est (?:donc )?pas)|est),?\s+(?:(?:donc|bien"
        r"|clairement|par conséquent|en conséquence|ainsi|dès lors),?\s+)?"
        r"(?:(?P<t>vraie?|justes?|correcte?|exacte?)|(?P<f>fausse|faux"
        "|incorrecte?|inexacte?|erronée?))"
    ),
    reason="car|parce|puisque|et|mais|alors",
    at_first=r"\b(?:d'abord|au départ)\b",
    offered_before="les",
    offered="options|propositions|choix",
    each_one=r"\bchaque\s",
    is_called=r"est\s(?:la\s)?",
    because=r"\b(?:car|parce qu\w?|puisqu\w?)\b",
    contrast="mais|toutefois|cependant",
    relative="qui|que",
    says_which=r"\b(?:est|sont|seraient)\s*:?\s+",
    are_first="sont",
    concluded="donc|ainsi|alors",
    no_answer_subject=(
        r"\b(?:pire|moins bonne) correspondance\b|\b(?:semblab\w*|lettres?|sommets?|choix"
        r"|restant\w*|propositions)\b"
    ),
    and_part=r"\bet\b",
    negation=r"\b(?:ne|pas|sans|ni|jamais)\b|\bn'",
    relation=(
        r"\b(?:m[êe]mes?|pareil\w*|ressembl\w*|semblab\w*|restent|possible\w*|différen\w*"
        r"|voisin\w*|lequel)\b"
    ),
    all_before="l[ae]s?|l'",
    instead=r"(?<![A-Za-z\u00c0-\u024f])(?:n'est |ce n'est )?pas\s",
    not_only="seulement|uniquement",
    but_rather=r"mais(?: plutôt)?\s(?!aussi)",
    because_clause=r"(?:car|parce|puisqu\w?)\b",
    not_label="pas|ce n'est pas",
    but_label="mais |c'est ",
    left_before=r"\b(?:restent?|il reste)(?: donc)?\s*",
    left_behind=r"restent\b",
    may_be_too=r"\bpourrait aussi être|\bpeut-être aussi",
    clause_begins="mais",
    was=r"\bétait\b",
    elsewhere=r"\b(?:dernière?|précédente?|hier|autre)\b",
    turns=r"\bmais\b",
    said_by=r"(?:[^\W\d_]{1,12}\s){0,2}?(?:dit|affirme|prétend|écrit)\b",
    choosing="choisir|prendre",
    would=(r"\s(?:serait|ignorer\w+|ignora\w*)\b|\s?est\s(?:une |un )?(?:\w+ )?(?:erreur|piège)\b"),
    said_wrong=r"est\s(?:\w+\s)?(?:faux|fausse|incorrecte?)",
    drawn=r"\b(?:donc|ainsi|par conséquent)\b",
    supposed_before="mais|et",
    supposed=r"si (?!on|nous|vous|l'on|\w+mos\b)|dans le cas où|au cas où",
    by_way_of="par ",
    rejected="exclu[si]|élimin|écart|mauvais|ne (?:convient|correspond)",
    trap="dans l'exemple|erreur (?:courante|fréquente|classique)|piège",
    condition="si|à moins que|à condition",
    cell_in_words=(
        r"(?:à la )?ligne[\s:=]{1,3}\d{1,18}\s?,?\s?(?:et\s)?colonne[\s:=]{1,3}\d{1,18}"
    ),
    cue="(?:réponse|résultat)s?|ordre(?: correct)?",
    cue_is=r"\best\b:?",
    no_difference=r"\b(?:mêmes?|identiques?|inchangée?s?|pareil\w*|égal\w*)\b",
    or_answer=r"\bou\b",
    not_these=r"\b(?:manqu\w*|absent\w*|sauf)\b",
    article_announced="l[ae]",
    elided="l'",
    any_article="le|la|les|l'|une?",
    article_before="les?|la|une?",
    degrees="degrés?",
    degree_stem="degré",
    true_texts=(
        "vrai/vraie/juste/exact/exacte/c'est vrai/c'est exact/c'est juste/c'est correct/c"
        "'est bien vrai/c'est bien exact/c'est bien le cas"
    ),
    false_texts=(
        "faux/fausse/inexact/inexacte/pas vrai/c'est faux/ce n'est pas vrai/ce n'est pas "
        "exact/ce n'est pas juste/c'est inexact/c'est incorrect/incorrect/incorrecte/ce n"
        "'est pas correct/ce n'est pas le cas"
    ),
    yes_texts="oui/si",
    no_texts="non",
    label_words="AYÀ",
    follower=(
        "et|ou|car|est|sont|puisque|parce|mais|plutôt|qui|n'est|ne|ni|jusqu'à|à|a|aussi|convient"
    ),
    verdict_follower="vraie?|faux|fausse|oui|non|(?:in)?correct",
    named_thing=(
        r"(?<![A-Za-z\u00c0-\u024f])(?:points?|segments?|angles?|plan|droites?|côtés?|sommets?"
        "|vitamine|arête)"
    ),
    list_ends=r"\bsont\b",
    it_is="c'est",
    link_article="la|l'|le|de",
    because_lead="car|parce que|puisque",
    line_article=r"(?:la|le)\s+|l'",
    inner_stop=(
        r"(?<=\bp\.)(?=\sex\.)|(?<=\bp\. ex\.)(?=\s\S)|(?<=\bp\.ex\.)(?=\s\S)"
        r"|(?<=\benv\.)(?=\s\d)"
    ),
    explains=(
        r"p\.\s?ex\.|(?:par exemple|c'est-à-dire|plus (?:précisément|exactement)"
        r"|soit (?:environ|à peu près)"
        r"|ce qui (?:fait|est|donne))\b"
    ),
    approximately=r"(?:environ|à peu près|env\b\.?)",
    dimension=(
        r"(?:de (?:profondeur|profond|longueur|long|largeur|large|hauteur|haut|diamètre|rayon"
        r"|épaisseur|côté)|d'(?:épaisseur|altitude|âge))\b"
    ),
    behind_amount="de|dans|au|aux|à|sur|en|du",
    of_amount=r"\b(?:de|à|mesure|fait|vaut|indique|contient|compte)",
    no_total=r"(?:autres?|fois|de (?:plus|moins|ces|ses)|des|ou|et|à|par)\b",
    compared=r"\bplus \w+ que\b|\bque\b|\b(?:chaque|devrait|serait|différence)\b",
    unit_names=(
        "m=mètres/mètre,km=kilomètres/kilomètre,cm=centimètres/centimètre"
        ",mm=millimètres/millimètre,m^(2)=mètres carrés,m^(3)=mètres cubes,g=grammes/gramme"
        ",kg=kilogrammes/kilogramme,L=litres/litre,s=secondes/seconde,h=heures/heure"
        ",%=pour cent"
        ",yr=ans/an/années/année,d=jours/jour,t=tonnes"
    ),
    per_unit=r"\s*\bpar\b\s*",
    unfinished_word="le|la|de|que|et",
    equals=r"\best\s",
    hedge_equation=r"\b(?:si|ou|ne|pas)\b",
    taken_back=r"[^.!?。\n]{0,60}?\b(?:mais)\s[^.!?\n]{0,30}?(?:\bn'|\bne|\bno)\b",
    but_is=r"\bmais\b[^.,;:\n]{3,60}\b(?:est|sont)\s+(?:(?:les?|la|une?)\s+)?",
    function_word="les?|la|une?",
    roughly=r"\b(?:plus de|moins de|environ|entre)",
    or_number="ou",
    described=r"\b(?:chaque|une? par une?|les options)\b[^.:\n]{0,40}:",
    introduced=r"\b(?:examinons|analysons|passons|voyons|regardons)\b",
    then_lead=r"(?:d'abord|ensuite|puis|enfin),?\s+",
    because_answer=r"(?:car|parce|puisque)\b",
    committed=r"exacte?\b|\bjuste\b|\bvraie?\b|\bbonne\b|réponse",
    the_label="la|le",
    rest_right=(
        r"\b(?:les (?:deux |trois )?autres|toutes les autres) sont (?:toutes )?(?:correctes"
        r"|justes|vraies|exactes)"
    ),
    except_for=("sauf|except[ée]|hormis|à part|(?:à|a) l'exception d[eu]|en dehors d[eu]"),
    except_article="la|les|le",
    except_noun="propositions?|réponses?|lettres?|options?",
    quantified=r"\b(?:tout\w*|tous|aucune?|autres?|rien)\b",
    filling=r"(?:les|le)\b",
    none_of=r"\b(?:aucune?|rien)\b",
    all_wrong=(
        r"\b(?:fauss?e?s?|inexacte?s?|erroné\w*|éliminé\w*|exclu\w*|écarté\w*|incorrect\w*)\b"
    ),
    all_right=(
        r"\b(?:convien\w+|correcte?s?|justes?|exacte?s?|vraie?s?|bonne?s?|valides?"
        r"|correspond\w*)\b"
    ),
    all_denied=r"\b(?:ne|aucune?|rien)\b|\bn'",
    all_open=r"\b(?:si|peut-être|pourrai\w*)\b",
    right_stem="correct|exact|just|vrai",
    goes_on="car|parce|puisque|et|mais|qui|que|uniquement|seulement|de possible",
    broken_off="et",
    hedged_more=r"[^.;!?。\n]{0,25}?\b(?:peut-être)\s+",
    but_not="et|mais",
    small_word="[aà]|un",
    both_before="à la fois|les deux",
    label_article="[Ll][ae]",
    from_label=r"[Dd]e\s(?:la\s)?(?=[A-Z]\sà\s)",
    option_lead="l[ae]s?|l'",
    label_number="n[º°]|numéro",
    right_mark="(?<!ne )convient|(?<!in)correcte?|juste|vraie?|oui",
    wrong_mark="ne convient pas|incorrecte|faux|fausse|non",
    answers_right="oui|vraie?|(?<!in)correcte?|juste|exacte?",
    answers_wrong="non|faux|fausse|incorrecte?|inexacte?",
    right_side="Vraie?s?|Justes?|Correctes?",
    wrong_side="Fauss?e?s?|Incorrectes?",
    hedge=r"\b(?:peut-être|semble|pourrait)\b",
    user_turn="UTILISATEUR|Utilisateur|HUMAIN|Humain",
    assistant_turn="ASSISTANTE?|Assistante?",
    next_question="Exercice",
    number_mark="n[°º]",
    count_sentence=(
        r"\b(?:(?:je|on) (?:compte|dénombre|voit|vois)|j'ai compté|il y a|au total|en tout|total"
        r"|image (?:contient|montre|comporte)|le nombre d(?:e |')[a-zéèê ]{2,30} est(?: de)?)\b"
    ),
    count_open=r"\b(?:rangées?|lignes?|colonnes?|ou|environ|entre|pas|types?)\b",
    count_about=r"\b(?:ou|environ)\b",
    who_counts="je |j'|image ",
    also_counted=r"\bet\b",
    total=r"\b(?:au total|en tout|somme|total(?:es?)?)\b",
    total_doubt=r"\b(?:ou|environ|pas)\b",
    things=(
        "NODES=nœuds?,NODES=noeuds?,NODES=sommets?,EDGES=arêtes?,CIRCLES=cercles?,SQUARES=carrés?"
    ),
    predicate=r"\b(?:sont|est)\s*:?\s+",
    set_noun=r"\b(?:couleurs?|formes?|figures?)\b",
    part_of_picture=(
        r"\b(?:manqu\w*|absente?s?|autres?|sauf|premi\w+|princip\w+|certaine?s|gauche|droite|haut"
        r"|bas|fond)\b"
    ),
    place_names=r"ABOVE=au[- ]dessus|\bsur la ligne,BELOW=en dessous|au[- ]dessous|\bsous\b",
    cell_lead=r"\b(?:soit|c'est-à-dire|autrement dit|donc|se trouve|est(?: en)?)",
    only_behind=r"(?:seule?s?|uniquement)\b",
    met_by=r"\b(?:respectée?s?|remplie?s?|vérifiée?s?|vaut|cas|produit|correspond)",
    only_in="par|dans|pour|de|à|sur",
    code="fr",
    small_words=(
        "le la les est sont il elle y et un une des du dans sur pour on je que qui au aux ce cette"
        " a de en par avec donc nous se ne pas compte"
    ),
    group_marks=" .",
    cardinals=_CARDINALS,
    scales="cent=100,cents=100,mille=1000,million=1000000,millions=1000000,milliards=1000000000",
    scale_and="et",
    one_thing=r"\b(?:seulement|juste|exactement|qu'|que) ?une?\b|\bune? seule?\b|^une?[.!]?$",
    one_article=r"une?",
    bound=(
        r"\b(?:au (?:moins|plus|minimum|maximum)|devrai(?:t|ent)|faudrait|(?:plus|moins|autre) "
        r"(?:de|que|d')|entre|jusqu'à|plutôt que"
        r"|au lieu de|supérieure? à|inférieure? à|minimum|maximum)(?!\w)"
    ),
    bound_behind=r"ou (?:plus|moins)\b|\+|au (?:moins|plus|minimum|maximum)\b",
    numbered_noun=(
        r"(?:figures?|fig\.|images?|lignes?|colonnes?|rangées?|étapes?|pages?|questions?|tableaux?"
        r"|salles?|chambres?|chapitres?|sections?|jours?|semaines?|groupes?|parties?|joueurs?"
        r"|niveaux?"
        r"|options?|points?|classes?|barres?|numéro|n°|no|quai|bus|trimestre|cas|case|exercice"
        r"|taille)"
    ),
    percent=r"\bpour ?cents?\b|\bpourcentages?\b|%",
    year_lead=r"\b(?:en|depuis|de|année|l'année|pour|dès|à)",
    below_zero=r"\bmoins",
    below_zero_behind=r"(?:sous|au-dessous de|en dessous de) zéro",
    part_behind=(
        r"(?:autres?|supplémentaires?|de (?:plus|moins)|fois (?:plus|moins)|d'entre|de ces"
        r"|restante?s?)\b"
    ),
    nothing_but=r"\bn(?:e\s|')\w+(?:\s\w+){0,3}?\s(?:que\s|qu')",
    part_lead=(
        r"(?:dont|contre|parmi (?:eux|elles|ceux|celles|ces)|en comparaison|à titre de "
        r"comparaison|sur ces)\b"
    ),
    adds_up=(
        r"\b(?:soit|fait|font|donne|donnent|vaut|ce qui fait|total|reste|restent|réponse|résultat"
        r"|s'élève à|(?:hausse|augmentation|différence|baisse|diminution) de)(?!\w)"
    ),
    no_value=(
        r"\b(?:ne|sans|n') ?(?:\w+ ){0,3}?(?:donner|deviner|indiquer|avancer|préciser|estimer"
        r"|prononcer|lire"
        r"|déterminer|dire|compter)\b|\baucune? (?:valeur|chiffre|nombre)\b|\bpas (?:de|lisible"
        r"|donner)\b"
    ),
    hanging=r"\b(?:le|la|les|une?|de|du|des|et|ou|est|sont|à|que|vaut|environ|pour)",
    all_word=r"\b(?:tous|toutes|tout)\b",
    copula=r"\s*(?:est|sont|était)\b",
    whereas="tandis que|alors que|contrairement|à la différence",
    ends_only=r"\s(?:seule?s?|uniquement)\b",
    last_verb="(?:conviennent|convient)",
    last_article="(?:dans|sur|la|les?|l'|des?)",
    undecided=(
        r"\b(?:candidat\w*|possib\w*|hésit\w*|doute\w*|comparer|comparons|semblab\w*|"
        r"similair\w*|regard\w*|observ\w*|besoin|faut|faudrait|difficile\w*|entre)\b"
    ),
    shows=(
        "(?:montre(?:nt)?|représente(?:nt)?|illustre(?:nt)?|contien(?:t|nent)|"
        r"convien(?:t|nent)|complète(?:nt)?|vérifie(?:nt)?)\b"
    ),
    claimed=(
        r"(?<!\bje )(?<!\bj')\b(?:affirme|prétend|soutient|pense|croit|dit|écrit|assure|"
        "a (?:dit|écrit|affirmé|répondu))(?: que?)?"
    ),
    leaves_one=(
        r"\b(?:il )?(?:n'en|ne) reste (?:donc |plus )?qu'une?(?: seule?)?\b|"
        r"\bn'en laisse qu'une?\b|\bune seule? (?:\w+ )?reste\b"
    ),
    denominators=(
        "demi=2,demis=2,tiers=3,quart=4,quarts=4,cinquième=5,cinquièmes=5,sixième=6,sixièmes=6"
        ",septième=7,septièmes=7,huitième=8,huitièmes=8,neuvième=9,neuvièmes=9,dixième=10"
        ",dixièmes=10,douzième=12,douzièmes=12"
    ),
    one_of_parts="une?",
    half_alone="la moitié",
    and_half=r"\set demie?",
    half_noun=r"\w+",
    dozens="(?:une )?douzaines?",
    half_dozen="(?:une )?demi-douzaine",
    in_all="(?:soit|ce qui fait|c'est-à-dire)",
    not_in_name="que|qui|pour|avec|quand|où|est|ne|pas|par",
    that_word="que",
    denied_but="mais(?: bien)?(?: plutôt)?|c'est|plutôt",
    self_corrects="enfin|ou plutôt|pardon|je veux dire|je voulais dire",
    its=r"(?:son|sa|ses)\b|on (?:le|la) reconnaît|on (?:voit|reconnaît)",
    named_as=(
        r"(?<!\w)(?:(?:s'appellent?|se nomment?|est (?:appelée?|nommée?|connue? sous le nom "
        r"de)|se dit)|il s'agit(?: [^.,;]{1,25}|, [^.,;]{1,20},)? d(?:e|u|es)(?!\w)|il "
        "s'agit(?: [^.,;]{1,25}|, [^.,;]{1,20},)?(?= d')|(?:appartien(?:t|nent)|"
        "correspond(?:ent)?)(?: donc| bien| ainsi| clairement)?(?: à(?! l)| au| aux)|"
        "(?:appartien(?:t|nent)|correspond(?:ent)?)(?: donc| bien| ainsi| clairement)? à(?= "
        "l)|désignent?|évoquent?|(?:est|sont)(?: donc| ainsi)? (?:faite?s?|fabriquée?s?|"
        "sculptée?s?|peinte?s?|construite?s?) (?:en|de|par)|(?:est|sont)(?: donc| ainsi| "
        "probablement)? en|représentent?|(?:est|sont) (?:typique|caractéristique|propre)s? "
        "d(?:e|u|es)|(?:est|sont) cel(?:ui|le) d(?:e|u)|(?:est|sont) (?:le drapeau|une "
        r"espèce|une sorte|un type) d[eu])(?!\w)"
    ),
    is_a=(
        r"(?<!\w)(?:est|sont|était|étaient|doit être|ne peut être que|c'est|c'était|ce sont|"
        r"ce doit être)(?!\w)"
    ),
    shows_it=(
        r"(?<!\w)(?:montrent?|indiquent?|joue|porte|tient|se trouve en|se trouve à|parle|"
        r"utilise|signalent?)(?!\w)"
    ),
    surely=(
        "(?:donc|ainsi|alors|par conséquent|bien|clairement|(?:très )?probablement|sans "
        "(?:aucun )?doute|sûrement|certainement|évidemment|vraisemblablement|en fait|"
        "effectivement|en effet|tout simplement|précisément|assurément)"
    ),
    name_article="(?:les?|la|une?|des?|du|aux?|de la|à la)",
    elided_before="(?:(?:de |à )?l'|d'une? |d'|qu')",
    name_preposition=(
        "en|dans|à|au|aux|de|du|des|sur|sous|par|pour|avec|sans|entre|chez|vers|derrière|"
        "devant|comme|que"
    ),
    describes_place=(
        "très|plus|moins|assez|peu|trop|pas|aussi|si|en|dans|à|au|de|du|sur|sous|par|pour|"
        r"avec|comme|que|où|quand|ici|là|déjà|l'un\w*|visible|difficile|facile|possible|"
        r"partie|un des|une des|\w+(?:ée?s?)(?= (?:par|sur|dans|à|en|de|derrière|devant)\b)|"
        "cachée?s?|située?s?|placée?s?|posée?s?"
    ),
    describes_it=(
        r"ancien(?:ne)?s?|grande?s?|petite?s?|vieux|vieille|nouve\w+|jolie?s?|belles?|beau|"
        "hautes?|haut|longs?|longue|courte?s?|célèbres?|connue?s?|typiques?|ronde?s?|"
        r"important\w*|sombres?|claire?s?|rouges?|bleue?s?|verte?s?|jaunes?|noire?s?|"
        "blanc(?:he)?s?|grise?s?|brune?s?|modernes?|calmes?|animal|objet|chose|personne|"
        "homme|femme|lieu|image|type|espèce|exemple|et"
    ),
    naming_doubt=(
        r"(?<!\w)(?:(?:plus|moins) \w+ qu[e']|devant|derrière|à côté|semblable|presque|par "
        "exemple|au lieu de|plutôt que|pourrait|pourraient|peut-être|peut|serait|seraient|"
        "aurait|semblent?|à première vue|au premier abord|d'abord|certains|beaucoup|rappelle|"
        r"ressemble|si|contrairement|croit|croirait)(?!\w)"
    ),
    name_denied=r"(?<!\w)(?:pourrait|semble)(?!\w)",
    refers_back=(
        "ce|cela|ceci|ça|celui-ci|celle-ci|il|elle|ils|elles|on|ce que l'on voit(?: ici)?"
    ),
    concludes_that=(
        r"(?:tout(?:es)?|tous)(?: ces?| cela)?(?: \w+)? (?:indiquent?|suggèrent?|montrent?|"
        r"laissent? penser|signifient?)(?: que| qu')?|(?:ces?|cela)(?: \w+)? (?:indiquent?|"
        "suggèrent?|montrent?|signifient?)(?: clairement)?(?: que| qu')?|d'après (?:ces?|"
        "tous|cela)[^.,;]{0,40},|(?:on|nous|je) (?:peut|pouvons|peux) (?:donc )?(?:en "
        ")?(?:conclure|déduire|dire|affirmer)(?: que| qu')?|j'en (?:conclus|déduis) qu[e']|"
        "je (?:dirais|pense|crois) qu[e']|c'est pourquoi|ce qui (?:indique|signifie|"
        "montre)(?: que| qu')?|au vu de[^.,;]{0,50},|compte tenu de[^.,;]{0,50},|pour "
        "(?:toutes )?ces raisons,?|autrement dit|en d'autres termes|bref|en somme|par suite|"
        "de ce fait|si bien qu[e']|à en juger par[^.,;]{1,40},|alors"
    ),
    no_doubt=(
        r"(?<!\w)(?:il n'y a (?:pas|aucun|guère) (?:de )?doute|nul doute|ne fait (?:guère|"
        "aucun|pas) (?:de )?doute|sans (?:aucun |nul )?doute(?: possible)?|n'est autre que|"
        r"ne peut être que|il ne peut s'agir que)(?!\w)"
    ),
    closing_remark=("j'espère|n'hésitez|n'hésite|si (?:vous|tu)|dites-moi|dis-moi|souhaite|voulez"),
    detail_noun=(
        r"(?<!\w)(?:traits?|parties?|détails?|indices?|différences?|exception|raisons?|fond|"
        r"arrière-plan|légende|couleurs?|taille|forme|question|éléments?)(?!\w)"
    ),
    last_one=r"l[ae]s? derni(?:er|ère|ere)s?",
    summing_up=(
        r"\b(?:tout (?:bien considéré|compte fait|cela mis ensemble)|en somme|"
        r"dans l'ensemble|en définitive|pour (?:résumer|conclure)|au bout du compte|"
        r"somme toute)\b"
    ),
    points_back=(
        r"\bc'est (?:donc|alors|par conséquent) (?:elle|lui|celle-ci|celui-ci|celle-là|"
        r"celui-là)\b|\b(?:donc|ainsi),? c'est (?:elle|lui|celle-ci|celui-ci)\b"
    ),
    is_case=(
        r"\bc'est (?:bien |donc |notamment )?le cas (?:d[eu]s?\b|d'|pour\b|dans\b|sur\b|"
        r"à\b)|\b(?:cela|ça) (?:vaut pour|s'applique à)\b|\bon le (?:voit|"
        r"retrouve) (?:sur|dans)\b"
    ),
    some_of_them=(
        r"\b(?:deux|trois|quatre|cinq) d'entre (?:eux|elles)\b|\bles (?:deux|trois|quatre|"
        r"cinq) autres\b"
    ),
    is_placed=r"\b(?:se trouvent?|se voi(?:t|ent)|figurent?)",
    abstains=r"\bje (?:m'abstiens|préfère ne pas (?:répondre|trancher))\b",
    also_called=(
        r"(?:aussi|alias|également|parfois|autrement dit|dans (?:certaines?|quelques"
        r"|d\'autres) \w+|dit aussi)(?=[\s,:])"
    ),
    no_end="les?|la|une?|des?|du|aux?|par|sur|dans",
)
