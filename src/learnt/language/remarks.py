"""Reads a prompt: what its author says for good, what is wrong, whether something works now.

The n-gram scorer tells whether a sentence is meant for good, to outlast the task. It judges it with
the whole message: what is said beside it tells a rule from a request, and its place and form tell
the person's own words from a paste. Patterns tell how it is put: asked to be remembered, decided,
taken back, agreed to what the agent stated.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Final

from learnt.core import safety
from learnt.core.digest.remarks import LONGEST, Around, Basis, Reading, Remark, Sentence
from learnt.core.health.outcomes import Verdict
from learnt.core.knowledge.worth import VOUCHED
from learnt.core.tokens import names, words
from learnt.core.visible_text import visible
from learnt.language.own_words import own_words
from learnt.language.patterns import phrases
from learnt.language.plain_words import PLACE, plainly, standing
from learnt.language.remembering import begins_with_it, body_of, wish_within
from learnt.language.replies import reply
from learnt.language.scorer import load
from learnt.language.worth import worth

Lasting = Callable[[str, str, int, int], float]
LONG_SENTENCE: Final = 200
MANY_SENTENCES: Final = 6
LONG_MESSAGE: Final = 400
MANY_LINES: Final = 3
_PARAGRAPH: Final = re.compile(r"\n\s*\n")
_QUOTE: Final = re.compile(r"[\"“「`]")
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


def read(prompt: str, around: Around, lasting: Lasting = lasting) -> Reading:
    """What a prompt says; `lasting` judges whether a sentence is meant for good.

    Where the agent then changes anew what it had just done, the prompt was a correction, whatever
    its words.

    >>> read("Remember: staging listens on 8443", Around()).remarks[0].text
    'staging listens on 8443'
    """
    sentences = own_words(prompt)
    verdict = reply(prompt).verdict
    corrects = around.anew or verdict is Verdict.CORRECTION
    source = Basis.CORRECTION if corrects else Basis.FACT
    remarks = _remarks(prompt, sentences, around, source, lasting)
    return Reading(
        sentences=tuple(map(_sentence, sentences)),
        remarks=tuple(remarks),
        withheld=_withheld(prompt, sentences, remarks),
        cured=_has("cured", prompt[:_BEGINNING]),
        thanks=_has("thanks", prompt[:_BEGINNING]),
        trouble=_has("trouble", prompt),
        blames=verdict.blames,
    )


def _has(section: str, text: str) -> bool:
    return phrases("remarks")[section].search(PLACE.sub("", text)) is not None


def _is_task(sentence: str) -> bool:
    return phrases("remarks")["task"].match(sentence) is not None


def _sentence(text: str) -> Sentence:
    return Sentence(
        text=text,
        trouble=_has("trouble", text),
        asks=_has("asks", text) or _is_task(body_of(text)),
        asks_whether=_has("asks whether", text),
    )


def _remarks(
    prompt: str, sentences: Sequence[str], around: Around, source: Basis, lasting: Lasting
) -> list[Remark]:
    """The remarks of a prompt; `source` is that of remarks that name no other."""
    if any(_has("taken back", sentence) for sentence in sentences):
        return []
    told = _told(prompt, sentences)
    wishes = _wishes(prompt, sentences, told)
    begun = set[int]()
    kept: list[tuple[int, Remark]] = []
    for at, sentence in enumerate(sentences):
        if not told[at]:
            continue
        laid_down = standing(sentence)
        for_good = laid_down or lasting(sentence, prompt, at, len(sentences)) > 0
        remark = _remark(sentence, source, for_good=for_good)
        if remark is None:
            continue
        line, plain = wishes[at]
        first = plain and line not in begun and begins_with_it(sentence)
        first = first and not _has("not for sure", remark.text)
        first = first and (laid_down or not _has("to do", sentence))
        begun.add(line)
        kept.append((line, replace(remark, first=first, asked=remark.asked or laid_down)))
    # What another line says was not asked to be remembered with it: it may be a paste.
    lines = [[remark for _, remark in line] for _, line in groupby(kept, itemgetter(0))]
    remarks = [_about(remark, around) for line in lines for remark in _joined(line)]
    if around.said and (agreed := _agreed(prompt, sentences, around.said)):
        return _with(remarks, agreed)
    return remarks


def _told(prompt: str, sentences: Sequence[str]) -> list[bool]:
    """Of each sentence whether its author says it; nothing below takes away what is asked for."""
    told = plainly(prompt, sentences)
    for at, sentence in enumerate(sentences):
        if not told[at] and begins_with_it(sentence):
            above = prompt[: prompt.find(sentence) + len(sentence)]
            told[at] = plainly(above, sentences[: at + 1])[at]
    return told


def _wishes(prompt: str, sentences: Sequence[str], told: Sequence[bool]) -> list[tuple[int, bool]]:
    """Of each sentence the number of the line that asks for it to be kept, and whether plainly.

    Plainly do lines of the first paragraph, or of the last behind plain words alone, where each of
    them asks for something to be kept, and no more; 0 is the number of any other line.
    """
    typed = visible(prompt) == prompt  # a person types nothing that is not seen
    prompt, at, own, numbered = prompt.strip(), 0, True, []
    parts = [typed and all(map(_asks_alone, p.splitlines())) for p in _PARAGRAPH.split(prompt)]
    for sentence, is_told in zip(sentences, told, strict=True):
        at = max(at, prompt.find(sentence, at))
        line, part = prompt.count("\n", 0, at), len(_PARAGRAPH.findall(prompt[:at]))
        plainly = parts[part] and (part == 0 or (own and part == len(parts) - 1))
        wish = plainly or begins_with_it(prompt.split("\n")[line])
        numbered.append((line + 1 if wish else 0, plainly))
        own = own and is_told and not _has("points", sentence)
    return numbered


def _asks_alone(line: str) -> bool:
    """Whether a line asks for something to be kept, and no more, but for words of thanks before."""
    sentences = [sentence for sentence in own_words(line) if body_of(sentence)]
    asks = any(_has("asks", sentence) or _is_task(sentence) for sentence in sentences[1:])
    return bool(sentences) and begins_with_it(sentences[0]) and not asks


def _withheld(prompt: str, sentences: Sequence[str], remarks: Sequence[Remark]) -> str:
    """Why nothing is kept at once of a prompt that asks for it; empty for a to-do."""
    wish = body_of(prompt.lstrip().partition("\n")[0])
    if any(remark.first for remark in remarks):
        return ""
    if not begins_with_it(wish):
        told = _told(prompt, sentences)
        own = (sentence for sentence, is_told in zip(sentences, told, strict=True) if is_told)
        return "within" if any(map(wish_within, own)) else ""
    if _has("to do", wish):
        return ""
    if any(remark.source is Basis.REMEMBER for remark in remarks):
        return "later"
    if safety.redact_secrets(prompt)[1]:
        return "credential"
    text = phrases("remarks")["remember"].sub(" ", wish)
    return "not plain" if words(text) else "says-nothing"


def _remark(sentence: str, source: Basis, *, for_good: bool) -> Remark | None:
    """The remark that a sentence is; None for all else."""
    if safety.redact_secrets(sentence)[1]:
        return None  # what comes with a credential is not for keeping
    body = body_of(sentence)
    if _has("remember", body) and not _has("asks", body):
        text = _tidied(phrases("remarks")["remember"].sub(" ", body))
        # What a person plainly asks for is kept, however little it says; a thing to do is not.
        plain = begins_with_it(body) and bool(words(text)) and not _has("to do", body)
        enough = plain or _enough(text)
        return Remark(source=Basis.REMEMBER, text=text, asked=True) if enough else None
    if not for_good or not _enough(body):
        return None
    if _has("decided", body):
        return Remark(source=Basis.DECISION, text=_tidied(body), asked=True)
    return Remark(source=source, text=_tidied(body))


def _about(remark: Remark, around: Around) -> Remark:
    """A correction with what it was about, where that is sure, or it names nothing by itself."""
    wanted = remark.source is Basis.CORRECTION and (around.anew or not _definite(remark.text))
    if not wanted or not around.did or around.did.casefold() in remark.text.casefold():
        return remark
    return replace(remark, text=f"{remark.text} (said of {around.did})")


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
    asks = any(_has("asks", sentence) for sentence in sentences[:1])
    if asks or not phrases("remarks")["agrees"].match(prompt):
        return ""
    if _has("asks whether", before):
        return _confirmed(before)
    named = _named(" ".join(sentences))
    for sentence in own_words(before):
        if _has("of oneself", sentence) or worth(sentence).rejected(VOUCHED):
            continue
        strong = (n for n in named & _named(sentence) if _TELLING_NAME.search(n) or len(n) > 4)
        if any(strong) and _definite(sentence) and len(sentence) <= LONGEST:
            return _tidied(sentence)
    return ""


def _named(text: str) -> set[str]:
    return {name.casefold() for name in (*names(text), *_LATIN.findall(text))}


def _confirmed(before: str) -> str:
    """What the agent asked to be confirmed."""
    stated = [sentence for sentence in own_words(before) if not _is_task(sentence)][-2:]
    asked = phrases("remarks")["asks whether"]
    text = _tidied(" ".join(asked.sub("", sentence).strip(" ,，") for sentence in stated))
    return text if _definite(text) and len(text) <= LONGEST else ""


def _with(remarks: list[Remark], agreed: str) -> list[Remark]:
    """The remarks with what was agreed to: beside the person's own words, or alone."""
    if not remarks:
        return [Remark(source=Basis.FACT, text=agreed, agreed=True)]
    first, *rest = remarks
    if first.source is not Basis.FACT or len(first.text) + len(agreed) > LONGEST:
        return remarks
    return [replace(first, text=f"{agreed}{_stop(agreed)}{first.text}", agreed=True), *rest]
