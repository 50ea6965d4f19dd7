"""A stage for flows: an outside in memory, and an agent that reports to it."""

from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from learnt.core.events import Actor, Event, Kind
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Entry, Relation
from learnt.core.knowledge.entries import Stage as Stages
from learnt.core.sessions.observations import Observation
from learnt.flows.knowledge.capture import Offer, OfferOutcome, capture
from learnt.flows.knowledge.relating import RelateEffect, RelationAnswer, relate
from learnt.flows.knowledge.standing import stage_by_hand
from learnt.flows.recall.offering import answer_prompt
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.observe import read_prompt, report
from learnt.language.shipped import ShippedLanguage
from learnt.ports import Outside
from learnt.stores.stemming import porter
from tests.support import in_memory

HERE, ELSEWHERE = "/projects/here", "/projects/elsewhere"
ATTENDED = {"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_PID": "7"}
PROBLEM = "Stripe webhook signature fails in production"
PROMPT = "Why does the stripe webhook signature fail since yesterday?"


@dataclass
class Stage:
    """What a test plays on."""

    outside: Outside = field(default_factory=lambda: in_memory.outside(porter, ShippedLanguage()))
    reports: int = 0

    def remember(
        self,
        problem: str = PROBLEM,
        approach: str = "Verify the raw body, not the parsed JSON",
        *,
        folder: str | None = HERE,
        actor: Actor = Actor.HUMAN,
        **more: Any,
    ) -> OfferOutcome:
        """Offer a solution."""
        solution = Draft(problem=problem, approach=approach, **more)
        return capture(self.outside, Offer(what=solution, actor=actor, folder=folder))

    def vouched(self, *words: str, **more: Any) -> EntryId:
        """A solution that an agent offered and a person validated."""
        name = self.remember(*words, actor=Actor.AGENT, **more).entry
        return stage_by_hand(self.outside, name, Actor.HUMAN, Stages.VALIDATED).id

    def learn(
        self,
        text: str,
        kind: str = "schema",
        *,
        actor: Actor = Actor.AGENT,
        session: str = "s1",
        folder: str | None = HERE,
        entities: tuple[str, ...] = (),
        **more: Any,
    ) -> OfferOutcome:
        """Offer a fact, as an agent does in a session."""
        self.begin(session)
        fact = Draft(text=text, kind=kind, entities=entities)
        offer = Offer(what=fact, actor=actor, folder=folder, session=session, **more)
        return capture(self.outside, offer)

    def relate(
        self,
        newer: EntryId,
        older: EntryId,
        relation: Relation = Relation.CONTRADICTS,
        session: str = "",
        actor: Actor = Actor.AGENT,
    ) -> RelateEffect:
        """An agent's answer on two notes: by default that they contradict each other."""
        given = RelationAnswer(newer, older, relation, actor, session)
        answer = replace(given, proved=session, folder=HERE)
        return relate(self.outside, answer)

    def begin(self, session: str) -> None:
        """A session that Learnt sees at work, if it did not yet; none for an empty name."""
        with self.outside.ledger.reading() as reader:
            seen = session in reader.sessions_observed()
        if session and not seen:
            self.report("SessionStart", session=session, detail={"source": "startup"})

    def entry(self, name: EntryId) -> Entry:
        """An entry as it is now."""
        with self.outside.ledger.reading() as reader:
            found = entry_of(reader, name)
            assert found is not None
            return found

    def observation(self, event: str, **given: Any) -> Observation:
        """A report of the agent's, each with an id of its own."""
        self.reports += 1
        known = Observation(
            id=f"{self.reports:04}",
            ms=self.outside.clock.now_ms(),
            event=event,
            session="s1",
            cwd=HERE,
            environment=ATTENDED,
        )
        return replace(known, **given)

    def prompt(self, text: str = PROMPT, **given: Any) -> str:
        """What is put before the agent for a prompt."""
        given.setdefault("episode", f"p{self.reports}")
        seen = self.observation("UserPromptSubmit", **given)
        typed = read_prompt(self.outside.language, seen.actor, text)
        return answer_prompt(self.outside, seen, typed, lambda: False).context

    def report(self, event: str, **given: Any) -> bool:
        """Take in a report other than a prompt."""
        return report(self.outside, self.observation(event, **given))

    def events(self, kind: Kind) -> list[Event]:
        """The events of a kind, in order."""
        with self.outside.ledger.reading() as reader:
            return list(reader.events(kind=kind))

    def reused(self, entry: EntryId) -> int:
        """In how many sessions the entry was used."""
        return self.entry(entry).reused
