"""Whether a person's prompt says that a note put before the agent does not hold any more."""

import re
from collections.abc import Mapping
from typing import Final

from learnt.core.identifiers import ENTRY_ID, EntryId
from learnt.core.tokens import words

LOOKED_AT: Final = 400
_NOTE: Final = (
    r"(?:(?:that|this|your|learnt'?s|the) (?:note|memory)|(?:that|this|your|learnt'?s) "
    r"(?:\w+ )?(?:note|memory|knowledge|recall\w*)|(?:your|learnt'?s) (?:\w+ )?(?:entry|record|"
    r"fact)|(?:that|this) (?:entry|fact)|the (?P<about>\w+) note|"
    r"what (?:learnt|the note|your memory) (?:says|said|has|remembers)|e-[0-9a-z]{14})"
)
_GONE: Final = (
    r"(?:(?:is|'s|was|are|has become|got|looks?) (?:now |all |just |also )?(?:out ?dated|"
    r"out of date|"
    r"stale|obsolete|no longer (?:true|valid|correct|right|so|the case)|"
    r"not (?:true|valid|right|correct|so) any ?more|superseded|history)|(?:has|have|'s|did) "
    r"(?:since |now |just |all )?changed(?=\W*$|\s*[.,:;!]|\s+(?:since|now|to|again|meanwhile|"
    r"already|last|this|in|on|with|yesterday|today)\b)|"
    r"changed\b(?! (?:it|the|my|your|to\b))|no longer holds?|"
    r"(?:does not|doesn'?t) (?:hold|apply|exist) any ?more)"
)
_WRONG: Final = (
    r"(?:is|'s|was) (?:just |plain |simply |also )?"
    r"(?:wrong|false|incorrect|not (?:true|right|correct))"
)
_ENGLISH: Final = re.compile(
    rf"(?:{_NOTE})\s*(?:{_GONE}|{_WRONG})"
    # Behind another clause it speaks of what that names.
    rf"|^\W*(?:(?:no|hm+|actually|wait|hey|oh|stop|careful)\b[\s,.!]*){{0,3}}(?:this|that|it)\s?{_GONE}"
    rf"|(?:^|[.!]\s*|\bplease )forget (?:about )?"
    rf"{_NOTE.replace('?P<about>', '?:')}(?=\W*$|\s*[.,:;!])",
    re.IGNORECASE,
)
# Who asks, or says what is to be done in that case, does not say that it is so.
_IN_CASE: Final = re.compile(
    r"\b(?:if|when|whether|unless|in case|once|make sure|check|until|as if|suppose)\b|如果|假如|"
    r"是否|要是|万一|当.{0,8}时",
    re.IGNORECASE,
)
_ASKED: Final = re.compile(r"[^.!。！]*[?？]|[^。！？?]{0,40}(?:吗|么|呢)\s*[?？。]?")
_ANY: Final = frozenset("old last first previous recalled shown above other second".split())
_CLAUSE: Final = re.compile(r"[.!?。！？;；]")
_CHINESE: Final = re.compile(
    r"(?:这|那|上面|上述|刚才)(?:一)?条(?:记忆|知识|笔记|说法)?(?:已经|都|就|早就|现在)?"
    r"(?:不对|错了?|有误|过时|过期|变了|改了|失效|作废|不准|不成立|不适用|不再)"
    r"|(?:记忆|笔记|这条知识|这个知识)[^，。]{0,6}(?:不对|错了|过时|作废)"
    r"|(?:^|[，。！；\s])(?:这|那)个?(?:已经|早就|现在)(?:变了|改了|过时了?|不是这样了?)"
)


def objects(prompt: str) -> bool:
    """Whether a prompt says that something it was shown does not hold.

    That the agent's own work is wrong is another matter.

    >>> objects("this changed: port is 9000 now"), objects("这条不对，早换了")
    (True, True)
    >>> objects("that's wrong, use yarn"), objects("I changed this function")
    (False, False)
    """
    text = _plain(prompt)
    found = _ENGLISH.search(text) or _CHINESE.search(text)
    if found is None:
        return False
    before = _CLAUSE.split(text[: found.start()])[-1] + found[0]
    return not _IN_CASE.search(before) and not _ASKED.match(text[found.end() :])


def _plain(prompt: str) -> str:
    """A prompt's beginning on one line, its quotes straight."""
    return " ".join(prompt[:LOOKED_AT].replace("\u2019", "'").split())


def objected_to(prompt: str, shown: Mapping[EntryId, str]) -> EntryId | None:
    """The entry that a prompt objects to, of those shown with their texts; None where unclear.

    One that it names by its id; else the only one there is; else the one that alone shares words.

    >>> objected_to("this changed", {EntryId("e-1"): "port 8443"})
    'e-1'
    >>> both = {EntryId("e-1"): "staging port 8443", EntryId("e-2"): "uart baud 460800"}
    >>> objected_to("the baud note is outdated", both), objected_to("this changed", both)
    ('e-2', None)
    """
    named = [entry for entry in shown if ENTRY_ID.fullmatch(entry) and entry in prompt]
    if named or ENTRY_ID.search(prompt):
        return named[0] if len(named) == 1 else None
    found = _ENGLISH.search(_plain(prompt))
    about = set(words((found and found["about"]) or "")) - _ANY
    # "The meeting note" is one of learnt's only where that speaks of meetings.
    shown = {entry: text for entry, text in shown.items() if about <= set(words(text))}
    if len(shown) == 1:
        return next(iter(shown))
    said = set(words(prompt[:LOOKED_AT]))
    near = [entry for entry, text in shown.items() if said & set(words(text))]
    return near[0] if len(near) == 1 else None
