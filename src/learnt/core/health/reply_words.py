"""The words by which a prompt is judged, in English and Chinese: patterns, one a line."""

import re
from typing import Final


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE | re.MULTILINE)


# Blame that is none, and praise in the form of blame.
FINE: Final = _any(
    r"\bnot bad\b",
    r"\bno (?:problems?|issues?|complaints?|errors?|worries|need)\b",
    r"\bnothing (?:is |was )?(?:wrong|broken|missing)\b",
    r"\bcan(?:'t|not) complain\b",
    r"\b(?:is|was|are|does)n[o']t (?:wrong|broken|fail\w*)\b",
    r"\bnever mind\b",
    r"\b(?:exactly|just) (?:what|as|how) i (?:wanted|asked|meant|said|needed|expected)\b",
    r"\bno longer (?:fails?|broken|crash\w*|errors?)\b",
    r"\bdidn'?t (?:break|fail)\b",
    "没有(?:什么)?(?:不对|问题|错|毛病)",
    "没(?:什么)?(?:问题|毛病|错)",
    "不错",
    "挑不出",
    "没有报错",
    "正是我(?:要|想|说)",
    "不再(?:报错|崩|失败)",
    "不用(?:改|谢|管)",
)
# What is about something else, whatever it says of that.
ELSEWHERE: Final = _any(
    (
        r"^\s*(?:unrelated|different topic|new topic|next(?: up)?|now (?:do|let|for|please|"
        r"write|add)|moving on|also|separately|another (?:thing|question))\b"
    ),
    r"^\s*(?:换个|另外(?:一个)?(?:问题|话题|任务|仓库)|另一个|别的|顺便|接下来|下一个|下一步|然后|新(?:的)?任务)",
)
# What asks for the work to be undone.
REVERT: Final = _any(
    (
        r"^\W*(?:(?:please|pls|no|nope|ok|okay|hmm+|wait|actually|sorry|ugh|can you|could you|"
        "let'?s|just|i(?:'d| would) (?:like|rather)(?: you)?(?: to)?|"
        r"you should)\W+){0,4}(?:revert|undo|roll(?:ing)? ?back|back (?:it |that |this )?out|"
        "put (?:it|that|everything|them|things) back|restore|reset|take (?:it|that) (?:back|"
        r"out)|throw (?:it|that) away|discard)\b(?!.{0,40}\b(?:button|feature|migration|"
        r"command|script|how)\b)"
    ),
    (
        r"\b(?:revert|undo|roll back|discard|throw away) (?:it|this|that|those|these|the|your|"
        r"all|every)\b(?=[^.?!]{0,40}(?:chang|commit|edit|last|whole|thing|[.!,;]|$))"
    ),
    r"\b(?:put|change|set|switch|go) (?:it|that|this|them|everything) back\b",
    r"\bback to (?:how|what|the way) it was\b",
    r"\b(?:revert|undo|roll)(?:ed|ing)? (?:it|that|this|everything)(?: back)?\b",
    (
        "(?:^|[，。,；;！!？? ])(?:请|先|还是|那|给我|帮我|麻烦|把[^，。]{0,16}|全部|都){0,3}"
        "(?:撤销|撤回|撤掉|回滚|回退|退回|"
        "还原|恢复(?:原样|成|到|原来)|改回|撤了|复原)(?!按钮|功能|机制|脚本|一个|怎么|的(?:按钮|功能|文档|方案))"
    ),
    "(?:改|换|退|恢复)(?:回去|回来|回原)",
    "恢复(?:成|到)?原(?:样|来|状)",
)
# What contradicts, redirects, or says that the thing asked for is still not so.
CORRECTION: Final = _any(
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
        r"\b(?:still|yet again|keeps?|continues? to)\b.{0,60}\b(?:red|fails?|failing|broken|"
        "not|n'?t|same|wrong|missing|there|shows?|says?|get|gets|getting|seeing|see|errors?|"
        r"crash\w*|old|empty|blank)\b"
    ),
    r"\bstill (?:the|no|not|doesn'?t|isn'?t|there|says?|shows?)\b",
    (
        r"\b(?:shows?|gives?|returns?|prints?|is|are|got|get) (?:me )?the (?:same|old|wrong|"
        r"opposite)\b"
    ),
    (
        r"\bshould(?:n'?t| not)? (?:have |be |use |go |also |only |first |include |start |"
        "come |say )"
    ),
    r"\bought to\b",
    r"\bsupposed to\b",
    r"\binstead of\b",
    r"\brather than\b",
    r"\b(?:use|make it|do|try|want) .{0,40}\binstead\b",
    r"^\W*instead\b",
    (
        r"\byou (?:forgot|missed|skipped|ignored|left out|overlooked|changed|broke|deleted|"
        "removed|dropped|didn'?t|did not|haven'?t|have not|only|also (?:changed|removed|"
        r"deleted)|were (?:not )?supposed|put|used|swapped|never)\b"
    ),
    r"\b(?:have|take) (?:an)?other look\b",
    r"\blook again\b",
    r"\btry again\b",
    r"\bone more time\b",
    (
        r"^\W*(?:no|nope|nah)\b(?!,? (?:good|use|luck|better|thanks|thank|need|problem|"
        "worries|that'?s (?:fine|all)))"
    ),
    r"^\W*(?:stop|wait|hold on)\b",
    r"\bdon'?t (?:touch|change|use|do|add|remove|delete|edit)\b",
    r"\bwhy (?:did|are|is|do|does|have|has|would) (?:you|it|there|this|the)\b",
    r"\bnot the \w+",
    r"\b(?:the )?other way (?:round|around)\b",
    r"\bnot in \w+",
    r",? not (?:\d|the |a |an )\S*",
    (
        r"\bmust (?:first |also |always |not |be |have |use |follow |include |satisfy |start |"
        "contain )"
    ),
    (
        r"\bdo(?:es)? not (?:have|meet|follow|conform|match|comply|include|contain|use|"
        r"satisfy|respect)\b"
    ),
    (
        r"\b(?:does|do)n'?t (?:have|meet|follow|conform|match|comply|include|contain|use|"
        r"respect|handle|show|appear|update|save|do|open|load|start|render|return)\b"
    ),
    r"\b(?:is|are) not (?:in the|correctly|properly|right|formatted|what|a |the |being)",
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
        r"\b(?:actually|hmm+|um+|but|however|though)\b.{0,80}\b(?:not|n'?t|still|now|no|same|"
        r"wrong|missing|instead|only|should|broken|fails?)\b"
    ),
    r"\bthat (?:was|is) (?:meant|supposed)\b",
    r"\bundid\b",
    r"\bi (?:don'?t|didn'?t) (?:want|ask|mean)",
    "(?:还是|仍然|依然|依旧|还在|仍)(?:是|在|没|不|会|报|红|有|显示|错|那个|原来|一样|旧|老|失败|挂|空)",
    "还是.{0,12}(?:不|没|错|失败|一样|老样子|报错|红|空)",
    "(?:不对|错了|搞错|弄错|写错|看错|理解错|改错|不是这)",
    "我(?:说的|要的|的意思|指的|想要的|问的|让你|叫你|本来|刚才说)",
    "不是(?!很|太|特别|急)[^，。]{1,20}(?:是|，|,|而)",
    "(?:应该|应当|本应|得)(?:是|用|放|先|改|写|为|按|把|在)",
    "(?:漏|忘|少)(?:了|掉|写|加|改)",
    "没(?:有)?(?:改|加|动|按|看|处理|生效|变)",
    "怎么(?:还|又|没|变|是|都|把|会|成)",
    "为什么(?:还|又|没|把|要|会|不)",
    "(?:再|重新)(?:看看|检查|改|确认|看一下|来|试|做|写|想)",
    "(?:不要|别)(?:动|改|用|加|删|碰|写|再|管)",
    "(?:但|但是|不过|可是|只是)[^。]{0,40}(?:不|没|错|还|才|只|成|少|多|反|乱)",
    "多(?:了|出)(?:一|个|两)",
    "(?:反了|颠倒|弄反|搞反|写反)",
    "显示(?:成|的(?:还)?是)",
    "变成了?",
    "不是让你",
    "没让你",
    "(?:改|换)成[^，。]{1,20}(?:吧|才对)",
    "才对",
    "少了",
    "不该",
    "不应该",
    "必须(?:先|用|是|按)",
    "缺(?:少|了)",
    r"^[\s，。]*(?:不[，,。 ]|不是(?!很|太|特别|说|急)|等等|等一下|停(?:下|一下|[，,。！!]))",
)
# What says that it is no good, and not what should be otherwise.
NEGATIVE: Final = _any(
    (
        r"\b(?:does|do|did|is|are|was|ca|wo)n[o']?t (?:even )?(?:work|help|compile|build|run|"
        r"start|load|open|play|respond|good|any good|great|ideal|acceptable|nice)\w*"
    ),
    r"\bnot (?:work|good|great|helpful|useful|ok|okay|acceptable)\w*\b",
    (
        r"\b(?:useless|broken|terrible|awful|horrible|garbage|rubbish|bad|worse|worst|ugly|"
        r"unusable|nonsense|a mess|disaster|disappoint\w+|unacceptable|pointless)\b"
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
    "没(?:有)?(?:用|效果|作用|反应|卵用)",
    "不行",
    "不好(?:用|使|看)?",
    "(?:打|跑|起|用|编译|登|连|装|进)不(?:开|动|起来|了|过|通|上|去)",
    "(?:更|还)(?:慢|差|糟|卡|乱)",
    "(?:崩|挂|炸|坏|废|死)(?:了|溃|掉)(?!的)",
    "报错(?!信息|日志|的|处理|码|页|提示)",
    "失败(?=了|$|[，。,.!！ ])",
    "(?:太|好|很|真)(?:差|烂|糟|慢|乱|丑|难)",
    "一团糟",
    "不能(?:用|跑|看)",
    "白(?:做|费|干)",
    "(?:看|读)不(?:懂|下去)",
    "不满意",
    "失望",
    "没法(?:用|看|跑)",
    "无效",
)
# What thanks or praises.
PRAISE: Final = _any(
    r"\b(?:thanks?|thank you|thx|ty|cheers|much appreciated|appreciate)\b",
    (
        r"\b(?:great|perfect|excellent|awesome|brilliant|wonderful|fantastic|lovely|superb|"
        "amazing|beautiful|nice|neat|sweet|well done|good (?:job|work|catch|stuff|one)|"
        r"nailed|spot on|lgtm|bingo|impressive)\b"
    ),
    (
        r"\b(?:that|it|this|everything|all)(?:'s| is)? ?(?:works?|worked|working|did (?:it|"
        r"the trick)|fixed it|passes|green|good|right|correct|fine)\b"
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
    "谢谢|多谢|感谢|辛苦|谢啦|谢了|3q",
    "不错|很好|挺好|真好|太好|完美|漂亮|赞|厉害|牛|棒|满意|给力|优秀|靠谱|好用",
    "(?:可以|好|行|成|对|搞定|解决|修好|通过|正常|生效|跑通|弄好)了",
    "没(?:什么)?问题|没毛病|没有不对",
    "正是(?:我|这)|就是这(?:个|样)|正确|点赞",
    r"^[\s]*(?:可以|很对|对的|正好)",
)
# Praise that stands first and alone.
OUTRIGHT: Final = _any(
    (
        r"^\W*(?:correct|perfect|excellent|great|awesome|brilliant|exactly|yes|"
        r"lgtm)(?: \w+)?(?:!|$)"
    ),
    r"^\s*(?:完美|正确|很好|太好了|太棒了|非常好)(?:！|!|$)",
)
# What takes praise back.
BUT: Final = _any(
    r"\b(?:but|however|although|except|only|yet)\b",
    "但|不过|可是|只是",
)
# Praise that is none.
NOT_PRAISE: Final = _any(
    (
        r"\bnot (?:so |that |very |really |exactly |quite |all that )?(?:great|perfect|nice|"
        "good|right|correct|working|ideal)"
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
    "不(?:太|是很|够|怎么)?(?:好|满意|完美|靠谱|正确|对)(?!意思)",
    "(?:没|不)(?:解决|修好|搞定|通过|正常|生效|跑通)",
    "好了吗|可以了吗|行了吗",
)
# What points back to the last answer.
POINTING: Final = _any(
    r"\b(?:it|its|this|that|these|those|they|still|now|again|you|your|same|even)\b",
    "这|那|它|还|又|现在|你|刚|仍|改完|之后|试了",
)
