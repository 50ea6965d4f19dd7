"""Recorded prompts tried on skills: which were wanted, what one displaces, a better description.

Every other session is held out: its prompts say whether the words that the others gave are a gain.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from learnt.core.governance.proposals import CASES, Gain
from learnt.core.health.executions import Episode
from learnt.core.health.outcomes import MILLION, Trouble
from learnt.core.identifiers import ContentRef, ProposalId
from learnt.core.skills.selection import spelt
from learnt.core.skills.skills import LONGEST_DESCRIPTION, key_of
from learnt.core.tokens import Stem
from learnt.core.words import STOP_WORDS


@dataclass(slots=True, kw_only=True)
class AskedPrompt:
    """A distinct prompt, and in which session it was typed first.

    `used` are the keys of skills that were used for it or right after it, `well` those that the
    agent used for it and that were not found bad, `called` those that a person called by name: with
    it, or next where they objected to what came of it. Whether one that is called after other work
    was wanted for it nobody knows: `/commit` follows any. `over`: what became of it is known.
    """

    text: str
    session: str = ""
    over: bool = False
    used: set[str] = field(default_factory=set)
    well: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)


_OBJECTED: Final = frozenset(map(Trouble, ("interrupt", "revert", "correction", "negative")))


def joined(
    prompts: Iterable[tuple[AskedPrompt, str]],
    episodes: Iterable[Episode],
    name_of: Callable[[ContentRef], str],
) -> list[AskedPrompt]:
    """The prompts, each once, with what became of them; one typed again adds to the first.

    `prompts` and `episodes` are the oldest first, each prompt with the id that its episode has.
    """
    distinct: dict[str, AskedPrompt] = {}
    by_episode: dict[tuple[str, str], AskedPrompt] = {}
    for prompt, episode in prompts:
        by_episode[prompt.session, episode] = distinct.setdefault(prompt.text, prompt)
    last: dict[str, tuple[AskedPrompt | None, bool]] = {}
    for closed in episodes:
        own = by_episode.get((closed.session, closed.prompt)) if closed.prompt else None
        if own is not None:
            own.over = True
        for use in closed.executions:
            key, grade = key_of(name_of(use.skill)), use.outcome.grade
            if use.by == "user":
                before, objected = (own, True) if own else last.get(closed.session, (None, False))
                if before is not None and key not in before.used:
                    (before.called if objected else before.used).add(key)
            elif own is not None and use.launched:
                own.used.add(key)
                if grade is None or 2 * grade >= MILLION:
                    own.well.add(key)
        last[closed.session] = own, closed.outcome.trouble in _OBJECTED
    return list(distinct.values())


PLACES: Final = 5  # skills that an agent is offered for a prompt, unless it asks for more
EXAMPLES: Final = 2


class Replay(NamedTuple):
    """A prompt, and the keys of the skills that it is offered now and would be, best first."""

    prompt: AskedPrompt
    before: Sequence[str]
    after: Sequence[str]


class Displaced(NamedTuple):
    """A skill that would be offered less: no longer at all, or no longer first.

    `used` counts the prompts among these for which it was used, and not found bad.
    """

    name: str
    pushed_out: int
    off_first: int
    used: int
    examples: tuple[str, ...]


class Shadowing(NamedTuple):
    """What becomes of so many recorded prompts.

    The skill is offered for `enters` more of them, and no longer for `leaves`. Of the skills that
    it displaces those come first that were used.
    """

    prompts: int
    enters: int
    leaves: int
    displaced: tuple[Displaced, ...]

    @property
    def used(self) -> tuple[str, ...]:
        """The names of those that were used for a prompt for which they are displaced."""
        return tuple(skill.name for skill in self.displaced if skill.used)


def shadowing(key: str, replays: Iterable[Replay]) -> Shadowing:
    """What the skill of a key displaces.

    >>> locks = Replay(AskedPrompt(text="a lock", well={"locks"}), ["locks"], ["queues", "locks"])
    >>> shadowing("queues", [locks]).displaced[0][:4]
    ('locks', 0, 1, 1)
    """
    prompts = enters = leaves = 0
    hurt: dict[str, list[tuple[AskedPrompt, bool]]] = {}  # and whether it is out altogether
    for prompt, before, after in replays:
        prompts += 1
        enters += key in after and key not in before
        leaves += key in before and key not in after
        if key not in after:
            continue
        for name in before:
            if name != key and name not in after:
                hurt.setdefault(name, []).append((prompt, True))
        if after[0] == key and before and before[0] in after and before[0] != key:
            hurt.setdefault(before[0], []).append((prompt, False))
    displaced = []
    for name, seen in hurt.items():
        seen.sort(key=lambda row: name not in row[0].well)
        pushed_out = sum(out for _, out in seen)
        used = sum(name in prompt.well for prompt, _ in seen)
        examples = tuple(prompt.text for prompt, _ in seen[:EXAMPLES])
        displaced.append(Displaced(name, pushed_out, len(seen) - pushed_out, used, examples))
    displaced.sort(key=lambda d: (-d.used, -d.pushed_out, -d.off_first, d.name))
    return Shadowing(prompts, enters, leaves, tuple(displaced))


LEAST: Final = 4  # prompts that it was wanted for in each half; fewer show no gain
MOST_WORDS: Final = 8
CHANCE: Final = 0.1  # that what came out better did so by a coin's fall
_TELLING: Final = 1.28  # standard errors from no difference: one side, 10 %
_PRIOR: Final = 4.0  # prompts that a word's usual frequency counts for
_ADDED: Final = re.compile(r" Also for: ([^.]+)\.\Z")
_REDACTED: Final = re.compile(r"\[redacted:[^\]]*\]")


class Example(NamedTuple):
    """A prompt, and whether the skill was wanted for it: used, or called by name."""

    prompt: str
    session: str
    wanted: bool


class Tuned(NamedTuple):
    """The words that were added, and the gain; `lacking` prompts are missing to tell one."""

    description: str = ""
    words: tuple[str, ...] = ()
    gain: Gain | None = None
    lacking: int = 0

    @property
    def better(self) -> bool:
        """Whether the gain on held-out prompts is more than chance."""
        gain = self.gain
        return gain is not None and gain.found_then > gain.found and _chance(gain) <= CHANCE


class Tuning(NamedTuple):
    """What recorded prompts say of a skill's description, and what was proposed.

    The skill was used for `hits`, called by name after `misses`, and offered for `bypasses` that it
    was not used for. `status` is proposed, waits (a proposal is pending), rejected (one was, and
    the evidence has not doubled), too-few (`lacking` more prompts are needed) or no-gain.
    """

    name: str
    hits: int
    misses: int
    bypasses: int
    status: str
    lacking: int = 0
    words: tuple[str, ...] = ()
    description: str = ""
    gain: Gain | None = None
    proposal: ProposalId = ProposalId("")


def places(skills: int) -> int:
    """How many places count as offered: among few skills nearly all are in the first five.

    >>> places(3), places(12), places(400)
    (1, 3, 5)
    """
    return max(1, min(PLACES, skills // 4))


def tuned(
    description: str,
    examples: Sequence[Example],
    stem: Stem,
    offers: Callable[[str, Sequence[str]], Sequence[bool]],
) -> Tuned:
    """The description with words that tell when the skill is wanted.

    `examples` are the oldest first; `offers` says for which prompts the skill would be offered.
    """
    learnt, held = _halves(examples)
    lacking = sum(max(0, LEAST - sum(e.wanted for e in half)) for half in (learnt, held))
    if lacking:
        return Tuned(lacking=lacking)
    telling = _telling(learnt, spelt(description, stem).keys(), stem)
    new, words = _described(description, telling)
    if not words:
        return Tuned()
    prompts = [example.prompt for example in held]
    rows = zip(held, offers(description, prompts), offers(new, prompts), strict=True)
    seen = Counter((example.wanted, now, then) for example, now, then in rows)
    return Tuned(new, words, Gain(*(seen[case] for case in CASES)))


def _halves(examples: Sequence[Example]) -> tuple[list[Example], list[Example]]:
    """Every other session, alternately among those in which the skill was wanted, and the rest."""
    wanting = {example.session for example in examples if example.wanted}
    sessions = dict.fromkeys(example.session for example in examples)
    held: set[str] = set()
    for kind in (True, False):
        held.update([session for session in sessions if (session in wanting) is kind][1::2])
    halves: tuple[list[Example], list[Example]] = ([], [])
    for example in examples:
        halves[example.session in held].append(example)
    return halves


def _telling(examples: Sequence[Example], known: Collection[str], stem: Stem) -> list[str]:
    """Words that stand more often in prompts where it was wanted, the most telling first.

    By the log odds, in standard errors, with a prior that has each word as often as all prompts
    (Monroe, Colaresi and Quinn, Political Analysis 16, 2008, for prompts that have a word or not).
    """
    having: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    sessions, spellings = defaultdict(set), defaultdict[str, Counter[str]](Counter)
    for example in examples:
        for term, word in spelt(_REDACTED.sub(" ", example.prompt), stem).items():
            having[example.wanted][term] += 1
            if example.wanted:
                sessions[term].add(example.session)
                spellings[term][word] += 1
    wanted = sum(example.wanted for example in examples)
    counts = (len(examples) - wanted, wanted)

    def errors(term: str) -> float:
        usual = _PRIOR * (having[0][term] + having[1][term] + 0.5) / (len(examples) + 1)
        odds, variance = 0.0, 0.0
        for sign, count, having_it in ((-1, counts[0], having[0]), (1, counts[1], having[1])):
            has = having_it[term] + usual
            lacks = count + _PRIOR - has
            odds += sign * math.log(has / lacks)
            variance += 1 / has + 1 / lacks
        return odds / math.sqrt(variance)

    words = {}
    for term in sessions:
        word = min(spellings[term], key=lambda word: (-spellings[term][word], word))
        plain = not word.isascii() or (len(word) > 2 and not word.isdigit())
        if plain and len(sessions[term]) > 1 and term not in known and word not in STOP_WORDS:
            words[word] = errors(term)
    telling = [word for word, value in words.items() if value >= _TELLING]
    return sorted(telling, key=lambda word: (-words[word], word))[:MOST_WORDS]


def _described(description: str, words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The author's words with these behind, as many as fit, and which those are.

    >>> _described("Frees queues", ["stuck", "jam"])[0]
    'Frees queues. Also for: stuck, jam.'
    >>> _described("Frees queues. Also for: stuck, jam.", ["wait"])[0]
    'Frees queues. Also for: stuck, jam, wait.'
    """
    added = _ADDED.search(description)
    before = added[1].split(", ") if added else []
    own = (description[: added.start()] if added else description).rstrip()
    own += "" if not own or own[-1] in ".!?。！？" else "."
    for count in range(len(words), 0, -1):
        text = f"{own} Also for: {', '.join([*before, *words[:count]])}."
        if len(text) <= LONGEST_DESCRIPTION:
            return text, tuple(words[:count])
    return description, ()


def _chance(gain: Gain) -> float:
    """How likely so many of the prompts that changed are better by chance: an exact sign test."""
    better = gain.gained + gain.spared
    changed = better + gain.lost + gain.bothered
    ways = sum(math.comb(changed, count) for count in range(better, changed + 1))
    return math.ldexp(ways, -changed)
