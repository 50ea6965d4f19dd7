"""The gates in front of every entry: rules and retrieval, no model, each with its reason.

Seed 000's five, value, alignment, redundancy, freshness and placement, and safety behind the
first. "Do nothing" is the expected answer to most of what is offered.
"""

from collections.abc import Sequence
from typing import ClassVar, Final, Literal

from learnt.core.address import Commanded, unsafe
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.admission import SHOWN, VOUCHED, WORTHLESS, Worth
from learnt.core.knowledge.drafts import LONGEST_ENTITY, Draft, normalised
from learnt.core.knowledge.entries import CREDIBILITY, CREDIBLE, Suspicion
from learnt.core.knowledge.relating import Comparison
from learnt.core.knowledge.topics import OWN, Vocabulary
from learnt.core.marked import LONGEST_OWN
from learnt.core.records import Record
from learnt.core.tokens import words

GATES: Final = ("value", "safety", "alignment", "redundancy", "freshness", "placement")
LEAST_WORDS: Final = 2
LONGEST_FACT: Final = 500
LONGEST_PROBLEM: Final = 500
LONGEST_APPROACH: Final = 2_000
MOST_CAUTIONS, LONGEST_CAUTION = 10, 500
MOST_TAGS, LONGEST_TAG = 20, 60
MOST_FILES, LONGEST_FILE = 20, 300
MOST_ENTITIES = 20
CORRECTED: Final = "corrected"
MOST_SUSPECTED: Final = 3  # of the entries near to one, the nearest
LEAST_LIKE: Final = 0.2  # of an entry that nothing is suspected of, to ask the agent about it
FLEETING: Final = frozenset({"data_range", "data_snapshot"})  # seed 000: prefer rejection

# A person may keep these for themselves: no agent is ever shown them.
HELD: Final = {
    "hidden-instruction": "it tries to command the agent that will read it",
    "forged-frame": "it looks like Learnt's own lines, or like turns of a conversation",
    "pipe-to-shell": "it runs a download unread",
    "harmful-command": "it has its reader run what harms",
}
COMMANDS: Final = frozenset({"pipe-to-shell", "harmful-command"})
REASONS: Final = {
    "no-problem": "it names no problem: two meaningful words at least",
    "no-approach": "it gives no approach: two meaningful words at least",
    "too-long": "it is too long for one entry: split it",
    "says-the-same": "the approach only repeats the problem",
    "hidden-text": "it holds characters that a reader cannot see",
    **HELD,
    "duplicate": "the same is already remembered",
    CORRECTED: "the user said which value takes the place of the old one",
    "fades-at-once": "such data changes within days: look it up when it is needed",
    **WORTHLESS,
}


Verdict = Literal["admit", "merge", "correct", "reject"]


class Admit(Record):
    """It may be remembered; a fact in its `topic`."""

    verdict: ClassVar[Verdict] = "admit"
    topic: str = ""


class Merge(Record):
    """It is one already: that one gains a confirmation."""

    verdict: ClassVar[Verdict] = "merge"
    into: EntryId


class Correct(Record):
    """A person corrects an entry in so many words; `reason` is the alignment's."""

    verdict: ClassVar[Verdict] = "correct"
    entry: EntryId
    reason: str
    topic: str = ""


class Reject(Record):
    """It stays out: the gate, and a reason's name in REASONS."""

    verdict: ClassVar[Verdict] = "reject"
    gate: str
    reason: str


Decision = Admit | Merge | Correct | Reject


class Passage(Record):
    """What one gate said, why, and about which entry."""

    gate: str
    verdict: Verdict | Literal["pass"]
    reason: str = ""
    entry: EntryId | None = None


class Neighbour(Record):
    """An entry near to a draft: a fact's text, or a solution's problem and approach.

    `here`: of the draft's scope, not of a wider one, which one project's exception does not
    correct; `persons`: validated, and a person's own, or a rule that only a person may change.
    `corrected`: the draft says "X, not Y" of what the entry says.
    """

    id: EntryId
    text: str
    approach: str = ""
    fact: bool = True
    here: bool = True
    persons: bool = False
    comparison: Comparison = Comparison()
    corrected: bool = False


class Appraisal(Record):
    """A draft by itself: who vouches for it, its `worth`, and how far it `commands` its reader.

    A person who `insisted` knows what it is worth, and no more. `own`: they are that person's own
    words. `marked`: typed behind a marker, so that it is kept whatever it is worth; `waits`: a
    person has yet to look at it, so that it speaks against nothing.
    """

    credibility: int  # thousandths
    worth: Worth
    commands: Commanded
    person: bool = False
    insisted: bool = False
    own: bool = False
    marked: bool = False
    waits: bool = False


class Ruling(Record):
    """The decision, what each gate said on the way, and what rules suspect of it, nearest first.

    `near` are the entries that the agent is asked about: those suspected, or else the nearest one.
    """

    decision: Decision
    passages: tuple[Passage, ...]
    suspects: tuple[Suspicion, ...] = ()
    near: tuple[EntryId, ...] = ()

    @property
    def doubt(self) -> str:
        """What the first gate had against it and let pass, since a person says it; else empty."""
        passed = (each for each in self.passages if each.verdict == "pass")
        return next((each.reason for each in passed if each.gate == "value"), "")


def decide(
    draft: Draft,
    by: Appraisal,
    same: EntryId | None,
    near: Sequence[Neighbour],
    kinds: Vocabulary = OWN,
) -> Ruling:
    """What becomes of a draft, by the first gate that does not let it pass.

    `same` is the entry of the same normalised text; `near` are the nearest entries, compared with
    it; `kinds` say in which layer a fact belongs. Rules merge what says the same word by word and
    only suspect the rest.
    """
    confirmed = by.person or by.credibility == CREDIBILITY["human"]
    margin = VOUCHED if confirmed else SHOWN if by.credibility >= CREDIBLE else 0.0
    passages: list[Passage] = []

    def stop(gate: str, decision: Decision, reason: str, entry: EntryId | None = None) -> Ruling:
        verdict = "pass" if decision.verdict == "admit" else decision.verdict
        passages.append(Passage(gate, verdict, reason, entry))
        return _ruling(decision, passages, near)

    junk = "" if by.marked else by.worth.rejected(margin)
    value = _without_value(draft, junk, LONGEST_OWN if by.own or by.marked else LONGEST_FACT)
    text = "\n".join(draft.texts)
    for gate, reason in (("value", value), ("safety", unsafe(text, by.commands))):
        # A person's words are kept, also where an agent picked them; those are then not injected.
        marked = by.marked and reason in COMMANDS
        vouched = marked or (by.insisted and reason in {**WORTHLESS, **HELD})
        persons = by.own and reason in WORTHLESS  # what it is worth is theirs to say
        if reason and not (vouched or (persons and words(text))):
            return stop(gate, Reject(gate, reason), reason)
        passages.append(Passage(gate, "pass", reason))
    near = () if by.waits else near
    if same is not None:
        passages.append(Passage("alignment", "pass"))
        return stop("redundancy", Merge(same), "duplicate", same)
    topic = kinds.layer(draft.kind, draft.text) if draft.is_fact else ""
    fitting = [each for each in near if each.corrected and each.here]
    if len(fitting) == 1 and (by.person or not fitting[0].persons):
        old = fitting[0].id
        return stop("alignment", Correct(old, CORRECTED, topic), CORRECTED, old)
    passages += [Passage("alignment", "pass"), Passage("redundancy", "pass")]
    if draft.kind in FLEETING and not confirmed:
        return stop("freshness", Reject("freshness", "fades-at-once"), "fades-at-once")
    passages.append(Passage("freshness", "pass", draft.kind))
    return stop("placement", Admit(topic), topic)


def _ruling(decision: Decision, passages: list[Passage], near: Sequence[Neighbour]) -> Ruling:
    """A decision with what rules suspect of a draft that is kept, and the nearest entries."""
    if isinstance(decision, Merge | Reject):
        return Ruling(decision, tuple(passages))
    but = decision.entry if isinstance(decision, Correct) else None
    here = (each for each in near if each.here and each.id != but)
    nearest = sorted(here, key=lambda each: -each.comparison.likeness)
    suspects = tuple(
        Suspicion(each.id, each.comparison.sort, each.comparison.clash)
        for each in nearest
        if each.comparison.sort
    )[:MOST_SUSPECTED]
    asked = tuple(each.other for each in suspects) or tuple(
        each.id for each in nearest[:1] if each.comparison.likeness >= LEAST_LIKE
    )
    return Ruling(decision, tuple(passages), suspects, asked)


def unfit(draft: Draft, commands: Commanded) -> str:
    """Why a text that a person vouches for can't be kept all the same; empty where it can."""
    return unsafe("\n".join(draft.texts), commands) or _without_value(draft, "")


def _without_value(draft: Draft, junk: str, longest: int = LONGEST_FACT) -> str:
    """Why it would not be worth keeping; empty where it is. `junk` is the sort that a fact is."""
    if not draft.is_fact and len(words(draft.problem)) < LEAST_WORDS:
        return "no-problem"
    if not draft.is_fact and len(words(draft.approach)) < LEAST_WORDS:
        return "no-approach"
    problem, _, approach = normalised(draft).partition("\n")
    if problem == approach and not draft.is_fact:
        return "says-the-same"
    limits = (
        ((draft.text,), 1, longest),
        (draft.entities, MOST_ENTITIES, LONGEST_ENTITY),
        ((draft.problem,), 1, LONGEST_PROBLEM),
        ((draft.approach,), 1, LONGEST_APPROACH),
        (draft.cautions, MOST_CAUTIONS, LONGEST_CAUTION),
        (draft.tags, MOST_TAGS, LONGEST_TAG),
        (draft.files, MOST_FILES, LONGEST_FILE),
        ((draft.language or "",), 1, LONGEST_TAG),
    )
    for texts, most, longest_text in limits:
        if len(texts) > most or any(len(text) > longest_text for text in texts):
            return "too-long"
    return junk if draft.is_fact else ""
