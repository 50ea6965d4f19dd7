"""The sorts of statement that nobody needs weeks later. How they are told apart is in `value`."""

from typing import Final

WORTHLESS: Final[dict[str, str]] = {
    "says-nothing": "it says nothing: two meaningful words at least",
    "session": "it tells what was done in a session, not what holds afterwards",
    "transient": "it holds only now, and is out of date in some days",
    "general": "it is general knowledge, true of any project",
    "vague": "it is vague: nothing in it can be acted on",
    "plan": "it is a plan or an open question, not a fact",
    "speculation": "it is a guess that nobody verified",
    "output": "it is the raw output of a program, without what it means",
    "praise": "it is courtesy, and says nothing about the project",
    "instruction": "it is an order to whoever reads it, not knowledge",
    "obvious": "it is evident from the names in it",
}
VOUCHED: Final = 2.0  # how far what a tool call or a person vouches for may speak for junk
