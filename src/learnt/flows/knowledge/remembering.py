"""Words of a person's that are to be remembered: marked by them, or picked by an agent.

Marked words are saved at once as typed, or refused whole. A quote that an agent picks is looked for
in the prompts that a hook saw a person type in the session of the call. What is found there counts
as the person's own, picked by the agent; what is found elsewhere, or cannot be looked for, waits as
a candidate.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from learnt.core import marked, safety
from learnt.core.digest.lessons import kind_of
from learnt.core.digest.remarks import Basis
from learnt.core.events import Actor, Kind, Origin, payload_of
from learnt.core.identifiers import EntryId, keyed_hash
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.kinds import RULE
from learnt.core.knowledge.quotes import LONGEST_QUOTE, widened
from learnt.core.payloads.entry_events import Remembered
from learnt.core.records import Record
from learnt.core.sessions.observations import Observation
from learnt.core.visible_text import hidden
from learnt.errors import Refused
from learnt.flows.knowledge.capture import (
    Offer,
    capture,
    check_kind,
    decided_at_once_key,
    of_its_kind,
    tidied,
)
from learnt.flows.knowledge.feedback import stage
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import all_stored, named, text_or_empty
from learnt.formats.agents.dialects import NOTHING, Answer, dialect_of
from learnt.formats.agents.transcripts import typed
from learnt.formats.saved import (
    UNATTENDED,
    UNKNOWN,
    UNSAID,
    WEAKENS,
    Saved,
    quote_line,
    quote_notice,
    told_of,
)
from learnt.ports import Language, Outside

MOST_QUOTES: Final = 8  # of a session
TYPED_LINES: Final = 3
LATELY_MS: Final = 12 * 3_600_000
LOOKED_AT: Final = 100  # entries
MINUTE_MS: Final = 60_000
MINUTES: Final = 3  # for which a shell's command is seen
_QUOTES: Final = re.compile(r"\bremember\b[\s\S]*--quote\b|\bknowledge\s+relate\b")
_TOOL: Final = re.compile(r"mcp__.*__(?:remember|relate)")
_LISTED: Final = re.compile(r"[-*•]\s|\d{1,2}[.)、]")
_NOTHING: Final = "Nothing was kept."


def remember_at_once(
    outside: Outside, observation: Observation, prompt: str
) -> tuple[Answer, tuple[EntryId, ...]]:
    """What became of what a prompt marks to be remembered, and as which entries.

    A person's own words count at once; those that nobody was seen typing, and pastes, wait. Raises
    Conflict.
    """
    if observation.subagent or not typed(prompt):
        return NOTHING, ()
    statements, refused = marked.sorted_out(prompt)
    saved = save(outside, observation, statements, refused)
    within = not (statements or refused) and marked.asks_within(prompt)
    return told_of(saved, refused, within=within), tuple(each.entry for each in saved)


def save(
    outside: Outside,
    observation: Observation,
    statements: Iterable[marked.MarkedText],
    refused: list[str],
) -> list[Saved]:
    """Save marked statements, each once; why one is not is added to `refused`."""
    saved: list[Saved] = []
    for statement in statements:
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


def marked_offer(outside: Outside, observation: Observation, statement: marked.MarkedText) -> Offer:
    """A marked statement of a prompt that a hook reported, as an offer."""
    person = observation.actor is Actor.HUMAN
    waits = statement.waits
    if not person:
        waits = why_unproved(observation.agent)
    own = person and waits not in marked.WHOSE
    kind = kind_of(statement.text)
    if own and not waits:
        kind, waits = own_kind(outside.language, statement.text)
    return Offer(
        what=of_its_kind(outside, Draft(text=statement.text, kind=kind)),
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
        return reader.keyed(decided_at_once_key(outside, as_recorded)) is not None


def utterance_of(outside: Outside, episode: str, text: str) -> str:
    """What tells one utterance from another, however often hooks and transcripts hold it."""
    return keyed_hash(outside.ledger.key, "utterance", text, episode)


class Pick(Record, kw_only=True):
    """What an agent picks: its kind, its names, and the call that says so."""

    quote: str
    kind: str = ""
    entities: tuple[str, ...] = ()
    folder: str
    session: str = ""  # that a hook saw the call in; empty where none is known
    claimed: str = ""  # as the agent names it


class PickedQuote(Record):
    """What became of a quote: its entry, the words that were saved, and that in a line."""

    id: EntryId
    text: str
    stage: Stage
    kind: str
    said: str


def keep_prompt(outside: Outside, observation: Observation, prompt: str) -> None:
    """Keep a prompt until its session's end, to prove quotes; none with hidden characters."""
    if observation.session and not observation.subagent and typed(prompt) and not hidden(prompt):
        text = safety.strip_private(prompt)
        if len(text) > safety.LOOKED_AT:  # cut at a gap, so that no half of a secret is left
            text = text[: safety.LOOKED_AT].rpartition(" ")[0]
        person = len(prompt) <= marked.LONG_PASTE and observation.actor is Actor.HUMAN
        outside.prompts.keep(observation.session, safety.clean(text), person=person)


def see_call(outside: Outside, session: str, tool: str, call: str, command: str) -> None:
    """Keep that a hook saw a call that quotes or relates: that proves the session it is of."""
    if call and _TOOL.fullmatch(tool):
        outside.prompts.called(session, call)
    elif _QUOTES.search(command):
        minute = outside.clock.now_ms() // MINUTE_MS
        outside.prompts.called(session, f"shell {session} {minute}")


def shell_session(outside: Outside, session: str) -> str:
    """The session that a shell's command names, where a hook saw such a command in it just now."""
    now = outside.clock.now_ms() // MINUTE_MS
    calls = (f"shell {session} {now - ago}" for ago in range(MINUTES + 1))
    return session if any(map(outside.prompts.session_of, calls)) else ""


def quotes_saved(outside: Outside, session: str) -> int:
    """How many quotes of a session were saved; of none that is known, lately."""
    name, since = named(outside.ledger.key, session), outside.clock.now_ms() - LATELY_MS
    with outside.ledger.reading() as reader:
        said = reader.events(kind=Kind.REMEMBERED, session=name, newest=None if name else LOOKED_AT)
        return sum(
            payload_of(Remembered, event).lesson == Basis.QUOTE
            for event in said
            if event.where.session == name and (name or event.wall_ms >= since)
        )


def pick(outside: Outside, picked: Pick) -> PickedQuote:
    """Save a quote: validated if proved, else a candidate. Raises Refused, UsageError."""
    if len(picked.quote) > LONGEST_QUOTE:
        raise Refused(f"A quote has {LONGEST_QUOTE:,} characters at most. {_NOTHING}")
    name, what = marked.refusal(picked.quote, picked.quote)
    if name:
        raise Refused(f"{marked.why_refused(name, what)}.".capitalize())
    if picked.kind:
        check_kind(outside.kinds, picked.kind)
    if quotes_saved(outside, picked.session or picked.claimed) >= MOST_QUOTES:
        raise Refused(
            f"This session has saved {MOST_QUOTES} quotes, which is the limit. {_NOTHING} The "
            "user can type `remember: ` and the words."
        )
    text, waits = _found(outside, picked)
    offer = _offer(outside, picked, text, waits)
    outcome = capture(outside, offer)
    if not waits:
        _give_way(outside, outcome.entry, text, named(outside.ledger.key, picked.session))
    near = next(iter(outcome.unsure), None)
    saved = Saved(outcome.entry, text, outcome.ruling, waits, near)
    outside.prompts.notice(picked.session, quote_notice(saved))
    return PickedQuote(outcome.entry, text, outcome.stage, offer.what.kind, quote_line(saved))


def _found(outside: Outside, picked: Pick) -> tuple[str, str]:
    """The whole sentences of a prompt that a quote is of, and why they wait, if they do."""
    if not picked.session:
        return picked.quote.strip(), UNKNOWN
    prompts = list(reversed(outside.prompts.of(picked.session)))
    own = (part for each in prompts if each.person for part in own_parts(outside, each.text))
    found = [(widened(picked.quote, part), "") for part in own]
    with outside.ledger.reading() as reader:
        agent = next((each.observation.agent for each in reader.observed(picked.session)), "")
    unsaid = why_unproved(agent)
    found += [
        (widened(picked.quote, p.text), marked.PASTE if p.person else unsaid) for p in prompts
    ]
    text, waits = next((each for each in found if each[0]), ("", ""))
    if not text or safety.PRIVATE_MARK in text or "[redacted:" in text:
        raise Refused(
            f"No prompt that was typed in this session holds these words. {_NOTHING} Quote whole "
            "sentences as the user typed them; what you found out yourself goes to `propose`."
        )
    return text, waits


def why_unproved(agent: str) -> str:
    """Why what nobody is known to have typed waits: no person is there, or its agent says nothing.

    >>> why_unproved("claude-code"), why_unproved("codex")
    ('unattended', 'unsaid')
    """
    return UNATTENDED if dialect_of(agent).sees.person.startswith("yes") else UNSAID


def own_parts(outside: Outside, prompt: str) -> Iterator[str]:
    """What of a prompt its person wrote: what they marked, without the marker, and the rest.

    Of more than three lines, items of lists aside, rules cannot tell which were pasted: there a
    quote waits.
    """
    yield from (each.text for each in marked.statements(prompt) if each.waits not in marked.WHOSE)
    lines = filter(None, map(str.strip, prompt.splitlines()))
    if sum(_LISTED.match(line) is None for line in lines) <= TYPED_LINES:
        yield outside.language.own_part(prompt)


def _offer(outside: Outside, picked: Pick, text: str, waits: str) -> Offer:
    kind = picked.kind or kind_of(text)
    # What an agent left out may say when it holds, or whose word it is.
    cut = [*filter(str.isalnum, picked.quote)] != [*filter(str.isalnum, text)]
    if kind == "rule" and (waits or cut or outside.language.leaves_open(text)):
        kind = kind_of(text)
    # An agent adds no words of its own, but for the acts that a rule is about.
    low, acts = text.casefold(), outside.language.acts_in if kind == "rule" else frozenset
    about = tuple(n for n in picked.entities if n.casefold() in low or acts(n) == {n.casefold()})
    what = Draft(text=text, kind=kind, entities=about)
    unseen = Origin.ASSISTANT if waits == UNKNOWN else Origin.MIXED
    return Offer(
        what=what if picked.kind else of_its_kind(outside, what),
        actor=Actor.AGENT,
        folder=picked.folder,
        witness="indirect" if waits else "human",
        session=picked.session or picked.claimed,
        lesson=Basis.QUOTE,
        came_from=unseen if waits else Origin.USER,
        at_once=True,
        waits=waits,
        picked=not waits,
    )


def _give_way(outside: Outside, picked: EntryId, text: str, session: str | None) -> None:
    """Retire the candidates that say the same, and those of the session that hold it among more."""
    with outside.ledger.reading() as reader:
        new = entry_of(reader, picked)
        going = [
            entry.id
            for entry in all_stored(reader, Entry)
            if new and entry.live and entry.stage is Stage.CANDIDATE and entry.scope == new.scope
            if entry.fingerprint == new.fingerprint
            or (
                entry.doubt in {marked.REQUEST, marked.TASK}
                and text in text_or_empty(reader, entry.text)
                and session in {each.session for each in entry.standing.confirmations}
            )
        ]
    for name in going:
        with outside.ledger.writing() as writer:
            stage(writer, name, Actor.LEARNT, Stage.RETIRED, "the part that is to last was picked")
