"""The words by which a prompt is judged, in English: patterns, one a line."""

from typing import Final

# Blame that is none, and praise in the form of blame.
FINE: Final = (
    (
        r"\b(?:don't|do not|haven't|have no) (?:have )?(?:any )?(?:complaints?|issues?|"
        r"problems?|objections?)\b"
    ),
    r"\bnot wrong\b",
    r"\b(?:no,? )?(?:leave|keep) it (?:like|as|that way)\b(?: that| is| it is)?",
    r"\bno more \w+",
    r"\bnot half bad\b",
    r"\binstead of \d+\b",
    r"\bfrom \S+ (?:\w+ )?(?:down )?to \S+\b",
    r"\bnot bad\b",
    r"\bno (?:problems?|issues?|complaints?|errors?|worries|need)\b",
    r"\bnothing (?:is |was )?(?:wrong|broken|missing)\b",
    r"\bcan(?:'t|not) complain\b",
    r"\b(?:is|was|are|does)n[o']t (?:wrong|broken|fail\w*)\b",
    r"\bnever mind\b",
    (
        r"\b(?:exactly|just) (?:what|as|how) i (?:wanted|asked|meant|said|needed|"
        r"expected)\b"
    ),
    r"\bno longer (?:fails?|broken|crash\w*|errors?)\b",
    r"\bdidn'?t (?:break|fail)\b",
)
# What is about something else, whatever it says of that.
ELSEWHERE: Final = (
    (
        r"^\s*(?:unrelated|different topic|new topic|next(?: up)?|now (?:do|let|for|"
        r"please|write|add)|moving on|also|separately|another (?:thing|question))\b"
    ),
)
# What asks for the work to be undone.
REVERT: Final = (
    r"\b(?:put|get|bring) [^.?!]{1,40}\bback (?:as|how|the way|to (?:how|what))\b",
    r"\b(?:old|previous|original|former) (?:\w+ ){0,3}back\b",
    r"\bback to (?:the )?(?:old|previous|original|before|\w+ing)\b",
    (
        r"\b(?:drop|unwind|scrap|ditch|nuke) (?:your|what you|the|those|that|this|it|"
        r"all)\b"
    ),
    r"\bgo(?:ing)? back to\b",
    r"\bgit checkout (?:everything|all)\b",
    r"\bliked it (?:better|more) before\b",
    (
        r"\b(?:remove|take out|take) [^.?!]{0,40}\byou (?:just )?(?:added|put|wrote|"
        r"made)\b"
    ),
    r"\btake [^.?!]{0,20}\bout again\b",
    r"\brevert u?r\b",
    (
        r"^\W*(?:(?:please|pls|no|nope|ok|okay|hmm+|wait|actually|sorry|ugh|can you|"
        "could you|let'?s|just|i(?:'d| would) (?:like|rather)(?: you)?(?: to)?|"
        r"you should)\W+){0,4}(?:revert|undo|roll(?:ing)? ?back|back (?:it |that |"
        "this )?out|put (?:it|that|everything|them|things) back|restore|reset|take (?:it|"
        r"that) (?:back|out)|throw (?:it|that) away|discard)\b(?!.{0,40}\b(?:button|"
        r"feature|migration|command|script|how)\b)"
    ),
    (
        r"\b(?:revert|undo|roll back|discard|throw away) (?:it|this|that|those|these|the|"
        r"your|all|every)\b(?=[^.?!]{0,40}(?:chang|commit|edit|last|whole|thing|[.!,;]|$))"
    ),
    r"\b(?:put|change|set|switch|go) (?:it|that|this|them|everything) back\b",
    r"\bback to (?:how|what|the way) it was\b",
    r"\b(?:revert|undo|roll)(?:ed|ing)? (?:it|that|this|everything)(?: back)?\b",
)
# What contradicts, redirects, or says that the thing asked for is still not so.
CORRECTION: Final = (
    r"\b(?:is|are|it's|they're) still\b",
    (
        r"\byou(?:'ve| have|'re| are)? (?:still |just |only |even |actually )?(?:used|put|"
        r"made|wrote|did|renamed|moved|added|replaced|called|set|left|swallow\w*|creat\w+|"
        r"hard-?coded|count\w*|returning|using|doing)\b"
    ),
    r"\bi'?d (?:have )?expect\w*\b",
    (
        r"^\W*(?:doesn't|shouldn't|isn't|aren't|didn't|wasn't|wouldn't|don't|"
        r"can't) (?:this|that|it|the|these|we|you|there)\b"
    ),
    r"^\W*(?:almost|close|nearly|not yet|not there yet|nope)\b",
    r"\bcan(?:'t|not) be\b",
    r"\b(?:belongs?|goes) (?:in|under|to|into)\b",
    (
        r"\bstill (?:climbing|hardcoded|hard-coded|open|slow|there|at|in|on|creat\w+|"
        r"us\w+|grow\w*|\d)"
    ),
    r"\b(?:exited|exits) (?:non-?zero|with)\b",
    r"\bparse error\b",
    r"\b(?:came|comes|showed|shows) (?:out|up) as\b",
    r"\bwe (?:use|address|call|write|name|never|always|only|don't)\b",
    r"\bonly the \w+ (?:ones )?(?:were|was|are|is)\b",
    r"\bdoesn?t\b$",
    r"\bgives? me (?:a|an|the)\b",
    r"\bnot what\b",
    r"\bin the (?:wrong|first|other) one\b",
    (
        r"\b(?:that'?s|this|it'?s|it is|that is|which is) (?:not|n'?t) (?:quite |really |"
        r"at all )?(?:what|right|correct|it\b|how|the (?:one|right|same))"
    ),
    r"\bisn'?t (?:what|right|correct|how|the (?:one|right))",
    r"\bnot (?:quite )?(?:what|how|where) i\b",
    (
        r"\bi (?:meant|said|asked|wanted|told you|expected|specifically|was (?:talking|"
        r"asking))\b"
    ),
    r"\bi should have (?:said|been|mentioned)\b",
    r"\bas i (?:said|asked|mentioned)\b",
    r"\b(?:wrong|incorrect|mistaken|misread|misunderst\w+|mixed up)\b",
    (
        r"\b(?:still|yet again|keeps|keep (?:getting|seeing|failing)|"
        r"continues? to)\b.{0,60}\b(?:red|fails?|failing|broken|not|n'?t|same|wrong|"
        r"missing|there|shows?|says?|get|gets|getting|seeing|see|errors?|crash\w*|old|"
        r"empty|blank)\b"
    ),
    r"\bstill (?:the|no|not|doesn'?t|isn'?t|there|says?|shows?)\b",
    (
        r"\b(?:shows?|gives?|returns?|prints?|is|are|got|get) (?:me )?the (?:same|old|"
        r"wrong|opposite)\b"
    ),
    (
        r"\bshould(?:n'?t| not)? (?:have |be |use |go |also |only |first |include |start |"
        "come |say )"
    ),
    r"\bought to\b",
    r"\bsupposed to\b",
    r"\binstead of\b",
    r"\b(?:use|make it|do|try|want) .{0,40}\binstead\b",
    r"^\W*instead\b",
    (
        r"\byou (?:forgot|missed|skipped|ignored|left out|overlooked|changed|broke|"
        "deleted|removed|dropped|didn'?t|did not|haven'?t|have not|only|also (?:changed|"
        r"removed|deleted)|were (?:not )?supposed|put|used|swapped|never)\b"
    ),
    r"\b(?:have|take) (?:an)?other look\b",
    r"\blook again\b",
    r"\btry again\b",
    r"\bone more time\b",
    (
        r"^\W*(?:no|nope|nah)\b(?!,? (?:good|use|luck|better|thanks|thank|need|problem|"
        "worries|that'?s (?:fine|all)))"
    ),
    r"^\W*(?:stop|wait|hold on)\b(?=\W*$|\W*[,.!;:-]|\s+(?:that|it|please|there|don))",
    r"\bdon'?t (?:touch|change|use|do|add|remove|delete|edit)\b",
    (
        r"\bwhy (?:did|are|is|do|does|have|has|would) (?:you|it|there|this)\b|"
        r"\bwhy did the\b"
    ),
    r"\bnot the \w+",
    r"\b(?:the )?other way (?:round|around)\b",
    r",? not (?:\d|the |a |an )\S*",
    (
        r"\bmust (?:first |also |always |not |be |have |use |follow |include |satisfy |"
        "start |contain )"
    ),
    (
        r"\bdo(?:es)? not (?:have|meet|follow|conform|match|comply|include|contain|use|"
        r"satisfy|respect)\b"
    ),
    (
        r"\b(?:does|do)n'?t (?:have|meet|follow|conform|match|comply|include|contain|use|"
        r"respect|handle|show|appear|update|save|do|open|load|start|render|return)\b"
    ),
    (
        r"\b(?:is|are) not (?:in the|correctly|properly|right|formatted|what|a |the |"
        "being)"
    ),
    r"\b(?:is|are) missing\b",
    r"^\W*missing\b",
    r"\bneeds? (?:to be )?(?:correct|fix|chang|a |an )\w*",
    r"\brequires?\b(?!ments)",
    r"\bis required\b",
    r"^\W*issues?\b(?: found)?:",
    r"\bissues? found\b",
    r"\bhas (?:the following |one or more |some )?issues\b",
    r"\brequired\b[;,.)]",
    (
        r"\b(?:actually|hmm+|um+|but|however|though)\b.{0,80}\b(?:not|n'?t|still|now|no|"
        r"same|wrong|missing|instead|only|should|broken|fails?)\b"
    ),
    r"\bthat (?:was|is) (?:meant|supposed)\b",
    r"\bundid\b",
    r"\bi (?:don'?t|didn'?t) (?:want|ask|mean)",
)
# What says that it is no good, and not what should be otherwise.
NEGATIVE: Final = (
    r"\bnow (?:i|we) (?:just |only |always )?(?:get|see|have)\b",
    r"\b(?:worthless|meh|garbage|lame|gibberish|pointless)\b",
    r"^\W*blank (?:page|screen)\b",
    r"\bnobody can\b",
    r"\b(?:can'?t|cannot|doesn'?t) make (?:any )?sense\b",
    r"\b(?:isn'?t|not|no|hasn'?t|haven'?t|didn'?t) (?:any |much |really )?help\w*\b",
    r"\breads like a bot\b",
    r"\bmakes? no sense\b",
    (
        r"\b(?:does|do|did|is|are|was|ca|wo)n[o']?t (?:even )?(?:work|help|compile|build|"
        r"run|start|load|open|play|respond|good|any good|great|ideal|acceptable|nice)\w*"
    ),
    r"\bnot (?:work|good|great|helpful|useful|ok|okay|acceptable)\w*\b",
    (
        r"\b(?:useless|broken|terrible|awful|horrible|garbage|rubbish|bad|worse|worst|"
        r"ugly|unusable|nonsense|a mess|disaster|disappoint\w+|unacceptable|pointless)\b"
    ),
    r"\bno (?:good|use|luck|effect|better|joy)\b",
    r"\? *(?:no|nope|nah)\b",
    (
        r"\b(?:fails?|failed|failing|crash(?:es|ed|ing)?|blows? up|blew up|freezes?|"
        r"hangs?)\b(?!.{0,20}\b(?:test case|scenario|over)\b)"
    ),
    (
        r"\b(?:got|get|getting|see|seeing|throws?|gives?(?: me)?) (?:an? |the )?(?:error|"
        "exception|stack ?trace|500|404)"
    ),
    r"\bslower than\b",
    r"\bmade (?:it|things) worse\b",
    r"\bhate\b",
    r"\bgone\b",
    r"\blost\b",
)
# What thanks or praises.
PRAISE: Final = (
    r"\byou rock\b",
    r"\bmerged\b",
    r"\bship it\b",
    r"\bgood to go\b",
    r"\bchef'?s kiss\b",
    r"\blegend\b",
    r"\b(?:works|worked) (?:great|like a charm|perfectly|fine|well|a treat)\b",
    r"\b(?:tidy|clean|clear|solid|slick|super|top|ace|spotless)\b[.!]?$",
    r"\bhappy with\b",
    r"\b(?:thanks?|thank you|thx|ty|cheers|much appreciated|appreciate)\b",
    (
        r"\b(?:great|perfect|excellent|awesome|brilliant|wonderful|fantastic|lovely|"
        "superb|amazing|beautiful|nice|neat|sweet|well done|good (?:job|work|catch|stuff|"
        r"one)|nailed|spot on|lgtm|bingo|impressive)\b"
    ),
    (
        r"\b(?:that|it|this|everything|all)(?:'s| is)? ?(?:works?|worked|working|"
        r"did (?:it|the trick)|fixed it|passes|green|good|right|correct|fine)\b"
    ),
    r"\bworks (?:now|well|great|fine|like|as|perfectly)\b",
    r"\bexactly (?:what|right|as)\b",
    r"\blooks? (?:good|great|right|fine|nice|perfect)\b",
    r"\blove it\b",
    r"\b(?:is|are|naming|named|all|has|have) (?:now )?(?:all )?correct(?:ly)?\b",
    r"^\W*correct\b",
    r"\bsolved\b",
    r"\bsuccessfully\b",
    r"\byou were right\b",
    r"\bmuch better\b",
    r"\bnot bad\b",
    r"\bcan(?:'t|not) complain\b",
)
# Praise that stands first and alone.
OUTRIGHT: Final = (
    (
        r"^\W*(?:thanks|thank you|thx|works|that works|works (?:now|great|fine)|nice|"
        r"lovely|good job)\b"
    ),
    (
        r"^\W*(?:correct|perfect|excellent|great|awesome|brilliant|exactly|yes|"
        r"lgtm)(?: \w+)?(?:!|$)"
    ),
)
# What takes praise back.
BUT: Final = (
    (
        r"\b(?:but|however|although|though|except|only|yet|still|now (?:i|it)|not|why)\b|"
        r"n't\b"
    ),
)
# Praise that is none.
NOT_PRAISE: Final = (
    (
        r"\bnot (?:so |that |very |really |exactly |quite |all that )?(?:great|perfect|"
        "nice|good|right|correct|working|ideal)"
    ),
    (
        r"\bn[o']t (?:look |looks |seem |quite |really )?(?:great|perfect|nice|good|right|"
        r"correct|ideal|work\w*)"
    ),
    r"\b(?:would|could|might) be (?:great|nice|good|perfect|lovely|better)\b",
    r"\bplease and thank",
    r"\bthanks? in advance\b",
    r"\bno thanks?\b",
    r"\bgreat[,!]? (?:another|now it)\b",
)
# What points back to the last answer.
POINTING: Final = (r"\b(?:it|its|this|that|these|those|they|still|now|again|you|your|same|even)\b",)
# What begins a task of its own, however much it speaks of failures.
TASK: Final = (
    (
        r"^\W*(?:(?:please|pls|now|then|next|and|also|ok|okay|great|cool|could you|"
        "can you|would you|let's|i want you to|i need you to|you need to|"
        r"your task is to)\W+){0,3}(?:write|add|show|put in|create|make (?:a|an|this|our|"
        "the)|build|implement|explain|document|rename|set|generate|list|draft|describe|"
        "summari[sz]e|compare|port|extract|split|convert|turn|refactor|bump|commit|push|"
        "open|run|rerun|investigate|review|design|sketch|introduce|send|deploy|publish|"
        "translate|profile|measure|log|hide|fix|debug|diagnose|analy[sz]e|use|delete|"
        "clean up|stop (?:the|using|wasting|a|all)|reset the|restore the (?!old|previous|"
        "original)|migrate|replace|upgrade|install|update|move|improve|allow|support|"
        "enable|disable|let (?:users|me|us|the|people|customers)|give|answer|reply|pitch|"
        "close|prepare|plan|audit|benchmark|optimi[sz]e|configure|start|find out|"
        "figure out|help|teach|walk me|tell me|check (?:whether|if|that|the)|test|"
        "validate|verify|monitor|train|parse|merge|sort|filter|render|store|save|load|"
        r"import|export|download|upload|wire|hook|integrate)\b"
    ),
    (
        r"^\W*(?:and )?(?:how|what|where|when|which|who|could it|is there|is (?:this|my|"
        r"our|the|it) \w+ \w+\?*$)\b"
    ),
    r"^\W*(?:should|do|does|can|may|shall|will|would) (?:i|we|my|our|one|the)\b",
    (
        r"^\W*why (?:do|does|is|are|can|should|would|must) (?:we|i|the|our|a|an|people|"
        r"some|so)\b"
    ),
    (
        r"^\W*(?:we|i)(?:'m|'re| am| are)? (?:also |still |now |just )?(?:need|want|"
        "would like|'d like|have a|setting up|using|on|trying|building|updated|"
        r"upgraded)\b"
    ),
    (
        r"^\W*(?:users?|every|each|all|any(?:one|body)?|admins?|customers?|clients?|"
        r"people|it would)\b.{0,60}\b(?:should|must|can|needs?|ought)\b"
    ),
    r"^\W*(?:as an?|imagine|suppose|given|you are|my (?!last))\b",
    r"^\W*there(?:'s| is) (?:a|another) (?:bug|problem|issue|ticket)\b",
    r"^\W*revert commit [0-9a-f]{6,}",
    r"^\W*#",
)
# What marks a request as one about the last answer all the same.
ANEW: Final = (
    r"\binstead\s*(?:$|[.,!?;])",
    (
        r"\b(?:again|still|asked|not the|forgot|missed|as i said|like i said|you (?:just|"
        r"only|also|still|put|made|used|added|wrote|did|removed|changed|deleted))\b"
    ),
    r"\bthe way it was\b|\bwhat you (?:did|wrote|made|added)\b",
)
