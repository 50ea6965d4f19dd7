"""How well outcomes are told, and how long an observation takes beside many executions.

    python -m benchmarks.outcomes [--unseen] [--executions 100000] [--only episodes|replies|speed]

Episodes: each labelled one is played as the reports that Claude Code's hooks would make of it, and
the recorded outcome compared with its label; 95 % intervals by Wilson, and the majority class
beside. Real transcripts and the feedback texts are read from the evaluation data where it lies
beside the repository, else they are left out and said to be. The speed's goal, 1 ms an event, is
held in bare starts of an interpreter: 8.2 ms where it was set.
"""

import gzip
import itertools
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from benchmarks.corpus import Place, throwaway
from benchmarks.report import (
    DATA,
    EVALUATION,
    Tables,
    bare_start,
    load_now,
    quantile,
    rows,
    run,
    verdict,
    wilson,
)
from learnt.bootstrap import opened
from learnt.core.events import Actor, Event, Kind, NewEvent, Where
from learnt.core.health.outcomes import MILLION, Outcome
from learnt.core.identifiers import session_subject
from learnt.core.payloads.session_events import EpisodeClosed, SkillUse
from learnt.core.safety import owned
from learnt.flows.health.report import skills
from learnt.flows.sessions.answer import answer, observation_of
from learnt.formats.agents.transcripts import turns
from learnt.formats.wire import Frame
from learnt.language.scorer import reply
from learnt.language.shipped import ShippedLanguage
from learnt.ports import Outside
from learnt.stores.stemming import porter
from tests.support.in_memory import outside

EPISODES: Final = DATA / "episodes"
DEV: Final = EVALUATION / "dev"
STARTS: Final = 1.0 / 8.2
READS: Final = ("open", "goto", "scroll_", "find_file", "search_", "submit", "ls", "cat")
LOG: Final = "a line of a log\n" * 200
Row = dict[str, object]


@dataclass
class Played:
    """An episode to play: its calls with their results, how it ended, and its label."""

    id: str
    prompt: str
    calls: list[tuple[str, Any, str]]
    label: dict[str, Any]
    interrupted: bool = False
    next_prompt: str | None = None
    language: str = "en"
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def outcome(self) -> Event:
        """The event that closes it, after its reports were answered one by one."""
        place = outside(porter, ShippedLanguage())
        self._report(place, "UserPromptSubmit", "p1", prompt=self.prompt)
        for number, (tool, given, response) in enumerate(self.calls):
            call = {"tool_name": tool, "tool_input": given, "tool_response": response,
                    "tool_use_id": f"t{number}"}  # fmt: skip
            self._report(place, "PostToolBatch", "p1", tool_calls=[call])
        if self.interrupted:
            self._interrupt(place)
        else:
            self._report(place, "Stop", "p1")
        if self.next_prompt and not self.next_prompt.startswith("[Request interrupted"):
            self._report(place, "UserPromptSubmit", "p2", prompt=self.next_prompt)
        self._report(place, "SessionEnd", "p2", reason="other")
        with place.ledger.reading() as reader:
            return next(reader.events(kind=Kind.EPISODE_CLOSED))

    def _report(self, place: Outside, event: str, episode: str, **more: object) -> None:
        body = {"session_id": "s1", "cwd": "/work", "prompt_id": episode,
                "transcript_path": "/t.jsonl", **more}  # fmt: skip
        frame = Frame(event=event, body=json.dumps(body).encode())
        observation, prompt = observation_of(place.clock, place.random, frame)
        answer(place, observation, prompt, lambda: False)

    def _interrupt(self, place: Any) -> None:
        """What the client writes into its transcript, as no hook tells of it."""
        lines = [
            {"type": "user", "promptId": "p1", "message": {"content": self.prompt}},
            {"type": "user", "message": {"content": "[Request interrupted by user]"}},
        ]
        place.transcripts.files["/t.jsonl"] = "\n".join(map(json.dumps, lines)).encode()


def own(half: str) -> list[Played]:
    """The set's own episodes."""
    return [_own(row) for row in rows(EPISODES / f"own_{half}.jsonl")]


def _own(row: dict[str, Any]) -> Played:
    calls: list[tuple[str, Any, str]] = []
    for step in row["steps"]:
        code = step["exit_code"]
        shown = f"Exit code {code}\n{step['output']}" if step["failed"] and code else step["output"]
        calls.append((step["tool"], step["input"], shown))
    return Played(
        id=row["id"],
        prompt=row["prompt"],
        calls=calls,
        label=row["label"],
        interrupted=row["interrupted"],
        next_prompt=row["next_prompt"],
        language=row["language"],
    )


def real(half: str) -> list[Played]:
    """Episodes of public transcripts; none where the evaluation data is not there."""
    folder = DEV / "transcripts"
    if not folder.is_dir():
        print("left out: the public transcripts are not beside the repository")
        return []
    return [_real(folder, row) for row in rows(EPISODES / f"real_{half}.jsonl")]


def _real(folder: Path, row: dict[str, Any]) -> Played:
    with gzip.open(folder / row["path"], "rt", encoding="utf-8") as file:
        lines = file.read().split("\n")
    taken, rest = lines[row["line"] - 1 : row["until"]], lines[row["until"] :]
    if ".jsonl" in row["path"]:
        return _claude(row, taken, rest)
    records = _records(taken)
    if ".traj" in row["path"]:
        return Played(id=row["id"], prompt=str(records[0].get("content")), calls=_acted(records),
                      label=row["label"])  # fmt: skip
    later = _records(rest)
    return _claude(row, map(json.dumps, records), map(json.dumps, later))


def _records(lines: Iterable[str]) -> list[dict[str, Any]]:
    """The records of a cut out of an indented JSON document."""
    text, found, decoder, at = "\n".join(lines), [], json.JSONDecoder(), 0
    while (at := text.find("{", at)) >= 0:
        try:
            record, at = decoder.raw_decode(text, at)
        except ValueError:
            break
        found.append(record)
    return found


def _claude(row: dict[str, Any], taken: Iterable[str], rest: Iterable[str]) -> Played:
    turn = turns(taken)[0]
    following = turns(rest)
    calls: list[tuple[str, Any, str]] = []
    for call in turn.calls:
        shown = call.response if isinstance(call.response, str) else ""
        calls.append((call.tool, call.input, shown))
    return Played(
        id=row["id"],
        prompt=turn.prompt,
        calls=calls,
        label=row["label"],
        interrupted=turn.interrupted,
        next_prompt=following[0].prompt if following else None,
    )


def _acted(records: list[dict[str, Any]]) -> list[tuple[str, Any, str]]:
    """The calls of an agent that acts by commands, each with what it saw of it."""
    calls: list[tuple[str, Any, str]] = []
    for record, after in itertools.pairwise([*records, {}]):
        action = str(record.get("action") or "")
        if not action:
            continue
        seen = after.get("content")
        shown = seen if isinstance(seen, str) else json.dumps(seen)
        if action.startswith(READS):
            calls.append(("Read", {}, shown))
        elif action.startswith(("edit", "create", "insert", "str_replace")):
            calls.append(("Edit", {}, shown))
        else:
            calls.append(("Bash", {"command": action}, shown))
    return calls


def agreement(half: str, *, wrong: bool = False) -> list[Row]:
    """Agreement with the labels, over all and by origin and language."""
    groups: dict[str, list[tuple[Played, dict[str, Any]]]] = {}
    sources = [("own", own(half)), ("real", real(half) if half in {"dev", "unseen"} else [])]
    for origin, episodes in sources:
        for episode in episodes:
            # What equals its default is not stored.
            found = {"trouble": "none", "cause": "none", "grade": None, **episode.outcome().payload}
            for name in ("all", origin, episode.language):
                groups.setdefault(name, []).append((episode, found))
            if wrong and found["trouble"] != episode.label["kind"]:
                print(episode.id, episode.label, found["trouble"], found["cause"], found["grade"])
    return [_row(half, name, pairs) for name, pairs in groups.items()]


def _row(half: str, name: str, pairs: list[tuple[Played, dict[str, Any]]]) -> Row:
    count = len(pairs)
    right = sum((f["trouble"] != "none") == e.label["trouble"] for e, f in pairs) / count
    classes = Counter(bool(e.label["trouble"]) for e, _ in pairs)
    unknown = sum(f["grade"] is None for _, f in pairs) / count
    return {
        "half": half,
        "episodes": name,
        "n": count,
        "agreement": round(right, 3),
        "interval": wilson(right, count),
        "majority": round(max(classes.values()) / count, 3),
        "kind": round(sum(f["trouble"] == e.label["kind"] for e, f in pairs) / count, 3),
        "cause": round(sum(f["cause"] == e.label["cause"] for e, f in pairs) / count, 3),
        "unknown": round(unknown, 3),
        "unknown interval": wilson(unknown, count),
        "graded as labelled": round(
            sum((f["grade"] is not None) == e.label["graded"] for e, f in pairs) / count, 3
        ),
    }


def replies() -> list[Row]:
    """Each round's feedback, told apart: whether it says that the work was wrong."""
    path = DEV / "distill_metaclaw" / "rounds.jsonl.gz"
    if not path.is_file():
        print("left out: the feedback texts are not beside the repository")
        return []
    rounds = [row["feedback"] for row in rows(path)]
    texts = [(text, name == "incorrect") for one in rounds for name, text in one.items()
             if name in {"correct", "incorrect"}]  # fmt: skip
    blamed = [reply(text).verdict.blames for text, _ in texts]
    wrong = [is_wrong for _, is_wrong in texts]
    return [
        _f1("judged", wrong, blamed),
        _f1("always yes", wrong, [True] * len(wrong)),
    ]


def _f1(name: str, wrong: list[bool], blamed: list[bool]) -> Row:
    hits = sum(w and b for w, b in zip(wrong, blamed, strict=True))
    f1 = 2 * hits / (sum(wrong) + sum(blamed))
    return {"texts": len(wrong), "by": name, "hits": hits, "false alarms": sum(blamed) - hits,
            "missed": sum(wrong) - hits, "F1": round(f1, 3)}  # fmt: skip


TASKS: Final = ("skills_triggers", "skills_scenarios", "skills_pmrouting")


def tasks() -> list[Row]:
    """Prompts that ask for something and answer nothing: how many are taken for blame."""
    found: list[Row] = []
    for name in TASKS:
        texts = list(_asked(DEV / name))
        if not texts:
            print(f"left out: {name} is not beside the repository")
            continue
        blamed = sum(reply(text).verdict.blames for text in texts)
        found.append({"tasks of": name, "n": len(texts), "taken for blame": blamed,
                      "part": round(blamed / len(texts), 4)})  # fmt: skip
    return found


def _asked(folder: Path) -> Iterator[str]:
    """The requests in a data set's files."""
    for path in sorted(folder.rglob("*.jsonl*")):
        for row in rows(path):
            said = next((row[k] for k in ("query", "prompt", "task", "text") if k in row), "")
            if isinstance(said, str) and said:
                yield said


def speed(executions: int, rounds: int = 200) -> list[Row]:
    """Observing and closing in a running process beside so many executions.

    Each session has a transcript of more than a megabyte, and has had an episode of 300 steps.
    """
    bare = bare_start()
    with throwaway() as place, opened(place.settings) as held:
        _fill(held, executions)
        _transcript(place)
        timed: dict[str, list[float]] = {}
        for number in range(rounds):
            for event, frame in _session(place, number):
                observation, prompt = observation_of(held.clock, held.random, frame)
                began = time.perf_counter()
                answer(held, observation, prompt, lambda: False)
                timed.setdefault(event, []).append(1_000 * (time.perf_counter() - began))
        began = time.perf_counter()
        told = skills(held)
        status = time.perf_counter() - began
    every = [ms for values in timed.values() for ms in values]
    middles = {name: quantile(values, 0.5) for name, values in timed.items()}
    shown: list[Row] = [
        {
            "executions": executions, "event": name, "ms": round(ms, 3),
            "p95 ms": round(quantile(timed.get(name, every), 0.95), 3), "bare ms": round(bare, 1),
            "starts": round(ms / bare, 3), "verdict": verdict(ms / bare, STARTS),
            "load": load_now(),
        }
        for name, ms in (middles | {"mean of all": sum(every) / len(every)}).items()
    ]  # fmt: skip
    event = f"health status of {len(told)} skills"
    return [*shown, {"executions": executions, "event": event, "ms": round(1_000 * status)}]


def _fill(held: Outside, executions: int) -> None:
    for start in range(0, executions, 2_000):
        with held.ledger.writing() as writer:
            for number in range(start, min(executions, start + 2_000)):
                session = f"s{number // 5}"
                found = Outcome(grade=MILLION * (number % 3 > 0))
                skill = writer.keep("skill", owned(f"skill-{number % 50}"))
                writer.append(
                    NewEvent(
                        subject=session_subject("claude-code", session),
                        actor=Actor.LEARNT,
                        where=Where(agent="claude-code", session=session, episode=f"p{number}"),
                        payload=EpisodeClosed(
                            ended_by="prompt",
                            outcome=found,
                            skills=(SkillUse(skill=skill, by="agent"),),
                            took_ms=20_000 + 997 * number % 20_011,
                            tokens=5_000 + 499 * number % 5_003,
                        ),
                    )
                )


def _transcript(place: Place) -> Path:
    """A transcript of more than a megabyte: the client's snapshots, and some thousand records."""
    path = place.home.parent / ".claude" / "projects" / "p" / "written.jsonl"
    path.parent.mkdir(parents=True)
    lines = []
    for number in range(600):
        usage = {"input_tokens": 10, "output_tokens": 5}
        said = {"id": f"m{number}", "content": [{"type": "text", "text": "word " * 80}]}
        lines += [
            json.dumps({"type": "prompt_snapshot", "systemPrompt": "x" * 1_500}),
            json.dumps({"type": "user", "promptId": f"o{number}", "message": {"content": "go on"}}),
            json.dumps({"type": "assistant", "message": {**said, "usage": usage}}),
        ]
    path.write_text("\n".join(lines), "utf-8")
    return path


def _session(place: Place, number: int) -> Iterator[tuple[str, Frame]]:
    """One episode: its prompt closes the one before it, every twentieth has a new session."""
    session, episode = f"new{number // 20}", f"q{number}"
    call = {"tool_name": "Bash", "tool_input": {"command": "pytest"}, "tool_use_id": f"u{number}",
            "tool_response": f"Exit code 1\n{LOG}1 failed, 3 passed in 1s"}  # fmt: skip
    launch = {"tool_name": "Skill", "tool_input": {"skill": "audit"}, "tool_use_id": f"v{number}",
              "tool_response": "Launching skill: audit"}  # fmt: skip
    written = str(place.home.parent / ".claude" / "projects" / "p" / "written.jsonl")
    steps = 300 if number % 20 == 0 else 1
    yield (
        "UserPromptSubmit",
        place.frame("UserPromptSubmit", session, episode, prompt="ok", transcript_path=written),
    )
    for step in range(steps):
        calls = [{**launch, "tool_use_id": f"v{number}-{step}"}, call]
        yield "PostToolBatch", place.frame("PostToolBatch", session, episode, tool_calls=calls)
    if number % 10:  # the others are left by their user
        yield "Stop", place.frame("Stop", session, episode, transcript_path=written)


def main(
    *,
    unseen: bool = False,
    wrong: bool = False,
    executions: int = 100_000,
    only: Literal["", "episodes", "replies", "speed"] = "",
) -> Tables:
    """Measure; with --wrong print what disagrees with its label, but not of `unseen`."""
    tables = {}
    if only in {"", "episodes"}:
        tables["Episodes"] = agreement("dev", wrong=wrong)
        tables["Episodes for tuning"] = agreement("tuning", wrong=wrong)
        if unseen:
            fresh = agreement("unseen") + agreement("fresh")
            tables["Episodes that nothing was tuned on"] = fresh
    if only in {"", "replies"}:
        tables |= {"Replies": replies(), "Tasks": tasks()}
    if only in {"", "speed"}:
        tables["Speed"] = speed(executions)
    return tables


if __name__ == "__main__":
    run(main)
