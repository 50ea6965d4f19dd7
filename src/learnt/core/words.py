"""Words of human languages that the core needs: stop words, secrets' names, signs.

Written by `python -m tools.words` from `language/*/core.txt`, which is where to change them.
"""

from typing import Final

STOP_WORDS: Final = frozenset(
    """
    a about again all also am an and any anyone anything are as at be because been before
    being but by can can't cannot could did didn't do does doesn't doing don't done each
    either else even ever every for from further get gets getting give given go goes going
    gone got had has hasn't have haven't having he help her here hers hey hi him his how
    however i i'd i'll i'm i've if in instead into is isn't it it's its itself just keep kind
    know let let's like look looks make makes making many may maybe me might more most much
    must my need needs new no not now of off ok okay on once one only or other our ours out
    over own please put really same see seem seems shall she should show so some something
    soon still such sure take tell than thank thanks that that's the their them then there
    these they thing things think this those though through to too try trying under until up
    us use used uses using very want wants was way we well were what what's when where whether
    which while who whom whose why will with within without won't work works would yes yet you
    you're your yours
    """.split()
)
STOP_PAIRS: Final = frozenset(
    """
    から した して する です ので ます まで 一下 一个 一些 不是 为什 么办 什么 他们 但是 你们 可以 因为 如何 就是 已经 帮忙 帮我 应该 怎么 怎样 想要 我们
    所以 时候 是不 是否 有没 没有 然后 现在 的时 的话 知道 能够 请帮 请问 还是 还有 这个 这些 这样 那个 那些 那样 需要
    """.split()
)
# Patterns by what they stand for, of all languages together.
SECRETS: Final = {
    "hints": "credential|geheimnis|kennwort|key|pass|pwd|secret|token",
    "names": "passwort|kennwort|geheimnis|pass(?:word|wd|phrase)?|secret|token|api[_ -]?key|access[_-]?key|credentials?|pwd",
    "is": "[ \\t]+(?:ist|lautet)[ \\t]+|[ \\t]+is[ \\t]+|[ \\t]*[是为][ \\t]*",
    "variables": "PASS(?:WORD|WD)?|SECRET|TOKEN|(?:API|ACCESS|SECRET|SIGNING|ENCRYPTION)_?KEY",
    "words": "密码|口令|密钥|令牌",
}
SIGNS: Final = {
    "trouble": "error|fail|fatal|exception|denied|refused|not found|cannot|can'?t|could(?: not|n'?t)|unable|invalid|panic|unknown|undefined|missing|mismatch|timed? ?out|expired|unsupported|not supported|does not|doesn'?t|is not|no such|conflict|requires?|expected|out of|killed|abort|unexpected|illegal|duplicate|violat|too (?:old|large|long|many)|rejected|错误|失败|无法|找不到|不存在|超时|拒绝|冲突|必须|缺少|不支持|不能|异常|未",
    "sure trouble": "\\b\\w*(?:Error|Exception|Panic)\\b|\\b(?:ERROR|FATAL|fatal|panic|error)\\b|错误[:：]",
    "no trouble": "\\b(?:0|no) (?:errors?|failures?|failed|problems?|warnings?)\\b|(?:errors?|failures?|failed): *0\\b",
    "guess": "\\b(?:maybe|perhaps|i guess|probably|might|let me|i'?ll|trying|i'd)\\b|也许|可能|我猜|试试|看看",
    "structure": "\\b(?:tables?|columns?|schema|fields?|foreign key|primary key|joins?|enum)\\b|表|字段|列|主键|外键|枚举|关联",
    "rule": "\\b(?:must|never|always|only|not allowed|forbidden|decided|agreed|policy|by law|required)\\b|必须|一律|只能|不能|不许|不准|禁止|统一|决定|定了|规定|口径",
    "steps": "\\b(?:first|then|before|after|followed by)\\b|先.{1,20}(?:再|后|才)|之前|之后",
    "queries": "\\b(?:select|join|where|group by|order by|explain|index|sql|quer(?:y|ies|ied)|cte)\\b|查询|索引|联表|慢查|语句",
    "clause ends": "\\b(?:but|and)\\b|而是|但",
    "or": "[ ](?:or|and)[ ]|或|和",
    "denies": "\\b(?:no|not|never|without|neither|nor|avoid|former(?:ly)?|instead of|rather than|obsolete|(?:dropped|removed|deleted|renamed|deprecated)(?! (?:rows|records))|unlike|lack(?:s|ing)|previously|used to be|took over from|(?:replac|supersed)(?:es|ed|ing))\\b|n't\\b|不|没有|并无|勿|避免|废弃|弃用|取代|代替|替代|原名|曾用名|缺少",
    "gone": "(?:does not|doesn't|did not|didn't) exist|\\b(?:is|was|are|were|been|got|has|have|will be)\\b(?: (?:now|later|since|long|has|been|be))* (?:unused|reserved|(?:not|never) used|gone|no longer|not there|dropped|removed|deleted|renamed|replaced|retired|deprecated|obsolete|missing|superseded|moved|merged)|\\b(?:no longer|fails with)\\b|\\b(?:is now|became|moved to) `?\\w+\\.\\w|不存在|不再|改[为成]|已(?:被)?(?:删除|移除|废弃|弃用|改名|重命名|更名|替换)|(?:改名|重命名|更名)为|废弃|弃用",
    "addressed": "invoke\\s|use\\s+(?:the\\s+)?[\\w:]*\\w[-:]\\w",
}
