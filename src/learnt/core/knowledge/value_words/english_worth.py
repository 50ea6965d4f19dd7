"""What is said of the thing itself, in English: vaguely, evidently, or worth keeping."""

from typing import Final

VAGUE: Final = (
    r"\bnobody (?:really |fully |quite )?(?:understands|knows)\b|\bgrown over (?:the |"
    r"many )?(?:years|"
    r"time)\b|\b(?:chosen|set|configured|done|handled|used|treated|planned) (?:sensibly|"
    r"carefully|"
    r"properly|wisely|correctly|accordingly|appropriately|well|with care)\b|\bhas its (?:limits|"
    r"quirks|reasons|history|pitfalls|peculiarities)\b|\bmake sure (?:the |that |"
    r"all )*(?:\w+ )?(?:is|"
    r"are) (?:correct|consistent|right|valid|fine|ok|up to date)\b",
    r"\bleaves? (?:\w+ )?(?:something|much|a lot|room|plenty)\b|\bto be desired\b",
    r"\bcould be (?:\w+ )?(?:better|improved|cleaner|nicer|faster|clearer|simpler|tidier)\b",
    r"\broom for improvement\b|\bknow what (?:they|he|she|you) (?:are|is|'re) doing\b",
    r"\b(?:trouble|problems?|issues?|headaches?|surprises?) (?:in the past|before|"
    r"now and then)\b",
    r"\b(?:its|their|some|certain|many|several|a few) (?:\w+ )?(?:quirks|pitfalls|gotchas|"
    r"oddities|"
    r"peculiarities|subtleties|particularities|issues|problems|caveats|traps|rough edges)\b",
    r"\b(?:many|several|various|different|a lot of|all (?:kinds|sorts) of) (?:things|factors)\b",
    r"\bhandle with care\b|\bit depends\b|\bthings to (?:watch|consider|keep|know|note)\b",
    (
        r"^(?:please |always |one should |you should )?(?:be (?:very |extra |quite )?(?:careful|"
        r"cautious|mindful|aware)|take care|watch out|use caution|exercise caution|careful|"
        r"beware|pay attention)\b[^:;,]*$"
    ),
)
VAGUE_HINTS: Final = (
    r"\b(?:complicated|complex|convoluted|tangled|intricate|involved|elaborate|non-?trivial)\b",
    r"\b(?:messy|mess|ugly|hacky|spaghetti|chaotic|bloated|sloppy|untidy|cluttered|clumsy)\b",
    r"\b(?:tricky|confusing|unclear|odd|weird|strange|peculiar|unusual|special|surprising\w*)\b",
    r"\b(?:fragile|brittle|unstable|flaky|unreliable|error-prone|buggy|delicate|sensitive|"
    r"finicky)\b",
    r"\b(?:slow|slowish|sluggish|suboptimal|inefficient|poor|bad|mediocre|heavy)\b",
    r"\b(?:inconsistent\w*|varies|vary|differs?|mixed|incomplete|outdated|old|older|legacy)\b",
    r"\b(?:hard|difficult|not easy|tough|painful|a pain) to\b|\btechnical debt\b|\bhistor(?:y|"
    r"ical)\b",
    r"\b(?:careful(?:ly)?|caution|cautious|attention|mindful|aware|thorough(?:ly)?|test well)\b",
    r"\b(?:some|several|various|certain|a (?:number|couple|lot|bit|few)|many|multiple)\b",
    r"\b(?:slightly|somewhat|rather|quite|fairly|pretty|kind of|sort of|relatively|a little)\b",
    r"\b(?:sometimes|often|occasionally|now and then|from time to time|here and there|"
    r"at times)\b",
    r"\b(?:in general|generally|overall|basically|more or less|somehow|in places|mostly|"
    r"on the whole)\b",
    r"\b(?:things?|stuff|aspects|factors|details|cases|situations|circumstances|places|ways)\b",
    r"\b(?:not|n't) (?:very|really|particularly|entirely|quite|always|that|so|as)\b",
    r"\b(?:important|critical|crucial|essential|central|significant|key part|matters)\b",
    r"\b(?:problems?|issues?|trouble|quirks|pitfalls|gotchas|edge cases|exceptions|surprises)\b",
    r"\b(?:proper(?:ly)?|right (?:order|way)|appropriate(?:ly)?|best practices?|good|better|"
    r"correctly)\b",
    r"\b(?:works?|behaves?) (?:fine|well|ok|okay|differently)\b|\bdepend(?:s|ing) on\b",
)
VAGUE_MORE: Final = (
    r"\b(?:suitabl[ey]|adequate(?:ly)?|sensibl[ey]|reasonabl[ey]|relevant|necessary|required|"
    r"corresponding|respective|meaningful|optimal(?:ly)?|accordingly|as needed|if needed|"
    r"where (?:possible|appropriate|necessary|needed))\b",
    r"\b(?:change[sd]?|changing|adjust\w*|modif\w+|improv\w+|handl(?:e[sd]?|ing)|manag\w+|"
    r"work(?:s|ed|ing)? on|address(?:ed|ing)|deal(?:s|t)? with)\b",
    r"\b(?:the|a) (?:configuration|config|settings?|code|logic|module|component|service|system|"
    r"performance|database|implementation|structure|setup|process|architecture)\b",
    r"\b(?:can|could|may|might|tends? to) (?:be|cause|lead|have|become|get|behave|affect)\b",
    r"\b(?:fixed|solved|resolved|addressed|improved|optimi[sz]ed) (?:by|with|through) "
    r"(?:chang|adjust|modif|improv|tweak|updat|fix|some|an? )\w*",
)
OBVIOUS_HINTS: Final = (
    r"\bis the (?:\w+ ){0,2}(?:id|name|number|time|date|status|type|description|list|key|flag|"
    r"address|amount|price|count|version|path|title|code)\b",
    r"\b(?:contains?|holds?|stores?|represents?|denotes?|indicates?|describes?|returns?|lists?|"
    r"records?|displays?|shows?)\b",
    r"\b(?:column|field|table|function|method|class|script|folder|directory|file|variable|enum|"
    r"button|page|endpoint|constant|parameter|module|option|setting|command)s?\b",
    r"\b(?:is|are) (?:used|responsible|there|meant|intended) (?:to|for)\b|\bis for\b",
    r"\b(?:click(?:ing|s)?|press(?:ing|es)?|calling|running|opening|pushing)\b",
)
GENERAL_HINTS: Final = (
    r"\bshould\b|\bit is (?:good|bad|best|better|important|recommended|advisable|common)\b",
    r"\b(?:usually|typically|generally|commonly|often|in general|by default|as a rule)\b",
    r"\b(?:avoid|prefer|ensure|consider|remember|write|choose|keep|use)\b",
    r"\b(?:you|your|one|developers?|programmers?|people|teams?)\b",
    r"\b(?:faster|slower|easier|harder|cheaper|safer|better|worse|more \w+|less \w+)\b",
    r"\b(?:is|are) (?:a|an|immutable|mutable|thread-safe|stateless|called|known|used|faster)\b",
    r"\b(?:makes?|allows?|helps?|enables?|prevents?|reduces?|improves?|causes?|leads? to)\b",
)
# The table and its column, the file and its content: what a glance at the name tells.
FILE_SAYS: Final = (
    r"(?:lists?|contains?|describes?|defines?|holds?|has|have|stores?|declares?|specif(?:y|ies)|"
    r"configures?|is|are|includes?|documents?|shows?|tells?|keeps?|starts?|bootstraps?|houses?|"
    r"explains?|consists?|serves?|provides?|live in|lives in|go in|goes in)"
)
OBVIOUS: Final = (
    r"\b(?:is|are|lives?|kept|stored|found|put) in the (?:images?|assets|docs|tests?|scripts?|"
    r"styles?|"
    r"components?|src|source|utils|config|controllers?|models?|services?) (?:folder|directory|"
    r"package)\b",
    r"\b(\w{3,14}?)s? (?:are|is|live|lives|go|goes|belong|belongs) (?:in|under) (?:the |"
    r"a )?`?\1s?\b",
    (
        r"^(?:the |this |our )?(?:\w+ ){0,2}(?:project|app|application|code|codebase|frontend|"
        r"front "
        r"end|backend|back end|server|client|repo|repository|service|api|ui|web app|website|"
        r"library)"
        r"(?: code)? (?:is|was) (?:(?:mainly|mostly|entirely|all) )?(?:written|built|implemented|"
        r"developed|made|coded|based|hosted|managed) (?:in|with|on|using|by|upon)\b"
    ),
    (
        r"^(?:the |this |our )?(?:\w+ )?(?:project|app|application|codebase|frontend|backend|"
        r"repo|repository|website) (?:uses|runs on|consists of|contains|has|is an?)\b"
    ),
    (
        r"\b(?:lets?|allows?|enables?) (?:\w+ )?(?:users?|customers?|people|admins?|visitors?|"
        r"them) "
        r"(?:to )?(?:put|log|sign|register|buy|search|browse|view|see|create|edit|add|manage|"
        r"check|"
        r"upload|order|pay|change|update|delete)\b"
    ),
    r"^(?:users?|customers?|visitors?) can (?:log|sign|register|search|browse|view|buy|upload|"
    r"edit)\b",
    (
        r"^(?:the )?(?:enum|enumeration) □?\w* ?(?:has|contains|defines|consists|lists)\b|"
        r"^(?:the )?enum \w+ (?:has|contains|defines)\b"
    ),
    (
        r"^(?:the )?(?:table □|table \w+|\S+ table) (?:has|contains|consists of|"
        r"includes) (?:an? |the "
        r")?(?:columns?|fields?|rows?|an? id|id)\b"
    ),
    r"\b(?:tests?|docs?|documentation|scripts?|styles?|images?|assets?) (?:are|is|live|lives|"
    r"go) in (?:the )?"
    r"(?:tests?|docs?|scripts?|styles?|images?|assets?)(?:/| (?:folder|directory|dir))",
    r"^to (?:run|start|build|test|install|lint|launch)\b.{0,40}\b(?:npm|yarn|pnpm|make|script|"
    r"pip|test)\b",
    r"\bas (?:the|its) name (?:says|suggests|implies|indicates)\b|\bself-explanatory\b",
)

# What speaks for worth: a cause, a rule, a contrast, a condition, a consequence, a remedy.
SPEAKS: Final[dict[str, tuple[str, ...]]] = {
    "reason": (
        r"\b(?:because|due to|caused by|root cause|so that|hence|thanks to|therefore|comes? from|"
        r"came from|(?:cause|reason|culprit) (?:is|was)|otherwise|or else)\b|"
        r"\b(?:since|as) (?:the|it|its|this|we|they|\w+ (?:is|are|was|has|can|does))\b",
    ),
    "rule": (
        r"\b(?:nobody|no one|none but|may only|excluded|exempt|exclusively|solely|must|"
        r"may not|cannot|can't|mustn't|shall|requires?|always|never|only|at (?:most|"
        r"least)|"
        r"no more than|forbidden|prohibited|allowed|not allowed|mandatory|needs the|reserved)\b|"
        r"\b(?:do not|don't|avoid)\b",
    ),
    "contrast": (
        r"\b(?:instead of|rather than|not \S+ but|and not|but not|but|except|excludes?|excluding|"
        r"without|whereas|while|unlike|although|even (?:if|though|when)|despite|regardless|"
        r"nor)\b|"
        r", not\b|\b(?:isn't|aren't|doesn't|is not|are not|does not|no longer|not)\b",
    ),
    "condition": (
        r"\b(?:if|unless|until|when|whenever|once|after|before|per|every|each|as soon as|in case|"
        r"beyond|above|below|over|under|within|up to|more than|less than|from \S+ (?:on|to))\b",
    ),
    "effect": (
        r"\b(?:fails?|failed|hangs?|breaks?|crash(?:es)?|silently|deadlocks?|overwrit\w+|"
        r"corrupts?|"
        r"rejects?|rejected|ignores?|ignored|truncat\w+|times? out|timeouts?|aborts?|refuses?|"
        r"duplicat\w+|swallows?|discards?|strips?|rounds?|"
        r"returns?|throws?|drops?|dropped|expires?|loses?|lost|skips?|skipped|blocks?|blocked|"
        r"leaks?|"
        r"prints?|raises?|triggers?|resets?|restarts?|denied|missing|invalid|stale)\b",
    ),
    "remedy": (
        r"\b(?:use|set|run|pass|call|add|start|upgrade|pin|join|filter|sum|"
        r"keep|raise|lower|disable|enable|install|multiply|divide|take|choose|clear|retry|"
        r"count|setting|"
        r"raising|adding|using|pinning)\b|\b(?:fix(?:ed|es)?|solved|resolved|cured|helps|"
        r"goes away|instead)\b",
    ),
    "value": (
        r"\d ?(?:ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?|%|[kmgt]i?b|"
        r"k?hz|px|rows|items|bytes|chars|characters|eur|usd|cents|mm|km|kg)\b|\b\d+\.\d|"
        r"\bv\d+\.\d|"
        r"\b(?:in|as) (?:cents|utc|seconds|milliseconds|minutes|grams|kilograms|percent|metres|"
        r"bytes)\b|"
        r"\b(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|"
        r"weekdays?)\b",
    ),
    "means": (
        r"\b(?:(?:starts?|begins?|ends?|starting) (?:with|on|at)|has no|have no|are read|"
        r"is read|means|stands for|denotes|equals|counts|is (?:one of|the|in|not|kept|stored|"
        r"computed|"
        r"taken|written|called|derived|based|calculated)|are (?:in|kept|stored|computed|taken|"
        r"written|"
        r"called|rounded|counted|logged|encoded))\b|[=:→]|->|=>",
    ),
    "domain": (
        r"\b(?:customers?|clients?|orders?|invoices?|payments?|refunds?|prices?|discounts?|"
        r"vouchers?|"
        r"coupons?|shipments?|shipping|parcels?|deliver(?:y|ies)|warehouses?|stock|articles?|"
        r"products?|"
        r"contracts?|subscriptions?|accounts?|tenants?|members?|patients?|students?|drivers?|"
        r"employees?|partners?|suppliers?|vendors?|carriers?|shops?|stores?|branch office|"
        r"returns|"
        r"receipts?|tax|vat|currency|euros?|francs|fees?|commission|salary|bookings?|"
        r"tickets?|claims?|"
        r"policies|premiums?|seats?|trips?|fares?|meters?|sensors?|devices?|labels?|barcodes?|"
        r"appointments?|prescriptions?|courses?|lessons?|grades?|loans?|deposits?|balances?|"
        r"wallets?|"
        r"auctions?|bids?|cards?|terminals?|regions?|countr(?:y|ies)|holidays?|billing|"
        r"billed|payouts?)"
        r"\b",
    ),
    "owner": (
        r"\b(?:owns?|owned by|responsible for|belongs? to|maintained by|approv(?:es?|ed|al) by|"
        r"run by|"
        r"agreed|chose|chosen|decided|by contract|finance|legal|regulat\w+|auditors?|vendor|"
        r"partner)\b",
    ),
}
