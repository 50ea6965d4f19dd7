"""What a session teaches: the language room is asked, and core decides with its answers."""

from collections.abc import Callable, Mapping, Sequence

from learnt.core.address import Address
from learnt.core.digest.cures import found_in
from learnt.core.digest.lessons import Lesson, around, digest
from learnt.core.digest.remarks import ALONE
from learnt.core.digest.signatures import doubtful, lines_of
from learnt.core.digest.steps import Talk, results_of
from learnt.core.digest.telling import Cure, Found, Heard, asked_of, told
from learnt.core.events import Origin
from learnt.core.health.outcomes import CallEvidence
from learnt.core.sessions.turns import Turn
from learnt.ports import Language


def lessons_of(
    language: Language,
    turns: Sequence[Turn],
    calls: Mapping[str, CallEvidence],
    origin_of: Callable[[Turn], Origin],
) -> list[Lesson]:
    """The lessons of a session's turns, in order; `calls` is the evidence of each call by id."""
    readings = [language.remarks(turn.prompt, around(turns, n)) for n, turn in enumerate(turns)]
    found = found_in(Talk(turns, calls, readings))
    return digest(turns, readings, cures_told(language, turns, found), origin_of)


def cures_told(language: Language, turns: Sequence[Turn], found: Sequence[Found]) -> list[Cure]:
    """Cures in structure and in words, without those that nothing explains."""
    if not found:
        return []
    said = {
        text: [sentence.text for sentence in language.remarks(text, ALONE).sentences]
        for each in found
        for text in each.said
    }
    results = results_of(turns)
    texts = {line for text, wholly in results if not wholly for line in lines_of(text)}
    texts.update(sentence for sentences in said.values() for sentence in sentences)
    texts.update(text for each in found for text in asked_of(each))
    speaking = {text for text in texts if language.commands(text) is not Address.NONE}
    heard = Heard(said=said, speaking=speaking, untrusted=doubtful(results, speaking))
    return [cure for each in found for cure in told(each, heard)]
