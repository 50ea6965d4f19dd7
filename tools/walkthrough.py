"""A week of an investigation, played through the gates on a clock of its own: docs/walkthrough.md.

Nothing in it is written by hand but what is offered; every decision, reason and figure is what the
code answers, and `python -m tools.docs --check` fails where the page is not what it says today.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

from msgspec.structs import replace

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId, ProposalId
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Relation
from learnt.core.knowledge.gates import REASONS, Admit, Correct, Merge, Reject
from learnt.core.knowledge.relating import RelateOutcome
from learnt.core.knowledge.topics import maturity, signs
from learnt.core.records import JsonObject
from learnt.core.sessions.observations import Observation
from learnt.flows.governance.analyze import Thresholds, analyze
from learnt.flows.governance.listing import shown
from learnt.flows.governance.survey import survey
from learnt.flows.knowledge.capture import Offer, OfferOutcome, capture
from learnt.flows.knowledge.feedback import Word, tell
from learnt.flows.knowledge.publish import publish
from learnt.flows.knowledge.relating import RelationAnswer, relate
from learnt.flows.knowledge.standing import Fresh, Swept, freshness, sweep
from learnt.flows.recall.offering import answer_prompt
from learnt.flows.sessions.observe import read_prompt, report
from learnt.formats.evidence.calls import of_call
from learnt.formats.injection import day
from learnt.language.shipped import ShippedLanguage
from learnt.ports import Outside
from learnt.stores.stemming import porter
from tests.support import in_memory

DAY_MS = 86_400_000
MONDAY = 1_767_571_200_000  # 2026-01-05
HERE = "/work/hotel"
TOOL, AGENT, USER = "tool", "agent", "user"
SAME, CONTRADICTS = Relation.SAME, Relation.CONTRADICTS
TYPED = {"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_PID": "7"}


@dataclass(frozen=True, slots=True)
class Said:
    """Something offered: its kind, its words, and who vouches for it; of a problem its approach."""

    kind: str
    text: str
    by: str = AGENT
    approach: str = ""
    is_to: Relation | None = None  # how the agent, if it is asked, says that it stands to a note


@dataclass(frozen=True, slots=True)
class Round:
    """What is found out on one day, from the first Monday on."""

    number: int
    asked: str
    offers: tuple[Said, ...]
    prompts: tuple[str, ...] = ()  # typed to the agent afterwards


ROUNDS: tuple[Round, ...] = (
    Round(0, "Why do some bookings have no invoice?", (
        Said("schema", "t_booking.status 7 means that the guest never arrived", TOOL),
        Said("schema", "t_invoice.booking_no refers to t_booking.booking_no, not to its id", TOOL),
        Said("business_rule", "预付订单在入住前24小时以上取消，不收手续费。", USER),
        Said("procedure", "I looked at t_booking and ran three queries"),
        Said("schema", "t_booking.created_at is when the booking was created"),
        Said("data_snapshot", "t_booking holds 48213 rows today"),
    )),
    Round(1, "Which invoices are late, and what writes them?", (
        Said("query_pattern", "Bookings without an invoice: LEFT JOIN t_invoice USING (booking_no) "
             "WHERE t_invoice.id IS NULL AND status <> 7", TOOL),
        Said("schema", "t_booking.status = 7 means the guest never arrived", TOOL, is_to=SAME),
        Said("tool_experience", "Invoices are written by the nightly job at 03:00"),
        Said("procedure", "Maybe the invoice job is broken"),
        Said("schema", "t_invoice.booking_no 关联 t_booking.booking_no，不是 t_booking.id", TOOL,
             is_to=SAME),
        Said("problem", "The nightly invoice job stops with lock wait timeout", USER,
             "Close the report's open transaction first: it holds the rows of t_invoice. "
             "Then start the job again"),
    )),
    Round(2, "The job runs later than everybody thought.", (
        Said("tool_experience",
             "No, invoices are written by the nightly job at 04:30, not at 03:00", USER),
        Said("business_rule", "A no-show is charged one night, never the whole stay", USER),
        Said("procedure", "We should rewrite the invoice job next quarter"),
        Said("business_rule", "A no-show is charged the whole stay", is_to=CONTRADICTS),
    ), (
        "The nightly invoice job stopped again: lock wait timeout. What now?",
        "Where does the city tax of a guest go?",
    )),
    Round(3, "How does one follow a booking from search to invoice?", (
        Said("procedure", "To explain a missing invoice: check t_booking.status, then t_payment "
             "for a refund, then the job's log of that night", TOOL),
        Said("schema", "t_booking.status 7 means that the guest never arrived", TOOL),
        Said("tool_experience", "The nightly job writes the invoices at 04:30", TOOL, is_to=SAME),
        Said("schema", "The tests passed"),
    ), (
        "Why does the invoice job run into a lock wait timeout tonight?",
        "The city tax of two guests differs, why?",
    )),
    Round(4, "The same questions again, by a colleague.", (
        Said("business_rule", "预付订单在入住前 24 小时以上取消，不收取手续费。", USER, is_to=SAME),
        Said("query_pattern", "Bookings without invoice: LEFT JOIN t_invoice USING (booking_no), "
             "then WHERE t_invoice.id IS NULL AND status <> 7", TOOL, is_to=SAME),
        Said("procedure", "Great work, everything is clean now"),
    ), (
        "lock wait timeout in the nightly invoice job, as last week",
        "Who pays the city tax for children?",
    )),
    Round(5, "Saturday: one look at the reports.", (
        Said("data_range", "t_invoice.amount lies between 0 and 9120 cents; a job splits more"),
        Said("business_rule", "A no-show is charged one night and never the whole stay", USER,
             is_to=SAME),
    )),
    Round(6, "Sunday: nothing new under the sun.", (
        Said("schema", "t_booking.status 7 means that the guest never arrived", TOOL),
        Said("schema", "The table has columns"),
    )),
)  # fmt: skip


@dataclass(slots=True)
class Week:
    """The stage: a ledger in memory and a clock that is set."""

    clock: in_memory.FixedClock = field(default_factory=lambda: in_memory.FixedClock(MONDAY))
    reports: int = 0
    outside: Outside = field(init=False)

    def __post_init__(self) -> None:
        self.outside = in_memory.outside(porter, ShippedLanguage(), clock=self.clock)

    def go_to(self, number: int) -> None:
        """Set the clock to nine o'clock of a day."""
        self.clock.ms = MONDAY + number * DAY_MS + 9 * 3_600_000

    def look(self, session: str) -> None:
        """The agent makes a call that shows something."""
        self.reports += 1
        given = {"command": "mysql -e 'select …'"}
        call: JsonObject = {
            "tool": "Bash",
            "id": f"toolu_{self.reports}",
            "evidence": of_call("Bash", given, "3 rows in set"),  # type: ignore[dict-item]  # it is JSON
        }
        report(self.outside, self._observed("PostToolBatch", session, detail={"calls": [call]}))

    def _observed(self, event: str, session: str, **more: Any) -> Observation:
        more |= {"session": session, "episode": f"{session}-{self.reports}", "cwd": HERE}
        return Observation(id=f"{self.reports:04}", ms=self.clock.now_ms(), event=event, **more)

    def offer(self, said: Said, session: str) -> OfferOutcome:
        """Offer a fact to the gates."""
        if said.by == TOOL:
            self.look(session)
        what = Draft(text=said.text, kind=said.kind)
        offer = Offer(
            what=Draft(problem=said.text, approach=said.approach) if said.approach else what,
            actor=Actor.HUMAN if said.by == USER else Actor.AGENT,
            folder=HERE,
            session=session,
            evidence="last" if said.by == TOOL else "",
        )
        self.clock.ms += 60_000
        return answered(self.outside, capture(self.outside, offer), said.is_to, session, HERE)

    def prompt(self, text: str, session: str) -> str:
        """What is put before the agent for a prompt that the user types."""
        self.reports += 1
        seen = self._observed("UserPromptSubmit", session, environment=TYPED)
        self.clock.ms += 60_000
        typed = read_prompt(self.outside.language, seen.actor, text)
        return answer_prompt(self.outside, seen, typed, lambda: False).context

    def fresh(self) -> list[Fresh]:
        """What is validated, least trusted first."""
        return freshness(self.outside, HERE)


@dataclass(frozen=True, slots=True)
class Played:
    """What a round came to."""

    round: Round
    outcomes: tuple[OfferOutcome, ...]
    answers: tuple[str, ...]  # what was put before the agent, by prompt
    swept: Swept
    validated: int

    @property
    def counts(self) -> Counter[str]:
        """How many of each verdict."""
        return Counter(type(outcome.decision).__name__ for outcome in self.outcomes)

    @property
    def rate(self) -> float:
        """The share of what was offered that changed nothing or only confirmed."""
        kept_out = self.counts["Reject"] + self.counts["Merge"]
        return kept_out / len(self.outcomes)


def play() -> tuple[Week, list[Played]]:
    """The whole week, a sweep each evening."""
    week = Week()
    played = []
    for one in ROUNDS:
        week.go_to(one.number)
        outcomes = tuple(week.offer(said, f"day-{one.number + 1}") for said in one.offers)
        session = f"day-{one.number + 1}"
        answers = tuple(week.prompt(text, session) for text in one.prompts)
        swept = sweep(week.outside)
        played.append(Played(one, outcomes, answers, swept, len(week.fresh())))
    return week, played


def answered(
    outside: Outside, outcome: OfferOutcome, is_to: Relation | None, session: str, folder: str
) -> OfferOutcome:
    """An outcome after the agent said how it stands to the note that it was asked about first."""
    if is_to is None or not outcome.unsure:
        return outcome
    answer = RelationAnswer(outcome.entry, outcome.unsure[0].id, is_to, session=session)
    done = relate(outside, replace(answer, proved=session, folder=folder))
    decision = outcome.decision
    if done.outcome is RelateOutcome.MERGED and done.gone == outcome.entry:
        decision = Merge(outcome.unsure[0].id)
    elif done.gone is not None:
        decision = Correct(done.gone, "by the agent's answer", "")
    return replace(outcome, ruling=replace(outcome.ruling, decision=decision), counted=False)


def revalidated(week: Week, number: int) -> tuple[list[Fresh], list[Fresh]]:
    """What is left of trust after so many days, and after one check of each that asked for one."""
    week.go_to(number)
    before = week.fresh()
    for one in before:
        if one.trust != "TRUST":
            week.look(f"day-{number + 1}")
            word = Word(result="success", actor=Actor.AGENT, evidence="last",
                        session=f"day-{number + 1}")  # fmt: skip
            tell(week.outside, one.entry.id, word)
            week.clock.ms += 60_000
    return before, week.fresh()


def verdict(outcome: OfferOutcome, names: dict[EntryId, str]) -> str:
    """What became of an offer, with its reason."""
    match outcome.decision:
        case Admit(topic):
            where = f", {topic}" if topic else ""
            return f"let in as {names[outcome.entry]}, {outcome.stage}{where}"
        case Merge(into):
            how = "one more confirmation" if outcome.counted else "the agent says it is the same"
            return f"known as {names[into]}: {how}"
        case Correct(entry, reason, _):
            return f"**takes the place of {names[entry]}** ({REASONS.get(reason, reason)})"
        case Reject(gate, reason):
            return f"kept out by {gate}: {REASONS[reason].split(':')[0]}"
        case _:
            assert_never(outcome.decision)


def _table(played: Sequence[Played]) -> list[str]:
    lines = [
        "| day | offered | let in | corrected | known already | kept out | rejection rate | "
        "validated | increment |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    before = 0
    for one in played:
        counts = one.counts
        lines.append(
            f"| {one.round.number + 1} | {len(one.outcomes)} | {counts['Admit']} | "
            f"{counts['Correct']} | {counts['Merge']} | {counts['Reject']} | {one.rate:.0%} | "
            f"{one.validated} | {one.validated - before:+} |"
        )
        before = one.validated
    return lines


def page() -> str:
    """The page."""
    week, played = play()
    names: dict[EntryId, str] = {}
    lines = [
        "# A week of an investigation",
        "",
        "Generated by `tools/walkthrough.py` from what the gates answered on a simulated clock;",
        "the facts offered are invented, the decisions are not. `K1`, `K2`, … are entries. A",
        "`tool` is a call that Learnt saw, an `agent` its own judgement, a `user` a person's word.",
        "",
    ]
    for one in played:
        lines += [f"## Day {one.round.number + 1}: {one.round.asked}", ""]
        for said, outcome in zip(one.round.offers, one.outcomes, strict=True):
            if not isinstance(outcome.decision, Merge | Reject):
                names.setdefault(outcome.entry, f"K{len(names) + 1}")
            lines.append(f"- _{said.kind}, {said.by}_: “{said.text}”  ")
            lines.append(f"  {verdict(outcome, names)}")
        for typed, answer in zip(one.round.prompts, one.answers, strict=True):
            told = [name for entry, name in names.items() if entry in answer]
            before = (
                f"{' and '.join(told)} put before the agent"
                if told
                else "nothing bears on it: a miss"
            )
            lines += [f"- _prompt, {USER}_: “{typed}”  ", f"  {before}"]
        evening = [f"{names[name]} proved itself: validated" for name in one.swept.promoted]
        waiting = [f"{names[name]} waits for {' and '.join(needs)}"
                   for name, needs in one.swept.waiting]  # fmt: skip
        if evening or waiting:
            lines += ["", f"In the evening: {'; '.join([*evening, *waiting])}."]
        lines.append("")
    lines += ["## The week in numbers", "", *_table(played), ""]
    lines += _afterwards(week, names)
    return "\n".join(lines) + "\n"


def _proposed(week: Week, name: ProposalId) -> str:
    texts = shown(week.outside, name)
    return f"- {texts.proposal.kind}, `{texts.target}`: {texts.rationale}"


def _afterwards(week: Week, names: dict[EntryId, str]) -> list[str]:
    proposed = [
        *analyze(week.outside, Thresholds(), Actor.AGENT).new,
        *publish(week.outside, HERE, Actor.AGENT).new,
    ]
    before, after = revalidated(week, 40)
    now = {one.entry.id: one for one in after}
    lines = [
        "## What waits for a person",
        "",
        "What was recalled and missed, and what is validated, makes "
        f"{len(proposed)} proposals, each of which a person decides on:",
        "",
        *[_proposed(week, name) for name in proposed],
        "",
        "## Day 41: what is left of trust, and one check of each that asked for one",
        "",
        "| | kind | confirmed | confidence | after the check |",
        "|---|---|---|---|---|",
    ]
    for one in before:
        then = now[one.entry.id]
        confirmed = day(one.entry.standing.confirmed_ms)
        lines.append(
            f"| {names[one.entry.id]} | {one.entry.kind} | {confirmed} | {one.confidence:.3f} "
            f"{one.trust} | {then.confidence:.3f} {then.trust} |"
        )
    record = survey(week.outside, HERE).record
    lines += ["", f"The body of knowledge is {maturity(record)}:", ""]
    lines += [f"- {'✓' if sign.points else '·'} {sign.said}" for sign in signs(record)]
    return lines


if __name__ == "__main__":
    print(page(), end="")
