"""A natural-language-inference model that the user names: asked where the comparison is not sure.

Beside the model lie `tokenizer.json` and `config.json`, as such models are published; the latter's
`id2label` names what the model's three outputs are. Needs the extra `judge`.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from learnt.core.knowledge.relations import Relation
from learnt.errors import JudgeUnusable

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

LABELS: Final = ("entailment", "neutral", "contradiction")
SURE: Final = 0.9  # a probability from which the model is believed
MOST_TOKENS: Final = 512


class OnnxJudge:
    """Says how two statements stand to each other, by what either lets one infer of the other."""

    def __init__(
        self, session: "InferenceSession", tokenizer: "Tokenizer", order: tuple[str, ...]
    ) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._order = order
        self._inputs = [argument.name for argument in session.get_inputs()]

    def relation(self, existing: str, new: str) -> Relation | None:
        """DUPLICATE where each entails the other; None where the model is not sure.

        Raises JudgeUnusable where the model does not answer as an inference model does.
        """
        there, back = self._inferred(existing, new), self._inferred(new, existing)
        for relation, label in (
            (Relation.DUPLICATE, "entailment"),
            (Relation.CONTRADICTION, "contradiction"),
        ):
            if min(there[label], back[label]) >= SURE:
                return relation
        apart = max(there["contradiction"], back["contradiction"]) <= 1 - SURE
        differs = min(there["entailment"], back["entailment"]) <= 1 - SURE
        return Relation.DISTINCT if apart and differs else None

    def _inferred(self, premise: str, hypothesis: str) -> dict[str, float]:
        """How probable it is that the premise entails the hypothesis, denies it, or neither."""
        import numpy as np

        encoded = self._tokenizer.encode(premise, hypothesis)
        rows = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        try:
            feed = {name: np.array([rows[name]], dtype=np.int64) for name in self._inputs}
            scores = np.asarray(self._session.run(None, feed)[0], dtype=float).reshape(-1)
        except Exception as error:  # the runtime has no one class of errors
            raise JudgeUnusable(
                f"The model of [language] judge does not answer: {error}"
            ) from error
        if scores.shape != (len(self._order),):
            raise JudgeUnusable(
                f"The model of [language] judge gives {scores.size} numbers for a pair, not 3."
            )
        powers = np.exp(scores - scores.max())
        return dict(zip(self._order, (powers / powers.sum()).tolist(), strict=True))


def load(path: Path) -> OnnxJudge:
    """The judge of a model file. Raises JudgeUnusable, saying what is missing or wrong."""
    try:
        from onnxruntime import InferenceSession
        from tokenizers import Tokenizer
    except ImportError as error:
        raise JudgeUnusable(
            f"[language] judge needs {error.name}: install Learnt with the extra `judge`."
        ) from error
    for needed in (path, path.with_name("tokenizer.json"), path.with_name("config.json")):
        if not needed.is_file():
            raise JudgeUnusable(f"[language] judge: {needed} is not there.")
    order = _order(path.with_name("config.json"))
    try:
        tokenizer = Tokenizer.from_file(str(path.with_name("tokenizer.json")))
        tokenizer.enable_truncation(MOST_TOKENS)
        session = InferenceSession(str(path), providers=["CPUExecutionProvider"])
    except Exception as error:  # neither library has one class of errors
        raise JudgeUnusable(f"[language] judge: {path} cannot be read: {error}") from error
    judge = OnnxJudge(session, tokenizer, order)
    judge.relation("a", "b")  # what does not answer is told of now
    return judge


def _order(config: Path) -> tuple[str, ...]:
    """The names of the model's outputs, in their order."""
    try:
        named: dict[str, Any] = json.loads(config.read_text(encoding="utf-8"))["id2label"]
        order = tuple(named[str(at)].lower() for at in range(len(named)))
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        raise JudgeUnusable(f"[language] judge: {config} names no outputs in id2label.") from error
    if sorted(order) != sorted(LABELS):
        raise JudgeUnusable(
            f"[language] judge: {config} names the outputs {', '.join(order)}, "
            f"not {', '.join(LABELS)}: it is no inference model."
        )
    return order
