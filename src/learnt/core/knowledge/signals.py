"""What a call's result says of an entry, by rules: seed 000's hard and soft signals.

A domain reads a result and says what it saw; whether that speaks for an entry or against it, and
how strongly, is decided here alone. Where it is not clear nothing is said.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

TOLERANCE: Final = 0.05
_DUST: Final = 1e-9  # of binary fractions: 105 is within 5 % of 100
_EXACT: Final = frozenset({"date", "clock", "version", "hex", "code"})
_QUOTED: Final = re.compile(
    r"'([^'\n]{1,60})'|\"([^\"\n]{1,60})\"|`([^`\n]{1,60})`|“([^”\n]{1,60})”|「([^」\n]{1,60})」"
)
_CODES: Final = re.compile(r"(?<![\w.])(\d{1,9})\s*[=＝]")
_CAPITALS: Final = re.compile(
    r"[A-Z][A-Z0-9_]+(?:(?: ?[,/|、] ?| or | and |或|和)[A-Z][A-Z0-9_]+)+"
)
_WORD: Final = re.compile(r"[A-Z][A-Z0-9_]+")
_CLAUSE_ENDS: Final = re.compile(r"[;:,!?，；：。！？]|\.(?=\s|$)|\b(?:but|and)\b|而是|但")
_NO: Final = r"\b(?:no|not|never|without|neither|nor)\b|n't\b|不|没有|并无"
_GONE: Final = r"(?:does not|doesn't) exist|is (?:gone|no longer|not there)"
LEAST_LISTED: Final = 2  # values that make a list of them
_FILES: Final = frozenset(
    "py js ts rb go rs java kt php cs sql sh md txt csv json yml yaml".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """A call that used what it names went well, or failed because of it.

    `kinds` are those of the entries that this speaks of; without `entities` it speaks of all that
    the call was about. With `naming` it speaks only of entries that name one of these: of what was
    not there, or of the column that was counted. So it is with each signal.
    """

    good: bool
    kinds: tuple[str, ...]
    entities: tuple[str, ...] = ()
    naming: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A number was found, in seconds, bytes, parts of 1 or whatever its `measure` has for a base.

    The measures are those of `statements/numbers`; most numbers have none. With `saying` it is
    compared only with an entry whose text holds one of these words: of which rows it is a count.
    """

    value: float
    kinds: tuple[str, ...]
    measure: str = ""
    entities: tuple[str, ...] = ()
    naming: tuple[str, ...] = ()
    saying: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundNone:
    """What was asked for by one `value` of a list of values was not there."""

    value: str
    kinds: tuple[str, ...]
    entities: tuple[str, ...] = ()
    naming: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaped:
    """A thing was seen with all of its parts: a table with its columns."""

    whole: str
    parts: tuple[str, ...]
    kinds: tuple[str, ...]


Signal = Worked | Measured | FoundNone | Shaped


class Said(NamedTuple):
    """What a signal says of an entry: for it or against it, and whether by a hard check."""

    good: bool
    hard: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """The entry that is spoken of, its text and the names of what it is about.

    `shown`: it was put before the agent by then.
    """

    kind: str
    text: str
    names: tuple[str, ...]
    shown: bool = False


def said(signal: Signal, of: Spoken, about: Iterable[str], prompts: Iterable[str]) -> Said | None:
    """What a signal says of an entry; None where it is another's, or not clear.

    `about` is what the call was about, `prompts` what the person said so far.

    >>> pays = Spoken(kind="payoff", text="arm-3 pays 0.60 a pull", names=("arm-3",))
    >>> said(Measured(value=0.61, kinds=("payoff",)), pays, ["arm-3"], [])
    Said(good=True, hard=True)
    >>> said(Measured(value=0.70, kinds=("payoff",)), pays, ["arm-3"], [])
    Said(good=False, hard=True)
    """
    if not speaks_of(signal, of, about):
        return None
    match signal:
        case Worked(good=good):
            named = {name.casefold() for name in of.names} & set(map(str.casefold, signal.naming))
            if not good and named and all(_denied(of.text, name) for name in named):
                return None
            return Said(good, hard=True)
        case Measured():
            return _compared(signal, of)
        case FoundNone(value=value):
            return _missed(value, of, prompts)
        case Shaped():
            return _fits(signal, of)


def speaks_of(signal: Signal, of: Spoken, about: Iterable[str]) -> bool:
    """Whether a signal is about an entry at all: its kind, and everything that it names."""
    if of.kind not in signal.kinds:
        return False
    if isinstance(signal, Shaped):
        return bool(_own_parts(signal, of) or names_all(of.names, _every_name(signal)))
    own = {name.casefold() for name in of.names}
    needed = {name.casefold() for name in signal.naming}
    return names_all(of.names, signal.entities or about) and (not needed or bool(needed & own))


def names_all(names: Iterable[str], named: Iterable[str]) -> bool:
    """Whether everything that an entry is about is among what was named; never, if about nothing.

    >>> names_all(["T_Room"], ["t_room", "t_hotel"]), names_all(["a", "b"], ["a"])
    (True, False)
    """
    own = {name.casefold() for name in names}
    return bool(own) and own <= {name.casefold() for name in named}


def _own_parts(signal: Shaped, of: Spoken) -> set[str]:
    """The parts of the whole that an entry speaks of, as `whole.part`; a file's name is none."""
    texts = " ".join((*of.names, of.text))
    own = rf"(?<![\w.]){re.escape(signal.whole)}`?\.`?(\w+)(?!\w|\()"
    return {part.casefold() for part in re.findall(own, texts, re.IGNORECASE)} - _FILES


def _every_name(signal: Shaped) -> tuple[str, ...]:
    dotted = (f"{signal.whole}.{part}" for part in signal.parts)
    return (signal.whole, *signal.parts, *dotted)


def _fits(signal: Shaped, of: Spoken) -> Said | None:
    """A part that the whole has not speaks against an entry; all that it names being there, for it.

    What the entry itself says is not there does not speak against it.

    >>> film = Shaped(whole="film", parts=("id", "rating"), kinds=("schema",))
    >>> _fits(film, Spoken(kind="schema", text="`film.rate` is 'G' or 'R'", names=("film",)))
    Said(good=False, hard=True)
    """
    gone = _own_parts(signal, of) - {part.casefold() for part in signal.parts}
    if any(not _denied(of.text, f"{signal.whole}.{part}") for part in gone):
        return Said(good=False, hard=True)
    named = names_all(of.names, _every_name(signal))
    return Said(good=True, hard=True) if named else None


def _denied(text: str, name: str) -> bool:
    """Whether a text names something only to say that it is not so, or not there.

    >>> _denied("by `inventory.film_id`, not by `rental.film_id`", "rental.film_id")
    True
    >>> _denied("there is no t_room, t_room.rate is never NULL", "t_room.rate")
    False
    """
    clauses = [one for one in _CLAUSE_ENDS.split(text) if _holds(one, name)]
    denied = rf"(?:{_NO})[^\n]*?(?<![\w.]){re.escape(name)}(?!\w)|{re.escape(name)}`? (?:{_GONE})"
    return bool(clauses) and all(re.search(denied, one, re.IGNORECASE) for one in clauses)


def within(recorded: float, found: float) -> bool:
    """Whether a number is inside ± 5 % of what is recorded.

    >>> within(100, 105), within(100, 94.9), within(-20, -20.5), within(0, 0.1)
    (True, False, True, False)
    """
    return abs(found - recorded) <= abs(recorded) * (TOLERANCE + _DUST)


def _compared(signal: Measured, of: Spoken) -> Said | None:
    """An entry with one number of the measure is compared; of several nobody knows which is it."""
    if signal.saying and not any(_holds(of.text, word) for word in signal.saying):
        return None
    # Here, since it takes long to load, and few signals are numbers.
    from learnt.core.knowledge.statements.numbers import quantities

    # A number in the entry's own names is none, nor is one that is a name itself.
    numbers = [one for one in quantities(_nameless(of)) if one.measure not in _EXACT]
    recorded = [one.value for one in numbers if one.measure == signal.measure]
    if len(recorded) != 1 or not math.isfinite(signal.value):
        return None
    return Said(within(recorded[0], signal.value), hard=True)


def _missed(value: str, of: Spoken, prompts: Iterable[str]) -> Said | None:
    """Nothing was there under a value: whose value it was decides.

    The entry's own: it is not as the entry says. A person's that no list of the entry holds: the
    list is right. Both's or neither's: nobody can tell.
    """
    listed = {one.casefold() for one in values(of)}
    own = of.shown and value.casefold() in listed
    persons = any(_holds(prompt, value) for prompt in prompts)
    if own and not persons:
        return Said(good=False, hard=False)
    if persons and len(listed) >= LEAST_LISTED and not _holds(of.text, value):
        return Said(good=True, hard=False)
    return None


def values(of: Spoken) -> tuple[str, ...]:
    """The values that an entry lists: in quotes, as numbers with a meaning, in capitals.

    >>> values(Spoken(kind="schema", text="`o.state` is 'open' or 'paid'", names=("o.state",)))
    ('open', 'paid')
    >>> values(Spoken(kind="schema", text="state: 1=free 2=let, of SQL", names=("state",)))
    ('1', '2')
    """
    text = _nameless(of)
    quoted = [next(filter(None, found), "") for found in _QUOTED.findall(text)]
    capitals = [word for found in _CAPITALS.findall(text) for word in _WORD.findall(found)]
    found = [*quoted, *_CODES.findall(text), *capitals]
    return tuple(dict.fromkeys(one for one in found if one.strip()))


def _nameless(of: Spoken) -> str:
    text = of.text
    for name in sorted(of.names, key=len, reverse=True):
        text = re.sub(rf"[`'\"]?(?<![\w]){re.escape(name)}(?![\w])[`'\"]?", " ", text, flags=re.I)
    return text


def _holds(text: str, value: str) -> bool:
    """Whether a text holds a value as a word of its own."""
    found = re.search(rf"(?<!\w){re.escape(value.casefold())}(?!\w)", text.casefold())
    return bool(value.strip()) and found is not None


def together(spoken: Iterable[Said]) -> Said | None:
    """What several signals of one call come to: the hard ones decide; None where they disagree.

    >>> together([Said(True, True), Said(False, False)])
    Said(good=True, hard=True)
    >>> together([Said(True, True), Said(False, True)]) is None
    True
    """
    found = set(spoken)
    decisive = {one for one in found if one.hard} or found
    return decisive.pop() if len(decisive) == 1 else None
