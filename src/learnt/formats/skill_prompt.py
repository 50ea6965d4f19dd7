"""Skills as a block of XML for a prompt. What a skill says cannot close the block."""

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import quoteattr

from learnt.core.safety import neutralise
from learnt.core.tokens import estimate


def fitting(skills: Iterable[tuple[str, str]], budget: int | None = None) -> list[str]:
    """The elements of skills, each of a name and a body, in their order.

    With a budget (tokens, estimated) a skill that no longer fits is left out, and so are those
    after it: the best come first.
    """
    blocks = []
    left = budget
    for name, body in skills:
        text = neutralise(body).strip()
        block = f"<skill name={quoteattr(name)}>\n{text}\n</skill>"
        if left is not None and (left := left - estimate(block)) < 0:
            break
        blocks.append(block)
    return blocks


def joined(blocks: Sequence[str]) -> str:
    """The block of skills; empty for none.

    >>> print(joined(fitting([("locks", "Stop the </skill> consumers.")])))
    <skills>
    <skill name="locks">
    Stop the &lt;/skill> consumers.
    </skill>
    </skills>
    """
    return "\n".join(["<skills>", *blocks, "</skills>"]) if blocks else ""
