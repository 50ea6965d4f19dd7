"""Published topics as files: facts under their names, and what a person wrote left in place."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.topics import LONGEST, MOST, Published, Topic
from learnt.formats.decay_tags import read
from learnt.formats.topic_md import fact_of, facts_in, index, line_of, moved, rendered
from tests.laws.strategies import texts


def fact(number: int, text: str = "", *entities: str) -> Published:
    return Published(id=EntryId(f"e-{number:014}"), layer="schema_map", kind="schema",
                     text=text or f"fact {number}", entities=entities)  # fmt: skip


def topic(*facts: Published, about: str = "") -> Topic:
    return Topic(name="schema_map", layer="schema_map", facts=facts, about=about)


def test_a_topic_is_these_lines() -> None:
    """A title, where its numbers are, and each fact under its name."""
    assert """\
# Structure: t_room

_Facts that were validated; what each is worth today: `learnt knowledge query`._

<!-- decay: id=e-00000000000001 type=schema -->
- fact 1

<!-- decay: id=e-00000000000002 type=schema -->
- two lines
""" == rendered(topic(fact(1), fact(2, "two\nlines"), about="t_room"))


def test_a_disputed_fact_says_so_in_words() -> None:
    """Behind its text, which stays what is read back; settled, the words go."""
    one, two = fact(1, "the limit is 10 MB"), EntryId("e-00000000000002")
    before = rendered(topic(replace(one, rivals=(two,))))

    assert f"- the limit is 10 MB (in dispute with {two}: verify)\n" in before
    assert "the limit is 10 MB" == fact_of(facts_in(before)[one.id])
    assert "dispute" not in rendered(topic(one), before)


def test_a_full_topic_is_eighty_lines() -> None:
    """As many as the rule allows, no more."""
    text = rendered(topic(*(fact(n) for n in range(25))))
    assert 80 == LONGEST
    assert 75 < len(text.splitlines()) <= LONGEST


def test_what_a_person_wrote_stays() -> None:
    """Prose between facts; a changed fact changes in its place, a gone one goes, a new one ends."""
    before = rendered(topic(fact(1), fact(2), fact(3))).replace("- fact 2", "- fact 2\nMy own note")
    after = rendered(topic(fact(1, "now this"), fact(2), fact(4)), before)
    assert """\
<!-- decay: id=e-00000000000001 type=schema -->
- now this

<!-- decay: id=e-00000000000002 type=schema -->
- fact 2
My own note

<!-- decay: id=e-00000000000004 type=schema -->
- fact 4
""" == after[after.index("<!--") :]
    assert before == rendered(topic(fact(1), fact(2), fact(3)), before)


def test_its_numbers_are_believed_nowhere() -> None:
    """Folder mode says where they are; a forged tag in a text is none."""
    forged = "x <!-- decay: type=schema confirmed=2026-01-01 C0=1.0 alpha=99 -->"
    text = rendered(topic(fact(1, forged)))
    page = read(text, date(2026, 1, 2))
    assert () == page.entries
    assert ["the numbers of e-00000000000001 are in a ledger, not in this file"] == [
        found.what for found in page.findings
    ]


def test_a_name_that_comes_twice_says_nothing() -> None:
    """Which of them is meant nobody can tell; one in fenced code is an example."""
    text = rendered(topic(fact(1), fact(2)))
    doubled = text + "\n<!-- decay: id=e-00000000000001 type=schema -->\n- other\n"
    assert {"e-00000000000002": "- fact 2"} == facts_in(doubled)
    fenced = f"```\n{text}```\n"
    assert {} == facts_in(fenced)


def test_a_topic_left_behind_says_so_once() -> None:
    """Its facts are elsewhere; a person's own lines stay."""
    before = rendered(topic(fact(1))).replace("- fact 1", "- fact 1\n\nMy own note")
    gone = moved(before)
    assert "fact 1" not in gone
    assert "My own note" in gone
    assert "see [the index](_index.md)" in gone
    assert gone == moved(gone)
    back = rendered(topic(fact(1)), gone)
    assert "- fact 1" in back
    assert "see [the index]" not in back


def test_the_index_is_a_line_a_topic() -> None:
    """With what most of its facts are about; a person's own lines stay where they are."""
    one = topic(fact(1, "", "t_room", "t_hotel"), fact(2, "", "t_room"), fact(3))
    text = index([one])
    assert text.endswith("\n\n- [Structure](schema_map.md): t_room, t_hotel (3 facts)\n")
    edited = text + "\nAsk Kim about rooms.\n"
    more = index([one, replace(one, name="schema_map_x", about="x")], edited)
    assert (
        """
- [Structure](schema_map.md): t_room, t_hotel (3 facts)
- [Structure: x](schema_map_x.md): t_room, t_hotel (3 facts)
"""
        in more
    )
    assert more.endswith("Ask Kim about rooms.\n")
    assert text == index([one], text)


def test_an_index_stays_below_forty_lines() -> None:
    """With as many topics as there may be."""
    many = [replace(topic(fact(1)), name=f"schema_map_{n}") for n in range(MOST)]
    assert len(index(many).splitlines()) < 40


@given(st.lists(texts.filter(lambda text: bool(text.strip())), min_size=1, max_size=5))
def test_what_is_rendered_is_read_back(said: list[str]) -> None:
    """Whatever the texts say: each fact under its name, and rendering again changes nothing."""
    facts = [fact(number, text) for number, text in enumerate(said)]
    text = rendered(topic(*facts))
    assert {one.id: line_of(one.text).strip() for one in facts} == facts_in(text)
    assert text == rendered(topic(*facts), text)
