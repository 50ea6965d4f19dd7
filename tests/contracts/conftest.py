"""What the parts of an outside promise; a module names the fakes that must hold it as well."""

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
def outside(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Outside]:
    """An outside whose clock stands and whose chance is counted; as `param` in memory."""
    around = in_memory.outside(porter, ShippedLanguage())
    if getattr(request, "param", "") == "in memory":
        yield around
        return
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
