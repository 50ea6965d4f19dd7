"""How fast what was said in earlier sessions is found: `learnt recall --sessions`.

    python -m benchmarks.conversations [--sizes 20000,100000] [--json]

Made-up sessions of a hundred turns, of so many turns together, are written as transcripts of the
agent, read into the index as the worker's child does, and searched as the command does. How well
turns are found is `benchmarks.retrieval`'s, with what is here: `sessions_of`.
"""

import json
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from benchmarks.corpus import Corpus, Place, throwaway
from benchmarks.report import Tables, bare_start, run, spread
from learnt.bootstrap import opened
from learnt.flows.knowledge.uses import Transcript
from learnt.flows.recall.conversations import search_sessions
from learnt.flows.sessions.past import read_in
from learnt.ports import Outside

MOST: Final = 10
ASKED: Final = 100  # questions of made-up sessions
LONG: Final = 100  # turns of one
_DATE: Final = re.compile(r"(\d+:\d\d [ap]m) on (\d+ \w+),? (\d{4})")


def record(text: str, at: datetime, number: int, *, by_agent: bool) -> str:
    """A line of a transcript."""
    role = "assistant" if by_agent else "user"
    content: object = [{"type": "text", "text": text}] if by_agent else text
    message = {"role": role, "content": content}
    moment = at.isoformat().replace("+00:00", "Z")
    return json.dumps({
        "type": role,
        "timestamp": moment,
        "promptId": f"p{number}",
        "message": message,
    })


def said(row: Mapping[str, Any]) -> str:
    """A turn with its speaker and, before what was said, what its picture shows."""
    caption = f"[image: {row['caption']}] " if row.get("caption") else ""
    return f"{row['speaker']}: {caption}{row['text']}" if row.get("speaker") else row["text"]


def began(date: str) -> datetime:
    """When a session began, by its date as a set has it."""
    if found := _DATE.search(date):
        written = " ".join([*found.groups(), "+0000"])
        return datetime.strptime(written, "%I:%M %p %d %B %Y %z")
    moment = datetime.fromisoformat(date or "2000-01-01")
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def read(outside: Outside, path: Path, folder: Path, lines: Sequence[str]) -> None:
    """Write a session down, and read it in."""
    folder.mkdir(exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    session = Transcript(path=str(path), id=path.stem, folder=str(folder), over=True)
    read_in(outside, session)


@contextmanager
def sessions_of(documents: Iterable[Mapping[str, Any]]) -> Iterator["Searched"]:
    """A throw-away home that has read these turns: rows with `scope`, `session`, `id`, `text`.

    Each scope is a project. A row may have a `date`, a `speaker` and a `caption`.
    """
    by_session: dict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for row in documents:
        by_session[row["scope"], str(row.get("session") or "")].append(row)
    with throwaway() as place, opened(place.settings) as outside:
        searched = Searched(outside, place)
        for number, ((scope, _), turns) in enumerate(by_session.items()):
            at, first = began(turns[0].get("date") or ""), turns[0].get("speaker")
            lines = [
                record(
                    said(row),
                    at + timedelta(seconds=place_),
                    place_,
                    by_agent=row.get("speaker") != first,
                )
                for place_, row in enumerate(turns)
            ]
            path = place.home.parent / f"s{number}.jsonl"
            read(outside, path, searched.folder(scope), lines)
            searched.ids[path.stem] = [str(row["id"]) for row in turns]
        yield searched


class Searched:
    """A home with sessions in it; `ids` are the names of each session's turns."""

    def __init__(self, outside: Outside, place: Place) -> None:
        self.outside, self.ids = outside, dict[str, list[str]]()
        self.place, self._folders = place, dict[str, Path]()

    def folder(self, scope: str) -> Path:
        """The folder of a scope's project."""
        path = self.place.project / str(len(self._folders))
        return self._folders.setdefault(scope, path)

    def found(self, scope: str, question: str, most: int = MOST) -> list[str]:
        """The ids of the turns that are found, best first."""
        folder = str(self.folder(scope))
        answer = search_sessions(self.outside, question, folder=folder, most=most)
        return [self.ids[turn.session][turn.number] for turn in answer.turns]


def timed(size: int) -> dict[str, object]:
    """How long a search takes among so many made-up turns, and reading one in."""
    corpus = Corpus()
    texts = [" ".join(corpus.document(number).terms) for number in range(size)]
    with throwaway() as place, opened(place.settings) as outside:
        start, begun = time.perf_counter(), time.process_time()
        for first in range(0, size, LONG):
            at = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(hours=first / LONG)
            lines = [
                record(f"{text}?" if number % 4 == 0 else text, at + timedelta(minutes=number),
                       number, by_agent=number % 2 == 1)
                for number, text in enumerate(texts[first : first + LONG])
            ]  # fmt: skip
            read(outside, place.home.parent / f"s{first}.jsonl", place.project, lines)
        reading = time.perf_counter() - start
        spent = time.process_time() - begun
        taken, worked, right = [], [], 0
        for number in range(ASKED):
            about, terms = corpus.known_item(number, size)
            start, began_at = time.perf_counter(), time.process_time()
            answer = search_sessions(outside, " ".join(terms), folder=str(place.project), most=5)
            taken.append(time.perf_counter() - start)
            worked.append(time.process_time() - began_at)
            session = f"s{about // LONG * LONG}"
            right += any((t.session, t.number) == (session, about % LONG) for t in answer.turns)
        bare = bare_start()
        held = (place.home / "sessions.index").stat().st_size
    return {
        "turns": size,
        "found of 100": right,
        **{f"{name} ms": value for name, value in spread(taken, 1).items()},
        "processor p50 ms": spread(worked, 1)["p50"],
        "read in, turns a second": round(size / reading),
        "processor ms a turn": round(1_000 * spent / size, 2),
        "bare start ms": bare,
        "index MB": round(held / 1e6, 1),
    }


def main(*, sizes: tuple[int, ...] = (20_000, 100_000)) -> Tables:
    """Measure among so many turns."""
    return {"Speed": [timed(size) for size in sizes]}


if __name__ == "__main__":
    run(main)
