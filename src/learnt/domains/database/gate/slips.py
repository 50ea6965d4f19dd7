"""What the parser lets pass though no server would: a statement cut off, a comma too many.

It would be written anew without it, and so as another than the one that was asked.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from sqlglot import TokenType, exp

from learnt.domains.database.lists import words

_NAME: Final = re.compile(r"[\w$@#]+")
_RESERVED: Final = words("parts", "reserved")
_LONE_COMMAS: Final = {
    (TokenType.L_PAREN, TokenType.COMMA),
    (TokenType.SELECT, TokenType.COMMA),
    (TokenType.COMMA, TokenType.COMMA),
    (TokenType.COMMA, TokenType.R_PAREN),
    (TokenType.COMMA, TokenType.FROM),
}


def slip(tokens: Sequence[Any], tree: exp.Expr) -> str | None:
    """What is wrong with a statement that was parsed; None where nothing is.

    >>> from learnt.domains.database.gate.grammar import parsed, tokens
    >>> sql = "SELECT 1,,2"
    >>> slip(tokens(sql, "mysql"), parsed(sql, "mysql")[0])
    'a comma with nothing beside it'
    """
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
