"""Whether a person says that a note does not hold any more, and which."""

import pytest

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.objections import LOOKED_AT, Objection, objected_to
from learnt.language.remarks import objection

PORT = EntryId("e-0123456789abcd")
BAUD = EntryId("e-abcdefghijklmn")
BOTH = {PORT: "the staging gateway listens on port 8443", BAUD: "串口波特率是 460800 baud"}


@pytest.mark.parametrize(
    "prompt",
    [
        "it's no longer true",
        "It\u2019s outdated",
        "that has changed since",
        "this   changed:\nport is 9000 now",
        "the note is stale",
        "your memory is out of date",
        "what Learnt says is wrong",
        f"{PORT} is wrong",
        "forget that memory",
        "hm, that changed",
        "use 9000. your memory no longer holds",
        "wait, this has changed to 9000",
        "no, oh, hm, this has changed",
        "what is the port? the note is stale",
        "if so, fine. the note is stale",
        "这条过时了",
        "那条笔记已经作废",
        "这条不对，早换了",
        "那个早就变了",
    ],
)
def test_a_note_is_objected_to(prompt: str) -> None:
    """By its name, or by saying that things have changed."""
    assert objection(prompt) is not None


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "that's wrong",
        "I changed it to 9000",
        "this changed the layout",
        "change this to blue",
        "is this test wrong?",
        "the note is fine",
        "不对，用 yarn",
        "这个按钮不对",
        "这条路由加个测试",
        "use 9000, it no longer holds",
        "the note is stale, right?",
        "is it so that the note is stale?",
        "if the note is stale, tell me",
        "check whether your memory is wrong",
        "如果这条过时了，告诉我",
        "这条过时了吗",
        "这条不对吗？",
    ],
)
def test_the_agents_own_work_is_another_matter(prompt: str) -> None:
    """That something is wrong with it is a correction."""
    assert objection(prompt) is None


def test_only_the_beginning_of_a_prompt_counts() -> None:
    """What stands far down in it is of something else."""
    note = "the note is stale"
    assert objection("x" * (LOOKED_AT - len(note) - 1) + " " + note)
    assert not objection("x" * (LOOKED_AT - len(note)) + " " + note)
    said = {PORT: "one", BAUD: "baud"}
    assert BAUD == objected_to(Objection(), "x" * (LOOKED_AT - 5) + " baud", said)
    assert None is objected_to(Objection(), "x" * (LOOKED_AT - 4) + " baud", said)


@pytest.mark.parametrize(
    ("prompt", "shown", "entry"),
    [
        ("this changed", {}, None),
        ("this changed", {PORT: "a port"}, PORT),
        ("this changed", BOTH, None),
        ("the baud note is stale", BOTH, BAUD),
        ("波特率那条过时了", BOTH, BAUD),
        ("the port and the baud have changed", BOTH, None),
        (f"{PORT} is wrong, baud", BOTH, PORT),
        (f"{PORT} and {BAUD} are wrong", BOTH, None),
        ("e-00000000000000 is wrong", {PORT: "a port"}, None),
        ("e-00000000000000 is wrong: baud", BOTH, None),
        ("the baud note is stale", {PORT: BOTH[PORT]}, None),
        ("the baud\nnote\u2019s stale", {PORT: BOTH[PORT]}, None),
        ("the port note is stale", {PORT: BOTH[PORT]}, PORT),
        ("the old note is stale", {PORT: BOTH[PORT]}, PORT),
        ("the note is stale", {PORT: BOTH[PORT]}, PORT),
        ("the meeting note is stale", BOTH, None),
        ("这条过时了", {PORT: BOTH[PORT]}, PORT),
        ("note e-1 is wrong", {EntryId("e-1"): "x", EntryId("e-2"): "y"}, None),
    ],
)
def test_it_must_be_clear_which_is_meant(
    prompt: str, shown: dict[EntryId, str], entry: EntryId | None
) -> None:
    """By its id, by being the only one shown, or by words that it alone has."""
    assert entry == objected_to(objection(prompt) or Objection(), prompt, shown)
