"""Reads a prompt: what its author says for good, what is wrong, whether something works now.

The n-gram scorer tells whether a sentence is meant for good. Patterns tell how it is put: asked to
be remembered, decided, taken back, agreed to what the agent stated.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from learnt.core import safety
from learnt.core.digest.remarks import LONGEST, Around, Basis, Reading, Remark, Sentence
from learnt.core.health.replies import Verdict
from learnt.core.knowledge.junk import VOUCHED
from learnt.core.tokens import names, words
from learnt.language.own_words import own_words
from learnt.language.phrases import phrases
from learnt.language.replies import reply
from learnt.language.sentences import lasting
from learnt.language.worth import worth

Lasting = Callable[[str, str, int, int], float]
LEAST_WORDS: Final = 3
LEAST_NAMED: Final = 2
_BEGINNING: Final = 80  # characters in which thanks, or that it works, count
_STRENGTH: Final = (
    Basis.REMEMBER,
    Basis.DECISION,
    Basis.CORRECTION,
    Basis.FACT,
)
_DEFINITE: Final = re.compile(
    r"\d|[A-Z]{2,}|`|_|[a-z][A-Z]|\w\.\w|\w/|\.\w{2,5}\b|--\w|'[^']{2,40}'|「|“|[□■◆★→]"
)
_LATIN: Final = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9_.\-/]{2,}")
_UNSPACED_END: Final = re.compile(r"[\u3040-\u9fff]$")
_TELLING_NAME: Final = re.compile(r"[\d_./-]|[A-Z]")


def read(prompt: str, around: Around, lasting: Lasting = lasting) -> Reading:
    """What a prompt says; `lasting` judges whether a sentence is meant for good.

    Where the agent then changes anew what it had just done, the prompt was a correction, whatever
    its words.

    >>> read("Remember: staging listens on 8443", Around()).remarks[0].text
    'staging listens on 8443'
    >>> read("can you bump the footer year?", Around()).remarks
    ()
    """
    known = phrases("remarks")
    sentences = own_words(prompt)
    verdict = reply(prompt).verdict
    corrects = around.anew or verdict is Verdict.CORRECTION
    told = Basis.CORRECTION if corrects else Basis.FACT
    return Reading(
        sentences=tuple(map(_sentence, sentences)),
        remarks=tuple(_remarks(prompt, sentences, around, told, lasting)),
        cured=known["cured"].search(prompt[:_BEGINNING]) is not None,
        thanks=known["thanks"].search(prompt[:_BEGINNING]) is not None,
        trouble=known["trouble"].search(prompt) is not None,
        blames=verdict.blames,
    )


def _sentence(text: str) -> Sentence:
    known = phrases("remarks")
    return Sentence(
        text=text,
        trouble=known["trouble"].search(text) is not None,
        asks=bool(known["asks"].search(text) or known["task"].match(_body(text))),
        asks_whether=known["asks whether"].search(text) is not None,
    )


def _remarks(
    prompt: str, sentences: Sequence[str], around: Around, told: Basis, lasting: Lasting
) -> list[Remark]:
    """The remarks of a prompt; `told` is the source of those that say no other."""
    taken_back = phrases("remarks")["taken back"]
    if any(taken_back.search(sentence) for sentence in sentences):
        return []
    kept: list[Remark] = []
    own_line = asked = 0
    for at, sentence in enumerate(sentences):
        for_good = lasting(sentence, prompt, at, len(sentences)) > 0
        remark = _remark(sentence, told, for_good=for_good)
        if remark is None:
            continue
        kept.append(replace(remark, first=remark.source is Basis.REMEMBER and at == 0))
        if kept[-1].first:
            # What a later line says was not asked to be remembered: it may be a paste.
            own_line = len(own_words(prompt.lstrip().partition("\n")[0]))
        asked += at < own_line
    joined = [_about(one, around) for one in (*_joined(kept[:asked]), *_joined(kept[asked:]))]
    if around.said and (agreed := _agreed(prompt, sentences, around.said)):
        return _with(joined, agreed)
    return joined


def _remark(sentence: str, told: Basis, *, for_good: bool) -> Remark | None:
    """The remark that a sentence is; None for all else."""
    known = phrases("remarks")
    if safety.redact_secrets(sentence)[1]:
        return None  # what comes with a credential is not for keeping
    body = _body(sentence)
    if known["remember"].search(body) and not known["asks"].search(body):
        text = _tidied(known["remember"].sub(" ", body))
        return Remark(source=Basis.REMEMBER, text=text, asked=True) if _enough(text) else None
    if not for_good or not _enough(body):
        return None
    if known["decided"].search(body):
        return Remark(source=Basis.DECISION, text=_tidied(body), asked=True)
    return Remark(source=told, text=_tidied(body))


def _about(remark: Remark, around: Around) -> Remark:
    """A correction with what it was about, where that is sure, or it names nothing by itself."""
    wanted = remark.source is Basis.CORRECTION and (around.anew or not _definite(remark.text))
    if not wanted or not around.did or around.did.casefold() in remark.text.casefold():
        return remark
    return replace(remark, text=f"{remark.text} (said of {around.did})")


def _body(sentence: str) -> str:
    """A sentence without the words that only take up the talk."""
    return _taken_up().sub("", sentence).strip()


@cache
def _taken_up() -> re.Pattern[str]:
    words = phrases("remarks")["takes up"].pattern
    return re.compile(rf"^\W*(?:(?:{words})[\s,.!，。！、~…;:]+)+", re.IGNORECASE)


def _tidied(text: str) -> str:
    return " ".join(text.split()).strip(" ,.;:，。；：、~")


def _enough(text: str) -> bool:
    distinct = len(set(words(text)))
    return distinct >= LEAST_WORDS or (distinct >= LEAST_NAMED and _definite(text))


def _definite(text: str) -> bool:
    """Whether it names something: an identifier, a number, a word in capitals or in code."""
    return bool(_DEFINITE.search(text) or names(text))


def _joined(kept: Sequence[Remark]) -> list[Remark]:
    """One remark of what one prompt says, as long as it is no longer than a note may be."""
    joined: list[Remark] = []
    for remark in kept:
        last = joined[-1] if joined else None
        if last is None or len(last.text) + len(remark.text) > LONGEST:
            joined.append(remark)
            continue
        strongest = min((last, remark), key=lambda r: _STRENGTH.index(r.source))
        joined[-1] = Remark(
            source=strongest.source,
            text=f"{last.text}{_stop(last.text)}{remark.text}",
            asked=last.asked or remark.asked,
            first=last.first,
        )
    return joined


def _stop(text: str) -> str:
    return "。" if _UNSPACED_END.search(text) else ". "


def _agreed(prompt: str, sentences: Sequence[str], before: str) -> str:
    """The statement of the agent's that a prompt agrees to.

    It names what the statement is about; to a question whether it is so, a yes is enough.
    """
    known = phrases("remarks")
    if not known["agrees"].match(prompt) or any(map(known["asks"].search, sentences[:1])):
        return ""
    if known["asks whether"].search(before):
        return _confirmed(before)
    said = " ".join(sentences)
    named = {name.casefold() for name in (*names(said), *_LATIN.findall(said))}
    for sentence in own_words(before):
        if known["of oneself"].search(sentence) or worth(sentence).rejected(VOUCHED):
            continue
        there = {name.casefold() for name in (*names(sentence), *_LATIN.findall(sentence))}
        strong = {n for n in named & there if _TELLING_NAME.search(n) or len(n) > 4}
        if strong and _definite(sentence) and len(sentence) <= LONGEST:
            return _tidied(sentence)
    return ""


def _confirmed(before: str) -> str:
    """What the agent asked to be told is so."""
    known = phrases("remarks")
    stated = [one for one in own_words(before) if not known["task"].match(one)][-2:]
    asked = known["asks whether"]
    text = _tidied(" ".join(asked.sub("", one).strip(" ,，") for one in stated))
    return text if _definite(text) and len(text) <= LONGEST else ""


def _with(told: list[Remark], agreed: str) -> list[Remark]:
    """The remarks with what was agreed to: beside the person's own words, or alone."""
    if not told:
        return [Remark(source=Basis.FACT, text=agreed, agreed=True)]
    first, *rest = told
    if first.source is not Basis.FACT or len(first.text) + len(agreed) > LONGEST:
        return told
    return [replace(first, text=f"{agreed}{_stop(agreed)}{first.text}", agreed=True), *rest]
