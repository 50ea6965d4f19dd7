"""An agent picks words of its user's that are meant to last: Learnt proves that they were typed.

A quote is looked for in the prompts that a hook saw a person type in the session of the call. What
is found there counts as the person's own, picked by the agent; what is found elsewhere, or cannot
be looked for, waits as a candidate.
"""

import re
from collections.abc import Iterator
from typing import Final

from learnt.core import marked, safety
from learnt.core.digest.remarks import Basis
from learnt.core.digest.telling import kind_of
from learnt.core.events import Actor, Kind, Origin, payload_of
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Fact
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.quotes import LONGEST_QUOTE, widened
from learnt.core.payloads.entry_events import Remembered
from learnt.core.records import Record
from learnt.core.sessions.observations import Observation
from learnt.core.visible_text import hidden
from learnt.errors import Refused
from learnt.flows.knowledge.capture import capture, check_kind
from learnt.flows.knowledge.offers import Offer, of_its_kind
from learnt.flows.knowledge.sweep import stage
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import all_stored, named, text_or_empty
from learnt.formats.agents.dialects import dialect_of
from learnt.formats.agents.transcripts import typed
from learnt.formats.saved import UNATTENDED, UNKNOWN, UNSAID, Saved, quote_line, quote_notice
from learnt.ports import Outside

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
        outside.prompts.called(session, _shell(session, outside.clock.now_ms() // MINUTE_MS))


def shell_session(outside: Outside, session: str) -> str:
    """The session that a shell's command names, where a hook saw such a command in it just now."""
    now = outside.clock.now_ms() // MINUTE_MS
    calls = (_shell(session, now - ago) for ago in range(MINUTES + 1))
    return session if any(outside.prompts.session_of(call) for call in calls) else ""


def _shell(session: str, minute: int) -> str:
    return f"shell {session} {minute}"


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
    what = Fact(text=text, kind=kind, entities=about)
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
