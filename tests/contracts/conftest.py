"""What the parts of an outside promise; two modules ask their fakes as well."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from learnt.language.shipped import ShippedLanguage
from learnt.ports import Outside
from learnt.stores import home_folder
from learnt.stores.git_program import DiskFolders
from learnt.stores.plain_files import DiskCitedFiles, DiskTranscripts
from learnt.stores.spool import FileSpool
from learnt.stores.sqlite_ledger import SqliteLedger
from learnt.stores.sqlite_past import FILE_NAME as SESSIONS
from learnt.stores.sqlite_past import SqlitePast
from learnt.stores.sqlite_reader import Surroundings
from learnt.stores.stemming import porter
from learnt.stores.text_files import DiskDocuments
from learnt.stores.traces import FileTraces
from tests.support import in_memory


@pytest.fixture
def in_dictionaries() -> Outside:
    """An outside whose fakes must hold some contracts as well."""
    return in_memory.outside(porter, ShippedLanguage())


@pytest.fixture
def outside(in_dictionaries: Outside, tmp_path: Path) -> Iterator[Outside]:
    """An outside whose clock stands and whose chance is counted."""
    around = in_dictionaries
    home = tmp_path / "home"
    home_folder.prepare(home)
    of_ledger = Surroundings(key=b"k" * 32, clock=around.clock, random=around.random, stem=porter)
    ledger = SqliteLedger(home, of_ledger)
    yield replace(
        around,
        ledger=ledger,
        spool=FileSpool(home),
        traces=FileTraces(home),
        folders=DiskFolders(),
        documents=DiskDocuments(),
        transcripts=DiskTranscripts(),
        past=SqlitePast(home / SESSIONS),
        cited_files=DiskCitedFiles(),
    )
    ledger.close()
