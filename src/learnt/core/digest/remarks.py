"""What a person says for good, among what they ask for: to remember, corrections, decisions, facts.

A remark is a sentence of the person's own that holds beyond the task in hand. Requests, questions,
what holds today only and what is taken back in the same breath are none. English and Chinese.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from learnt.core import safety
from learnt.core.digest.own_words import own_words
from learnt.core.digest.remark_words import chinese, english
from learnt.core.health.replies import judge
from learnt.core.tokens import names, words

LONGEST: Final = 420
LEAST_WORDS: Final = 3
LEAST_NAMED: Final = 2
MANY_WORDS: Final = 6


class Source(StrEnum):
    """Where a lesson comes from."""

    REMEMBER = "remember"
    CORRECTION = "correction"
    DECISION = "decision"
    FACT = "fact"
    FIX = "fix"
    WORKED = "worked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A statement that is to outlast its session.

    `asked`: its author asked for it to be kept; `first`: and the prompt begins with that. `agreed`
    is what the agent had said, where the person only agreed to it.
    """

    source: Source
    text: str
    asked: bool = False
    first: bool = False
    agreed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    takes_up: re.Pattern[str]
    remember: re.Pattern[str]
    decided: re.Pattern[str]
    rule: re.Pattern[str]
    states: re.Pattern[str]
    asks: re.Pattern[str]
    task: re.Pattern[str]
    passing: re.Pattern[str]
    taken_back: re.Pattern[str]
    agrees: re.Pattern[str]
    trouble: re.Pattern[str]
    cured: re.Pattern[str]


@cache
def _words() -> _Words:
    def of(name: str) -> re.Pattern[str]:
        found: list[str] = []
        for language in (english, chinese):
            patterns = getattr(language, name)
            found.extend([patterns] if isinstance(patterns, str) else patterns)
        return re.compile("|".join(f"(?:{one})" for one in found), re.IGNORECASE)

    taken = f"(?:{english.TAKES_UP}\\b|{chinese.TAKES_UP})"
    return _Words(
        takes_up=re.compile(rf"^\W*(?:{taken}[\s,.!，。！、~…;:]+)+", re.IGNORECASE),
        remember=of("REMEMBER"),
        decided=of("DECIDED"),
        rule=of("RULE"),
        states=of("STATES"),
        asks=of("ASKS"),
        task=of("TASK"),
        passing=of("PASSING"),
        taken_back=of("TAKEN_BACK"),
        agrees=of("AGREES"),
        trouble=of("TROUBLE"),
        cured=of("CURED"),
    )


def remarks(prompt: str, before: str = "", *, opening: bool = False) -> list[Remark]:
    """What a prompt says for good; `before` is what the agent said last, which it may agree to.

    In a session's opening prompt a mere statement sets the scene, and is none.

    >>> remarks("Remember: staging listens on 8443")[0].text
    'staging listens on 8443'
    >>> remarks("不对，表结构都走 Flyway")[0].source
    <Source.CORRECTION: 'correction'>
    >>> remarks("can you bump the footer year?"), remarks("use yarn. no wait, wrong repo")
    ([], [])
    """
    known = _words()
    sentences = own_words(prompt)
    if any(known.taken_back.search(one) for one in sentences):
        return []
    corrects = judge(prompt).said == "correction"
    told = [_remark(one, corrects=corrects, opening=opening) for one in sentences]
    firm = any(one is not None and _is_firm(one) for one in told)
    kept: list[Remark] = []
    for number, (sentence, one) in enumerate(zip(sentences, told, strict=True)):
        one = one or (_beside(sentence) if firm else None)
        if one is not None:
            first = one.asked and number == 0
            kept.append(Remark(source=one.source, text=one.text, asked=one.asked, first=first))
    joined = _joined(kept)
    if before and (agreed := _agreed(prompt, sentences, before)):
        return _with(joined, agreed)
    return joined


def tells_of_trouble(text: str) -> bool:
    """Whether a text tells of something that does not work.

    >>> tells_of_trouble("the harbour sync dies"), tells_of_trouble("add a page")
    (True, False)
    """
    return _words().trouble.search(text) is not None


def tells_of_a_cure(text: str) -> bool:
    """Whether a reply says that it works now.

    >>> tells_of_a_cure("flicker gone!"), tells_of_a_cure("好了")
    (True, True)
    """
    return _words().cured.search(text[:80]) is not None


def _is_firm(one: Remark) -> bool:
    return one.source is not Source.FACT or bool(_words().rule.search(one.text))


def _beside(sentence: str) -> Remark | None:
    """What stands beside a correction or a decision and says how, or why."""
    known = _words()
    body = _body(sentence)
    asks = known.asks.search(body) or known.passing.search(body)
    if asks or safety.redact_secrets(sentence)[1] or len(set(words(body))) < MANY_WORDS:
        return None
    if known.task.match(body) and not known.states.search(body):
        return None
    return Remark(source=Source.FACT, text=_tidied(body))


def _remark(sentence: str, *, corrects: bool, opening: bool) -> Remark | None:
    known = _words()
    if safety.redact_secrets(sentence)[1]:
        return None  # what comes with a credential is not for keeping
    body = _body(sentence)
    mark = known.remember.search(body)
    if mark and not known.asks.search(body):
        text = _tidied(known.remember.sub(" ", body))
        return Remark(source=Source.REMEMBER, text=text, asked=True) if _enough(text) else None
    if known.asks.search(body) or not _enough(body):
        return None
    text = _tidied(body)
    if known.decided.search(body) and not known.passing.search(body):
        return Remark(source=Source.DECISION, text=text, asked=True)
    if known.passing.search(body):
        return None
    ruled = Source.CORRECTION if corrects else Source.FACT
    if known.rule.search(body):
        return Remark(source=ruled, text=text)
    if known.task.match(body):
        return None
    if opening or not known.states.search(body) or not _definite(body):
        return None
    return Remark(source=ruled, text=text)


def _body(sentence: str) -> str:
    return _words().takes_up.sub("", sentence).strip()


def _tidied(text: str) -> str:
    return " ".join(text.split()).strip(" ,.;:，。；：、~")


def _enough(text: str) -> bool:
    distinct = len(set(words(text)))
    return distinct >= LEAST_WORDS or (distinct >= LEAST_NAMED and _definite(text))


def _definite(text: str) -> bool:
    """Whether it names something: an identifier, a number, a word in capitals or in code."""
    return bool(_DEFINITE.search(text) or names(text))


_DEFINITE: Final = re.compile(r"\d|[A-Z]{2,}|`|_|[a-z][A-Z]|\w\.\w|\w/\w|'[^']{2,40}'|「|“")
_LATIN: Final = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9_.\-/]{2,}")


def _joined(kept: Sequence[Remark]) -> list[Remark]:
    """One remark of what one prompt says, as long as it is no longer than a note may be."""
    found: list[Remark] = []
    for one in kept:
        last = found[-1] if found else None
        if last is None or len(last.text) + len(one.text) > LONGEST:
            found.append(one)
            continue
        stop = "。" if re.search(r"[\u4e00-\u9fff]$", last.text) else ". "
        strongest = min((last, one), key=lambda r: _STRENGTH.index(r.source))
        found[-1] = Remark(
            source=strongest.source,
            text=f"{last.text}{stop}{one.text}",
            asked=last.asked or one.asked,
            first=last.first,
        )
    return found


_STRENGTH: Final = (Source.REMEMBER, Source.DECISION, Source.CORRECTION, Source.FACT)
_OF_ONESELF: Final = re.compile(
    r"\b(?:i|i'll|i'm|i've|i'd|me|my|let me|done|noted)\b|我|已经|改好|完成|好的|收到|明白",
    re.IGNORECASE,
)


def _agreed(prompt: str, sentences: Iterable[str], before: str) -> str:
    """The statement of the agent's that a prompt agrees to by naming what it is about."""
    known = _words()
    if not known.agrees.match(prompt):
        return ""
    said = " ".join(sentences)
    named = {name.casefold() for name in (*names(said), *_LATIN.findall(said))}
    for sentence in own_words(before):
        if _OF_ONESELF.search(sentence) or not known.states.search(sentence):
            continue
        there = {name.casefold() for name in (*names(sentence), *_LATIN.findall(sentence))}
        strong = {
            name for name in named & there if re.search(r"[\d_./-]|[A-Z]", name) or len(name) > 4
        }
        if strong and _definite(sentence) and len(sentence) <= LONGEST:
            return _tidied(sentence)
    return ""


def _with(told: list[Remark], agreed: str) -> list[Remark]:
    """The remarks with what was agreed to: beside the person's own words, or alone."""
    if not told:
        return [Remark(source=Source.FACT, text=agreed, agreed=True)]
    first, *rest = told
    if first.source is not Source.FACT or len(first.text) + len(agreed) > LONGEST:
        return told
    stop = "。" if re.search(r"[\u4e00-\u9fff]", agreed[-1:]) else ". "
    return [
        Remark(source=first.source, text=f"{agreed}{stop}{first.text}", asked=first.asked),
        *rest,
    ]
