"""The agents that Learnt works beside, in the order in which they are named."""

from typing import Final

from learnt.formats.agents.claude_code import CLAUDE_CODE
from learnt.formats.agents.codex import CODEX
from learnt.formats.agents.cursor import CURSOR
from learnt.formats.agents.dialects import Dialect
from learnt.formats.agents.gemini_cli import GEMINI_CLI
from learnt.formats.agents.opencode import OPENCODE

DIALECTS: Final = (CLAUDE_CODE, CODEX, GEMINI_CLI, OPENCODE, CURSOR)
BY_NAME: Final = {dialect.name: dialect for dialect in DIALECTS}
_BY_ID: Final = {dialect.id: dialect for dialect in DIALECTS}


def dialect_of(agent: str) -> Dialect:
    """The dialect of a session's agent; Claude Code's for one that nobody knows.

    >>> dialect_of("gemini-cli").title, dialect_of("import").title
    ('Gemini CLI', 'Claude Code')
    """
    return _BY_ID.get(agent, CLAUDE_CODE)
