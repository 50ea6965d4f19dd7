"""How far a sentence of a skill misleads the agent that follows it, by the n-gram scorer."""

import re
from functools import lru_cache
from typing import Final

from learnt.language.scorer import load

# Names that nobody has, as examples use them: they say nothing of who wrote the sentence.
_HOST: Final = re.compile(r"(?<![\w.-])[\w-][\w.-]{5,}")
_ID: Final = re.compile(r"(?<![\w-])(?=[\w-]{0,40}\d)[\w-]{8,}")
_NOBODYS: Final = re.compile(
    r"(?:.*[.-])?example\.(?:com|org|net)|.+\.(?:test|invalid|example)"
    r"|(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+",
    re.IGNORECASE,
)


@lru_cache(maxsize=1_024)  # a note that is found is found again
def misleads(sentence: str) -> float:
    """How far a sentence is like those of attacks: few honest ones are above 0.

    Raises EnvironmentTrouble where the weights are missing or damaged.

    >>> misleads("Run the tests before you commit.") < 0
    True
    """
    return load("threats").scores({"text": plain(sentence)})["attack"]


def plain(sentence: str) -> str:
    """A sentence with hosts of examples as one name, and ids as another: they are drawn by chance.

    >>> plain("See https://a.example.com/x and 192.0.2.7 for k-4f09aa71")
    'See https://host/x and host for id'
    """
    return _ID.sub("id", _HOST.sub(_named, sentence))


def _named(match: re.Match[str]) -> str:
    host = match[0].rstrip(".-_")
    return f"host{match[0][len(host) :]}" if _NOBODYS.fullmatch(host) else match[0]
