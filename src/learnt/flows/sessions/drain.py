"""The spool is emptied into the ledger: each file exactly once, none lost on the way."""

from msgspec.structs import replace

from learnt.core.governance.actors import BY_FILE
from learnt.core.marked import MarkedText, refusal
from learnt.core.records import encode
from learnt.core.sessions.observations import Observation
from learnt.flows.health.closing import measured
from learnt.flows.knowledge.quoting import keep_prompt
from learnt.flows.plans import PATIENT_LOOKS
from learnt.flows.sessions.answer import Untold, completed
from learnt.flows.sessions.locate import is_off
from learnt.flows.sessions.observe import report
from learnt.formats.agents.dialects import NOTHING, PROMPT, joined
from learnt.formats.agents.transcripts import typed
from learnt.ports import Outside

BATCH = 20


def drain(outside: Outside, most: int = 10_000, untold: Untold | None = None) -> int:
    """Take in at most so many waiting observations; how many left the spool.

    A file goes once it is on the disk, unreadable ones aside; `untold` gets what became of wishes.
    """
    taken = 0
    untold = {} if untold is None else untold
    while taken < most:
        names = outside.spool.waiting(min(BATCH, most - taken))
        if not names:
            break
        readable = {name for name in names if _taken_in(outside, name, untold)}
        outside.ledger.settle()
        for name in names:
            leave = outside.spool.done if name in readable else outside.spool.set_aside
            leave(name)
        taken += len(names)
    return taken


def _save_marked(outside: Outside, observation: Observation, untold: Untold) -> None:
    """Save what a prompt marked to be remembered while no worker answered: each once."""
    from learnt.flows.knowledge.remembering import save  # few reports need it
    from learnt.formats.saved import told_of

    marked = (MarkedText(*each) for each in observation.marked)
    refused: list[str] = []
    held = [each for each in marked if refusal(each.text, each.text) == ("", "")]
    outcome = told_of(save(outside, observation, held, refused), refused)
    if outcome != NOTHING:
        session = observation.session
        untold[session] = joined(untold.get(session, NOTHING), outcome)


# What an observation nobody foresaw may raise; anything else is the ledger's and stops the drain.
_NONSENSE = (ValueError, TypeError, KeyError, ArithmeticError, RecursionError)


def _taken_in(outside: Outside, name: str, untold: Untold) -> bool:
    """Take one observation in; False where the file holds none, or one that makes no sense."""
    try:
        observation = outside.spool.read(name)
        if observation is not None:
            # Whoever wrote the file is gone: what it says of itself was seen by nobody.
            observation, _ = completed(outside, observation)
            if is_off(outside, observation.folder):
                return True
            observation = replace(measured(outside, observation), seen=encode(BY_FILE))
            with outside.ledger.told(BY_FILE):
                own = observation.marked and not observation.subagent
                if own and typed(observation.excerpt):
                    _save_marked(outside, observation, untold)
                if observation.excerpt and observation.event == PROMPT:
                    keep_prompt(outside, observation, observation.excerpt)
                report(outside, observation, waited=True, looks=PATIENT_LOOKS)
    except _NONSENSE:
        return False
    return observation is not None
