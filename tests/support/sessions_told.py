"""Sessions told in short: reported as hooks report them, with the transcript beside."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from learnt.core.events import Event, Kind
from learnt.core.knowledge.entries import Entry
from learnt.flows.knowledge.harvest import Harvested, harvest, transcript_of
from learnt.flows.knowledge.uses import Transcript
from learnt.flows.recall.search import note_of
from learnt.flows.sessions.answer import answer, observation_of
from learnt.flows.stored import all_stored
from learnt.formats.injection import Note
from learnt.formats.wire import Frame
from learnt.language.shipped import ShippedLanguage
from learnt.ports import Outside
from learnt.stores.stemming import porter
from tests.support import in_memory
from tests.support.in_memory_files import InMemoryCitedFiles, InMemoryTranscripts
from tests.support.transcripts import session_frames, session_lines

FOLDER = "/projects/here"
Turn = dict[str, Any]


def said(prompt: str, *steps: dict[str, Any]) -> Turn:
    """A prompt, and what the agent does."""
    return {"prompt": prompt, "steps": list(steps)}


def ran(command: str, result: str = "", *, failed: bool = False) -> dict[str, Any]:
    """A shell command and what it printed."""
    return {"tool": "Bash", "input": {"command": command}, "result": result, "failed": failed}


def edited(path: str, old: str, new: str) -> dict[str, Any]:
    """A change to a file."""
    given = {"file_path": path, "old_string": old, "new_string": new}
    return {"tool": "Edit", "input": given, "result": "ok", "failed": False}


def told(words: str) -> dict[str, Any]:
    """What the agent says."""
    return {"say": words}


@dataclass
class Home:
    """A home in memory, and the sessions that it saw."""

    outside: Outside = field(default_factory=lambda: in_memory.outside(porter, ShippedLanguage()))
    prompts: list[str] = field(default_factory=list)  # what was put before the agent, by prompt

    def session(
        self,
        name: str,
        turns: Sequence[Turn],
        *,
        attended: bool = True,
        ended: bool = True,
        written: Sequence[Turn] | None = None,
    ) -> None:
        """A session as hooks report it; `written` is what its transcript holds instead."""
        path = self.write(name, turns if written is None else written, attended=attended)
        frames = session_frames(turns, name, folder=FOLDER, transcript=path, attended=attended)
        for frame in frames:
            if frame.event == "SessionEnd" and not ended:
                continue
            self.report(frame)

    def write(self, name: str, turns: Sequence[Turn], *, attended: bool = True) -> str:
        """A session's transcript as it is by now; where it lies."""
        path = f"/t/{name}.jsonl"
        kind = "cli" if attended else "sdk-cli"
        lines = session_lines(turns, name, folder=FOLDER, entrypoint=kind)
        self.transcripts[path] = "".join(f"{line}\n" for line in lines).encode()
        return path

    def report(self, frame: Frame) -> None:
        """A hook reports; what is put before the agent for a prompt is kept."""
        observation, prompt = observation_of(self.outside.clock, self.outside.random, frame)
        printed = answer(self.outside, observation, prompt, lambda: False)
        if frame.event == "UserPromptSubmit":
            self.prompts.append(printed.decode())
        elif frame.event == "UserPromptExpansion":
            self.prompts[-1] += printed.decode()

    @property
    def transcripts(self) -> dict[str, bytes]:
        """The files that agents wrote."""
        assert isinstance(self.outside.transcripts, InMemoryTranscripts)
        return self.outside.transcripts.files

    def file(self, path: str, text: str) -> None:
        """A file of the project as it is now."""
        assert isinstance(self.outside.cited_files, InMemoryCitedFiles)
        self.outside.cited_files.files[f"{FOLDER}/{path}"] = text.encode()

    def harvest(self, name: str) -> Harvested:
        """Harvest a session that was reported."""
        with self.outside.ledger.reading() as reader:
            session = transcript_of(self.outside, reader, name)
        assert session is not None
        return harvest(self.outside, session)

    def harvest_file(self, path: str) -> Harvested:
        """Harvest a transcript that nobody reported."""
        return harvest(self.outside, Transcript(path=path, over=True))

    def entries(self) -> list[Entry]:
        """What is live, the oldest first."""
        with self.outside.ledger.reading() as reader:
            held = list(all_stored(reader, Entry))
        return [entry for entry in held if entry.live]

    def notes(self) -> list[Note]:
        """What is live, with its texts."""
        live = self.entries()
        with self.outside.ledger.reading() as reader:
            return [note_of(reader, entry) for entry in live]

    def events(self, kind: Kind) -> list[Event]:
        """The events of a kind, in order."""
        with self.outside.ledger.reading() as reader:
            return list(reader.events(kind=kind))
