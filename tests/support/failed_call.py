"""A word put where failures leave it: the line of a cure, and the report of a call that failed."""

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.knowledge.drafts import Draft
from learnt.flows.knowledge.capture import Offer, capture
from learnt.settings import Settings
from tests.support.homes import Home


def in_a_failure(home: Home, word: str) -> None:
    """A cure that keeps the line of its failure, and the failure that comes again."""
    error = f"E   ModuleNotFoundError: No module named '{word}'"
    cure = Draft(problem="The importer fails", approach="Install its extra", signs=(error,))
    with opened(Settings(home=home.path)) as outside:
        capture(outside, Offer(what=cure, actor=Actor.HUMAN, folder=str(home.project)))
    told = home.payload("PostToolUseFailure", error=error, tool_use_id="x1")
    home.fire("PostToolUseFailure", {**told, "tool_input": {"command": word}})
