"""An outside for tests: its ledger is SQLite in memory, others' files are dictionaries."""

import atexit
import shutil
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

from learnt.ports import Clock, Language, Outside, Stemmer
from learnt.stores.home_folder import FileModelDoor
from learnt.stores.skill_shelf import DiskSkillShelf
from learnt.stores.spool import FileSpool
from learnt.stores.sqlite_ledger import SqliteLedger
from learnt.stores.sqlite_past import SqlitePast
from learnt.stores.sqlite_reader import Surroundings
from learnt.stores.typed_prompts import FilePrompts
from tests.support.in_memory_files import (
    InMemoryCitedFiles,
    InMemoryDocuments,
    InMemoryFolders,
    InMemoryTraces,
    InMemoryTranscripts,
)


@dataclass(slots=True)
class FixedClock:
    """A clock that stands where it is set."""

    ms: int = 1_700_000_000_000

    def now_ms(self) -> int:
        return self.ms


@dataclass(slots=True)
class CountedRandom:
    """Bytes that look random and are the same in every run."""

    drawn: int = 0

    def bytes(self, count: int) -> bytes:
        self.drawn += 1
        return sha256(str(self.drawn).encode()).digest()[:count]


@cache
def _homes() -> str:
    """A folder for what lies in files, which is gone with this process."""
    folder = mkdtemp(prefix="learnt-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class _Ledger(SqliteLedger):
    def __del__(self) -> None:
        self.close()


def outside(
    stem: Stemmer, language: Language, *, share: float = 0.0, clock: Clock | None = None
) -> Outside:
    """A whole outside, which is gone with its ledger."""
    clock, random, documents = clock or FixedClock(), CountedRandom(), InMemoryDocuments()
    around = Surroundings(key=b"k" * 32, clock=clock, random=random, stem=stem)
    ledger, home = _Ledger(None, around), Path(mkdtemp(dir=_homes()))
    (home / "run").mkdir()
    with ledger.writing() as writer:
        writer.set("home", "0" * 16)
    return Outside(
        ledger=ledger,
        spool=FileSpool(home),
        traces=InMemoryTraces(documents.files),
        folders=InMemoryFolders(),
        documents=documents,
        shelf=DiskSkillShelf(),
        transcripts=InMemoryTranscripts(),
        past=SqlitePast(),
        prompts=FilePrompts(home),
        cited_files=InMemoryCitedFiles(),
        model_door=FileModelDoor(home),
        clock=clock,
        random=random,
        stem=stem,
        language=language,
        share=share,
    )
