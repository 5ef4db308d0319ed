"""German."""

from gfactor.scoring.extraction.language import Language

_NOUN = (
    r"(?:(?:end|schluss)?antwort(?:en)?|lösungs(?:wort|zahl|satz)|antwortmöglichkeit(?:en)?"
    r"|antwortoption(?:en)?|auswahl"
    r"|(?<!zur )wahl|l(?:ö|oe)sung(?:en)?|(?:end)?ergebnis(?:se)?|option(?:en)?"
    r"|(?:lösungs)?buchstaben?|fazit|schlussfolgerung|möglichkeit(?:en)?|aussagen?"
    r"|entscheidung)"
)
_KIND = (
    r"(?:(?:die|der|das|den|meine?[nr]?|unsere?|deine?|richtige?[nrs]?|korrekte?[nrs]?"
    r"|beste?[nrs]?|einzig(?:e[nrs]?)?|endgültige?[nr]?|finale?[nr]?|passende?[nrs]?"
    r"|gesuchte?[nrs]?|zutreffende?[nrs]?|wahre?n?|logischste|plausibelste|wahrscheinlichste"
    r"|mögliche|verbleibende|fehlende|nächste|gültige)\s+){0,4}"
)
_SURELY = (
    r"(?:daher|somit|damit|folglich|demnach|deshalb|hier|nun|dann|nur|noch|klar|eindeutig"
    r"|definitiv|sicher|wohl|vermutlich|wahrscheinlich|tatsächlich|offensichtlich|mithin|schlicht"
    r"|genau|eher|letztlich|schließlich|jetzt|entsprechend|offenbar|doch|zwangsläufig"
    r"|dementsprechend)"
)
_SO = rf"(?:also|{_SURELY})"
"""English has the word "also" as well, which does not announce an answer ("not only A but also
C")."""
_THING = (
    r"(?:figur|form|bild|element|symbol|muster|kachel|teil|stück|zeichnung|feld|abbildung"
    r"|kandidat|aussage|zahl|fortsetzung|ergänzung|übereinstimmung|passung|treffer|wahl|variante)"
)
_SEEN = (
    r"(?:(?<!im )(?<!dem )bild(?:er)?|abbildung(?:en)?|grafik|diagramm|schaubild|foto|tabelle"
    r"|karte|zeichnung|skizze|schaltplan|screenshot|anhang)"
)
_COLOR = (
    r"(?:hell|dunkel)?(?:rot|blau|grün|gelb|orange|violett|lila|rosa|pink|purpurn?|braun|schwarz|wei(?:ß|ss)"
    r"|grau|türkis|magenta|cyan|beige|golden|silbern)\s*$"
)
_FACTS = r"(?:informationen|angaben|daten|details|kontext|voraussetzungen)"
_SOLVED = (
    r"(?:beantworte[nt]?|lösen|bestimm(?:en|t)|entscheiden|ermitteln|sagen|erkennen|beurteilen)"
)
_DA = r"da(?= (?:die|der|das|den|es|er|sie|nur|hier|alle|in|man|sich|dort|beide|kein\w*)\b)"
"""Portuguese has the word "da" too, for "of the"."""
_ALSO = (
    r"also(?=,? (?:ist|sind|bleibt|bleiben|muss|lautet|kann|die|der|das|wäre|gilt|passt|wähle"
    r"|nehme|doch|nur|antwort|haben|hat|ergibt|es)\b)"
)
"""In English the word does not conclude."""
_FALLS = r"falls(?= (?:die|der|das|es|man|ich|wir|sie|nur)\b)"
"""In English the word is a verb."""
_ES = r"(?:(?<=[,;:.\n])\s{1,2})?es"
"""The space before it excludes the Spanish verb that begins in the same way."""
_RIGHT = (
    r"(?:(?<!in)korrekte?[nrs]?|(?<!nicht )richtige?[nrs]?|(?<!un)wahre?[nrs]?"
    r"|zutreffende?[nrs]?|passende?[nrs]?|passendste[nrs]?|beste?[nrs]?|gesuchte?[nrs]?"
    r"|plausibelste[nrs]?|plausibel|wahrscheinlichste[nrs]?|logischste[nrs]?|überzeugendste[nrs]?"
    r"|nächste[nrs]?|fehlende[nrs]?|gültig|treffend(?:ste[nrs]?)?|schlüssigste[nrs]?)"
)
_UNITS = ["ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
_TENS = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
_LARGE = ",".join(
    [f"{ten}={10 * k}" for k, ten in enumerate(_TENS, 2)]
    + [
        f"{unit}und{ten}={10 * k + n}"
        for k, ten in enumerate(_TENS, 2)
        for n, unit in enumerate(_UNITS, 1)
    ]
)
_TO_NINETEEN = (
    "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn"
    " siebzehn achtzehn neunzehn"
)

_CARDINALS = ",".join(
    [f"{word}={k}" for k, word in enumerate(f"null eins {_TO_NINETEEN}".split())]
    + [f"{unit}hundert={100 * k}" for k, unit in enumerate(_UNITS, 1)]
    + [f"{unit}tausend={1000 * k}" for k, unit in enumerate(_UNITS, 1)]
    + ["ein dutzend=12,dutzend=12,zwo=2", _LARGE]
)

LANGUAGE = Language(
    spaced=True,
    heading=(
        rf"{_KIND}{_NOUN}|(?<![^\n])(?:richtig|korrekt|wahr|zutreffend|endgültig)(?:e[nrs]?)?"
        r"(?: (?:ist|sind))?(?=\s?:)"
    ),
    announce=(
        r"(?:nur|allein|einzig) (?:die )?(?:option|antwort|aussage|möglichkeit|variante)"
        r"(?= \(?[A-Z]\)? (?:ist|passt|stimmt|erfüllt|kommt|bleibt|trifft))"
        rf"|{_KIND}{_NOUN}(?:\s+(?:auf|zu|für) (?:die|diese|der|dieser) \w{{3,15}})?"
        rf"\s+(?:ist|sind|lautet|lauten|wäre|wären|muss|müsste|kann(?: {_SO})? nur|heißt)"
        rf"(?:\s+{_SO}){{0,3}}(?:\s+(?:die|das|der))?|{_NOUN}\s*="
        rf"|(?<!(?-i:[A-Z]) )(?<!(?-i:[A-Z])\) )(?<!was )(?:ist|sind|wäre|lautet|lauten|muss)"
        rf"(?: {_SO}){{0,2}} (?:die|das|der|meine|unsere) {_KIND}(?:{_NOUN}|{_THING})"
        rf"(?: {_SO}){{0,2}}"
        r"|(?:richtig|korrekt|zutreffend|wahr|passend|gesucht|gefragt|gültig|anzukreuzen)"
        rf"(?: {_SO})? (?:ist|sind|wäre|wären)(?: {_SO}){{0,2}}"
        r"(?: (?:das wort|der begriff|die zahl))?"
        rf"|(?:ich|wir) (?:{_SO} )?(?:wähle[n]?|nehme[n]?|kreuze|markiere|sage|antworte"
        rf"|bevorzuge|favorisiere)(?: {_SO}){{0,2}}"
        rf"|(?:wähle|nehme|kreuze|markiere|sage|antworte)[n]? (?:ich|wir)(?: {_SO}){{0,2}}"
        rf"|entscheide[n]?(?: (?:ich|wir))? (?:mich|uns)(?: {_SO}){{0,2}} für"
        rf"|(?:tippe|setze|lege mich|einige mich)(?: ich)?(?: mich)?(?: {_SO}){{0,2}}"
        r" (?:auf|fest auf)"
        rf"|(?:tendiere|neige)(?: ich)?(?: {_SO}){{0,2}} (?:zur?|zum)"
        rf"|bleibe[n]?(?: (?:ich|wir))?(?: {_SO}){{0,2}} bei"
        rf"|(?:plädiere|stimme|votiere|bin)(?: ich)?(?: {_SO}){{0,2}} für"
        rf"|(?:ich würde|würde ich)(?: {_SO}){{0,2}}(?: (?:auf|zur?|für|mich für|sagen[,:]?))?"
        rf"|(?:wahl|entscheidung) fällt(?: {_SO}){{0,2}} auf"
        rf"|(?:ändere|korrigiere|revidiere|wechsle)(?: ich)?(?: {_SO})?(?: meine antwort)?"
        rf"(?: {_SO})? (?:auf|zu|in)|(?:wähle|wählen sie|kreuze|nimm|nehmen sie)"
        rf"|(?:die|das|der) (?:richtige|korrekte|passende|gesuchte|nächste|fehlende|beste"
        rf"|einzig(?:e)? (?:richtige|mögliche|passende))(?: {_THING})? (?:ist|wäre|muss)"
        rf"(?: {_SO}){{0,2}}"
        rf"|(?:{_THING}|{_NOUN}|das|die|der|einzige[rs]?),? (?:die|das|der|welche[rs]?)"
        rf" (?!nicht\b)[\w ]{{2,50}}?,? ist(?: {_SO})?"
        rf"|(?:am besten|nur|dazu|hier|somit|daher|folglich|dorthin|dahin|hierher"
        rf"|als nächste[sr]?)"
        rf" (?:passt|gehört|kommt)(?: {_SO}| am besten){{0,3}}"
        rf"|(?:entspricht|entsprechen)(?: {_SO})?(?= (?:der |dem )?(?:option|antwort|bild|figur))"
        rf"|fehlt(?: {_SO})? (?:das|die|der|nur) {_THING}"
        r"|halte(?: ich)?(?= (?:\w{4,12} )?\(?(?-i:[A-Z])\)? für (?:richtig|korrekt|wahr|die\b))"
        rf"|fehlt(?: {_SO})?(?= {_THING} \(?(?-i:[A-Z])\b)"
        rf"|(?:stimmen|gelten)(?: {_SO})?(?: nur)?(?= (?:die )?(?:aussagen|optionen"
        rf"|antworten) (?-i:[A-Z])\b)"
        rf"|(?:trifft|treffen)(?: {_SO})?(?= (?:die )?(?:\w{{4,12}} )?\(?(?-i:[A-Z])\b)"
        rf"|passt(?: {_SO})?(?= (?:\w{{4,12}} )?\(?(?-i:[A-Z])\)?"
        r" (?:am besten|genau|perfekt|hinein))"
        rf"|(?:gehört|kommt)(?: {_SO})?(?= (?:die |das )?(?:{_THING}|option|antwort)"
        r" \(?(?-i:[A-Z])\b)"
        r"|(?:durch|mit)(?= (?:die )?(?:\w{4,12} )?\(?(?-i:[A-Z])\)? (?:\w{4,12} )?"
        r"(?:fortgesetzt|vervollständigt|ergänzt|komplettiert))"
        r"|(?:beste|einzige|passendste|plausibelste)[rs]? (?:übereinstimmung|kandidat|fortsetzung"
        r"|passung|ergänzung|treffer) (?:ist|wäre)"
        rf"|bleibt(?: {_SO}){{0,2}} als (?:einzige[sr]?|letzte[sr]?)"
        r"(?: (?:mögliche |passende |verbleibende )?(?:option|antwort|möglichkeit|kandidat))?"
    ),
    weak=(
        rf"(?:das|dies|{_ES})(?: {_SO})? (?:ist|sind|wäre|wird|muss|müsste|dürfte"
        rf"|kann(?: {_SO})? nur)"
        rf"(?: {_SO}){{0,2}}|(?:ist|muss|dürfte) es(?: {_SO}){{0,2}}"
        rf"|(?:somit|folglich|demnach|daher|deshalb|mithin|ergo|{_ALSO})[,:]?"
        r"|(?<=, )also:?(?= (?:(?:die )?(?:option|antwort|bild|figur"
        r"|aussage) )?\(?[A-Z]\)?(?:(?:,| und) \(?[A-Z]\)?){0,3}\s*(?:[.!]|$))"
        r"|(?-i:Also|[Aa]lso doch)[,:]?"
        r"(?=\s\(?[A-Z]\)?(?:(?:,| und) \(?[A-Z]\)?){0,5}\s*(?:[.!\n]|$))"
        r"|(?:nur|lediglich|einzig|allein) (?:bei|in|mit)(?= \(?(?-i:[A-Z])\b)"
        rf"|(?:{_ES} )?(?:bleibt|bleiben)(?: (?:mir|uns|am ende|übrig|{_SO})){{0,3}}"
        r"|sind(?=\s+\(?[A-Z]\)?\s*(?:,|und\b))|dann (?:eben|halt|wohl)"
        rf"|(?:{_ES} )?handelt (?:es )?sich(?: {_SO}){{0,2}} um(?: eine?n?)?"
        rf"|führt(?: (?:uns|mich|direkt|{_SO}))* zur?|ergibt sich(?: {_SO}){{0,2}}"
        r"|(?:denke|glaube|vermute|schätze|meine)(?: ich)?,(?: es ist)?"
        r"|(?:finde|sehe|zeigt?)[nt]? (?:wir|sich|man|ich)(?: nur)? (?:in|bei|unter)"
        r"|(?:ich|wir) (?:komme[n]?|lande[n]?)(?: \w+)? (?:auf|zur?|bei)"
        r"|am (?:ehesten|wahrscheinlichsten|plausibelsten)(?: (?:ist|wäre|passt)(?: es)?)?"
        r"|(?:komme|lande)[n]?(?: (?:ich|wir)) (?:auf|zur?|bei)|macht [\w ]{2,30}? zu"
        r"|(?:per|durch|nach|im) (?:dem )?ausschluss(?:verfahren|prinzip)?[,:]?(?: bleibt)?"
        r"|(?:sicher|eindeutig|definitiv|klar|vermutlich|wahrscheinlich|offensichtlich|bestimmt"
        r"|zweifellos|ohne zweifel)[,:]?|nämlich|das heißt,?|sprich:?"
        r"|(?:kurzum|kurz gesagt|zusammenfassend|abschließend|insgesamt|letztlich|schließlich"
        r"|am ende|unterm strich)[,:]"
    ),
    points=(
        r"(?:deutet|deuten|weist|weisen|läuft|zeigt|verweist)(?: \w+){0,2}? auf"
        r"|(?:spricht|sprechen)(?: \w+){0,3}? für|(?:bestätig|ergeb|liefer)(?:t|en)"
        r"|(?:erhalten|erhalte) (?:wir|ich)|(?:wir|ich) erhalten?|(?:erhält man|man erhält)"
    ),
    filler=(
        rf"die|der|das|dem|den|option(?:en)?|antwort(?:en)?|möglichkeit|buchstaben?|{_SURELY}"
        r"|ist|sind|dass|sowohl|beide|bild|figur|nummer|aussagen?|ganz|natürlich|eben|die beiden"
    ),
    option=(
        r"option(?:en)?|antwort(?:en)?|antwortmöglichkeit(?:en)?|antwortoption(?:en)?"
        r"|möglichkeit(?:en)?|varianten?|aussagen?|buchstaben?|lösung(?:en)?|figur(?:en)?"
        r"|bild(?:er)?|abbildung|kachel|vorschlag|feld|these"
    ),
    right=(
        r"(?:lasse|behalte|nehme) (?:ich|wir)(?: (?:stehen|übrig|gelten|bei))?(?=\s*(?:[.;!\n]|$))|"
        r"(?:ist|sind|wäre|wären|muss|scheint|erscheint|wirkt)"
        rf"(?:\s+(?:{_SO}|die|das|der|meine|unsere|einzige?[nrs]?|beide|beides|auch|am|mir|als"
        r"|ebenfalls|logisch|insgesamt|von allen|alle)){0,4}\s*"
        rf"(?:{_RIGHT}|antwort|lösung|wahl|favorit)"
        r"(?:\s+(?:antwort(?:en)?|lösung(?:en)?|option(?:en)?|wahl|aussagen?|fortsetzung|figur"
        r"|bild"
        r"|form|ergänzung|titel|element|stück|teil|möglichkeit|kandidat|übereinstimmung|zu sein"
        r"|sein))?(?=\s*(?:[.,;:!)\n–—-]|$|\s(?:weil|denn|da|und|aber|während|wie)\b))"
        r"|(?:ist|sind|wäre) (?:die|das|der) einzige[nrs]?(?: (?:option|antwort|figur|form|bild"
        r"|möglichkeit))?(?:,? (?:die|das"
        r"|der)(?! nicht)(?! kein)(?=\s\w)(?![^.\n]{0,50}\bnicht\b)"
        r"|(?= (?:mögliche|verbleibende|passende)))"
        rf"|(?:{_RIGHT}) (?:ist|sind|wäre|sein muss)(?=\s*(?:[.,;!)\n]|$))"
        r"|(?:stimmt|stimmen)(?:\s(?:beide|beides|auch|genau|eindeutig|also|mit [\w ]{3,40}?"
        r" überein))?(?=\s*(?:[.,;!)\n]|$|\s(?:weil|denn|da|und|aber)\b))"
        r"|(?:trifft|treffen)(?: (?:beide|auch|also|genau|eindeutig|hier))* zu\b"
        rf"|(?:passt|passen|gehört|gehören)(?:\s(?:{_SO}|am besten|perfekt|exakt|dazu|hinein|rein"
        r"|besser|als einzige[sr]?|in die lücke|zur (?:regel|reihe|beschreibung)|zum (?:muster"
        r"|text|bild)|hierher|dorthin|an diese stelle|auch|beide))*"
        r"(?=\s*(?:[.,;!)\n]|$|\s(?:weil|denn|da|und|aber)\b))"
        r"|erfüll(?:t|en) (?:als einzige[sr]? )?(?:alle|beide|die|diese|sämtliche) \w+"
        r"(?=\s*(?:[.,;!\n]|$))"
        r"|(?:vervollständigt|ergänzt|komplettiert) (?:als einzige[sr]? )?(?:die|das|den) \w+"
        r"(?: (?:korrekt|richtig|logisch|perfekt|am besten))?(?=\s*(?:[.,;!\n]|$))"
        r"|setzt (?:die|das) \w+ (?:\w+ )?fort(?=\s*(?:[.,;!\n]|$))"
        rf"|bleibt(?: (?:{_SO}|als einzige[sr]?|übrig|allein)){{0,3}}(?=\s*(?:[.!\n]|$))"
        rf"|(?:ist|wird)(?: {_SO})? (?:mein favorit|es|die intruse|der ausreißer|gemeint|gesucht)"
        r"(?=\s*(?:[.!,;\n]|$))|(?:kommt|folgt) als nächstes?"
        r"|(?:gehört|kommt|passt) (?:an|in) (?:die|diese|das|den) (?:\w+ )?(?:stelle|lücke"
        r"|position"
        r"|feld|platz)(?=\s*(?:[.,;!\n]|$))|(?:die|meine) (?:lösung|antwort)(?=\s*(?:[.!\n)]|$))"
        r"|ist (?:die|das|der)(?:jenige)?,? (?:die|das|der) (?!nicht\b|kein\w*\b|ich\b|wir\b)"
        r"(?=\w)(?![^.\n]{0,50}\bnicht\b)"
        rf"|(?:ist )?(?:die|das|der) (?:einzig(?:e[rs]?)? )?(?:{_RIGHT}|einzig(?:e[rs]?)?"
        rf"|einzig(?:e[rs]?)? (?:mögliche|verbleibende|sinnvolle)[rs]?)(?: (?:antwort|lösung"
        rf"|option|wahl|möglichkeit|figur"
        r"|fortsetzung))?(?=\s*(?:[.!\n)]|$))|(?:richtig|korrekt|zutreffend)(?=\s*(?:[.!\n]|$))"
        r"|ist (?:die|das|der) einzige (?:möglichkeit|option|antwort|lösung)(?=\s*(?:[.!\n]|$))"
        r"|ist am (?:wahrscheinlichsten|ehesten|besten|plausibelsten)(?: (?:richtig|passend))?"
        r"(?=\s*(?:[.!\n]|$))"
        r"|gewinnt(?=\s*[.!])|(?:(?:hingegen|dagegen|jedoch|aber) )?wird"
        r" (?:durch|von|vom) [\w ]{2,30} (?:bestätigt|gestützt)|entspricht (?:dem"
        r"|der)"
        r" (?:text|regel|muster|beschreibung|vorgabe)"
        r"|(?:überzeugt|passt) (?:mich )?am (?:meisten|besten)"
    ),
    wrong=(
        r"(?:streiche|verwerfe|entferne|lösche)n? (?:ich|wir)|"
        r"(?:ist|sind|wäre|wären|wird|werden|scheint|bleibt)"
        rf"(?:\s+(?:{_SO}|auch|beide|alle|ebenfalls|ebenso)){{0,2}}\s*(?:falsch|inkorrekt"
        r"|unzutreffend|ausgeschlossen|unmöglich|ungültig|unpassend|ungeeignet|verkehrt|unwahr"
        r"|raus|auszuschließen|gestrichen|verworfen|unlogisch|unplausibel|unwahrscheinlich)"
        rf"|(?:ist|sind|wäre)(?: (?:{_SO}|auch|ebenfalls|beide))? nicht(?: (?:die|das|der))?"
        r" (?:richtig|korrekt|wahr|möglich|passend|gesucht|zutreffend|antwort|lösung|gemeint)\w*"
        rf"|(?:passt|passen|stimmt|stimmen|trifft|treffen|kann|können|kommt|kommen|gilt|gelten"
        r"|erfüllt|erfüllen|entspricht|gehört|geht|funktioniert|reicht)"
        rf"(?: (?:{_SO}|auch|beide|es|da|aber|jedoch|damit|dazu|hier|die \w+|ebenfalls)){{0,2}}"
        r" nicht|(?:scheidet|scheiden|schied|fällt|fallen)(?: (?:\w+ ){0,2})? ?(?:aus|weg|raus"
        r"|flach)\b"
        r"|entfällt|entfallen|widerspr(?:icht|echen)|verletzt|verletzen|verstößt"
        r"|(?:kann|können)(?: \w+){0,2} (?:ausgeschlossen werden|ausschließen|streichen|raus)"
        r"|(?:(?:die|das|der) )?(?:unwahrscheinlichste|schlechteste|unpassendste|schwächste"
        r"|falsche)[nrs]?"
        r"|nicht (?:stimmt|stimmen|passt|passen|zutrifft|geht|infrage|in frage|sein kann"
        r"|(?:richtig|korrekt|möglich|gemeint) (?:ist|sind|sein))"
        r"|nicht(?: zu)?(?=\s*(?:[.,;!\n]|$))|(?:auch|ebenfalls|ebenso wenig) nicht"
        r"|schließe ich aus|(?:falsch|ausgeschlossen) ist"
    ),
    not_before=(
        r"nicht|keine?[nrs]?|weder|(?<=(?-i:[A-Z]) )noch|(?<=(?-i:[A-Z])\) )noch|außer|bis auf"
        r"|ausgenommen|statt|anstatt|anstelle von|anders als|im gegensatz zu|im unterschied zu"
        r"|schließe[n]?(?: (?:ich|wir))?|streiche[n]?(?: (?:ich|wir))?|eliminiere[n]?"
        r"|verwerfe[n]?(?: (?:ich|wir))?|verworfen|nie|niemals|ohne|entgegen"
    ),
    unreal=(
        rf"wenn|{_FALLS}|ob|angenommen|sofern|könnten?|hätten?|möglicherweise|vielleicht"
        r"|eventuell|scheint|schien|scheinbar|zunächst|anfangs|zuerst|auf den ersten blick"
        r"|ursprünglich|dachte|hielt|beinahe|fast|nicht|nie|keine?[nrs]?|weder|warum|wieso"
        r"|weshalb|welche[rs]?|wer|prüfe[n]?|betrachten?|vergleiche[n]?|zum beispiel"
        r"|beispielsweise|verleitet|verlockend|versucht|nichts\s*$|format|statt|schwanke"
        r"|(?:häufiger|typischer|klassischer|beliebter) (?:fehler|irrtum)"
        r"|(?:frühere|vorherige|erste|vorgeschlagene|schlechteste|unwahrscheinlichste"
        r"|zweitbeste)[nrs]?"
        r" (?:antwort|lösung|wahl|vermutung|option|übereinstimmung|passung)"
        r"|(?:viele|manche|einige|andere|schüler|leute|die meisten|man)"
        r" (?:\w+ )?(?:denken|sagen|wählen|antworten|meinen|glauben|nehmen|würden?|tippen)"
        r"|(?:der|ein|die|eine) (?:schüler|student|autor|lehrer|kollege|freund|studentin"
        r"|schülerin|lehrerin|kollegin)(?: \w{1,10})?\s*$|(?:er|sie)\s*$"
    ),
    correction=(
        r"nein,|nein\.|nein:|nein –|doch|moment(?=[,.:!–—…]| mal)|warte|stopp[,.!:]|halt[,.!:]"
        r"|korrektur|besser gesagt|genauer gesagt|vielmehr|sondern|allerdings|jedoch|aber"
        r"|ich korrigiere|quatsch|ach nein|pardon|entschuldigung,?|verzeihung|irrtum|dagegen"
        r"|ich habe mich (?:\w+ )?(?:geirrt|vertan|verzählt|verrechnet|verlesen|verguckt)"
        r"|bei (?:genauerem|näherem|nochmaligem) (?:hinsehen|betrachten|nachdenken|hinschauen"
        r"|nachzählen)|nach (?:nochmaliger|erneuter) \w+|tatsächlich"
        r"|noch einmal (?:geprüft|nachgedacht|überlegt|nachgezählt)|oder besser|sorry,"
        r"|ich meine(?=,| [A-Z]\b)|(?:ich )?(?:ändere|revidiere)(?: \w+)? (?:meine|die|das)"
        r"|hm+|ups|mein fehler"
    ),
    retraction=(
        r"warte|moment mal|ich habe mich (?:\w+ )?(?:geirrt|vertan|verzählt|verrechnet|verlesen)"
        r"|das (?:ist|war|kann) (?:doch |so |aber |wohl )?(?:falsch|nicht richtig|ein fehler"
        r"|nicht stimmen)|das stimmt (?:so |doch |aber |gar )?nicht(?=\s*[.!,\n])"
        r"|ich nehme das zurück|nein, (?:das|dies|doch nicht)|doch nicht(?=\s*[.!\n])|quatsch"
        r"|mein fehler|vergiss das|ich bezweifle (?:es|das)"
    ),
    conclusion=(
        rf"daher|somit|folglich|demnach|deshalb|{_ALSO}|letztlich|letztendlich|schließlich"
        r"|insgesamt|zusammenfassend|mithin|ergo|endgültig|fazit|damit|unterm strich"
    ),
    both=r"und(?: auch)?|sowie|als auch|wie auch",
    either=r"oder|bzw\.?|beziehungsweise",
    until=r"bis(?: zu)?",
    every=(
        r"(?<!nicht )alle(?: (?:vier|fünf|drei|sechs|genannten|obigen|aufgeführten|aussagen"
        r"|optionen|antworten|antwortmöglichkeiten|möglichkeiten|davon)){0,3}"
        r" (?:sind(?: \w+)? (?:richtig|korrekt|wahr|zutreffend)|stimmen|treffen zu|passen)"
        r"(?! nicht)"
        r"|alle[sn]?(?: (?:vier|fünf|drei|sechs|aussagen|optionen|antworten|möglichkeiten)){0,2}"
        r"(?=,? (?:außer|bis auf|mit ausnahme|ausgenommen|abgesehen)\b)"
        r"|alle (?:(?:oben )?genannten|der genannten|obigen)"
        r"|(?<!nicht )alle (?:vier|fünf|drei|sechs|aussagen|optionen|antworten)(?=\s*(?:[.!,]|$))"
    ),
    none=(
        r"keine[rs]?(?: (?:der|dieser|von den|davon))?(?: (?:genannten|vier|fünf|drei|anderen))?"
        r"(?: (?:antworten|optionen|aussagen|möglichkeiten|bilder|figuren|antwortmöglichkeiten))?"
        r"|nicht alle"
    ),
    excluding=r"außer|bis auf|ausgenommen|mit ausnahme (?:von|der)|abgesehen von",
    excluding_after="",
    only=r"nur|ausschließlich|lediglich|allein|einzig",
    denied=(
        r"(?:aber |jedoch )?(?:nicht|(?:ist|sind|tut|tun|kann|können|hat|haben|passt|passen"
        r"|schwimmt|schwimmen) (?:es |das |dies |dagegen |hingegen |aber |jedoch )?nicht"
        r"|\w{3,12} (?:dagegen |hingegen |aber |jedoch )?nicht)"
    ),
    affirmed=r"(?:aber )?(?:schon|ja|doch|sehr wohl|sind es|ist es|tun es)",
    others=(
        r"(?:alle |die )?(?:anderen?|übrigen|restlichen)"
        r"(?: (?:beiden|zwei|drei|optionen|aussagen|antworten|möglichkeiten))?|der rest"
    ),
    refusal=(
        r"(?:es )?tut mir leid|leider (?:kann|ist|sehe|habe|fehl|liegt|wurde|lässt)\w*"
        r"|ich (?:kann|sehe|habe|weiß|erkenne|bin|darf)"
        r"(?: (?:das|die|den|dir|ihnen|dies\w{0,2}|dazu|hier|es|leider|jedoch|aber|auf|frage"
        r"|antwort|bild|bilder|abbildung|aufgabe|mir|so|ohne|darauf|in|dem|der))* (?:keine?n?"
        r"|nicht)\b|als (?:ki|sprachmodell|künstliche|ki-\w+)"
        r"|(?:nicht genug|zu wenig|unzureichende|keine ausreichenden|nicht genügend"
        r"|nicht ausreichend) (?:informationen|angaben|daten|kontext|details)"
        rf"|lässt sich(?: \w+){{0,5}}? nicht(?: \w+){{0,2}}? {_SOLVED}"
        r"|bitte (?:senden?|schicken?|laden?|stellen?|fügen?|geben?|gib|sende|lade)"
        r"|ohne (?:das |die |eine? )?(?:bild|abbildung|grafik|foto)\b|keine ahnung"
        rf"|nicht (?:eindeutig |sicher )?(?:zu )?(?:beantwort(?:en|bar)|bestimm(?:en|bar))"
        rf"|(?:kann|können)(?: \w+){{0,5}}? nicht (?:\w+ )?(?:{_SOLVED})(?: werden)?"
        r"|(?:kein|keine) (?:bild|abbildung|grafik|foto)\b|(?:es ist )?unmöglich,? (?:zu )?"
        r"(?:sagen|bestimmen|beantworten)|weiß (?:ich |es )?(?:leider )?nicht"
    ),
    declines=(
        r"identifizier(?:e|en|t)(?: (?:ich|wir|hier|grundsätzlich|generell)){0,2} (?:keine"
        r"|niemanden)|keine (?:\w+ )?(?:personen|menschen|gesichter)(?: [^.\n]{0,40})?"
        r" (?:identifizieren|benennen|erkennen)|"
        rf"{_SEEN}(?: \w{{1,15}}){{0,3}}? (?:(?:wurde|ist|wird"
        rf"|war)(?: \w{{1,10}}){{0,2}}? (?:nicht"
        r"|kein)|fehl(?:t|en)|nicht)"
        rf"|(?:kein|keine|keinen) (?:\w+ )?{_SEEN}|(?:es )?fehl(?:t|en)(?: \w+){{0,2}}?"
        rf" (?:das|die|der|ein|eine)? ?(?:\w+ )?(?:{_SEEN}|{_FACTS})"
        rf"|{_FACTS}(?: \w{{1,15}}){{0,2}}? (?:fehlen|reichen(?: \w+)? nicht|genügen nicht"
        r"|sind (?:un\w+|nicht)|unvollständig|reicht nicht)"
        rf"|(?:brauche|benötige|bräuchte|müsste)(?: ich)?(?: \w+){{0,3}} (?:{_SEEN}|{_FACTS})"
        rf"|(?:weitere|mehr|zusätzliche) {_FACTS}|(?:möchte|will|werde)(?: \w+){{0,3}} nicht"
        r" (?:raten|antworten)|enthalte mich|verzichte auf eine antwort|ich passe\b"
        r"|(?:nicht|un)lösbar|nicht entscheidbar|nicht beantwortbar|rate (?:ich )?nicht"
        r"|(?:könntest|könnten|kannst|können) (?:du|sie)(?: \w+){0,5}? (?:schicken|senden"
        r"|hochladen|anhängen|bereitstellen|teilen|beschreiben|einfügen)"
        r"|nicht lesbar|unleserlich|(?:lade|laden sie|füge|stelle|sende|schicke) bitte\b"
    ),
    the="der|die|das|den|dem",
    and_word="und",
    or_word="oder",
    open_text=r"unbekannt|(?:(?:das )?wei(?:ß|ss) ich|ich wei(?:ß|ss)(?: es)?) nicht|keine ahnung"
    r"|unklar|offen gelassen",
    blank_announce=(
        r"\b(?:fehlende|richtige|gesuchte|passende|korrekte)[rs]?\s+\w{3,20}\s+(?:ist|lautet"
        r"|heißt|wäre)\b(?:\s+(?:also|daher|somit|der|die"
        r"|das)\b)*"
        r"|\b(?:wort|begriff)\b[^.,;:\n]{0,50}?\s(?:ist|lautet|heißt)\b"
        r"|\b(?:wert|ergebnis|summe|produkt|länge|breite|höhe|fläche|flächeninhalt|volumen"
        r"|geschwindigkeit|masse|zahl|anzahl|winkel|umfang|wahrscheinlichkeit|entfernung|zeit"
        r"|temperatur|hauptstadt|name|preis|abstand)\b[^.,;:\n]{0,40}?\s(?:ist|beträgt|lautet"
        r"|heißt)\b(?:\s+(?:also|daher|somit|damit|folglich)\b)?"
        r"|\b(?!(?:frage|aufgabe|aufgabenstellung)\b)\w[^.,;:\n]{0,60}?\slautet\b"
        r"(?:\s(?:also|daher|somit|damit|folglich)\b)?|\bes fehlt (?:hier )?das wort\b"
        r"|\bin die (?:\w+ )?(?:lücke|leerstelle)\s(?:gehört|kommt|passt|muss)\b"
        r"(?:\s(?:also|daher|somit)\b)?(?:\s(?:das wort|der begriff|die zahl)\b)?"
        r"|\b(?:lücke|leerstelle) (?:ist|wird) mit\b|\beinzusetzen ist\b"
    ),
    blanks_announce=(
        r"(?:^|(?<=[\n.]\s))die\s+(?:\w+\s){0,2}?(?:werte|zahlen|wörter|antworten|lösungen"
        r"|begriffe|ergebnisse|nullstellen|lücken)\s(?:sind|lauten)\b"
        r"|\b(?:fehlenden|richtigen|gesuchten|passenden|korrekten)\s+(?:wörter|begriffe|zahlen"
        r"|werte|ausdrücke)\s+(?:sind|lauten)\b|\b(?:es )?fehlen (?:hier )?(?:die )?"
        r"(?:wörter|begriffe|zahlen)\b|\bin die lücken (?:gehören|kommen|passen)\b"
    ),
    contrast_text=(
        r"(?:(?:es|das) ist )?nicht\s[^.,;\n]{1,40},?\ssondern\s(?P<name>[^.,;\n]{1,40})[.!]?"
    ),
    against_text=r"(?:nicht\s)?[^.,;\n]{1,40},?\ssondern\s(?P<name>[^.,;\n]{1,40})",
    respectively="jeweils|der reihe nach|in dieser reihenfolge",
    called=(
        r"(?:es|das) (?:ist|heißt|lautet|wäre)|(?:das|es) nennt (?:man|sich)"
        r"|man nennt (?:das|es|ihn|sie|dies)|[^.,;\n]{2,40}\s(?:heißt|nennt man)"
    ),
    called_article="eine? |der |die |das ",
    names_text=(
        rf"(?:(?:also|daher|somit) )?(?:die|der|das|ihre?|seine?) (?!(?:[\w'-]+ ){{0,5}}?(?:{_SEEN}"
        rf"|{_FACTS}|fragen?|aufgaben?|texte?s?|satz|rest|regel|schritt)\b)(?:[\w'-]+ ){{1,6}}?"
        r"(?:(?:ist|war|sind|lautet|heißt|beträgt) "
        rf"(?=(?-i:[A-Z\u00c4\u00d6\u00dc\d([])|{_COLOR})|(?:hat|haben) die Farbe (?={_COLOR}))"
    ),
    measures=r"\b(?:ist|sind|beträgt|betragen|misst|lautet|ergibt)\s+",
    but_formula="sondern",
    sentence=(
        r"(?:der|die|das|dies\w*|es|eine?|hier|man)\b.{2,80}\s(?:ist|sind|beträgt|misst|wird"
        r"|werden|besteht|liegt)\s|(?:daher|somit|damit|dann|also)\s.{1,60}\s(?:ist|sind)\s"
        r"|(?:der|die|das|es|ich|wir|man|hier)\s(?:\S+\s){0,4}?(?:nicht|keine?[nrs]?)\s"
        r"|\S+(?:\s\S+){0,2}\s(?:ist|sind)\s(?:der|die|das|eine?)\s"
    ),
    text_in_doubt=r"\b(?:entweder|vielleicht|eventuell|möglicherweise|könnte)\b",
    remark_not="nicht|kein|statt|anstatt|ich |zuerst",
    remark_behind=(
        r"\s+(?:und nicht|statt|anstatt|anstelle von)\s[^,]{1,40}$"
        r"|\s*,\s*(?:und )?nicht\s[^,]{1,40}$"
    ),
    replaced_quote=(
        r"\bnicht\s(?:\"[^\"\n]{1,60}\"|'[^'\n]{1,60}')\s?,?\s(?:sondern|vielmehr)\s(?=[\"'])"
    ),
    talk=(
        r"^\s*(?:bitte|beachte[nt]?|achten?|siehe|merke)\s|\b(?:schwer|unmöglich"
        r"|schwierig) zu\b|\b(?:unvollständig|unklar|fehlt|könnte)\b"
        r"|^\s*(?:um (?:die|das|den|diese)|zuerst|zunächst|lass(?:t|en)?|wir|ich)\s"
    ),
    text_still_open=r"(?:oder|nicht|fehlt|unklar)\b\s*[\"']",
    blank_noun="wort|begriff|ausdruck|zahl",
    before_quote=(
        "setze|setzt|trage|ist|sind|mit|durch|lautet|lauten|heißt|gehört|kommt|passt|gehören"
        "|kommen|muss"
    ),
    write="schreibe|schreibt man|setze|setze ich|setzt man|trage|ich setze",
    behind_quote=(
        r"(?:ein|eingesetzt|eingetragen|ergänzt|einsetzen|schreiben|stehen|lauten|heißen|sein"
        r"|hinein|rein|ausgefüllt|gefüllt|(?:(?:mm|cm|m|km|g|kg|jahre) )?(?:lang|breit|hoch"
        r"|schwer|groß|alt))"
    ),
    reads_text=r"\b(?:steht|lautet|zeigt|besagt|heißt)",
    section_name=(
        r"(?:schritte?|analyse|erklärung|begründung|lösung(?:sweg)?|beobachtung|hinweis|ansatz"
        r"|gegeben|gesucht|fazit|zusammenfassung|rechnung|probe|beispiel|frage|aufgabe|antwort"
        r"|abbildung|formel|teil|fall)\b"
    ),
    task_noun="(?:fragen?|aufgaben?|aufgabenstellung|anweisung)",
    interjection="tut mir leid|nun|also|hm+|ok(?:ay)?|ja|nein|gute frage|unklar|entschuldigung",
    called_sentence=(
        r"[^.!?\n]{2,120}?\s(?:heißt|heißen|nennt man|bezeichnet man als)(?: auch)? "
        r"(?:(?:eine?n?|de[rn]|die|das) )?(?P<name>[^.,;:!?\n]{1,40})[.!]?"
    ),
    because_only=r"weil",
    blank_word=(
        r"\b(?:wort|wörter|begriffe?|lücken?|leerstellen?|einsetzen|einzusetzen|eingesetzt"
        r"|ergänz\w*|fehl\w*|schreib\w*|ausgefüllt|gefüllt|setze?t?|hinein|stehen)\b"
    ),
    fills=r"\s(?:ein|eingesetzt|einzusetzen|sein|lauten|eingetragen|hinein)",
    says_what=(
        r"\s(?:ist|sind|heißt|heißen|lautet|lauten|beträgt|nennt man|nennt sich|gehört|kommt)"
        r"(?:\s(?:der|die|das|eine?n?|also|somit|daher))?\s+"
    ),
    abbreviated_heading="antw|lsg",
    before_number="lücke|leerstelle|feld",
    ordinal=(
        r"(?P<first>erste[nrs]?|1\.(?=\s(?:lücke|wort|leerstelle)))"
        r"|(?P<second>zweite[nrs]?|2\.(?=\s(?:lücke|wort|leerstelle)))"
        r"|(?P<third>dritte[nrs]?|3\.(?=\s(?:lücke|wort|leerstelle)))"
        r"|(?P<fourth>vierte[nrs]?)|(?P<fifth>fünfte[nrs]?)"
    ),
    gap="lücken?|leerstellen?|wort|wörter|begriffe?|feld|zahl|antwort",
    fills_blank="ist|sind|lautet|heißt|gehört|kommt|passt|wird mit|muss|steht",
    in_blank="in|für|bei",
    the_blank="der|die|das|den|dem",
    blank_before="lücke",
    and_second="und|während",
    and_short="und",
    trailing="und|während|sowie",
    counts_in_words=(
        r"\b(?:es gibt|gibt es|insgesamt|zusammen|zähle|sind es|es sind|ich sehe|man sieht"
        r"|abgebildet sind)\b"
    ),
    numerals=f"null _ {_TO_NINETEEN}",
    units=f"null eins {_TO_NINETEEN}",
    more_numerals=f"ein=1,eine=1,{_LARGE}",
    more_counted=_LARGE,
    total_article="die |das ",
    total_heading="summe|gesamt(?:zahl|summe|ergebnis)?|anzahl|insgesamt|zusammen",
    ten_and="und",
    and_number="und",
    before_option_number=r"nr\.",
    option_named=r"\b(?:option|antwort|nummer|bild|figur|möglichkeit|variante|aussage|nr\.)",
    number_word=r"nr\.|nummer",
    nth=(
        r"(?<![A-Za-z\u00c0-\u024f])(?:(?:die|das|der|den|"
        "dem) )?(?:(?P<first>erste[snr]?)|(?P<second>zweite[snr]?)|"
        "(?P<third>dritte[snr]?)|(?P<fourth>vierte[snr]?)|(?P<fifth>fünfte[snr]?)|"
        "(?P<last>letzte[snr]?)) (?:option|antwort|antwortmöglichkeit|möglichkeit|figur|"
        "bild|aussage|variante|abbildung|foto|zeichnung|graph|diagramm|netz|"
        r"muster)(?![A-Za-z\u00c0-\u024f])|(?<![A-Za-z\u00c0-\u024f])(?:die|das|der|den|"
        "dem) (?:(?P<first>erste)|(?P<second>zweite)|(?P<third>dritte)|"
        r"(?P<fourth>vierte)|(?P<fifth>fünfte)|(?P<last>letzte))(?=\s*(?:[.!,:;\n]|$))"
    ),
    answer_key=(
        "antwort|antworten|losung|loesung|losungen|auswahl|wahl|ergebnis|buchstabe|endergebnis"
        "|antwortoption|entscheidung"
    ),
    answer_key_before="die|meine|richtige|richtigen|korrekte|finale|endgultige|end|beste|gewahlte",
    answer_key_behind="buchstabe|richtig|auswahl",
    ordinal_key=(
        "(?P<first>erste|luckea$)|(?P<second>zweite|luckeb$)|(?P<third>dritte)|(?P<fourth>vierte)"
        "|(?P<fifth>funfte)"
    ),
    answer_tag="antwort|lösung|endantwort|ergebnis",
    article_spaced="die |der |das ",
    one_option="option |antwort ",
    because_judged="weil|denn",
    judged=(
        r"\b(?:aussage|behauptung|satz|feststellung|these)\b[^.,;:!?\n]{0,60}?"
        r"(?:\bist\s+(?:(?:leider|hier|aber|somit|also)\s+)?(?P<n>nicht\s+)?(?:(?:also|daher"
        r"|somit|klar|eindeutig|damit|demnach|folglich|mithin)\s+)?"
        r"(?:(?P<t>wahr|richtig|korrekt|zutreffend)|(?P<f>falsch|unwahr|inkorrekt|unzutreffend))"
        r"|\b(?P<t>stimmt)(?P<n>(?:\s(?:also|so|daher))?\snicht)?"
        r"|\btrifft\s(?:also\s|daher\s)?(?P<n>nicht\s)?(?P<t>zu))"
    ),
    reason=rf"weil|denn|während|und|aber|{_DA}",
    at_first=r"\b(?:zuerst|zunächst|anfangs|ursprünglich)\b",
    offered_before="die|mögliche",
    offered="optionen|antwortmöglichkeiten|auswahlmöglichkeiten|möglichkeiten",
    each_one=r"\b(?:jede|pro)\s",
    is_called=r"ist\s(?:die\s)?",
    no_word="nein",
    because=rf"\b(?:weil|denn|{_DA})\b",
    contrast="aber|jedoch|sondern|allerdings|dagegen|doch",
    relative="die|der|das|welche[rs]?",
    says_which=r"\b(?:ist|sind|wären|lautet|lauten)\s*:?\s+",
    concluded=rf"{_ALSO}|somit|daher|folglich|demnach|deshalb",
    no_answer_subject=(
        r"\b(?:schlechteste|zweitbeste|unwahrscheinlichste)\w*\b|\b(?:ähnlich\w*|optionen"
        r"|buchstaben?|punkte?|übrig\w*|verbleib\w*|kandidaten|möglich\w*|vergleich\w*|oben|unten"
        r"|gezeigt\w*|betracht\w*|nachbar\w*|eckpunkte?)\b"
    ),
    and_part=r"\bund\b",
    negation=r"\b(?:nicht|keine?[nrsm]?|nie|niemals|ohne|weder)\b",
    relation=(
        r"\b(?:gleich\w*|ähnlich\w*|identisch\w*|verschieden\w*|unterschied\w*|möglich\w*"
        r"|übrig\w*|verbleib\w*|benachbart\w*|kandidaten|optionen|welche\w*|nebeneinander)\b"
    ),
    all_before="sowohl|beide|die|der|das",
    instead=r"(?<![A-Za-z\u00c0-\u024f])(?:(?:ist |sind )?nicht)\s",
    not_only="nur|bloß|lediglich",
    but_rather=r"sondern\s(?!auch)",
    because_clause=rf"(?:weil|denn|{_DA})\b",
    not_label="nicht",
    but_label="sondern ",
    left_before=(
        r"\b(?:(?:es )?bleib(?:t|en)(?: also| daher| somit| damit| mir| uns)*(?: nur)?(?: noch)?"
        r"(?: übrig:?)?|übrig (?:bleib(?:t|en)|ist|sind))\s*"
    ),
    left_behind=r"(?:bleib(?:t|en)\b|sind übrig|übrig)",
    may_be_too=(
        r"\b(?:könnte|kann)(?: es| aber| jedoch)* (?:auch|ebenso(?: gut)?|genauso(?: gut)?)"
        r"|oder vielleicht|vielleicht (?:aber )?auch"
    ),
    may_be_behind=r" (?:könnte|kann) (?:es )?(?:aber )?(?:auch|ebenso|genauso)\b",
    clause_begins="sondern|aber|jedoch|während",
    was=r"\bwar\b",
    elsewhere=(
        r"\b(?:vorherig\w*|letzte[nrms]|gestern|andere[nrm]|(?:frage|aufgabe|beispiel) \d+)\b"
    ),
    turns=r"\b(?:aber|jedoch)\b",
    said_by=r"(?:[^\W\d_]{1,12}\s){0,2}?(?:sagt|sagte|behauptet|meint|meinte|schreibt|schrieb)\b",
    said_wrong=r"(?:ist|war)\s(?:\w+\s)?(?:falsch|unwahr|nicht richtig|ein fehler)",
    drawn=rf"\b(?:daher|somit|folglich|deshalb|demnach|{_ALSO})\b",
    supposed_before="aber|und",
    supposed=(
        rf"wenn(?! (?:man|wir|du|sie|ich)\b)|wenn (?:man|wir|du|ich)\b.{{0,80}}\bwäre\b|{_FALLS}"
        r"|angenommen\b|sollte\b|wäre\b|hätte\b|sofern\b"
    ),
    by_way_of="durch |per ",
    rejected=(
        r"ausgeschlossen|eliminier|gestrichen|verworfen|falsch|unpassend|nicht\b|unwahrscheinlich"
    ),
    trap=(
        r"(?:häufig|typisch|klassisch|beliebt|verbreitet)e[rns]? (?:fehler|irrtum|falle)"
        r"|\bablenker|\bim (?:\w+ )?beispiel\b"
    ),
    condition=(
        rf"(?:aber )?nur (?:wenn|{_FALLS}|unter|in)|wenn|{_FALLS}|sofern|vorausgesetzt"
        r"|es sei denn|außer wenn|angenommen"
    ),
    list_words=r"\bund\b|\bdann\b",
    unfinished_and=r"\bund",
    or_to=r"oder\b|bis\b",
    cell_in_words=(
        r"(?:in )?(?:zeile|reihe)[\s:=]{1,3}\d{1,18}\s?,?\s?(?:und\s)?spalte[\s:=]{1,3}\d{1,18}"
    ),
    cue="antwort(?:en)?|(?:end)?ergebnis|lösung|reihenfolge",
    cell_name="zellen?|felder?",
    cue_is=r"\b(?:ist|sind|lautet|lauten|liegt|befindet sich)\b:?",
    no_difference=(
        r"\b(?:gleich\w*|identisch\w*|unverändert|übereinstimm\w*|beide[ns]?"
        r"|kein unterschied)\b"
    ),
    or_answer=r"\boder\b",
    doer="ich|wir|lass uns|lasst uns",
    not_these=r"\b(?:nicht|keine?[nrs]?|fehl\w*|außer|ohne)\b",
    article_announced="die|der|das",
    any_article="der|die|das|den|dem|des|eine?[nmrs]?",
    article_before="eine?[nmrs]?|der|die|das|den|dem",
    degrees="grad",
    degree_stem="grad",
    true_texts=(
        "wahr/richtig/korrekt/stimmt/das stimmt/es stimmt/ist wahr/es ist wahr/ist richti"
        "g/das ist wahr/das ist richtig/trifft zu/das trifft zu/zutreffend/das ist korrek"
        "t/das ist zutreffend/es trifft zu/das ist der fall"
    ),
    false_texts=(
        "falsch/unwahr/nicht wahr/nicht richtig/stimmt nicht/das stimmt nicht/ist falsch/"
        "das ist falsch/es ist falsch/trifft nicht zu/das trifft nicht zu/unzutreffend/in"
        "korrekt/das ist nicht wahr/das ist nicht richtig/das ist unwahr/das ist inkorrek"
        "t/es stimmt nicht/nein, das stimmt nicht/das ist unzutreffend/das ist nicht korr"
        "ekt/das ist nicht der fall"
    ),
    yes_texts="ja/jawohl",
    no_texts="nein/nee",
    follower="weil|denn|ist|sind|und|oder|aber|nicht|passt|bis|auch|scheidet|stimmt|sowie|als",
    verdict_follower="ja|nein|wahr|falsch|richtig|korrekt|passt|stimmt",
    named_thing=(
        r"(?<![A-Za-z\u00c0-\u024f])(?:punkte?s?|geraden?|strecken?|seiten?|winkels?|kanten?"
        r"|ecken?|kreise?|vitamine?|klassen?|hepatitis|haus|person|stadt|typ|gruppe|knoten)"
    ),
    list_ends=r"\b(?:sind|stimmen|passen|treffen|gelten|scheiden|waren|bleiben)\b",
    it_is="es ist",
    link_article="die|der|das",
    because_lead=rf"weil|denn|{_DA}",
    abbreviations="[Bb]zw|Abb|Nr|vgl|usw|ca|ggf|evtl",
    inner_stop=(
        r"(?<=\b[Zz]\.)(?=\sB\.)|(?<=\b[Dd]\.)(?=\sh\.)|(?<=\b[Zz]\. B\.)(?=\s\S)"
        r"|(?<=\b[Zz]\.B\.)(?=\s\S)|(?<=\b[Dd]\. h\.)(?=\s\S)|(?<=\b[Dd]\.h\.)(?=\s\S)"
        r"|(?<=\b(?:bzw|ggf|vgl)\.)(?=\s\S)|(?<=\b(?:Nr|ca)\.)(?=\s\d)|(?<=\bAbb\.)(?=\s\d)"
    ),
    explains=(
        r"(?:d\.\s?h\.|z\.\s?B\.)|das heißt\b"
        r"|genauer(?: gesagt)?\b|und zwar\b"
        r"|(?:was|das) (?:sind|ist|entspricht)\b|also (?:etwa|rund|ungefähr)\b"
    ),
    approximately=r"(?:ungefähr|etwa|rund|zirka)",
    dimension=(
        r"(?:tief|lang|breit|hoch|dick|alt|groß|weit|voll|in der (?:länge|breite|höhe|tiefe))\b"
    ),
    behind_amount="in|im|an|am|auf|bei|über|unter|vom|von|vor|entfernt",
    of_amount=r"\b(?:von|auf|zeigt|hat|misst|enthält|zähle|sehe|ist|sind)",
    no_total=r"(?:weitere\w*|mehr|weniger|andere\w*|mal|der|von|oder|bis|und|pro)\b",
    compared=r"\b(?:als|alle|innerhalb|sollte\w*|müsste\w*|wäre\w*|unterschied\w*)\b",
    unit_names=(
        "m=metern/meter,km=kilometern/kilometer,cm=zentimetern/zentimeter"
        ",mm=millimetern/millimeter,m^(2)=quadratmeter,cm^(2)=quadratzentimeter,m^(3)=kubikmeter"
        ",cm^(3)=kubikzentimeter,g=gramm,kg=kilogramm,mg=milligramm,L=liter,mL=milliliter"
        ",s=sekunden/sekunde,min=minuten,h=stunden/stunde,%=prozent"
        ",yr=jahren/jahre/jahr,d=tage/tag,t=tonnen/tonne"
    ),
    per_unit=r"\s*\bpro\b\s*",
    unfinished_word="der|das|eine?|und|dem|von|dass|im",
    equals=r"\b(?:ist|beträgt|ergibt)\s",
    hedge_equation=r"\b(?:nicht|oder|wenn|könnte|vielleicht)\b",
    taken_back=(
        r"[^.!?。\n]{0,60}?\b(?:aber|doch|jedoch)\s[^.!?\n]{0,30}?\b(?:nicht|keine?[nrs]?)\b"
    ),
    means=r"\bbedeutet\b(?:,? dass)?",
    but_is=r"\baber\b[^.,;:\n]{3,60}\b(?:ist|sind)\s+(?:(?:der|die|das|eine?)\s+)?",
    function_word="der|die|das|ein|eine",
    roughly=(
        r"\b(?:etwa|ungefähr|circa|rund|mehr als|weniger als|über|unter|fast|knapp|mindestens"
        r"|höchstens|zwischen)"
    ),
    or_number="oder|bis",
    described=(
        r"\b(?:jede\w*|einzeln|nacheinander|der reihe nach|die (?:optionen|antworten))\b"
        r"[^.:\n]{0,40}:"
    ),
    introduced=(
        r"\b(?:betrachten|prüfen|schauen|gehen|sehen|untersuchen|analysieren) wir\b"
        r"|\b(?:ich (?:prüfe|betrachte|gehe)|schauen wir|sehen wir)\b"
    ),
    then_lead=r"(?:zuerst|zunächst|dann|danach|nun|jetzt),?\s+",
    because_answer=rf"(?:weil|denn|{_DA})\b",
    committed=r"\brichtig|\bkorrekt|\bantwort|\blösung|\bwahr\b|\bstimmt",
    the_label="die|der|das",
    rest_right=(
        r"\b(?:die (?:anderen|übrigen|restlichen)(?: \w+)?|der rest|alle (?:anderen|übrigen))"
        r" (?:(?:sind|ist) (?:alle )?(?:richtig|korrekt|wahr)|stimm(?:t|en)|treffen zu"
        r"|trifft zu)(?! nicht)"
    ),
    except_for="außer|bis auf|mit ausnahme (?:von|der)|abgesehen von|ausgenommen",
    except_article="der|die|dem|von",
    except_noun="option(?:en)?|aussagen?|antwort(?:en)?|bild|figur",
    quantified=(
        r"\b(?:alle[sn]?|jede[rs]?|der rest|die (?:anderen|übrigen|restlichen)|keine[rs]?"
        r"|nichts)\b"
    ),
    filling=r"\b(?:der|von|den)\b",
    none_of=r"\b(?:keine[rs]?|nichts)\b",
    all_wrong=(
        r"\b(?:falsch\w*|inkorrekt\w*|unzutreffend\w*|ausgeschlossen|unmöglich|ungültig|scheiden"
        r"|unpassend)\b"
    ),
    all_right=(
        r"\b(?:richtig\w*|korrekt\w*|wahr|zutreffend\w*|stimm(?:t|en)|pass(?:t|en)|treffen|trifft"
        r"|gelten|gilt|entsprech\w*|entspricht|infrage)\b"
    ),
    all_denied=r"\b(?:nicht|keine?[nrs]?|nichts|nie)\b",
    all_open=r"\b(?:wenn|könnten?|vielleicht|eventuell)\b",
    right_stem="richtig|korrekt|wahr|stimm|zutreff|treffen|passen",
    are_right="(?:sind|ist) (?:richtig|korrekt|wahr)",
    goes_on=(
        rf"weil|denn|{_DA}|und|aber|sondern|statt|nicht(?= \(?[A-Z]\b)|für (?:richtig|korrekt"
        rf"|wahr|die)|sein|wählen|nehmen|sagen|ankreuzen|übrig"
        r"|hin|entscheiden|tippen|heißen|lauten|gewählt|markieren|antworten|plädieren|bleiben"
        r"|infrage|in frage|stimmen|(?:an|zu)(?=\s*(?:[.,;!\n]|$))|handeln|fortgesetzt"
        r"|vervollständigt|ergänzt|am besten|als antwort|fest|tendieren"
        r"|gemeint|nennen|angeben|festlegen"
    ),
    broken_off="und|oder",
    hedged_more=(
        r"[^.;!?。\n]{0,25}?\b(?:vielleicht|eventuell|möglicherweise|womöglich)\s+(?:auch\s+)?"
    ),
    but_not="aber|und|jedoch",
    both_before="sowohl|beide",
    the_capital="[Dd]ie|[Dd]as|[Dd]er",
    from_label=r"[Vv]on\s(?=[A-Z]\sbis\s)",
    option_lead="die|der|das|meine|richtige|korrekte",
    label_number=r"nr\.|nummer",
    and_list="und",
    right_mark="(?<!nicht )richtig|(?<!un)wahr|ja|(?<!nicht )passt|stimmt|trifft zu|zutreffend",
    wrong_mark=(
        "falsch|inkorrekt|nein|unwahr|nicht richtig|nicht korrekt|scheidet aus|unzutreffend"
        "|ausgeschlossen|(?:passt|stimmt|geht|möglich)(?: \\w+)? nicht|trifft nicht zu"
        "|nicht möglich|nicht passend|passt (?:hier |auch )?nicht"
    ),
    answers_right="ja|richtig|wahr|korrekt|stimmt",
    answers_wrong="nein|falsch|unwahr|inkorrekt|stimmt nicht|passt nicht",
    right_side="Richtige?|Wahre?|Korrekte?|Zutreffende?|Ja",
    wrong_side="Falsche?|Unwahre?|Inkorrekte?|Nicht zutreffend|Nein",
    hedge=r"\b(?:könnten?|scheint|vielleicht|eventuell|möglicherweise)\b",
    user_turn="NUTZER|Nutzer|BENUTZER|Benutzer",
    assistant_turn="ASSISTENT|Assistent",
    next_question="(?:Nächste )?Frage|FRAGE|Aufgabe",
    number_mark=r"Nr\.",
    count_sentence=(
        r"\b(?:(?:ich|wir) (?:zählen?|sehen?|erkennen?)|sehe ich|(?:bild|figur|grafik|abbildung)"
        r" (?:zeigt|enthält)|zahl der [a-zäöüß -]{2,30} (?:ist|beträgt)|zähle ich|es gibt"
        r"|gibt es|es sind|sind es|insgesamt"
        r"|gezählt|zusammen|zu sehen|zu erkennen|befinden sich|abgebildet sind)\b"
    ),
    count_open=(
        r"\b(?:oder|etwa|ungefähr|circa|fast|zwischen|mehr als|weniger als|mindestens|höchstens"
        r"|vielleicht|nicht"
        r"|keine?[nrs]?|jede[rsnm]?|zeilen?|spalten?|reihen?|arten)\b"
    ),
    count_about=r"\b(?:oder|etwa)\b",
    who_counts="ich |wir |sehe |bild |figur |grafik |abbildung ",
    also_counted=r"\b(?:und|aber|auch|sowie|einige)\b",
    total=r"\b(?:insgesamt|zusammen|gesamt|summe)\b",
    total_doubt=r"\b(?:oder|etwa|ungefähr|vielleicht|nicht|keine?[nrs]?)\b",
    number_link="ist|von",
    things=("NODES=knoten,EDGES=kanten?,CIRCLES=kreise?,TRIANGLES=dreiecke?,SQUARES=quadrate?"),
    lead_doubt=r"\b(?:aber|jedoch|allerdings|nicht sicher)\b",
    predicate=r"\b(?:sind|ist)\s*:?\s+",
    set_noun=r"\b(?:farben?|formen?|figuren?)\b",
    part_of_picture=(
        r"\b(?:fehl\w*|andere\w*|außer|erste\w*|links|rechts|oben|unten|hintergrund|haupt\w*)\b"
    ),
    announced_article="die|der|das",
    place_names=r"ABOVE=\b(?:über|oberhalb|darüber)\b,BELOW=\b(?:unter|unterhalb|darunter)\b",
    cell_lead=(
        r"\b(?:also|das heißt|d\.\s?h\.|sprich|nämlich|(?:liegt|steht|ist|befindet sich) (?:in"
        r"|auf|bei))"
    ),
    only_behind=r"allein\b",
    met_by=r"\b(?:erfüll|einhäl|beachte|befolg|zeig|triff|gil|pass|stimm)(?:t|en)",
    only_in="auf|bei|in|für",
    code="de",
    small_words=(
        "der die das den dem des ist sind und ein eine einen einem einer es im auf mit von zu zum"
        " zur hat haben wird werden nicht ich man also laut zeigt beträgt bei aus für wir sich"
    ),
    group_marks=". ",
    cardinals=_CARDINALS,
    scales=(
        "hundert=100,tausend=1000,million=1000000,millionen=1000000,mio=1000000,milliarden=1000000000"
    ),
    scale_and="und",
    one_thing=r"\b(?:nur|genau|lediglich|bloß) eine?[nrsm]?\b|\beine? einzige[rsn]?\b|^eine?s?\b",
    one_article=r"eine?[nrms]?",
    bound=(
        r"\b(?:mindestens|sollten?|müssten?|wenigstens|höchstens|maximal|minimal|(?:mehr|weniger"
        r"|größer|kleiner|höher"
        r"|anders) als|über|unter|zwischen|bis zu|irgendwo|statt|anders als|von \d[\d.,]* bis)\b"
    ),
    bound_behind=r"oder (?:mehr|weniger|so)\b|\+",
    numbered_noun=(
        r"(?:bild(?:er)?|abb\.|abbildung(?:en)?|zeilen?|spalten?|reihen?|schritte?|seiten?|fragen?"
        r"|tabellen?|linien?|räume?|zimmer|kapitel|abschnitte?|tage?|wochen?|gruppen?|teile?"
        r"|spieler"
        r"|stufen?|optionen?|punkte?|klassen?|balken|nummer|nr\.|figuren?|aufgaben?|gleis|bus"
        r"|quartal"
        r"|größe|feld|fall|winkel|übung|haus)"
    ),
    percent=r"\bprozent\w*|%|\banteil",
    year_lead=r"\b(?:im jahre?|in|seit|für|von|jahr|bis|ab|vom jahr)",
    below_zero=r"\bminus",
    below_zero_behind=r"unter (?:null|dem gefrierpunkt)",
    part_behind=(
        r"(?:weitere\w*|mehr|weniger|andere\w*|zusätzliche\w*|mal (?:so|mehr)|davon|von (?:ihnen"
        r"|diesen|den)"
        r"|übrige\w*)\b"
    ),
    part_lead=(
        r"(?:davon|darunter|von (?:diesen|ihnen|denen)|zum vergleich|im vergleich|gegenüber"
        r"|verglichen)\b"
    ),
    adds_up=(
        r"\b(?:macht|ergibt|ergeben|gibt|beträgt|kommt auf|bleiben|antwort|ergebnis|lautet|das "
        r"sind|sind es|sind das|(?:anstieg|zunahme|unterschied|differenz|rückgang|erhöhung) "
        r"(?:von|um))\b"
    ),
    no_value=(
        r"\b(?:kein\w*|nicht) (?:\w+ )?(?:zahl|wert|angabe|zahlenwert|betrag|ablesen|nennen"
        r"|angeben|raten"
        r"|schätzen|bestimmen|erkennen|zählen|festlegen|sagen|lesbar|ablesbar|erkennbar)\b"
        r"|\b(?:zahl|wert|angabe|betrag) (?:\w+ ){0,4}nicht\b|\bohne (?:eine )?(?:angabe|zahl)\b"
    ),
    hanging=(
        r"\b(?:der|die|das|den|dem|eine?|und|oder|ist|sind|mit|von|zu|also|gleich|beträgt|etwa"
        r"|für|im)"
    ),
    ordinal_lead="der|die|das|den|dem|des|im|am|zum|vom|beim|ab",
    all_word=r"\balle[sn]?\b",
    copula=r"\s*(?:ist|sind|war|waren)\b",
    whereas="während|wohingegen|im gegensatz zu|anders als",
    ends_only=r"\sallein\b",
    last_verb=(
        "(?:zu (?:sehen|erkennen|finden)|abgebildet|dargestellt|gezeigt|vorhanden|"
        "enthalten|richtig|korrekt)"
    ),
    last_article="(?:die|der|das|in|auf|nur)",
    undecided=(
        r"\b(?:kandidat\w*|möglich\w*|unsicher|unklar|schwank\w*|vergleiche|ähnlich\w*|"
        r"in frage|zur auswahl|prüf\w*|schau\w* (?:wir|ich)|betracht\w*|brauch\w*|"
        r"benötig\w*|schwer zu|zwischen)\b"
    ),
    shows=(
        "(?:zeig(?:t|en)|stell(?:t|en)|enthält|enthalten|bildet|erfüll(?:t|en)|pass(?:t|"
        r"en)|ergänzt)\b"
    ),
    claimed=(
        r"\b(?:behauptet|behauptete|meint|meinte|glaubt|glaubte|schreibt|schrieb|sagt|"
        "sagte|vermutet|tippt)(?:,? dass)?"
    ),
    leaves_one=(
        r"\bbleibt (?:\w+ ){0,3}?(?:ein[es]?|eines|eins|einer|eine)\b|"
        r"\bnur (?:noch )?ein[es]?s? (?:\w+ )?(?:übrig|bleibt)"
    ),
    double_s="ss|ß",
    denominators=(
        "drittel=3,viertel=4,fünftel=5,sechstel=6,siebtel=7,achtel=8,neuntel=9,zehntel=10"
        ",zwölftel=12,zwanzigstel=20,hundertstel=100"
    ),
    one_of_parts="ein",
    half_alone="die hälfte|zur hälfte",
    halves=(
        "anderthalb=1.5,eineinhalb=1.5,zweieinhalb=2.5,dreieinhalb=3.5,viereinhalb=4.5"
        ",fünfeinhalb=5.5,sechseinhalb=6.5,siebeneinhalb=7.5,achteinhalb=8.5,neuneinhalb=9.5"
        ",zehneinhalb=10.5,elfeinhalb=11.5,zwölfeinhalb=12.5,dreiviertel=0.75"
    ),
    and_half="einhalb",
    dozens="(?:ein )?dutzend",
    half_dozen="(?:ein )?halbes dutzend",
    in_all=r"(?:also|das sind|das ist|umgerechnet|d\. ?h\.)",
    not_in_name="zu|dass|mit|für|wo|wenn|weil|ist|sind|nicht|als|wie|sich",
    denied_but="sondern(?: um)?|es ist|das ist",
    self_corrects="ich meine|äh|besser gesagt|vielmehr|oder besser|pardon",
    its=r"(?:sein|ihr)\w{0,2}\b|man erkennt",
    named_as=(
        r"\b(?:(?:wird|werden)(?: auch| oft| meist)?(?: als)?(?=[^.,;]{1,60}\s(?:genannt|"
        r"bezeichnet)(?!\w))|heißt|heißen|nennt (?:man|sich)(?: [^.,;]{1,20})?|(?:handelt|"
        "handelte) es sich(?: [^.,;]{1,40}?)?,? um|es handelt sich(?: [^.,;]{1,40}?)?,? um|"
        r"gehör(?:t|en)(?: \w+){0,2}? zu[mr]?|entspr(?:icht|echen)|bezeichnet man(?: "
        r"\w+){0,2}? als|(?:deute|weis)(?:t|n|en)(?: \w+){0,3}? auf|(?:spricht|sprechen)(?: "
        r"\w+){0,3}? für|besteh(?:t|en)(?: \w+){0,2}? aus|(?:ist|sind)(?: \w+){0,3}? aus|"
        r"stamm(?:t|en)(?: \w+){0,2}? (?:aus|von)|stell(?:t|en)|passen(?: \w+){0,2}? zu[mr]?|"
        r"erkenn(?:e|t|en)(?: \w+){0,2}? als|mach(?:t|en) (?:es|ihn|sie) zu[mr]?)\b"
    ),
    is_a=r"\b(?:ist|sind|war|waren|wäre|muss es(?: sich um)?|muss|kann nur|dürfte)\b",
    shows_it=(
        r"\b(?:zeigt|zeigen|spielt|trägt|hält|liegt|steht|lautet|benutzt|verwendet|spricht|"
        r"sieht man|sehen wir|findet man)\b"
    ),
    surely=(
        "(?:also|daher|somit|damit|folglich|demnach|deshalb|demzufolge|eindeutig|"
        r"offensichtlich|sicher(?:lich)?|mit (?:\w+ )?(?:Sicherheit|Wahrscheinlichkeit)|"
        "höchstwahrscheinlich|(?:sehr )?wahrscheinlich|vermutlich|wohl|zweifellos|"
        "tatsächlich|(?:ganz )?klar|genau|hier|dabei|hierbei|offenbar|nichts anderes als|"
        "ohne Zweifel|um|schließlich|letztlich|insgesamt|nur)"
    ),
    name_article="(?:der|die|das|den|dem|des|eine?|einen|einem|einer|eines|im|am|zum|zur)",
    name_preposition=(
        "in|im|auf|an|am|aus|von|vom|mit|zu|zum|zur|bei|beim|nach|für|unter|über|vor|hinter|"
        "neben|durch|gegen|um|als|wie"
    ),
    behind_name=(
        r"(?<=\s)(?:sein|hin|handeln|genannt|dar|an|bezeichnet|zu erkennen|zu sehen|"
        r"abgebildet|dargestellt)(?!\w)"
    ),
    describes_place=(
        "sehr|nicht|in|im|auf|an|am|bei|mit|von|vom|unter|über|vor|hinter|neben|zu|aus|so|"
        "nur|auch|noch|hier|dort|da|dann|etwas|viel|mehr|weniger|kaum|schon|gut|als|wie|dass|"
        "ob|weil|wo|was|jemand|einer der|eine der|eines der|Teil"
    ),
    describes_it=("(?-i:[a-zäöüß]+)|Tier|Gegenstand|Ding|Person|Mann|Frau|Bild|Art|Teil|Beispiel"),
    describes_behind=r"(?:(?-i:\s[a-zäöüß]+(?:t|en)))",
    name_denied=r"\b(?:könnten?|sein könnten?|scheint)\b",
    naming_doubt=(
        r"\b(?:\w+er als|neben|hinter|vor (?:dem|der|einem|einer)|ähnlich|fast|beinahe|zum "
        "beispiel|statt|anstelle|könnten?|würden?|wäre|hätte|scheint|auf den ersten blick|"
        "zunächst|zuerst|anfangs|manche|viele|einige|erinnert|wenn|falls|ob|entweder|anders "
        r"als)\b"
    ),
    refers_back=(
        "es|das|dies|dieser|diese|dieses|er|sie|jener|jene|jenes|man|was man (?:hier )?sieht"
    ),
    concludes_that=(
        r"also|(?:alles|all(?:es)? dies(?:e)?|das alles|dies(?:e)?)(?: \w+){0,3}? (?:deutet|"
        r"deuten|spricht|sprechen|zeigt|zeigen|weist|weisen|bedeutet)(?: \w+){0,2}?(?: darauf "
        r"hin| dafür)?,? dass|(?:anhand|aufgrund|auf grund|wegen|angesichts) (?:\w+ "
        r")?(?:dies\w+|der|des|all)[^,.;]{0,40}|man kann (?:also |daher |somit )?(?:schließen|"
        "sagen|davon ausgehen),? dass|ich (?:würde )?(?:denke|glaube|meine|schließe|vermute|"
        "sagen)(?: daraus| also| daher)?,? dass|daraus (?:folgt|ergibt sich|lässt sich "
        r"schließen),? dass|alles in allem|mit anderen worten|das heißt|d\. ?h\.|kurz(?:um| "
        "gesagt)|weshalb|sodass|so dass|daraus folgt|infolgedessen"
    ),
    no_doubt=(
        r"\b(?:kein(?:en)? zweifel|ohne (?:jeden )?zweifel|zweifelsohne|nichts anderes als|"
        r"nicht zu übersehen)\b"
    ),
    closing_remark=(
        "(?:ich )?hoffe|falls (?:du|sie)|wenn (?:du|sie)|lass(?:en sie)? (?:es )?mich|gern|"
        "sag(?:en sie)? bescheid|möcht"
    ),
    detail_noun=(
        r"\b(?:merkmale?|teile?|details?|hinweise?|unterschiede?|ausnahmen?|gründe?|"
        r"hintergrund|vordergrund|beschriftung|farben?|größe|form|frage)\b"
    ),
    last_one=r"d(?:er|ie|as|en) letzten?",
    summing_up=(
        r"\b(?:alles (?:zusammengenommen|zusammen|in allem)|zusammengenommen|"
        r"in (?:der )?summe|kurzum|kurz gesagt|im ergebnis|nimmt man (?:alles|beides|"
        r"das) zusammen)\b"
    ),
    points_back=(
        r"\b(?:also|daher|somit|demnach|folglich) ist (?:sie|er|es|diese[rs]?) (?:es\b|"
        r"gemeint|gesucht|d(?:ie|er|as) gesuchte)|\b(?:sie|er|es|"
        r"diese[rs]?) ist (?:es )?(?:also|daher|somit|demnach|folglich)(?: es\b| gemeint|"
        r" gesucht| d(?:ie|er|as) gesuchte|(?=, d(?:ie|er|as)\b))"
    ),
    is_case=(
        r"\b(?:das|dies) (?:ist (?:nur |genau )?(?:bei|in|auf)(?=[^.]{3,200}\bder fall\b)|"
        r"trifft (?:nur )?auf(?=[^.]{3,200}\bzu\b)|gilt (?:nur )?für|(?:sieht|"
        r"findet) man (?:nur )?(?:bei|in|auf))\b"
    ),
    some_of_them=(
        r"\b(?:zwei|drei|vier|fünf) (?:davon|von ihnen)\b|\bbei (?:zweien|dreien|vieren|"
        r"den anderen)\b"
    ),
    is_placed=r"\b(?:befinde[nt]\w* sich|zeig(?:t|en) sich|sieht man|liegt|liegen|steht|stehen)",
    abstains=(
        r"\b(?:enthalte ich mich|(?:ich )?enthalte mich|ich (?:möchte|"
        r"will) (?:lieber )?nicht antworten|ich antworte (?:lieber )?nicht)\b"
    ),
    also_called=(
        r"(?:auch|sonst|manchmal|mancherorts|regional|alternativ|in (?:manchen|einigen"
        r"|anderen) \w+)(?=[\s,:])"
    ),
    no_end="der|die|das|den|dem|des|eine?|einen|einem|einer|eines|im|am|vom|zum|zur|von|mit",
)
