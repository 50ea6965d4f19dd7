"""A scripted text model."""

from collections.abc import Iterable

from learnt.core.governance.model_calls import Completion, Question
from learnt.errors import ModelUnusable


class ScriptedModel:
    """Gives the replies of a script, one a question; an error in it is raised.

    `asked` are the questions that it was given. Out of script it is unusable.
    """

    name = "scripted"

    def __init__(self, script: Iterable[str | Completion | BaseException] = ()) -> None:
        self._script = list(script)
        self.asked: list[Question] = []

    def complete(self, question: Question) -> Completion:
        self.asked.append(question)
        if not self._script:
            raise ModelUnusable("The script has ended. Nothing was sent.", "ended", free=True)
        reply = self._script.pop(0)
        if isinstance(reply, BaseException):
            raise reply
        if isinstance(reply, Completion):
            return reply
        return Completion(reply, False, len(question.text) // 4 + 1, len(reply) // 4 + 1)
