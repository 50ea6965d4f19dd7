"""Which facts a prompt leads to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.recall.asking import MOST_TOPICS, leads_to, named_in, of_two_topics

LEADS = [
    ("what does t_room hold?", "T_ROOM"),
    ("T_ROOM.room_no repeats", "t_room"),
    ("T_ROOM.room_no repeats", "t_room.room_no"),
    ("what does t_room hold?", "t_room.room_no"),
    ("who calls getRoom() here", "getRoom"),
    ("who calls getRoom here", "getRoom()"),
    ("why is src/rooms.py slow", "src/rooms.py"),
    ("退款申请几天内可以提交", "退款"),
    ("t_room 的状态 3 是什么意思", "t_room"),
]
LEADS_NOT = [
    ("a room with a view", "t_room"),
    ("t_room_old is gone", "t_room"),
    ("room_no of what", "t_room.room_no"),
    ("退货", "退款"),
    ("", "t_room"),
    ("anything", ""),
    ("款", "款"),
]


@pytest.mark.parametrize(("prompt", "entity"), LEADS)
def test_a_name_leads_to_what_is_about_it(prompt: str, entity: str) -> None:
    """Whole, in whatever case, with or without its owner and its brackets."""
    assert leads_to(prompt, named_in(prompt), [entity])


@pytest.mark.parametrize(("prompt", "entity"), LEADS_NOT)
def test_a_part_of_a_name_leads_nowhere(prompt: str, entity: str) -> None:
    """Nor does a single character of an unspaced script."""
    assert not leads_to(prompt, named_in(prompt), [entity])


@given(st.lists(st.tuples(st.sampled_from(["", "a", "b", "c", "d"]), st.integers()), max_size=20))
def test_two_topics_at_most(found: list[tuple[str, int]]) -> None:
    """Those that come first; what has no topic stays, and the order with it."""
    indexed = [(topic, (topic, number)) for topic, number in found]
    kept = of_two_topics(indexed)
    topics = [topic for topic, _ in kept if topic]
    first = list(dict.fromkeys(topic for topic, _ in found if topic))[:MOST_TOPICS]
    assert set(topics) <= set(first)
    assert kept == [one for one in found if not one[0] or one[0] in first]
