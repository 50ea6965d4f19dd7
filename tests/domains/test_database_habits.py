"""Commands and answers as agents make them daily: what is read in them, and what must not be."""

import json

import pytest

from learnt.core.knowledge.signals import FoundNone, Measured, Shaped, Signal, Worked
from learnt.core.records import JsonValue
from learnt.domain_ports import ToolCall
from learnt.domains.database.extractor import queried
from learnt.domains.database.observed.questions import Asked, asked

WARNED = "mysql: [Warning] Using a password on the command line interface can be insecure.\n"
ONE = json.dumps({"columns": ["n"], "rows": [[1000]], "truncated": False})


def told(signal: Signal) -> str:
    """A signal in a word."""
    match signal:
        case Worked(good=good):
            return "ran" if good else f"no {signal.naming[-1]}"
        case Measured():
            return f"{signal.value:g}{f' {signal.under}' if signal.under else ''}"
        case FoundNone():
            return f"none {signal.value}"
        case Shaped():
            return f"{signal.whole}: {', '.join(signal.parts)}"


def shell(command: str, response: JsonValue = "", *, failed: bool = False) -> list[str]:
    """What a command shows."""
    given = {"command": command}
    call = ToolCall(tool="Bash", input=given, response=response, failed=failed)
    return [told(one) for one in queried(call).signals]


def server(sql: str, response: JsonValue, *, failed: bool = False) -> list[str]:
    """What a question to a server of tools shows."""
    call = ToolCall(tool="mcp__shop__query", input={"sql": sql}, response=response, failed=failed)
    return [told(one) for one in queried(call).signals]


@pytest.mark.parametrize(
    ("command", "printed", "shows"),
    [
        ('learnt db query \\\n  --sql "SELECT count(*)\nFROM film" --json', ONE, ["ran", "1000"]),
        ('# what\'s there?\nlearnt db query --sql "select title from film"', "title\nA\nB\n2 rows",
         ["ran"]),
        ('echo "=== films ===" && learnt db query --sql "select count(*) from film"',
         "=== films ===\nn\n5\n1 row", ["ran", "5"]),
        ('learnt db query --sql "select count(*) from film" --json; echo "exit: $?"',
         f"{ONE}\nexit: 0", ["ran", "1000"]),
        ('learnt db query --sql "select note from film"', "note\n0 rows\n1 row", ["ran"]),
    ],
)  # fmt: skip
def test_what_agents_ask_daily(command: str, printed: str, shows: list[str]) -> None:
    """With headings and remarks, as JSON and as it is printed for people."""
    assert shows == shell(command, printed)


CLIENTS = (
    'mysql -psecret s -e "SELECT film.rate FROM film;"',
    'docker exec -i mysql mysql s -Nse "SELECT film.rate FROM film"',
    'docker compose exec -T db psql -U a -d s -c "SELECT film.rate FROM film"',
    'psql s -tAc "SELECT film.rate FROM film"',
    'sudo -u postgres psql "$URL" -c "SELECT film.rate FROM film"',
    'sqlite3 -json s.db "SELECT film.rate FROM film"',
    "mysql s <<'EOF'\nSELECT film.rate FROM `film`;\nEOF",
    "mysql s <<< 'SELECT film.rate FROM film'",
)
MISSING = "ERROR 1054 (42S22) at line 1: Unknown column 'film.rate' in 'SELECT'"


@pytest.mark.parametrize("command", CLIENTS)
def test_what_a_servers_own_client_says_is_missing_is_missing(command: str) -> None:
    """Through wrappers and containers, whatever it warns of before."""
    for printed in (MISSING, f"Exit code 1\n{WARNED}{MISSING}"):
        assert ["no film.rate"] == shell(command, printed, failed=True)


def test_an_error_before_what_another_command_prints_is_read() -> None:
    """By its first line: the call itself went well."""
    assert ["no film.rate"] == shell(f"{CLIENTS[0]}; echo done", f"{MISSING}\ndone")


@pytest.mark.parametrize("command", CLIENTS)
@pytest.mark.parametrize(
    "printed",
    ["rate\n4.99", " rate \n------\n 4.99\n(1 row)\n", "4.99", '[{"rate":4.99}]', "(0 rows)", ""],
)
def test_rows_that_a_servers_own_client_prints_are_not_read(command: str, printed: str) -> None:
    """Each prints them in its own ways: `learnt db query` and servers of tools say what came."""
    assert [] == shell(command, printed)


@pytest.mark.parametrize(
    "command",
    [
        'psql -qc "SET search_path TO archive" -c "SELECT max(year) FROM film"',
        'psql --command="SET search_path TO archive" --command "SELECT max(year) FROM film"',
        'mysql -e "USE archive" --execute="SELECT max(year) FROM film"',
        'sqlite3 s.db ".import film.csv film" "SELECT max(year) FROM film"',
        'sqlite3 -init archive.sql s.db "SELECT max(year) FROM film"',
        'sqlite3 -cmd ".open archive.db" s.db "SELECT max(year) FROM film"',
        "sqlite3 s.db <<'EOF'\n.open archive.db\nSELECT max(year) FROM film;\nEOF",
        'sqlite3 s.db "PRAGMA query_only = 1" "SELECT max(year) FROM film"',
    ],
)
def test_what_may_ask_other_tables_is_no_question(command: str) -> None:
    """An order before the statement may lead the client to another schema, file or table."""
    assert asked(ToolCall(tool="Bash", input={"command": command}, response=None)) is None


@pytest.mark.parametrize(
    ("command", "question"),
    [
        ('mysql -D s -e "SHOW TABLES"',
         Asked(sql="SHOW TABLES", database="s", dialect="mysql", client="mysql", sure=True)),
        ('mysql --execute="SHOW TABLES" s',
         Asked(sql="SHOW TABLES", database="s", dialect="mysql", client="mysql", sure=True)),
        ('psql -U me -tAc "SHOW server_version" s',
         Asked(sql="SHOW server_version", database="s", dialect="postgres", client="psql",
               sure=True)),
        ('sqlite3 -cmd ".mode json" s.db ".headers on" "PRAGMA table_info(film)"',
         Asked(sql="PRAGMA table_info(film)", dialect="sqlite", client="sqlite3", sure=True)),
    ],
)  # fmt: skip
def test_one_statement_is_a_question_without_a_select(command: str, question: Asked) -> None:
    """Whichever option gives it; settings that only change how the answer looks may stand by."""
    call = ToolCall(tool="Bash", input={"command": command}, response=None)
    assert question == asked(call)


SELECT = 'learnt db query --sql "select count(*) from film" --json'


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        (f"cat result.json && {SELECT}", f"{ONE}\n{ONE}"),
        (f"{SELECT} > out.json && cat out.json", ONE),
        (f"{SELECT} &> out.json", ""),
        (f"echo '{ONE}' # {SELECT}", ONE),
        (f"echo '{ONE}'; {SELECT}", f"{ONE}\n{ONE}"),
        (f"learnt() {{ cat x; }}; {SELECT}", ONE),
        (f"alias learnt=cat; {SELECT}", ONE),
        (f"PATH=./fake:$PATH {SELECT}", ONE),
        (f"export PATH=./fake; {SELECT}", ONE),
        (f"({SELECT})", ONE),
        (f"{SELECT} --sql 'select 1 from x'", ONE),
        ('mysql s -e "select rate from film" 2>/dev/null; echo done', "done"),
        ('mysql s -ve "select rate from film"', "--------------\nselect rate from film\n-----"),
        ('psql s -c "select rate from film"; echo done', "psql: error: connection\ndone"),
        ('psql -c "select a from t" -c "select b from t"', " a \n---\n 1\n(1 row)\n"),
        ('psql -f x.sql -c "select a from t"', " a \n---\n 1\n(1 row)\n"),
        ('mysql -e "select a from t; select b from t"', "a\n1"),
        ("ssh db \"mysql -e 'select a from t'\"", "a\n1"),
        ('mysql s -e "select rate from film" &', ""),
        ('sqlite3 s.db "select rate from `film`"', "rate\n1"),
        ("mysql s -e \"select '$(date)' from film\"", "a\n1"),
    ],
)
def test_what_others_print_or_hide_shows_nothing(command: str, printed: str) -> None:
    """Of what is not the client's own answer, or hides how it ended, nobody can tell."""
    assert [] == shell(command, printed)


@pytest.mark.parametrize(
    ("sql", "answer"),
    [
        ("select note, rate from log", '[{"note": "Unknown column \'rate\' in \'x\'", "rate": 1}]'),
        ("select error from log", '[{"error": "no such column: error"}]'),
        (
            "select type, text from log",
            '[{"type": "text", "text": "Unknown column \'text\' in \'"}]',
        ),
    ],
)
def test_an_error_in_a_cell_is_no_error(sql: str, answer: str) -> None:
    """The question ran."""
    assert ["ran"] == server(sql, answer)


def test_an_error_that_a_client_prints_as_a_row_is_no_error() -> None:
    """It ended well."""
    printed = "note\trate\nERROR 1054: Unknown column 'rate' in 'x'\t2"
    assert [] == shell('mysql s -e "select note, rate from log"', printed)
    line = "Error: no such column: rate|1"
    assert [] == shell('sqlite3 s.db "select note, rate from log"', line)


@pytest.mark.parametrize(
    ("sql", "answer"),
    [
        ("select title from film", '{"status": "queued"}'),
        ("select title from film", "<persisted-output>\nOutput too large (50KB).\n[{"),
        ("select title from film", "Query executed.\nNo rows returned."),
        ("select title from film where rating = 'X' limit 0", "[]"),
        ("select title from film where rating = 'X' limit 5 offset 500", "[]"),
        ("select a.id from film a join film b on a.id = b.up where a.rating = 'X'", "[]"),
        ("select id from film tablesample system (1) where rating = 'X'", "[]"),
        ("select sum(price) from film where rating = 'X'", '[{"n": 0}]'),
        ("select max(price) from film where rating = 'X'", '[{"n": null}]'),
        ("select count(*) from film where 1 = 0", '[{"n": 0}]'),
        ("select id from film for system_time as of '2020-01-01' where rating = 'X'", "[]"),
    ],
)
def test_answers_without_news_show_nothing(sql: str, answer: str) -> None:
    """Held back, cut off by the question itself, or a sum of nothing."""
    assert [] == server(sql, answer)


def test_a_count_of_none_is_no_confirmation() -> None:
    """That there are none under a value is what it shows."""
    assert ["none X", "0 X"] == server("select count(*) from film where rating = 'X'", '[{"n": 0}]')


@pytest.mark.parametrize(
    ("sql", "failure"),
    [
        ("select f.rate from (select title from film) f", "Unknown column 'f.rate' in 'x'"),
        ("select rate from (select title from film) f", "Unknown column 'rate' in 'x'"),
        ("with f as (select 1) select f.rate, film.rate from f, film",
         "Unknown column 'f.rate' in 'x'"),
        ("select createdAt from u", 'column "createdat" does not exist\nHINT:  Perhaps you meant'
         ' to reference the column "u.createdAt".'),
    ],
)  # fmt: skip
def test_a_column_of_the_statements_own_making_speaks_against_no_table(
    sql: str, failure: str
) -> None:
    """A subquery's, or one that only needs quotes."""
    assert [] == server(sql, failure, failed=True)


@pytest.mark.parametrize(
    ("sql", "blamed"),
    [
        ("select rate from film union select rate from actor", set()),
        ("select f.rate from film f union select rate from pay join actor using (id)",
         {"pay.rate", "actor.rate"}),
        ("select title from film join actor using (rate)", set()),
        ("select title from film join actor on rate = 1 join pay on true", set()),
        ("select rate from film union select id from actor", {"film.rate"}),
        ("select rate from film join actor using (id) where id in (select id from pay)",
         {"film.rate", "actor.rate"}),
        ("with f as (select rate from film) select * from f", {"film.rate"}),
        ("select title from film where id in (select id from pay where rate = 1)", {"pay.rate"}),
    ],
)  # fmt: skip
def test_a_column_is_missing_where_it_was_sought(sql: str, blamed: set[str]) -> None:
    """Of several places nobody knows which has it not."""
    call = ToolCall(
        tool="mcp__shop__query", input={"sql": sql}, failed=True,
        response="Unknown column 'rate' in 'SELECT'",
    )  # fmt: skip
    failures = [one for one in queried(call).signals if isinstance(one, Worked)]
    assert blamed == {name for one in failures for name in one.naming} - {"rate"}


def test_a_client_may_ask_the_wrong_database() -> None:
    """A table that a file has not is none that is gone."""
    gone = "Exit code 1\nError: in prepare, no such table: users"
    assert [] == shell('sqlite3 wrong.db "select id from users"', gone, failed=True)


@pytest.mark.parametrize(
    ("sql", "named", "spared"),
    [
        ("select c.name from film f join category c using (id)", "category.name", "film.name"),
        ("select name from film f join category c using (id)", "film.id", "film.name"),
        ("select t.a from film t union select t.b from actor t", "film", "actor.a"),
        ("select total from (select sum(x) from pay) y(total)", "pay.x", "pay.total"),
        ("with film as (select 1 as a from pay) select a from film", "pay", "film.a"),
        ('select "rate" from film', "film", "film.rate"),
        ("select title from film where exists (select 1 from inventory where rate = 1)",
         "film.title", "inventory.rate"),
    ],
)  # fmt: skip
def test_only_columns_whose_table_is_known_are_named(sql: str, named: str, spared: str) -> None:
    """An alias, a subquery, a text in double quotes: none is a table's column."""
    given = {"sql": sql}
    found = queried(ToolCall(tool="mcp__shop__query", input=given, response='[{"a": 1}]'))
    assert named in found.entities
    assert spared not in found.entities


def test_another_databases_table_has_its_own_rows() -> None:
    """Only what names it with its database is compared."""
    given = {"sql": "select count(*) from archive.film"}
    found = queried(ToolCall(tool="mcp__shop__query", input=given, response='[{"n": 7}]'))
    assert ("archive.film",) == found.signals[-1].entities  # type: ignore[union-attr]  # a number


def test_columns_are_told_by_what_tells_of_columns_alone() -> None:
    """A table of one's own, a part of the list, and rows with names are none."""
    name = '[{"name": "ACE"}]'
    call = ToolCall(tool="mcp__air__get_table", input={"table": "film"}, response=name)
    assert () == queried(call).signals
    listed = "select column_name from information_schema.columns where table_name = 'film'"
    answer = '[{"column_name": "id"}]'
    assert ["film: id"] == server(f"{listed} and table_schema = 's'", answer)
    assert "film: id" not in server(f"{listed} limit 3", answer)
    assert "film: id" not in server(f"{listed} and data_type = 'int'", answer)
    assert "film: ACE" not in server("select name from columns where table_name = 'film'", name)


def test_nothing_of_a_statement_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    """The parser would say on standard error what it does not know."""
    server("alter table film frobnicate select 'a secret' x y z", "ok", failed=True)
    assert ("", "") == tuple(capfd.readouterr())
