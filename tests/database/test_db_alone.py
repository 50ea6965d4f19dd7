"""The scripts of the skill that works without Learnt, on a server."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.database_servers import PASSWORD, Server
from tools.skill_scripts import database

SCRIPTS = Path(database.__file__).parent


@pytest.fixture
def scripts(maria: Server, tmp_path: Path) -> Path:
    """They, set up for the server."""
    place = Path(shutil.copytree(SCRIPTS, tmp_path / "scripts"))
    lines = {"host": "127.0.0.1", "port": maria.port, "user": "owner", "password": PASSWORD,
             "database": maria.database}  # fmt: skip
    text = "".join(f"{name} = {value}\n" for name, value in lines.items())
    (place / "db_config.ini").write_text(f"[database]\n{text}", "utf-8")
    return place


def asked(scripts: Path, *words: str) -> Any:
    command = [sys.executable, str(scripts / "database.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    return json.loads(done.stdout)


def test_it_is_asked_and_only_read(scripts: Path) -> None:
    """Rows, structure and index as JSON; what gets past the guard, the server refuses."""
    told = asked(scripts, "query", "SELECT name FROM room ORDER BY id", "--limit", "1")
    assert told == {"rows": [{"name": "套房"}], "more": True}
    columns = asked(scripts, "structure", "--tables", "room,booking")["rows"]
    assert {"id", "name", "rate", "room_id"} <= {row["column_name"] for row in columns}
    assert {"room", "dear", "purge_old"} <= {row["name"] for row in asked(scripts, "index")["rows"]}
    assert "failed" in asked(scripts, "query", "SELECT missing FROM room")
