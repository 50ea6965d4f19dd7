"""An embedder on a server: its texts pass the model's door, within the day's budget."""

import json
from collections.abc import Callable, Sequence

from learnt.core.governance.model_calls import Budget, Question
from learnt.core.recall.vectors import SPREAD, Vector
from learnt.errors import EmbedderUnusable, ModelUnusable, Refused, UsageError
from learnt.flows.governance.ask_model import ask, fitting
from learnt.ports import Outside, TextModel


class PaidEmbedder:
    """Asks a model whose reply to a JSON list of texts is a JSON list of vectors.

    `wired` gives the model and what a day may cost, or raises why there is none.
    """

    def __init__(
        self, outside: Outside, name: str, wired: Callable[[], tuple[TextModel, Budget]]
    ) -> None:
        self._outside, self.name, self._wired = outside, name, wired
        self.spread = SPREAD

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Sequence[Vector]:
        """A vector for each text, without the secrets in it. Raises EmbedderUnusable."""
        sent = json.dumps([fitting(text) for text in texts], ensure_ascii=False)
        recorded = f"the vectors of {len(texts)} texts"
        asked = Question("", sent, most_tokens=0, recorded=recorded)
        try:
            said, _ = ask(self._outside, *self._wired(), asked, "embed")
            return [list(map(float, vector)) for vector in json.loads(said.text)]
        except (ModelUnusable, Refused, UsageError) as error:
            raise EmbedderUnusable(str(error)) from error
        except (ValueError, TypeError) as error:
            raise EmbedderUnusable(f"{self.name} gave no vectors: {error}") from error
