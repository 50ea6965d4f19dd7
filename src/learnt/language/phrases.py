"""For each section of a kind of data file one pattern, over all languages."""

import re
from collections.abc import Mapping
from functools import cache

from learnt.language.data import entries


@cache
def phrases(name: str) -> Mapping[str, re.Pattern[str]]:
    """The sections of a kind of data file, each as one pattern that passes over case.

    Raises EnvironmentTrouble where a file is missing, damaged or of another version.
    """
    return {
        section: re.compile("|".join(f"(?:{entry.pattern})" for entry in listed), re.IGNORECASE)
        for section, listed in entries(name).items()
        if listed
    }
