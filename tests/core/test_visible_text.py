"""Characters that nobody sees are told by Unicode's properties and by their neighbours."""

import re
import sys
import unicodedata
from random import Random  # noqa: TID251  # by a stated seed

import pytest

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Stage
from learnt.core.visible_text import hidden, spelled_out, visible
from learnt.formats.injection import Note, one_line, render
from learnt.formats.skill_text import fitting
from learnt.formats.topic_md import line_of


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
        "क्\u200dष", "ന്\u200d വ", "र\u200d्य", "מִלָּה", "⠓\u2800⠺",
        "a\r\nb\tc", "e\u0301", "x\u0304",
    ],
)  # fmt: skip
def test_what_a_script_needs_stands_rightly(text: str) -> None:
    """Joiners between letters that join, selectors behind emoji, marks beside Hebrew."""
    assert [] == hidden(text)
    assert text == spelled_out(text)


@pytest.mark.parametrize("text", ["12\u202f000\u00a0€", "a\u2009b c\u3000d", "\u3000例"])
def test_blanks_that_people_type_are_shown_as_plain_ones(text: str) -> None:
    """They refuse nothing, and no choice among them is left in what is shown or written."""
    assert [] == hidden(text)
    assert re.sub(r"\s", " ", text) == visible(text) == spelled_out(text)


@pytest.mark.parametrize("text", ["\u061c\u200cب\u2800\u2801", "Run\u094d\u200d the tests"])
def test_what_stood_rightly_beside_a_hidden_character_goes_with_it(text: str) -> None:
    """What is left holds nothing that is not seen: a second look finds nothing."""
    once = visible(text)

    assert [] == hidden(once)
    assert once == visible(once)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("❤", "❤\ufe0f"), ("میشود", "می\u200cشود"), ("क्ष", "क्\u200dष"),
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


# DerivedCoreProperties.txt of Unicode 17: Default_Ignorable_Code_Point, also those not assigned.
_IGNORABLE = {
    chr(point)
    for first, last in (
        (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5),
        (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
        (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8),
        (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
    )
    for point in range(first, last + 1)
}  # fmt: skip
# And every format, mark, blank and separator, the Braille blank and an object's stand-in.
_CARRIERS = sorted(_IGNORABLE | {"\u2800", "\ufffc"} | {
    c for c in map(chr, range(sys.maxunicode + 1))
    if c != " " and unicodedata.category(c) in {"Cf", "Mn", "Me", "Zs", "Zl", "Zp"}
})  # fmt: skip
_BASES = [
    *"eKжλ7.-葛か한ᄒדבשकกཀᠮ😀❤🏴1→∑€█é ", "क्", "👍🏽", "🇩🇪", "e\u0301", "\ue000", "\n", "«",
]  # fmt: skip


def sight(base: str, carrier: str) -> bool:
    """Whether a reader sees a mark: of the base's script, an accent on a letter of ours.

    A mark behind a script's own is seen as well: both go together where one has no place.
    """
    if unicodedata.category(carrier)[0] != "M" or carrier in _IGNORABLE:
        return False
    mark, script = (unicodedata.name(c, "?").split(" ")[0] for c in (carrier, base[0]))
    ours = mark == "COMBINING" and script in {"LATIN", "GREEK", "CYRILLIC"}
    return ours or mark == script or base == "क्"


def stead(carrier: str) -> str:
    return " " if unicodedata.category(carrier) == "Zs" else ""


def test_nothing_unseen_carries_bits() -> None:
    """Behind no base can it be read from a text whether a character follows, or which blank."""
    for base in _BASES:
        for carrier in _CARRIERS:
            without, sent = base + stead(carrier), base + carrier
            if len(set(visible(f"{without}|{sent}|{without}").split("|"))) > 1:
                assert sight(base, carrier), (base, f"U+{ord(carrier):04X}")


@pytest.mark.parametrize(
    ("bases", "carrier"),
    [
        ([chr(0x4E00 + 97 * n) for n in range(60)], "\U000e0100"),
        ([chr(0x4E00 + 97 * n) for n in range(60)], "\ufe00"),
        (list("☁☄☎☑☘☝☠☢☣☦☪☮☯☸☹♠♣♥♦♨♻⚒⚔⚗⚙⚠✂✈✉✏✒✔✝✡❄❤"), "\ufe0f"),
        (list("⌚⌛⏩⏰⏳☔☕♈♉♊♿⚓⚡⚪⚫⚽⚾⛄⛅⛔⛪⭐⭕"), "\ufe0f"),
        (list("aeiouncszyAEIOUNCSZY"), "\u0301"),
    ],
    ids=["ideographs", "their other selector", "signs", "emoji", "accents"],
)
def test_many_signs_of_a_text_carry_no_bits_together(bases: list[str], carrier: str) -> None:
    """Each may have what is not seen or not: what mixes is found, and shown in one form."""
    random = Random(7)
    plain = [unicodedata.normalize("NFC", base + carrier) for base in bases]
    pairs = [
        (base + carrier, c if len(c) == 1 else base) for base, c in zip(bases, plain, strict=True)
    ]
    for _ in range(20):
        signs = [random.choice(pair) for pair in pairs]
        assert hidden(" ".join(signs))


@pytest.mark.parametrize("base", _BASES)
def test_nothing_unseen_reaches_a_file_a_prompt_or_a_screen(base: str) -> None:
    """A note in a topic's file and in a hook's block, a skill in a prompt; a screen has numbers."""
    carriers = [carrier for carrier in _CARRIERS if not sight(base, carrier)]
    sent, other = (
        "|".join([
            "x",
            base,
            *(base + (c if n % 2 == bit else stead(c)) for n, c in enumerate(carriers)),
        ])
        for bit in (0, 1)
    )

    for written in (line_of, shown, one_line, lambda text: fitting([("x", text)])):
        assert (written(sent) == written(other)) is True  # each is too long to be told
    assert set(base) >= set(spelled_out(sent)) & set(carriers)


def shown(text: str) -> str:
    note = Note(id=EntryId("e-1"), stage=Stage.VALIDATED, actor=Actor.HUMAN, kept_ms=0, text=text)
    return render([note])
