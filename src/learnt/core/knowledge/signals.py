"""What a call's result says of an entry, by rules: seed 000's hard and soft signals.

A domain reads a result and says what it saw; whether that speaks for an entry or against it, and
how strongly, is decided here alone. Where it is not clear nothing is said.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, assert_never

from learnt.core.knowledge.numbers import parts_in, set_equal
from learnt.core.records import Record
from learnt.core.words import SIGNS

TOLERANCE: Final = 0.05
_DUST: Final = 1e-9  # of binary fractions: 105 is within 5 % of 100
_QUOTED: Final = re.compile(
    r"'([^'\n]{1,60})'|\"([^\"\n]{1,60})\"|`([^`\n]{1,60})`|“([^”\n]{1,60})”|「([^」\n]{1,60})」"
)
_CODES: Final = re.compile(r"(?<![\w.])(\d{1,9})\s*[=＝]")
_CAPITALS: Final = re.compile(rf"[A-Z][A-Z0-9_]+(?:(?: ?[,/|、] ?|{SIGNS['or']})[A-Z][A-Z0-9_]+)+")
_WORD: Final = re.compile(r"[A-Z][A-Z0-9_]+")
_CLAUSE_ENDS: Final = re.compile(rf"[;:,!?，；：。！？]|\.(?=\s|$)|{SIGNS['clause ends']}")
LEAST_LISTED: Final = 2  # values that make a list of them


class _OfEntries(Record, kw_only=True):
    """Which entries a signal speaks of: those of some `kinds`.

    Without `entities` it speaks of all that the call was about. With `naming` it speaks only of
    entries that name one of these: of what was not there, or of the column that was counted.
    """

    kinds: tuple[str, ...]
    entities: tuple[str, ...] = ()
    naming: tuple[str, ...] = ()


class Worked(_OfEntries, kw_only=True):
    """A call that used what it names went well, or failed because of it.

    With `of_parts` it says nothing of an entry that names no `whole.part`: that a table is there is
    not what is said of it. `equal` are the parts that the call set equal, by two: of an entry whose
    text sets parts of two wholes equal it says nothing unless the call did so too. None where that
    is not looked at.
    """

    good: bool
    of_parts: bool = False
    equal: tuple[tuple[str, str], ...] | None = None


class Measured(_OfEntries, kw_only=True):
    """A number was found, in seconds, bytes, parts of 1 or whatever its `measure` has for a base.

    The measures are those of `numbers`; most numbers have none. With `saying` it is
    compared only with an entry whose text holds one of these words: of which number it is. With
    `under` it is the number of things with one value, which the text must name, and no other value
    beside it. `reads` gives the numbers of this sort in a text, where not any number is of it.
    """

    value: float
    measure: str = ""
    saying: tuple[str, ...] = ()
    under: str = ""
    reads: Callable[[str], Sequence[float]] | None = None


class FoundNone(_OfEntries, kw_only=True):
    """What was asked for by one `value` of a list of values was not there."""

    value: str


class Shaped(Record, kw_only=True):
    """A thing was seen with all of its parts: a table with its columns.

    What is not `firm` may have more parts than were seen: it confirms, and says nothing against.
    """

    whole: str
    parts: tuple[str, ...]
    kinds: tuple[str, ...]
    firm: bool = True


Signal = Worked | Measured | FoundNone | Shaped


class Vote(Record):
    """What a signal says of an entry: for it or against it, and whether by a hard check."""

    good: bool
    hard: bool


class Spoken(Record):
    """The entry that is spoken of; `shown`: it was put before the agent by then."""

    kind: str
    text: str
    names: tuple[str, ...]
    shown: bool = False


def vote(signal: Signal, of: Spoken, about: Iterable[str], prompts: Iterable[str]) -> Vote | None:
    """What a signal says of an entry; None where it is another's, or not clear.

    `about` is what the call was about, `prompts` what the person said so far.

    >>> pays = Spoken(kind="payoff", text="arm-3 pays 0.60 a pull", names=("arm-3",))
    >>> vote(Measured(value=0.61, kinds=("payoff",)), pays, ["arm-3"], [])
    Vote(good=True, hard=True)
    """
    if of.kind not in signal.kinds:
        return None
    if isinstance(signal, Shaped):
        named = bool(_own_parts(signal, of)) or names_all(of.names, _every_name(signal))
        if not named or _elsewhere(signal, of, about):
            return None
    elif not names_all(of.names, signal.entities or about) or (
        signal.naming and not _culprits(signal, of)
    ):
        return None
    match signal:
        case Worked():
            return _went(signal, of, about)
        case Measured():
            return _compared(signal, of)
        case FoundNone(value=value):
            return _missed(value, of, prompts)
        case Shaped():
            return _fits(signal, of)
        case _:
            assert_never(signal)


def _culprits(signal: Worked | Measured | FoundNone, of: Spoken) -> set[str]:
    """The names of an entry that a signal is about most of all.

    A part by itself is one beside its whole. What is not there is not what is written otherwise:
    to many a server `createdAt` is `createdat` only in quotes.
    """
    exact = isinstance(signal, Worked) and not signal.good
    fold = str if exact else str.casefold
    own, needed = set(map(fold, of.names)), set(map(fold, signal.naming))
    beside = {f"{whole}.{part}" for whole in own for part in own} & needed
    parts = {name.rpartition(".")[2] for name in beside}
    alone = {
        name for name in own & needed if "." in name or not any("." in other for other in needed)
    }
    return alone | (own & parts)


def names_all(names: Iterable[str], named: Iterable[str]) -> bool:
    """Whether everything that an entry is about is among what was named; never, if about nothing.

    A part by itself is among it where its whole is another of the names.

    >>> names_all(["T_Room"], ["t_room", "t_hotel"]), names_all(["a", "b"], ["a"])
    (True, False)
    >>> names_all(["actor", "name"], ["film", "actor", "actor.name"])
    True
    """
    own, there = set(map(str.casefold, names)), set(map(str.casefold, named))
    left = own - there
    return bool(own) and all(any(f"{whole}.{part}" in there for whole in own) for part in left)


def _went(signal: Worked, of: Spoken, about: Iterable[str]) -> Vote | None:
    """A failure blames what the entry does not warn of; success needs all of its parts used."""
    if not signal.good:
        blamed = _culprits(signal, of)
        warned = bool(blamed) and all(_denied(of.text, name) for name in blamed)
        return None if warned else Vote(good=False, hard=True)
    if any(_denied(of.text, name) for name in of.names):
        return None
    named = {name.casefold() for name in (signal.entities or about)}
    parts = {name for name in named if "." in name}
    wholes = {name.rpartition(".")[0] for name in parts} | (named - parts)
    own_parts = {f"{whole}.{part}" for whole in wholes for part in parts_in(of.text, whole)}
    own = {name.casefold() for name in of.names}
    if signal.of_parts and not (own_parts or own & parts or own - named):
        return None
    if signal.equal is not None:
        done = {frozenset(map(str.casefold, pair)) for pair in signal.equal}
        if not set_equal(of.text) <= done:
            return None
    return Vote(good=True, hard=True) if own_parts <= named else None


def _own_parts(signal: Shaped, of: Spoken) -> set[str]:
    """The parts of the whole that an entry names or marks as code; others may be pages, modules."""
    texts = (*of.names, *re.findall(r"`[^`\n]{1,200}`(?:\.`[^`\n]{1,200}`)?", of.text))
    marked = {part for text in texts for part in parts_in(text, signal.whole)}
    named = {name.casefold() for name in of.names}
    return marked | (parts_in(of.text, signal.whole) & named)


def _elsewhere(signal: Shaped, of: Spoken, about: Iterable[str]) -> bool:
    """Whether an entry names what the call was not about, as another place of the same whole."""
    seen = {*map(str.casefold, (*about, *_every_name(signal))), *_own_parts(signal, of)}
    wholes = {name.casefold().rpartition(".")[0] for name in of.names}
    left = {name.casefold() for name in of.names if "." not in name} - seen - wholes
    return any(not parts_in(of.text, name) - {signal.whole.casefold()} for name in left)


def _every_name(signal: Shaped) -> tuple[str, ...]:
    dotted = (f"{signal.whole}.{part}" for part in signal.parts)
    return (signal.whole, *signal.parts, *dotted)


def _fits(signal: Shaped, of: Spoken) -> Vote | None:
    """A part that the whole has not speaks against an entry; all that it names being there, for it.

    What the entry itself says is not there does not speak against it. Of an entry that names the
    whole alone nothing is shown but that it is there.
    """
    there = {part.casefold() for part in signal.parts}
    gone = _own_parts(signal, of) - there
    if any(not _denied(of.text, f"{signal.whole}.{part}") for part in gone):
        return Vote(good=False, hard=True) if signal.firm else None
    named = parts_in(of.text, signal.whole)
    strange = {part for part in named - there if not _denied(of.text, f"{signal.whole}.{part}")}
    alone = {name.casefold() for name in of.names} == {signal.whole.casefold()}
    if strange or (alone and not named) or not names_all(of.names, _every_name(signal)):
        return None
    return Vote(good=True, hard=True)


def _denied(text: str, name: str) -> bool:
    """Whether a text names something only to say that it is not so, or not there.

    >>> _denied("by `inventory.film_id`, not by `rental.film_id`", "rental.film_id")
    True
    >>> _denied("there is no t_room, t_room.rate is never NULL", "t_room.rate")
    False
    """
    clauses = [clause for clause in _CLAUSE_ENDS.split(text) if _mentions(clause, name)]
    before = r"(?<![A-Za-z0-9_.])" if "." in name else r"(?<![A-Za-z0-9_])"
    called = rf"{before}{re.escape(name)}(?![A-Za-z0-9_])"
    not_so, gone = SIGNS["denies"], rf"{SIGNS['gone']}|->|→"
    denied = rf"(?:{not_so})[^\n]*?{called}|{called}`?[^\n]{{0,30}}?(?:{gone})"
    return bool(clauses) and all(re.search(denied, clause, re.IGNORECASE) for clause in clauses)


def within(recorded: float, measured: float) -> bool:
    """Whether a number is inside ± 5 % of what is recorded.

    >>> within(100, 105), within(100, 94.9), within(-20, -20.5), within(0, 0.1)
    (True, False, True, False)
    """
    return abs(measured - recorded) <= abs(recorded) * (TOLERANCE + _DUST)


def _compared(signal: Measured, of: Spoken) -> Vote | None:
    """An entry with one number of the measure is compared; of several nobody knows which is it."""
    if signal.saying and not any(_mentions(of.text, word) for word in signal.saying):
        return None
    under = signal.under
    others = {other.casefold() for other in values(of)} - {under.casefold()} if under else ()
    if under and (others or not _holds(of.text, under)):
        return None
    # Here, since it takes long to load, and few signals are numbers.
    from learnt.core.knowledge.numbers import EXACT, is_dated, is_other, quantities

    # A number in the entry's own names is none, nor is one that is a name itself.
    text = _nameless(of)
    numbers = [number for number in quantities(text) if number.measure not in EXACT]
    alike = [number for number in numbers if number.measure == signal.measure]
    alone = len(alike) == 1 and is_other(text, alike[0], signal.value, bool(signal.saying))
    recorded = [] if alone else [number.value for number in alike]
    if signal.reads is not None:
        recorded = list(signal.reads(text)) if len(numbers) == 1 else []
    if len(recorded) != 1 or not math.isfinite(signal.value):
        return None
    good = within(recorded[0], signal.value)
    # What was so on a day is not made wrong by how it is now.
    # To many a server another case is another value.
    blames = not is_dated(text) and signal.under in of.text
    return Vote(good, hard=True) if good or blames else None


def _missed(value: str, of: Spoken, prompts: Iterable[str]) -> Vote | None:
    """Nothing was there under a value: whose value it was decides.

    The entry's own: it is not as the entry says. A person's that no list of the entry holds: the
    list is right. Both's or neither's: nobody can tell.
    """
    listed = values(of)
    own = of.shown and value in listed  # to many a server another case is another value
    persons = any(_mentions(prompt, value) for prompt in prompts)
    if own and not persons:
        return None if _denied(of.text, value) else Vote(good=False, hard=False)
    # A digit or a letter stands in a prompt for many things.
    telling = len(value) > 1 and not value.isdigit()
    if persons and telling and len(listed) >= LEAST_LISTED and not _holds(of.text, value):
        return Vote(good=True, hard=False)
    return None


def values(of: Spoken) -> tuple[str, ...]:
    """The values that an entry lists: in quotes, as numbers with a meaning, in capitals.

    >>> values(Spoken(kind="schema", text="`o.state` is 'open' or 'paid'", names=("o.state",)))
    ('open', 'paid')
    >>> values(Spoken(kind="schema", text="state: 1=free 2=let, of A2", names=("state",)))
    ('1', '2')
    """
    text = _nameless(of)
    quoted = ["".join(groups) for groups in _QUOTED.findall(text)]
    capitals = [word for listed in _CAPITALS.findall(text) for word in _WORD.findall(listed)]
    listed = [*quoted, *_CODES.findall(text), *capitals]
    return tuple(dict.fromkeys(value for value in listed if value.strip()))


def _nameless(of: Spoken) -> str:
    text = of.text
    for name in sorted(of.names, key=len, reverse=True):
        text = re.sub(rf"[`'\"]?(?<![\w]){re.escape(name)}(?![\w])[`'\"]?", " ", text, flags=re.I)
    return text


def _holds(text: str, value: str) -> bool:
    pattern = rf"(?<!\w){re.escape(value.casefold())}(?!\w)"
    return bool(value.strip()) and re.search(pattern, text.casefold()) is not None


def _mentions(text: str, word: str) -> bool:
    """Whether a text holds a word, also where Chinese is written up to it.

    >>> _mentions("没有film.rate列", "film.rate"), _mentions("film.rates", "film.rate")
    (True, False)
    """
    word, text = word.strip().casefold(), text.casefold()
    before = r"(?<![a-z0-9_])" if word[:1].isascii() else ""
    after = r"(?![a-z0-9_])" if word[-1:].isascii() else ""
    return bool(word) and re.search(before + re.escape(word) + after, text) is not None


def together(votes: Iterable[Vote]) -> Vote | None:
    """What several signals of one call come to: the hard ones decide; None where they disagree.

    >>> together([Vote(True, True), Vote(False, False)])
    Vote(good=True, hard=True)
    >>> together([Vote(True, True), Vote(False, True)]) is None
    True
    """
    votes = set(votes)
    decisive = {vote for vote in votes if vote.hard} or votes
    return decisive.pop() if len(decisive) == 1 else None
