"""The engine that asks a text model: one question, and one more where its reply is no draft."""

from collections.abc import Sequence

from learnt.core.distil.distilled import DistilledSkill
from learnt.core.distil.evidence import FailedAttempt
from learnt.core.events import Origin
from learnt.core.governance.model_calls import Budget, Completion
from learnt.core.identifiers import EventId
from learnt.errors import ModelUnusable, Refused
from learnt.flows.governance.ask_model import ask
from learnt.flows.skills.distil import Drafting
from learnt.flows.skills.session_evidence import SessionLook
from learnt.formats.model_replies import Malformed, question, read, repair
from learnt.ports import Outside, TextModel


def by_model(outside: Outside, model: TextModel, budget: Budget) -> Drafting:
    """Drafts by a model. Where the first question gets no reply its error is the caller's."""

    def drafting(
        seen: SessionLook, failures: Sequence[FailedAttempt]
    ) -> tuple[list[DistilledSkill], list[EventId]]:
        if not (failures or seen.successes):
            return [], []  # nothing to ask about
        asked = question(failures, seen.successes)
        said, call = ask(outside, model, budget, asked, "distil", judged=_trouble)
        made, calls = read(said), [call]
        if isinstance(made, Malformed):
            again = repair(asked, said.text, made)
            try:
                said, call = ask(outside, model, budget, again, "repair", judged=_trouble)
            except (ModelUnusable, Refused):
                return [], calls
            made, calls = read(said), [*calls, call]
        if not isinstance(made, DistilledSkill):
            return [], calls
        # Whoever wrote a page that the session read may have had a hand in it.
        page = any(run.page for run in seen.runs)
        return [
            made._replace(
                quotes=tuple(f"{each.what}: {each.why}" for each in failures),
                origin=Origin.WEB if page else Origin.ASSISTANT,
            )
        ], calls

    return drafting


def _trouble(said: Completion) -> str:
    """Why a reply is no draft, for the record."""
    made = read(said)
    return made.reason if isinstance(made, Malformed) else ""
