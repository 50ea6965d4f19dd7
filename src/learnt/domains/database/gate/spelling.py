"""What of a statement can't be read with certainty: its spelling, and what the parser lets pass.

A statement cut off or with a comma too many is run by no server. It would be written anew without
it, and so as another than the one that was asked.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final

from sqlglot import TokenType, exp

from learnt.domains.database.gate.verdicts import Denied
from learnt.domains.database.lists import words
from learnt.domains.database.servers.connections import Dialect

DEEPEST: Final = 120  # brackets in brackets

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
    return Denied("too-deep") if max(depth, default=0) > DEEPEST else None


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
