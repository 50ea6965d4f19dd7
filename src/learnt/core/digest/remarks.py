"""What a person says for good, among what they ask for: to remember, corrections, decisions, facts.

A remark is a sentence of the person's own that holds beyond the task in hand. Requests, questions,
what holds today only and what is taken back in the same breath are none. English and Chinese.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from learnt.core import safety
from learnt.core.digest.own_words import own_words
from learnt.core.digest.signs import signs
from learnt.core.health.replies import judge
from learnt.core.tokens import names, words

LONGEST: Final = 420
LEAST_WORDS: Final = 3
LEAST_NAMED: Final = 2
TOLD: Final = 5  # words of a sentence that tells something, whatever its verb


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

    `asked`: its author asked for it to be kept; `first`: and the prompt begins with that. `ruled`:
    it lays something down. `agreed`: the agent had said it, and the person only agreed.
    """

    source: Source
    text: str
    asked: bool = False
    first: bool = False
    ruled: bool = False
    agreed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What a prompt stands in: what the agent said and did before it, and what it does after it.

    `did` is a file that it changed or a command; `anew`: it changes that again, as it was told.
    `opening`: nothing was before.
    """

    said: str = ""
    did: str = ""
    anew: bool = False
    opening: bool = False


ALONE: Final = Around()


def remarks(prompt: str, around: Around = ALONE) -> list[Remark]:
    """What a prompt says for good.

    In a session's opening prompt a mere statement sets the scene, and is none. Where the agent
    then changes anew what it had just done, the prompt was a correction, whatever its words.

    >>> remarks("Remember: staging listens on 8443")[0].text
    'staging listens on 8443'
    >>> remarks("不对，表结构都走 Flyway")[0].source
    <Source.CORRECTION: 'correction'>
    >>> remarks("can you bump the footer year?"), remarks("use yarn. no wait, wrong repo")
    ([], [])
    """
    known = signs()
    sentences = own_words(prompt)
    if any(known.taken_back.search(one) for one in sentences):
        return []
    corrects = around.anew or judge(prompt).said == "correction"
    told = [_remark(one, corrects=corrects, opening=around.opening) for one in sentences]
    firm = around.anew or any(one is not None and _is_firm(one) for one in told)
    kept: list[Remark] = []
    alone = asked = 0
    for number, (sentence, one) in enumerate(zip(sentences, told, strict=True)):
        one = one or (_beside(sentence, anew=around.anew) if firm else None)
        if one is not None:
            kept.append(replace(one, first=one.asked and number == 0))
            if kept[-1].first:
                # What a later line says was not asked to be remembered: it may be a paste.
                alone = len(own_words(prompt.lstrip().partition("\n")[0]))
            asked += number < alone
    joined = [_about(one, around) for one in (*_joined(kept[:asked]), *_joined(kept[asked:]))]
    if around.said and (agreed := _agreed(prompt, sentences, around.said)):
        return _with(joined, agreed)
    return joined


def _about(one: Remark, around: Around) -> Remark:
    """A correction with what it was said of, where that is sure, or it names nothing by itself."""
    wanted = one.source is Source.CORRECTION and (around.anew or not _definite(one.text))
    if not wanted or not around.did or around.did.casefold() in one.text.casefold():
        return one
    return replace(one, text=f"{one.text} (said of {around.did})")


def _is_firm(one: Remark) -> bool:
    return one.source is not Source.FACT or one.ruled


def _beside(sentence: str, *, anew: bool) -> Remark | None:
    """What stands beside a correction or a decision and says how, or why."""
    known = signs()
    body = _body(sentence)
    if known.asks.search(body) or known.passing.search(body) or not _enough(body):
        return None
    if safety.redact_secrets(sentence)[1]:
        return None
    if _only_a_task(body) or known.trouble.search(body):
        return None
    if not anew and len(set(words(body))) <= TOLD:
        return None
    if known.thanks.search(body) and not _definite(body):
        return None
    return Remark(source=Source.CORRECTION if anew else Source.FACT, text=_tidied(body))


def _only_a_task(body: str) -> bool:
    return bool(signs().task.match(body)) and not signs().states.search(body)


def _remark(sentence: str, *, corrects: bool, opening: bool) -> Remark | None:
    known = signs()
    if safety.redact_secrets(sentence)[1]:
        return None  # what comes with a credential is not for keeping
    body = _body(sentence)
    asks = bool(known.asks.search(body) or known.wish.search(body))
    if known.remember.search(body) and not asks:
        text = _tidied(known.remember.sub(" ", body))
        kept = _enough(text) and not (known.passing.search(text) and not _definite(text))
        return Remark(source=Source.REMEMBER, text=text, asked=True) if kept else None
    if asks or not _enough(body) or known.passing.search(body):
        return None
    text = _tidied(body)
    if known.decided.search(body):
        return Remark(source=Source.DECISION, text=text, asked=True)
    ruled = Source.CORRECTION if corrects else Source.FACT
    if known.rule.search(body):
        return Remark(source=ruled, text=text, ruled=True)
    if opening or known.task.match(body) or known.past.search(body) or not _definite(body):
        return None
    if corrects and known.trouble.search(body):
        return None  # a complaint: what cures it is the lesson
    tells = known.states.search(body) or len(set(words(body))) >= TOLD
    return Remark(source=ruled, text=text) if tells else None


def _body(sentence: str) -> str:
    return signs().takes_up.sub("", sentence).strip()


def _tidied(text: str) -> str:
    return " ".join(text.split()).strip(" ,.;:，。；：、~")


def _enough(text: str) -> bool:
    distinct = len(set(words(text)))
    return distinct >= LEAST_WORDS or (distinct >= LEAST_NAMED and _definite(text))


def _definite(text: str) -> bool:
    """Whether it names something: an identifier, a number, a word in capitals or in code."""
    return bool(_DEFINITE.search(text) or names(text))


_DEFINITE: Final = re.compile(
    r"\d|[A-Z]{2,}|`|_|[a-z][A-Z]|\w\.\w|\w/|\.\w{2,5}\b|--\w|'[^']{2,40}'|「|“|[□■◆★→]"
)
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
            ruled=last.ruled or one.ruled,
        )
    return found


_STRENGTH: Final = (Source.REMEMBER, Source.DECISION, Source.CORRECTION, Source.FACT)
_OF_ONESELF: Final = re.compile(
    r"\b(?:i|i'll|i'm|i've|i'd|me|my|let me|done|noted)\b|我|已经|改好|完成|好的|收到|明白",
    re.IGNORECASE,
)


def _agreed(prompt: str, sentences: Sequence[str], before: str) -> str:
    """The statement of the agent's that a prompt agrees to.

    It names what the statement is about; to a question whether it is so, a yes is enough.
    """
    known = signs()
    if not known.agrees.match(prompt) or any(known.asks.search(one) for one in sentences[:1]):
        return ""
    if known.is_it_so.search(before):
        return _confirmed(before)
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


def _confirmed(before: str) -> str:
    """What the agent asked to be told is so."""
    stated = [one for one in own_words(before) if not signs().task.match(one)][-2:]
    text = _tidied(" ".join(signs().is_it_so.sub("", one).strip(" ,，") for one in stated))
    return text if _definite(text) and len(text) <= LONGEST else ""


def _with(told: list[Remark], agreed: str) -> list[Remark]:
    """The remarks with what was agreed to: beside the person's own words, or alone."""
    if not told:
        return [Remark(source=Source.FACT, text=agreed, agreed=True)]
    first, *rest = told
    if first.source is not Source.FACT or len(first.text) + len(agreed) > LONGEST:
        return told
    stop = "。" if re.search(r"[\u4e00-\u9fff]", agreed[-1:]) else ". "
    return [
        replace(first, text=f"{agreed}{stop}{first.text}", agreed=True),
        *rest,
    ]
