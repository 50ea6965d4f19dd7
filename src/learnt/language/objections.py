"""Whether a person's prompt says that a note put before the agent does not hold any more."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from learnt.core.knowledge.objections import LOOKED_AT, Objection
from learnt.core.tokens import words
from learnt.language.data import PatternEntry, by_language
from learnt.language.patterns import compiled

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
