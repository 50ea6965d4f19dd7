"""The skill `db-investigator` that `npx skills add` finds works where Learnt is not installed."""

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.plugins import INVESTIGATOR, ROOT, investigator
from tools.skill_scripts.database import refused

SKILL = ROOT / INVESTIGATOR


def run(skill: Path, script: str, *words: str) -> "subprocess.CompletedProcess[str]":
    """A script of a copy of the skill, by a Python that sees nothing but the standard library."""
    command = [sys.executable, "-S", "-E", "-s", str(skill / "scripts" / script), *words]
    return subprocess.run(
        command, cwd="/", capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    """It, copied as an installer copies it."""
    return Path(shutil.copytree(SKILL, tmp_path / "db-investigator"))


def test_it_is_as_it_is_generated() -> None:
    """From the skill that Learnt brings, folder mode, and `tools/skill_scripts`."""
    there = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for path in SKILL.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert there == investigator()


def test_its_scripts_are_of_python_3_8() -> None:
    """By their grammar; they import the standard library, themselves, and PyMySQL."""
    for path in SKILL.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"), feature_version=(3, 8))
        nodes = [*ast.walk(tree)]
        named = {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
        named |= {a.name for node in nodes if isinstance(node, ast.Import) for a in node.names}
        others = {name.partition(".")[0] for name in named} - sys.stdlib_module_names
        assert others <= {"learnt", "database", "pymysql"}, path


def test_its_knowledge_is_kept_and_found(skill: Path) -> None:
    """Beside the skill, in the seed's own files."""
    done = run(skill, "knowledge.py", "inject", "--type", "schema", "--target", "rooms.md",
               "--entities", "t_room", "--content", "状态 3 means repair")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "<!-- decay: type=schema " in (skill / "references" / "rooms.md").read_text("utf-8")
    found = run(skill, "knowledge.py", "search", "--entities", "T_ROOM", "--json")
    assert ["状态 3 means repair"] == [one["text"] for one in json.loads(found.stdout)["entries"]]


def test_what_is_missing_is_named(skill: Path) -> None:
    """The set-up first, then the driver; a statement that writes is refused before either."""
    asked = run(skill, "database.py", "query", "SELECT 1")
    assert asked.returncode == 1 and "No database is set up yet" in asked.stderr
    settings = "[database]\nhost = h\nport = 1\nuser = u\npassword = p\ndatabase = d\n"
    (skill / "scripts" / "db_config.ini").write_text(settings, "utf-8")
    assert "pip install pymysql" in run(skill, "database.py", "index").stderr
    told = json.loads(run(skill, "database.py", "query", "DROP TABLE t").stdout)
    assert "refused" in told


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1;DELETE FROM t", "SELECT/**/1;DROP/**/TABLE t", "SELECTED", "", "DO SLEEP(9)",
        "SELECT * FROM t INTO OUTFILE '/any/file'", "SELECT SLEEP(99)", "SELECT 1 FOR UPDATE",
        "SELECT /*!50000 1;DROP TABLE t */", "SELECT 'a\\\\';DROP TABLE t", "SELECT 1 INTO @x",
        "WITH c AS (SELECT 1) DELETE FROM t", "EXPLAIN ANALYZE DELETE FROM t", "CALL p()",
        "SHOW TABLES WHERE SLEEP(9)", "SELECT load_file ('/etc/passwd')", "REPLACE INTO t SELECT 1",
    ],
)  # fmt: skip
def test_what_does_not_only_read_is_refused(sql: str) -> None:
    """Oracle 21, and more of its kind."""
    assert refused(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SHOW CREATE TABLE t", "SELECT REPLACE(a,'x','y') FROM t", "SELECT 'please delete me'",
        "WITH c AS (SELECT 1) SELECT * FROM c", "SELECT updated_at FROM t", "EXPLAIN SELECT 1",
        "(SELECT 1)", "-- why\nSELECT 1;", "SELECT `update` FROM `drop` # the last", "DESC t",
    ],
)  # fmt: skip
def test_what_only_reads_is_run(sql: str) -> None:
    """Oracle 21."""
    assert refused(sql) == ""
