"""What a draft of a skill says around its note: in the note's own language."""

import re
from collections.abc import Mapping
from functools import cache

from learnt.language.data import by_language, union


def draft_words(text: str) -> Mapping[str, str]:
    """The headings and sentences of a draft in the language that a text is in; else in English.

    >>> draft_words("the build fails")["origin"], draft_words("der Build schlägt fehl")["origin"]
    ('Origin', 'Herkunft')
    >>> draft_words("数据库死锁")["problem"], draft_words("x")["draft"]
    ('问题', 'Auto-derived draft')
    """
    return max(_wordings(), key=lambda wording: len(wording[0].findall(text)))[1]


@cache
def _wordings() -> list[tuple[re.Pattern[str], Mapping[str, str]]]:
    """By what each language is known, and its words; first the one for texts of no other."""
    told = sorted(by_language("drafts"), key=lambda sections: "else" not in sections)
    words = ({name: rows[0].pattern for name, rows in each.items() if rows} for each in told)
    return list(zip((union(each["speaks"]) for each in told), words, strict=True))
