"""Redaction is final: no planted secret survives it, and a second one changes nothing."""

from hypothesis import assume, example, given
from hypothesis import strategies as st

from learnt.core.safety import excerpt, redact, redact_secrets, strip_private
from learnt.core.visible_text import visible
from tests.laws.strategies import nasty_text, secrets, texts

# What stands beside a secret in real texts.
_before = st.sampled_from(["", " ", "\n", '"', "`", "，", "：", "是", "用"])
_after = st.sampled_from(["", " ", "\n", '"', "`", "，", "。", "的", ", ", "; "])


@given(texts)
@example("/home/ann/home/ann and /home/ann/Users/ann")
@example("a@b.cocreate_usera@b.co.x@c.de")
@example("://a@b.co@x ://pass=abcdef9(@h")
def test_redacting_twice_is_redacting_once(text: str) -> None:
    """What redaction leaves behind is nothing to redact."""
    once = redact(text)

    assert once == redact(once)


@given(texts)
def test_secrets_alone_likewise(text: str) -> None:
    """What the gates take out of a text they would not take out of the result."""
    once, _ = redact_secrets(text)

    assert once == redact_secrets(once)[0]


@given(st.text(max_size=20), _before, secrets, _after, st.text(max_size=20))
def test_no_planted_secret_is_left(
    head: str, before: str, secret: tuple[str, str], after: str, tail: str
) -> None:
    """Whatever stands around it, in whatever script."""
    written, hidden = secret
    assume(hidden not in head + tail)
    text = f"{head}{before or ' '}{written}{after or ' '}{tail}"

    assert hidden not in redact(text)
    assert hidden not in redact_secrets(text)[0]


@given(nasty_text, secrets, st.text(max_size=10))
def test_no_secret_is_left_among_what_the_rules_look_for(
    head: str, secret: tuple[str, str], tail: str
) -> None:
    """A line of its own is enough, however confusing the lines around it are."""
    written, hidden = secret

    assert hidden not in redact(f"{head}\n{written}\n{tail}")


@given(nasty_text)
def test_nothing_private_is_left(text: str) -> None:
    """What a private tag opened never shows, nested or not, in any case."""
    marked = f"<private>{text.replace('</', '')}SECRET</private> end"

    assert "SECRET" not in strip_private(marked)
    assert "SECRET" not in excerpt(marked, 10_000)


@given(texts)
def test_stripping_and_cleaning_twice_is_doing_so_once(text: str) -> None:
    """Neither makes what it would take out."""
    assert strip_private(text) == strip_private(strip_private(text))
    assert visible(text) == visible(visible(text))
