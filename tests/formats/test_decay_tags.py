"""Tags of facts in Markdown: read leniently, changed to the byte."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.knowledge.confidence import Belief
from learnt.formats.decay_tags import appended, harmless, read, rewritten

TODAY = date(2026, 11, 22)
TAG = "<!-- decay: type=schema confirmed=2026-11-01 C0=1.0 -->"
PAGE = f"# Rooms\n\n{TAG}\n<!-- entities: t_room, T_BOOKING -->\n- status 3 is repair\n"


def test_a_fact_is_read_with_all_that_belongs_to_it() -> None:
    """Its tag, its entities on the next line, its own line, and the heading above."""
    (found,) = read(PAGE, TODAY).entries
    expected = Belief(kind="schema", confirmed=date(2026, 11, 1))
    assert (3, expected, ("t_room", "T_BOOKING")) == (found.line, found.belief, found.entities)
    assert ("status 3 is repair", "Rooms", "") == (found.text, found.context, found.id)


def test_keys_come_in_any_order_and_unknown_ones_are_kept() -> None:
    """Of one given twice the last counts."""
    pairs = "s=0.5 beta=2 C0=0.9 mine=x id=k-1 alpha=1 alpha=3 confirmed=2026-11-01 type=schema"
    (found,) = read(f"<!-- decay: {pairs} -->", TODAY).entries
    belief = Belief(kind="schema", confirmed=date(2026, 11, 1), c0=0.9, alpha=3, beta=2, shock=0.5)
    assert (belief, "k-1") == (found.belief, found.id)


BAD = {
    "no type": "confirmed=2026-01-01 C0=1.0",
    "an unknown kind": "type=novel confirmed=2026-01-01 C0=1.0",
    "no such day": "type=schema confirmed=2026-13-45 C0=1.0",
    "tomorrow": "type=schema confirmed=2026-11-23 C0=1.0",
    "C0 of 5": "type=schema confirmed=2026-01-01 C0=5",
    "C0 not a number": "type=schema confirmed=2026-01-01 C0=nan",
    "alpha below zero": "type=schema confirmed=2026-01-01 C0=1.0 alpha=-1",
    "alpha no number": "type=schema confirmed=2026-01-01 C0=1.0 alpha=x",
    "numbers in a ledger": "type=schema id=e-1",
    "an id that is none": "type=schema confirmed=2026-01-01 C0=1.0 id=a/b",
    "nothing": "",
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_tag_is_a_finding_and_hides_no_other(bad: str) -> None:
    """The good ones before and after it are listed."""
    page = read(f"{PAGE}<!-- decay: {BAD[bad]} -->\n- x\n{PAGE}", TODAY)
    assert (2, [6]) == (len(page.entries), [one.line for one in page.findings])


def test_what_is_odd_is_told() -> None:
    """A doubled id, two tags on a line, a tag without an end, a line of ten megabytes."""
    own = TAG.replace(" -->", " id=k-1 -->")
    text = "\n".join([own, own, f"{TAG} {TAG}", "<!-- decay: type=schema", "decay: " + "x" * 10**7])
    page = read(text, TODAY)
    assert (3, [2, 3, 4, 5]) == (len(page.entries), [one.line for one in page.findings])


def test_what_stands_in_fenced_code_is_text() -> None:
    """An example of a tag is no fact; a shorter fence inside does not end the longer."""
    text = f"````md\n```\n{TAG}\n````\n~~~\n{TAG}\n~~~\n{PAGE}"
    assert [10] == [found.line for found in read(text, TODAY).entries]


CHANGED = Belief(kind="schema", confirmed=TODAY, c0=1.0, alpha=0.9, beta=2, shock=1.5)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("final", [True, False])
def test_only_the_tags_values_change(ending: str, final: bool) -> None:
    """Text before and behind it on its line, other keys, line ends and a missing last one stay."""
    line = "x <!--  decay: mine=1 type=schema confirmed=2026-11-01  C0=0.5 --> y\ttail \udc80"
    text = ending.join(["# A", line, "- fact"]) + (ending if final else "")
    after = rewritten(text, 2, CHANGED)
    tag = "mine=1 type=schema confirmed=2026-11-22  C0=1.0 alpha=0.9 beta=2 s=1.5"
    expected = f"x <!--  decay: {tag} --> y\ttail \udc80"
    assert ending.join(["# A", expected, "- fact"]) + (ending if final else "") == after


def test_a_line_without_a_tag_is_not_changed() -> None:
    """It is said, whether the line is there or not."""
    for line in (1, 2, 99, 0, -1):
        with pytest.raises(ValueError, match="no tag"):
            rewritten(PAGE, line, CHANGED)


@given(st.text(max_size=60), st.floats(0, 1), st.floats(0, 99), st.floats(0, 99), st.floats(0, 9))
def test_what_is_written_is_read_again(
    around: str, c0: float, alpha: float, beta: float, shock: float
) -> None:
    """Whatever stands around it, the numbers come back to a billionth."""
    plain = around.replace("\n", " ").replace("`", "").replace("~", "").replace("decay", "")
    before = f"- {plain}\n{TAG}\n{plain}"
    belief = Belief(kind="schema", confirmed=TODAY, c0=c0, alpha=alpha, beta=beta, shock=shock)
    (found,) = read(rewritten(before, 2, belief), TODAY).entries
    assert abs(found.belief.alpha - alpha) < 1e-8
    assert abs(found.belief.shock - shock) < 1e-8
    assert c0 == found.belief.c0


def test_a_fact_is_appended_with_its_own_line_ends() -> None:
    """At the end, after a line end that was missing, and the line of its tag is told."""
    for text in (None, "# A", "# A\r\n\r\nb\r\n", "x\n"):
        after, line = appended(text, "Rooms", "schema", "a fact", ["t_a"], "k-1", TODAY)
        assert after.startswith(text or "# Rooms\n")
        assert after.split("\n")[line - 1].startswith("<!-- decay: type=schema")
        assert ("\r\n" in after) == ("\r\n" in (text or ""))
        assert "a fact" == read(after, TODAY).entries[-1].text


@given(st.text(max_size=200), st.lists(st.text(max_size=40), max_size=3))
def test_no_content_forges_a_tag(content: str, entities: list[str]) -> None:
    """Newlines, comments and tags in a fact or a name stay text: one fact was added."""
    forged = f"{content}\n--> {TAG}\n{TAG}"
    after, _ = appended(PAGE, "Rooms", "schema", forged, [*entities, TAG, "a-->b"], "k-1", TODAY)
    assert 2 == len(read(after, TODAY).entries)
    assert "\n" not in harmless(forged)
