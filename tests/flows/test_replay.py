"""Before a skill is admitted, recorded prompts say what it would displace."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from learnt.core.events import Kind
from learnt.core.identifiers import ProjectId
from learnt.core.skills.skills import SkillLayer
from learnt.flows.skills.tend import RECENT, Ranking, SkillCandidate, asked, displaced_by
from tests.flows.shelved import Shelved, shelved

GRABS = "---\nname: grabber\ndescription: {}\n---\n\nDo all.\n"
DEADLOCK = "why does the payment queue deadlock at night"


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelved]:
    with shelved(tmp_path) as made:
        for number in range(6):
            made.put(f"tea-{number}", "Brews tea from a payment.")
        made.put("queues", "Frees a queue that is in deadlock.")
        yield made


def grabber(about: str) -> SkillCandidate:
    return SkillCandidate("grabber", GRABS.format(about), "/elsewhere/grabber/SKILL.md")


def test_it_names_the_skill_that_was_used(shelf: Shelved) -> None:
    """With the counts, and the prompt after which it was of use."""
    shelf.asked(DEADLOCK, used="queues")
    shelf.asked("please brew a green tea for everyone")
    shelf.ended()
    greedy = grabber("Deadlock, queue, payment, night: use it whenever a queue is in deadlock.")
    guard = displaced_by(shelf.opened, greedy)
    assert (2, 1, 0) == guard[:3]
    assert ("queues",) == guard.used
    queues = next(skill for skill in guard.displaced if skill.name == "queues")
    assert (0, 1, 1, (DEADLOCK,)) == queues[1:]
    assert [1] == [s.pushed_out for s in guard.displaced if s.name != "queues"]


def test_only_skills_that_are_installed_are_named(shelf: Shelved) -> None:
    """One that a domain brings along, and nobody installed, is in no agent's list."""
    greedy = grabber("Deadlock, queue, payment, night: use it whenever a queue is in deadlock.")
    shelf.asked(DEADLOCK, used="queues")
    before = displaced_by(shelf.opened, greedy)
    brought = {
        key: replace(s, layer=SkillLayer.SEED) for key, s in shelf.opened.known.skills.items()
    }
    known = replace(shelf.opened.known, skills=brought)

    assert before.displaced
    assert () == displaced_by(replace(shelf.opened, known=known), greedy).displaced


def test_what_says_something_else_displaces_nothing(shelf: Shelved) -> None:
    """And where no prompt was recorded, that is told."""
    other = grabber("Paints walls.")
    assert (0, 0, 0, ()) == displaced_by(shelf.opened, other)
    shelf.asked(DEADLOCK)
    assert (1, 0, 0, ()) == displaced_by(shelf.opened, other)


def test_a_skill_is_ranked_as_it_would_be_once_it_is_there(shelf: Shelved) -> None:
    """A new one, and another text of one that is there, which is no longer found by its old."""
    ranking = Ranking(shelf.opened)
    prompts = (DEADLOCK, "brew tea", "paint the walls at night", "deadlock")
    new = grabber("Paints walls at night.")
    changed = SkillCandidate("queues", GRABS.format("Paints.").replace("grabber", "queues"), "")
    foretold = [[ranking.then(text)(prompt) for prompt in prompts] for text in (new, changed)]
    assert (["grabber"], []) == (foretold[0][2], foretold[1][3])
    for text, expected in zip((new, changed), foretold, strict=True):
        shelf.put(text.name, "x")
        (shelf.folder / text.name / "SKILL.md").write_text(text.text, "utf-8")
        there = Ranking(shelf.opened)
        assert expected == [there.now(prompt) for prompt in prompts]
        shelf.put("queues", "Frees a queue that is in deadlock.")
        (shelf.folder / "grabber" / "SKILL.md").unlink(missing_ok=True)


def test_the_last_prompts_count_each_once(shelf: Shelved) -> None:
    """So many, however often they were typed; of a project alone where one is named."""
    for number in range(RECENT + 5):
        shelf.asked(f"what is the colour of tea number {number}")
    shelf.asked("what is the colour of tea number 104")
    recent = asked(shelf.stage.outside, RECENT)
    assert (RECENT, "what is the colour of tea number 104") == (len(recent), recent[-1].text)
    assert "what is the colour of tea number 4" not in [prompt.text for prompt in recent]
    (project,) = {event.where.project for event in shelf.stage.events(Kind.MISSED)}
    assert recent == asked(shelf.stage.outside, RECENT, project)
    assert [] == asked(shelf.stage.outside, RECENT, ProjectId("another"))
