"""Explicit search by meaning: what is near is found, and words go on where nobody can tell."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor
from learnt.core.knowledge.entries import Stage as Stages
from learnt.core.recall.vectors import Vector
from learnt.core.skills.skills import SkillLayer, SkillSource
from learnt.errors import EmbedderUnusable
from learnt.flows.governance.purge import Target, purge
from learnt.flows.knowledge.standing import stage_by_hand
from learnt.flows.recall.ask import ask
from learnt.flows.recall.meaning import BATCH, vectorise
from learnt.flows.skills.disclose import closest_skills
from learnt.ports import Dense, Embedder
from learnt.stores.sqlite_skills import SqliteSkills
from tests.flows.shelved import Shelved
from tests.flows.stage import HERE, Stage
from tests.support.in_memory_vectors import InMemoryVectors, ScriptedEmbedder

TEXT, OTHER = "orders refer to customers by a key", "invoices are printed in blue"
ASKED = "how do tables relate?"
SCRIPT: Mapping[str, Vector | BaseException] = {
    TEXT: [1.0, 0.0],
    OTHER: [0.0, 1.0],
    ASKED: [0.9, 0.1],
    "invoices in blue": [0.1, 0.9],
    "blue": [0.1, 0.9],
}


class Meant(Stage):
    """A stage with an embedder, and two facts that were remembered."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        super().__init__()
        self.stores: dict[str, InMemoryVectors] = {}
        self.facts = [self.learn(text).entry for text in (TEXT, OTHER)]
        self.dense = Dense(embedder or ScriptedEmbedder(SCRIPT), self.vectors)
        self.outside = replace(self.outside, dense=self.dense)

    def vectors(self, model: str) -> InMemoryVectors:
        return self.stores.setdefault(model, InMemoryVectors())

    def asked(self, question: str = ASKED) -> list[str]:
        hits = ask(self.outside, question, folder=HERE, actor=Actor.AGENT, most=5)
        return [hit.note.text for hit in hits]


def test_what_shares_no_word_is_found_by_its_meaning() -> None:
    """The nearest first; what only words find stays, and nothing is found twice."""
    stage = Meant()
    assert [] == stage.asked()
    assert (2, 0, 0) == vectorise(stage.outside, stage.dense)

    assert [TEXT, OTHER] == stage.asked()
    assert sorted([TEXT, OTHER]) == sorted(stage.asked("invoices in blue"))
    assert "" == stage.dense.trouble


def test_another_projects_entries_are_not_found() -> None:
    """However near they are."""
    stage = Meant()
    vectorise(stage.outside, stage.dense)
    found = ask(stage.outside, ASKED, folder="/projects/other", actor=Actor.AGENT, most=5)
    assert [] == found


TROUBLES: dict[str, Vector | BaseException] = {
    "an error": EmbedderUnusable("it is out of order"),
    "no number": [float("nan"), 1.0],
    "infinite": [float("inf"), 1.0],
    "no length": [0.0, 0.0],
    "other dimensions": [1.0, 0.0, 0.0],
    "no dimensions": [],
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_an_embedder_that_fails_leaves_the_search_by_words(trouble: str) -> None:
    """Whatever it gives for the question, what shares a word is found, and the trouble is told."""
    question = "invoices in blue"
    stage = Meant(ScriptedEmbedder({**SCRIPT, question: TROUBLES[trouble]}))
    vectorise(stage.outside, stage.dense)

    assert [OTHER] == stage.asked(question)
    assert stage.dense.trouble
    stage.asked()
    assert "" == stage.dense.trouble, "one that works again is no trouble any more"


def test_a_text_without_a_usable_vector_costs_no_other_text_its_own() -> None:
    """It is counted and tried again next time; an embedder that gives none at all is unusable."""
    stage = Meant(ScriptedEmbedder({**SCRIPT, OTHER: [float("nan"), 1.0]}))
    assert (1, 1, 0) == vectorise(stage.outside, stage.dense)
    assert [TEXT] == stage.asked()
    broken = Meant(ScriptedEmbedder({TEXT: [0.0], OTHER: [0.0]}))
    with pytest.raises(EmbedderUnusable, match="without a length"):
        vectorise(broken.outside, broken.dense)


def test_another_model_begins_with_words() -> None:
    """Vectors of one model are not compared with another's; its own are made in the background."""
    stage = Meant()
    vectorise(stage.outside, stage.dense)
    stage.dense.embedder = ScriptedEmbedder({**SCRIPT, ASKED: [0.0, 1.0]}, name="another")
    assert [] == stage.asked()
    vectorise(stage.outside, stage.dense)
    assert OTHER == stage.asked()[0]


def test_damaged_vectors_leave_the_search_by_words() -> None:
    """What is wrong is told; once they are made again it goes by meaning again."""
    stage = Meant()
    vectorise(stage.outside, stage.dense)
    stage.vectors("scripted").broken = "the file is damaged"
    assert ([OTHER], "the file is damaged") == (stage.asked("blue"), stage.dense.trouble)
    stage.vectors("scripted").clear()
    vectorise(stage.outside, stage.dense)
    assert TEXT == stage.asked()[0]


def test_a_text_is_embedded_once() -> None:
    """Neither another run nor another stage of the entry asks again; what is retired has none."""
    stage, embedder = Meant(), ScriptedEmbedder(SCRIPT)
    stage.dense.embedder = embedder
    vectorise(stage.outside, stage.dense)
    stage_by_hand(stage.outside, stage.facts[0], Actor.HUMAN, Stages.VALIDATED)
    stage_by_hand(stage.outside, stage.facts[1], Actor.HUMAN, Stages.RETIRED)
    assert (1, 0, 0) == vectorise(stage.outside, stage.dense)

    assert [TEXT, OTHER] == sorted(embedder.asked, reverse=True)
    held = stage.vectors("scripted").held()
    assert [(stage.facts[0], Stages.VALIDATED)] == [(each.item, each.stage) for each in held]


def test_only_so_many_are_made_at_a_time() -> None:
    """The rest is counted, and made next time."""
    stage = Meant()
    assert (1, 0, 1) == vectorise(stage.outside, stage.dense, most=1)
    assert (1, 0, 0) == vectorise(stage.outside, stage.dense, most=1)


def test_what_is_erased_while_vectors_are_made_has_none() -> None:
    """A purge between a text's reading and its vector's keeping leaves no vector of it."""
    stage = Meant()

    class Slow(ScriptedEmbedder):
        def embed(self, texts: object, *, question: bool = False) -> list[Vector]:
            purge(stage.outside, Target(text="customers"), Actor.HUMAN)
            return [[1.0, 0.0], [0.0, 1.0]]

    stage.dense.embedder = Slow()
    vectorise(stage.outside, stage.dense)
    assert frozenset() == stage.vectors("scripted").held()
    stage.dense.embedder = ScriptedEmbedder(SCRIPT)
    assert (1, 0, 0) == vectorise(stage.outside, stage.dense)
    assert {stage.facts[1]} == {each.item for each in stage.vectors("scripted").held()}


def test_what_an_embedder_is_given_is_sound_text() -> None:
    """No NUL, no half of a character, and not more than so much of a text."""
    embedder = ScriptedEmbedder()
    stage = Meant(embedder)
    stage.asked("a\x00b \ud800 " + "x" * 9_000)
    stage.asked("  \n")

    (given,) = embedder.asked
    assert given.startswith("a b ? xxx") and len(given) == 2_000


def test_skills_are_found_by_the_meaning_of_their_descriptions(tmp_path: Path) -> None:
    """Made in batches, of which whoever waits is told; nothing of them is among the entries."""
    stage, heard = Meant(ScriptedEmbedder()), list[tuple[int, int]]()
    source = SkillSource(str(tmp_path), SkillLayer.USER)
    with closing(SqliteSkills([source])) as library:
        shelved = Shelved(tmp_path, library, stage)
        for number in range(BATCH):
            shelved.put(f"skill-{number}", chr(ord("a") + number) * 9)
        skills = shelved.opened.known.skills.values()
        before = closest_skills(stage.outside, library, skills, "aaa", 3)
        total = BATCH + 2
        vectorise(stage.outside, stage.dense, skills, progress=lambda *far: heard.append(far))
        best, ranked_by = closest_skills(stage.outside, library, skills, "a" * 12, 3)

    assert (([], "words"), [(0, total), (BATCH, total)]) == (before, heard)
    assert ("words and meaning", 3) == (ranked_by, len(best))
    assert "skill-0" in {skill.name for skill, _ in best}
    assert [TEXT, OTHER] == sorted(stage.asked("a" * 12), reverse=True)
