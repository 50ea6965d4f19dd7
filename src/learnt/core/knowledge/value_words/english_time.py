"""What is bound to its hour, in English: what was done, holds for now, is planned, is guessed."""

from typing import Final

_DID: Final = (
    r"(?:ran|re-?ran|wrote|looked|searched|grepped|tried|pushed|rebased|debugged|investigated|"
    r"went|spent|managed|explored|examined|installed|implemented|fixed|replaced|refactored|"
    r"skimmed|inspected|browsed|double-checked|figured|noticed|walked|traced)"
)
_DONE_TO: Final = (
    r"(?:added|removed|updated|renamed|moved|created|checked|opened|tested|verified|committed|"
    r"merged|edited|changed|deleted|started|finished|completed|reviewed|cleaned|converted|"
    r"extracted|reverted|bumped|upgraded|switched|ported|copied|downloaded|cloned|built|compiled|"
    r"deployed|restarted|compared|adjusted|adapted|applied|set up|rewrote|split|made|began|"
    r"migrated|read|got|took|wired|hooked|patched|resolved|closed)"
)
_PAST: Final = (
    r"(?:\w{2,}ed|ran|found|wrote|made|did|saw|read|went|took|got|put|built|began|left|kept|set|"
    r"cut|sent|spent|broke|chose|had|was|came|knew|thought|forgot|misread|lost)"
)
_CHANGE: Final = (
    r"(?:refactor|rewrite|rework|clean|revisit|investigate|improve|split|migrate|optimi[sz]e|"
    r"simplif|upgrade|moderni[sz]e|replace|extract|deduplicate|consolidate|document|redesign|"
    r"automate|discuss|clarif|decide|review|unif)"
)

_DETERMINER: Final = (
    r"(?:the|an?|all|both|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|"
    r"some|every|each|my|our|this|that|these|those|it|them|everything|nothing|him|her|\d+|up|"
    r"over|"
    r"out|off|back|down|into|onto|through|around|against|for an|□)"
)
SESSION: Final = (
    r"^(?:the )?(?:ticket|issue|pr|task|story|card|branch) \S+ (?:is|was|"
    r"has been) (?:now )?(?:finished|"
    r"done|closed|ready|merged|resolved|open(?:ed)?)\b|\bwait(?:s|"
    r"ing) for \w+(?:'s)? (?:approval|"
    r"review|feedback|answer|reply|ok)\b",
    r"^\W*(?:[a-z]{3,}-)?[a-z]{2,}(?:ed|ked|ped) " + _DETERMINER + r"(?:\s|$)",
    r"^\W*[a-z]{2,}ed (?:\S{1,60}[._/(]\S|□)|^\W*(?:ran|wrote|rewrote|re-ran|reran|took|made|"
    r"found|gave|got|went|sent|built|began|came|left|kept|spent|threw|"
    r"drew|saw|had|did|sat|dug|ended up|gave up|asked|cherry-picked|swapped)\s",
    r"\bwe (?:then |just |also |finally )?(?:went|ran|did|spent|tried|looked|sat|talked|got|dug|"
    r"gave|wrote|fixed|took|ended|walked)\b|\bi've\b|\b(?:ended|wound) up \w+ing\b|"
    r"\bstart(?:ed|ing) (?:all )?over\b|\b(?:gave|given) up\b|\b(?:half an|an|two|three|several) "
    r"hours? (?:on|later)\b|\bone by one and\b|\bleaving none\b",
    r"^(?:having|after) (?:\w+ly )?\w+(?:ed|ing) .{3,60}, (?:it (?:became|was|turned)|i|we|the "
    r"\w+ (?:was|were|passed))\b",
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|\d+) (?:\w+ )?(?:files?|warnings?|"
    r"commits?|comments|functions|imports|modules) (?:were |was )?(?:\w+ed|rewritten|left)\b",
    r"\b[a-z]+ [a-z]+ed, (?:[a-z]+ ){1,3}[a-z]+ed(?:,|\.|$| and )|\b(?:what|everything) (?:was|"
    r"has been|i|"
    r"we) (?:did|done)\b",
    r"\b(?:this|the) (?:ticket|task|issue|pr|mr|work|refactoring|change) is (?:now )?(?:done|"
    r"closed|complete)",
    r"\bafter (?:some|several|many|a few|a lot of|hours of) (?:attempts|tries|trial|debugging|"
    r"searching)\b",
    r"\b(?:have|has) (?:now |just |already )(?:all )?(?:been )?(?:written|tested|fixed|added|"
    r"moved|merged)\b",
    (
        r"\b(?:i|i've|i have|i had|i'd) (?:\w+ly |just |then |also |first |already |now |even |"
        r"not |again )*" + _PAST + r"\b"
    ),
    r"\bi(?:'m| am) |\bi (?:can|could|do|don't|see|also|now|consider|believe|notice)\b",
    r"\bwe(?:'re| are) (?:now |still |just )?(?:going to|about to|working on|debugging|"
    r"looking)\b",
    r"\blet me\b|\bmy (?:sandbox|machine|laptop|branch|terminal|last|next|first|change|local|"
    r"fix)\b",
    (
        r"\b(?:this|current|last|previous|today's|our|in the) (?:session|conversation|chat|"
        r"turn)\b"
        r"(?! (?:cookie|id|token|key|store|table))"
    ),
    r"^\W*(?:all )?(?:done|finished|complete|completed|fixed|ready|update|status|"
    r"progress)[.!,:—-]",
    r"\b(?:step|task|phase|part|item) \d+ ?(?:of|/|out of) ?\d+|\b(?:steps?|"
    r"tasks?) \d.{0,8} remain",
    (
        r"\b\d+ (?:of|out of|/) (?:the )?\d+ (?:\w+ ){0,3}(?:done|complete|finished|remaining|"
        r"left|"
        r"migrated|converted|processed|reviewed|fixed|passing|passed)\b"
    ),
    r"^\W*(?:(?:then|also|first|just|finally|successfully|already|now|have|"
    r"has) )?" + _DID + r"\b",
    (
        r"^\W*(?:(?:then|also|first|just|finally|successfully|already|now) )?" + _DONE_TO + r"\s+"
        r"(?:the|an?|all|both|two|three|four|five|several|some|\d+|my|our|this|that|it|them|"
        r"every|"
        r"each|up|into|through|out|over|for|with|against|□|\S+\.\w+|\w+[A-Z_]\w+)(?:\s|$)"
    ),
    (
        r"\b(?:all|the) (?:\d+ )?(?:\w+ )?(?:tests|checks|specs|suites?|builds?) (?:are |is |"
        r"now |all "
        r"|have |has )*(?:pass|passed|passing|green|succeed\w*)\b(?! (?:only|if|when))"
    ),
    r"\b(?:is|are|everything|now|back) (?:now |all )?green\b|\bfor review\b|"
    r"\bpull request opened",
    (
        r"\bmoving on\b|\bhand(?:ing)? over\b|\bas (?:requested|discussed|agreed)\b|"
        r"\bas you (?:asked|said|requested|wanted)|\bpick(?:ing)? up where|\bwrapp(?:ed|"
        r"ing) up\b|"
        r"\bcontinu(?:e|ing) (?:with|tomorrow|later|from)\b|\bso far[,. ]|\bwork in progress\b"
    ),
    r"\b(?:the )?user (?:just )?(?:asked|said|confirmed|told|requested|wanted|approved|"
    r"mentioned)\b",
    r"\b(?:touched|modified|changed|edited|updated|created) \d+ (?:\w+ )?(?:files|lines|"
    r"modules)\b",
    r"\b\d+ (?:\w+ )?(?:files?|lines|tests?) (?:were |have been )?(?:changed|modified|added|"
    r"edited)",
    r"\b(?:two|three|several|a few|\d+) (?:attempts|tries)\b|\bsecond (?:time|attempt|try)\b",
)
SESSION_HINTS: Final = (
    r"\bwe (?:have |'ve |just |then |also |already |finally )*" + _PAST + r"\b",
    r"\b(?:has|have) been (?:successfully |now )?" + _DONE_TO + r"\b",
    r"^[a-z]+(?:-[a-z]+)?ed\b",
    r"\bmy\b|\bmine\b|\bmyself\b",
    r"\b(?:accordingly|in the end|afterwards|along the way|this time|while at it|"
    r"by hand instead)\b",
    r"\band \w+ed\b",
    r"\bsuccessfully\b|\bfinally\b|\bjust\b (?:now|" + _DONE_TO + r")",
    r"\bnow (?:works?|passes|compiles|builds|runs|done|complete)\b",
    r"\b(?:remain|remaining|left to do|outstanding)\b|\bafter that\b|\bthen (?:ran|came|moved)\b",
    r"\b(?:was|were) (?:just |then |successfully )?" + _DONE_TO + r"\b[^:;]{0,60}[.!]?$",
)
TRANSIENT: Final = (
    r"\b\d[\d,.]* (?:\w+ )?(?:unprocessed|unread|pending|stuck|queued|unassigned|unresolved|"
    r"waiting)\b|"
    r"\bthere (?:is|are) (?:currently |still |now )+\S+|\b(?:until|"
    r"before) (?-i:[A-Z][a-z]+) \w+s (?:it|"
    r"the|them|this)\b|\b(?:of|on|from|since) last (?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    r"\b(?:someone|somebody) (?:left|broke|pushed|locked|deleted|changed|forgot|rebooted|"
    r"stopped)\b|"
    r"\bbetter not \w+ .{0,40}\bnow\b|\b\d+ ?% (?:memory|cpu|disk|ram)\b|\b(?:runs? out|"
    r"expires?) in "
    r"(?:\w+ )?(?:days?|hours?|weeks?|minutes?)\b|\b(?:behind|ahead of) (?:main|master|"
    r"origin|develop)\b",
    r"\b(?:on|in|from|to) (?:my|this) (?:\w+ )?(?:checkout|branch|machine|laptop|box|shell|"
    r"terminal|"
    r"clone|worktree|setup|desk|pc|computer|vpn|browser)\b|\bsince lunch\b|\bas of (?:commit|"
    r"today|"
    r"[0-9a-f]{4,}\b)|\bhalf(?:-| )(?:finished|done|merged|migrated)\b|\bhours? "
    r"ago\b|\bleft ?over (?:\w+ )?(?:process|container|lock|file)|\boccupied by\b",
    r"\b(?:run|build|job|sync|backup) of (?:last )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|"
    r"\b(?:is|are) (?:all )?(?:red|green|yellow)\b(?! (?:if|when|for|in|means))|\bkeeps? "
    r"(?:dropping|crashing|failing|disconnecting|hanging|timing|restarting)\b|\bmy (?:vpn|"
    r"network|"
    r"wifi|connection|token|session)\b|\bcrashloopbackoff since\b|\b(?:does|"
    r"do) not (?:compile|build|"
    r"start) (?:as of|since|right|any ?more)\b",
    r"\b(?:is|are|am) (?:\w+ly |also |again )?(?:failing|testing|fixing|rebuilding|migrating|"
    r"deploying|"
    r"investigating|debugging|releasing|upgrading|restoring|reindexing|hanging|timing out|"
    r"crashing|"
    r"rejecting|running (?:a|an|the|load|some|tests?))\b",
    r"\bsince (?:noon|midnight|lunch|dawn|\d{1,2}(?::\d\d| ?[ap]m| o'clock))\b",
    r"\b(?:at|for) the moment\b|\bas of now\b|\b(?:up|down|off|out|again|it|them) now\W*$|"
    r"\bfor now\W*$",
    r"\buntil (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\bout of (?:disk|space|quota|"
    r"credits)\b",
    r"\b(?:has|have) been (?:\w+ )?(?:down|failing|unavailable|slow|red|flaky|broken|returning|"
    r"hanging|"
    r"offline)\b|\b(?:is|are) being (?:\w+ly )?\w+ed\W*$",
    r"\b(?:try|check|come|ask) (?:again )?later\b|\b(?:someone|somebody) (?:is|holds|has|took|"
    r"just)\b",
    r"\bnot (?:yet )?(?:back|available|reachable|restored) (?:yet|until|before)\b|"
    r"\bwaiting (?:for|on)\b",
    r"\b(?:is|are) (?:\w+ )?(?:having|experiencing|suffering) an? (?:\w+ )?(?:outage|incident|"
    r"hiccup)",
    r"\b(?:on|from) (?:this|my) (?:machine|laptop|box|computer|host)\b|\balready (?:taken|"
    r"in use) by\b",
    r"(?:#|\bno\.? ?)\d+ (?:is|are|was|has been) (?:still |now )?(?:stuck|pending|open|running|"
    r"failing|in)",
    r"\b(?:is|are) (?:stuck|paused|frozen|on hold|blocked|closed|locked)\b.{0,50}\b(?:until|"
    r"because|since|as)\b",
    (
        r"\b(?:today|tonight|yesterday|tomorrow)\b(?!'s)|\bthis (?:morning|afternoon|evening|"
        r"week|"
        r"weekend|hour|minute|moment)\b|\b(?:last night|right now|just now|as we speak)\b"
    ),
    (
        r"\b(?:a|an|\d+|few|two|three|five|ten|twenty|thirty|half an) (?:minutes?|mins?|hours?|"
        r"hrs?|"
        r"seconds?|days?) (?:ago|earlier)\b|\bas of (?:now|this)\b|\bso far (?:today|this)"
    ),
    r"\bpids? ?[=:#]? ?\d+|\bprocess (?:id )?\d{3,}\b",
    (
        r"\buntil (?:i|tomorrow|tonight|noon|lunch|further notice|he|she|(?-i:[A-Z][a-z]+) (?:is|"
        r"gets|comes|returns|has|fixes|finishes))\b"
    ),
    (
        r"\bback from (?:lunch|vacation|holidays?|leave)\b|\bon (?:vacation|holidays?|"
        r"sick leave)\b|"
        r"\bout of (?:the )?office\b|\bin a meeting\b|\boff sick\b|\bcalled in sick\b"
    ),
    (
        r"\bchecked[- ]out branch\b|\bcommits? (?:ahead|behind)\b|\b(?:uncommitted|unstaged|"
        r"stashed)"
        r"\b|\bworking (?:tree|copy) (?:is|has)\b|\bhead is (?:at|now)\b|\bcurrent (?:branch|"
        r"commit|"
        r"working directory)\b|\bcurrently on (?:branch|commit)\b|\bon branch \S+ with\b"
    ),
    r"\b(?:verification|one-time|login|sms|confirmation|2fa|otp|access) (?:code|password) is\b",
    (
        r"\b\d+ ?% (?:done|complete|finished|through)\b|\beta\b(?= |:)|\b(?:minutes|hours|mins) "
        r"(?:left|remaining|to go)\b|\bin progress\b(?! (?:orders|state|status))|\bunder way\b|"
        r"\bepoch \d+ (?:of|/) ?\d+"
    ),
    (
        r"\b(?:is|are|was) (?:currently|now|still|temporarily|again) (?:\w+ )?(?:running|down|"
        r"stuck|broken|failing|offline|red|blocked|locked|paused|queued|pending|waiting|building|"
        r"unavailable|unreachable|slow|busy|open|empty|full|hanging|rebuilding|syncing|"
        r"restarting|"
        r"compiling|downloading|processing|being)\b"
    ),
    (
        r"^(?:the |an? |our |my )?(?:[\w./#-]+ ){0,4}(?:is|are) (?:running|up|listening|open) "
        r"(?:on|at|since|with|under) (?:\w+ )?(?:pid|port|localhost|host|https?:|#|since|\d)"
    ),
    r"\b(?:pipeline|build|job|run|deployment|workflow) #?\d+ (?:is|are|was|has|failed|passed)\b",
    (
        r"\bcurrently (?:checked|running|at|stuck|down|failing|has|have|there|open|working|"
        r"broken|"
        r"rebuilding|\d)|\b(?:is|are) (?:down|offline|out) (?:for|since|at|because|due|until|"
        r"while)"
    ),
    r"\b(?:down|offline) for maintenance\b|\bthe (?:outage|incident) is (?:ongoing|over|still)\b",
    r"\bsince (?:this|last|\d+ minutes|an hour|about|roughly|monday|tuesday|wednesday|thursday|"
    r"fri)\b",
    r"\b(?:is|are) (?:at|around) \d[\d.,]* ?% (?:cpu|memory|disk|full|load|usage|capacity)?",
    r"\b(?:cpu|memory|disk|load)(?: usage)? (?:is|at|of)(?: at| now)? \d",
    r"\blast (?:run|build|deploy\w*|sync|backup|commit) (?:was|took|failed|finished|passed|at)\b",
    r"\bdays? off\b|\bfor the next (?:\w+ )?(?:minutes?|hours?|days?)\b|\bin \d+ minutes\b",
)
TRANSIENT_HINTS: Final = (
    r"\b(?:currently|at the moment|at present|for the time being|for now|momentarily|"
    r"presently)\b",
    r"\bnow\b|\bstill\b",
    r"\b(?:temporar(?:y|ily)|intermediate|scratch)\b",
    r"\b(?:pending|busy|growing|stuck|paused|queued|waiting|unreachable|stalled|running|"
    r"stopped)\b",
    r"(?<![\w/])/(?:tmp|var/tmp)/\S",
    r"\b\d[\d,.]* (?:\w+ )?(?:rows|orders|users|records|messages|open|unread|failed|tickets|"
    r"entries)",
    r"\bthis (?:month|year|quarter)\b|\brecently\b|\blately\b|\b\d{1,2}:\d\d\b",
    r"\b(?:was|were) (?:returning|failing|timing|down|slow|unreachable|hanging)\b",
)
PLAN: Final = (
    r"\b(?:has|have|needs?) to be (?:cleaned|removed|migrated|updated|renamed|rewritten|replaced|"
    r"tested|fixed|documented|added|refactored|adapted|clarified|decided)(?: up)?(?: \w+)?\W*$|"
    r"\bafter (?:the )?(?:go-?live|launch|release|relaunch),? \w+|\bwill follow\b|"
    r"\bis still missing\b",
    r"\bought to\b|\bwe can (?:finally|then|at last|soon)\b|\bneed an? (?:decision|answer|"
    r"plan|ticket)\b",
    r"\bdeserves? (?:a|an|to|some|more)\b|\b(?:in|on|to) the (?:backlog|wish ?list|roadmap|"
    r"agenda)\b|"
    r"\b(?:version|release|v) ?\d\S* (?:will|is going to)\b|\bwill (?:bring|introduce|"
    r"be (?:replaced|"
    r"migrated|removed|renamed|rewritten|split|introduced|retired|refactored|phased))\b|"
    r"\bone day,? "
    r"(?:we|the|this|i|it)\b|^one day\b|\bsomebody (?:must|should|has to|needs to)\b|"
    r"\bonce the \w+ is "
    r"(?:over|done|finished|through)\b|\bworth (?:\w+ing|a try|a look|exploring)\b",
    r"\b(?:someone|somebody|we) (?:should|ought to|needs? to|has to|must)\b|"
    r"\bin the long (?:run|term)\b",
    r"\bideally,? (?:the|we|it|this|there)\b|\bget rid of\b|\bwould (?:support|allow|have|"
    r"also)\b",
    r"^(?:once|as soon as|after|when) .{3,60}, (?:switch|move|migrate|rename|drop|remove|"
    r"replace|upgrade|"
    r"refactor|merge|rewrite|revisit|try|we)\b",
    r"\bwould (?:be|make) (?:\w+ )?sense\b|\bit makes sense to\b|\bhas yet to\b|"
    r"\bwish\b",
    r"\?\W*$|^(?:why|how|what|who|where|when|should|could|does|is|are|can)\b[^.;:]*\?",
    (
        r"\b(?:we|they|team|management|product|ops|marketing|company) (?:really )?"
        r"(?:wants?|plans?|intends?|hopes?|aims?|wishes|(?:is|are) planning) to\b"
    ),
    r"^\W*(?:todo|fixme|xxx|tbd|wip|hack)\b|\b(?:todo|fixme|xxx)\s*[:(]|\btbd\b",
    (
        r"^(?:still |also |we |i |just |somebody |someone |you |one |and )*(?:needs?|have|has|"
        r"wants?|ought|going|plan|hope|intend|mean) to\b"
    ),
    r"^(?:plan(?:ning|ned)?|hoping|intending|aiming|thinking|looking) (?:to|of|about|on|at|"
    r"into)\b",
    (
        r"^\W*(?:plan|ideas?|next|next (?:steps?|sprint|week|up)|goals?|roadmap|proposal|open "
        r"(?:questions?|points?|issues?)|questions?|follow[- ]?ups?|reminder|action items?|later|"
        r"backlog|wish ?list|to[- ]?dos?|future work|remaining|suggestion|maybe later)\s*[:\-—]"
    ),
    r"\bnext (?:sprint|week|month|quarter|year|iteration|release|steps?|"
    r"milestone)\b(?! (?:of|hour))",
    (
        r"\b(?:once|when|if|as soon as|after) (?:there is|there's|we(?:'ve| have)?|i(?:'ve| "
        r"have)?|someone|somebody|time)\b.{0,20}\b(?:time|budget|capacity|chance|permits|"
        r"allows)\b"
    ),
    r"\b(?:i'd|i would|we'd|would) (?:like|love|prefer|want|suggest|propose)\b",
    r"\bwould be (?:nice|good|great|better|worth|useful|helpful|cool|ideal)\b|"
    r"\bit'?s? (?:is )?worth ",
    (
        r"\b(?:we|somebody|someone|one|they) (?:really |probably |also )?(?:should|could|might|"
        r"ought to|may want to) (?:really |probably |also )?(?:consider|think|look|try|start|add|"
        r"drop|introduce|rename|move|switch|get|find|use|" + _CHANGE[3:-1] + r")"
    ),
    r"\b(?:should|could|ought to|needs? to|deserves to) (?:\w+ )?be " + _CHANGE + r"\w*\b",
    r"\b(?:some ?day|at some point|down the road|in the (?:near )?future|later on)\b",
    r"\beventually\b(?! consisten)|\blater\W*$|\bsome other time\b",
    (
        r"\bneeds? (?:\w+ ){0,2}(?:tuning|refactoring|clean-?up|cleaning|fixing|rework|rewriting|"
        r"rewrite|work|attention|love|polish|overhaul)\b"
    ),
    r"\b(?:is|are) (?:planned|scheduled|on the roadmap|slated|envisaged)\b|\bplanned for\b",
    r"\bconsider(?:ing)? (?:\w+ing|a|an|whether|the)\b|\bthe (?:plan|idea|goal|intention) is\b",
    r"\blet's\b|\blet us\b|\bwe (?:plan|want|intend|hope|aim|wish|hopefully)\b",
    r"\bwe(?:'re| are) (?:planning|thinking|considering|hoping)\b|\b(?:we|i)(?:'ll| will)\b",
    r"\bi (?:want|plan|need|intend|hope|have|should|ought|must|might)\b",
    (
        r"\b(?:not|never|hasn't been|haven't been|isn't) (?:yet |been )?(?:decided|agreed|"
        r"settled|"
        r"scheduled|finali[sz]ed)\b|\bundecided\b|\bto be (?:decided|discussed|determined|done|"
        r"clarified|confirmed|defined)\b|\b(?:yet|still) to be\b|\bremains to be\b"
    ),
    r"\b(?:still|yet) (?:need|have to|has to|needs|missing|open|unclear|to do)\b",
    r"\bneed to (?:ask|check|find out|figure|decide|discuss|clarify|look|investigate|verify)\b",
    r"\b(?:wonder(?:ing)?|curious|unclear|open question|question is) (?:if|whether|how|why|"
    r"what)\b",
    r"\bdon't forget\b|\bremember to\b|\b(?:make|made) a (?:note|plan)\b|\bfollow[- ]up\b",
)
PLAN_HINTS: Final = (
    r"\b(?:should|could|might want to|ought to)\b",
    r"\b(?:soon|later|future|upcoming|roadmap|backlog|spike|prototype|hopefully|ideally)\b",
    r"\b(?:migrat|refactor|rewrit|redesign|investigat|moderni[sz]|explor|evaluat)\w*",
    r"\bwill\b(?! (?:not|only|fail|never|be))",
)
GUESS: Final = (
    r"\b(?:looks?|seems?|sounds?|feels?) as (?:if|though)\b|\bjust a (?:hunch|guess|theory|"
    r"thought)\b",
    r"\bmy money is\b|\b(?:i'd|i would) (?:bet|say|guess|wager)\b|\bfrom what i\b|\b(?:can't|"
    r"cannot|"
    r"can not|couldn't) (?:be )?(?:ruled? out|excluded?|say for|tell (?:if|whether|for))|"
    r"\bcould be "
    r"(?:a|an|the|that|because|due|down)\b|\bplausibl[ey]\b|\bconceivabl|\bhypothe|"
    r"\bsmells? like\b|"
    r"\bfeels like\b|\bas (?:if|though) (?:the|it|some)\b|\bhard to (?:say|tell)\b|"
    r"\banyone's guess\b|"
    r"\ba possible (?:cause|reason|explanation|culprit)\b|\bmust have been\b|\bone explanation\b",
    r"\b(?:may|might|could) (?:well )?(?:come|stem|result|originate|arise|derive)\b|"
    r"\b(?:'d|would|should) (?:have to|need to) (?:look|check|verify|test|ask|confirm|measure)\b",
    r"\b(?:maybe|perhaps|presumably|probably|possibly|supposedly|conceivably|allegedly|"
    r"arguably)\b",
    (
        r"\bi (?:think|guess|suspect|assume|suppose|believe|imagine|reckon|wonder|doubt|bet|"
        r"presume|feel|have a (?:feeling|hunch))|\b(?:my|our|a|wild|best|educated|"
        r"first) (?:\w+ )?"
        r"(?:guess|impression|hunch|suspicion|assumption|theory|hypothesis|idea)\b"
    ),
    (
        r"\b(?:not|n't) (?:\w+ )?(?:sure|certain|verified|confirmed|checked|tested|looked|"
        r"clear why|"
        r"know (?:why|whether|if|what|how)|tried|measured|proven?)\b"
    ),
    r"\bunverified\b|\bunconfirmed\b|\bunsure\b|\bspeculat|\bguess(?:ing|ed|work)?\b|\bno idea\b",
    r"\b(?:it|this|that) (?:seems?|appears?|looks? like|sounds like)\b|^(?:the \w+ )?(?:seems?|"
    r"appears?|looks? like)\b",
    r"\b(?:most|very|quite|more than) (?:likely|probably)\b|\bin all likelihood\b|"
    r"\bchances are\b",
    r"\blikely (?:\w+ )?(?:stands?|means?|is|are|be|because|due|caused|comes|related|the|an?|"
    r"has)\b",
    r"\b(?:is|are) (?:likely|possible|conceivable|suspected)\b|\bsuspect(?:ed|s)?\b",
    r"\b(?:might|may|could) (?:well )?(?:also |just )?be (?:due|because|related|caused|that|"
    r"the|an)\b",
    r"\b(?:might|may|could) (?:also )?(?:mean|stand for|have something to do|have to do|"
    r"indicate)\b",
    r"\b(?:would|will) (?:have|need) to (?:look|check|verify|test|ask|confirm)\b",
    r"\bsomething to do with\b|\bif (?:i|memory) (?:remember|recall|serves)\b|\bas far as i\b|"
    r"\biirc\b",
    r"\brumou?r|\bapparently\b|\bsomebody said\b|\bsomeone said\b|\bi heard\b|\bafaik\b",
)
GUESS_HINTS: Final = (
    r"\b(?:might|may|could)\b",
    r"\b(?:seems?|appears? to|looks? (?:like|as if)|sounds)\b",
    r"\blikely\b|\bpotential(?:ly)?\b",
    r"\bor (?:maybe|something|some|it|the|an?)\b|\bthough\b|\bassum",
    r"\bat least\b|\bjudging (?:by|from)\b|\bbased on\b|\bonly (?:two|a few|one|three)\b",
)
