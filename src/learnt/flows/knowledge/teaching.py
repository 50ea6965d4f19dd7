"""What a session teaches: the language room is asked, and core decides with its answers."""

from collections.abc import Callable, Mapping, Sequence

from learnt.core.address import Address
from learnt.core.digest.cures import found_in
from learnt.core.digest.lessons import Lesson, digest
from learnt.core.digest.steps import Talk
from learnt.core.digest.telling import Cure, Found, asked_of, told
from learnt.core.events import Origin
from learnt.core.health.outcomes import CallEvidence
from learnt.core.sessions.turns import Turn
from learnt.language_ports import Language


def lessons_of(
    language: Language,
    turns: Sequence[Turn],
    calls: Mapping[str, CallEvidence],
    origin_of: Callable[[Turn], Origin],
) -> list[Lesson]:
    """The lessons of a session's turns, in order; `calls` is the evidence of each call by id."""
    readings = [language.remarks(turn.prompt) for turn in turns]
    found = found_in(Talk(turns, calls, readings))
    return digest(turns, readings, cures_told(language, found), origin_of)


def cures_told(language: Language, found: Sequence[Found]) -> list[Cure]:
    """Cures in structure, without texts that speak to their reader."""
    texts = {text for each in found for text in asked_of(each)}
    speaking = {text for text in texts if language.commands(text) is not Address.NONE}
    return [cure for each in found if (cure := told(each, speaking))]
