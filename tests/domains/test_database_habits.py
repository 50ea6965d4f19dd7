"""Commands and answers as agents make them daily: what is read in them, and what must not be."""

import json

import pytest

from learnt.core.json_values import JsonValue
from learnt.core.knowledge.signals import FoundNone, Measured, Shaped, Signal, Worked
from learnt.domain_ports import ToolCall
from learnt.domains.database.extractor import queried

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
        ('mysql -psecret s -e "SELECT COUNT(*) FROM film;"', WARNED + "n\n1000", ["ran", "1000"]),
        ('docker exec -i mysql mysql s -Nse "select count(*) from film"', "12", ["ran", "12"]),
        ('docker compose exec -T db psql -U a -d s -c "SELECT count(*) FROM film"',
         " count \n-------\n    12\n(1 row)\n", ["ran", "12"]),
        ("psql s -tAc \"select count(*) from film where rating = 'G'\"", "7\n", ["ran", "7 G"]),
        ('psql "$URL" -c "select id from film where rating = \'X\'"', " id \n----\n(0 rows)\n",
         ["none X"]),
        ("mysql s -e \"select id from film where rating = 'X'\"", WARNED, ["none X"]),
        ('sqlite3 s.db "select count(*) from film"', "128", ["ran", "128"]),
        ('sqlite3 -json s.db "select rating, count(*) from film group by 1"',
         '[{"rating":"G","n":3},\n{"rating":"R","n":9}]', ["ran", "3 G", "9 R"]),
        ('sudo -u postgres psql s -c "select title from film"', " title \n---\n a\n(1 row)",
         ["ran"]),
        ('mysql s -e "DESCRIBE film"', "Field\tType\nfilm_id\tint\ntitle\ttext",
         ["film: film_id, title"]),
        ('mysql s -t -e "select title from film"', "+---+\n| title |\n+---+\n| A |\n+---+",
         ["ran"]),
        ('learnt db query \\\n  --sql "SELECT count(*)\nFROM film" --json', ONE, ["ran", "1000"]),
        ('# what\'s there?\nlearnt db query --sql "select title from film"', "title\nA\nB\n2 rows",
         ["ran"]),
        ('echo "=== films ===" && mysql s -e "select count(*) from film"', "=== films ===\nn\n5",
         ["ran", "5"]),
        ('learnt db query --sql "select count(*) from film" --json; echo "exit: $?"',
         f"{ONE}\nexit: 0", ["ran", "1000"]),
        ("mysql s <<'EOF'\nSELECT `title` FROM `film` WHERE `rating` = \"G\";\nEOF", "title\nA",
         ["ran"]),
        ('mysql s -e "select \\`title\\` from film"', "title\nA", ["ran"]),
        ("mysql s <<< 'select title from film'", "title\nA", ["ran"]),
        ('learnt db query --sql "select note from film"', "note\n0 rows\n1 row", ["ran"]),
    ],
)  # fmt: skip
def test_what_agents_ask_daily(command: str, printed: str, shows: list[str]) -> None:
    """Through wrappers and containers, with headings, warnings, and every client's print."""
    assert shows == shell(command, printed)


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
    assert ["ran"] == shell('mysql s -e "select note, rate from log"', printed)
    line = "Error: no such column: rate|1"
    assert ["ran"] == shell('sqlite3 s.db "select note, rate from log"', line)


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
    """A table that a file has not is none that is gone; its number contradicts nothing."""
    gone = "Exit code 1\nError: in prepare, no such table: users"
    assert [] == shell('sqlite3 wrong.db "select id from users"', gone, failed=True)
    call = ToolCall(tool="Bash", input={"command": "sqlite3 s.db 'select count(*) from t'"},
                    response="5")  # fmt: skip
    assert [False] == [one.firm for one in queried(call).signals if isinstance(one, Measured)]


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
