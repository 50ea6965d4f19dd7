"""A judge that says what it was told to, for tests, trials and plug-ins."""

from dataclasses import dataclass, field

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Offered
from learnt.core.knowledge.gates import Known
from learnt.core.knowledge.relations import Relation


@dataclass(slots=True)
class ScriptedJudge:
    """A judge that answers as it was told, by entry; `asked` are those it was asked about."""

    answers: dict[EntryId, Relation] = field(default_factory=dict)
    asked: list[EntryId] = field(default_factory=list)

    def relation(self, known: Known, offered: Offered) -> Relation | None:
        """What was scripted for the entry; None for any other."""
        self.asked.append(known.id)
        return self.answers.get(known.id)
