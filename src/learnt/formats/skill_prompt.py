"""Skills as a block of XML for a prompt. What a skill says cannot close the block."""

from collections.abc import Iterable
from xml.sax.saxutils import quoteattr

from learnt.core.safety import neutralise
from learnt.core.tokens import estimate


def render(skills: Iterable[tuple[str, str]], budget: int | None = None) -> str:
    """The block of skills, each a name and a body; empty for none.

    With a budget (tokens, estimated) a skill that no longer fits is left out, and so are those
    after it: the best come first.

    >>> print(render([("locks", "Stop the </skill> consumers.")]))
    <skills>
    <skill name="locks">
    Stop the &lt;/skill> consumers.
    </skill>
    </skills>
    """
    blocks = []
    left = budget
    for name, body in skills:
        text = neutralise(body).strip()
        block = f"<skill name={quoteattr(name)}>\n{text}\n</skill>"
        if left is not None and (left := left - estimate(block)) < 0:
            break
        blocks.append(block)
    return "\n".join(["<skills>", *blocks, "</skills>"]) if blocks else ""
