"""English."""

from gfactor.scoring.extraction.language import Language

_NOUN = (
    r"(?:answers?|choices?|options?|solutions?|selections?|picks?|responses?|conclusion|verdict"
    r"|guess|letters?|results?)"
)
_KIND = (
    r"(?:(?:final|correct|right|best|true|proper|most \w{1,15}|logical|likely|matching|chosen"
    r"|only|valid|appropriate|missing|my|the|overall|single)\s+){0,4}"
)
_BE = (
    r"(?:(?:(?:would|must|should|will|has|have|can)(?: (?:therefore|thus|then|hence|clearly"
    r"|only|to"
    r"|have to)){1,2} be|is|are|was|would be|should be|must be|(?:has|have|would have) to be"
    r"|will be|to be"
    r"|can only be|ought to be)"
    r"(?:\s+(?:shown|given|found|listed|labell?ed|represented|depicted|illustrated|option)"
    r"\s+(?:in|by|as|under))?|=|->|→)"
)
_SURELY = (
    r"(?:clearly|therefore|definitely|indeed|also|thus|the only|both|all|then|actually|certainly)"
)
_PICTURE = (
    r"(?:figure|image|picture|shape|piece|one|object|tile|panel|symbol|item|element|pattern|cell"
    r"|drawing|statement|number|candidate|graph|diagram|chart|curve|circuit|description)"
)

_SEEN = (
    r"(?:images?|pictures?|diagrams?|graphs?|charts?|photo(?:graph)?s?|drawings?|maps?"
    r"|illustrations?|screenshots?|attachments?|plots?|(?<!of the )(?<!in the )figures?|tables?)"
)
_NOT_PART = "".join(
    f"(?<!{word} )" for word in ("of the", "in the", "last", "next", "second", "third", "final")
)
"""A missing piece of a puzzle is not a missing picture."""
_FACTS = r"(?:information|data|details?|context|facts|conditions?|premises?)"
_GIVEN = (
    r"(?:provided|given|included|attached|shown|available|visible|displayed|present(?:ed)?"
    r"|come through|loaded|load|uploaded|supplied|accessible|sent|shared|there\b)"
)
_SOLVED = (
    r"(?:answer|solve|determine|decide|resolve|deduce|infer|identify|compute|calculate|work out"
    r"|figure out|choose|pick|select)"
)
_TASK = (
    r"(?:questions?|problems?|tasks?|texts?|sentences?|passages?|blanks?|labels?|resolution|quality"
    r"|(?:hand)?writing|font|scan|captions?|contents?|reasons?|goal|aim|steps?|rules?"
    r"|issues?|context|situation|rest|view|answers?|options?|statements?|key|idea|trick|example)"
)
"""Nouns for the task itself, and for a step towards its answer."""
_NO_NAME = (
    r"(?:not|(?-i:un[a-z]+)|in(?:visible|complete|correct|valid|sufficient)|illegible|blurr(?:y"
    r"|ed)|missing"
    r"|hidden|absent|empty|blank|cut|cropped|covered|obscured|faded|visible|shown|given|provided"
    r"|labell?ed|drawn|marked|depicted|located|placed|(?:too|very|so|quite|as|also|still|only|just"
    r"|more|less|most|here|there|then|now|that|to|in|on|at|of|for|from|by|with|between|about)"
    r"|called|named|known as"
    r"|hard|difficult|easy|possible|impossible|similar|different|the same|correct|wrong|right"
    r"|clear|needed|required|known|important|(?-i:[a-z]+ing)|\w+n't)"
)
"""Words after a copula that name nothing."""

_UNITS_TEXT = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
_UNITS = _UNITS_TEXT.split()
_TENS_TEXT = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = _TENS_TEXT.split()
_CARDINALS = ",".join(
    [f"{word}={k}" for k, word in enumerate(_UNITS) if k != 1]
    + [
        f"{ten}={10 * k},a dozen=12,dozen=12" if k == 2 else f"{ten}={10 * k}"
        for k, ten in enumerate(_TENS, 2)
    ]
    + [
        f"{t}{j}{_UNITS[u]}={10 * k + u}"
        for k, t in enumerate(_TENS, 2)
        for u in range(1, 10)
        for j in "- "
    ]
)

LANGUAGE = Language(
    spaced=True,
    heading=rf"{_KIND}(?:{_NOUN}|ans\.?)(?:\s+letters?)?|(?<![^\n])(?:correct|true|right)"
    rf"|(?:true|correct|valid|right|supported) statements?(?=\s?:)"
    rf"|final(?=\s?:)|(?:selected|chosen)(?=\s?:)"
    r"|(?:best|closest|exact|only) (?:match|fit)(?=\s?:)|(?:majority|consensus)(?: vote)?(?=\s?:)"
    r"|decision(?=\s?:)",
    announce=(
        rf"{_KIND}{_NOUN}(?:\s+(?:here|now|to (?:this|the) (?:question|problem|puzzle|item)"
        rf"|for (?:this|the) (?:question|problem|puzzle|item)))?(?:,[^,.;:\n]{{1,60}},)?"
        rf"(?:,?\s+{_SURELY},?)?(?:\s*{_BE}|'s)|only (?:option|choice|answer)"
        r"|only (?:one|option|choice|answer|candidate|possibility)(?: (?:that|which)(?:'s| is))?"
        r"(?: still)? (?:left|remaining|standing)(?: over)? (?:is|would be)"
        r"|(?:correct|right|best|closest|only|most \w{1,15}) (?:answer|choice|option|match|fit"
        r"|completion|continuation|candidate|piece) (?:to|for|of|in|among|from) [\w' ]{2,50}?"
        r" (?:is|would be|must be)|(?:correct|right|best|closest|only) (?:match|fit|completion"
        r"|continuation|piece) (?:is|would be|must be)|(?:correct|right|best) one's"
        r"|(?:i|we|i'd|i'll|i would|i will|let's|i must|we must|we should|we can|please)?\s*"
        r"(?:choose|pick|select|go with|go for|opt for|settle on|settle for|vote for|mark"
        r"|conclude)"
        r"(?:\s+that)?(?:\s+it(?:'s| is))?"
        r"|(?:i'm|i am|we are)?\s*(?:choosing|picking|selecting|going with|going for|opting for"
        r"|settling on)"
        r"|(?:i|i'm|i am|i'll|i will|we|we'll|we're) (?:still )?(?:stick(?:ing)?"
        r"|stay(?:ing)?) (?:with|to)"
        r"|i(?:'ll| will)? stand by|(?<!to )keep(?:ing)?(?= (?:only )?\(?[A-Z]\b)"
        r"|(?:i|we)(?:'d| would| will|'ll)? (?:say|answer|guess|bet on|prefer|favou?r)(?: it(?:'s"
        r"| is))?"
        r"|(?:i|we)(?:'d| would|'ll| will)? (?:check|tick)(?= (?:(?:only|just|off|the) "
        r"|options? )"
        r"{0,2}\(?[A-Z]\)?(?: |,|\.|$))"
        r"|(?:i|we)(?:'m| am|'d| would|'re| are)? lean(?:ing)? towards?|(?:gets|has) my vote:?"
        r"|my (?:vote|bet|money|preference|guess)(?: goes)? (?:is|to|on|for)"
        r"|(?:correct|right|true|valid) (?:one|ones|is|are):?"
        r"|the one (?:that|which|we|i|you) [\w' ]{2,40}? is"
        r"|(?:is|are) (?:shown|given|found|listed|represented|depicted|illustrated) (?:in|by|as"
        r"|under)"
        r"|(?:chang|revis|updat|correct|switch)(?:e|es|ed|ing) (?:my|the|it|that)(?: final| first"
        r"| initial)? ?(?:answer|choice|response|selection|pick)?(?: (?:from )?\(?[A-Z]\)?)?"
        r" (?:to|for)"
        r"|switch(?:ing)? to"
        r"|(?:settled|landed|decided) on|(?:singles? out|identifies|confirms)"
        r"|(?:i|we)(?:'ve| have)? (?:chose|chosen|picked|selected|settled on|went with)"
        rf"|(?:correct|true|right|valid) statements? (?:is|are)"
        r"|following(?: \w{1,15})? (?:is|are) (?:all )?(?:correct|true|right|valid)"
        rf"|(?:the\s+)?(?:missing|next|odd|correct|right|best|remaining|matching|only"
        rf"|required)\s+"
        rf"(?:\w{{1,15}}\s+){{0,2}}{_PICTURE}(?:\s+out)?\s+{_BE}"
        rf"|(?:{_PICTURE}|{_NOUN})\s+(?:that|which)\s+[\w' ]{{2,50}}?\s+{_BE}"
    ),
    weak=(
        r"that(?:'s| is)(?: exactly)? the (?:one|figure|piece|shape|option|picture|image)"
        r" (?:in|labell?ed|marked|shown (?:in|as|by))|"
        r"it(?:'s| is| must be| has to be| should be| would be)|that(?:'s| is| must be)"
        r"|this (?:is|must be|points to|gives|leads to|yields|matches|corresponds to)"
        r"|(?:must|has to|should|would|will) be|leav(?:es|ing)(?: us with)?(?: only| just)?"
        r"|(?:therefore|thus|hence|so(?! (?:is|are|was|were|do|does)\b)|consequently)[,:]?"
        r"|(?:->|→|=>|⇒|∴)|(?:they|these|those) are"
        r"|(?:i|we) (?:think|believe|suspect)(?: that)?(?: it(?:'s| is))?"
        r"|(?:corresponds? to|matches|match) (?:option|choice|answer|description|statement|graph"
        r"|figure|picture)|namely|(?<!is )i\.e\.,?"
        r"|my (?:pick|answer|choice|vote|guess)\?"
        r"|(?:gives?(?: us| me)?|yields?|leads? (?:us |me |one )?(?:directly |straight )?to"
        r"|(?:we|i) (?:get|obtain|find)|arrives? at|(?:end(?:s|ed)?|wind) up (?:with|at)"
        r"|(?:come|comes|came) (?:down )?to|lands? on|points? (?:us |me )?to|continues with"
        r"|brings us to|takes us to|(?<!would )(?<!could )(?<!might )(?<!not )makes? it"
        r"|results? in)"
        r"|(?:which|that|and this) (?:corresponds to|is|matches|appears (?:in|as))|(?:we are"
        r"|we're|i am"
        r"|i'm) left with"
        r"|looks? like(?: it(?:'s| is))?"
        r"|(?:clearly|definitely|obviously|surely|probably|certainly|most likely|likely|yes)[,:]?"
        r"|by (?:(?:a |the )?process of )?(?:elimination|exclusion)[,:]?"
        r"|(?:in (?:summary|conclusion|short|sum|the end)|overall|finally|ultimately|all in all"
        r"|to (?:conclude|sum up|summari[sz]e))[,:]|got(?:ta| to) be"
    ),
    points=(
        r"(?:(?:indicat|signal|confirm|suggest|support|favou?r)(?:e?s|e|ing)?|impl(?:y|ies)|forces?"
        r"|identif(?:y|ies)|point(?:s|ing)? (?:to|towards?)|speaks? for)"
        r"(?: that)?(?: it(?:'s| is| must be| has to be))?"
        r"|(?:i|we)(?:'d| would| will|'ll| have|'ve)? (?:tick|circle|underline|highlight)(?:ed)?"
    ),
    filler=(
        r"none other than|the|options?|choices?|letters?|answers?|clearly|therefore|thus|then"
        r"|probably|most likely"
        r"|likely|definitely|obviously|indeed|simply|just|only|that|is|it|it's|as follows|both"
        r"|figure|image|picture|number|item|labell?ed|marked|statements?|now"
    ),
    option=(
        r"options?|choices?|answers?|letters?|statements?|alternatives?|items?|figures?|pictures?"
        r"|images?|panels?|tiles?|candidates?|graphs?|diagrams?|descriptions?|(?:one|piece"
        r"|shape) (?:labell?ed|marked|lettered)"
    ),
    right=(
        r"(?:(?:as )?(?:the|our|my) (?:(?:only|one|final|most|clear) ){0,2}(?:correct|right|best"
        r"|valid|appropriate|logical|winning)(?: (?:answer|choice|option|one|match|pick))?"
        r"(?=\s*(?:[.!\n)]|$))|as (?:the|our|my)(?: final)? (?:answer|choice|pick)"
        r"|correct(?=\s*(?:[.!\n]|$))"
        r"|(?:is|must be) the (?:one|option|choice|piece|figure|tile|picture|shape|answer)"
        r" (?:that |which )?(?:you|we|i)(?:'re| are|'m| am)? (?:want|need|looking for|after"
        r"|asked for"
        r"|seek)(?=\s*(?:[.!,\n]|$))|(?:is|are|must be|should be|has to be|would be|(?:seems?"
        r"|appears?|looks?|sounds?|feels?)(?: to be)?)"
        r"(?:\s+(?:clearly|therefore|thus|definitely|indeed|also|then|both|all|obviously"
        r"|certainly"
        r"|the|a|an|only|most|my|our|one|single|two|three|four|final|of)){0,4}"
        r"\s+(?:correct|right|true|best|better|valid|appropriate|logical|suitable"
        r"|(?<!both )(?<!all )(?<!equally )(?:plausible|likely|reasonable|convincing)"
        r"|fitting|consistent|answers?|match|solution|choice|accurate|fit)"
        r"(?:\s+(?:answers?|options?|choices?|ones?|match|solution|statements?|picture"
        r"|figure|image"
        r"|shape|piece|pick|fit|candidate|conclusion|inference|explanation|interpretation"
        r"|ending))?(?: too| as well| also)?(?=\s*(?:[.,;:!)\n—–-]|$|\s(?:because|since|as|here"
        r"|and|so|for"
        r"|but"
        r"|while|whereas|given|to|due)\b))"
        r"|(?:fits?|match(?:es)?|suits?|works?|does) (?:much |far |clearly )?(?:better|best)"
        r"(?=\s*(?:[.;,!)\n]|$)|\s(?:because|since|as|than|given|here|with|due)\b)"
        r"|(?:best|correctly|perfectly|exactly|logically|uniquely)\s+"
        r"(?:completes?|fits?|match(?:es)?|satisf(?:y|ies)|continues?|follows?|works?|holds?)"
        r"|(?:completes?|fits|matches|continues|satisfies|follows)\s+(?:the|this|both|all|every)"
        r"(?:\s+\w{1,15}){0,1}\s+(?:patterns?|sequence|series|matrix|rows?|rules?|puzzle|grid"
        r"|analogy"
        r"|progression|conditions?|requirements?|criteria)"
        r"(?=\s*(?:[.!,\n]|$)|\s(?:because|since|as|so)\b)"
        r"|is the (?:only )?one (?:that|which) (?:differs|stands out)(?: from [\w ]{2,30})?"
        r"(?=\s*(?:[.:;,!\n]|$))"
        r"|(?:completes|continues) (?:it|this)(?=\s*(?:[.!,\n]|$))"
        r"|(?:is|must be|would be|has to be) (?:the )?(?:odd (?:one|man)(?: out)?|what (?:we|i"
        r"|you"
        r"|is)"
        r" (?:need|want|needed|required|(?:are|am) looking for|asked for)|my (?:final )?(?:answer"
        r"|choice"
        r"|pick|guess)|it|the one|the missing (?:one|piece|tile|figure|part|element)"
        r"|the next (?:one|figure|element|shape|term))(?=\s*(?:[.,;:!)\n—–-]|$|\s(?:because|since"
        r"|as|and|so|for)\b))|(?:gets|has|wins) (?:my vote|it)|it is(?=\s*[.!])|wins(?=\s*[.!])"
        r"|(?:is|must be) the (?:only |single )?(?:one|option|choice|figure|shape|tile|picture)"
        r" (?:that|which) (?:best |correctly |logically |perfectly )?(?:completes|fits|matches"
        r"|continues|satisfies|follows|works|belongs)"
        r"|(?:should |must |would |will )?(?:comes?|is|be|follows?|goes|go) next(?=\s*(?:[.;,!\n]"
        r"|$))"
        r"|(?:holds?|works?|fits?|follows)(?: as well| too| also)?(?=\s*(?:[.;,!\n]|$))"
        r"|(?:is|'s) the only (?:one|option|choice|answer|figure|shape|tile|candidate"
        r"|possibility)"
        r"(?![\w' ]{0,40}\b(?:\w+n't|not|without|lacks|fails|wrong|incorrect|never|cannot)\b)"
        r"(?=\s*(?:left|remaining|standing|that|which|whose|where|with|to|[.,;!\n]|$))"
        r"|(?:is|are) (?:best |well |clearly |directly |fully )?(?:supported|confirmed"
        r"|backed up) by"
        r"|(?:agrees?|accords?|is consistent|is in line) with the|(?:goes|belongs) (?:there|here)"
        r"|is the one (?:that|which) (?!\w+n't|\w* ?not\b|fails|lacks|breaks|violates|i\b|we\b)"
        r"\w+|is what the (?:text|passage|author|graph|table) (?:says|states|shows|means)"
        r"|(?:remains|survives)(?=\s*(?:[.!\n]|$))|the (?:only )?(?:correct |right |best "
        r"|logical )?(?:answer|choice"
        r"|winner|pick)(?=\s*(?:[.!\n]|$))"
        r"|(?:is|would be) what (?:i|we)(?:'d| would|'ll| will)? (?:choose|pick|select|go with"
        r"|go for))"
    ),
    wrong=(
        r"(?:(?:is|are|was|were|would be|can be|must be|seems?|looks?)"
        r"(?:\s+(?:clearly|also|both|all|definitely|therefore|obviously|too|thus|simply|a|an"
        r"|the)){0,2}"
        r"\s*(?:wrong|incorrect|false|invalid|out(?=\s*[.,;])|eliminated|excluded|ruled out"
        r"|crossed out|discounted"
        r"|impossible"
        r"|inconsistent|unlikely|distractors?|rejected|discarded|untrue)"
        r"|(?:(?:is|are|was|were|can|could|would)(?:n't|\s+not)|cannot"
        r"|can't)(?:\s+be)?\s+(?:the\s+|an?\s+)?"
        r"(?:correct|right|true|valid|answers?|match|possible|solution|best|it|true|appropriate)"
        r"|(?:does|do|did)(?:n't|\s+not)\s+(?:fit|match|work|follow|satisfy|hold|complete|apply)"
        r"|fails?|violates?|contradicts?|:\s*(?:wrong|incorrect|false|no))"
    ),
    not_before=(
        r"un(?:check|tick|mark)(?:s|ed|ing)?|deselect(?:s|ed|ing)?"
        r"|(?:cross|strike|striking)(?:e[sd]|ing)? (?:out|off)|struck out"
        r"|not|isn't|aren't|neither|nor|except|excluding|rul(?:e|es|ed|ing) out|never|without"
        r"|eliminat(?:e|es|ed|ing)|exclud(?:e|es|ed)|reject(?:s|ed|ing)?|discard(?:s|ed|ing)?"
        r"|rather than|instead of|unlike|dismiss(?:es|ed|ing)?|wasn't|over|(?<!none )other than"
        r"|but not"
        r"|(?:every|all|any)\w*(?: \w{4,12})? but|contrary to"
    ),
    unreal=(
        r"nothing\s*$|(?:first|initial|previous|earlier|tentative|wrong|incorrect|second|common"
        r"|worst|weakest"
        r"|least (?:likely|plausible|probable|convincing|suitable))\s*$"
        r"|^\s*to\s*$|"
        r"asks?|asked|asking|which (?:of (?:the|these)|option|answer|choice|one|statement)s?|"
        r"(?:people|students|readers|many|most|some|they) (?:would )?(?:say|think|believe|claim"
        r"|pick|choose"
        r"|answer)|would(?:'ve| have)|(?:look|start|begin|go) (?:at|with)|examin\w{1,3}"
        r"|analy[sz]\w{1,3}|"
        r"if|whether|suppos(?:e|ing)|assum(?:e|ing)|unless|although|might|(?-i:may)|could|seems?"
        r"|seemed|looks like|tempt\w{1,6}|(?:common|typical|frequent|usual|easy"
        r"|classic) (?:mistake|error|trap)|distractor|at first|initially|first thought|i thought"
        r"|previously|consider(?:ed|ing)|thought (?:of|about)|almost|(?:was|were|been|am|is) told"
        r"|(?:previous|earlier|proposed) (?:solution|answer|attempt|key|reply)"
        r"|earlier|first guess|(?<!is )(?<!that's )why|how|check|test|try|consider|not|n't"
        r"|never|cannot|can't|don't"
        r"|isn't"
        r"|wouldn't|won't|doesn't|unable|impossible|neither|example|e\.g\.|format|wrongly"
        r"|mistakenly"
        r"|instead of|would be if|(?:they|people|students|others|someone|who|he|she|(?:the"
        r"|a) (?:student|author|teacher))(?:\s+(?!(?:has|had|gets?"
        r"|needs?|looks|feels|wears|holds|plays|will|is"
        r"|was)\b)\w{1,10})?\s*$"
    ),
    correction=(
        r"on (?:reflection|closer inspection|review)|upon (?:reflection|closer inspection|review)"
        r"|looking (?:closer|more closely)|after (?:re\w{4,12}|a second look)|in fact|edit:"
        r"|update:|"
        r"make that|i mean(?:t)?(?= |,)|or rather|strike that|that should (?:be|read)|"
        r"wait|hold on|actually|no,|no\.|hmm+|correction|scratch that|on second thoughts?|oops"
        r"|let me (?:re-?check|reconsider|re-?think|look again|re-?examine|re-?count"
        r"|double-?check"
        r"|correct|re-?evaluate|re-?read|revise)|my mistake|i made an? (?:mistake|error)"
        r"|i (?:was|am) (?:wrong|mistaken)|sorry,|rather,|instead"
        r"|(?<!anything )(?<!nothing )but|however|revised|updated"
        r"|chang(?:e|ing) (?:my|it|this|that)|apolog(?:y|ies|ize)|corrected|looking again"
        r"|i mis\w{2,12}"
    ),
    retraction=(
        r"wait|hold on|scratch that|on second thoughts?|oops|my mistake|i made an? (?:mistake"
        r"|error)"
        r"|i (?:was|am) (?:wrong|mistaken)|let me (?:re-?check|reconsider|re-?think|look again"
        r"|re-?examine|re-?count|re-?evaluate)|(?:that|this|which) (?:is|was|can't be|cannot be"
        r"|isn't"
        r"|is not)\s*(?:wrong|right|incorrect|correct|a mistake)|i take (?:it|that) back"
        r"|ignore that"
        r"|no,\s+(?:that|this|it)|i doubt (?:it|that)"
    ),
    conclusion=(
        r"therefore|thus|hence|so(?! (?:far|many|much)\b)|finally|in conclusion|final"
        r"|overall|in summary|consequently"
    ),
    both=r"and also|and|as well as|plus",
    either=r"or|and/or|versus|vs\.?",
    until=r"through|thru|to|up to",
    every=(
        r"everything(?=,? (?:except|but|besides|apart from|other than|excluding)\b)"
        r"|every (?:single )?(?:option|choice|statement|answer)(?=,? (?:except|but|besides"
        r"|apart from"
        r"|other than|excluding)\b)|every (?:single )?"
        r"(?:option|choice|statement|answer)(?: \w{1,8})?(?: is (?:correct|true|right|valid))"
        r"|all(?=,? (?:except|but|besides|apart from|other than|excluding)\b)|"
        r"(?<!not )(?:all|every one)(?: (?:of )?(?:the |these |those )?(?:above|options?|choices?"
        r"|statements?|answers?|(?:two|three|four|five|six)(?: (?:options?|statements?"
        r"|choices?))?"
        r"|of them))(?:\s+(?:options?|statements?|above))?"
        r"(?:\s*,?\s*(?:are|is)(?: all)? (?:correct|true|right|valid))?"
    ),
    none=(
        r"none(?! other)(?: of (?:the|these|those) (?:above|options?|choices?|statements?"
        r"|answers?)"
        r"| of (?:them"
        r"|these|those))?|no (?:option|choice|answer|statement) (?:is|fits|matches)|neither"
        r"|not all"
    ),
    excluding=(
        r"except(?: for)?|but(?! not)|excluding|other than|apart from|besides"
        r"|with the exception of"
    ),
    excluding_after="",
    only=r"only|solely|just|exclusively",
    denied=(
        r"(?:both |all )?(?:is|are|was|were|do|does|did|has|have|can|will|would)(?:n't| not)"
        r"(?: (?:one|so|it|them|any|either|that|\w{3,10}))?|cannot|can't|won't|not"
    ),
    affirmed=r"(?:both |all )?(?:is|are|was|were|do|does|did|has|have|can|will|would)(?: so)?",
    others=(
        r"(?:all )?(?:the )?(?:others?|rest|other (?:two|three|ones|options|statements)"
        r"|remaining (?:two|three|ones?|options?|statements?|choices))"
    ),
    refusal=(
        r"i(?:'m| am) sorry|sorry,|i (?:can't|cannot|can not|am unable|am not able|won't|will not"
        r"|do not|don't) (?:to )?(?:see|view|help|assist|answer|determine|identify|access"
        r"|tell|know"
        r"|provide|have|process|open|display|make out|decide|be able)|i'm (?:unable|not able)"
        r"|as an ai|(?:not enough|insufficient) (?:information|context|image|picture|data)"
        r"|no (?:information|context|image|picture|data)(?=\s*(?:[.,;:!)]|$|is|was|are|were|has"
        r"|have"
        r"|provided|given|available|attached|shown|included|to|about|for|here|that|from)(?![a-z])"
        r"(?! lost))"
        r"|cannot be (?:determined|answered|identified)|(?<!is )(?<!are )(?<!was )(?<!were"
        r" )unable to (?:see|determine|answer|view)"
        r"|(?:no image|image (?:is|was) (?:not|missing|blank))|impossible to (?:tell"
        r"|determine|say)"
        r"|please (?:provide|upload|share|attach)|without (?:seeing )?the (?:image|picture"
        r"|figure)"
    ),
    declines=(
        r"(?:do not|don't|cannot|can't|won't|will not|never|not able to|unable to) (?:identify"
        r"|recogni[sz]e|name) (?:real |specific |any |individual |private )*(?:people|persons?"
        r"|individuals?|faces?)|"
        rf"{_SEEN}(?: [\w']{{1,15}}){{0,3}}? (?:(?:is|was|are|were|has|have|did|does|do|could)(?:"
        rf" not"
        rf"|n't)|never)(?: been| be| to be| actually| currently| yet){{0,2}} {_GIVEN}"
        rf"|{_FACTS}(?: [\w']{{1,15}}){{0,2}}? (?:(?:is|was|are|were|has|have)(?: not|n't))"
        r"(?: been)? (?:provided|given|included|supplied|available|stated|enough|sufficient)"
        rf"|no (?:such )?{_SEEN}(?: [\w']{{1,15}}){{0,2}}? {_GIVEN}"
        rf"|{_NOT_PART}(?:{_SEEN}|{_FACTS})(?: [\w']{{1,15}}){{0,3}}? (?:is|was|are|were|ha(?:s"
        rf"|ve) been|(?:seems?|appears?) to be)"
        r" (?:missing|absent|left out|omitted|unavailable|lacking|insufficient|inadequate)"
        r"(?! (?:an?|the|one|two|its|from the (?:row|column|grid|matrix|pattern)))"
        r"|missing (?:image|picture|diagram|graph|chart|photo|figure|attachment)(?= (?:makes"
        r"|means"
        r"|prevents))"
        rf"|(?:(?<!he )(?<!they )(?:cannot|can ?not|can't|could not|couldn't)|(?:is|am|are|be|'m"
        rf"|'re) (?:unable|not able) to"
        rf"|(?:not possible|impossible|infeasible) to|no (?:\w+ )?(?:way|means) (?:to|of)"
        rf"|not in a position to)"
        rf" (?:(?:reliably|really|possibly|confidently|safely|even|definitively) )?(?:be"
        rf" )?{_SOLVED}"
        r"(?:e?d|ing)?(?: (?:the|this|that|any|which|it|what|your|a)\b|(?=\s*(?:[.,;:!)]|$))|"
        r" without"
        r"| based| from| with| due| because| given| on)"
        r"|no (?:\w+ )?way (?:to|of) (?:know|tell|say)(?:ing)?|(?:cannot|can't) (?:be )?(?:know"
        r"|say|tell|"
        r"known|told) (?:which|what|without|for sure|from)"
        r"|no (?:option|choice|answer|conclusion) can be (?:chosen|picked|selected|given|drawn"
        r"|determined)"
        r"|(?:i|we)(?:'ll|'d| will| must| would| have to| shall| choose to| prefer to| am going"
        r" to)?"
        r"(?: rather| therefore| respectfully| better){0,2} (?:declin(?:e|ing)|refus(?:e|ing)"
        r"|abstain(?:ing)?|not (?:answer|guess))"
        r"|(?:none|nothing) (?:was|were|is|has been) (?:sent|attached|provided|included|uploaded)"
        rf"|{_SEEN}(?: [\w']{{1,15}}){{0,3}}? (?:isn't|is not|wasn't|was not) (?:a )?part of"
        r"|(?:have|has|did)(?: not|n't)(?: \w+)? (?:included?|attach(?:ed)?|provided?|shared?"
        r"|sent|send"
        rf"|uploaded?) (?:the|any|an?) (?:\w+ )?{_SEEN}"
        rf"|lacks? (?:the |any |some |an? )?(?:\w+ )?(?:{_SEEN}|{_FACTS})|i need (?:the|this"
        rf"|that) {_SEEN}"
        rf"|{_SEEN} (?:failed to|would not|wouldn't) (?:load|open|display|show|come)"
        rf"|not answerable"
        rf"|part of the (?:question|problem) is missing|(?:cannot|can't) work (?:this|it) out"
        r"|no answer (?:is )?possible|(?<!the )missing (?:image|picture|diagram|graph|chart"
        r"|photo)"
        r"(?=\s*(?:[.)]|$))"
        r"|not going to guess|won't guess|rather not (?:guess|answer)"
        rf"|need(?:s|ed)? to (?:see|view|look at|have|know) (?:the|this|that"
        rf"|an?) (?:\w+ )?{_SEEN}"
        r"|(?:more|additional|further) (?:information|data|details?|context) (?:is|are|would be)"
        r" (?:needed|required|necessary)|need(?:s|ed)? (?:more|additional|further) (?:information"
        r"|data"
        r"|details?|context)"
        rf"|(?:could|can|would) you (?:please |kindly )?(?:share|provide|upload|attach|send"
        rf"|re-?send|"
        rf"describe|include|show|post) (?:me )?(?:the|this|that|it|an?)"
        rf"|please (?:kindly )?(?:re-?)?(?:send|upload|attach|provide|include|share|post"
        rf"|describe) "
        rf"(?:me )?(?:the|this|that|it|an?)"
    ),
    the="the",
    and_word="and",
    or_word="or",
    open_text=(
        r"unknown|n/?a|\[?blank\]?|\[?empty\]?|(?:i )?(?:don't|do not) know|(?:i(?:'m"
        "| am) )?not (?:entirely |quite )?(?:sure|certain)|no idea|unclear|cannot be determined"
        "|can't tell"
    ),
    blank_announce=(
        r"(?:missing|right|correct|appropriate|proper|required)\s+(?:word|term|phrase|number"
        r"|value"
        r"|expression|formula|name)s?\s+(?:is|are|would be|should be)\b|\b(?:word"
        r"|term)\b[^.,;:\n]{0,50}?\sis\b|\bblanks?\s+(?:should|must|would)\s+(?:contain|read|say"
        r"|hold)\b|\b(?:value|result|sum|total|product|length|width|height|area|volume|speed|mass"
        "|number|angle|perimeter|probability|distance|time|temperature|capital"
        r"|name)\b[^.,;:\n]{0,40}?\s(?:is|equals)\b|\bblanks?\s+(?:(?:should|must|can|is to) be"
        r"|is"
        r"|are)(?:\s+filled(?:\s+in)?\s+(?:with|by))?\b"
        r"|\b(?:end up with|gets?|obtain|arrive at|leads to|gives|finds?)(?= \$?[A-Za-z] ?= ?[^\s.]"
        r"[^\n]{0,40}[.\n])"
    ),
    blanks_announce=(
        r"(?:^|(?<=[\n.]\s))(?:the|two|three)\s+(?:\w+\s){0,2}?(?:values|words|numbers|answers"
        r"|terms|results|solutions|blanks|roots)\sare\b|\b(?:missing|right|correct|appropriate"
        r"|proper|required)\s+(?:words|terms|phrases|numbers|values|expressions|names)\s+(?:are"
        r"|would be|should be)\b|\bblanks\s+(?:(?:should|must|can|are to) be"
        r"|are)(?:\s+filled(?:\s+in)?\s+(?:with|by))?\b"
    ),
    contrast_text=(
        "(?:it is |it's "
        r"|this is )?(?:not)\s[^.,;\n]{1,40}[ ,](?:but)\s(?P<name>[^.,;\n]{1,40})[.!]?|(?:it|this"
        r"|that) (?:isn't|is not) [^.,;\n]{1,40}[,;.] (?:it's|it is"
        r"|but) (?P<name>[^.,;\n]{1,40})[.!]?"
    ),
    respectively="respectively",
    called=(
        r"it(?:'s| is| should be| must be| would be)|that(?:'s| is)|the\s?(?:\w+\s){1,4}?(?:is"
        "|are) (?:called|named|known as|termed)"
    ),
    called_article="a |an |the ",
    names_text=(
        rf"(?:(?:so|thus|hence|therefore),? )?(?:the|its|their|our) "
        rf"(?!(?:[\w'-]+ ){{0,5}}?(?:(?<!in the )(?<!in this )(?<!on the )"
        rf"(?<!in a ){_SEEN}|{_FACTS}|{_TASK})\b)"
        rf"(?:[\w'-]+ ){{1,6}}?(?:(?:is|was|are|were|equals|becomes) (?!{_NO_NAME}\b)"
        r"|(?:(?:is|are|lies?) at|comes? out (?:as|at|to)|works? out (?:as|at|to)"
        r"|shows|reads|measures"
        r"|(?:is|are) (?:approximately|about)) (?=[([]?[-.]?\d))"
        r"|(?:[\w'-]+ ){1,10}?(?:gives|yields|comes to|amounts to) (?=[([]?[-.]?\d)"
    ),
    no_text=(
        r"not (?:\w+ ){0,2}?(?:visible|shown|clear|legible|readable|given|provided|stated|known"
        r"|labell?ed|specified|identifiable|recogni[sz]able|certain|sure)\b"
        r"|(?:unclear|unreadable|illegible|unidentifiable|unrecogni[sz]able"
        r"|unspecified|not there)\b"
        r"|too (?:blurr|dark|faint|unclear|tiny)\w*|cut off\b|(?:hard|difficult|impossible)"
        r" to (?:see|read|tell|say|determine|make out|recogni[sz]e|identify)\b"
    ),
    measures=r"\b(?:is|are|equals|was|measures)\s+",
    but_formula="but",
    sentence=(
        r"(?:the|this|that|it|a|as)\b.{2,80}\s(?:is|are|was|measures)\s|(?:so|thus|hence"
        r"|then)\s.{1,60}\s(?:is|are)\s|(?:the|this|that|it|there|i|we|a"
        r"|as)\s(?:\S+\s){0,4}?(?:not|\w+n't|cannot|no)\s|\S+(?:\s\S+){0,2}\s(?:is|are)\s(?:the"
        r"|an?)\s"
    ),
    text_in_doubt=r"\b(?:either|maybe|perhaps|possibly)\b|\b(?:could|may|might|can) be\b",
    remark_not="not|no|instead of|rather than|i |my ",
    remark_behind=(
        r"\s+(?:and not|rather than|instead of)\s[^,]{1,40}$|\s*,\s*(?:not|and not)\s[^,]{1,40}$"
    ),
    replaced_quote=(r"\bnot\s(?:\"[^\"\n]{1,60}\"|'[^'\n]{1,60}')\s?,?\s(?:but|rather)\s(?=[\"'])"),
    talk=(
        r"\b(?:hard|difficult|impossible) to\b|\b(?:incomplete|unclear|could be|can't|cannot"
        r"|don't know|answer depends)\b|^\s*(?:please|make sure|note|check|recall"
        r"|remember|see|zoom|be|keep)\s"
        r"|^\s*(?:to|first(?! (?:blank|gap|word|one|answer)\b)|let's|let us|we|i)\s"
    ),
    text_still_open=r"(?:not|or|either|no|labell?ed|missing|unclear)\b\s*[\"']",
    blank_noun="word|term|phrase|number",
    before_quote="is|are|be|with|by",
    write="write|put|insert",
    reads_text=(
        r"\b(?:(?:it|this) is written|says|reads|states|displays|shows|spells(?: out)?|(?:is|are) "
        r"(?:called|named|known as|labell?ed|titled|termed))"
    ),
    section_name=(
        r"(?:steps?|analysis|explanations?|reasoning|solutions?|observations?|notes?|hints?|ap"
        r"proach|methods?|given|conclusion|summary|overview|descriptions?|calculations?|verifi"
        r"cation|check|part|case|figure|question|problem|answer|key|tip|formula|example|option"
        r"|thought|context)\b"
    ),
    task_noun="(?:questions?|prompts?|tasks?|problems?|instructions?|exercises?)",
    interjection=(
        "sorry|well|hmm+|ok(?:ay)?|sure|yes|no|right|so|unclear|not sure|good question"
        "|great question"
    ),
    called_sentence=(
        r"[^.!?\n]{2,120}?\s(?:is|are)(?: also)? (?:called|known as|named|termed|referred to "
        r"as) (?:(?:an?|the) )?(?P<name>[^.,;:!?\n]{1,40})[.!]?"
    ),
    because_only=r"because",
    blank_word=(r"\b(?:word|term|write|insert\w*|blank|gap|missing|complet\w*|fill\w*)\b"),
    says_what=(
        r"\s(?:is|are|(?:should|must|would) be)(?:\s(?:therefore|thus|then|hence"
        r"|clearly))?(?:\s(?:called|named|the|an?))?\s+"
    ),
    abbreviated_heading="ans",
    before_number="blank|gap",
    ordinal=(
        "(?P<first>first|1st)|(?P<second>second|2nd)|(?P<third>third|3rd)|(?P<fourth>fourth|4th)"
        "|(?P<fifth>fifth|5th)"
    ),
    gap=("blanks?|gaps?|spaces?|ones?|words?|terms?|answers?|numbers?|boxe?s?|slots?|values?"),
    fills_blank=(
        "(?:is|are|should be|must be|would be|to be)(?: filled(?: in)?(?: with| by)?)?|goes|reads"
        "|takes"
        "|gets|needs|requires|contains|receives"
    ),
    in_blank="in|into|for|to",
    the_blank="the",
    blank_before="blank|gap",
    and_second="and|while",
    and_short="and",
    trailing="and|while|whereas|but",
    total_article="the ",
    total_heading="total|sum|count",
    and_number="and",
    before_option_number=r"no\.",
    option_named=(
        r"\b(?:options?|choices?|answer choice|number|no\.|figure|image|picture|panel|tile"
        "|pattern)"
    ),
    number_word=r"no\.|n\.|number",
    nth=(
        r"(?<![A-Za-z\u00c0-\u024f])(?:(?:the) )?(?:(?P<first>first)|(?P<second>second)|"
        "(?P<third>third)|(?P<fourth>fourth)|(?P<fifth>fifth)|(?P<last>last)) (?:one|"
        "option|choice|answer|proposition|figure|image|picture|photo|drawing|graph|chart|"
        r"diagram|panel|net|shape|pattern)(?![A-Za-z\u00c0-\u024f])|"
        r"(?<![A-Za-z\u00c0-\u024f])(?:the) (?:(?P<first>first)|(?P<second>second)|"
        "(?P<third>third)|(?P<fourth>fourth)|(?P<fifth>fifth)|"
        r"(?P<last>last))(?=\s*(?:[.!,:;\n]|$))"
    ),
    answer_key=(
        "answer|choice|option|selection|selected|response|result|prediction|pred|letter|label"
        "|pick|conclusion|verdict"
    ),
    answer_key_before=(
        "the|final|correct|right|best|selected|chosen|my|your|true|predicted|model|user"
    ),
    answer_key_behind=(
        "s|es|id|ids|letter|letters|label|labels|key|text|value|final|correct|chosen|selected|given"
    ),
    answer_key_adjective="final|correct|selected|chosen",
    ordinal_key=(
        "(?P<first>first|blanka$|gapa$)|(?P<second>second|blankb$|gapb$)|(?P<third>third|blankc$"
        "|gapc$)|(?P<fourth>fourth)|(?P<fifth>fifth)"
    ),
    answer_tag=("answer|ans|final|final_answer|finalanswer|choice|option|solution|result|response"),
    article_spaced="the ",
    one_option="option ",
    because_judged="because|since|as|for|given",
    judged=(
        r"\b(?:statement|claim|assertion|proposition|sentence"
        r"|description)\b[^.,;:!?\n]{0,60}?\bis,?\s+(?:(?:therefore|thus),?\s+)?(?P<n>not\s+)?(?:(?:therefore|thus|clearly"
        r"|indeed|definitely|also|hence|actually|accordingly),?\s+)?(?:(?P<t>true|correct|right|accurate)"
        "|(?P<f>false|incorrect|wrong|untrue|inaccurate))"
    ),
    reason="because|since|as|for|given|while|and|so|but|whereas",
    at_first=(
        r"\b(?:first(?:,? i\b| guess\b| thought\b| instinct\b)|i (?:first|initially)|initially"
        r"|at first)\b"
    ),
    offered_before="answer|the",
    offered="options|choices",
    each_one=r"\b(?:each|every|following|per)\s",
    is_called=r"is\s(?:the\s)?",
    no_word="no",
    because=r"\b(?:because|since|as|given that)\b",
    contrast="but|however|instead",
    relative="that|which",
    says_which=r"\b(?:is|are)\s*:?\s+",
    concluded="so|thus|therefore|hence",
    no_answer_subject=(
        r"\b(?:worst|poorest|weakest|second[- ]best) (?:match|fit|answer|guess)\b|\b(?:first"
        "|shown(?! in| by| at)|above|below|looked|considered|options?|choices?|labels?|points?"
        r"|candidat\w*|possib\w*|contend\w*|remain\w*|(?<!the )left|unsure|letters?|vert(?:ex|ices)"
        r"|close\w*|similar\w*)\b"
    ),
    and_part=r"\band\b",
    negation=r"n't\b|\b(?:not|no|never|neither|without|lacks?|fails?|cannot)\b",
    relation=(
        r"\b(?:same|similar|alike|equal\w*|identical|different|differ|share[sd]?|mirror\w*"
        r"|opposite|candidat\w*|possib\w*|plausib\w*|contend\w*|remain\w*|left|close|look|seem"
        r"|appear|options|choices|letters|points|labels|adjacent|compar\w*|which|next to"
        r"|neighbou?r\w*|what|each|rest\w+)\b"
    ),
    all_before="both|all|the",
    instead=r"(?<![A-Za-z\u00c0-\u024f])(?:(?:is |are )?not|isn't)\s",
    not_only="only|just|merely",
    but_rather=r"(?:but(?: rather)?|rather)\s(?!also)",
    because_clause=r"(?:because|since|as)\b",
    not_label="not",
    but_label="but |rather |it's ",
    left_before=(
        r"\b(?:leav\w+(?: us with)?|left with|remain(?:s|ing)?(?: are)?)(?: only| just)?\s*"
    ),
    left_behind=r"remain\b|are left|are what (?:is|'s) left",
    may_be_too=(
        r"\b(?:could|might|may)(?: just as well| also| equally| well)+ be|\bor maybe"
        r"|\bperhaps also"
    ),
    clause_begins="but|rather",
    was=r"\bwas\b",
    elsewhere=(
        r"\b(?:last|previous|yesterday|another|other|(?:question|problem|item|exercise"
        r"|picture) \d+)\b"
    ),
    turns=r"\bbut\b",
    said_by=(r"(?:[^\W\d_]{1,12}\s){0,2}?(?:says?|said|claims?|claimed|wrote|writes?)\b"),
    choosing="choosing|picking|selecting|going|opting",
    would=(
        r"\s(?:would|ignores|overlooks|misses|forgets|contradicts)\b"
        r"|\s?is\s(?:an? )?(?:\w+ )?(?:mistake|error|trap|wrong|hasty|tempting)\b"
    ),
    said_wrong=r"(?:is|was)\s(?:\w+\s)?(?:wrong|incorrect|false|a mistake|mistaken)",
    drawn=(r"\b(?:therefore|thus|hence|consequently|in conclusion)\b|\bso (?!that)\b"),
    supposed_before="but|and",
    supposed=(
        r"if (?:so|not)\b|if(?! (?:we|you|one|i|it's|it is)\b)|if (?:we|you|one|i"
        r"|it)\b.{0,80}\bwould be\b|had (?:the|it|they)|were (?:the|it)|assuming|supposing"
        "|provided|in case"
    ),
    by_way_of="by |process of ",
    rejected=(
        "eliminat|rul(?:e|ed|ing) out|exclu[ds]|discard|reject|dismiss|crossed out|wrong"
        r"|incorrect|invalid|unlikely|doesn't|does not|not\b|never"
    ),
    trap=(
        r"(?:common|typical|frequent|usual|easy|classic)\s+(?:mistake|error|trap|pitfall|wrong)"
        r"|distractor|\bin (?:the|that|this|an) (?:\w+ )?example"
    ),
    condition=(
        "only (?:in|on|for|under|during|when)|(?:only )?if|unless|provided|supposing|assuming"
        "|in case"
    ),
    list_words=r"\band\b|\bthen\b",
    unfinished_and=r"\band",
    or_to=r"or\b|to\b",
    cell_in_words=(
        r"(?:in |at )?row[\s:=]{1,3}\d{1,18}\s?,?\s?(?:and\s)?col(?:umn)?[\s:=]{1,3}\d{1,18}"
        r"|r\d{1,9}\s?,?\s?c\d{1,9}(?!\w)"
    ),
    cue=(
        "(?:answer|result|output|solution|order|sequence)s?"
        r"|(?:order|sequence|colou?rs|shapes) from [a-z-]+(?: [a-z]+)? to [a-z-]+"
    ),
    cell_name=r"\(?(?:x|row|r)\s*,\s*(?:y|col(?:umn)?|c)\s*\)|cells?|positions?",
    cue_is=r"\b(?:is|are)\b:?",
    no_difference=(
        r"\b(?:same|identical\w*|match(?:es|ing)?|equal|unchanged|both|no (?:change"
        r"|difference)s?)\b"
    ),
    or_answer=r"\bor\b",
    doer="me|us|let's|to|i|we|i'll|we'll",
    not_these=r"\b(?:not|no|missing|absent|except|without|other)\b",
    any_article="the|an?",
    article_before="the|an?",
    degrees="degrees?",
    degree_stem="degree",
    true_texts=(
        "true/correct/right/it is true/that is true/it's true/that's true/this is true/th"
        "is is correct/that is correct/it is correct/that's correct/that's right/this is "
        "right/that is right/that's accurate"
    ),
    false_texts=(
        "false/incorrect/wrong/untrue/not true/not correct/it is false/that is false/it's"
        " false/that's false/this is false/it is not true/it's not true/that's not true/t"
        "his is not true/that is not true/that is wrong/that is incorrect/this is incorre"
        "ct/it is incorrect/that's incorrect/it's incorrect/that's wrong/it's wrong/it is"
        " wrong/this is wrong/not right/that's not correct/that is not correct/that's not"
        " right/that isn't true/that isn't correct/this isn't true"
    ),
    yes_texts="yes/yep/yeah",
    no_texts="no/nope/nah",
    same_things="gray/grey,fuchsia/magenta,turquoise/cyan/aqua,skyblue/sky blue,square/rectangle,"
    "diamond/rhombus",
    color_names="white grey cyan magenta violet indigo gold silver",
    shape_names=(
        "circle triangle square rectangle pentagon hexagon heptagon octagon star ellipse oval"
        " diamond rhombus trapezoid parallelogram kite cross heart arrow crescent semicircle cube"
        " sphere cone cylinder pyramid"
    ),
    format_words="yes no none left right up down",
    format_cue="colou?r|shape|blue|green|red|circle|triangle|square|yes|no",
    label_words="AI",
    follower=(
        "is|are|was|because|since|as|and|or|but|for|which|with|due|given|though|not|rather"
        "|instead|so|here|that|has|fits|matches|completes|continues|best|only|by|where|while"
        "|would|should|must|can|cannot|does|doesn't|isn't|than|therefore|through|holds|works|to"
        "|seems|looks|no|nor|correctly|perfectly|fails|breaks|violates|lacks|apply|hold|fit"
        "|remains|it(?= is\\b)"
    ),
    verdict_follower="yes|true|false|correct|incorrect|right|wrong",
    named_thing=(
        r"(?<![A-Za-z\u00c0-\u024f])(?:points?|lines?|segments?|rays?|angles?|vertex|vertices"
        "|sides?|edges?|nodes?|planes?|circles?|triangles?|vitamins?|grades?|types?|teams?|class"
        "|body|bodies|bodys|hepatitis|plan|cities|city|tank|box|house|person)"
    ),
    pronoun_label_follower="is|because|since",
    list_ends=r"\b(?:are|were|all|both|apply|hold|fit|work|match)\b",
    it_is="it's|it is",
    link_article="the",
    because_lead="because|since",
    abbreviations="vs|[Ff]ig|no|cf",
    inner_stop=(
        r"(?<=\b(?:St|Dr|Mr|Ms|Mt)\.)(?=\s[A-Z])|(?<=\bMrs\.)(?=\s[A-Z])|(?<=\bProf\.)(?=\s[A-Z])"
        r"|(?<=\b(?:vs|cf)\.)(?=\s\S)|(?<=\bapprox\.)(?=\s\S)"
        r"|(?<=\b(?:i\.e|e\.g|U\.S|U\.K)\.)(?=\s[a-z\d(~])"
        r"|(?<=\b(?:No|ca|pp)\.)(?=\s\d)|(?<=\b[Ff]ig\.)(?=\s\d)"
    ),
    explains=(
        r"(?:i\.\s?e\.|e\.\s?g\.)|(?:that is|i\.e|e\.g)\b|or (?:about|approximately|roughly)\b"
        r"|which (?:is|was|are|were|equals?|means?|makes?|gives?|corresponds?)\b"
        r"|(?:more )?(?:precisely|specifically|exactly)\b|to be (?:precise|exact)\b"
    ),
    approximately=r"(?:about|approximately|roughly|around|circa|\b(?:approx|ca)\b\.?)",
    dimension=(
        r"(?:deep|long|wide|high|tall|thick|old|broad|full|of (?:depth|length|width|height)"
        r"|in (?:depth|length|width|height|diameter|radius|area|size|age|all|total))\b"
    ),
    behind_amount="of|in|at|from|above|below|on|across|apart|away",
    of_amount=r"\b(?:of|at|to|reads|shows|says|has|holds|contains|equals|reaches)",
    no_total=(
        r"(?:more|fewer|less|other|extra|times|per|out of|of the|or|to|and|steps?|possible"
        r"|possibilities|ways?)\b"
    ),
    compared=r"\b(?:than|every|within|until|exceed\w*|differen\w+|instead|should|needs?|would)\b",
    unit_names=(
        "m=meters/meter/metres/metre,km=kilometers/kilometer/kilometres/kilometre"
        ",cm=centimeters/centimeter/centimetres/centimetre"
        ",mm=millimeters/millimeter/millimetres/millimetre"
        ",m^(2)=square meters/square metres/square meter/meters squared"
        ",cm^(2)=square centimeters/square centimetres/centimeters squared"
        ",km^(2)=square kilometers/square kilometres"
        ",m^(3)=cubic meters/cubic metres,cm^(3)=cubic centimeters/cubic centimetres"
        ",g=grams/gram,kg=kilograms/kilogram/kgs,mg=milligrams/milligram"
        ",L=liters/liter/litres/litre,mL=milliliters/milliliter/millilitres/millilitre/ml,L=l"
        ",s=seconds/second/secs/sec,ms=milliseconds/millisecond,min=minutes/minute/mins"
        ",h=hours/hour/hrs/hr,s^(2)=seconds squared/second squared,N=newtons/newton"
        ",J=joules/joule,kJ=kilojoules/kilojoule,W=watts/watt,kW=kilowatts/kilowatt"
        ",V=volts/volt,A=amperes/ampere/amps/amp,\u03a9=ohms/ohm,Hz=hertz,Pa=pascals/pascal"
        ",K=kelvins/kelvin,mol=moles/mole,%=percent/per cent"
        ",ft=feet/foot,in=inches/inch,mi=miles/mile,kn=knots/knot,yr=years/year,d=days/day,t=tons/tonnes/ton/tonne"
    ),
    per_unit=r"\s*\b(?:per|over)\b\s*",
    unfinished_word="the|a|an|of|and|which|that",
    equals=r"\bis\s",
    hedge_equation=r"\b(?:not|if|might|may|could|would|or)\b",
    taken_back=(r"[^.!?。\n]{0,60}?\b(?:but|yet|though)\s[^.!?\n]{0,30}?(?:n't|\bnot|\bno)\b"),
    means=r"\b(?:means?|meaning|implies)\b(?:\s+that)?",
    but_is=r"\b(?i:but)\b[^.,;:\n]{3,60}\b(?:is|are)\s+(?:(?:the|an?)\s+)?",
    function_word="the|an",
    roughly=(
        r"\b(?:(?:more|less|fewer|greater|larger|smaller|higher|lower) than|about|around"
        "|approximately|nearly|almost|roughly|over|under|above|below|at (?:least|most)|between"
        "|up to)"
    ),
    or_number="or|to",
    described=(r"\b(?:each|every|one by one|in turn|the options|through them)\b[^.:\n]{0,40}:"),
    introduced=(r"\b(?:let(?:'s| us| me)|(?:i|we)(?:'ll| will)|going through|consider)\b"),
    then_lead=r"(?:first|next|then|now|second|third|finally|and),?\s+",
    because_answer=r"(?:because|since|as)\b",
    committed=r"(?<!in)correct|\bright\b|\banswer|\btrue\b|exact\b",
    rest_right=(
        r"\b(?:the (?:rest|others?|other ones|remaining (?:ones|options|statements))"
        r"|all (?:the )?others) (?:are|is) (?:all )?(?:right|correct|true)"
        r"|\b(?:everything else|the rest|(?:all )?the others) (?:stays?|remains?)\b"
    ),
    except_for=(
        "except(?: for)?|with the exception of|apart from|other than|besides|but|save(?: for)?"
    ),
    except_article="for|the",
    except_noun="options?|choices?|statements?",
    quantified=(
        r"\b(?:all|every\w*|each|the (?:rest|others?)|other (?:options|choices|statements)|any"
        r"|none|no|neither|nothing)\b"
    ),
    filling=r"of (?:the|them)\b",
    none_of=(r"\b(?:none|no (?:option|choice|statement|answer|other)|neither|nothing)\b"),
    all_wrong=(
        r"\b(?:wrong|incorrect\w*|false|invalid|out|eliminated|excluded|ruled out|discarded"
        r"|impossible|fail\w*|exclu\w*)\b"
    ),
    all_right=(
        r"\b(?:correct|right|true|valid|fits?|match(?:es)?|works?|holds?|possible|apply|applies"
        r"|follows? from"
        r"|correspond\w*)\b"
    ),
    all_denied=r"\b(?:not|no|none|neither|never|nothing|cannot|lacks?|miss\w*)\b|n't",
    all_open=r"\b(?:if|might|may|could|perhaps|maybe|unless)\b",
    right_stem="correct|right|true|valid|exact|just",
    are_right="(?:are|is) (?:correct|right|true)",
    goes_on=(
        "because|since|as|for|given|due|and|so|but|instead|rather|not|here|that|which|than|over"
        "|with|based|standing|left|remaining|to me"
    ),
    broken_off="and",
    hedged_more=(
        r"[^.;!?。\n]{0,25}?\b(?:possibly|maybe|perhaps|potentially)\s+(?:also\s+|even\s+)?"
    ),
    but_not="but|and",
    small_word="a|an",
    both_before="both",
    the_capital="[Tt]he",
    from_label=r"[Ff]rom\s(?=[A-Z]\sto\s)",
    option_lead="the|my|correct|final",
    label_number=r"n(?:o|um)?\.|number",
    and_list="and",
    right_mark=(
        "(?<!in)correct|right|true|yes|(?<!not )fits|(?<!not )matches"
        "|(?<!not )(?:included?|selected?)"
        "|applies|keep"
    ),
    wrong_mark=(
        "wrong|incorrect|false|not correct|no|does(?: not|n't) (?:fit|match|work|hold|apply)"
        "|not (?:included|selected)|excluded?|discard(?:ed)?|rejected"
    ),
    answers_right="yes|correct|true",
    answers_wrong="no|wrong|incorrect|false",
    right_side="V|T|True|Correct|Right|Yes",
    wrong_side="F|False|Incorrect|Wrong|No",
    hedge=r"\b(?:might|(?-i:may)|could|seems?|perhaps|maybe|possibly)\b",
    strict_units=(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen"
    ),
    strict_tens="twenty thirty forty fifty sixty seventy eighty ninety",
    user_turn="USER|User|HUMAN|Human",
    assistant_turn="ASSISTANT|Assistant|GPT|BOT|Bot",
    next_question="(?:Next )?[Qq]uestion|QUESTION|Q|Problem|Instruction",
    count_sentence=(
        r"\b(?:(?:i|we) count(?:ed)?|there (?:is|are|were)|in total|altogether|in all|a total of"
        r"|total(?: number)?|adds? up to|(?:i|we) (?:can )?(?:see|find|found|spot|identif(?:y|ied))"
        r"|(?:images?|pictures?|figure|grid|photo|scene|diagram|drawing) (?:contains?|has|shows?"
        r"|includes?|displays?)|the number of [a-z' -]{2,40} is)\b"
        # "I think it is 5.", if nothing else is said.
        r"|^\W*(?:i (?:think|believe|(?:would|['’]d) say),? )?(?:that )?it(?: is|['’]s) "
        r"(?=[\w-]+\W*$)"
    ),
    count_things=(
        "(?:(?!(?:of|or|to|and|more|fewer|less|other|extra|per|by|times|plus|minus) )[a-z]+ )?"
        r"(?!times\b|minus\b|plus\b|guess)[a-z]{2,}s"
    ),
    count_open=(
        r"\b(?:so far|or|about|around|approximately|roughly|almost|nearly|between|at (?:least|most)"
        "|more than|less than|fewer than|over|under|up to|if|not|n't|no|maybe|perhaps|might|may"
        r"|could|seems?|look|each|per|every|rows?|columns?|types?|kinds?)\b"
    ),
    count_about=r"\b(?:or|about)\b",
    who_counts="i |we |images? |pictures? |figure |grid |photo |scene |diagram |drawing ",
    also_counted=r"\b(?:and|but|also|plus|few|some|several)\b",
    total=r"\b(?:in total|altogether|in all|total|sum)\b",
    total_doubt=(
        r"\b(?:or|about|around|approximately|roughly|almost|nearly|if|not|n't|no|maybe|perhaps"
        r"|might|may|could|seems?)\b"
    ),
    number_link=r"of|is|number|no\.",
    lead_doubt=r"\b(?:but|however|then again|not sure)\b",
    predicate=r"\b(?:are|is|were)\s*:?\s+",
    set_noun=r"\b(?:colou?rs?|shapes?|figures?|forms?)\b",
    part_of_picture=(
        r"\b(?:missing|absent|except|excluding|other|others|remaining|first|second|third|last"
        r"|next"
        "|main|mostly|mainly|dominant|common|frequent|most|some|many|several|few|two|three|four"
        "|five|left|right|top|bottom|upper|lower|middle|cent(?:er|re)|corner|background|border"
        r"|without|besides|also|different|same|wrong|include|hidden|repeated)\b"
    ),
    place_names=r"ABOVE=\b(?:above|over(?= the))\b,BELOW=\b(?:below|beneath|under(?:neath)?)\b",
    cell_lead=(
        r"\b(?:that is|i\.e\.|namely|which (?:is|means)|(?:is|stands|sits|lies|located) [aio][nt])"
    ),
    only_behind=r"(?:alone|only)\b",
    met_by=(
        r"\b(?:satisfied|met|fulfilled|matched|obeyed|shown|holds|applies|happens|works"
        r"|occurs|true)"
    ),
    only_in="by|in|for|to|with",
    code="en",
    small_words=(
        "the is are of and there this that with from has shows for to on at have was i it its we"
        " so which each all not by my you"
    ),
    group_marks=",",
    cardinals=_CARDINALS,
    scales="hundred=100,thousand=1000,million=1000000,billion=1000000000",
    scale_and="and",
    one_thing=(
        r"(?:^|[.,;:(]\s?|\b(?:is|are|was|only|just|exactly|has|have|and|plus|see|count|shows"
        r"|contains|with|total of)\s)one\b(?!\s(?:of|by|more|at|could|can|way|might))|\ba single\b"
    ),
    one_article="an?",
    bound=(
        r"\b(?:at (?:least|most)|(?:should|would|must)(?: be| have)?|needs?(?: to be)?|(?:more"
        r"|less|fewer|greater|larger|smaller|higher|lower|other|rather)"
        r" than|over|under|above|below|between|up to|somewhere|ranges?|from|minimum|maximum"
        r"|unlike)\b"
    ),
    bound_behind=r"or (?:more|so|less|fewer)\b|\+|plus\b",
    numbered_noun=(
        r"(?:figures?|fig\.?|rows?|columns?|steps?|pages?|questions?|tables?|lines?|rooms?"
        r"|chapters?"
        r"|sections?|days?|weeks?|groups?|parts?|players?|stages?|levels?|options?|items?|points?"
        r"|grades?|bars?|panels?|number|no\.|box|buoys?|quarter|level|image|picture|route|bus|gate"
        r"|platform|unit|exercise|problem|version|model|type|cell|case|side|angle)"
    ),
    percent=r"\bper ?cent(?:age)?s?\b|%",
    year_lead=r"\b(?:in|since|of|for|by|year|from|during|until)",
    below_zero=r"\b(?:minus|negative)",
    below_zero_behind=r"below (?:zero|freezing)",
    part_behind=(
        r"(?:more|fewer|less|others?|extra|further|additional|times|out of|of (?:them|these|those"
        r"|the)"
        r"|remaining)\b"
    ),
    part_lead=(
        r"(?:of (?:these|those|them|which)|among (?:these|them)|compared (?:to|with)|up from"
        r"|down from|versus|for comparison)\b"
    ),
    adds_up=(
        r"\b(?:makes?|gives?|giving|making|totall?ing|totals?|adds? up to|equals?|leaves|leaving"
        r"|comes? to|amounts? to|answer|result|that's|resulting in"
        r"|(?:increase|decrease|difference|rise|drop|gain|loss|reduction|growth) of)\b"
    ),
    no_value=(
        r"\b(?:not|n't|without|rather not|unable to|refuse to) (?:\w+ )?(?:giv|guess|stat|provid"
        r"|nam|read"
        r"|tell|say|specif|determin|mak|commit|count)\w*\b|\bno (?:number|value|figure|reading)\b"
    ),
    hanging=(
        r"\b(?:the|an?|of|and|or|to|is|are|with|in|for|then|that|equals?|plus|approximately|about"
        r"|so|by)"
    ),
    all_word=r"\b(?:all|every(?:thing|one)?)\b",
    copula=r"\s*(?:is|are|was|were)\b",
    whereas="whereas|while|unlike|in contrast to|as opposed to",
    ends_only=r"\s(?:alone|only)\b",
    last_verb="(?:apply|hold|work|fit|match|qualify)",
    last_article="(?:the|only|just|in|on)",
    undecided=(
        r"\b(?:candidat\w*|contend\w*|plausib\w*|possib\w*|unsure|uncertain|undecided|"
        r"hesitat\w*|similar|compare|consider\w*|check\w*|look(?:ing)?(?: \w+)? at|"
        r"need\w*|(?:hard|difficult) to|between)\b|^\s*to (?!the\b)"
    ),
    shows=(
        "(?:shows?|depicts?|represents?|illustrates?|displays?|contains?|match(?:es)?|"
        r"completes?|satisf(?:y|ies)|meets?)\b"
    ),
    claimed=(
        r"(?<!\bi )(?<!\bwe )\b(?:claims?|insists?|argues?|asserts?|maintains?|alleges?|"
        "thinks|believes|says|writes|guesses|(?:claimed|insisted|argued|wrote|"
        "said)(?! by))(?: that)?"
    ),
    leaves_one=(
        r"\b(?:leav(?:es?|ing)|left with)(?: (?:us|me|you|we) with)?(?: only|"
        r" just)? (?:one|a single)\b|\bonly one(?: \w+)? (?:is left|remains|is possible|"
        r"left)|\bonly (?:leaves|remains) one\b"
    ),
    denominators=(
        "half=2,halves=2,third=3,thirds=3,quarter=4,quarters=4,fourths=4,fifth=5,fifths=5"
        ",sixth=6,sixths=6,seventh=7,sevenths=7,eighth=8,eighths=8,ninth=9,ninths=9,tenth=10"
        ",tenths=10,twelfth=12,twelfths=12,twentieths=20,hundredths=100"
    ),
    one_of_parts="one|a",
    half_alone="half",
    and_half=r"\sand a half|-and-a-half",
    half_noun=r"\w+",
    dozens="(?:a )?dozen",
    half_dozen="half a dozen|a half[- ]dozen|half-a-dozen",
    in_all="(?:that'?s|which makes)",
    not_in_name="to|that|which|who|for|with|from|is|are|as|where|when|because|it|not|was",
    denied_but="but(?: rather)?|rather|it is|it's",
    self_corrects="or rather|i mean|i meant|er|uh|that is to say",
    its=r"its\b|you can (?:see|tell)",
    named_as=(
        r"\b(?:(?:is|are|was|were|be|been) (?:(?:therefore|thus|most likely|probably|clearly|"
        "usually|also|commonly|generally|likely|obviously) ){0,2}(?:called|named|known as|"
        "termed|referred to as|identified as|recogni[sz]ed as|classified as|made (?:up "
        ")?(?:of|from|out of)|cast in|carved (?:from|out of)|written in|spoken in|painted by|"
        "taken (?:in|at)|that of|an example of|a (?:type|kind|species) of|(?:characteristic|"
        "typical) of)|belongs?(?: therefore| thus)? to|correspond(?:s|ing)?(?: therefore| "
        "thus| exactly| clearly)? to|points?(?: clearly| strongly| directly)? (?:to|towards)|"
        r"identif(?:y|ies) (?:it|this|them|him|her|the [\w-]+(?: [\w-]+)?) as|makes? (?:it|"
        r"this|that|him|her|the [\w-]+)|represents?|depicts?)"
    ),
    is_a=(
        r"\b(?:is|are|was|were|must be|has to be|have to be|should be|can only be|appears? to "
        r"be)\b|\b(?:it|that)'s\b"
    ),
    shows_it=(
        r"\b(?:shows?|suggests?|indicates?|denotes?|reads?|says?|states?|plays?|(?:is|are|"
        r"was) \w+ing)\b"
    ),
    surely=(
        "(?:therefore|thus|then|hence|consequently|clearly|obviously|evidently|(?:most|very|"
        "quite) (?:likely|probably|certainly)|likely|probably|(?:almost )?certainly|"
        "definitely|indeed|in fact|actually|simply|undoubtedly|none other than|of course|in "
        "all likelihood|presumably|really|without (?:a )?doubt)"
    ),
    name_article="(?:an?|the|that of(?: an?| the)?|of(?: an?| the)?)",
    name_preposition=(
        "in|on|at|from|of|by|with|for|to|into|under|near|behind|between|above|below|through|"
        "across|over|around|against|during|as|than|like"
    ),
    describes_place=(
        "wrong|right|correct|incorrect|true|false|obvious|not|very|quite|too|so|rather|more|"
        "most|less|also|still|only|just|here|there|now|then|in|on|at|of|to|from|by|with|for|"
        "about|as|like|than|between|behind|under|above|below|near|next|hidden|visible|shown|"
        "given|missing|located|placed|situated|known|used|marked|labell?ed|drawn|printed|"
        "dated|signed|made|seen|unclear|unknown|one of|part of|able|likely|sure|the same|"
        r"what|how|where|when|why|that|if|whether|because|(?:a|one) of|some\w*|any\w*"
    ),
    describes_it=(
        "old|new|young|small|large|big|little|huge|tiny|tall|short|long|wide|narrow|high|low|"
        "deep|thin|thick|heavy|beautiful|pretty|nice|famous|ancient|modern|typical|common|"
        "rare|interesting|important|bright|dark|light|colou?rful|round|flat|empty|full|open|"
        "closed|wet|dry|hot|cold|warm|cool|smooth|rough|soft|hard|difficult|easy|possible|"
        "clear|similar|different|happy|sad|red|blue|green|yellow|white|black|gr[ae]y|brown|"
        "orange|pink|purple|large[rs]t?|small(?:er|est)|adult|male|female|wild|domestic|"
        "wooden|one|two|three|thing|object|animal|person|man|woman|place|picture|image|photo|"
        "kind|type|species|piece|example|and"
    ),
    describes_behind="(?:enough|away|apart)",
    name_denied=r"\b(?:seems?|could|might|may) (?:be|have)\b|\bor not\b",
    naming_doubt=(
        r"\b(?:would(?: have to)? be|would have been|some|others|people|at first(?: glance| "
        "sight)?|initially|than|next to|in front of|similar to|near|behind|beside|almost|"
        r"nearly|previously|earlier|tempting|(?:i|we) thought|first thought|mistaken\w*|"
        "wrongly|for example|instead of|rather than|resembles?|looks like|reminds?|unlike|if|"
        r"unless|whether|either)\b"
    ),
    refers_back=(
        "it|this|that|these|those|they|he|she|what (?:we|you|i) (?:can )?(?:see|have)(?: "
        "here)?|what is (?:shown|depicted)(?: here)?|the answer"
    ),
    concludes_that=(
        r"(?:everything|all(?: of)?(?: this| these| that)?(?: [\w-]+)?|these (?:features|"
        "details|clues|characteristics|observations|signs|traits)|this|that|which|it)(?: "
        "(?:clearly|strongly|all|therefore|thus))? (?:suggests?|indicates?|shows?|means?|"
        "tells? (?:us|me)|impl(?:y|ies)|confirms?)(?: that)?|(?:based on|from|given|judging "
        "(?:by|from)|considering|taking|putting|looking at|in view of|because of|for|with) "
        "(?:all )?(?:of )?(?:this|these|that|those|the|its)[^,.;]{0,70},|taken together,?|"
        "(?:i|we)(?: would|'d| can| may)?(?: therefore| thus| safely| firmly)? (?:say|"
        "conclude|believe|think|identify|infer|assume|deduce)(?: that)?|it follows that|"
        "altogether|all in all|in short|in other words|meaning(?: that)?|this leads to|(?<=: "
        r")this(?= is\b)|as a result|accordingly|which is why|making it"
    ),
    no_doubt=(
        r"\b(?:there (?:is|can be) |with )?(?:no|without(?: a| any)?) doubt(?: that)?\b|"
        r"\bnone other than\b|\bnothing (?:other|else) than\b|\bnothing but\b|\bno question "
        r"that\b"
    ),
    closing_remark=(
        "(?:please )?let me know|i hope|hope (?:this|that)|feel free|if you (?:have|need|"
        "want|would|like|'d)|do you|would you|is there anything|happy to|i can|i'd be|you're "
        "welcome"
    ),
    detail_noun=(
        r"\b(?:features?|parts?|details?|clues?|hints?|differences?|exceptions?|problems?|"
        "reasons?|background|foreground|captions?|labels?|thing|colou?rs?|size|shape|"
        r"question|point)\b"
    ),
    last_one=r"the last(?: one)?",
    summing_up=(
        r"\b(?:all in all|taken together|taking (?:all|everything)(?: of (?:this|"
        r"that))? together|(?:everything|all things) considered|putting (?:it|this|that|"
        r"everything) (?:all )?together|in summary|in short|in sum|to sum up|to conclude|"
        r"altogether|on balance)\b"
    ),
    points_back=(
        r"\b(?:so|therefore|hence|thus),? (?:it|this|that)(?:'s| is| must be) (?:the|this|"
        r"that) one\b|\b(?:it|this|that)(?:'s| is) (?:therefore|thus|hence) (?:the|this|"
        r"that) one\b"
    ),
    is_case=(
        r"\b(?:that|this)(?:'s| is) (?:only |exactly )?(?:the case|true) (?:with|for|in|"
        r"of)\b|\b(?:this|that) (?:only )?(?:applies to|holds for)\b|\b(?:this|"
        r"that) (?:can be seen|is (?:seen|shown|visible|found)) in\b"
    ),
    some_of_them=(
        r"\b(?:two|three|four|five) of (?:them|these|those)\b|\bthe other (?:two|three|"
        r"four|five)\b"
    ),
    is_placed=r"\b(?:appears?|(?:is|are|can be) (?:seen|shown|found|visible))",
    mark_word=r"OK",
    abstains=(
        r"\bi (?:abstain|decline to answer|(?:would |'d )?(?:prefer|"
        r"rather) not (?:to )?(?:answer|say))\b|\bi'd rather not\b"
    ),
    also_called=(
        r"(?:a\.?\s?k\.?\s?a\.?|also|aka|otherwise|alternatively|(?:sometimes|often"
        r"|locally)(?: also)?|in (?:some|other) \w+)(?=[\s,:])"
    ),
    no_end="the|an?|of|from|at|with|by",
)
