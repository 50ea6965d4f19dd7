"""What a reader of the contents and the lines finds: what hooks put before an agent, and its score.

    python -m benchmarks.reader show --notes FILE --prompts FILE [--distractors N] [--rules FILE]
        [--session N [--compact-at M]] --out DIR
    python -m benchmarks.reader score --dir DIR --answers FILE [--json]
    python -m benchmarks.reader search --dir DIR --queries FILE

`show` fills a home with notes and rules that a person remembered, starts a session and types the
prompts, through the flows that answer hooks. `DIR/start.txt` is what the start put before the
agent, `DIR/prompts.jsonl` what each prompt's hook printed; no label is written there. Each prompt
has a session of its own; with --session N prompts share one, compacted at prompt M, after which
`compacted-NUMBER.txt` is what the agent sees as the contents. A reader then
says in a file of lines `{"id": [handle, ...]}` what it would open for each prompt. `score` counts
against the labels, which stay in the file of prompts. `search` prints what `recall` answers.
"""

import argparse
import json
import random  # noqa: TID251  # seeded: the same home in every run
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.relevance import SEED, Row, offered, statements
from benchmarks.report import rows
from learnt.bootstrap import opened
from learnt.core.events import Actor, Kind, payload_of
from learnt.core.identifiers import handle
from learnt.core.knowledge.drafts import Draft
from learnt.core.payloads.entry_events import Recalled
from learnt.core.sessions.observations import Observation
from learnt.core.tokens import estimate
from learnt.flows.knowledge.capture import Offer
from learnt.flows.recall.ask import ask
from learnt.flows.sessions.answer import answer, observation_of
from learnt.formats.injection import line
from learnt.formats.wire import Frame
from learnt.ports import Outside
from learnt.settings import Settings
from tests.support.kept_unseen import capture_many

TYPED: Final = {"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1"}
FOUND: Final = 5  # by one search


@dataclass
class Agent:
    """The hooks of one agent in one folder."""

    outside: Outside
    folder: str
    names: Mapping[str, str]  # the note of each entry
    fired: int = 0

    def fire(self, event: str, session: str, **payload: object) -> str:
        """The context that the hook of an event prints."""
        observation, prompt = self._reported(event, session, payload)
        printed = answer(self.outside, observation, prompt, lambda: False)
        if not printed:
            return ""
        return str(json.loads(printed).get("hookSpecificOutput", {}).get("additionalContext", ""))

    def observed(self, event: str, session: str, **payload: object) -> Observation:
        """What the hook of an event reports."""
        return self._reported(event, session, payload)[0]

    def _reported(
        self, event: str, session: str, payload: Mapping[str, object]
    ) -> tuple[Observation, str]:
        self.fired += 1
        body = {"session_id": session, "cwd": self.folder, "hook_event_name": event, **payload}
        raw = json.dumps(body).encode()
        environment = {**TYPED, "CLAUDE_PROJECT_DIR": self.folder}
        frame = Frame(event=event, hook="1", size=len(raw), environment=environment, body=raw)
        return observation_of(self.outside.clock, self.outside.random, frame)

    def given(self, session: str, before: int) -> tuple[list[str], list[str], int]:
        """The notes given whole and by a line since so many recalls; how many recalls there are."""
        with self.outside.ledger.reading() as reader:
            events = list(reader.events(kind=Kind.RECALLED, session=session))
        told = [payload_of(Recalled, event) for event in events[before:]]
        whole = [self.names.get(e, e) for each in told for e in each.shown]
        lines = [self.names.get(e, e) for each in told for e in each.hinted]
        return whole, lines, len(events)


def filled(
    outside: Outside, folder: str, notes: Sequence[Row], rules: Sequence[Row]
) -> dict[str, str]:
    """Keep notes and rules as a person's; the id of each by its entry."""
    offers = [Offer(what=offered(row), actor=Actor.HUMAN, folder=folder) for row in notes]
    offers += [
        Offer(what=Draft(text=row["text"], kind="rule"), actor=Actor.HUMAN, folder=folder)
        for row in rules
    ]
    outcomes = capture_many(outside, offers, gated=False)
    labels = [str(row["id"]) for row in (*notes, *rules)]
    return {str(outcome.entry): name for outcome, name in zip(outcomes, labels, strict=True)}


def show(words: Any) -> None:
    """Write what the hooks show, and the labels apart from it."""
    notes: list[Row] = [*rows(words.notes)]
    prompts = rows(words.prompts)
    notes += statements(words.distractors) if words.distractors else []
    random.Random(SEED).shuffle(notes)  # which notes have a line is chance
    rules = rows(words.rules) if words.rules else []
    out, state = words.out, words.out / "state"
    (state / "project").mkdir(parents=True)
    folder = str(state / "project")
    with opened(Settings(home=state / "home", contents_tokens=words.tokens)) as outside:
        agent = Agent(outside, folder, filled(outside, folder, notes, rules))
        size = words.session or 1
        sessions = [f"session-{number}" for number in range(0, len(prompts), size)]
        # All start before the first prompt: what a prompt uses changes no other session's contents.
        starts = [agent.fire("SessionStart", name, source="startup") for name in sessions]
        lines, found = [], []
        for number, row in enumerate(prompts):
            session, place = sessions[number // size], number % size
            if words.compact_at and place == words.compact_at:
                again = agent.fire("SessionStart", session, source="compact")
                out.joinpath(f"compacted-{number}.txt").write_text(again, encoding="utf-8")
            seen = agent.given(session, 0)[2]
            given = agent.fire(
                "UserPromptSubmit", session, prompt=row["prompt"], prompt_id=f"p{number}"
            )
            whole, named, _ = agent.given(session, seen)
            lines.append({"id": row["id"], "prompt": row["prompt"], "given": given})
            found.append({"id": row["id"], "whole": whole, "lines": named})
        out.joinpath("start.txt").write_text(starts[0], encoding="utf-8")
        handles = {handle(entry): name for entry, name in agent.names.items()}  # type: ignore[arg-type]  # ids
    _write(out / "prompts.jsonl", lines)
    _write(state / "found.jsonl", found)
    (state / "prompts").write_text(str(words.prompts.resolve()), encoding="utf-8")
    (state / "handles.json").write_text(json.dumps(handles), encoding="utf-8")


def score(folder: Path, answers: Path) -> dict[str, object]:
    """By sort, how many prompts had the right note given whole or opened; and what that costs."""
    state = folder / "state"
    labels = {row["id"]: row for row in rows(Path((state / "prompts").read_text("utf-8")))}
    handles = json.loads((state / "handles.json").read_text("utf-8"))
    opened_by = {name: found for row in rows(answers) for name, found in row.items()}
    shown = {row["id"]: row["given"] for row in rows(folder / "prompts.jsonl")}
    sorts: dict[str, dict[str, float]] = defaultdict(
        lambda: {"n": 0, "given": 0, "opened": 0, "wrong": 0, "opened_mean": 0.0}
    )
    quiet_lines, quiet = 0, 0
    for row in ({**labels[found["id"]], **found} for found in rows(state / "found.jsonl")):
        chosen = [handles.get(each, each) for each in opened_by.get(row["id"], [])]
        counts, note = sorts[row["sort"]], row["note"]
        counts["n"] += 1
        counts["opened_mean"] += len(chosen)
        counts["given"] += note in row["whole"] if note else bool(row["whole"])
        counts["opened"] += (note not in row["whole"] and note in chosen) if note else bool(chosen)
        counts["wrong"] += any(each != note for each in (*row["whole"], *chosen))
        if note is None:
            quiet, quiet_lines = quiet + 1, quiet_lines + len(row["lines"])
    for counts in sorts.values():
        counts["opened_mean"] = round(counts["opened_mean"] / counts["n"], 3)
    start = (folder / "start.txt").read_text("utf-8")
    return {
        "sorts": dict(sorts),
        "start_tokens": estimate(start),
        "prompt_tokens_mean": round(sum(map(estimate, shown.values())) / len(shown), 1),
        "quiet_lines_mean": round(quiet_lines / quiet, 3) if quiet else 0.0,
    }


def search(folder: Path, queries: Path) -> None:
    """Print what `recall` answers to a reader's words, by the id of the prompt."""
    state = folder / "state"
    with opened(Settings(home=state / "home")) as outside:
        for row in rows(queries):
            for name, query in row.items():
                hits = ask(
                    outside, query, folder=str(state / "project"), actor=Actor.AGENT, most=FOUND,
                    record=False,
                )  # fmt: skip
                found = [line(hit.note) for hit in hits]
                print(json.dumps({"id": name, "found": found}, ensure_ascii=False))


def _write(path: Path, found: Sequence[Mapping[str, object]]) -> None:
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in found)
    path.write_text(text, encoding="utf-8")


def main() -> int:
    """Show, score or search."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    ways = parser.add_subparsers(dest="what", required=True)
    needs = {"show": "notes prompts out", "score": "dir answers", "search": "dir queries"}
    for what, names in needs.items():
        way = ways.add_parser(what)
        for name in names.split():
            way.add_argument(f"--{name}", type=Path, required=True)
        if what == "show":
            way.add_argument("--rules", type=Path)
            for name in ("distractors", "session", "compact-at"):
                way.add_argument(f"--{name}", type=int, default=0)
            tokens = Settings(home=Path()).contents_tokens
            way.add_argument("--tokens", type=int, default=tokens)
        way.add_argument("--json", action="store_true")
    words = parser.parse_args()
    if words.what == "show":
        show(words)
    elif words.what == "score":
        print(json.dumps(score(words.dir, words.answers), indent=1))
    else:
        search(words.dir, words.queries)
    return 0


if __name__ == "__main__":
    sys.exit(main())
