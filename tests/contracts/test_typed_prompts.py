"""What is typed in a session that goes on is kept for the proof of quotes, and for no longer."""

from pathlib import Path

import pytest

from learnt.core.safety import owned
from learnt.file_ports import TypedPrompt, TypedPrompts
from learnt.stores.typed_prompts import FOLDER, LARGEST, FilePrompts

STRANGE = ["../x", "s1", "订单", "a\x00b", "/etc/passwd", "x" * 5_000, "\ud800"]


@pytest.fixture
def prompts(tmp_path: Path) -> TypedPrompts:
    return FilePrompts(tmp_path)


@pytest.mark.parametrize("session", STRANGE)
def test_prompts_come_back_in_order(prompts: TypedPrompts, session: str) -> None:
    """Of their session alone, whatever it is called."""
    prompts.keep(session, owned("first\nline"), person=True)
    prompts.keep("other", owned("else"), person=True)
    prompts.keep(session, owned("zweite"), person=False)
    wanted = [TypedPrompt("first\nline", True), TypedPrompt("zweite", False)]
    assert wanted == list(prompts.of(session))
    prompts.forget(session)
    assert ([], 1) == (list(prompts.of(session)), len(prompts.of("other")))


def test_a_call_tells_its_session(prompts: TypedPrompts) -> None:
    """As long as it goes on."""
    prompts.called("s1", "toolu_1")
    prompts.keep("s2", owned("toolu_1"), person=True)
    assert ["s1", "", ""] == [prompts.session_of(call) for call in ("toolu_1", "toolu_2", "")]
    prompts.forget("s1")
    assert "" == prompts.session_of("toolu_1")


def test_a_notice_is_told_once(prompts: TypedPrompts) -> None:
    """To its own session, or of none to whichever asks."""
    prompts.notice("s1", "one")
    prompts.notice("", "any")
    prompts.notice("s2", "two")
    assert {"one", "any"} == set(prompts.notices("s1"))
    assert [[], ["two"]] == [list(prompts.notices(name)) for name in ("s1", "s2")]


def test_what_nobody_closed_is_forgotten_in_time(prompts: TypedPrompts) -> None:
    """By when something was typed last."""
    prompts.keep("s1", owned("old"), person=True)
    prompts.forget_before(1 << 62)
    assert [] == list(prompts.of("s1"))


def test_files_are_private_bounded_and_plain(tmp_path: Path) -> None:
    """A link or rubbish in their place is read by nobody."""
    prompts = FilePrompts(tmp_path)
    prompts.keep("s1", owned("x"), person=True)
    (file,) = (tmp_path / FOLDER).iterdir()
    assert (0o600, 0o700) == (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777)
    with file.open("ab") as out:
        out.write(b'\xff\n[]\n7\n{"prompt": 7}\n{"prompt"')
    assert ["x", ""] == [each.text for each in prompts.of("s1")]
    file.write_bytes(b" " * (LARGEST + 1))
    prompts.keep("s1", owned("y"), person=True)
    assert ["y"] == [each.text for each in prompts.of("s1")]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text('{"prompt": "z", "person": true}\n')
    file.unlink()
    file.symlink_to(elsewhere)
    assert [] == list(prompts.of("s1"))
    with pytest.raises(OSError, match=r"\w"):
        prompts.keep("s1", owned("y"), person=True)
    Path(file).unlink()
