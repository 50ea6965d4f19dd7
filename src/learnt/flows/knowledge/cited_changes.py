"""What a session changed, as citations: where the new text stands in its file now."""

from collections.abc import Iterable

from learnt.core.digest.steps import Change
from learnt.errors import Refused
from learnt.flows.knowledge.citing import resolved, texts_at
from learnt.flows.sessions.locate import look
from learnt.ports import Outside

MOST = 2


def cited(outside: Outside, folder: str, changes: Iterable[Change]) -> tuple[str, ...]:
    """The notations of the last changes that still stand where they were put."""
    place = look(outside, folder)
    texts = texts_at(outside, place)
    notations: list[str] = []
    for change in changes:
        path, new = change.path.removeprefix(f"{place.facts.root}/"), change.new.strip("\n")
        text = texts.text(path) if new.strip() else None
        at = -1 if text is None else text.text.find(new)
        if text is None or at < 0:
            continue
        first = text.text.count("\n", 0, at) + 1
        notation = f"{path}:{first}-{first + new.count(chr(10))}"
        try:
            resolved(outside, [notation], place, texts)
        except Refused:
            continue
        notations.append(notation)
    return tuple(dict.fromkeys(notations))[-MOST:]
