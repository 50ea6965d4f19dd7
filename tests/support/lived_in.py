"""A home in which weeks went by: events with times of their own, put into a ledger in order.

What is recorded is what flows record; here each thing has the day that it is said to be of.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256

from learnt.core.events import Actor, Event, NewEvent, Origin, Payload, Sight, Stamp, Where, stamped
from learnt.core.governance.proposals import Evidence, ProposalKind, proposal_id, text_hash
from learnt.core.health.outcomes import MILLION, Cause, Outcome, Quote, Trouble
from learnt.core.identifiers import (
    ContentRef,
    EntryId,
    EventId,
    ProjectId,
    Subject,
    entry_id,
    entry_subject,
    event_id,
    project_id,
    project_subject,
    proposal_subject,
    session_subject,
    skill_subject,
)
from learnt.core.knowledge.citations import Citation
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Content, Stage
from learnt.core.knowledge.gates import GATES
from learnt.core.payloads.entry_events import (
    EntryDecided,
    EntryFeedback,
    Gated,
    Missed,
    Mode,
    Recalled,
    Remembered,
    Reused,
    Staged,
)
from learnt.core.payloads.proposal_events import Applied, Decided, Proposed
from learnt.core.payloads.session_events import (
    EpisodeClosed,
    ProjectSeen,
    SessionEnded,
    SessionStarted,
    SkillUse,
)
from learnt.core.payloads.skill_events import SkillEvent
from learnt.core.safety import clean, owned
from learnt.flows.knowledge.capture import fingerprint
from learnt.flows.sessions.locate import look
from learnt.ports import Outside, Writer

DAY_MS = 86_400_000
HOME = "00000000000000aa"
AGENT = "claude-code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One prompt and what came of it; without `shown` or `hinted` it is a miss."""

    prompt: str
    shown: Sequence[EntryId] = ()
    hinted: Sequence[EntryId] = ()
    mode: Mode = "hook"
    trouble: Trouble = Trouble.NONE
    cause: Cause = Cause.NONE
    grade: float | None = None
    quotes: Mapping[str, str] = field(default_factory=dict)
    skill: str = ""
    tools: int = 4


class Past:
    """What is recorded of the days before now, in the order in which it is told."""

    writer: Writer

    def __init__(self, outside: Outside, folder: str) -> None:
        self.outside, self.folder, self.now_ms = outside, folder, outside.clock.now_ms()
        self.project: ProjectId | None = None
        self._count = 0

    @contextmanager
    def writing(self) -> Iterator[None]:
        """What is told inside is written in one transaction."""
        with self.outside.ledger.writing() as self.writer:
            yield

    def record(
        self, subject: Subject, payload: Payload, days_ago: float, *, actor: Actor = Actor.LEARNT,
        where: Where | None = None, origin: Origin | None = None,
    ) -> Event:  # fmt: skip
        """One event of that day."""
        self._count += 1
        ms = self.now_ms - round(days_ago * DAY_MS)
        name = event_id(ms, sha256(str(self._count).encode()).digest()[:10])
        draft = NewEvent(subject, actor, payload, origin=origin, where=where or self.where())
        sight = Sight(by="terminal") if actor is Actor.HUMAN else None
        event = stamped(draft, name, Stamp(ms, self._count, HOME), ms, sight)
        assert self.writer.merge(event)
        return event

    def where(self, session: str = "", episode: str = "") -> Where:
        """The project's place, in a session and an episode."""
        agent = AGENT if session else None
        return Where(
            project=self.project, agent=agent, session=session or None, episode=episode or None
        )

    def begin(self, days_ago: float, label: str = "shop") -> None:
        """The folder's project is seen first."""
        own = project_id(sha256(self.folder.encode()).digest()[:7])
        place = look(self.outside, self.folder)
        seen = ProjectSeen(
            label=self.writer.keep("folder", clean(label)), path=place.folder.path,
            git=place.folder.git or "",
        )  # fmt: skip
        self.record(project_subject(own), seen, days_ago, where=Where(project=own))
        self.project = own

    def entry(
        self, days_ago: float, text: str = "", *, problem: str = "", approach: str = "",
        kind: str = "", topic: str = "", cautions: Sequence[str] = (), everywhere: bool = False,
        actor: Actor = Actor.HUMAN, cites: Sequence[str] = (),
    ) -> EntryId:  # fmt: skip
        """Something is remembered."""
        self._count += 1
        ms = self.now_ms - round(days_ago * DAY_MS)
        name = entry_id(ms, sha256(f"entry {self._count}".encode()).digest()[:3])

        def keep(what: str, words: str) -> ContentRef | None:
            return self.writer.keep(what, clean(words)) if words else None

        offered = Draft(text=text, kind=kind or "schema")
        if not text:
            offered = Draft(problem=problem, approach=approach)
        content = Content(
            form="fact" if text else "solution", kind=offered.kind,
            text=keep("text", text), problem=keep("problem", problem),
            approach=keep("approach", approach), topic=topic,
            cautions=tuple(self.writer.keep("caution", clean(each)) for each in cautions),
            scope=None if everywhere else self.project,
            fingerprint=fingerprint(self.outside, offered),
            cites=tuple(
                Citation(path=self.writer.keep("cited path", owned(path))) for path in cites
            ),
        )  # fmt: skip
        human = actor is Actor.HUMAN
        stage = Stage.VALIDATED if human else Stage.CANDIDATE
        origin = Origin.USER if human else Origin.ASSISTANT
        subject = entry_subject(name)
        admitted = Gated(verdict="admit", passed=GATES)
        self.record(subject, admitted, days_ago, actor=actor, origin=origin)
        remembered = Remembered(stage=stage, content=content)
        self.record(subject, remembered, days_ago, actor=actor, origin=origin)
        return name

    def word(self, entry: EntryId, days_ago: float, **said: object) -> None:
        """Somebody's word on an entry, as `EntryFeedback` has it."""
        actor = Actor.HUMAN if said.get("source") == "a person" else Actor.TOOL
        payload = EntryFeedback(**said)  # type: ignore[arg-type]  # the caller names its fields
        self.record(entry_subject(entry), payload, days_ago, actor=actor)

    def stage(self, entry: EntryId, days_ago: float, stage: Stage, reason: str) -> None:
        """An entry comes to another stage."""
        self.record(entry_subject(entry), Staged(stage=stage, reason=reason), days_ago)

    def dispute(self, one: EntryId, other: EntryId, days_ago: float) -> None:
        """Two entries may not hold together."""
        self.word(one, days_ago, result="disputed", source="comparison", other=other)
        self.word(other, days_ago, result="disputed", source="comparison", other=one)

    def drawn(self, entry: EntryId, session: str, days_ago: float, *, shown: bool) -> None:
        """The coin decides whether a session is shown an entry."""
        arm = "shown" if shown else "withheld"
        drawn = EntryDecided(action="drawn", arm=arm, propensity=MILLION // 2)
        self.record(entry_subject(entry), drawn, days_ago, where=self.where(session))

    def session(
        self, name: str, days_ago: float, turns: Sequence[Turn], *, ends: bool = True
    ) -> None:
        """A session of an agent, a minute a turn."""
        own, minute = session_subject(AGENT, name), 1 / 1440
        began = SessionStarted(source="startup", attended=True)
        self.record(own, began, days_ago, where=self.where(name))
        counted: set[EntryId] = set()
        for number, turn in enumerate(turns):
            at, where = days_ago - number * minute, self.where(name, f"{name}-p{number}")
            recall = self._moment(own, turn, at, where)
            for entry in [each for each in turn.shown if each not in counted]:
                counted.add(entry)
                self.record(entry_subject(entry), Reused(recall=recall), at, where=where)
            self._closed(own, turn, at - minute / 2, where)
        if ends:
            last = days_ago - len(turns) * minute
            self.record(own, SessionEnded(reason="exit"), last, where=self.where(name))

    def _moment(self, own: Subject, turn: Turn, at: float, where: Where) -> EventId:
        prompt = self.writer.keep("prompt", clean(turn.prompt))
        payload: Payload = Missed(mode=turn.mode, prompt=prompt)
        if turn.shown or turn.hinted:
            shown = tuple(turn.shown)
            payload = Recalled(
                mode=turn.mode, prompt=prompt, shown=shown, counted=shown,
                hinted=tuple(turn.hinted), tokens=40 * len(shown),
            )  # fmt: skip
        return self.record(own, payload, at, where=where).id

    def _closed(self, own: Subject, turn: Turn, at: float, where: Where) -> None:
        quotes = tuple(
            Quote(what=what, words=self.writer.keep("quote", clean(words)))
            for what, words in turn.quotes.items()
        )
        grade = None if turn.grade is None else round(turn.grade * MILLION)
        outcome = Outcome(trouble=turn.trouble, cause=turn.cause, grade=grade, quotes=quotes)
        used = SkillUse(skill=self.writer.keep("skill", clean(turn.skill or "-")), by="agent")
        failed = int(turn.trouble is not Trouble.NONE)
        closed = EpisodeClosed(
            ended_by="prompt", steps=turn.tools, tools=turn.tools, failed=failed, outcome=outcome,
            skills=(used,) if turn.skill else (), entries=tuple(turn.shown), took_ms=42_000,
            began_ms=self.now_ms - round(at * DAY_MS) - 42_000,
        )  # fmt: skip
        self.record(own, closed, at, where=where)

    def trial(
        self, skill: str, file: str, texts: Sequence[str], pairs: Sequence[tuple[float, float]],
        days_ago: float,
    ) -> None:  # fmt: skip
        """A skill has two texts, the second of which is on trial; grades of the old and the new."""
        assert self.project is not None
        subject = skill_subject(self.project, skill)
        key = self.outside.ledger.key
        own = proposal_id(key, ProposalKind.NEW_VERSION, subject, f"{file} {text_hash(texts[1])}")
        name = self.writer.keep("skill", clean(skill))
        digests = [text_hash(text) for text in texts]
        path = self.writer.keep("path", owned(file))
        for number, (text, cause) in enumerate(zip(texts, ("found", own), strict=True)):
            versioned = SkillEvent(
                action="versioned", name=name, text=self.writer.keep("file", owned(text)),
                digest=digests[number], parent=digests[0] if number else "",
                version=f"1.{number}.0", cause=cause,
            )  # fmt: skip
            self.record(subject, versioned, days_ago + 20 - 20 * number)
        proposed = Proposed(
            kind=ProposalKind.NEW_VERSION, about=subject, target=path, scope=self.project,
            draft=self.writer.keep("draft", clean(texts[1])), base=digests[0],
            evidence=Evidence(count=4, distinct=3),
        )  # fmt: skip
        of = proposal_subject(own)
        self.record(of, proposed, days_ago)
        accepted = Decided(verdict="accepted", path=path, written=digests[1])
        self.record(of, accepted, days_ago, actor=Actor.HUMAN)
        self.record(of, Applied(written=digests[1]), days_ago)
        begun = SkillEvent(
            action="evaluating", name=name, method="trial", gap=400_000, digest=digests[1],
            parent=digests[0], cause=own,
        )  # fmt: skip
        self.record(subject, begun, days_ago)
        for number, grades in enumerate(pairs):
            at = days_ago - (number + 1) * days_ago / (len(pairs) + 2)
            for arm, grade in enumerate(grades):
                session = f"{skill}-{number}-{arm}"
                drawn = SkillEvent(action="drawn", digest=digests[arm], cause=own)
                self.record(subject, drawn, at)
                good = grade >= 0.5
                turn = Turn(
                    prompt=f"Run {skill} for release {number}", skill=skill, grade=grade,
                    trouble=Trouble.NONE if good else Trouble.TEST,
                    cause=Cause.NONE if good else Cause.SKILL,
                    quotes={"test": "12 passed" if good else "2 failed, 10 passed"},
                )  # fmt: skip
                self.session(session, at - 0.01, [turn])
