"""From the features of a pair to how probable each relation is: a fitted softmax of three.

The weights and the probabilities from which a verdict is sure come from `weights.json`, which
`python -m train.comparison` writes.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path
from typing import Final

from learnt.core.knowledge.relations import Relation
from learnt.errors import EnvironmentTrouble

VERSION: Final = 1
NEVER: Final = 2.0  # a probability that none reaches
Probabilities = dict[Relation, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """What a feature weighs for a duplicate and for a contradiction, against a distinct pair.

    A feature counts no further than from `low` to `high`: there the weights were fitted.
    """

    duplicate: float
    contradiction: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A fitted classifier: weights by feature, and the least probability of a sure verdict.

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
def model() -> Model:
    """The shipped classifier. Raises EnvironmentTrouble where its file is damaged or another's."""
    path = Path(__file__).with_name("weights.json")
    try:
        return parsed(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EnvironmentTrouble(f"{path} is damaged: {error}. Install Learnt anew.") from error


def parsed(text: str) -> Model:
    """The classifier of a file's text. Raises ValueError where it is none of this version."""
    try:
        data = json.loads(text)
        if data["version"] != VERSION:
            raise ValueError(f"it is of version {data['version']}, not {VERSION}")
        return Model(
            duplicate=float(data["intercept"][0]),
            contradiction=float(data["intercept"][1]),
            weights={
                name: Weight(duplicate=row[0], contradiction=row[1], low=row[2], high=row[3])
                for name, row in data["weights"].items()
            },
            sure={name: float(least) for name, least in data["sure"].items()},
        )
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"it lacks {error}") from error
