"""An entry that the coin may hold back: an agent offered it, and a person validated it."""

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Stage
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.knowledge.standing import stage_by_hand
from learnt.settings import Settings
from tests.support.homes import APPROACH, PROBLEM, Home


def vouched(home: Home) -> EntryId:
    """The home's usual solution, by those two."""
    what = Draft(problem=PROBLEM, approach=APPROACH)
    offer = Offer(what=what, actor=Actor.AGENT, folder=str(home.project))
    with opened(Settings(home=home.path)) as outside:
        name = capture(outside, offer).entry
        return stage_by_hand(outside, name, Actor.HUMAN, Stage.VALIDATED).id
