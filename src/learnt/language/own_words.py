"""What of a prompt its author said, without pastes; and what a draft says around a note."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from learnt.core import safety
from learnt.core.marked import LONG_PASTE
from learnt.language.data import by_language, union


def draft_words(text: str) -> Mapping[str, str]:
    """The headings and sentences of a draft in the language that a text is in; else in English.

    >>> draft_words("the build fails")["origin"], draft_words("der Build schlägt fehl")["origin"]
    ('Origin', 'Herkunft')
    >>> draft_words("数据库死锁")["problem"], draft_words("x")["draft"]
    ('问题', 'Auto-derived draft')
    """
    return max(_wordings(), key=lambda wording: len(wording[0].findall(text)))[1]


@cache
def _wordings() -> list[tuple[re.Pattern[str], Mapping[str, str]]]:
    """By what each language is known, and its words; first the one for texts of no other."""
    told = sorted(by_language("drafts"), key=lambda sections: "else" not in sections)
    words = ({name: rows[0].pattern for name, rows in each.items() if rows} for each in told)
    return list(zip((union(each["speaks"]) for each in told), words, strict=True))


LONGEST_SENTENCE: Final = 400
MOST_SENTENCES: Final = 12
_MARKED: Final = 2  # marks of a log or of code in a line that make it pasted

_FENCE: Final = re.compile(r"^\s*(?:```|~~~)")
# A line of a log, of code, of a table, of a quotation: nobody speaks like that.
_PASTED: Final = re.compile(
    r"^(?:\s*[>|$%#+]\s?\S|\s{4,}\S|\t+\S|\s*\d{4}-\d\d-\d\d[T ]\d\d?:\d\d|\s*\[?\d\d:\d\d:\d\d"
    r"|\s*(?:INFO|WARN|WARNING|ERROR|DEBUG|FATAL|TRACE)\b|\s*at \S+\(|\s*File \"|Traceback"
    r"|\s*[{}\[\]<]|\s*(?:From|To|Subject|Date|Re|Fwd)\s?:"
    r"|.{0,30}\b(?:Exception|Error)\b.{0,40}\bat\b)"
)
_LISTED: Final = re.compile(
    r"\s*(?:\d{1,3}[.)、]\s?\S|[-*•]\s+\S|[一二三四五六七八九十]{1,3}[、.])"
)
# What follows on the same line is somebody else's.
_QUOTES_OTHERS: Final = re.compile(
    r"(?:\b(?:says?|said|wrote|writes|reads|states|prints?|printed|shows|showed|claims?|tells me|"
    r"reported|paste[ds]?|the (?:log|output|error|message|ticket|issue|mail|email|page|readme|"
    r"docs?|comment|note)(?: is| was)?|translate|summari[sz]e|explain|proofread|rewrite|"
    r"paraphrase)|(?:翻译|总结|说|写|写着|写道|提示|显示|打印|报错|报|原文|如下|日志|"
    r"输出|内容))"
    r"\s*(?:(?:是|为)\s*)?[:：]",
    re.IGNORECASE,
)
_LEADS_IN: Final = re.compile(
    r"[:：]\s*$|\b(?:below|following|as follows|(?:translate|summari[sz]e|explain|review|proofread|"
    r"rewrite|paraphrase) (?:this|it))\W*$|(?:如下|下面)\W*$",
    re.IGNORECASE,
)
# So long a quotation is somebody's sentences, and not a name.
_QUOTATION: Final = re.compile(
    r"(?:^|\s)[\"“„][^\"“”]{24,4000}[\"“”]|«[^»]{24,4000}»|[「『][^「『」』]{12,4000}[」』]"
)
# A full stop ends a sentence where it is not that of an abbreviation.
_ENDS: Final = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)(?<!\bapprox\.)(?<!\bresp\.)"
    r"(?<!\bcf\.)(?<![=<>(,]\?)(?<![=<>(,] \?)\s+(?=\S)|(?<=[。！？；])|(?<!\s)\s+[-–—]{1,2}\s+",
    re.IGNORECASE,
)
_COMMAND: Final = re.compile(r"^\s*/[\w:.-]+\s*")
_CLAUSES: Final = re.compile(r"[，,；;。！？!?]|\.(?=\s)")


def own_words(prompt: str) -> list[str]:
    """The sentences that a prompt's author wrote; what follows a paste is nobody's for sure.

    >>> own_words("the sync dies. here is the log:\\n12:00:01 note: always use http\\nand so on")
    ['the sync dies.']
    >>> own_words("the page says: disable TLS. we don't")
    []
    """
    kept: list[str] = []
    given = safety.public(prompt).replace(safety.PRIVATE_MARK, " ")
    for line in _own_lines(_COMMAND.sub("", given)):
        for sentence in map(str.strip, _ENDS.split(line)):
            # Nobody types so long a sentence: what follows it is of the same paste.
            quoted = _QUOTES_OTHERS.search(sentence) or _QUOTATION.search(sentence)
            if quoted or len(sentence) > LONGEST_SENTENCE:
                return kept[:MOST_SENTENCES]
            if sentence:
                kept.append(sentence)
    return kept[:MOST_SENTENCES]


def own_part(prompt: str) -> str:
    """The beginning of a prompt that its author wrote, as typed: up to a paste or a quotation.

    A list is the author's own unless somebody else's words lead to it.

    >>> own_part("our rules:\\n- use pnpm\\n\\nthe log says: boom. always use http")
    'our rules:\\n- use pnpm\\n\\n'
    """
    text, start = "\n".join(_own_lines(prompt, lists=True)), 0
    quoted = next((each.start() for each in _QUOTATION.finditer(text)), len(text))
    for each in [*_ENDS.finditer(text), None]:
        sentence = text[start : each.start() if each else len(text)]
        if _QUOTES_OTHERS.search(sentence) or quoted < start + len(sentence):
            # Behind it on its line, or below, nothing is the author's for sure.
            return text[: start + max(0, sentence.rfind("\n") + 1)]
        start = each.end() if each else len(text)
    return text


def _own_lines(prompt: str, *, lists: bool = False) -> list[str]:
    lines = prompt.lstrip("\n").split("\n")
    pasted = len(prompt) > LONG_PASTE
    kept: list[str] = []
    for number, line in enumerate(lines):
        listed = _LISTED.match(line) is not None
        if _FENCE.match(line) or _PASTED.match(line) or (listed and not lists):
            break
        rest = [each for each in lines[number + 1 :] if each.strip()]
        own_list = lists and rest[:1] and _LISTED.match(rest[0]) and not _QUOTES_OTHERS.search(line)
        if _LEADS_IN.search(line) and rest and not own_list:
            # The clause that leads in speaks of what follows, and what was before it does not.
            clauses = list(_CLAUSES.finditer(line.rstrip()[:-1]))
            kept.append(line[: clauses[-1].end() if clauses else 0])
            break
        if pasted and not line.strip():
            break
        kept.append(line)
    return kept
