"""No parser of foreign bytes hangs, swells or raises what it does not document.

The same for a stated time, with longer inputs, is `python tools/fuzz.py`, part of `make test-all`.
"""

import re
from random import Random  # noqa: TID251  # by a stated seed

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.mutated import changed, judged, samples, spent
from tests.support.parsers import OWN, RINGS, Parser, functions, is_own, modules, parsers

_SMALL = 800
_inputs = st.builds(
    changed, st.randoms(use_true_random=False), st.sampled_from(samples()), st.just(_SMALL)
)
# What was found by this and mended: a parser, how its input begins, what it repeats, its end.
FOUND = {
    "a long word of small letters": ("core.tokens:names", b"", b"il", b""),
    "capitals and digits before a slash": ("core.tokens:names", b"A", b"1", b"/"),
    "a word of underscores before a slash": ("core.tokens:names", b"x", b"_", b"a/"),
    "a long word without a point": ("core.knowledge.numbers:set_equal", b"", b"elativ", b""),
    "blanks up to the end": ("core.skills.hidden_text:gaps", b"x", b" ", b""),
    "a version of thousands of digits": ("core.skills.history:next_number", b"", b"9", b""),
    "a line of blanks": ("core.knowledge.spans.prints:extent .ts", b"", b" ", b"x"),
    "a long word before a sign": ("core.safety:redact", b"", b"e", b"-0"),
    "a number of thousands of numerals": (
        "core.recall.conversation:times",
        b"",
        "\u5341\u4e07".encode(),
        b"",
    ),
    "lines that are empty": ("formats.agents.settings_text:parse", b"[", b"\n", b""),
    "a row of stars": ("core.knowledge.spans.texts:read", b"a ", b"*", b""),
    "a list in one line": ("core.marked:statements", b"remember: ", b"a) ", b""),
}


@settings(max_examples=settings().max_examples // 2)
@given(_inputs)
def test_every_parser_bears_every_input(raw: bytes) -> None:
    """Samples that were cut, doubled, laced with odd characters, nested or crossed."""
    wrong = {name: spent(parser, raw[: parser.most])[1] for name, parser in parsers().items()}
    assert {} == {name: said for name, said in wrong.items() if said}


@pytest.mark.parametrize("what", FOUND)
def test_what_was_found_stays_mended(what: str) -> None:
    """At the longest input that the parser meets."""
    name, begin, piece, end = FOUND[what]
    parser = parsers()[name]
    raw = begin + piece * ((parser.most - len(end) - 9) // len(piece)) + end
    assert spent(parser, raw)[1] == ""


def test_each_module_that_takes_a_text_is_covered() -> None:
    """By a row of the table, or by a reason why what it takes is not foreign."""
    rows = {name.partition(":")[0] for name in parsers()}
    taking = [module for module in modules((*RINGS, "exchanges")) if any(functions(module))]
    bare = [module for module in taking if module not in rows]
    assert [] == [
        f"{module}:{name}"
        for module in bare
        for name, _, _ in functions(module)
        if not is_own(f"{module}:{name}")
    ]
    assert {"settings", "stores.spool", "surfaces.mcp_tools", "formats.observations"} <= rows


def test_no_reason_is_left_over() -> None:
    """Each names something that takes a text."""
    every = [f"{m}:{n}" for m in modules((*RINGS, "exchanges")) for n, _, _ in functions(m)]
    assert [] == [own for own in OWN if not any(f"{name}.".replace(":", ".").startswith(
        f"{own}.".replace(":", ".")) for name in every)]  # fmt: skip


def test_the_judge_sees_what_is_wrong() -> None:
    """An error that is not documented, and time that grows with the square of the length."""
    refuses = Parser(name="refuses", call=lambda raw: int(raw), raises=(ValueError,))
    raises = Parser(name="raises", call=lambda raw: [][len(raw)])
    slow = Parser(name="slow", call=re.compile(rb"\s*x").search)
    quick = Parser(name="quick", call=re.compile(rb"x").search)

    assert spent(refuses, b"a")[1] == ""
    assert "IndexError" in spent(raises, b"a")[1]
    assert judged(slow, lambda size: b" " * size, 0.05)[1]
    assert judged(quick, lambda size: b" " * size, 0.05)[1] == ""


def test_inputs_are_repeatable_and_bounded() -> None:
    """The same chance gives the same bytes, no longer than they may be."""
    made = [changed(Random(seed), samples()[3], 500) for seed in (1, 1, 2)]
    assert made[0] == made[1] and all(len(raw) <= 500 for raw in made)
