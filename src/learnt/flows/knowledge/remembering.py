"""A person marks words to be remembered: they are saved at once as typed, or refused whole."""

from collections.abc import Iterable

from msgspec.structs import replace

from learnt.core.digest.remarks import Basis
from learnt.core.digest.telling import kind_of
from learnt.core.events import Actor, Origin
from learnt.core.identifiers import EntryId, keyed_hash
from learnt.core.knowledge.drafts import Fact
from learnt.core.knowledge.kinds import RULE
from learnt.core.marked import WHOSE, MarkedText, asks_within, sorted_out
from learnt.core.sessions.observations import Observation
from learnt.errors import Refused
from learnt.flows.knowledge.capture import capture
from learnt.flows.knowledge.offers import Offer, of_its_kind, tidied
from learnt.flows.knowledge.quoting import why_unproved
from learnt.flows.knowledge.recording import said_at_once
from learnt.formats.agents.dialects import NOTHING, Answer
from learnt.formats.agents.transcripts import typed
from learnt.formats.saved import WEAKENS, Saved, told_of
from learnt.ports import Language, Outside


def remember_at_once(
    outside: Outside, observation: Observation, prompt: str
) -> tuple[Answer, tuple[EntryId, ...]]:
    """What became of what a prompt marks to be remembered, and as which entries.

    A person's own words count at once; those that nobody was seen typing, and pastes, wait. Raises
    Conflict.
    """
    if observation.subagent or not typed(prompt):
        return NOTHING, ()
    marked, refused = sorted_out(prompt)
    saved = save(outside, observation, marked, refused)
    within = not (marked or refused) and asks_within(prompt)
    return told_of(saved, refused, within=within), tuple(each.entry for each in saved)


def save(
    outside: Outside, observation: Observation, marked: Iterable[MarkedText], refused: list[str]
) -> list[Saved]:
    """Save marked statements, each once; why one is not is added to `refused`."""
    saved: list[Saved] = []
    for statement in marked:
        offer = marked_offer(outside, observation, statement)
        if decided_at_once(outside, offer):
            continue  # two hooks may report one prompt, and the spool hold it once more
        try:
            outcome = capture(outside, offer)
        except Refused as refusal:
            refused.append(str(refusal).rstrip("."))
            continue
        near = next(iter(outcome.unsure), None)
        saved.append(Saved(outcome.entry, statement.text, outcome.ruling, offer.waits, near))
    return saved


def marked_offer(outside: Outside, observation: Observation, statement: MarkedText) -> Offer:
    """A marked statement of a prompt that a hook reported, as an offer."""
    person = observation.actor is Actor.HUMAN
    waits = statement.waits
    if not person:
        waits = why_unproved(observation.agent)
    own = person and waits not in WHOSE
    kind = kind_of(statement.text)
    if own and not waits:
        kind, waits = own_kind(outside.language, statement.text)
    return Offer(
        what=of_its_kind(outside, Fact(text=statement.text, kind=kind)),
        actor=Actor.HUMAN if person else Actor.LEARNT,
        folder=observation.folder or None,
        witness="human" if person else "indirect",
        session=observation.session,
        lesson=Basis.REMEMBER,
        episode=observation.episode,
        insisted=person,
        came_from=Origin.USER if own else Origin.MIXED,
        utterance=utterance_of(outside, observation.episode, statement.text),
        at_once=True,
        waits=waits,
    )


def own_kind(language: Language, text: str) -> tuple[str, str]:
    """The kind of what a person typed to be kept, and why it waits: it would weaken a guard."""
    if not language.lays_down(language.own_part(text)):
        return kind_of(text), ""
    return (kind_of(text), WEAKENS) if language.weakens(text) else (RULE, "")


def decided_at_once(outside: Outside, offer: Offer) -> bool:
    """Whether what a person said was decided on while its prompt was answered."""
    as_recorded = replace(offer, what=tidied(outside, offer.what)[0])
    with outside.ledger.reading() as reader:
        return reader.keyed(said_at_once(outside, as_recorded)) is not None


def utterance_of(outside: Outside, episode: str, text: str) -> str:
    """What tells one utterance from another, however often hooks and transcripts hold it."""
    return keyed_hash(outside.ledger.key, "utterance", text, episode)
