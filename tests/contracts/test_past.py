"""The index of what was said: what the file and the one in memory promise alike."""

from collections.abc import Sequence

from learnt.file_ports import IndexedTurn, PastSession
from learnt.ports import Outside

HERE, ELSEWHERE = "p-here", "p-elsewhere"
MAY_MS = 1_778_000_000_000  # 5 May 2026


def turn(number: int, words: str, *, asks: bool = False, ms: int = MAY_MS) -> IndexedTurn:
    """A turn with these words, told from others by its number."""
    return IndexedTurn(100 * number, ms + number, "person", f"m{number}", asks, words.split())


def put(outside: Outside, name: str, turns: Sequence[IndexedTurn], project: str = HERE) -> None:
    """A session of a project, read in whole."""
    held = outside.past.begin(PastSession(name, "claude-code", project, f"/t/{name}"))
    assert outside.past.add(name, held.until, held.until + 100 * len(turns), "p0", turns)


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
    asked, told = turn(0, "gateway port", asks=True), turn(4, "gateway port")
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
        times = [(12 * 2026 + month - 1,) * 2]
        return outside.past.match(["gateway"], times, [HERE], 1)[0].session.name

    assert ("s1", "s2") == (first(2), first(5))


def test_what_was_read_by_another_is_not_added(outside: Outside) -> None:
    """Only who knows how far it is read adds, and a turn that is known has one place."""
    put(outside, "s1", [turn(0, "one gateway")])
    assert not outside.past.add("s1", 0, 500, "", [turn(1, "two gateway")])
    assert not outside.past.add("nobody", 0, 500, "", [turn(1, "two gateway")])
    put(outside, "s2", [turn(0, "one gateway"), turn(2, "three gateway")])

    assert [("s1", 0), ("s2", 0)] == sorted(found(outside, "gateway"))
    (second, first) = outside.past.known([HERE])
    assert ("s1", 100, "p0", 1) == (first.name, first.until, first.prompt, first.turns)
    assert (2, MAY_MS + 2, MAY_MS + 2) == (first.turns + 1, second.began_ms, second.ended_ms)


def test_erased_turns_and_sessions_are_gone_for_good(outside: Outside) -> None:
    """Their words are in no count; an erased turn does not come back when it is read again."""
    put(outside, "s1", [turn(0, "gateway port"), turn(1, "gateway host"), turn(2, "host")])
    put(outside, "s2", [turn(5, "gateway")])
    outside.past.erase(["s2"], {"s1": [1]})
    put(outside, "s1", [turn(1, "gateway host")])

    assert [0, 2] == [turn.number for turn in outside.past.turns("s1")]
    assert ("s1", 0) == found(outside, "gateway")[0]
    assert ["s1"] == [session.name for session in outside.past.known()]
    outside.past.erase(None, {})
    assert ([], []) == (list(outside.past.known()), found(outside, "host"))
