"""Which facts are published together."""

from hypothesis import given
from hypothesis import strategies as st

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.topics import LONGEST, MOST, RELATED, Layout, Published, lay_out

ROOM = 25  # facts in 80 lines


def facts(
    count: int, layer: str = "schema_map", about: str = "", start: int = 0
) -> list[Published]:
    return [
        Published(id=EntryId(f"e-{layer}{about}{start + n}"), layer=layer, kind="schema",
                  text=f"fact {n}", entities=(about,) if about else ())
        for n in range(count)
    ]  # fmt: skip


def sizes(layout: Layout) -> dict[str, int]:
    return {topic.name: len(topic.facts) for topic in layout.topics}


def test_three_related_facts_make_a_topic() -> None:
    """Fewer wait for company, unless their topic has a file already."""
    assert {} == sizes(lay_out(facts(2)))
    assert 2 == len(lay_out(facts(2)).waiting)
    assert {"schema_map": 2} == sizes(lay_out(facts(2), ["schema_map"]))
    assert {"schema_map": 3} == sizes(lay_out(facts(3)))
    assert 3 == RELATED


def test_layers_are_topics_in_their_order() -> None:
    """Structure, rules, queries, flows."""
    layers = ["investigation_flows", "query_patterns", "business_rules", "schema_map"]
    found = lay_out(fact for layer in layers for fact in facts(3, layer))
    assert layers[::-1] == [topic.name for topic in found.topics]
    assert ["Structure", "Business rules", "Query patterns", "Investigation flows"] == [
        topic.title for topic in found.topics
    ]


def test_a_topic_beyond_eighty_lines_is_split() -> None:
    """By what most of its facts are about; the rest stays where it was."""
    held = facts(15, about="t_order") + facts(6, about="t_user") + facts(5)
    found = lay_out(held)
    assert {"schema_map": 11, "schema_map_t_order": 15} == sizes(found)
    assert "Structure: t_order" == found.topics[1].title
    assert {"schema_map": ROOM} == sizes(lay_out(facts(ROOM)))
    assert LONGEST == 80 >= max(topic.lines for topic in found.topics)


def test_a_split_keeps_to_the_files_there_are() -> None:
    """Though another entity has more facts by now: files are not renamed about."""
    held = facts(15, about="t_order") + facts(12, about="t_user")
    assert {"schema_map": 12, "schema_map_t_order": 15} == sizes(lay_out(held))
    known = ["schema_map", "schema_map_t_user"]
    assert {"schema_map": 15, "schema_map_t_user": 12} == sizes(lay_out(held, known))


def test_columns_are_of_their_table() -> None:
    """`t_order.status` and `t_order.id` are both about `t_order`."""
    held = [f for n in range(14) for f in facts(2, about=f"t_order.c{n}")]
    assert ["schema_map_t_order"] == [
        topic.name for topic in lay_out([*held, *facts(3)]).topics if topic.about
    ]


def test_what_nothing_splits_is_a_finding() -> None:
    """It is published whole, and a person is told."""
    found = lay_out(facts(ROOM + 1))
    assert {"schema_map": ROOM + 1} == sizes(found)
    assert ("schema_map has 82 lines, and nothing by which to split it",) == found.findings


def test_more_than_eight_topics_are_joined() -> None:
    """The two shortest of a layer at a time, while they fit."""
    held = [f for n in range(12) for f in facts(8, about=f"t_{chr(97 + n)}")]
    found = lay_out(held)
    assert len(found.topics) <= MOST
    assert sum(len(topic.facts) for topic in found.topics) == len(held)
    assert all(topic.lines <= LONGEST for topic in found.topics)
    assert () == found.findings


def test_too_many_that_cannot_be_joined_are_a_finding() -> None:
    """Nothing is left out for it."""
    held = [f for n in range(12) for f in facts(20, about=f"t_{chr(97 + n)}")]
    found = lay_out(held)
    assert sum(len(topic.facts) for topic in found.topics) == len(held)
    assert any(f"more than {MOST}" in said for said in found.findings)


NAMES = st.sampled_from(["", "t_a", "t_b", "t_c.x", "t_c.y", "订单", "getX()", "../etc"])


@given(st.lists(st.tuples(st.sampled_from(["schema_map", "business_rules"]), NAMES), max_size=120))
def test_every_fact_is_somewhere_once(drawn: list[tuple[str, str]]) -> None:
    """In a topic or waiting; names are plain words, and no two are equal."""
    held = [f for n, (layer, about) in enumerate(drawn) for f in facts(1, layer, about, n)]
    found = lay_out(held)
    placed = [fact.id for topic in found.topics for fact in topic.facts]
    placed += [fact.id for fact in found.waiting]
    assert sorted(fact.id for fact in held) == sorted(placed)
    names = [topic.name for topic in found.topics]
    assert len(names) == len(set(names))
    assert all(name.isascii() and name.replace("_", "a").isalnum() for name in names)
    assert all(len(topic.facts) >= RELATED for topic in found.topics)
    long = [topic for topic in found.topics if topic.lines > LONGEST]
    assert len(long) <= len(found.findings)
