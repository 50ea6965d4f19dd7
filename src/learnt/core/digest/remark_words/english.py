"""The words by which a person's remark is told from a request, in English: patterns, one a line."""

from typing import Final

# Words that only take up the talk; what they introduce is the remark.
TAKES_UP: Final = (
    r"(?:oh|ah|ok(?:ay)?|yes|yeah|yep|yup|wow|hm+|btw|by the way|fyi|also|actually|wait|haha|"
    r"(?:(?:right|correct|exactly|true|sure|fine|good|great|nice|cool|thanks|thx|ty|well|so|and|"
    r"but|"
    r"sorry|look|see|no|nope|nah|stop|careful|hey|that's right|that is right)(?=\s*[,.!;:~…-])|"
    r"so\b|and\b))"
)
# Asks for it to be kept.
REMEMBER: Final = (
    r"\b(?:please |pls |and |also |do |but |so |,){0,6}remember(?: this| that)?"
    r"(?: for (?:next time|later|the future))?\s*[:,;-]?\s*(?:that\b|to\b)?",
    r"\b(?:please )?(?:also )?(?:(?:take a |make a )?note(?: of this)?(?: down)?|keep in mind|"
    r"bear in mind|"
    r"(?:don'?t|do not) (?:ever )?forget|memori[sz]e|write (?:this|that|it) down|jot (?:this|that|"
    r"it) down)"
    r"(?: for (?:next time|later|the future))?\s*[:,;-]?\s*(?:that\b|to\b|this\b)?",
    r",?\s{0,3}\b(?:please )?(?:note|remember|keep|save|write) (?:that|this|it)(?: down|"
    r" in mind)?(?: for "
    r"(?:next time|later|the future))?\s*[.!]?$",
    r"\bfor (?:next time|future reference|the record)\b\s*[:,]?",
)
# Says what was settled.
DECIDED: Final = (
    r"\b(?:we|i|the team|they|management|security|legal)(?:'ve| have| had|'d)? (?:just |now |"
    r"finally |"
    r"already )?(?:decided|agreed|settled|chose|chosen|picked|voted|concluded)\b",
    r"\b(?:it(?:'s| is| was|'s been)|that(?:'s| is| was)) (?:decided|settled|agreed|final)\b",
    r"\b(?:decision|verdict)\b.{0,20}(?::|\bis\b|\bwas\b)",
    r"\blet'?s (?:settle|stick|stay|keep|go|standardi[sz]e|leave it)\b.{0,3}\b(?:on|with|to|at)\b",
    r"\bwe(?:'re| are)? (?:going|sticking|staying) (?:with|for)\b",
    r"\bwe(?:'ll| will| shall)? (?:go|stick|stay|standardi[sz]e) (?:with|on|to|at)\b",
    r"\bwe(?:'re| are) (?:dropping|moving (?:to|off|away)|switching|keeping|not going|done with|"
    r"retiring)\b",
    r"\bwe(?:'ll| will) (?:keep|drop|use|support|target|retire|never|not)\b",
    r"\bfrom now on\b",
    r"\bfrom (?:here|today) on\b",
    r"\bgoing forward\b",
    r"\b(?:signed (?:it )?off|talked it over|agreed (?:on|with)|got the ok)\b",
    r"\bwe (?:won'?t|will not|wouldn'?t)\b",
    r"\b\w+ (?:stays|it is)\b(?! (?:at|in|on|the) )",
    r"\b(?:for good|once and for all|at last)\b",
    r"\bno more \w+.{0,30}\b(?:in|on|for|from)\b",
)
# Lays down how it is to be done, not this once but always.
RULE: Final = (
    r"\b(?:always|never)\b(?! (?:mind|forget|seen|heard|saw|knew|thought|had))",
    r"\b(?:must|mustn'?t|have to|has to|need(?:s)? to be|need(?:s)? the|ought to|shall|"
    r"should(?:n'?t)? "
    r"(?:be|go|never|only|always|live|use|have|run|come))\b",
    r"\b(?:only|not) (?:ever )?(?:allowed|permitted|supported|through|via|by|in|on|from)\b",
    r"\b(?:is|are) (?:not allowed|forbidden|banned|off limits|required|mandatory|reserved|"
    r"read-?only|"
    r"frozen|deprecated|legacy|gone|retired)\b",
    r"\b(?:don'?t|do not|doesn'?t|does not|we don'?t|never) (?:ever )?(?:use|touch|edit|run|call|"
    r"write|"
    r"commit|push|deploy|rename|put|store|log|mock|rely|trust|hardcode|delete|import|add|bump|"
    r"merge|"
    r"allow|do)\b",
    r"\b(?:use|run|call|take|go through|rely on|stick to|go by|read|put|keep|write)\b[^.?!]{2,80}"
    r"(?:,? (?:not|never|instead of|rather than)\b|\binstead\b)",
    r"\bwe (?:use|run|keep|put|write|have|store|call|only|do|prefer|pin|name|ship|deploy|build|"
    r"test|"
    r"treat|count|mean|go|don'?t|do not|never|always|can'?t|cannot)\b",
    r"\bin this (?:repo|project|house|codebase|team|company|org|shop)\b",
    r"\b(?:here|around here) (?:we|it|they|go|goes|is|are|all|every)\b",
    r"\b(?:all|every|any|each) [\w` -]{2,40}\b(?:go|goes|is|are|must|has|have|need|needs|live|"
    r"lives|"
    r"use|uses|run|runs|get|gets|come|comes|ends?|starts?|begins?)\b",
    r"\brely on\b",
    r"\b(?:the )?(?:right|proper|correct|official|only) (?:way|place|one|table|column|branch|"
    r"command|"
    r"flag|port|host|file)\b",
)
# Says how something is, in the present: a statement, where it is no request.
STATES: Final = (
    r"\b(?:is|are|isn'?t|aren'?t|was|were|wasn'?t|weren'?t|means?|marks?|holds?|contains?|"
    r"stands for|"
    r"lives?|runs?|comes?|go(?:es)?|belongs?|refers?|returns?|expects?|wants?|needs?|requires?|"
    r"uses?|"
    r"has|"
    r"have|hasn'?t|haven'?t|reads?|writes?|stores?|depends?|breaks?|fails?|works?|doesn'?t|don'?t|"
    r"can'?t|cannot|won'?t|takes?|gets?|listens?|speaks?|accepts?|rejects?|counts?|starts?|ends?|"
    r"points?|sits?|keeps?|changed|moved|renamed|replaced|removed|dropped|became|stays?)\b",
    r"\b\w+'s (?:a|an|the|in|on|at|not|only|always|called|named|under|behind)\b",
    r"\b(?:because|since|due to|historic(?:al)? reasons|the reason|that'?s why|otherwise|or else|"
    r"unless)\b",
)
# Asks, or tells what to do now.
ASKS: Final = (
    r"\?\s*$",
    r"^(?:what|why|how|when|where|which|who|whose|is|are|do|does|did|can|could|would|will|should|"
    r"may|"
    r"shall|have|has|isn'?t|aren'?t|doesn'?t|wasn'?t|any(?:one|thing)?)\b(?!.*\b(?:must|always|"
    r"never)\b)",
    r"^(?:please |now |then |next,? |also |ok(?:ay)?,? |so |and |let'?s |just |first |meanwhile )*"
    r"(?:can|could|would|will) (?:you|we|u)\b",
    r"\b(?:i'?d like|i want|i need|i'?ll|i will|i'?m (?:going|gonna)|let me|remind me|show me|"
    r"tell me|"
    r"give me|help me)\b",
)
# A wish for something new is a request.
WISH: Final = (
    r"^(?:also,? |and |then |next,? |now )*(?:the |our |this |a )?[\w ]{2,40}\bneeds? "
    r"(?:a|an|another|some|more|new)\b"
)
# Tells what to do now: begins with what an agent is asked for.
TASK: Final = (
    r"^(?:please |pls |now |then |next[,:]? |also |ok(?:ay)?,? |so |and |let'?s |just |first |"
    r"meanwhile |"
    r"after that,? |finally |go ahead and |try to |try and )*(?:add|fix|make|write|create|run|"
    r"check|"
    r"update|change|remove|delete|drop|rename|move|look|find|show|list|print|explain|describe|"
    r"build|"
    r"deploy|test|commit|push|merge|open|close|read|refactor|implement|set up|setup|install|bump|"
    r"upgrade|generate|plot|load|split|convert|sort|copy|upload|download|restart|start|stop|rerun|"
    r"redo|revert|undo|try|continue|go on|proceed|review|draft|translate|summari[sz]e|count|query|"
    r"compare|measure|profile|debug|investigate|clean|format|lint|flash|cross-build|release|tag|"
    r"replace|put|take|give|tell|ask|send|scan|search|grep|wire|hook|port|migrate|bring|turn|"
    r"switch|"
    r"do|leave|keep|use|call|apply|render|export|import|point)\b"
)
# Holds now and not for long, is a guess, a joke, or somebody else's word.
PASSING: Final = (
    r"\b(?:today|tonight|tomorrow|this (?:week|morning|afternoon|evening|month|sprint)|"
    r"next (?:week|month)|right now|just now|at the moment|currently|for now|"
    r"until (?:\w+day|the weekend|tomorrow|noon|then)|(?:on|by) \w+day\b(?!s)|later (?:on|today)|"
    r"(?:see|look|try|do it) .{0,12}later|soon|for today|in an hour|in a (?:minute|bit|moment)|"
    r"temporar\w+|this once|for once|this time|\d+\w* now|now \d+)\b",
    r"\b(?:might|maybe|perhaps|probably|possibly|i (?:think|guess|suspect|wonder|believe)|not sure|"
    r"no idea|supposedly|apparently|sounds like|seems?|would(?:n'?t)? it be|some ?day)\b",
    r"\b(?:used to say|people say|someone|somebody|says? so|told me|i (?:heard|read)|reddit|"
    r"stack ?overflow|my (?:colleague|friend|boss|mate|cousin|brother|dad|wife|husband) says?)\b",
    r"\b(?:you(?:'re| are) (?:a|the|great|awesome)|yourself|a break|coffee|beer|lunch|weekend|lol|"
    r"lmao|rofl|(?:ha){2,}h?|pleasure|happy)\b|\U0001f602|\U0001f923",
)
# Tells of what was; a decision or a rule may come of it.
PAST: Final = (
    r"\b(?:yesterday|last (?:week|night|month|sprint|time)|(?:an hour|a minute|\w+ (?:days?|"
    r"weeks?)) "
    r"ago|this was|earlier today)\b"
)
TAKEN_BACK: Final = (
    r"\b(?:never ?mind|forget (?:it|that|what i)|scratch that|ignore (?:that|me|my last)|wait,? no|"
    r"no wait|my (?:bad|mistake)|i was wrong|i misread|i mixed|wrong (?:repo|project|window|branch|"
    r"terminal|chat|file|tab)|disregard|i take (?:that|it) back|on second thought|mixed (?:it|that|"
    r"them) up|just kidding|jk|kidding|i stand corrected)\b"
)
# Agrees to what the agent said last.
AGREES: Final = (
    r"^\W*(?:yes|yeah|yep|yup|right|correct|exactly|true|indeed|ok(?:ay)?|haha|ha|oh|ah|"
    r"that'?s (?:right|"
    r"it|correct|true)|makes sense|good (?:catch|find|point)|confirmed|agreed|got it|i see|sure|"
    r"of course)\b"
)
# Tells of a trouble.
TROUBLE: Final = (
    r"\b(?:fail(?:s|ed|ing|ure)?|error|broken|breaks?|crash\w*|dies?|died|dead|hang(?:s|ing)?|"
    r"stuck|flick\w+|wrong|missing|empty|slo+w\w*|leak\w*|timeouts?|times? out|timed out|doesn'?t|"
    r"does not|isn'?t|won'?t|can'?t|cannot|refus\w+|reject\w+|denied|500s?|404s?|flaky|garbled|"
    r"corrupt\w*|twice|duplicat\w*|nothing|bug|regress\w*|dropped|lost|stops?|stopped|off by|"
    r"still off|shifted|negative|na?n|segfault\w*|panics?|freez\w+|froze|too (?:big|small|long|"
    r"short|late|early|many|few|much)|not (?:work\w*|show\w*|load\w*|found)|weird|strange|odd|"
    r"unexpected\w*|blank|black|sporadic\w*|no longer|reads \w+ all the time)\b"
)
# Says that it is cured: so that no doubt is left, or by way of thanks.
CURED: Final = (
    r"\b(?:gone|works?(?: now| again| here)?|working|fixed|solved|green|passes|pass|good now|"
    r"all good|no more|no longer|back (?:in|up|again)|(?:it'?s|is) back|spot on|that did it|"
    r"that was it|zero \w+|none left|finally|did the trick)\b"
)
THANKS: Final = (
    r"\b(?:looks (?:good|right|fine)|perfect|nice|great|thanks|thx|thank you|cheers|super|awesome|"
    r"lovely|excellent|yes|makes sense|confirmed|ok|wizard|happy|ahh+|wow)\b|\U0001f44d"
)
# Asks the person whether it is so.
IS_IT_SO: Final = (
    r"(?:is that (?:right|correct|so|true)|(?:right|correct|isn'?t it|intended|or not|"
    r"agreed)\s*)\?\s*$"
)
