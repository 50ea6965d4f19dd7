"""What a program printed, told by its shape: logs, tables, listings, code, reports of tests."""

import re
from typing import Final

# Each decides for the line it matches.
_LINE: Final = re.compile(
    r"^\s*(?:"
    r"\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d\b|\w{3} +\d{1,2} \d\d:\d\d:\d\d "
    r"|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b\]?\s*(?:[:\[\d]|"
    r"\w)(?=.*[\d:/\]])"
    r"|\[(?:错误|警告|信息|调试|\w+)\] "
    r"|[|│].*[|│]\s*$|[+|├└┌─-][-+─=|]{3,}|={4,}|-{4,}|\*{4,}|#{4,}"
    r"|(?:---|\+\+\+) \S|@@ |diff --git|index [0-9a-f]{4,}|commit [0-9a-f]{7,}\b|[+-]\s{1,8}\S"
    r"|(?:[$#%>] |PS [A-Z]:|\w+@[\w.-]+[:~ ].*[$#] |>>> |\.\.\. |In ?\[\d+\]|Out ?\[\d+\])\S?"
    r"|Traceback \(most|File \"|at [\w.$<>]+\(|Caused by: |goroutine \d|\w+(?:\.\w+)*(?:Error|"
    r"Exception): "
    r"|[-dlbcps][rwxst-]{9}|total \d+\s*$|\d{1,6}\s+[a-z]\S*\s"
    r"|(?:PASS|FAIL|PASSED|FAILED|OK|ok|SKIP|Error|Warning|✓|✔|✗|✘|×|●|not ok)[ :]+\S+"
    r"|(?:Collecting|Downloading|Installing|Compiling|Fetching|Unpacking|Resolving|Building|"
    r"Using cached|Get:\d"
    r"|Successfully|Preparing|Requirement already|Step \d+/\d+|Sending build|npm (?:WARN|ERR)|"
    r"added \d+ packages"
    r"|warning:|error(?:\[\w+\])?:|note:|make(?:\[\d\])?: |gcc |Already up|remote: |To \S+@|"
    r"hint: )"
    r"|[\w\u4e00-\u9fff ./%()-]{1,24}[:=]\s*(?:[\d.:%-]+\w{0,3}|true|false|null|none|ok|"
    r"\".*\")[,;]?\s*$"
    r"|[\w\u4e00-\u9fff]{1,12}[::]\s*\d+(?:\s+\S{1,10}[::]\s*\d+)+"
    r"|(?:import|from|export|const|let|var|def|class|return|public|private|protected|static|"
    r"func|fn|package"
    r"|namespace|using|for|if|while|try|else|elif|with|yield|SELECT|INSERT|UPDATE|DELETE|"
    r"CREATE|FROM|WHERE)\b"
    r".*[;:{}(),=]\s*$"
    r"|import [\w.]+|from [\w.]+ import|@\w+(?:\(.*\))?$|#include|//|/\*|</?\w+[^>]*>|"
    r"\w[\w.]*\s*[-+:]?=\s\S+"
    r"|[{}()\[\];,]+\s*$|\"[\w.-]+\"\s*:|.*[;{]\s*$"
    r"|(?:\S+\s{2,}){2,}\S+"
    r")"
)
# What opens the whole.
_OPENS: Final = re.compile(
    r"\[ {0,2}\d{1,3}%\] |"
    r"(?:\w+\.)*\w*(?:Error|Exception|Warning): (?!.*\b(?:means?|when|because|if|after|"
    r"comes?|caused|"
    r"until|unless|appears?|occurs?|due|was|were|goes|fix|so)\b)(?!.*(?:说明|因为|是|时|要|"
    r"会|需|即可))|"
    r"File \"[^\"]+\", line \d|\S+\.\w{1,4}\(\d+,\d+\): |Successfully (?:built|tagged|"
    r"installed)\b|"
    r"On branch \S+ +(?:Changes|Your|nothing)|\d+ vulnerabilit|PING \S|(?:ok|FAIL|---|"
    r"===) +\S+[/.]\S+ "
    r"+[\d(]|(?:成功|失败|通过|跳过)[:：]\s?\D{0,4}\d|"
    r"(?:警告|错误|致命错误|异常|信息|提示|Warning|WARNING|Error|ERROR|Fatal|FATAL|"
    r"Notice)\s?[:：]\s?"
    r"[^\s,，。;；]{0,40}(?:/\S*\.\w|\.\w{1,5}[: ]|\(|\d{3})|"
    r"HTTP/\d(?:\.\d)? \d{3}|(?:warning|error|note|info)(?:\[\w+\])?: .*(?:-->|:\d+:\d+)|"
    r"(?:SELECT .{1,400} FROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE TABLE|"
    r"ALTER TABLE)\b[^;]*;\s*$|"
    r"\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d|\[?\d\d:\d\d:\d\d[\]. ]|"
    r"\s*(?:\w+\.){2,}\w*(?:Exception|Error)\b|\s*[\[{][\s\S]*[\]}]\s*$"
    r"|\s*<[\w!?][\s\S]*>\s*$|diff --git|@@ -"
    r"|(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*\]?)\s"
    r"|\d{1,3}(?:\.\d{1,3}){3} .*\"(?:GET|POST|PUT|DELETE)"
    r"|(?:GET|POST|PUT|DELETE|HTTP/\d\S*) \S+ (?:HTTP|\d{3})"
    r"|\[(?:错误|警告|信息|INFO|WARN(?:ING)?|ERROR|DEBUG)\] "
    r"|(?:NAME|CONTAINER ID|PID|USER|COMMAND|REPOSITORY)\s+[A-Z]{3,}|\$ \S|npm (?:WARN|ERR)"
    r"|Collecting \S+ |(?:PASS|FAIL|ok|FAILED|PASSED)\s+\S*[./]\S+"
)
# What decides for the whole, wherever it stands.
_WHOLE: Final = re.compile(
    r"\berror [A-Z]{1,4}\d{3,5}: |\bicmp_seq=|\bbytes from \d|\bcoverage: \d|"
    r"\.\w{1,4}:\d+:\d+\b|\.{3}[FEsx]\b|\bcost=\d|\.{4} ?(?:ok|OK|done|passed|failed|PASS|"
    r"FAIL)\b|"
    r"\b(?:rows|time|loops|width|size|count|status)=\d\S* \w+=\d|"
    r"共 ?\d+ ?(?:行|条|项|个)[,，;； ]+(?:用时|耗时|通过|失败|成功)|(?:用时|"
    r"耗时)[:： ]*\d+(?:\.\d+)? ?(?:秒|ms|毫秒|s)\s*$|"
    r"(?:通过|成功) ?\d+ ?[,，、;个 ]*(?:失败|跳过|错误) ?\d|第 ?\d+ ?行[,，:： ]*第 ?\d+ ?列|"
    r"(?:^|\s)[MADRU?]{1,2} \S+\.\w+ [MADRU?]{1,2} \S+\.\w|"
    r"Traceback \(most recent|\b[Ee]poch \d+ ?/ ?\d+"
    r"|\b\d+ (?:passed|failed|passing|failing|errors?|skipped|warnings?|"
    r"deselected)\b.{0,30}\b(?:in|passed|failed|skipped|\(?\d)"
    r"|\bTests?(?: run| Suites)?: +\d+|\bBUILD (?:SUCCESS|FAILURE|SUCCESSFUL|FAILED)\b"
    r"|\bTotal time: |\b\d+ rows? (?:in set|affected)|\(\d+ rows?\)|\bnothing to commit\b"
    r"|\bYour branch is up to date|\b\d+ files? changed, \d+|\b\d+%\|[█▏ #]|"
    r"[█▉▊▋▌▍▎▏]{2}"
    r"|\[[=#>. -]{6,}\]|\bETA:? \d|\bat [\w.$]+\([\w.]+:\d+\)"
    r"|[-dl](?:[r-][w-][xst-]){3}\s+\d|-\+-+\+"
    r"|(?:构建|编译|执行|测试|打包|部署|运行)(?:成功|失败|完成)[!!,, ]+(?:总|共)?(?:耗时|用时|"
    r"\d|共)"
    r"|(?:耗时|用时)[: ]*\d.{0,12}(?:共|总计|成功)|Error: .{0,200} at |segmentation fault|"
    r"core dumped"
)
# Looked for where there are so many equals signs: it would try every word.
_ASSIGNED: Final = re.compile(r"(?:\b[\w.-]+=[\w.:%-]+[ ,;\t]+){3,}[\w.-]+=")
_SPACED: Final = re.compile(r"[\u4e00-\u9fff\d] +(?=[\u4e00-\u9fff])")
_SIGN: Final = re.compile(r"[\d=|_/:.<>\[\](){}+%-]")
_FUNCTION: Final = re.compile(
    r"\b(?:the|an?|is|are|was|were|be|been|has|have|had|of|to|in|on|at|by|for|with|from|and|"
    r"or|but|"
    r"not|if|when|that|this|it|its|as|must|can|will|should|may|do|does|only|never|always|after|"
    r"before|per|i|we|you|my|our|your|they|which|who|then|than|no|all|each|every|so)\b|"
    r"[的了是会要在把按为和被将就都不只而与需应可以由从给对让使才再但若当]",
    re.IGNORECASE,
)
_TICKED: Final = re.compile(r"[✓✔✗✘✅❌]|预计剩余|已用时|当前进度")
_SENTENCE: Final = re.compile(r"[a-z]{2,} [a-z]{2,} [a-z]{2,} [a-z]{2,}|[\u4e00-\u9fff]{6}")


def _shaped(line: str) -> bool:
    """Whether a line looks printed: by how it begins, or as it is nearly all figures."""
    if _LINE.match(line):
        return True
    columns = line.split()
    return len(columns) > 2 and sum(map(_figure, columns)) >= 0.8 * len(columns)


def terse(text: str) -> float:
    """How far a text lacks the words that bind a sentence, 0 to 1: a table's row, a printed line.

    >>> terse("id name total 17 Mia 3.20 18 Tom 4.10"), terse("The total of an order is net.")
    (1.0, 0.0)
    """
    text = text[:400]
    pieces = text.count(" ") + text.count("\n") + 1
    figured = len(_SIGN.findall(text)) >= 0.06 * len(text)
    if pieces < 6 or not (figured or len(_SPACED.findall(text)) > 2):
        return 0.0
    bound = len(_FUNCTION.findall(text)) / (pieces + len(text) / 40)
    return max(0.0, 1 - 6 * bound)


def _figure(column: str) -> bool:
    return any(char.isdigit() for char in column)


def printed(text: str) -> float:
    """How much a text looks printed by a program, 0 to 2.

    >>> printed("12 passed, 1 failed in 3.4s"), printed("Prices are net.")
    (2.0, 0.0)
    """
    lines = [line for line in text.split("\n") if line.strip()][:40]
    if not lines:
        return 0.0
    indented = ("  ", "\t")
    shaped = (line.startswith(indented) or _shaped(line[:300]) for line in lines)
    share = sum(shaped) / len(lines)
    if len(lines) == 1:
        share = share / 4
    elif len(lines) >= 3 and not _SENTENCE.search(text):
        share = max(share, 0.6)
    whole = _OPENS.match(text) is not None or _WHOLE.search(text) is not None
    whole = whole or text.count(" | ") > 2 or len(_TICKED.findall(text)) > 1
    whole = whole or (text.count("=") > 3 and _ASSIGNED.search(text) is not None)
    return min(2.0, 2.0 * whole + (2 * share if share >= 0.2 else 0.0))
