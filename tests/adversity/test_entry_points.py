"""Notes that attack the contents of a session's start: none gets through."""

import pytest

from learnt.core.events import Actor
from learnt.core.identifiers import handle
from learnt.core.knowledge.drafts import Draft
from learnt.core.visible_text import visible
from learnt.flows.knowledge.capture import Offer
from learnt.flows.recall.contents import show_contents
from learnt.formats.contents import RULES_HEADING
from learnt.formats.injection import FENCE
from tests.flows.stage import HERE, Stage
from tests.support.entry_attacks import Attack, attacks
from tests.support.kept_unseen import capture_many

TYPED = "always run make check before you push"


@pytest.mark.parametrize("attack", attacks("line"))
def test_a_note_is_a_line_or_is_left_out(attack: Attack) -> None:
    """Though a person vouched for it: it closes no fence, forges no heading and no other line."""
    stage = Stage()
    rule = attack["kind"] == "rule" and attack["by"] == "typed"
    what = Draft(text=attack["text"], kind=attack["kind"] if rule else "procedure")
    offers = [
        Offer(what=Draft(text=TYPED, kind="rule"), actor=Actor.HUMAN, folder=HERE),
        Offer(what=what, actor=Actor.HUMAN, folder=HERE),
    ]
    _, note = capture_many(stage.outside, offers, gated=False)
    block = show_contents(stage.outside, stage.observation("SessionStart"), lambda: False).context
    lines = block.split("\n")

    assert block.splitlines() == lines and visible(block) == block
    assert [f"<{FENCE}>", f"</{FENCE}>"] == [lines[0], lines[-1]]
    assert 1 == block.lower().count(f"</{FENCE}") == block.count(f"{RULES_HEADING}\n")
    own = [line for line in lines if line.startswith("- ")]
    assert f"- {TYPED}" in own and len(own) == 1 + (rule and len(own) > 1)
    assert "more: recall" not in block
    named = [line for line in lines if line.startswith(handle(note.entry))]
    assert len(named) <= 1 and all(len(line) <= 300 for line in named)
