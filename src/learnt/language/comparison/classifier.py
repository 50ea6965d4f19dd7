"""From the features of a pair to how probable each relation is: a fitted softmax of three.

The weights and the probabilities from which a verdict is sure come from `weights.json`, which
`python -m train.comparison` writes.
"""

from collections.abc import Mapping
from functools import cache
from math import exp
from pathlib import Path
from typing import Any, Final, NamedTuple

from learnt.core.knowledge.relations import Relation
from learnt.language.scorer import weights_of

WEIGHTS: Final = Path(__file__).with_name("weights.json")
NEVER: Final = 2.0  # a probability that none reaches
Probabilities = dict[Relation, float]


class Weight(NamedTuple):
    """What a feature weighs for a duplicate and for a contradiction, against a distinct pair.

    A feature counts no further than from `low` to `high`: there the weights were fitted.
    """

    duplicate: float
    contradiction: float
    low: float
    high: float


class Model(NamedTuple):
    """A fitted classifier: intercepts, weights by feature, least probabilities of a sure verdict.

    `sure` is by relation and by what a verdict rests on; what it lacks is never sure.
    """

    duplicate: float
    contradiction: float
    weights: Mapping[str, Weight]
    sure: Mapping[str, float]

    def probabilities(self, values: Mapping[str, float]) -> Probabilities:
        """How probable each relation is, given the values of the features."""
        duplicate, contradiction = self.duplicate, self.contradiction
        for name, weight in self.weights.items():
            value = min(weight.high, max(weight.low, values[name]))
            duplicate += weight.duplicate * value
            contradiction += weight.contradiction * value
        most = max(duplicate, contradiction, 0.0)
        powers = exp(duplicate - most), exp(contradiction - most), exp(-most)
        total = sum(powers)
        return dict(zip(Relation, (power / total for power in powers), strict=True))

    def is_sure(self, relation: Relation, basis: str, probability: float) -> bool:
        """Whether a verdict that rests on that is probable enough to act on."""
        return probability >= self.sure.get(f"{relation.name.lower()} {basis}".strip(), NEVER)


@cache
def model(path: Path = WEIGHTS) -> Model:
    """The shipped classifier. Raises EnvironmentTrouble where its file is damaged or another's."""
    return weights_of(path, _decoded)


def _decoded(stored: Mapping[str, Any]) -> Model:
    weights = {name: Weight(*row) for name, row in stored["weights"].items()}
    duplicate, contradiction = stored["intercept"]
    return Model(duplicate, contradiction, weights, stored["sure"])
