"""Characters that nobody sees are told by Unicode's properties and by their neighbours."""

import pytest

from learnt.core.visible_text import hidden, spelled_out, visible


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
        "❤\ufe0f 👩\U0001f3fd\u200d💻 1\ufe0f\u20e3", "\U0001f3f4\U000e0067\U000e0062\U000e007f",
        "می\u200cشود", "क्\u200dष", "അവൻ ന്\u200d വ", "葛\U000e0100城", "ภาษา\u200bไทย",
        "או API\u200f.", "12\u202f000\u00a0€", "\u3000例", "⠓\u2800⠺", "a\r\nb\tc", "e\u0301",
    ],
)  # fmt: skip
def test_what_a_script_needs_stands_rightly(text: str) -> None:
    """Joiners between letters that join, selectors behind emoji, marks beside Hebrew."""
    assert [] == hidden(text)
    assert text == spelled_out(text)


def test_what_stood_rightly_beside_a_hidden_character_goes_with_it() -> None:
    """Taking out once is enough: a second look finds nothing."""
    once = visible("\u061c\u200cب\u2800\u2801")

    assert once == visible(once)
