"""Which statements may reach a database: those that read, and nothing that is not understood.

A statement is parsed, and what runs is rewritten from the tree, without comments: where a server
would read the same characters otherwise, it never gets them. Every node of the tree has to be of a
known sort, and every function one that only computes. What cannot be read with certainty, by its
spelling or since the parser lets it pass, is refused: a statement cut off is run by no server.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, Final

from msgspec.structs import replace
from sqlglot import TokenType, exp
from sqlglot.errors import SqlglotError

from learnt.domains.database.gate import grammar, parts
from learnt.domains.database.gate.verdicts import (
    LONGEST,
    Allowed,
    Denied,
    Name,
    Schemas,
    StatementNames,
)
from learnt.domains.database.lists import sections, words
from learnt.domains.database.servers.connections import DbSession, Dialect

DEEPEST: Final = 400  # nested nodes; no question needs more

_STYLED: Final = re.compile(r"\x1b\[[0-9;]*m")
_READS: Final = (exp.Select, exp.SetOperation, exp.Values, exp.Subquery)
_GAP: Final = r"(?:\s|/\*(?![Mm]?!)(?:[^*]|\*(?!/))*+\*/|--[^\n]*\n)"
_OPTION: Final = (
    r"(?:ANALYZE|VERBOSE|COSTS|SETTINGS|GENERIC_PLAN|BUFFERS|SERIALIZE|WAL|TIMING|SUMMARY|MEMORY|"
    r"FORMAT)(?:\s+(?:\w+|'\w+'))?"
)
_PLANS: Final[Mapping[Dialect, tuple[str, str]]] = {
    "mysql": (
        rf"EXPLAIN|DESC(?:RIBE)?|ANALYZE(?!{_GAP}++TABLE\b)",
        r"EXTENDED|PARTITIONS|ANALYZE|FORMAT\s*=\s*\w+",
    ),
    "postgres": ("EXPLAIN", rf"ANALYZE|VERBOSE|\(\s*{_OPTION}(?:\s*,\s*{_OPTION}){{0,12}}\s*\)"),
    "sqlite": ("EXPLAIN", r"QUERY\s+PLAN"),
}
_EXPLAIN: Final = {
    dialect: re.compile(
        rf"{_GAP}*+(?P<word>{verbs})(?P<how>(?:(?:{_GAP}++|(?=\()){_GAP}*+(?:{how})(?=\W))*){_GAP}*+"
        r"(?P<rest>(?:\b(?:SELECT|WITH|VALUES|TABLE)\b|\().*)",
        re.IGNORECASE | re.DOTALL,
    )
    for dialect, (verbs, how) in _PLANS.items()
}
# MariaDB's bound on the rows a server looks at, which the parser does not know.
_EXAMINED: Final = re.compile(
    r"(?P<rest>.*\S)\s+(?P<limit>LIMIT\s+(?:\d{1,12}\s+(?:OFFSET\s+\d{1,12}\s+)?)?)"
    r"ROWS\s+EXAMINED\s+(?P<examined>\d{1,12})",
    re.IGNORECASE | re.DOTALL,
)


def judge(sql: str, dialect: Dialect) -> Allowed | Denied:
    """Whether a statement may run, and what would be run for it.

    >>> judge("select 1 -- one", "mysql").sql
    'SELECT 1'
    >>> judge("SELECT 1;DELETE FROM t", "mysql").reason, judge("SELECT SLEEP(9)", "mysql").reason
    ('several', 'function')
    """
    text = sql.strip().rstrip(";").strip()
    if not text:
        return Denied("empty")
    if len(text) > LONGEST:
        return Denied("too-long")
    if (found := odd(text, dialect)) is not None:
        return found
    text = _closed(text, dialect)
    if (verdict := _command(text, dialect)) is not None:
        return verdict
    verdict = _parsed(text, dialect)
    if isinstance(verdict, Denied):
        return verdict
    same = _signs(text, dialect) == _signs(verdict.sql, dialect)
    return replace(verdict, otherwise=not same)


def _signs(text: str, dialect: Dialect) -> list[str]:
    return [word for sign in grammar.tokens(text, dialect) if (word := sign.text.upper()) != "AS"]


def _closed(text: str, dialect: Dialect) -> str:
    """A statement without the semicolon that ends it, and the comments behind that."""
    try:
        signs = grammar.tokens(text, dialect)
    except (SqlglotError, ValueError):
        return text
    end = len(text)
    while signs and signs[-1].token_type == TokenType.SEMICOLON:
        end = signs.pop().start
    return text[:end].rstrip()


def _parsed(text: str, dialect: Dialect) -> Allowed | Denied:
    explained = _EXPLAIN[dialect].fullmatch(text)
    if explained is None:
        return _query(text, dialect)
    inner = _query(explained["rest"], dialect)
    if isinstance(inner, Denied):
        return inner
    how = re.sub(r"/\*.*?\*/|--[^\n]*\n", " ", explained["how"]).split()
    word = "ANALYZE" if explained["word"].upper() == "ANALYZE" else "EXPLAIN"
    before, write = " ".join((word, *how)), inner.placed
    placed = write and (lambda *schemas: f"{before} {write(*schemas)}")
    return Allowed(f"{before} {inner.sql}", inner.uses, placed=placed)


def _query(text: str, dialect: Dialect) -> Allowed | Denied:
    if dialect == "mysql" and (bounded := _EXAMINED.fullmatch(text)) is not None:
        inner = _query(bounded["rest"], "mysql")
        if isinstance(inner, Denied):
            return inner
        limit = " ".join(bounded["limit"].split())
        return Allowed(f"{inner.sql} {limit} ROWS EXAMINED {bounded['examined']}", inner.uses)
    try:
        statements = grammar.parsed(text, dialect)
        tree = next((each for each in statements if each is not None), None)
        if tree is None:
            return Denied("empty")
        if len(statements) > 1:
            return Denied("several")
        if (wrong := slip(grammar.tokens(text, dialect), tree, dialect)) is not None:
            return Denied("not-understood", wrong)
        return _judged(tree, dialect)
    except RecursionError:
        return Denied("too-deep")
    except (SqlglotError, ValueError) as error:
        first_line = _STYLED.sub("", str(error)).partition("\n")[0]
        return Denied("not-understood", first_line[:120])


def _judged(tree: exp.Expr, dialect: Dialect) -> Allowed | Denied:
    if not isinstance(tree, _READS):
        return Denied("not-a-read", type(tree).__name__.upper())
    if (refused := _refusal(tree, dialect)) is not None:
        return refused
    written, uses = grammar.written(tree, dialect), parts.uses(tree, dialect)
    if dialect != "postgres" or not (uses.relations or uses.types):
        return Allowed(written, uses)

    def placed(schemas: Schemas, types: Schemas) -> str:
        return grammar.written(parts.with_schemas(tree, schemas, types), dialect)

    return Allowed(written, uses, placed=placed)


def _refusal(tree: exp.Expr, dialect: Dialect) -> Denied | None:
    waiting = [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        if depth > DEEPEST:
            return Denied("too-deep")
        if (refused := parts.refusal(node, dialect)) is not None:
            return refused
        waiting.extend((child, depth + 1) for child in node.iter_expressions())
    return None


DEEPEST_SPELLED: Final = 120  # brackets in brackets

# Texts, names in quotes and comments, whichever begins first; by server, for they differ.
# One that is never closed goes on to the end, so that looking takes as long as the text.
_NOTE: Final = r"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
_APART: Final[Mapping[Dialect, re.Pattern[str]]] = {
    "mysql": re.compile(
        r"'(?:[^'\\]|\\.|'')*+(?:'|\\?\Z)|\"(?:[^\"\\]|\\.|\"\")*+(?:\"|\\?\Z)|`[^`]*+(?:`|\Z)|"
        rf"(?P<code>/\*[Mm]?!)|{_NOTE}|--(?=\s|$)[^\n]*|\#[^\n]*",
        re.DOTALL,
    ),
    "postgres": re.compile(
        r"(?<!\w)[eE]'(?:[^'\\]|\\.|'')*+(?:'|\\?\Z)|'[^']*+(?:'|\Z)|\"[^\"]*+(?:\"|\Z)|"
        rf"(?<!\w)\$(?P<tag>\w*)\$.*?(?:\$(?P=tag)\$|\Z)|{_NOTE}|--[^\n]*",
        re.DOTALL,
    ),
    "sqlite": re.compile(
        r"'[^']*+(?:'|\Z)|\"[^\"]*+(?:\"|\Z)|`[^`]*+(?:`|\Z)|\[[^\]]*+(?:\]|\Z)|"
        rf"{_NOTE}|--[^\n]*",
        re.DOTALL,
    ),
}
# The end of a text to some, and what came from bytes that are no text.
_NO_TEXT: Final = re.compile("[\x00\ud800-\udfff]")
_WORD: Final = re.compile(r"\w+")
# Scripts whose letters look like Latin ones.
_ALIKE: Final = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU")


_NAME: Final = re.compile(r"[\w$@#]+")
_SIGNS: Final = re.compile(r"[-+*/<>=~!@#%^&|`?]+")
_TOGETHER: Final = frozenset("<< >> !~ !~* !~~ !~~*".split())  # by the parser, of several
_UNUSUAL: Final = re.compile(r"[~!@#%^&|`?]")
_RESERVED: Final = words("parts", "reserved")
_LONE_COMMAS: Final = {
    (TokenType.L_PAREN, TokenType.COMMA),
    (TokenType.SELECT, TokenType.COMMA),
    (TokenType.COMMA, TokenType.COMMA),
    (TokenType.COMMA, TokenType.R_PAREN),
    (TokenType.COMMA, TokenType.FROM),
}


def odd(text: str, dialect: Dialect) -> Denied | None:
    """Why a statement can't be read with certainty; None where it can.

    >>> odd("SELECT '\uff1b' -- \uff1b", "mysql") is None
    True
    >>> odd("SELECT 1\uff1b", "mysql").reason, odd("/*!50000 DROP TABLE t */", "mysql").reason
    ('not-understood', 'version-comment')
    """
    if _NO_TEXT.search(text):
        return Denied("not-understood", "a character that nobody sees")
    if any(match.groupdict().get("code") for match in _APART[dialect].finditer(text)):
        return Denied("version-comment")
    plain = _APART[dialect].sub(" ", text)
    if any(not sign.isprintable() and sign not in "\n\t\r" for sign in plain):
        return Denied("not-understood", "a character that nobody sees")
    if not plain.isascii() and (alike := _look_alike(plain)):
        return Denied("not-understood", f"{alike} outside of quotes, which looks like another")
    depth = accumulate((sign in "([{") - (sign in ")]}") for sign in plain)
    return Denied("too-deep") if max(depth, default=0) > DEEPEST_SPELLED else None


def _look_alike(plain: str) -> str:
    for sign in plain:
        if sign > "~" and unicodedata.normalize("NFKC", sign) != sign:
            return sign
    for word in _WORD.findall(plain):
        if word.isascii():
            continue
        latin = any(sign.isascii() and sign.isalpha() for sign in word)
        for sign in word:
            if latin and unicodedata.name(sign, "").startswith(_ALIKE):
                return str(sign)
    return ""


def slip(tokens: Sequence[Any], tree: exp.Expr, dialect: Dialect) -> str | None:
    """What is wrong with a statement that was parsed; None where nothing is.

    >>> from learnt.domains.database.gate.grammar import parsed, tokens
    >>> sql = "SELECT 1,,2"
    >>> slip(tokens(sql, "mysql"), parsed(sql, "mysql")[0], "mysql")
    'a comma with nothing beside it'
    >>> sql = "SELECT 1 +++ 2, 5*-6, 7 %- 8"
    >>> slip(tokens(sql, "postgres"), parsed(sql, "postgres")[0], "postgres")
    'the operator %-'
    """
    if dialect == "postgres" and (operator := _other_operator(tokens)):
        return f"the operator {operator}"
    if tokens and _cut_off(tokens):
        return f"it ends with {tokens[-1].text[:20]}"
    for left, right in pairwise(tokens):
        kinds = (left.token_type, right.token_type)
        if kinds in _LONE_COMMAS:
            return "a comma with nothing beside it"
        # `0o17`, which some servers take for a number, and others for one with a name.
        if kinds == (TokenType.NUMBER, TokenType.VAR) and right.start == left.end + 1:
            return f"{left.text}{right.text}"[:20]
    texts = {token.start for token in tokens if token.token_type == TokenType.STRING}
    return next(filter(None, (_of_node(node, texts) for node in tree.walk())), None)


def _other_operator(tokens: Sequence[Any]) -> str:
    """An operator of PostgreSQL's that the parser took for several; empty where there is none.

    As many signs as stand together are one operator to the server. Those that end with + or - are
    so only with one among them that no operator of the standard has.
    """
    signs = [sign for sign in tokens if _SIGNS.fullmatch(sign.text)]
    taken = -1
    for at, sign in enumerate(signs):
        run: str = sign.text
        for left, right in pairwise(signs[at:]):
            if right.start != left.end + 1:
                break
            run += right.text
        while len(run) > 1 and run[-1] in "+-" and not _UNUSUAL.search(run[:-1]):
            run = run[:-1]
        if sign.start > taken and run not in {sign.text, *_TOGETHER}:
            return run
        taken = max(taken, sign.start + len(run) - 1)
    return ""


def _cut_off(tokens: Sequence[Any]) -> bool:
    last = tokens[-1]
    if last.token_type in {TokenType.STRING, TokenType.IDENTIFIER}:
        return False
    before = tokens[-2].text.upper() if len(tokens) > 1 else ""
    spelled = last.text.upper().split()
    return bool(spelled) and spelled[-1] in _RESERVED and before not in {"AS", "."}


def _of_node(node: exp.Expr, texts: set[int]) -> str | None:
    if isinstance(node, exp.Identifier) and not node.args.get("quoted"):
        return None if _NAME.fullmatch(node.name) else f"the name {node.name[:20]}"
    if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
        return "a text in place of a table" if node.this.meta.get("start") in texts else None
    if isinstance(node, exp.TableAlias):
        if node.name.upper() in _RESERVED and not node.this.args.get("quoted"):
            return f"the name {node.name[:20]}"
        if not node.this and any(isinstance(column, exp.Identifier) for column in node.columns):
            return "columns of what has no name"
    return None


# Those whose tables lie with the server itself.
_ENGINES: Final = words("mysql", "engines")
_SYSTEM: Final = frozenset({"information_schema", "performance_schema", "mysql", "sys"})
_MOST: Final = 500  # views behind views


def placed(session: DbSession, allowed: Allowed) -> Allowed | Denied:
    """A statement as it runs, each name with its schema; Denied where it leads to what may not."""
    tables, types = session.schemas(allowed.uses)
    sql = allowed.placed(tables, types) if allowed.placed else allowed.sql
    relations = _with(tables, allowed.uses.relations)
    if session.dialect == "postgres":
        refused = _postgres(session, StatementNames(relations, _with(types, allowed.uses.types)))
    else:
        refused = _mysql(session, allowed.uses)
    return refused or replace(allowed, sql=sql)


def _with(schemas: Mapping[str, str], names: frozenset[Name]) -> frozenset[Name]:
    return frozenset((schema or schemas.get(name, ""), name) for schema, name in names)


def _postgres(session: DbSession, uses: StatementNames) -> Denied | None:
    if any(schema == "pg_temp" for schema, _ in uses.relations | uses.types):
        return Denied("own", "pg_temp")
    for kind, name in session.reached(uses.relations, uses.types):
        if kind == "own":
            return Denied("own", name)
        if kind == "foreign":
            return Denied("elsewhere", name)
        if kind == "call" and name not in words("postgres", "names"):
            return Denied("behind", name)
        if kind == "view" and name in words("postgres", "files"):
            return Denied("file", name)
    return None


def _mysql(session: DbSession, uses: StatementNames) -> Denied | None:
    # In a view's text a server has the calls of somebody's functions in quotes, or with a schema.
    if own := session.shadowed(uses.calls):
        return Denied("own", own[0])
    seen, waiting = frozenset[Name](), uses.relations
    while fresh := {one for one in waiting if one[0].lower() not in _SYSTEM} - seen:
        seen |= fresh
        if len(seen) > _MOST:
            return Denied("too-deep")
        waiting = frozenset()
        for kind, text in session.reached(fresh, ()):
            if kind == "engine":
                if text.lower() not in _ENGINES:
                    return Denied("elsewhere", text)
                continue
            inner = judge(text, session.dialect)
            if isinstance(inner, Denied):
                return Denied("behind", inner.in_words if text else "what may not be looked into")
            waiting |= inner.uses.relations
    return None


# What is no query and only looks: SHOW, DESCRIBE and HELP of MySQL, SHOW of PostgreSQL, PRAGMA.
# Each form is written out. What runs is put together again from the words, names and texts in it;
# a condition behind WHERE is looked through as the one of a query.

_QUOTED_NAME: Final = r"(?:`(?:[^`]|``)+`|[\w$]+)"
_TEXT: Final = r"'(?:[^'\\]|\\.)*'"
_TABLE: Final = rf"{_QUOTED_NAME}(?: \. {_QUOTED_NAME})?"
_NAME_OR_TEXT: Final = rf"(?:{_TEXT}|{_QUOTED_NAME})"
_PATTERNS: Final = {
    "NAME": _QUOTED_NAME,
    "TEXT": _TEXT,
    "TABLE": _TABLE,
    "OF": rf"(?:FROM|IN) {_QUOTED_NAME}",
    "WHO": rf"(?:CURRENT_USER(?: \( \))?|CURRENT_ROLE|{_NAME_OR_TEXT}(?: @ {_NAME_OR_TEXT})?)",
    "PARTS": "ALL|BLOCK IO|CONTEXT SWITCHES|CPU|IPC|MEMORY|PAGE FAULTS|SOURCE|SWAPS",
    "LIMIT": r"(?: LIMIT \d+(?: (?:,|OFFSET) \d+)?)?",
}


def _forms(heading: str) -> str:
    forms = "|".join(sections("show")[heading])
    return re.sub("<([A-Z]+)>", lambda name: _PATTERNS[name[1]], forms)


_SHOW: Final = re.compile(
    rf"(?P<what>{_forms('others')})|(?P<list>{_forms('lists')})"
    rf"(?: LIKE (?P<like>{_TEXT})| WHERE (?P<where>.+))?",
    re.IGNORECASE | re.DOTALL,
)
_DESCRIBE: Final = re.compile(
    rf"(?!(?:SELECT|TABLE|WITH|VALUES)\b){_TABLE}(?: {_NAME_OR_TEXT})?|"
    r"(?:FORMAT = \w+ )?FOR CONNECTION \d+",
    re.IGNORECASE,
)
_SETTING: Final = re.compile(
    r"ALL|TIME ZONE|TRANSACTION ISOLATION LEVEL|SESSION AUTHORIZATION|"
    r"\w+(?: \. \w+)?|\"\w+\"",
    re.IGNORECASE,
)
_PRAGMA: Final = re.compile(
    r"(?:(?P<schema>\w+) \. )?(?P<name>\w+)(?: = (?P<set>.+)| \( (?P<of>.+) \))?", re.DOTALL
)
# What stands in quotes is left as it is.
_GAPS: Final = re.compile(rf"({_TEXT}|`(?:[^`]|``)+`)| ?([.@(]) | (?=\))")
# A word of the grammar that is a column of two of the lists.
_CHARSET: Final = re.compile(rf"({_TEXT}|`(?:[^`]|``)+`)|\b(CHARSET)\b", re.IGNORECASE)
_FIRST: Final = re.compile(
    r"(?:\s|/\*(?:[^*]|\*(?!/))*+\*/|--[^\n]*\n|#[^\n]*\n)*+(?P<word>[a-z]+)\b(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)


def _command(text: str, dialect: Dialect) -> Allowed | Denied | None:
    """What becomes of a command; None for what is none, and may be a query."""
    first = _FIRST.fullmatch(text)
    form = _COMMANDS[dialect].get(first["word"].upper()) if first else None
    if first is None or form is None:
        return None
    try:
        asked = " ".join(_spelled(first["rest"], dialect))
    except (SqlglotError, ValueError):
        return Denied("not-understood")
    return Denied("several") if " ; " in f" {asked} " else form(asked)


def _spelled(text: str, dialect: Dialect) -> Iterator[str]:
    """Words and signs, with names and texts quoted in one way; a text with a line's end is none."""
    for token in grammar.tokens(text, dialect):
        if token.token_type == TokenType.STRING:
            if text[token.start] not in "'\"":
                raise ValueError("the parser took the rest for one word")
            escapes = {"\\": "\\\\", "'": "\\'"} if dialect == "mysql" else {"'": "''"}
            yield f"'{token.text.translate(str.maketrans(escapes))}'"
        elif token.token_type == TokenType.IDENTIFIER:
            quote = "`" if dialect == "mysql" else '"'
            yield quote + token.text.replace(quote, quote * 2) + quote
        elif token.token_type in {TokenType.PARAMETER, TokenType.SESSION_PARAMETER}:
            yield token.text
        else:
            yield from token.text.split()


def _show_mysql(asked: str) -> Allowed | Denied | None:
    form = _SHOW.fullmatch(asked)
    if form is None:
        return Denied("not-a-read", f"SHOW {asked}"[:60])
    if form["where"] is None:
        return Allowed(_close(f"SHOW {asked}"))
    condition = _CHARSET.sub(lambda word: word[1] or f"`{word[2]}`", form["where"])
    inner = _parsed(f"SELECT 1 FROM t WHERE {condition}", "mysql")
    if isinstance(inner, Denied):
        return inner
    _, _, condition = inner.sql.partition(" WHERE ")
    return Allowed(_close(f"SHOW {form['list']}") + f" WHERE {condition}")


def _close(asked: str) -> str:
    """Words without the gaps that only the forms need."""
    return _GAPS.sub(lambda gap: gap[1] or gap[2] or "", asked)


def _describe(asked: str) -> Allowed | Denied | None:
    if _DESCRIBE.fullmatch(asked) is None:
        return None
    verb = "EXPLAIN" if "CONNECTION" in asked.upper() else "DESCRIBE"
    return Allowed(_close(f"{verb} {asked}"))


def _plain(form: re.Pattern[str], verb: str, asked: str) -> Allowed | Denied | None:
    whole = f"{verb} {asked}"
    return Allowed(_close(whole)) if form.fullmatch(asked) else Denied("not-a-read", whole[:60])


def _pragma(asked: str) -> Allowed | Denied | None:
    form = _PRAGMA.fullmatch(asked)
    if form is None:
        return Denied("not-a-read", f"PRAGMA {asked}"[:60])
    name, looking = form["name"].lower(), words("sqlite", "looking")
    written = f"PRAGMA {form['schema']}.{name}" if form["schema"] else f"PRAGMA {name}"
    of = form["of"] or form["set"]
    if of is None:
        harmless = name in words("sqlite", "telling") | looking
        return Allowed(written) if harmless else Denied("not-a-read", written[:60])
    if name not in looking:
        return Denied("writes", f"PRAGMA {asked}"[:60])
    if not re.fullmatch(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\w+", of):
        return Denied("not-understood", f"PRAGMA {asked}"[:60])
    return Allowed(f"{written}({of})")


_COMMANDS: Final[Mapping[Dialect, Mapping[str, Callable[[str], Allowed | Denied | None]]]] = {
    "mysql": {
        "SHOW": _show_mysql,
        "HELP": partial(_plain, re.compile(_TEXT), "HELP"),
        **dict.fromkeys(("DESC", "DESCRIBE", "EXPLAIN"), _describe),
    },
    "postgres": {"SHOW": partial(_plain, _SETTING, "SHOW")},
    "sqlite": {"PRAGMA": _pragma},
}
