"""Routes in the files that hold them: the rules' own, and those that agents read by themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.identifiers import ProposalId
from learnt.formats.draft_md import BEGIN, END, SECTION, block_of, route, with_route, without_route
from tests.formats.test_draft_md import ROUTE, headings, misses


def test_a_route_is_inert_and_says_why() -> None:
    """It names no agent, shows what was asked, and carries its proposal's id."""
    block = route(ROUTE, misses(("feature", "flag"), "gradual"), ["one", "two\nlines", "3", "4"])

    assert ["### TODO-agent — covers prompts about feature, flag"] == headings(block)
    assert "Trigger if the user mentions `feature`, `flag`, `gradual`." in block
    assert "| repeated unrouted prompt cluster | feature, flag, gradual |" in block
    assert f"`{ROUTE}` — 3 prompts" in block and '- "two lines"' in block
    assert "Nothing is routed by this" in block


BLOCK = "### TODO-agent — locks\n\nTrigger."


def test_rules_are_made_where_there_are_none() -> None:
    """File and section, with the block in it."""
    assert f"# Agent intent routing\n\n{SECTION}\n\n{BLOCK}\n" == with_route(None, BLOCK)


def test_a_section_is_made_at_the_end() -> None:
    """Of rules that people wrote, and after their last line."""
    expected = f"# Rules\n\ntext\n\n{SECTION}\n\n{BLOCK}\n"

    assert expected == with_route("# Rules\n\ntext\n", BLOCK)
    assert expected == with_route("# Rules\n\ntext", BLOCK)


@pytest.mark.parametrize("heading", ["# Next", "## Next"])
def test_a_block_goes_to_the_end_of_its_section(heading: str) -> None:
    """After the blocks that are there, before the next heading."""
    rules = f"# Rules\n\n{SECTION}\n\n### TODO-agent — old\n\n{heading}\n\nbehind\n"

    expected = f"# Rules\n\n{SECTION}\n\n### TODO-agent — old\n\n{BLOCK}\n\n{heading}\n\nbehind\n"
    assert expected == with_route(rules, BLOCK)


@pytest.mark.parametrize(
    ("opened", "closed"),
    [
        ("```", "```"),
        ("~~~", "~~~"),
        ("```md", "```"),
        ("  ```", "  ```"),
        ("````", "````"),
        ("~~~\n```", "~~~"),
        ("````md\n```", "````"),
    ],
)
def test_headings_in_code_are_no_headings(opened: str, closed: str) -> None:
    """Neither one that looks like the section nor one that looks like its end."""
    code = f"{opened}\n{SECTION}\n## Other\n{closed}\n"
    own = f"# Rules\n\n{code}\n{SECTION}\n\n{code}\ntext\n"

    assert f"{code}\n{SECTION}\n\n{BLOCK}\n" == with_route(code, BLOCK)
    assert f"{own}\n{BLOCK}\n\n## After\n" == with_route(f"{own}\n## After\n", BLOCK)


def test_code_on_one_line_opens_no_block() -> None:
    """Three backticks that are closed on their line are a word of it."""
    rules = f"# Rules\n\n```code``` is a word\n\n{SECTION}\n\n## After\n"

    expected = f"# Rules\n\n```code``` is a word\n\n{SECTION}\n\n{BLOCK}\n\n## After\n"
    assert expected == with_route(rules, BLOCK)


def test_blocks_add_up_in_one_section() -> None:
    """One after the other, as they were accepted."""
    once = with_route("# Rules\n", "### TODO-agent — one")

    expected = f"# Rules\n\n{SECTION}\n\n### TODO-agent — one\n\n### TODO-agent — two\n"
    assert expected == with_route(once, "### TODO-agent — two")


_lines = st.sampled_from([
    "",
    "text",
    "text  ",
    "  indented",
    "\ttab",
    "# Rules",
    "## Other",
    "### Sub",
    SECTION,
    "```",
    "~~~",
    "a\x0cb",
    "a\u2028## b",
    "锁 \u00a0",
    "- item",
    "---",
]) | st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=8)


def held(lines: list[str]) -> list[str]:
    """The lines without the blank ones at both ends."""
    told = [number for number, line in enumerate(lines) if line.strip()]
    return lines[min(told) : max(told) + 1] if told else []


@given(
    st.lists(_lines, max_size=12),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.booleans(),
)
def test_every_other_line_stays_as_it_is(
    lines: list[str], end: str, ended: bool, marked: bool
) -> None:
    """Byte for byte and in order, its line end included; but for blank ones around the block."""
    rules = held((end.join(lines) + (end if ended else "")).split("\n"))
    block = "### TODO-agent — one line"
    text = with_route("\n".join(rules), block, marked=marked)
    before, found, after = text.partition(block)
    head, tail = held(before.split("\n")), held(after.split("\n"))
    if rules[: len(head)] != head and head[-1].strip() == SECTION:
        head = held(head[:-1])
        if marked:
            assert (BEGIN, END) == (head[-1], tail[0])
            head, tail = held(head[:-1]), held(tail[1:])

    assert block == found
    assert rules[: len(head)] == head
    assert held(rules[len(head) :]) == tail


# --- in a file that agents read by themselves --------------------------------------------------

MINE = "# My project\n\nRun `make test`.\n"
MARKED = f"{MINE}\n{BEGIN}\n{SECTION}\n\n{BLOCK}\n\n{END}\n"


def test_a_section_stands_between_marks() -> None:
    """At the end of what is there, or alone; the next block goes into the same section."""
    assert MARKED == with_route(MINE, BLOCK, marked=True)
    assert MARKED.removeprefix(f"{MINE}\n") == with_route(None, BLOCK, marked=True)

    both = with_route(MARKED, "### TODO-agent — two", marked=True)
    assert f"{BLOCK}\n\n### TODO-agent — two\n\n{END}\n" in both


def test_what_follows_the_section_stays_behind_it() -> None:
    """Whatever is written there: a block ends at the mark, be there a heading behind it or not."""
    edited = f"Before.\n\n{MARKED}No heading, just words.\n"
    block = "### TODO-agent — two\n\nroute-2"
    both = with_route(edited, block, marked=True)

    assert both.endswith(f"{block}\n\n{END}\nNo heading, just words.\n")
    assert block == block_of(both, ProposalId("route-2"))
    assert edited == without_route(both, block, edited)


def test_the_last_block_takes_the_section_along() -> None:
    """With its marks; all that others wrote meanwhile stays, and a file made for it goes."""
    edited = f"# Changed\n\n{MARKED.removeprefix(MINE)}\nAnd more.\n"

    assert "# Changed\n\nAnd more.\n" == without_route(edited, BLOCK, MINE)
    assert MINE == without_route(MARKED, BLOCK, MINE)
    assert None is without_route(with_route(None, BLOCK, marked=True), BLOCK, None)
    assert "Mine.\n" == without_route(
        f"{with_route(None, BLOCK, marked=True)}\nMine.\n", BLOCK, None
    )


@pytest.mark.parametrize("gone", [BEGIN, END])
def test_a_mark_that_somebody_deleted_costs_nothing(gone: str) -> None:
    """The block is taken out all the same, and every line of theirs stays."""
    broken = MARKED.replace(f"{gone}\n", "", 1)

    left = without_route(broken, BLOCK, MINE)
    assert left is not None
    assert left.startswith(MINE.rstrip("\n")) and BLOCK not in left and SECTION not in left
    assert BLOCK in with_route(left, BLOCK, marked=True)
