"""The engine that asks a text model: one question, and one more where its reply is no draft."""

from collections.abc import Sequence
from dataclasses import dataclass

from learnt.core.distil.distilled import DistilledSkill
from learnt.core.distil.evidence import FailedAttempt
from learnt.core.distil.extraction import Extract
from learnt.core.events import Origin, Where
from learnt.core.governance.model_calls import Budget, Completion, Question
from learnt.core.identifiers import EventId
from learnt.core.payloads.distil_events import Purpose
from learnt.errors import ModelUnusable, Refused
from learnt.flows.governance.ask_model import ask
from learnt.flows.skills.distil import Drafts
from learnt.flows.skills.session_evidence import SessionLook
from learnt.formats.model_replies import (
    Malformed,
    memories,
    memories_wanted,
    question,
    read,
    repair,
)
from learnt.ports import Outside, TextModel


@dataclass(frozen=True)
class Asking:
    """The model that the user turned on, and what a day of it may cost."""

    outside: Outside
    model: TextModel
    budget: Budget

    def drafts(self, seen: SessionLook, failures: Sequence[FailedAttempt], where: Where) -> Drafts:
        """What it makes of a session. Where nobody answers at first the error is the caller's."""
        if not (failures or seen.successes):
            return Drafts()  # nothing to ask about
        asked = question(failures, seen.successes)
        made, calls = self.draft(asked, "distil", where)
        if isinstance(made, Malformed):
            return Drafts(calls=calls)
        # Whoever wrote a page that the session read may have had a hand in it.
        page = any(run.page for run in seen.runs)
        found: list[Extract] = []
        if seen.folder and not page:
            found, more = self._memories(memories_wanted(asked), where)
            calls += more
        if made is None:
            return Drafts(calls=calls, memories=found)
        quotes = tuple(f"{each.what}: {each.why}" for each in failures)
        origin = Origin.WEB if page else Origin.ASSISTANT
        return Drafts([made._replace(quotes=quotes, origin=origin)], calls, found)

    def _memories(self, asked: Question, where: Where) -> tuple[list[Extract], list[EventId]]:
        try:
            said, call = ask(
                self.outside, self.model, self.budget, asked, "extract",
                judged=lambda said: _reason(memories(said)), where=where,
            )  # fmt: skip
        except (ModelUnusable, Refused):
            return [], []  # on record; what was drafted stands
        made = memories(said)
        return ([] if isinstance(made, Malformed) else made), [call]

    def draft(
        self, asked: Question, purpose: Purpose, where: Where
    ) -> tuple[DistilledSkill | Malformed | None, list[EventId]]:
        """Its draft, None where it says that there is none to make; and the calls it took."""
        said, call = ask(
            self.outside, self.model, self.budget, asked, purpose, judged=_trouble, where=where
        )
        made, calls = read(said), [call]
        if isinstance(made, Malformed):
            again = repair(asked, said.text, made)
            try:
                said, call = ask(
                    self.outside, self.model, self.budget, again, "repair",
                    judged=_trouble, where=where,
                )  # fmt: skip
            except (ModelUnusable, Refused):
                return made, calls
            made, calls = read(said), [*calls, call]
        return made, calls


def _trouble(said: Completion) -> str:
    """Why a reply is no draft, for the record."""
    return _reason(read(said))


def _reason(made: object) -> str:
    """What is wrong with what was read, if anything."""
    return made.reason if isinstance(made, Malformed) else ""
