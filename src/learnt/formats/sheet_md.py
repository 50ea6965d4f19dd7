"""A piece of knowledge as a person writes it in an editor: a sentence, or parts with labels.

Problem: the proxy drops uploads
Approach: raise its body limit
Caution: restart it afterwards
"""

import re
from typing import Final

from learnt.core.records import Row

HELP: Final = """
# A sentence or two are a fact. A problem and what worked are lines of their own:
#   Problem: what went wrong, or what was to be done
#   Approach: what worked
#   Caution: what to beware of (as often as you like)
# Lines that begin with # are left out. An empty text keeps nothing.
"""
_LABEL: Final = re.compile(r"(Problem|Approach|Caution):[ \t]*(.*)", re.IGNORECASE)


class Sheet(Row):
    """What was written: a fact, or a solution's parts; empty for what is not there."""

    fact: str = ""
    problem: str = ""
    approach: str = ""
    cautions: tuple[str, ...] = ()


def written(sheet: Sheet, told: str = HELP) -> str:
    """The text that is put before a person, and what is told of it.

    >>> written(Sheet(problem="a b", approach="c d")).splitlines()[:2]
    ['Problem: a b', 'Approach: c d']
    """
    fact, problem, approach, cautions = sheet
    parts = [("", fact), ("Problem: ", problem), ("Approach: ", approach)]
    parts += [("Caution: ", caution) for caution in cautions]
    return "".join(f"{label}{text}\n" for label, text in parts if text) + told


def read(text: str) -> Sheet:
    """What a person made of it.

    >>> read("Problem: a\\nb\\n# no\\nApproach: c\\nCaution: d\\n")
    Sheet(fact='', problem='a\\nb', approach='c', cautions=('d',))
    """
    told: dict[str, list[str]] = {"fact": [""], "problem": [], "approach": [], "caution": []}
    label = "fact"
    for line in text.splitlines():
        if (labelled := _LABEL.fullmatch(line)) is not None:
            label = labelled[1].lower()
            told[label].append(labelled[2])
        elif not line.startswith("#"):
            told[label][-1] += f"\n{line}"
    fact, problem, approach, cautions = (
        [text.strip() for text in texts if text.strip()] for texts in told.values()
    )
    return Sheet("\n".join(fact), "\n".join(problem), "\n".join(approach), tuple(cautions))
