"""The frame between hook and worker."""

import pytest

from learnt.formats.wire import (
    ENVIRONMENT,
    LARGEST_BODY,
    LARGEST_HEAD,
    BadFrame,
    Frame,
    decode,
    encode,
    encode_answer,
    lengths,
)

FRAME = Frame(
    event="UserPromptSubmit",
    agent="claude-code",
    hook="1",
    size=99,
    environment={"CLAUDE_PROJECT_DIR": "/work/my project", "CLAUDE_PID": "7"},
    body=b'{"prompt": "a\\nb"}\n\x00\xff',
)


def test_a_frame_is_these_bytes() -> None:
    """The form that a hook of any version speaks; changing it needs a new protocol's name."""
    head = (
        b"event=UserPromptSubmit\nagent=claude-code\nhook=1\nsize=99\n"
        b"env.CLAUDE_PROJECT_DIR=/work/my project\nenv.CLAUDE_PID=7\n"
    )

    assert b"LEARNT/1 %d 21\n" % len(head) + head + FRAME.body == encode(FRAME)


def test_a_frame_comes_back_whole() -> None:
    """Decoding is encoding undone."""
    assert FRAME == decode(encode(FRAME))


AWKWARD = [
    "a\nb", "a\r\nb", "100%", "%0A", "%250A", "a=b", "", " ", "a\u2028b", "a\x0bb", "a\x0cb",
    "a\x1cb", "a\x85b", "\udcff", "数据", "/x\x0benv.CLAUDE_CODE_ENTRYPOINT=cli",
]  # fmt: skip


@pytest.mark.parametrize("text", AWKWARD)
def test_any_name_of_a_folder_comes_back(text: str) -> None:
    """Line ends of whatever kind, percent signs and undecodable bytes end no value."""
    frame = Frame(event="Stop", environment={"CLAUDE_PROJECT_DIR": text})

    assert frame == decode(encode(frame))


def test_only_the_agreed_variables_come_through() -> None:
    """Whatever a frame holds besides, the worker sees the allow-list alone."""
    environment = dict.fromkeys((*ENVIRONMENT, "ANTHROPIC_API_KEY", "PATH"), "x")
    raw = encode(Frame(event="Stop", environment=environment))
    bare = raw.replace(b"env.CLAUDE_PID=x", b"not.CLAUDE_PID=x")

    assert dict.fromkeys(ENVIRONMENT, "x") == decode(raw).environment
    assert set(ENVIRONMENT) - {"CLAUDE_PID"} == set(decode(bare).environment)


def test_the_allow_list() -> None:
    """An agent's environment holds tokens: no more than these."""
    expected = {
        "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ATTENDED",
        "CLAUDE_PID",
    }  # fmt: skip

    assert expected == set(ENVIRONMENT)


def test_what_a_head_leaves_out_is_empty() -> None:
    """And the size of the input is then the body's."""
    empty = Frame(event="", agent="", hook="", size=2, environment={}, body=b"{}")

    assert empty == decode(b"LEARNT/1 0 2\n{}")
    assert empty == decode(b"LEARNT/1 7 2\nsize=x\n{}")
    assert empty == decode("LEARNT/1 8 2\nsize=²\n{}".encode())
    assert empty == decode(b"LEARNT/1 5006 2\nsize=" + b"9" * 5_000 + b"\n{}")


BAD = [
    b"",
    b"\n",
    b"LEARNT/1 0 0",
    b"LEARNT/2 0 0\n",
    b"learnt/1 0 0\n",
    b"LEARNT/1 0\n",
    b"LEARNT/1 0 0 0\n",
    b"LEARNT/1  0 0\n",
    b"LEARNT/1 -1 1\n",
    b"LEARNT/1 a 0\n",
    b"LEARNT/1 0 a\n",
    b"LEARNT/1 1.5 0\n",
    b"LEARNT/1 0 1\n",
    b"LEARNT/1 0 0\nx",
    b"LEARNT/1 1 1\nx",
    b"LEARNT/1 %d 0\n" % (LARGEST_HEAD + 1) + b"x" * (LARGEST_HEAD + 1),
    b"LEARNT/1 0 %d\n" % (LARGEST_BODY + 1),
    b"LEARNT/1 " + b"9" * 5_000 + b" 0\n",
    b"LEARNT/1 0 " + b"9" * 5_000 + b"\n",
    b"GET / HTTP/1.1\r\n\r\n",
]


@pytest.mark.parametrize("raw", BAD)
def test_anything_else_is_a_bad_frame(raw: bytes) -> None:
    """And nothing but BadFrame is raised, which costs the sender alone."""
    with pytest.raises(BadFrame):
        decode(raw)


def test_the_largest_frame_is_taken() -> None:
    """Exactly as large as agreed."""
    assert (LARGEST_HEAD, LARGEST_BODY) == lengths(b"LEARNT/1 %d %d" % (LARGEST_HEAD, LARGEST_BODY))
    assert (65_536, 4_194_304) == (LARGEST_HEAD, LARGEST_BODY)


@pytest.mark.parametrize("answer", [b"", b"{}", b"a\nb\x00"])
def test_an_answer_says_its_length(answer: bytes) -> None:
    """So that the hook knows that it got all of it."""
    assert b"LEARNT/1 %d\n" % len(answer) + answer == encode_answer(answer)
