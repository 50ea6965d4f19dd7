"""A piece of knowledge as a person writes it in an editor: a sentence, or parts with labels.

Problem: the proxy drops uploads
Approach: raise its body limit
Caution: restart it afterwards
"""

import re
from typing import Final

from learnt.core.knowledge.drafts import Draft

HELP: Final = """
# A sentence or two are a fact. A problem and what worked are lines of their own:
#   Problem: what went wrong, or what was to be done
#   Approach: what worked
#   Caution: what to beware of (as often as you like)
# Lines that begin with # are left out. An empty text keeps nothing.
"""
_LABEL: Final = re.compile(r"(Problem|Approach|Caution):[ \t]*(.*)", re.IGNORECASE)


def written(sheet: Draft, help_text: str = HELP) -> str:
    """The text that is put before a person, and how it is to be written.

    >>> written(Draft(problem="a b", approach="c d")).splitlines()[:2]
    ['Problem: a b', 'Approach: c d']
    """
    parts = [("", sheet.text), ("Problem: ", sheet.problem), ("Approach: ", sheet.approach)]
    parts += [("Caution: ", caution) for caution in sheet.cautions]
    return "".join(f"{label}{text}\n" for label, text in parts if text) + help_text


def read(text: str) -> Draft:
    """What a person made of it.

    >>> read("Problem: a\\nb\\n# no\\nApproach: c\\nCaution: d\\n").problem
    'a\\nb'
    """
    parts: dict[str, list[str]] = {"text": [""], "problem": [], "approach": [], "caution": []}
    label = "text"
    for line in text.splitlines():
        if (labelled := _LABEL.fullmatch(line)) is not None:
            label = labelled[1].lower()
            parts[label].append(labelled[2])
        elif not line.startswith("#"):
            parts[label][-1] += f"\n{line}"
    fact, problem, approach, cautions = (
        [part.strip() for part in several if part.strip()] for several in parts.values()
    )
    return Draft(
        text="\n".join(fact),
        problem="\n".join(problem),
        approach="\n".join(approach),
        cautions=tuple(cautions),
    )
