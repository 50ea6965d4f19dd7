"""What waits for a person in `review`: its sorts, what may be decided, and what it is worth."""

from enum import IntEnum, StrEnum
from typing import Final

from learnt.core.governance.proposals import ProposalKind
from learnt.core.records import Record


class ReviewSort(StrEnum):
    """What kind of thing waits. Of things that are worth the same the first sort comes first."""

    REGRESSION = "regression"  # a skill's new text that did no better than the one before
    DISPUTE = "dispute"  # two entries that may not hold together
    EDIT = "edit"  # an accepted file that was edited outside
    DRAFT = "draft"  # a new skill
    SKILL = "skill"  # another text for a skill that is there, or its retirement
    ROUTE = "route"
    RULE = "rule"  # one that keeps being recalled, for a file of instructions
    TOPIC = "topic"
    IMPORT = "import"  # the candidates of one import
    CANDIDATE = "candidate"
    STALE = "stale"  # validated, and not to be relied on as it stands
    RULES = "rules"  # a person's own notes that read as standing rules
    AS_IT_STANDS = "as-it-stands"  # a person's own words that the gates doubted


class ReviewChoice(StrEnum):
    """What a person may decide on something that waits."""

    ACCEPT = "accept"  # it counts: a dispute's side, a candidate, what went stale, a proposal
    REJECT = "reject"  # it does not: retired, or turned down
    BOTH = "both"  # the two sides of a dispute hold
    EDIT = "edit"  # its text is rewritten
    MERGE = "merge"  # one of two entries takes the other's place
    ROLL_BACK = "roll-back"
    KEEP = "keep"
    INVESTIGATE = "investigate"


SORT_OF: Final = {
    ProposalKind.NEW_SKILL: ReviewSort.DRAFT,
    ProposalKind.ROUTING: ReviewSort.ROUTE,
    ProposalKind.RULE: ReviewSort.RULE,
    ProposalKind.TOPIC: ReviewSort.TOPIC,
    ProposalKind.OUTSIDE_EDIT: ReviewSort.EDIT,
}
"""What a proposal waits as; of the other kinds as `SKILL`."""


class ReviewSigns(Record):
    """What speaks for looking at something soon; the counts are of the last thirty days.

    `given`: how often agents were given it. `wanted`: how many prompts it bore on and was not given
    to, or found nothing and are why it was proposed. `argued`: what was said for a side.
    `moved`: the text that it would change is another one by now.
    """

    given: int = 0
    wanted: int = 0
    argued: int = 0
    moved: bool = False


class _Rank(IntEnum):
    LAST = 0
    RULES = 1
    WAITS = 2  # nothing rests on it yet
    DOUBTED = 3  # it is in use, and one of two sides is wrong
    IN_USE = 4  # agents work by it now, and it may be wrong


_RANK: Final = 1_000_000
_ARGUED, _WANTED, _GIVEN = 1_000, 10, 1  # points


def worth(sort: ReviewSort, signs: ReviewSigns) -> int:
    """How much it is worth to look at something now: a whole number, more for what is worse.

    First comes what agents work by and may be wrong: a regression, an edit of an accepted file, a
    proposal whose file changed meanwhile, and a dispute or stale fact that was given lately. Then
    other disputes, then what nothing rests on yet, then a person's notes that read as rules, and at
    the end what a person said and was kept as it stands. Within these an argument weighs a thousand
    points, a prompt that waits ten, a recall one.

    >>> lately = ReviewSigns(given=2)
    >>> worth(ReviewSort.DISPUTE, lately), worth(ReviewSort.CANDIDATE, ReviewSigns(wanted=3))
    (4000002, 2000030)
    """
    points = _ARGUED * signs.argued + _WANTED * signs.wanted + _GIVEN * signs.given
    return _rank(sort, signs) * _RANK + min(points, _RANK - 1)


_ALWAYS: Final = {
    ReviewSort.AS_IT_STANDS: _Rank.LAST,
    ReviewSort.RULES: _Rank.RULES,
    ReviewSort.REGRESSION: _Rank.IN_USE,
    ReviewSort.EDIT: _Rank.IN_USE,
}


def _rank(sort: ReviewSort, signs: ReviewSigns) -> _Rank:
    if sort in _ALWAYS:
        return _ALWAYS[sort]
    if signs.given if sort in {ReviewSort.DISPUTE, ReviewSort.STALE} else signs.moved:
        return _Rank.IN_USE
    return _Rank.DOUBTED if sort is ReviewSort.DISPUTE else _Rank.WAITS
