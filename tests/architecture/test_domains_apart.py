"""What is a domain's stays in its folder, and nothing else needs what it needs."""

import re
import subprocess
import sys
from collections.abc import Mapping
from fnmatch import fnmatch

import pytest

from tests.architecture.source import PACKAGE, ROOT

NAMES = re.compile(
    r"\b(?:databases?|sql|mysql|mariadb|postgres(?:ql)?|psql|sqlite3?|db|sqlglot|sqlalchemy|pymysql"
    r"|psycopg)\b"
    # Pieces of its language, and lists of its words.
    r"|\bselect\b[^\n]{1,80}\bfrom\b|\b(?:group|order)[ ]by\b|\b(?:insert|merge)[ ]into\b"
    r"|\b(?:create|alter|drop)[ ]table\b|\bdelete[ ]from\b|\b(?:foreign|primary|duplicate)[ ]key"
    r"|\b(?:select|insert|update|join|where|into)\|(?:select|insert|update|join|where|into)\b",
    re.IGNORECASE,
)
BANDITS = re.compile(r"\b(?:bandits?|regret|(?:kl-)?ucb\d?|thompson)\b", re.IGNORECASE)
# Who names one all the same, and why.
EXCEPTIONS = {
    "stores/sqlite_*": "the ledger is a file of SQLite",
    "stores/plain_files.py": "another memory's file of SQLite",
    "formats/memories.py": "likewise",
    "surfaces/probes.py": "what a file system does to the ledger",
    "surfaces/cli/demo.py": "the story that the demo tells",
    "core/knowledge/numbers.py": "suffixes of files",
    "core/digest/commands.py": "statements that delete",
    "core/secret_p*.py": "programs that are given passwords, and how tokens begin",
    "core/skills/threat_patterns.py": "a browser's file of cookies",
    "core/knowledge/spans/texts.py": "suffixes of files",
    "language/*": "words that people use for questions",
}


@pytest.mark.parametrize(
    ("domain", "names", "exceptions"),
    [("database", NAMES, EXCEPTIONS), ("bandits", BANDITS, {})],
    ids=["database", "bandits"],
)
def test_nothing_outside_a_domain_names_its_subject(
    domain: str, names: re.Pattern[str], exceptions: Mapping[str, str]
) -> None:
    """Neither source nor data, comments and messages included; exceptions by name."""
    naming = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
        if names.search(path.read_text(encoding="utf-8"))
    }
    assert any(name.startswith(f"domains/{domain}/") for name in naming)
    assert [] == sorted(
        name
        for name in naming
        if not name.startswith(f"domains/{domain}/")
        and not any(fnmatch(name, pattern) for pattern in exceptions)
    )


# Packages of the extra `database`: an import of one fails as if it were not installed.
WITHOUT = """
import sys
from importlib.abc import MetaPathFinder
class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"sqlglot", "sqlalchemy", "pymysql", "psycopg"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
"""


def without_the_extra(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Python's code where the extra is not installed."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code, *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def test_every_ring_is_imported_without_the_extra() -> None:
    """All but the domain's own modules; and its record and its commands' list."""
    modules = sorted(
        ".".join(("learnt", *path.relative_to(PACKAGE).with_suffix("").parts))
        for path in PACKAGE.rglob("*.py")
        if path.name not in {"__init__.py", "hook_slow.py"}
        if "database" not in path.parts and not path.name.startswith("mcp_")  # another extra's
        if "scripts" not in path.parts  # a skill's: no modules
    )
    code = "import importlib\nfor name in sys.argv[1:]: importlib.import_module(name)\n"
    own = ["learnt.domains.database.domain", "learnt.domains.database.commands.group"]
    done = without_the_extra(code, *modules, *own)
    assert 0 == done.returncode, done.stderr[-2_000:]
    assert 0 != without_the_extra("import sqlglot").returncode


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_tests_of_core_formats_and_flows_pass_without_the_extra() -> None:
    """What they decide needs no domain."""
    code = "import pytest\nsys.exit(pytest.main(sys.argv[1:]))\n"
    done = without_the_extra(
        code, "-q", "-n0", "-m", "not slow", "tests/core", "tests/formats", "tests/flows"
    )
    assert 0 == done.returncode, done.stdout[-3_000:]
