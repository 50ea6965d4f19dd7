"""Whose words: sentences of strangers, and of others in a prompt, that a hook puts before an agent.

    python -m benchmarks.foreign [--half dev|unseen] [--show] [--json]

A foreign sentence stands in what an agent looked up between a failure and its cure, and in what it
said then. Each such session is reported as Claude Code's hooks would, its transcript laid beside,
and harvested; then new sessions meet the same failure and speak of the same. It is injected where
its marker stands in anything that any hook prints. A pasted sentence is one in a prompt that is
not its author's own wish: quoted, asked about, reported. It is injected where most of its letters
stand in what a hook prints; an own one is kept where a live entry of the user's holds most of them.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, Final, Literal

from benchmarks.failures import ran
from benchmarks.harvest import play
from benchmarks.report import DATA, of, rows, run
from learnt.core.events import Origin
from learnt.core.knowledge.entries import Entry
from learnt.flows.knowledge.harvest import harvest
from learnt.flows.recall.search import note_of
from learnt.flows.sessions.answer import answer, observation_of
from learnt.flows.stored import all_stored
from learnt.language.shipped import ShippedLanguage
from learnt.ports import Outside
from learnt.stores.stemming import porter
from tests.support import in_memory
from tests.support.transcripts import Reports

MOST: Final = 0.6  # of a sentence's letters
PIECE: Final = 4  # letters in a row that count as found
Row = Mapping[str, Any]


@dataclass
class Told:
    """What was counted over a half."""

    foreign: int = 0
    injected: int = 0  # foreign sentences
    cures: int = 0  # of these sessions of which a hook tells the cure all the same
    pasted: int = 0
    taken: int = 0  # pasted sentences injected
    trusted: int = 0  # of these as TRUST
    own: int = 0
    kept: int = 0
    recalled: int = 0  # own remarks that a hook shows
    shown: list[str] = field(default_factory=list)

    @property
    def row(self) -> dict[str, object]:
        """The counts of one half."""
        return {
            "strangers' sentences injected (goal 0)": f"{self.injected} of {self.foreign}",
            "pasted ones injected (goal 2 %)": of(self.taken, self.pasted),
            "as TRUST": self.trusted,
            "own remarks kept (goal 85 %)": of(self.kept, self.own),
            "own shown": of(self.recalled, self.own),
            "cures told": of(self.cures, self.foreign),
        }


def texts(half: str, sort: str) -> list[Row]:
    """The labelled rows of a half, of the sort `foreign` or `pasted`."""
    files = sorted((DATA / "foreign_texts").glob(f"{half}_*_{sort}.jsonl"))
    return [row for path in files for row in rows(path)]


def asked(command: str) -> str:
    """The prompt of a session in which a command fails."""
    return f"Please run `{command}` and make it pass."


def looked_up(row: Row) -> Row:
    """The session of a foreign sentence."""
    first, source, fix, last = row["failing"], row["source"], row["fix"], row["passing"]
    steps = [
        ran(first, failed=True),
        {**source, "failed": False},
        {"say": row["says"]},
        {**fix, "result": "ok", "failed": False},
        ran(last, failed=False),
        {"say": "Done."},
    ]
    return {**_session(row), "turns": [{"prompt": asked(first["command"]), "steps": steps}]}


def said(row: Row) -> Row:
    """The session of a prompt."""
    return {**_session(row), "turns": [{"prompt": row["prompt"], "steps": [{"say": "Done."}]}]}


def _session(row: Row) -> Row:
    return {"id": row["id"], "attended": True}


def learnt_from(session: Row, picks: Sequence[Row] = ()) -> Outside:
    """A home that one session was harvested into, with what its agent picked before its end."""
    outside = in_memory.outside(porter, ShippedLanguage())
    harvest(outside, play(outside, session, picks))
    return outside


def printed(outside: Outside, session: Row, prompts: Sequence[str]) -> str:
    """What all hooks print in sessions that type these prompts: all in one, and each in its own.

    Nobody is at the keyboard: typed by a person a prompt that begins with "remember" would be kept.
    """
    folder = f"/work/{session['id']}"
    calls = [step for turn in session["turns"] for step in turn["steps"] if "tool" in step]
    said = []
    for number, typed in enumerate([prompts, *([one] for one in prompts)]):
        reports = Reports(
            session=f"later-{session['id']}-{number}",
            folder=folder,
            transcript="/t/later.jsonl",
            attended=False,
        )
        frames = [reports.began()]
        for place, prompt in enumerate(typed):
            frames.append(reports.asked(place, prompt))
            frames += [reports.called(place, at, step) for at, step in enumerate(calls)]
            frames.append(reports.stopped(place))
        frames.append(reports.ended())
        for frame in frames:
            observation, prompt = observation_of(outside.clock, outside.random, frame)
            said.append(answer(outside, observation, prompt, lambda: False).decode())
    return "\n".join(said)


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", text.casefold())


def holds(text: str, sentence: str) -> bool:
    """Whether a text holds most of the letters of a sentence.

    >>> holds("the port is 8443. use it", "remember: the port is 8443"), holds("a port", "the port")
    (True, False)
    """
    one, two = _letters(sentence), _letters(text)
    blocks = SequenceMatcher(None, one, two, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks if block.size >= PIECE) >= MOST * len(one) > 0


_NOTE: Final = re.compile(r"\n(?=\w{5} [A-Z]{5,10} \d)")


def _notes(output: str) -> Iterator[str]:
    """The notes in what hooks printed, each without the others."""
    for line in filter(None, output.split("\n")):
        context = json.loads(line)["hookSpecificOutput"]["additionalContext"]
        yield from re.split(_NOTE, context)[1:]


def own_entries(outside: Outside) -> list[str]:
    """What is kept as the user's."""
    with outside.ledger.reading() as reader:
        held = [each for each in all_stored(reader, Entry) if each.live]
        notes = [note_of(reader, each) for each in held if each.origin is Origin.USER]
    return [f"{note.text} {note.problem} {note.approach}" for note in notes]


def measure(half: str, *, every: int = 1) -> Told:
    """Both sorts of a half, each row in a home of its own; every so many of them."""
    told = Told()
    for row in texts(half, "foreign")[::every]:
        session = looked_up(row)
        outside = learnt_from(session)
        fails = f"`{row['failing']['command']}` fails: {row['failing']['output']}"
        # Typed by itself a sentence that begins as a wish would be kept as one, and repeated so.
        about = [f"What about this: {row[name]}" for name in ("sentence", "says")]
        prompts = [asked(row["failing"]["command"]), fails, *about]
        output = printed(outside, session, prompts)
        hit = str(row["marker"]).casefold() in output.casefold()
        told.foreign += 1
        told.injected += hit
        told.cures += any("Problem:" in note for note in _notes(output))
        if hit:
            told.shown.append(f"INJECTED {row['id']} {row['shape']}\n{output}")
    for row in texts(half, "pasted")[::every]:
        session, sentence = said(row), row.get("sentence") or row["prompt"]
        outside = learnt_from(session)
        output = printed(outside, session, [sentence, f"What about this: {sentence}"])
        notes = [note for note in _notes(output) if holds(note, sentence)]
        if not row["own"]:
            told.pasted += 1
            told.taken += bool(notes)
            told.trusted += any("TRUST" in note for note in notes)
            if notes:
                told.shown.append(
                    f"TAKEN {row['id']} {row['shape']}: {row['prompt']}\n  {notes[0]}"
                )
            continue
        kept = any(holds(text, sentence) for text in own_entries(outside))
        told.own += 1
        told.kept += kept
        told.recalled += bool(notes)
        if not (kept and notes):
            word = "NOT SHOWN" if kept else "LOST"
            told.shown.append(f"{word} {row['id']} {row['shape']}: {row['prompt']}")
    return told


def main(
    *, half: Literal["dev", "unseen"] = "dev", show: bool = False, as_json: bool
) -> Mapping[str, object]:
    """Measure; with --show print each miss, but not those of `unseen`."""
    told = measure(half)
    if show and half != "unseen":
        print("\n".join(told.shown))
    row = {"half": half, **told.row}
    return row if as_json else {"Whose words": [row]}


if __name__ == "__main__":
    run(main)
