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
_NEXT_TO_COMMA: Final = frozenset({TokenType.COMMA, TokenType.R_PAREN, TokenType.FROM})
_OPENS: Final = frozenset({TokenType.L_PAREN, TokenType.SELECT})


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
        if right.token_type == TokenType.COMMA and left.token_type in _OPENS:
            return "a comma with nothing beside it"
        if left.token_type == TokenType.COMMA and right.token_type in _NEXT_TO_COMMA:
            return "a comma with nothing beside it"
        if _number_in_letters(left, right):
            return f"{left.text}{right.text}"[:20]
    texts = {one.start for one in tokens if one.token_type == TokenType.STRING}
    return next((found for node in tree.walk() if (found := _of_node(node, texts))), None)


def _number_in_letters(left: Any, right: Any) -> bool:
    """`0o17`, which some servers take for a number, and others for one with a name."""
    kinds = (left.token_type, right.token_type)
    return kinds == (TokenType.NUMBER, TokenType.VAR) and right.start == left.end + 1


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
        if not node.this and any(isinstance(one, exp.Identifier) for one in node.columns):
            return "columns of what has no name"
    return None
