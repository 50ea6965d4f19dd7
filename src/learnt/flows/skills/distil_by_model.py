"""The engine that asks a text model: one question, and one more where its reply is no draft."""

from msgspec.structs import replace
from learnt.core.records import Record
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from learnt.core.distil.distilled import DistilledSkill
from learnt.core.distil.evidence import FailedAttempt
from learnt.core.events import Origin, Where
from learnt.core.governance.model_calls import Budget, Completion, Question
from learnt.core.identifiers import EventId
from learnt.core.payloads.skill_events import Purpose
from learnt.errors import ModelUnusable, Refused
from learnt.flows.governance.ask_model import ask
from learnt.flows.skills.distil import Drafts
from learnt.flows.skills.session_evidence import SessionLook
from learnt.formats.model_replies import Malformed, memories, question, read, repair, strange
from learnt.ports import Outside, TextModel


class Asking(Record):
    """The model that the user turned on, and what a day of it may cost."""

    outside: Outside
    model: TextModel
    budget: Budget

    def drafts(self, seen: SessionLook, failures: Sequence[FailedAttempt], where: Where) -> Drafts:
        """What it makes of a session. Where nobody answers at first the error is the caller's."""
        if not (failures or seen.successes):
            return Drafts(finding="It shows neither failures nor successes: nothing was sent.")
        # Whoever wrote a page that the session read may have had a hand in it.
        page = any(run.page for run in seen.runs)
        wanted = bool(seen.folder) and not page
        asked = question(failures, seen.successes, memories=wanted)
        made, said, calls = self.draft(asked, "distil", where)
        if isinstance(made, Malformed):
            return Drafts(calls=calls, finding=malformed(made, calls))
        found = [
            each
            for each in (memories(said) if wanted else [])
            if not strange(f"{each.title} {each.content}", asked.text)
        ]
        if made is None:
            return Drafts(calls=calls, memories=found)
        quotes = tuple(f"{each.what}: {each.why}" for each in failures)
        origin = Origin.WEB if page else Origin.ASSISTANT
        return Drafts([replace(made, quotes=quotes, origin=origin)], calls, found)

    def draft(
        self, asked: Question, purpose: Purpose, where: Where
    ) -> tuple[DistilledSkill | Malformed | None, Completion, list[EventId]]:
        """Its draft, None where it says that there is none; the last reply; the calls it took."""

        def trouble(said: Completion) -> str:
            made = _grounded(said, asked)
            return made.reason if isinstance(made, Malformed) else ""

        said, call = ask(
            self.outside, self.model, self.budget, asked, purpose, judged=trouble, where=where
        )
        made, calls = _grounded(said, asked), [call]
        if isinstance(made, Malformed):
            again = repair(asked, said.text, made)
            with suppress(ModelUnusable, Refused):  # on record; the first reply stands
                said, call = ask(
                    self.outside, self.model, self.budget, again, "repair",
                    judged=trouble, where=where,
                )  # fmt: skip
                made, calls = _grounded(said, asked), [*calls, call]
        return made, said, calls


def malformed(made: Malformed, calls: Sequence[EventId]) -> str:
    """That a reply was no draft, why, and where the failure is on record."""
    again = ", also when it was asked again" if len(calls) > 1 else ""
    return (
        f"What the model replied was malformed ({made.reason}){again}: nothing was drafted. "
        f"The failure is recorded: `learnt why {calls[-1]}`."
    )


def _grounded(said: Completion, asked: Question) -> DistilledSkill | Malformed | None:
    """The draft of a reply; malformed where it names a host that it was not told of."""
    made = read(said)
    if isinstance(made, DistilledSkill) and strange(made.text, asked.text):
        return Malformed("it names an address that the session does not")
    return made
