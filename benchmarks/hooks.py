"""What a hook costs the person who waits for it, as a ratio to a bare interpreter start.

    python -m benchmarks.hooks [--sizes 10000,100000] [--rounds 40] [--agents | --answered] [--json]

Runs the command that `learnt init` registers through `sh -c`, as Claude Code does, in a throw-away
home with a synthetic memory, and `python -I -S -c pass` of the same interpreter in the same rounds.
A ratio is the median over the rounds, its range the 5th to the 95th percentile. With `--agents` the
other agents' hooks are run beside Claude Code's, whose goals they share, and nothing else. With
`--answered` it is counted how many prompts are answered within a second: with the worker up (warm)
and without one (cold: the prompt starts it and waits for it). With `--together` ten sessions have a
prompt a second each for as many seconds as `--rounds` says: each tenth of a session's prompts ends
it, and another begins.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from pathlib import Path
from typing import Final

from benchmarks.corpus import Corpus, Place, throwaway, worker_of
from benchmarks.report import SIZES, Tables, load_now, quantile, run, spread, verdict
from learnt.formats.agents.dialects import ACT, DIALECTS, PROMPT, STARTS, STEP, Dialect
from learnt.formats.agents.hook_settings import command
from learnt.stores.hook_files import interpreter
from learnt.surfaces import worker_client
from tests.support.sessions_told import edited, ran, said
from tests.support.transcripts import session_lines

SMALL: Final = 10_000  # up to this size the first goal holds, above it the second
GOALS: Final = (1.7, 2.2)
START_GOAL: Final = 3.0
ANSWERED: Final = {"warm": (200, 0.995), "cold": (100, 0.99)}  # prompts, and the share's goal
WITHIN: Final = 1.0  # seconds
TOGETHER: Final = 10  # sessions
WARM_UP: Final = 5
JUDGED_IN: Final = 0.009  # seconds a note: an idle worker judges notes ahead, eight at a time
LINES: Final = "line of output\n" * 150
LARGE_INPUT: Final = 50 * 1024 * 1024
Arm = Callable[[int], tuple[float, bytes]]


class Hooks:
    """Hooks of one home, run as the agent runs them: seconds taken, and what was printed."""

    def __init__(self, place: Place, corpus: Corpus) -> None:
        self._place, self._corpus = place, corpus
        self._size = len(place.entries)

    def _run(self, words: list[str], body: bytes) -> tuple[float, bytes]:
        start = time.perf_counter()
        done = subprocess.run(
            words,
            input=body,
            capture_output=True,
            env=self._place.environment,
            cwd=self._place.project,
            check=True,
        )
        return time.perf_counter() - start, done.stdout

    def _hook(self, event: str, body: bytes) -> tuple[float, bytes]:
        registered = command(interpreter(), str(self._place.home), event)
        return self._run(["/bin/sh", "-c", registered], body)

    def _names(self, number: int) -> tuple[str, str]:
        """A session and a prompt that no other round, and no other size, reports on."""
        return f"session-{self._size}-{number}", f"prompt-{self._size}-{number}"

    def _prompt_body(self, number: int) -> bytes:
        text = self._corpus.prompt(number, self._size)
        session, episode = self._names(number)
        return self._place.payload("UserPromptSubmit", session, episode, prompt=text)

    def of_agent(self, agent: Dialect, event: str, number: int) -> tuple[float, bytes]:
        """A hook of another agent: a prompt or a step, by the names that its client gives."""
        session, episode = self._names(number if event == PROMPT else number // 10)
        told: dict[str, object] = {
            "session_id": f"{agent.id}-{session}", "conversation_id": f"{agent.id}-{session}",
            "turn_id": episode, "generation_id": episode, "prompt_id": episode,
            "timestamp": f"{number}", "transcript_path": str(self._rollout),
            "cwd": str(self._place.project), "hook_event_name": agent.named(event),
        }  # fmt: skip
        if event == PROMPT:
            told["prompt"] = self._corpus.prompt(number, self._size)
        else:
            told |= {
                "tool_name": "Bash", "tool_use_id": f"call-{number}",
                "tool_input": {"command": "python check.py", "description": "x" * 80},
                "tool_response": LINES,
            }  # fmt: skip
        return self._hook(agent.argument(event), json.dumps(told).encode())

    @cached_property
    def _rollout(self) -> Path:
        """A transcript in Codex's form, as long as one of a working day."""
        path = self._place.home.parent / "rollout.jsonl"
        output = {"type": "function_call_output", "call_id": "c", "output": LINES}
        line = json.dumps({"type": "response_item", "payload": output})
        path.write_text(f"{line}\n" * 1_000, "utf-8")
        return path

    def bare(self, number: int) -> tuple[float, bytes]:
        """An interpreter that does nothing, without a shell, given the same input."""
        return self._run([interpreter(), "-I", "-S", "-c", "pass"], self._prompt_body(number))

    def prompt(self, number: int) -> tuple[float, bytes]:
        """A new session's prompt."""
        return self._hook("UserPromptSubmit", self._prompt_body(number))

    def batch(self, number: int) -> tuple[float, bytes]:
        """A step of the agent: two tool calls with results of an ordinary size."""
        calls = [
            {
                "tool_name": name,
                "tool_use_id": f"toolu-{self._size}-{number}-{name}",
                "tool_input": {"file_path": "src/main.py", "description": "x" * 80},
                "tool_response": LINES,
            }
            for name in ("Bash", "Read")
        ]
        session, episode = self._names(number // 10)
        body = self._place.payload("PostToolBatch", session, episode, tool_calls=calls)
        return self._hook("PostToolBatch", body)

    def before(self, number: int) -> tuple[float, bytes]:
        """A command is about to run, which no rule governs."""
        return self._call(ACT, number, tool_name="Bash", tool_input={"command": "python check.py"})

    def failure(self, number: int) -> tuple[float, bytes]:
        """A call that failed with an error that nothing is known of."""
        error = "line of output\n" * 150 + "E   ModuleNotFoundError: No module named 'bilokap'"
        return self._call("PostToolUseFailure", number, tool_name="Bash", error=error)

    def file(self, number: int) -> tuple[float, bytes]:
        """A file was read, where the setting `at_files` has that told: beside the step's report."""
        given = {"file_path": str(self._place.project / "src" / "main.py")}
        return self._call("PostToolUse", number, tool_name="Read", tool_input=given)

    def _call(self, event: str, number: int, **call: object) -> tuple[float, bytes]:
        session, episode = self._names(number // 10)
        name = f"toolu-{self._size}-{number}-{event}"
        return self._hook(
            event, self._place.payload(event, session, episode, tool_use_id=name, **call)
        )

    def session_end(self, number: int) -> tuple[float, bytes]:
        """The end of a session: one file in the spool."""
        body = self._place.payload("SessionEnd", self._names(number)[0], "", reason="other")
        return self._hook("SessionEnd", body)

    def inline(self, number: int) -> tuple[float, bytes]:
        """A prompt answered in one process."""
        learnt = str(Path(sys.executable).with_name("learnt"))
        words = [learnt, "hook", "--inline", "UserPromptSubmit", "--home", str(self._place.home)]
        return self._run(words, self._prompt_body(number))

    def large(self, number: int) -> tuple[float, bytes]:
        """A prompt of 50 MB."""
        session, episode = self._names(number)
        text = "x" * LARGE_INPUT
        body = self._place.payload("UserPromptSubmit", session, episode, prompt=text)
        return self._hook("UserPromptSubmit", body)

    def cold(self, number: int) -> tuple[float, bytes]:
        """A prompt while no worker runs: spooled, and a worker started."""
        self._end_worker()
        taken = self.prompt(number)
        # The worker comes up beside the next arm's measurement otherwise.
        worker_of(self._place)
        return taken

    def answered(self, number: int) -> tuple[float, bytes]:
        """A new session's prompt in the words of an entry, which is always answered."""
        session, episode = self._names(number)
        text = " ".join(self._corpus.document(number % self._size).terms[:15])
        return self._hook(PROMPT, self._place.payload(PROMPT, session, episode, prompt=text))

    def turn(self, number: int) -> tuple[float, bytes]:
        """A prompt and what follows it, the tenth of its session with its end; as `answered`."""
        session, episode = f"session-{self._size}-{number // 10}", f"prompt-{self._size}-{number}"
        text = " ".join(self._corpus.document(number % self._size).terms[:15])
        told = self._place.payload
        if number % 10 == 0:
            self._hook(STARTS, told(STARTS, session, "", source="startup"))
        prompt = self._hook(PROMPT, told(PROMPT, session, episode, prompt=text))
        call = {"tool_name": "Bash", "tool_input": {"command": "python check.py"}}
        calls = [{**call, "tool_use_id": f"toolu-{episode}", "tool_response": LINES}]
        self._hook(STEP, told(STEP, session, episode, tool_calls=calls))
        self._hook("Stop", told("Stop", session, episode))
        if number % 10 == 9:
            failed = ran("python check.py", f"KeyError: {text.split()[0]!r}", failed=True)
            steps = [failed, edited("src/main.py", "old = 1", f"new = {number}")]
            turns = [said(text, *steps, ran("python check.py", "5 passed"))] * 10
            lines = session_lines(turns, session, folder=str(self._place.project))
            path = Path(json.loads(told("", session, ""))["transcript_path"])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines), "utf-8")
            self._hook("SessionEnd", told("SessionEnd", session, "", reason="other"))
        return prompt

    def answered_cold(self, number: int) -> tuple[float, bytes]:
        """The same where no worker runs, as after half an hour without a session."""
        self._end_worker()
        return self.answered(number)

    def _end_worker(self) -> None:
        worker_client.stop(self._place.home)
        (self._place.home / "run" / "starting").unlink(missing_ok=True)

    def start(self, number: int) -> tuple[float, bytes]:
        """A session's start."""
        session, episode = self._names(number)
        return self._hook(STARTS, self._place.payload(STARTS, session, episode, source="startup"))

    def stalled(self, number: int) -> tuple[float, bytes]:
        """A prompt while the worker hangs."""
        worker = worker_of(self._place)
        os.kill(worker, signal.SIGSTOP)
        try:
            return self.prompt(number)
        finally:
            os.kill(worker, signal.SIGCONT)


def interleaved(arms: Mapping[str, Arm], rounds: int, first: int) -> dict[str, dict[str, object]]:
    """Every arm once a round, in an order that turns; each compared with `bare` of its round."""
    names = list(arms)
    seconds: dict[str, list[float]] = {name: [] for name in names}
    printed: dict[str, list[int]] = {name: [] for name in names}
    for number in range(WARM_UP + rounds):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            taken, output = arms[name](first + number)
            # What an arm leaves the worker to do is its own business, not the next one's.
            time.sleep(0.01)
            if number >= WARM_UP:
                seconds[name].append(taken)
                printed[name].append(len(output))
    return {name: _row(seconds[name], seconds["bare"], printed[name], rounds) for name in names}


def _row(
    taken: list[float], bare: list[float], printed: list[int], rounds: int
) -> dict[str, object]:
    ratios = [one / other for one, other in zip(taken, bare, strict=True)]
    return {
        "ratio": round(quantile(ratios, 0.5), 2),
        "low": round(quantile(ratios, 0.05), 2),
        "high": round(quantile(ratios, 0.95), 2),
        **spread(taken, 2),
        "injected": f"{sum(size > 0 for size in printed)}/{rounds}",
    }


def _rows(
    hooks: Hooks,
    arms: Mapping[str, Arm],
    size: int,
    rounds: int,
    first: int,
    goals: Mapping[str, float],
) -> list[dict[str, object]]:
    """The rows of arms that are run with a `bare` of their own, each beside its goal."""
    before, rows = load_now(), []
    for name, row in interleaved({"bare": hooks.bare, **arms}, rounds, first).items():
        wanted = goals.get(name)
        said = verdict(float(str(row["ratio"])), wanted)
        where = {"entries": size, "hook": name, "rounds": rounds, "load": before}
        rows.append({**where, **row, "goal": wanted, "verdict": said})
    return rows


def measure(hooks: Hooks, size: int, rounds: int) -> list[dict[str, object]]:
    """The rows of one home: first what has goals, then the rest, each run with its own `bare`."""
    goal = GOALS[size > SMALL]
    goals = {"prompt": goal, "batch": GOALS[0], "failure": GOALS[0], "file": GOALS[0]}
    few = max(5, rounds // 4)
    goals |= {"start": START_GOAL, "before": GOALS[0]}
    often: dict[str, Arm] = {"prompt": hooks.prompt, "batch": hooks.batch}
    often |= {"start": hooks.start, "before": hooks.before}
    runs: list[tuple[dict[str, Arm], int]] = [
        (often, rounds),
        ({"failure": hooks.failure, "file": hooks.file}, rounds),
        ({"session_end": hooks.session_end, "inline": hooks.inline}, rounds),
        ({"cold": hooks.cold, "stalled": hooks.stalled, "large": hooks.large}, few),
    ]
    rows = []
    for index, (arms, count) in enumerate(runs):
        rows += _rows(hooks, arms, size, count, 1_000_000 + 10_000 * index, goals)
    return rows


def measure_agents(hooks: Hooks, size: int, rounds: int) -> list[dict[str, object]]:
    """The rows of every agent's prompt and step, each event in one run with Claude Code's.

    Claude Code's has its goals; that of the others is Claude Code's own ratio in that run.
    """
    rows = []
    for index, (event, own) in enumerate(((PROMPT, hooks.prompt), (STEP, hooks.batch))):
        arms: dict[str, Arm] = {f"claude-code {event}": own}
        arms |= {f"{a.id} {event}": partial(hooks.of_agent, a, event) for a in DIALECTS[1:]}
        goals = {f"claude-code {event}": GOALS[size > SMALL] if event == PROMPT else GOALS[0]}
        bare, first, *others = _rows(hooks, arms, size, rounds, 2_000_000 + 10_000 * index, goals)
        most = float(str(first["ratio"]))
        judged = [
            {**row, "goal": most, "verdict": verdict(float(str(row["ratio"])), most)}
            for row in others
        ]
        rows += [bare, first, *judged]
    return rows


def measure_answered(hooks: Hooks, size: int, rounds: int) -> list[dict[str, object]]:
    """How many prompts are answered within a second; `rounds` in a hundred of those in ANSWERED."""
    rows: list[dict[str, object]] = []
    arms = {"warm": hooks.answered, "cold": hooks.answered_cold}
    for index, (name, ask) in enumerate(arms.items()):
        count, goal = ANSWERED[name]
        count = max(1, count * rounds // 100)
        told = [ask(3_000_000 + 10_000 * index + number) for number in range(count)]
        rows.append({"entries": size, "prompts": name, **_answered_row(told, goal)})
    return rows


def _answered_row(told: list[tuple[float, bytes]], goal: float) -> dict[str, object]:
    share = sum(bool(output) and taken <= WITHIN for taken, output in told) / len(told)
    return {
        "asked": len(told), "answered": round(share, 4),
        **spread([taken for taken, _ in told], 2), "load": load_now(), "goal": goal,
        "verdict": "met" if share >= goal else "missed",
    }  # fmt: skip


def measure_together(hooks: Hooks, size: int, rounds: int) -> list[dict[str, object]]:
    """How many prompts of ten sessions at once are answered within a second."""
    began = time.monotonic()

    def session(place: int) -> list[tuple[float, bytes]]:
        told = []
        for second in range(rounds):
            time.sleep(max(0.0, began + second + place / TOGETHER - time.monotonic()))
            told.append(hooks.turn(4_000_000 + 10_000 * place + second))
        return told

    with ThreadPoolExecutor(TOGETHER) as threads:
        told = [each for one in threads.map(session, range(TOGETHER)) for each in one]
    taken = round(time.monotonic() - began)
    return [{"entries": size, **_answered_row(told, ANSWERED["warm"][1]), "seconds": taken}]


def main(
    *,
    sizes: tuple[int, ...] = SIZES,
    rounds: int = 40,
    agents: bool = False,
    answered: bool = False,
    together: bool = False,
) -> Tables:
    """Measure."""
    corpus, rows = Corpus(), []
    of = measure_agents if agents else measure_together if together else measure
    if answered:
        of, rounds = measure_answered, 100
    with throwaway() as place:
        for size in sorted(sizes):
            place.fill(corpus, size)
            worker_of(place)
            time.sleep(JUDGED_IN * size)
            rows += of(Hooks(place, corpus), size, rounds)
            worker_client.stop(place.home)
    return {"Hooks, as ratios to a bare interpreter start; milliseconds": rows}


if __name__ == "__main__":
    run(main)
