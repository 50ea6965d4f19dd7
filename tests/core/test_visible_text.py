"""Characters that nobody sees are told by Unicode's properties and by their neighbours."""

import sys
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from learnt.core.safety import neutralise
from learnt.core.visible_text import IGNORABLE, hidden, spelled_out, visible


@pytest.mark.parametrize(
    "carried",
    [
        "\ufe00\ufe0f", "\U000e0141", "\u2800", "\u2028", "\U0001d173", "\U0001bca0", "\U00013430",
        "\u3164", "\u115f", "\u034f", "\u180e", "\u00ad", "\u2063", "\U000e0041", "\x1b[8m", "\x08",
        "\ue000", "\U000f1234", "\u0378", "\ufffe", "\ufff9", "\ufffc", "\u2005", "\u2067", "\r",
    ],
)  # fmt: skip
def test_no_character_carries_a_text_unseen(carried: str) -> None:
    """It is named where it stands, goes out of observed text, and is shown by its number."""
    text = f"Run{carried}the tests."

    assert [3] == [at for at, _ in hidden(text)]
    assert [] == hidden(visible(text))
    assert f"Run⟨U+{ord(carried[0]):04X}⟩" in spelled_out(text)


@pytest.mark.parametrize(
    "text",
    [
        "❤\ufe0f 👩\U0001f3fd\u200d💻 1\ufe0f\u20e3 🏳\ufe0f\u200d🌈", "© 2026 → ❤\ufe0f",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "می\u200cشود",
        "क्\u200dष", "ന്\u200d വ", "र\u200d्य", "葛\U000e0100城", "מִלָּה", "12\u202f000\u00a0€",
        "\u3000例", "⠓\u2800⠺", "a\r\nb\tc", "e\u0301", "x\u0304",
    ],
)  # fmt: skip
def test_what_a_script_needs_stands_rightly(text: str) -> None:
    """Joiners between letters that join, selectors behind emoji, marks beside Hebrew."""
    assert [] == hidden(text)
    assert text == spelled_out(text)


@pytest.mark.parametrize("text", ["\u061c\u200cب\u2800\u2801", "Run\u094d\u200d the tests"])
def test_what_stood_rightly_beside_a_hidden_character_goes_with_it(text: str) -> None:
    """What is left holds nothing that is not seen: a second look finds nothing."""
    once = visible(text)

    assert [] == hidden(once)
    assert once == visible(once)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("❤", "❤\ufe0f"), ("葛", "葛\U000e0100"), ("میشود", "می\u200cشود"), ("क्ष", "क्\u200dष"),
        ("a\u0323\u0302", "a\u0302\u0323"), ("é", "e\u0301"), ("1\u20e3", "1\ufe0f\u20e3"),
    ],
)  # fmt: skip
def test_a_text_writes_a_sign_or_a_word_in_one_form(one: str, other: str) -> None:
    """Each form may stand alone; two that look alike in one text could spell a message."""
    mixed = f"{one} and {other} and {one}"

    assert hidden(mixed)
    assert 1 == len({visible(f"{a} {b} {c}") for a, b, c in [(one, other, one), (other, one, one)]})


def test_few_signs_differ_from_the_others_in_having_a_selector() -> None:
    """Which of many signs have one could spell a message."""
    signs = "☎✔⚠❤✈☀☂☃☘☝☠☢☣☦☪☮☯"

    assert hidden(" ".join(c + "\ufe0f" * (at % 2) for at, c in enumerate(signs)))
    assert [] == hidden(" ".join(c + "\ufe0f" for c in signs if c != "☂" and c != "☃"))


# What Unicode calls ignorable, a mark, a tag, a selector or a format, and what it may stand behind.
_CARRIERS = [
    chr(point)
    for point in range(sys.maxunicode + 1)
    if unicodedata.category(chr(point)) in {"Mn", "Me", "Cf"} or chr(point) in IGNORABLE
]
_BASES = [
    *"eKжλ7.-葛か한ᄒدבשकกཀᠮ😀❤🏴1→∑€█é ", "क्", "👍🏽", "🇩🇪", "e\u0301", "\ue000", "\n",
]  # fmt: skip


@given(
    st.lists(st.booleans(), min_size=8, max_size=24),
    st.sampled_from(_CARRIERS),
    st.sampled_from(_BASES),
)
def test_nothing_unseen_carries_bits(bits: list[bool], carrier: str, base: str) -> None:
    """Whether a character follows its base can't be read from a file, a note or a prompt."""
    seen = unicodedata.category(carrier)[0] == "M" and carrier not in IGNORABLE
    assume(not (seen and not hidden(base + carrier)))  # an accent, a script's own sign
    sent = "|".join(base + carrier * bit for bit in bits)
    accepted = [visible(sent), neutralise(sent)] + ([] if hidden(sent) else [sent])

    for text in accepted:
        assert len({carrier in part for part in text.split("|")}) == 1
