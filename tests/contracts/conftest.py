"""Every contract is held by the real part and by its fake."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from learnt.language.shipped import ShippedLanguage
from learnt.ports import Outside
from learnt.stores import home_folder
from learnt.stores.model_door import FileModelDoor
from learnt.stores.plain_files import DiskCitedFiles, DiskTranscripts
from learnt.stores.project_folders import DiskFolders
from learnt.stores.skill_shelf import DiskSkillShelf
from learnt.stores.spool import FileSpool
from learnt.stores.sqlite_ledger import SqliteLedger
from learnt.stores.sqlite_past import FILE_NAME as SESSIONS
from learnt.stores.sqlite_past import SqlitePast
from learnt.stores.sqlite_reader import Surroundings
from learnt.stores.stemming import porter
from learnt.stores.text_files import DiskDocuments
from learnt.stores.traces import FileTraces
from learnt.stores.typed_prompts import FilePrompts
from tests.support import in_memory


@pytest.fixture(params=["on disk", "in memory"])
def outside(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Outside]:
    """An outside whose clock stands and whose chance is counted."""
    if request.param == "in memory":
        yield in_memory.outside(porter, ShippedLanguage())
        return
    home = tmp_path / "home"
    home_folder.prepare(home)
    clock, random = in_memory.FixedClock(), in_memory.CountedRandom()
    around = Surroundings(key=b"k" * 32, clock=clock, random=random, stem=porter)
    ledger = SqliteLedger(home, around)
    yield Outside(
        ledger=ledger,
        spool=FileSpool(home),
        traces=FileTraces(home),
        folders=DiskFolders(),
        documents=DiskDocuments(),
        shelf=DiskSkillShelf(),
        transcripts=DiskTranscripts(),
        past=SqlitePast(home / SESSIONS),
        prompts=FilePrompts(home),
        cited_files=DiskCitedFiles(),
        model_door=FileModelDoor(home),
        clock=clock,
        random=random,
        stem=porter,
        language=ShippedLanguage(),
    )
    ledger.close()
