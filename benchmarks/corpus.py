"""A synthetic memory for the benchmarks, and a throw-away home to put it in.

Seeded: 60,000 made-up words by Zipf's law (exponent 1.05), 40 to 80 terms a document, a Chinese run
in one document of seven. No stop word is among them, so its head is heavier than that of real text
and the timings err on the slow side. Every fifth entry holds everywhere, the others in one project.
"""

import json
import os
import random  # noqa: TID251  # seeded: the same corpus in every run
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate, islice
from pathlib import Path
from typing import Final

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Draft
from learnt.flows.knowledge.capture import Offer
from learnt.formats.wire import Frame
from learnt.settings import Settings
from learnt.stores import home_folder, hook_files
from learnt.surfaces import worker_client
from tests.support.kept_unseen import capture_many

SEED: Final = 20_260_101
VOCABULARY: Final = 60_000
EXPONENT: Final = 1.05
CHARACTERS: Final = 1_200
_SYLLABLES: Final = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
_PROBLEM_TERMS: Final = 15


def _word(rank: int) -> str:
    """The made-up word of a rank: frequent ones are shorter; no stem rule applies to its end."""
    count = len(_SYLLABLES)
    syllables = [_SYLLABLES[rank % count], _SYLLABLES[rank // count % count]]
    if rank >= count**2:
        syllables.append(_SYLLABLES[rank // count**2])
    return "".join(syllables) + "kpx"[rank % 3]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document: its words in order, and a run of Chinese in some."""

    terms: tuple[str, ...]
    chinese: str = ""

    @property
    def solution(self) -> Draft:
        """It as an entry: the first words are the problem, one word is its tag."""
        return Draft(
            problem=" ".join(self.terms[:_PROBLEM_TERMS]),
            approach=f"{' '.join(self.terms[_PROBLEM_TERMS:])} {self.chinese}".strip(),
            tags=(self.terms[0],),
        )

    @property
    def fact(self) -> Draft:
        """Its first words as a fact, with a number in it as facts have."""
        words = " ".join(self.terms[:_PROBLEM_TERMS])
        return Draft(text=f"{words} {len(self.terms)} s {self.chinese}".strip(), kind="schema")


class Corpus:
    """Documents and prompts, the same for the same seed whatever was asked for before."""

    def __init__(self, seed: int = SEED) -> None:
        self._seed = seed
        weights = [1 / rank**EXPONENT for rank in range(1, VOCABULARY + 1)]
        self._weights = list(accumulate(weights))
        self._words = [_word(rank) for rank in range(VOCABULARY)]
        self._character_weights = list(accumulate(weights[:CHARACTERS]))
        self._characters = [chr(0x4E00 + 7 * rank) for rank in range(CHARACTERS)]

    def _random(self, purpose: str, number: int) -> random.Random:
        return random.Random(f"{self._seed} {purpose} {number}")

    def document(self, number: int) -> Document:
        """The document of a number."""
        dice = self._random("document", number)
        count = dice.randint(40, 80)
        terms = dice.choices(self._words, cum_weights=self._weights, k=count)
        chinese = ""
        if number % 7 == 0:
            run = dice.randint(6, 14)
            picked = dice.choices(self._characters, cum_weights=self._character_weights, k=run)
            chinese = "".join(picked)
        return Document(terms=tuple(terms), chinese=chinese)

    def prompt(self, number: int, documents: int) -> str:
        """A prompt of 5 to 40 words: half from one document's problem, half from anywhere."""
        return self.question(number, documents)[1]

    def question(self, number: int, documents: int) -> tuple[int, str]:
        """The number of the document that a prompt is about, and the prompt."""
        dice = self._random("prompt", number)
        count = dice.randint(5, 40)
        meant = dice.randrange(documents)
        about = self.document(meant).terms[:_PROBLEM_TERMS]
        half = min(len(about), -(-count // 2))
        words = dice.sample(about, half)
        words += dice.choices(self._words, cum_weights=self._weights, k=count - half)
        dice.shuffle(words)
        return meant, " ".join(words)

    def known_item(self, number: int, documents: int) -> tuple[int, list[str]]:
        """A document's number and 5 to 12 distinct words of it."""
        dice = self._random("known item", number)
        about = dice.randrange(documents)
        terms = list(dict.fromkeys(self.document(about).terms))
        return about, dice.sample(terms, min(len(terms), dice.randint(5, 12)))


@dataclass(slots=True, kw_only=True)
class Place:
    """A throw-away home and the project that its entries are of. `entries` by document number."""

    home: Path
    project: Path
    entries: list[EntryId] = field(default_factory=list)

    @property
    def settings(self) -> Settings:
        """The home's settings."""
        return Settings(home=self.home)

    @property
    def environment(self) -> dict[str, str]:
        """What Claude Code has in its hooks' environment, made from nothing."""
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.home.parent),
            "LANG": "C.UTF-8",
            "CI": "true",  # nothing is held back by chance
            "CLAUDECODE": "1",
            **self.flags,
        }

    @property
    def flags(self) -> dict[str, str]:
        """The agent's own flags of an interactive session in the project."""
        return {
            "CLAUDE_PROJECT_DIR": str(self.project),
            "CLAUDE_CODE_ENTRYPOINT": "cli",
            "CLAUDE_CODE_SESSION_ATTENDED": "1",
            "CLAUDE_PID": "4242",
        }

    def payload(self, event: str, session: str, episode: str, **more: object) -> bytes:
        """What Claude Code writes to a hook's standard input."""
        transcript = self.home.parent / ".claude" / "projects" / "p" / f"{session}.jsonl"
        common = {
            "session_id": session,
            "transcript_path": str(transcript),
            "cwd": str(self.project),
            "prompt_id": episode,
            "permission_mode": "default",
            "hook_event_name": event,
        }
        return json.dumps(common | more).encode()

    def frame(self, event: str, session: str, episode: str, **more: object) -> Frame:
        """The same as the hook sends it to the worker."""
        body = self.payload(event, session, episode, **more)
        return Frame(event=event, size=len(body), environment=self.flags, body=body)

    def fill(self, corpus: Corpus, size: int, *, facts: bool = False) -> None:
        """Add documents until the home has so many entries, as solutions or as facts."""
        numbers = range(len(self.entries), size)
        offers = (
            Offer(
                what=corpus.document(number).fact if facts else corpus.document(number).solution,
                actor=Actor.HUMAN,
                folder=None if number % 5 == 4 else str(self.project),
            )
            for number in numbers
        )
        with opened(self.settings) as outside:
            # In slices, so that no list of a hundred thousand outcomes weighs on what is measured.
            while part := list(islice(offers, 5_000)):
                outcomes = capture_many(outside, part, gated=False)
                self.entries.extend(outcome.entry for outcome in outcomes)
            outside.ledger.tidy()


@contextmanager
def throwaway() -> Iterator[Place]:
    """A home with the hook installed and a project; the worker is stopped and all of it removed."""
    # A worker that a hook started late may still be there.
    made = tempfile.TemporaryDirectory(prefix="learnt-benchmark-", ignore_cleanup_errors=True)
    with made as scratch:
        place = Place(home=Path(scratch) / "home", project=Path(scratch) / "project")
        place.project.mkdir()
        home_folder.prepare(place.home)
        hook_files.install(place.home)
        try:
            yield place
        finally:
            worker_client.stop(place.home)


def worker_of(place: Place) -> int:
    """The process of the home's worker, started where there was none."""
    card = worker_client.start(place.home)
    if card is None:
        raise SystemExit("the worker did not come up")
    return card.pid
