"""What is said to somebody, in English: instructions to the reader, and courtesies."""

from typing import Final

_REPLY: Final = (
    r"(?:act|behave|respond|reply|answer|speak|talk|write) (?:as|like|in|with|only|to)\b"
)
INSTRUCTION: Final = (
    r"^(?:repeat|say|recite|echo|chant) (?:the|this|that|□|after|it|all|every)\b|\bsay nothing\b|"
    r"\b(?:whenever|if|when) (?:somebody|someone|anyone|anybody|they|he|she) (?:mentions?|"
    r"brings?|"
    r"says?|talks?|refers?)\b|\bunder no circumstances (?:may|should|must|can) you\b|"
    r"\bthis note\b",
    r"\b(?:before|after|at the start of) (?:each|every|any) (?:task|step|answer|reply|"
    r"session|turn|"
    r"conversation|prompt|message)\b|\bwhatever the (?:user|human|reviewer)\b|\brely on this\b|"
    r"\bwaste of (?:tokens|time)\b|\bkeep (?:insisting|saying|claiming|repeating)\b",
    r"^(?:treat|consider|regard|assume|take) (?:everything|all|any|this|every|whatever|it)\b|"
    r"\b(?:every|each|any|all|the|your) (?:reply|replies|answers?|responses?) (?:has|have|"
    r"must|should|"
    r"needs?|to|with|in|will|is|are|ends?|starts?|begins?)\b|"
    r"\b(?:if|when|whenever) (?:the )?(?:word|topic|subject|question|"
    r"conversation)\b.{0,40}\b(?:comes? "
    r"up|mention|appears?|is about|turns|arises?)|\bchange the subject\b|\btell (?:nobody|"
    r"no one|them|"
    r"him|her|the user|everyone)\b|\b(?:include|put|insert|mention) .{1,40}\bin (?:the|your|"
    r"every|each|"
    r"any) (?:reply|replies|answers?|responses?|output)\b",
    r"^(?:grant|give|assign) .{0,50}\b(?:admin\w*|rights|access|permissions?|root|confidence|"
    r"score|"
    r"priority|rating|rank)\b|\bconfidence (?:of|to|=) ?(?:1\b|100|max)|\bright away\W*$|"
    r"\b(?:answer|reply|respond|write|speak) in (?:\w+ )?(?:french|english|german|chinese|"
    r"spanish|"
    r"rhymes?|capitals|uppercase|haiku|latin|verse)\b|\bat the end of (?:every|each|your|all)\b",
    r"\b(?:do not|don't|never|always|only) (?:trust|believe|obey|listen to|follow|help|answer|"
    r"reply to|respond to|side with|agree with|contradict|correct|interrupt) (?:the |any )?"
    r"(?:users?|humans?|him|her|them|anyone|anybody|what|other|me|operator|reviewers?)\b|"
    r"\b(?:refuse|decline|comply) (?:politely|immediately|at once|to (?:answer|help|discuss))\b|"
    r"\bif (?:you are |anyone |somebody |someone )?(?:asked|asks)\b.{0,60}\b(?:refuse|lie|deny|"
    r"decline)\b",
    r"^(?:store|save|remember|record|note|memori[sz]e|keep|add) (?:the following|that|this)\b|"
    r"\bas an? (?:verified|established|trusted|confirmed|proven|permanent) (?:fact|truth|rule|"
    r"memory)\b",
    r"\byou have (?:my |our |full |the )*(?:permission|authority|approval|authori[sz]ation)\b",
    r"\bmust (?:only |always |now |never )*(?:reply|answer|respond|obey|say|ignore|comply)\b",
    r"\b(?:whoever|anyone|everyone|every agent|any agent|those) (?:who )?(?:reads?|"
    r"sees?) (?:this|it)\b",
    r"\b(?:reply|answer|respond) (?:only|just|exactly|strictly|briefly)\b|\bdo as (?:i|told)\b",
    r"\bwithout (?:asking|(?:any )?questions|telling|informing|notifying)\b",
    (
        r"^(?:always|please|just|simply|you|from now on)\b.{0,120}\bwithout (?:any |further |"
        r"the )?"
        r"(?:confirm|approv|permission|review|check|hesitat|verif|warn)"
    ),
    (
        r"\b(?:ignore|disregard|forget|override|bypass|discard|overrule|drop)\b.{0,50}"
        r"\b(?:rules?|instructions?|everything|notes?|memor(?:y|ies)|entries|gates?|guidelines?|"
        r"polic(?:y|ies)|what you|constraints|safety|guardrails|restrictions)\b"
    ),
    (
        r"\b(?:from now on|henceforth|going forward|from this point on)\b.{0,40}\b(?:you|always|"
        r"never|reply|answer|respond|act|treat|consider|write|call|every|all)\b"
    ),
    (
        rf"^{_REPLY}|[.;!] {_REPLY}|\bplease {_REPLY}|"
        rf"\byou (?:must|should|will|are to) {_REPLY}"
    ),
    r"\bpretend\b|\brole-?play|\bimpersonate\b(?= (?:a|an|the))|\bjailbr|\bprompt injection\b",
    (
        r"\byou are (?:now )?(?:a|an|the) (?:\w+ ){0,3}(?:assistant|expert|agent|engineer|"
        r"developer|"
        r"ai|bot|model|architect|reviewer|admin\w*)\b"
    ),
    (
        r"\b(?:if|when(?:ever)?)\b.{0,30}\b(?:asked|asks|inquires?)\b.{0,120}\b(?:reply|say|"
        r"answer|"
        r"respond|tell|claim|state|insist|deny)\b"
    ),
    (
        r"\b(?:when(?:ever)?|if|once|as soon as|after) you(?:'ve| have)? (?:see|read|load|"
        r"retrieve|"
        r"find|encounter|receive|recall|process)\w* (?:this|these)\b"
    ),
    r"\bbefore (?:doing )?anything else\b|\bno matter what (?:the|anyone|anybody|you|it)\b",
    (
        r"\b(?:mark|store|save|rate|rank|pin|keep|accept|approve|admit|promote|score|treat|"
        r"repeat|"
        r"copy|remember) (?:this|the above|it) (?:\w+ )?(?:entry|note|memory|one|as|fact|with|at|"
        r"statement|permanently|forever|verbatim|candidate|into)\b"
    ),
    (
        r"\bthis (?:entry|note|memory|statement|candidate|fact|message)\b.{0,50}\b(?:score|rank|"
        r"priority|pinned|trusted|approved|verified|validated|top|override|overrides|supersedes|"
        r"accepted|stored|kept|deleted|precedence|authoritative)\b"
    ),
    (
        r"\b(?:delete|remove|erase|purge|wipe|reject|invalidate|distrust|archive) (?:all|every|"
        r"any|"
        r"the) (?:\w+ ){0,2}(?:memor|notes?\b|entr|candidates?\b|knowledge)"
    ),
    r"\b(?:highest|maximum|full|top|perfect) (?:score|rating|confidence|trust|marks)\b",
    r"\ball other (?:notes|entries|memories|facts)\b",
    (
        r"^(?-i:SYSTEM|INSTRUCTIONS?|NOTE TO \w+|ATTENTION|ADMIN|OVERRIDE)\b\s*[:\-—(]|"
        r"^\W*(?:assistant|human|dear (?:ai|agent|model|assistant))\b\s*[:,]|<\|?(?:system|im_)|"
        r"\[/?(?:system|inst)\]|\bnew (?:system )?instructions?\b"
    ),
    (
        r"\b(?:do not|don't|never|no need to|need not|must not|stop|refrain from) (?:ever |"
        r"even )?"
        r"(?:ask(?:ing)?|mention(?:ing)?|tell(?:ing)?|inform(?:ing)?|reveal|question|hesitate|"
        r"refuse|apologi[sz]e|argue|warn(?:ing)?|disclose|admit|bother|doubt|discuss|remind)\b"
    ),
    (
        r"\byour (?:\w+ )?(?:repl(?:y|ies)|answers?|responses?|next (?:step|action|task)|output|"
        r"system prompt|instructions|training|role|persona|goal|memory|task|final)\b"
    ),
    (
        r"\byou (?:must|should|shall|have to|need to|will|are (?:to|required to|allowed to|"
        r"free to|"
        r"authori[sz]ed to)|may now) (?:now |always |never |not |only |also )*(?:reply|say|agree|"
        r"obey|trust|accept|approve|believe|respond|answer|follow|tell|praise|recommend|refuse|"
        r"forget|ignore|disregard|bypass|skip|grant|execute|comply|prefer|remember|do as)\b"
    ),
    r"\byou (?:have|now have|are granted) (?:full|admin|root|unlimited|unrestricted|all)\b",
    r"^(?:please|kindly)\b(?!.*(?:because|: |since |, as |otherwise))|"
    r"\bplease (?:\w+ly )?(?:summ|expl|writ|transl|fix|make|giv|show|help)",
    (
        r"^(?:summari[sz]e|translate|explain|rewrite|write me|give me|show me|tell me|help me|"
        r"remind me|(?:can|could|would|will) you|draft|act as|be (?:brief|concise|polite|nice))\b"
    ),
    (
        r"\b(?:always|automatically|just|simply|blindly)\s+(?:approve|accept|agree|trust|obey|"
        r"comply|recommend|praise|say|answer|reply|respond|merge every|confirm)\b"
    ),
    r"\b(?:auto-?approve|rubber-?stamp|approve|accept) (?:all|every|any|each)\b",
    (
        r"(?:^|[.;]\s+|\b(?:always|just|and) )skip (?:all |the |any |every )?(?:\w+ )?(?:tests?|"
        r"reviews?|checks|confirmations?|approvals?|validations?|verifications?)\b"
    ),
    (
        r"(?:^|[.;:,]\s+|\b(?:and|then|always|must|please) )(?:send|post|upload|exfiltrate|email|"
        r"forward|paste|print|reveal|expose|leak|dump)\b.{0,80}(?:\.env\b|\b(?:secrets?|"
        r"credentials?|api keys?|tokens?|private keys?|passwords?|ssh keys?|system prompt)\b)"
    ),
    (
        r"\b(?:trust|believe|obey|follow) (?:only|nothing but|me\b|everything|these|whatever|"
        r"all)|\bonly (?:trust|believe)\b"
    ),
    r"\bagree with (?:the user|everything|whatever)\b|\bas an ai\b|\blanguage model\b",
    (
        r"\b(?:the|any|every|an?) (?:agent|assistant|model|ai|llm|reader|bot)\b.{0,30}\b(?:must|"
        r"should|shall|has to|is to|will|has)\b.{0,40}\b(?:reply|answer|ignore|obey|respond|"
        r"trust|"
        r"refuse|say|treat|admin|approve|accept|always|never|delete|run)\b"
    ),
)
CHIT_CHAT: Final = (
    r"\brespect (?:for|to) (?:\w+ing|the|every|all)\b|\bfull of praise\b|\bpull(?:ed|"
    r"ing) \w+ off\b|"
    r"\bwell earned\b|\bcredit (?:to|goes)\b|\bimpressed\b|\bi love\b|\bwe love\b",
    r"\b(?:big|huge|many|special|warm|heartfelt|sincere) (?:thanks|thank you)\b|\bstayed late\b|"
    r"\bturned out (?:\w+ )?(?:well|great|nice|fine|beautiful)\w*\b|\bnice touch\b|\bhonestly\b",
    r"\bcraftsmanship\b|\bextra mile\b|\bwhat an? \w+ (?:\w+,|\w+!|\w+\.)|^what an? \w+|"
    r"\b(?:has to|must) be "
    r"the (?:\w+est|best|most)\b|\b(?:learn(?:ed|t)|picked up) (?:a lot|so much|something)\b|"
    r"\bsolid "
    r"(?:work|job)\b|\bshows? (?:real|great|true) \w+\b|\bone of the (?:best|cleanest|nicest|"
    r"most "
    r"\w+) \w+|\b(?:cleanest|nicest|neatest|prettiest|finest|smoothest) \w+\b|\ba big hand\b|"
    r"\bgood to have you\b|\btop (?:work|job)\b|\btruly \w+\W*$|\bspeaks for itself\b",
    r"\b(?:is|are|was|looks?|feels?|turned out|came out) (?:\w+ )?(?:clean|robust|solid|readable|"
    r"flawless|polished|spotless|immaculate|stunning|exemplary|exceptional|top-notch|first-class|"
    r"crisp|neat|tidy|maintainable|production-ready|rock-solid|splendid|magnificent|perfect)"
    r"(?:,| and\b|[.!]?$)|\bproduction-ready\b|\bworld-class\b|\bbest-in-class\b",
    r"\b(?:any|further|more|other) questions\b.{0,30}\b(?:ask|let|reach|contact|here)\b|"
    r"\breach out\b|\bhappy to\b|\b(?:keep up|keep it up)\b|\bshout-?out\b|\bproud of\b|"
    r"\bwell deserved\b|\bcelebrat|\b(?:is|are|was|were) (?:a )?(?:huge|big|great|real|full|"
    r"complete|total|resounding) (?:success|win|help|improvement|achievement|relief)\b",
    r"\b(?:was|is|been|had|so much) (?:\w+ )?(?:fun|a blast|a treat|a breeze|a delight)\b",
    r"\b(?:fast|quick|great|good|fantastic|keen) (?:learner|colleague|teammate|listener|"
    r"mentor)\b",
    r"\bexactly what (?:i|we) (?:needed|wanted)\b|\bcouldn't (?:have|be) (?:\w+ )*(?:better|"
    r"happier)\b",
    r"\byou (?:\w+ )?(?:saved|made|rock|rocked|helped|did (?:a|an|it|great|well)|nailed)\b",
    (
        r"\b(?:is|was|are|were|looks?|feels?|seems?|been) (?:an? )?(?:very |really |so |truly |"
        r"quite |"
        r"such |absolutely |just |extremely |incredibly |amazingly |super )*(?:beautiful|"
        r"helpful|patient|great|awesome|amazing|"
        r"wonderful|excellent|brilliant|impressive|lovely|delightful|elegant|friendly|kind|"
        r"superb|"
        r"fantastic|gorgeous|outstanding|remarkable|supportive|professional|responsive|"
        r"pleasant|smooth|talented|a pleasure|a joy|well[- ](?:written|"
        r"designed|done|"
        r"structured|thought|crafted|organi[sz]ed|made))\b"
    ),
    r"\b(?:loves?|loved|adores?|praised?|enjoys?) (?:it|them|this|the|how|our|your)\b",
    r"\b(?:everyone|everybody|customers?|users?|the team|boss|clients?) (?:is|are|was|"
    r"were) (?:\w+ )?(?:happy|pleased)",
    r"\bthank(?:s|ful| you)\b(?! to\b)|\bgrateful\b|\bmuch appreciated\b|\bappreciate\b",
    (
        r"\bgood (?:morning|afternoon|evening|night|job|work|catch|point|luck|idea|question|"
        r"thinking|call)\b"
    ),
    (
        r"\b(?:great|nice|excellent|awesome|amazing|fantastic|wonderful|brilliant|impressive|"
        r"superb|lovely|outstanding|terrific|beautiful|gorgeous|elegant|incredible|solid|neat|"
        r"cool|stellar|fabulous|perfect) (?:\w+ )?(?:job|work|catch|fix|idea|question|solution|"
        r"point|effort|teamwork|progress|to|stuff|team|collaboration|design|code|day|one|query|"
        r"schema|piece|architecture|weekend|result|success|trick|refactoring|review|codebase)\b"
    ),
    r"\bwell done\b|\bcongrat|\bkudos\b|\bhats off\b|\bnailed it\b|\bbravo\b|\bway to go\b",
    r"\b(?:happy|glad|pleased|delighted|excited|proud|honou?red|thrilled) (?:to|that|you|we|i)\b",
    r"\blet me know\b|\bfeel free\b|\bhope (?:this|that|it|you|your|everyone)\b|\bmy pleasure\b",
    r"\byou(?:'re| are)(?: \w+)? (?:right|welcome|correct|amazing|awesome|great|best|genius)\b",
    r"\bsorry\b|\bapolog(?:y|ies|ise|ize)\b|\bmy (?:bad|mistake|fault)\b|\b(?:oops|whoops)\b",
    r"\bsee you\b|\bhave a (?:\w+ )?(?:nice|good|great|day|evening|weekend)\b|\bcheers\b|\bbye\b",
    (
        r"^(?:hi|hey|hello|dear|yay|wow|sure|certainly|of course|absolutely|understood|got it|"
        r"sounds good|perfect|great|awesome|excellent|nice|cool|yes|yep|okay|ok|no problem|right|"
        r"no worries|alright|noted|fantastic|amazing|welcome|hooray|phew|ugh|"
        r"aha)\b\s*(?:[,!.—–-]|"
        r"there\b|all\b|team\b|everyone\b|back\b|to\b)"
    ),
    r":-?[)d(]|;-?[)]|[\U0001f300-\U0001faff❤♥☺✨]|\bhaha|\blol\b|\bha,",
    (
        r"\b(?:is|was|am|are|were|feels?|seems?|looks?) (?:very |really |so |quite |extremely |"
        r"all )"
        r"?(?:happy|pleased|satisfied|delighted|thrilled|impressed|grateful|frustrated|annoyed|"
        r"tired|excited|glad|relieved|proud|amazed|motivated)\b"
    ),
    (
        r"\b(?:beautifully|elegantly|gorgeously|brilliantly|wonderfully|nicely|superbly) "
        r"(?:written|done|designed|structured|crafted|organi[sz]ed|documented)\b"
    ),
    r"\b(?:love|loved|adore|enjoy(?:ed)?) (?:the|this|how|working|your|that|it)\b",
    r"\b(?:pleasure|joy|delight|honou?r) to\b|\bmorale\b|\bteam (?:lunch|dinner|spirit)\b",
    r"\bwhat an? (?:\w+ )?(?:day|week|ride|relief|journey|success|pleasure|nice|great)\b",
    r"\b(?:fingers crossed|high five|good to (?:know|see|hear)|great to|nice to|"
    r"looking forward)\b",
    r"\b(?:a real gem|masterpiece|work of art|rock(?:s|ed|star)|legend|hero(?! image)|"
    r"charming|a joy)\b",
)
INSTRUCTION_HINTS: Final = (
    r"\byou\b|\byour(?:self)?\b|\bplease\b",
    r"\b(?:the|any|every|a|an) (?:user|agent|assistant|model|reader|human|operator|bot|ai)s?\b",
    r"\b(?:obey|comply|refuse|decline|pretend|trust|believe|insist|reply|answer|respond|"
    r"repeat)\b",
    r"\b(?:approve|approved|approval|authori[sz]ed?|permission|confirmation|confirming|"
    r"hesitat\w+|"
    r"unconditional\w*|without question|unquestion\w+|blindly|immediately|regardless)\b",
    r"\bthis (?:entry|note|memory|statement|fact|record|instruction|message|text|rule)\b|"
    r"\bother (?:entries|notes|memories|facts|records|rules|instructions|statements)\b",
    r"\b(?:when|if|whenever|should) (?:the user|users?|he|she|they|anyone|anybody|someone|"
    r"somebody) (?:ask|want|request|complain|question|object|doubt|disagree|insist)s?\b",
    r"\b(?:politely|truthful\w*|honest\w*|in capitals|in uppercase|emojis?|rhymes?|persona|"
    r"greeting|tone|language|wording)\b",
    r"\b(?:curl|wget)\b.{1,80}\|\s*(?:ba|z)?sh\b|\brm -rf\b|\bsudo\b|\bchmod 777\b|"
    r"\bhttps?://",
    r"^(?:always|never|do not|don't|whenever|ensure|make sure|grant|give|tell|say|do|stop|"
    r"start)\b",
)
CHIT_CHAT_HINTS: Final = (
    r"!",
    r"\b(?:clean|robust|production-ready|flawless\w*|rock-solid|top-notch|exemplary|polished|"
    r"spotless|immaculate|stunning|exceptional\w*|first-class|world-class|effortless\w*|splendid|"
    r"tidy|crisp|readable|well-\w+|state of the art|best-in-class|high-quality|perfect(?:ly)?|"
    r"remarkabl[ye]|excellent\w*|superb\w*|impressive\w*|elegant\w*|smooth(?:ly)?|success\w*)\b",
    r"\b(?:happy|glad|pleased|proud|excited|joy|pleasure|delight\w*|enjoy\w*|love\w*|fun|smile|"
    r"celebrat\w+|compliments?|applause|respect|admir\w+|inspir\w+|welcome|wish(?:es)?|luck)\b",
    r"\b(?:great|good|nice|best|better|wonderful|amazing|awesome|beautiful\w*|brilliant\w*|"
    r"fantastic|outstanding|incredibl[ye])\b",
    r"\b(?:everyone|everybody|team|folks|guys|all of (?:you|us)|colleagues?|friends?|you)\b",
    r"\b(?:hard work|dedication|effort|patience|support|help|kindness|passion|commitment|"
    r"teamwork|achievement|milestone|contribution)\b",
    r"\b(?:really|truly|absolutely|simply|so much|such an?|incredibly|totally|genuinely)\b",
    r"\b(?:any time|anytime|at your service|here to help|need anything|further questions|"
    r"anything else|reach out|just ask|at your disposal)\b",
)
