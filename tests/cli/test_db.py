"""`learnt db`: set up, asked, looked at, with and without the server."""

import json
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from learnt.domains.database.schema.objects import TableOrView, lines
from learnt.installed import installing
from tests.support.database_servers import PASSWORD, Server
from tests.support.homes import Home

WRONG = "wrong-secret-of-the-tests"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE room (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        connection.execute("CREATE TABLE `../x ``;'\"订单` (a INT, b BLOB DEFAULT x'00')")
        connection.execute("CREATE VIEW dear AS SELECT name FROM room")
        connection.execute("CREATE VIEW dearest AS SELECT name FROM dear")
        connection.execute("INSERT INTO room VALUES (1, 'a\x1b[2Jb'), (2, '套房')")
        connection.commit()
    return path


@pytest.fixture
def shop(home: Home, file: Path) -> Home:
    """A home that knows the file as `shop`."""
    said = home.here("db", "setup", "--name", "shop", "--url", f"sqlite:///{file}")
    assert 0 == said.exit_code, said
    return home


@pytest.fixture(scope="module")
def maria(maria: Server) -> Iterator[Server]:
    with maria.another("rooms", "CREATE TABLE room (id INT PRIMARY KEY)") as own:
        yield own


def texts(home: Home) -> str:
    """All that the home holds."""
    return "".join(
        path.read_text("utf-8", errors="replace") for path in home.path.rglob("*") if path.is_file()
    )


def kept(home: Home) -> str:
    """All that it holds of databases."""
    return "".join(path.name for path in (home.path / "database").rglob("*") if path.is_file())


def test_an_answer_is_json_or_a_table(shop: Home) -> None:
    """With its four fields, and what would steer a terminal spelt out."""
    said = shop.here("db", "query", "--name", "shop", "--sql", "SELECT * FROM room", "--json")
    assert (0, ["id", "name"], 2, False) == (
        said.exit_code,
        *(said.json[name] for name in ("columns", "row_count", "truncated")),
    )
    assert [[1, "a\x1b[2Jb"], [2, "套房"]] == said.json["rows"]
    assert "\x1b" not in said.output
    said = shop.here("db", "query", "--sql", "SELECT * FROM room", "--limit", "1")
    assert "1 row; there is more" in said.output and "\x1b[2J" not in said.output
    assert "" == said.errors


def test_what_writes_is_refused(shop: Home, file: Path) -> None:
    """Exit 1, with the reason, and the file is as it was."""
    before = file.read_bytes()
    for sql in ("DELETE FROM room", "SELECT 1; DROP TABLE room", "PRAGMA user_version = 9"):
        said = shop.here("db", "query", "--sql", sql, "--json")
        assert (1, ["refused"]) == (said.exit_code, list(said.json))
        said = shop.here("db", "query", "--sql", sql)
        assert (1, True) == (said.exit_code, "Nothing was asked" in said.errors)
    assert before == file.read_bytes()


def test_what_a_server_cannot_run_is_a_failure(shop: Home) -> None:
    """Exit 1 with what it said; an empty statement is the caller's mistake."""
    said = shop.here("db", "query", "--sql", "SELECT x FROM nowhere", "--json")
    assert (1, True) == (said.exit_code, "no such table: nowhere" in said.json["failed"])
    said = shop.here("db", "query", "--sql", "SELECT x FROM nowhere")
    assert (1, True) == (said.exit_code, "no such table: nowhere\nWhat there is:" in said.errors)
    assert 2 == shop.here("db", "query", "--sql", "  ").exit_code
    never = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT SUM(i) FROM n"
    said = shop.here("db", "query", "--sql", never, "--timeout", "0.2")
    assert (1, True) == (said.exit_code, "Stopped after 0.2 s" in said.errors)
    assert "What there is" not in said.errors


def test_what_is_no_text_is_refused(shop: Home) -> None:
    """A byte of another encoding, as a terminal hands it over."""
    sql = b"SELECT '\xff'".decode(errors="surrogateescape")
    said = shop.here("db", "query", "--json", "--sql", sql)
    assert (1, ["refused"]) == (said.exit_code, list(said.json))


def test_a_name_is_told_as_a_shell_takes_it(home: Home, file: Path) -> None:
    """With a space in it, or anything else."""
    said = home.here("db", "setup", "--name", "my 商店", "--url", f"sqlite:///{file}")
    assert "db query --name 'my 商店' " in said.output


def test_a_remark_of_several_lines_is_one() -> None:
    """It is no column."""
    table = TableOrView("table", "t", comment="a\n  b  INT")
    assert ["table t  -- a\\n  b  INT"] == list(lines(table))


def test_names_that_are_not_known(home: Home, file: Path) -> None:
    """Nothing set up, one of many not named, one that is not there."""
    assert 3 == home.here("db", "query", "--sql", "SELECT 1").exit_code
    for name in ("a", "b"):
        home.here("db", "setup", "--name", name, "--url", f"sqlite:///{file}")
    said = home.here("db", "query", "--sql", "SELECT 1")
    assert (2, True) == (said.exit_code, "a, b" in said.errors)
    assert 3 == home.here("db", "query", "--name", "c", "--sql", "SELECT 1").exit_code
    for name in ("", "x" * 101, "a\x1bb"):
        said = home.here("db", "setup", "--name", name, "--url", f"sqlite:///{file}")
        assert 2 == said.exit_code


def test_setting_up_twice_changes_nothing(shop: Home, file: Path, tmp_path: Path) -> None:
    """Another database under a name in use needs a yes."""
    before = texts(shop)
    said = shop.here("db", "setup", "--name", "shop", "--url", f"sqlite:///{file}")
    assert (0, True) == (said.exit_code, "as it was" in said.output)
    assert before == texts(shop)
    other = tmp_path / "other.db"
    sqlite3.connect(other).close()
    other.touch()
    words = ("db", "setup", "--name", "shop", "--url", f"sqlite:///{other}")
    assert 4 == shop.here(*words).exit_code
    assert 0 == shop.here(*words, "--yes").exit_code


def test_nothing_is_kept_of_what_cannot_be_reached(home: Home, tmp_path: Path) -> None:
    """A file that is not there is not made, either."""
    missing = tmp_path / "missing.db"
    said = home.here("db", "setup", "--name", "m", "--url", f"sqlite:///{missing}")
    assert (5, False, "") == (said.exit_code, missing.exists(), kept(home))


@pytest.mark.parametrize(
    "url",
    [
        f"mysql://me:{WRONG}@db/shop",
        f"postgresql://me@db/shop?password={WRONG}",
        f"mysql://me@db/shop?local_infile={WRONG}",
        f"postgresql://me@db/shop?options={WRONG}",
        f"oracle://me@db/{WRONG}",
        f"mysql://[{WRONG}",
        "sqlite://",
        "sqlite:///:memory:",
        "shop",
    ],
)
def test_urls_that_are_refused(home: Home, url: str) -> None:
    """What holds a password, sets what it may not, or names nothing; it is not repeated."""
    said = home.here("db", "setup", "--name", "m", "--url", url)
    assert 2 == said.exit_code
    assert WRONG not in said.output + said.errors + texts(home)


def test_structure_is_told_and_kept(shop: Home, file: Path) -> None:
    """Strange names as well, views on views; read again without the file."""
    strange = "../x `;'\"订单"
    said = shop.here("db", "structure", "--name", "shop", "--json")
    named = {one["name"]: one for one in said.json["objects"]}
    assert {"room", "dear", "dearest", strange} == set(named)
    assert ["id"] == named["room"]["primary_key"]
    assert "dear" in named["dearest"]["definition"]
    assert [] == said.json["missing"]
    files = list((shop.path / "database" / "structure").iterdir())
    assert 5 == len(files)
    assert {0o600} == {stat.S_IMODE(path.stat().st_mode) for path in files}
    file.rename(file.with_name("renamed.db"))
    said = shop.here("db", "structure", "--tables", f"room,{strange}", "--offline")
    assert (0, True) == (said.exit_code, "As seen less than a minute ago" in said.errors)
    assert f"table {strange}" in said.output and "id  INTEGER" in said.output
    said = shop.here("db", "index", "--offline", "--json")
    assert {"room", "dear", "dearest", strange} == {one["name"] for one in said.json["objects"]}
    for words in (("index", "--fresh"), ("structure", "--fresh"), ("query", "--sql", "SELECT 1")):
        assert 5 == shop.here("db", *words).exit_code
    assert 2 == shop.here("db", "index", "--offline", "--fresh").exit_code


def test_what_is_kept_grows_old(shop: Home, file: Path) -> None:
    """Within the hour it is taken for what is, unless asked afresh; then the server is asked."""

    def names(*words: str) -> set[str]:
        said = shop.here("db", "index", "--json", *words)
        return {one["name"] for one in said.json["objects"]}

    before = names()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE newer (a)")
        connection.execute("DROP VIEW dearest")
    assert before == names()
    shop.here("db", "structure", "--json")
    assert (before | {"newer"}) - {"dearest"} == names("--fresh")
    for path in (shop.path / "database" / "structure").iterdir():
        told = json.loads(path.read_text("utf-8"))
        told["kept_ms"] -= 7_300_000
        path.write_text(json.dumps(told), "utf-8")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TABLE newer")
    said = shop.here("db", "index", "--offline")
    assert "As seen 2 hours ago" in said.errors and "newer" in said.output
    assert "newer" not in names()


def test_what_was_kept_of_another_server_is_not_given_out(shop: Home, tmp_path: Path) -> None:
    """The same name for another database: its structure is not the first one's."""
    shop.here("db", "structure")
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE elsewhere (a)")
    shop.here("db", "setup", "--name", "shop", "--url", f"sqlite:///{other}", "--yes")
    said = shop.here("db", "structure", "--offline", "--json")
    assert ["elsewhere"] == [one["name"] for one in said.json["objects"]]
    said = shop.here("db", "structure", "--tables", "room", "--offline")
    assert (3, True) == (said.exit_code, "Nothing of this is kept" in said.errors)


def test_another_server_at_the_same_address_is_noticed(shop: Home) -> None:
    """It answers, and what was kept of the one before is out of use."""
    shop.here("db", "structure")
    (place,) = (shop.path / "database" / "connections").iterdir()
    told = json.loads(place.read_text("utf-8"))
    place.write_text(json.dumps(told | {"identity": {"server": "another"}}), "utf-8")
    assert 3 == shop.here("db", "index", "--offline").exit_code
    said = shop.here("db", "index")
    assert (0, True) == (said.exit_code, "Another server" in said.errors)
    assert "Another server" not in shop.here("db", "index", "--fresh").errors


def test_a_damaged_cache_is_no_cache(shop: Home) -> None:
    """The server is asked; offline there is nothing."""
    shop.here("db", "structure")
    for number, path in enumerate(sorted((shop.path / "database" / "structure").iterdir())):
        path.write_bytes((b"\xff\x00", b"[]", b"{", b'{"version": 1}', b"null")[number % 5])
    assert 3 == shop.here("db", "structure", "--offline").exit_code
    assert 0 == shop.here("db", "structure").exit_code


def test_a_name_that_nothing_has(shop: Home) -> None:
    """Exit 1, with what is there beside it."""
    said = shop.here("db", "structure", "--tables", "room,nothing,../x", "--json")
    assert (1, ["nothing", "../x"]) == (said.exit_code, said.json["missing"])
    assert ["room"] == [one["name"] for one in said.json["objects"]]


def test_a_password_is_nowhere_but_in_its_file(home: Home, maria: Server) -> None:
    """Not on standard output or error, in no other file; a wrong one is neither kept nor shown."""
    words = ("db", "setup", "--name", "maria", "--url", maria.url(), "--password-stdin")
    said = home.cli(*words, stdin=f"{WRONG}\n")
    assert (5, "") == (said.exit_code, kept(home))
    assert WRONG not in said.output + said.errors
    said = home.cli(*words, stdin=f"{PASSWORD}\n")
    assert (0, True) == (said.exit_code, "mode 0600" in said.output), said
    assert PASSWORD not in said.output + said.errors
    (place,) = (home.path / "database" / "passwords").iterdir()
    assert (0o600, PASSWORD) == (stat.S_IMODE(place.stat().st_mode), place.read_text("utf-8"))
    place.rename(home.folder / "aside")
    assert PASSWORD not in texts(home)
    (home.folder / "aside").rename(place)
    said = home.here("db", "query", "--sql", "SELECT 1 AS one", "--json")
    assert [[1]] == said.json["rows"]
    said = home.here("db", "setup", "--name", "maria", "--url", maria.url())
    assert "as it was" in said.output
    assert 0 == home.here("db", "structure").exit_code
    place.write_text(WRONG, "utf-8")
    said = home.here("db", "query", "--sql", "SELECT 1 AS one", "--json")
    assert 5 == said.exit_code
    assert WRONG not in said.output + said.errors


def test_an_account_that_can_do_more_is_told_in_a_sentence(home: Home, maria: Server) -> None:
    """When it is set up, and not with each answer; of one that only reads never."""
    maria.as_root(
        "CREATE USER cashier IDENTIFIED BY '{}'".format(PASSWORD.replace("'", "''")),
        "GRANT SELECT, INSERT, UPDATE ON rooms.* TO cashier",
    )
    for user, can in (
        ("writer", "anything on the whole server"),
        ("cashier", "INSERT, UPDATE on `rooms`.*"),
    ):
        sentence = f"The account of {user} can do more than read: {can}. Learnt only reads; an "
        words = ("db", "setup", "--name", user, "--url", maria.url(user), "--password-stdin")
        assert sentence in home.cli(*words, stdin=f"{PASSWORD}\n").errors
        assert "" == home.here("db", "query", "--name", user, "--sql", "SELECT 1").errors
    listed = home.here("db", "list").output
    assert "anything on the whole server" in listed and "INSERT, UPDATE on" in listed
    words = ("db", "setup", "--name", "reader", "--url", maria.url(), "--password-stdin")
    assert "" == home.cli(*words, stdin=f"{PASSWORD}\n").errors


def test_a_person_is_asked(home: Home, maria: Server) -> None:
    """For all that it takes; the password is not shown while it is typed."""
    answers = ["maria", "mysql", "127.0.0.1", str(maria.port), "reader", maria.database, PASSWORD]
    code, output = home.typed("db", "setup", answers=answers)
    assert 0 == code, output
    assert PASSWORD not in output
    assert "Kept as maria" in output
    said = home.here("db", "query", "--sql", "SELECT COUNT(*) FROM room", "--json")
    assert [[0]] == said.json["rows"]


def test_without_the_extra_it_says_how_to_install_it(shop: Home, file: Path) -> None:
    """Exit 5, for each of the commands, and nothing is kept; nothing else needs it."""
    before = texts(shop)
    hidden = (
        "import sys\n"
        "for name in ('sqlglot', 'sqlalchemy', 'pymysql', 'psycopg'):\n"
        "    sys.modules[name] = None\n"
        "from learnt.surfaces.cli.commands import run\n"
        "sys.exit(run(sys.argv[1:]))"
    )
    for words in (
        ("query", "--sql", "SELECT 1"),
        ("structure", "--fresh"),
        ("index", "--fresh"),
        ("setup", "--name", "other", "--url", f"sqlite:///{file}"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", hidden, "db", *words],
            env=shop.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert 5 == done.returncode, done.stderr
        assert installing("database") in done.stderr
    assert before == texts(shop)


def test_other_commands_load_nothing_of_it() -> None:
    """Help of `db` included."""
    tell = (
        "import sys\nfrom learnt.surfaces.cli.commands import run\nrun(['db', '--help'])\n"
        "sys.stderr.write(' '.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", tell], capture_output=True, text=True, check=True)
    assert not {"sqlglot", "sqlalchemy", "pymysql", "psycopg"} & set(done.stderr.split())
