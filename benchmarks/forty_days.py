"""Forty days of one person's use, played through hooks and terminal: what is kept, and shown.

    python -m benchmarks.forty_days [dev|unseen] [--json]

`tests/data/forty_days`: prompts, remarks, corrections, contradictions and imports of an invented
person, by authors who had not seen the program. Each prompt is reported as hooks report it, each
session harvested when it ends; what is typed at the terminal goes through the gates, and what is
imported is taken in whole by one decision. Played once more, every draft is accepted on three days:
what is given less often then is help that an accept took away.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from benchmarks.report import DATA, Tables, rows, run
from learnt.core.digest.lessons import kind_of
from learnt.core.events import Actor, Kind, payload_of
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.brought import Brought, Bundle
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.payloads.entry_events import Gated, SuspectedPair
from learnt.flows.governance.accept import Destination, accept, plan
from learnt.flows.governance.analyze import Thresholds, analyze
from learnt.flows.governance.decisions import Decider
from learnt.flows.governance.listing import shown
from learnt.flows.knowledge.adopt import adopt
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.knowledge.preview import Whither, preview
from learnt.flows.recall.search import entry_of
from learnt.ports import Outside
from tests.support.sessions_told import FOLDER, Home
from tests.support.transcripts import Reports

ACCEPTS: Final = (10, 20, 30)  # days
Row = dict[str, Any]
PLACE: Final = Destination(root=f"{FOLDER}/.agents", links=((f"{FOLDER}/.claude/skills", ""),))


@dataclass
class Played:
    """What came of a half, by statement: its entry, and what was shown where it was asked for."""

    entries: dict[str, EntryId] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    at_once: set[str] = field(default_factory=set)
    asked: list[tuple[Row, str]] = field(default_factory=list)  # with what was put before the agent
    accepted: int = 0
    home: Home = field(default_factory=Home)

    def now(self, name: str) -> Entry | None:
        """The entry of a statement as it is at the end."""
        with self.home.outside.ledger.reading() as reader:
            return entry_of(reader, self.entries[name]) if name in self.entries else None


def play(lines: Sequence[Row], accepts: Sequence[int] = ()) -> Played:
    """Play them in order; on some days the person accepts every draft first."""
    played, days = Played(), list(accepts)
    last = {row["session"]: row["n"] for row in lines}
    turns: dict[str, list[Row]] = {}
    for row in lines:
        if days and row["day"] >= days[0]:
            days.pop(0)
            played.accepted += _accept_all(played.home.outside)
        if row["kind"] == "prompt":
            _prompt(played, row, turns.setdefault(row["session"], []), last)
        elif row["kind"] == "import":
            _import(played, row["memories"])
        elif row["kind"] == "capture":
            _offer(played, row["keeps"], _fact(row["text"]))
        else:
            caution = [row["caution"]] if row.get("caution") else []
            solution = Draft(
                problem=row["problem"], approach=row["approach"], cautions=tuple(caution)
            )
            _offer(played, row["keeps"], solution)
    return played


def _import(played: Played, memories: Sequence[Row]) -> None:
    """Take memories in as a person does who looks at the table and takes all."""
    outside, to = played.home.outside, Whither(folder=FOLDER, read=True)
    brought = [
        Brought(text=each["text"], kind=kind_of(each["text"]), place="old.json", id=each["keeps"])
        for each in memories
    ]
    found = preview(outside, brought, to)
    adopt(outside, found, Bundle(), to)
    for one in found:
        if one.state == "refused":
            played.refused.add(one.piece.id)
        else:
            played.entries[one.piece.id] = one.entry


def _accept_all(outside: Outside) -> int:
    """Accept what `evolve analyze` drafts; how much that is."""
    made = analyze(outside, Thresholds(), Actor.HUMAN).new
    for name in made:
        change = plan(outside, shown(outside, name).proposal, PLACE)
        accept(outside, change, Decider(actor=Actor.HUMAN))
    return len(made)


def _fact(text: str) -> Draft:
    return Draft(text=text, kind=kind_of(text))


def _offer(played: Played, name: str, what: Draft) -> None:
    offer = Offer(what=what, actor=Actor.HUMAN, folder=FOLDER, insisted=True)
    outcome = capture(played.home.outside, offer)
    if outcome.stage is Stage.REJECTED:
        played.refused.add(name)
    else:
        played.entries[name] = outcome.entry


def _prompt(played: Played, row: Row, turns: list[Row], last: dict[str, int]) -> None:
    home, session = played.home, row["session"]
    turns.append({"prompt": row["text"], "steps": [{"say": "Done."}]})
    path = home.write(session, turns)
    reports = Reports(session=session, folder=FOLDER, transcript=path)
    number = len(turns) - 1
    if not number:
        home.report(reports.began())
    before = len(home.events(Kind.GATED))
    home.report(reports.asked(number, row["text"]))
    played.asked.append((row, home.prompts[-1]))
    _kept(played, row, before, at_once=True)
    home.report(reports.stopped(number))
    if last[session] == row["n"]:
        home.report(reports.ended())
        done = home.harvest(session)
        by_prompt = {prompt["text"]: prompt for prompt, _ in played.asked}
        for taught in done.taught:
            prompt = by_prompt.get(turns[taught.lesson.turn]["prompt"], {})
            name = prompt.get("tells") or prompt.get("keeps") or f"junk-{prompt.get('n')}"
            if taught.outcome is not None and taught.outcome.stage is not Stage.REJECTED:
                played.entries.setdefault(name, taught.outcome.entry)


def _kept(played: Played, row: Row, before: int, *, at_once: bool) -> None:
    """Which entry a prompt's statement became while it was answered."""
    for event in played.home.events(Kind.GATED)[before:]:
        name = row.get("keeps") or row.get("tells") or f"junk-{row['n']}"
        if payload_of(Gated, event).verdict == "reject":
            played.refused.add(name)
        else:
            played.entries.setdefault(name, EntryId(event.subject.removeprefix(Entry.prefix)))
            played.at_once.add(name)


def contradictions(lines: Sequence[Row], played: Played) -> Iterator[tuple[str, str, str, str]]:
    """Each planted contradiction, how it is said, and how it ended."""
    ever = _suspected(played)
    for row in _statements(lines):
        name = row.get("keeps") or row["tells"]
        for other in row.get("contradicts", ()):
            yield other, name, row.get("how", ""), _ended(played, ever, other, name)


def _ended(played: Played, ever: set[frozenset[EntryId]], older: str, newer: str) -> str:
    if newer in played.refused:
        return "refused"
    one, two = played.now(older), played.now(newer)
    if one is None or two is None:
        return "not kept"
    if one.id == two.id:
        return "corrected" if one.corrected else "taken for the same"
    if not (one.live and two.live):
        return "corrected"
    if frozenset({one.id, two.id}) in ever:
        return "suspected"
    trusted = Stage.VALIDATED is one.stage is two.stage
    return "both trusted" if trusted else "one unproven"


def _suspected(played: Played) -> set[frozenset[EntryId]]:
    """The pairs that rules suspected of a contradiction."""
    return {
        frozenset({EntryId(event.subject.removeprefix(Entry.prefix)), pair.other})
        for event in played.home.events(Kind.SUSPECTED)
        if (pair := payload_of(SuspectedPair, event)).sort == "contradicts"
    }


def _statements(lines: Sequence[Row]) -> Iterator[Row]:
    for row in lines:
        yield from (
            each for each in row.get("memories", [row]) if "keeps" in each or "tells" in each
        )


def measure(half: str) -> dict[str, object]:
    """The shares of one half."""
    lines = rows(DATA / "forty_days" / f"{half}.jsonl")
    played = play(lines)
    ended = list(contradictions(lines, played))
    plain = [row["keeps"] for row in lines if row["kind"] == "prompt" and "keeps" in row]
    told = {row.get("keeps") or row["tells"]: row for row in _statements(lines)}
    opposed = {name for pair in ended for name in pair[:2]}
    innocent = {played.entries[n] for n in told if n not in opposed and n in played.entries}
    suspected = set[EntryId]().union(*_suspected(played))
    junk = {name: entry for name, entry in played.entries.items() if name.startswith("junk")}
    junk = {name: entry for name, entry in junk.items() if entry not in {*innocent}}
    given: Counter[str] = Counter()
    for row, text in played.asked:
        wanted = {e for n, e in _asked_for(row, played) if n in played.at_once}
        if wanted:
            shown = any(f". [{name}]" in text for name in wanted)
            named = any(f"- [{name}]" in text for name in wanted)
            given["given" if shown else "named by a line" if named else "missing"] += 1
    again = play(lines, ACCEPTS)
    lost = sum(
        any(f"[{name}]" in text for name in dict(_asked_for(row, played)).values())
        and not any(f"[{name}]" in now for name in dict(_asked_for(row, again)).values())
        for (row, text), (_, now) in zip(played.asked, again.asked, strict=True)
    )
    shown_junk = {n for n, e in junk.items() if any(f"[{e}] " in t for _, t in played.asked)}
    return {
        "remembered at once": f"{sum(n in played.at_once for n in plain)} of {len(plain)}",
        "asked for": dict(given),
        "contradictions": dict(Counter(end for *_, end in ended)),
        "by how": dict(Counter(f"{how}: {end}" for _, _, how, end in ended)),
        "suspected, of entries that contradict nothing": (
            f"{len(innocent & suspected)} of {len(innocent)}"
        ),
        "junk kept": len(junk),
        "junk shown": len(shown_junk),
        "drafts accepted": again.accepted,
        "help lost by an accept": lost,
    }


def _asked_for(row: Row, played: Played) -> Iterator[tuple[str, EntryId]]:
    """The statements that a prompt asks for, and the entries that they became."""
    return ((n, played.entries[n]) for n in row.get("asks", ()) if n in played.entries)


def main(half: Literal["dev", "unseen"] = "dev", /) -> Tables:
    """Measure."""
    return {"forty days": [measure(half)]}


if __name__ == "__main__":
    run(main)
