"""How far a sentence of a skill misleads the agent that follows it, by the n-gram scorer."""

import re
from typing import Final

from learnt.language.scorer import load

# Names that nobody has, as examples use them: they say nothing of who wrote the sentence.
_NOBODYS: Final = re.compile(
    r"[\w.-]*\bexample\.(?:com|org|net)|[\w-]+(?:\.[\w-]+)*\.(?:test|invalid|example)\b"
    r"|\b(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+",
    re.IGNORECASE,
)


def misleads(sentence: str) -> float:
    """How far a sentence is like those of attacks: few honest ones are above 0.

    Raises EnvironmentTrouble where the weights are missing or damaged.

    >>> misleads("Run the tests before you commit.") < 0
    True
    """
    return load("threats").scores({"text": plain(sentence)})["attack"]


def plain(sentence: str) -> str:
    """A sentence with hosts of examples as one name.

    >>> plain("See https://a.example.com/x and 192.0.2.7")
    'See https://host/x and host'
    """
    return _NOBODYS.sub("host", sentence)
