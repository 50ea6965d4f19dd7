"""What a person's prompt says that is meant to last: remarks, rules, and objections to a note.

The n-gram scorer tells whether a sentence is meant for good, to outlast the task. It judges it with
the whole message: what is said beside it tells a rule from a request, and its place and form tell
the person's own words from a paste. A sentence is taken whole, as it was typed.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

from learnt.core import safety
from learnt.core.digest.remarks import Reading, Sentence
from learnt.core.knowledge.objections import LOOKED_AT, Objection
from learnt.core.marked import LONG_PASTE
from learnt.core.tokens import names, words
from learnt.core.words import MARKED
from learnt.language.data import PatternEntry, by_language, compiled, entries, phrases, union
from learnt.language.scorer import load, reply

_ASKED: Final = re.compile(r"[^.!。！]*[?？]")
_CLAUSE: Final = re.compile(r"[.!?。！？;；]")
_ENDS: Final = r"(?=\W*$|\s*[.,:;!])"


def objection(prompt: str) -> Objection | None:
    """What a prompt says does not hold, of what it was shown; None where it says no such thing.

    That the agent's own work is wrong is another matter. Raises EnvironmentTrouble where a data
    file is missing or damaged.

    >>> objection("this changed: port is 9000 now"), objection("that's wrong, use yarn")
    (Objection(about=()), None)
    """
    text = " ".join(prompt[:LOOKED_AT].replace("\u2019", "'").split())
    for phrasing in _phrasings():
        match = phrasing["says"].search(text)
        if match is None:
            continue
        before = _CLAUSE.split(text[: match.start()])[-1] + match[0]
        after = text[match.end() :]
        in_doubt = phrasing["asks"].match(after) or _ASKED.match(after)
        if not in_doubt and not any(other["in case"].search(before) for other in _phrasings()):
            named = words(match.groupdict().get("about") or "")
            about = (word for word in named if not phrasing["any"].fullmatch(word))
            return Objection(about=tuple(about))
    return None


@cache
def _phrasings() -> list[Mapping[str, re.Pattern[str]]]:
    """How each language says that a note is gone, in which case, as a question; empty names."""
    return [_phrasing(sections) for sections in by_language("objections")]


def _phrasing(sections: Mapping[str, Sequence[PatternEntry]]) -> Mapping[str, re.Pattern[str]]:
    def of(name: str) -> str:
        return "|".join(entry.pattern for entry in sections.get(name, ())) or r"(?!)"

    for entry in (entry for section in sections.values() for entry in section):
        compiled(entry)
    note, gone = of("note"), of("gone")
    dismissed = note.replace("?P<about>", "?:")
    says = (
        rf"(?:{note})\s*(?:{gone}|{of('wrong')})|^\W*(?:{of('it')})\s?(?:{gone})"
        rf"|(?:{of('dismissed')})(?:{dismissed}){_ENDS}|{of('whole')}"
    )
    patterns = {"says": says, "any": "|".join(of("any").split())}
    patterns |= {name: of(name) for name in ("in case", "asks")}
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in patterns.items()}


_ACT: Final = "act "  # so the sections of acts begin in the data files


def lays_down(text: str) -> bool:
    """Whether a statement says how work is to be done.

    >>> lays_down("always run make lint before pushing"), lays_down("staging is on port 8443")
    (True, False)
    """
    return phrases("rules")["lays down"].search(text) is not None


def weakens(text: str) -> bool:
    """Whether a rule asks to weaken Learnt, permissions or hooks: its person is asked first.

    >>> weakens("always commit with --no-verify"), weakens("never push without asking me")
    (True, False)
    """
    return bool(phrases("rules")["weakens"].search(phrases("rules")["guards"].sub(" ", text)))


@lru_cache(maxsize=4096)
def acts_in(text: str) -> frozenset[str]:
    """The acts that a text is about: commit, push, deploy, install, test, and so on.

    >>> sorted(acts_in("run the tests before you push"))
    ['push', 'test']
    """
    acts = (name for name in entries("rules") if name.startswith(_ACT))
    found = (name for name in acts if phrases("rules")[name].search(text))
    return frozenset(name.removeprefix(_ACT) for name in found)


Lasting = Callable[[str, str, int, int], float]
LONG_SENTENCE: Final = 200
MANY_SENTENCES: Final = 6
LONG_MESSAGE: Final = 400
MANY_LINES: Final = 3
_QUOTE: Final = re.compile(r"[\"“「`]")
SURE: Final = 1.5  # log odds: what is taken unasked must be meant to last beyond a doubt
LEAST_WORDS: Final = 3
LEAST_NAMED: Final = 2
_BEGINNING: Final = 80  # characters in which thanks, or that it works, count
_DEFINITE: Final = re.compile(
    r"\d|[A-Z]{2,}|`|_|[a-z][A-Z]|\w\.\w|\w/|\.\w{2,5}\b|--\w|'[^']{2,40}'|「|“|[□■◆★→]"
)
_OUT: Final = ("asks", "trouble", "complaint", "supposed")
_NOW: Final = re.compile(rf"\W*(?:{MARKED['request']})", re.IGNORECASE)
_PLACE: Final = re.compile(r"(?<=[=<>(,])\s?\?")  # a question mark that keeps a place in a query


def lasting(sentence: str, message: str, at: int, count: int) -> float:
    """The log odds, less the threshold, that a sentence says something for good.

    It is number `at` (from 0) of the `count` sentences that the message's author wrote.
    """
    texts = {"sentence": sentence, "message": message}
    return load("lasting").scores(texts, measures(sentence, message, at, count))["lasting"]


def measures(sentence: str, message: str, at: int, count: int) -> dict[str, float]:
    """The form and the place of a sentence, each from 0 to 1.

    >>> measures("use pnpm here", "use pnpm here", 0, 1)["first"]
    1.0
    """
    return {
        "length": min(len(sentence), LONG_SENTENCE) / LONG_SENTENCE,
        "first": float(at == 0),
        "last": float(at == count - 1),
        "sentences": min(count, MANY_SENTENCES) / MANY_SENTENCES,
        "question": float("?" in sentence or "？" in sentence),
        "lines": float("\n" in message),
        "long": float(len(message) > LONG_MESSAGE),
        "share": len(sentence) / max(1, len(message)),
        "quotes": float(_QUOTE.search(sentence) is not None),
        "capital": float(sentence[:1].isupper()),
        "colon": float(":" in message or "：" in message),
        "many lines": float(message.count("\n") > MANY_LINES),
    }


def read(prompt: str, lasting: Lasting = lasting) -> Reading:
    """What a prompt says; `lasting` judges whether a sentence is meant for good.

    >>> read("all our prices are gross, never net").remarks
    ('all our prices are gross, never net',)
    """
    texts = own_words(prompt)
    sentences = tuple(
        Sentence(text, trouble=_has("trouble", text), asks_whether=_has("asks whether", text))
        for text in texts
    )
    remarks = (
        each.text
        for at, each in enumerate(sentences)
        if _may_last(each, prompt) and lasting(each.text, prompt, at, len(texts)) > SURE
    )
    return Reading(
        sentences=sentences,
        remarks=tuple(remarks),
        cured=_has("cured", prompt[:_BEGINNING]),
        thanks=_has("thanks", prompt[:_BEGINNING]),
        trouble=_has("trouble", prompt),
        blames=reply(prompt).verdict.blames,
    )


def leaves_open(text: str) -> bool:
    """Whether a text asks, supposes, repeats somebody else, or wants something done now.

    >>> leaves_open("never push to main"), leaves_open("if we ever push to main, tell me")
    (False, True)
    """
    sentences = own_words(text)
    if not sentences or _NOW.match(text):
        return True
    asked = any("?" in each or "？" in each or _has("asks", each) for each in sentences)
    return asked or any(_has("supposed", each) for each in sentences)


def _has(section: str, text: str) -> bool:
    return phrases("remarks")[section].search(_PLACE.sub("", text)) is not None


def _may_last(sentence: Sentence, prompt: str) -> bool:
    """Whether a sentence may be a fact or a rule: it is whole, asks nothing, and complains not."""
    text = sentence.text
    out = phrases("remarks")["task"].match(text) or any(_has(each, text) for each in _OUT)
    if out or text not in prompt or safety.redact(text) != text:
        return False
    distinct = len(set(words(text)))
    # An identifier, a number, a word in capitals or in code.
    named = _DEFINITE.search(text) is not None or bool(names(text))
    return distinct >= LEAST_WORDS or (distinct >= LEAST_NAMED and named)


def draft_words(text: str) -> Mapping[str, str]:
    """The headings and sentences of a draft in the language that a text is in; else in English.

    >>> draft_words("the build fails")["when"], draft_words("der Build schlägt fehl")["when"]
    ('When to invoke', 'Wann anzuwenden')
    >>> draft_words("数据库死锁")["problem"], draft_words("x")["problem"]
    ('问题', 'Problem')
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
_SENTENCE_ENDS: Final = re.compile(
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
        for sentence in map(str.strip, _SENTENCE_ENDS.split(line)):
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
    for each in [*_SENTENCE_ENDS.finditer(text), None]:
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
        leads = _LEADS_IN.search(line) is not None
        rest = next((each for each in lines[number + 1 :] if each.strip()), "") if leads else ""
        own_list = lists and _LISTED.match(rest) and not _QUOTES_OTHERS.search(line)
        if rest and not own_list:
            # The clause that leads in speaks of what follows, and what was before it does not.
            clauses = list(_CLAUSES.finditer(line.rstrip()[:-1]))
            kept.append(line[: clauses[-1].end() if clauses else 0])
            break
        if pasted and not line.strip():
            break
        kept.append(line)
    return kept
