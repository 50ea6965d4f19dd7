"""Patterns that are compiled when a text first needs them: the hook runs once for each prompt.

Standard library only: a copy of this file lies beside the hook.
"""

import re

TYPE_CHECKING = False  # the module that has it takes the hook long to import
if TYPE_CHECKING:
    late = re.compile
else:

    class late:  # stands for `re.compile`
        """What `re.compile` gives, made by the first use."""

        def __init__(self, *words):
            self._words = words

        def __getattr__(self, name):
            compiled = re.compile(*self._words)
            for each in ("match", "search", "fullmatch", "finditer", "findall", "split", "sub"):
                setattr(self, each, getattr(compiled, each))
            return getattr(compiled, name)


_GROUPS: "dict[str, list[list[str]]]" = {}


def may_hold(lower: str, needs: str) -> bool:
    """Whether a text in lower case has one word of each group, without which nothing matches.

    >>> may_hold("login -p x", "login auth & -p -n"), may_hold("login", "login auth & -p -n")
    (True, False)
    """
    groups = _GROUPS.get(needs)
    if groups is None:
        groups = [group.split(" ") for group in needs.split(" & ")] if needs else []
        _GROUPS[needs] = groups
    for group in groups:  # loops, since every rule asks this of every text
        for word in group:
            if word in lower:
                break
        else:
            return False
    return True
