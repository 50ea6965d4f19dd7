"""The index of what was said: what the file and the one in memory promise alike."""

from collections.abc import Sequence
from datetime import date

from msgspec.structs import replace

from learnt.file_ports import PastSession, PastTurn
from learnt.ports import Outside

HERE, ELSEWHERE = "p-here", "p-elsewhere"
MAY_MS = 1_778_000_000_000  # 5 May 2026
NEW = PastSession("", HERE, "/t")


def turn(number: int, words: str, *, ms: int = MAY_MS) -> PastTurn:
    """A turn with these words, told from others by its number; for where its line is."""
    return PastTurn(NEW, 0, 100 * number, ms + number, "person", f"m{number}", words.split())


def put(outside: Outside, name: str, turns: Sequence[PastTurn], project: str = HERE) -> None:
    """A session of a project, read on by so many turns; those ask that have "what" among them."""
    new = replace(NEW, name=name, project=project)
    before = next((each for each in outside.past.known() if each.name == name), new)
    asks = bytes("what" in turn.terms for turn in turns)
    after = replace(before, until=before.until + 100 * len(turns), asks=asks)
    assert outside.past.add(before, after, turns)


def found(outside: Outside, words: str, *projects: str) -> list[tuple[str, int]]:
    """What is found in these projects, or in the first, best first."""
    turns = outside.past.match(words.split(), [], projects or [HERE], 5)
    return [(turn.session.name, turn.number) for turn in turns]


def test_a_turn_is_found_by_its_words_in_its_own_project(outside: Outside) -> None:
    """The best comes first, another project sees nothing, an unknown word finds nothing."""
    put(outside, "s1", [turn(0, "the cat sat"), turn(1, "port 8443 gateway"), turn(2, "a dog")])
    put(outside, "s2", [turn(9, "port 8443 gateway")], ELSEWHERE)

    assert ("s1", 1) == found(outside, "gateway port")[0]
    assert {"s2"} == {name for name, _ in found(outside, "gateway", ELSEWHERE)}
    assert [] == found(outside, "zebra") == found(outside, "", HERE)


def test_a_question_finds_its_answer(outside: Outside) -> None:
    """The turn behind a question comes before the turn behind what is none."""
    asked, told = turn(0, "what gateway port"), turn(4, "that gateway port")
    rest = [turn(n, f"w{n}") for n in (1, 2, 3, 5, 6)]
    put(outside, "s1", [asked, *rest[:3], told, *rest[3:]])

    places = found(outside, "gateway port")
    assert places.index(("s1", 1)) < places.index(("s1", 5))


def test_a_named_time_counts(outside: Outside) -> None:
    """Of two alike the one comes first that was said in the month."""
    earlier = [turn(1, "gateway port", ms=MAY_MS - 90 * 86_400_000)]
    put(outside, "s1", earlier)
    put(outside, "s2", [turn(2, "gateway port")])

    def first(month: int) -> str:
        times = [(date(2026, month, 1).toordinal(), date(2026, month, 28).toordinal())]
        return outside.past.match(["gateway"], times, [HERE], 1)[0].session.name

    assert ("s1", "s2") == (first(2), first(5))


def test_a_named_time_finds_how_its_sessions_began(outside: Outside) -> None:
    """Although they share no word with the question; those of other times are not found."""
    put(outside, "s1", [turn(1, "gateway port", ms=MAY_MS - 90 * 86_400_000)])
    put(outside, "s2", [turn(2, "gateway port"), turn(3, "another word")])
    day = date(2026, 5, 5).toordinal()

    turns = outside.past.match(["zebra"], [(day - 1, day + 1)], [HERE], 5)
    assert [("s2", 0), ("s2", 1)] == [(turn.session.name, turn.number) for turn in turns]


def test_what_was_read_by_another_is_not_added(outside: Outside) -> None:
    """Only who knows how far it is read adds, and a turn that is known has one place."""
    put(outside, "s1", [turn(0, "one gateway")])
    (held,) = outside.past.known()
    for before in (replace(held, until=0), replace(held, name="nobody")):
        after = replace(before, until=500, asks=b"\0")
        assert not outside.past.add(before, after, [turn(1, "two gateway")])
    put(outside, "s2", [turn(0, "one gateway"), turn(2, "three gateway")])

    assert [("s1", 0), ("s2", 0)] == sorted(found(outside, "gateway"))
    (second, first) = outside.past.known()
    assert ("s1", 100, b"\0") == (first.name, first.until, first.asks)
    assert (b"\0", MAY_MS + 2, MAY_MS + 2) == (second.asks, second.began_ms, second.ended_ms)


def test_erased_turns_and_sessions_are_gone_for_good(outside: Outside) -> None:
    """Their words are in no count; an erased turn does not come back when it is read again."""
    put(outside, "s1", [turn(0, "gateway port"), turn(1, "gateway host"), turn(2, "host")])
    put(outside, "s2", [turn(5, "gateway")])
    outside.past.erase(["s2"], {"s1": [1]})
    put(outside, "s1", [turn(1, "gateway host")])

    assert [0, 2] == [turn.number for turn in outside.past.turns("s1")]
    assert ("s1", 0) == found(outside, "gateway")[0]
    assert ["s1"] == [session.name for session in outside.past.known()]
    outside.past.erase(["s1"], {})
    assert ([], []) == (list(outside.past.known()), found(outside, "host"))
