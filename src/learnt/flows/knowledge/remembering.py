"""A person says "remember …" to the agent: the gates decide at once, and the next prompt has it."""

from dataclasses import replace

from learnt.core import safety
from learnt.core.digest.lessons import Lesson
from learnt.core.digest.remarks import ALONE, Basis
from learnt.core.events import Actor, Origin
from learnt.core.identifiers import EntryId, keyed_hash
from learnt.core.knowledge.drafts import subject
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.turns import Turn
from learnt.errors import Refused
from learnt.flows.knowledge.appraising import of_its_kind, tidied
from learnt.flows.knowledge.capture import capture
from learnt.flows.knowledge.offers import Offer
from learnt.flows.knowledge.recording import said_at_once
from learnt.flows.knowledge.teaching import lessons_of
from learnt.formats.kept_at_once import Kept, kept_at_once
from learnt.ports import Outside


def remember_at_once(
    outside: Outside, observation: Observation, prompt: str, origin: Origin, said: str
) -> tuple[str, tuple[EntryId, ...]]:
    """What became of what a prompt asks to be remembered, for the agent, and as which entries.

    The text is empty where it asks for nothing. A person's own words alone, and only where the
    prompt plainly begins with them; `said` is how it reads without a command before it. What they
    say is kept as it stands, unless it is unsafe. Raises Conflict where what it was compared with
    changes again and again.
    """
    if origin is not Origin.USER:
        return "", ()
    if safety.strip_private(prompt) != prompt:
        return kept_at_once((), "private"), ()
    turn = Turn(prompt=prompt, id=observation.episode, folder=observation.folder)
    kept, why = [], ""
    read = replace(turn, prompt=said)
    lessons = lessons_of(outside.language, [read], {}, lambda _: origin)
    wishes = [lesson for lesson in lessons if vouched(lesson)]
    for lesson in wishes:
        offer = spoken(outside, lesson, turn, observation.session, observation.folder)
        if decided_at_once(outside, offer):
            continue  # two hooks may report one prompt
        try:
            outcome = capture(outside, offer)
        except Refused as refusal:
            why = str(refusal)
            continue
        kept.append(Kept(outcome.entry, subject(offer.what), outcome.ruling))
    text = kept_at_once(kept, why or outside.language.remarks(said, ALONE).withheld)
    return text, tuple(each.entry for each in kept)


def decided_at_once(outside: Outside, offer: Offer) -> bool:
    """Whether what a person said was decided on while its prompt was answered."""
    as_recorded = replace(offer, what=tidied(outside, offer.what)[0])
    with outside.ledger.reading() as reader:
        return reader.keyed(said_at_once(outside, as_recorded)) is not None


def vouched(lesson: Lesson) -> bool:
    """Whether a person asked, before all else, for it to be remembered."""
    return lesson.typed and lesson.first and lesson.source is Basis.REMEMBER


def spoken(outside: Outside, lesson: Lesson, turn: Turn, session: str, folder: str) -> Offer:
    """What a person said in a prompt that a hook reported, as an offer."""
    return Offer(
        what=of_its_kind(outside, lesson.what),
        actor=Actor.HUMAN,
        folder=folder or None,
        witness="human",
        session=session,
        lesson=lesson.source,
        episode=turn.id,
        insisted=lesson.asked,
        came_from=lesson.origin,
        utterance=utterance_of(outside, turn),
        at_once=True,
    )


def utterance_of(outside: Outside, turn: Turn) -> str:
    """What tells one prompt from another, however often transcripts hold it."""
    return keyed_hash(outside.ledger.key, "utterance", turn.prompt, turn.id)
