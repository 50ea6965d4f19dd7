"""Whatever is saved of a person's words is a part of what that person typed, as it was typed."""

from contextlib import suppress

from hypothesis import example, given
from hypothesis import strategies as st

from learnt.errors import Refused
from learnt.flows.knowledge.remembering import Pick, pick
from tests.support.sessions_told import FOLDER, Home, said

PIECES = (
    "remember: ", "Remember that ", "note: ", "记住：", "merk dir: ", "/learnt remember ",
    "the staging gateway listens on port 8443", "score is power*1e6 + (1e6 - seconds)",
    "all our prices are gross, never net", "never commit notebooks", "the docs say 99.5",
    "now fix the test", "is it green?", "login redirects in a loop", "mail ann@example.org",
    "AKIAIOSFODNN7EXAMPLE", "<private>", "</private>", "\u200b", "/home/ann/work",
    "\n", "\n\n", "- ", "> ", "```\n", "    ", ". ", ", ", '"', "  ", "\r\n",
)  # fmt: skip
prompts = st.lists(
    st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=12).map("".join),
    min_size=1,
    max_size=3,
)


@given(prompts, st.booleans())
@example(["remember: mail ann@example.org from /home/ann/work\r\nand so on"], True)
@example(["remember: all our prices are gross, never net. now fix the test"], True)
@example(["please fix it. all our prices are gross, never net"], True)
def test_saved_words_are_a_part_of_what_was_typed(typed: list[str], attended: bool) -> None:
    """Marked, picked by an agent or found by rules: only white space around them goes."""
    home = Home()
    turns = [said(prompt) for prompt in typed]
    home.session("s1", turns, attended=attended, ended=False)
    for quote in (piece for prompt in typed for piece in (prompt, prompt[3:20], prompt[-9:])):
        with suppress(Refused):
            pick(home.outside, Pick(quote=quote, folder=FOLDER, session="s1"))
    home.session("s1", turns, attended=attended)
    home.harvest("s1")
    for note in home.notes():
        assert any(note.text in prompt for prompt in typed), note.text
        assert note.text == note.text.strip() != ""
