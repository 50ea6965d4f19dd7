"""What any ledger promises of the observations that wait in it."""

from msgspec.structs import replace

from learnt.core.identifiers import NaturalKey
from learnt.core.records import JsonObject
from learnt.core.safety import owned
from learnt.core.sessions.observations import NO_RESPONSE, Observation, Response
from learnt.ports import Outside


def test_an_observation_is_taken_once(outside: Outside) -> None:
    """Its id and its natural key each admit it once."""
    seen = Observation(id="a", ms=1, event="Stop", session="s", episode="p")
    with outside.ledger.writing() as writer:
        assert writer.observe(seen, NaturalKey("k1"))
        assert not writer.observe(seen, NaturalKey("k2"))
        assert not writer.observe(replace(seen, id="b"), NaturalKey("k1"))
        assert [seen] == [held.observation for held in writer.observed("s")]


def test_what_a_prompt_says_is_kept_beside_it(outside: Outside) -> None:
    """As long as its observation is, and found by its words when a text is erased."""
    response = Response(verdict="correction", quote="still red", objects=True)
    prompt = Observation(id="1", ms=1, event="UserPromptSubmit", session="s1", episode="p1")
    with outside.ledger.writing() as writer:
        writer.observe(prompt, NaturalKey("1"), response)
        writer.observe(replace(prompt, id="2"), NaturalKey("2"))
    with outside.ledger.reading() as reader:
        assert [response, NO_RESPONSE] == [held.response for held in reader.observed("s1")]
    outside.ledger.settle()
    with outside.ledger.writing() as writer:
        assert 1 == writer.erase_observations(text="STILL red")
        assert ["2"] == [held.observation.id for held in writer.observed("s1")]


def test_closed_episodes_are_not_open(outside: Outside) -> None:
    """Closing marks the episode's observations and no others."""
    with outside.ledger.writing() as writer:
        for name, episode in (("a", "p1"), ("b", "p2")):
            seen = Observation(id=name, ms=1, event="Stop", session="s", episode=episode)
            writer.observe(seen, NaturalKey(name))
        writer.close_episode("s", "p1")

        still = [held.observation.id for held in writer.observed("s", open_only=True)]
        assert ["b"] == still
        assert 2 == len(writer.observed("s"))


def test_observations_are_found_by_a_name_in_their_details(outside: Outside) -> None:
    """As it is spelt there, whatever it holds."""
    with outside.ledger.writing() as writer:
        for name, call in (("a", "toolu_1"), ("b", 'to"ol\\表')):
            detail: JsonObject = {"calls": [{"id": call}]}
            seen = Observation(id=name, ms=1, event="PostToolBatch", session="s", detail=detail)
            writer.observe(seen, NaturalKey(name))
        found = [
            [held.observation.id for held in writer.observed("s", naming=naming)]
            for naming in ("toolu_1", 'to"ol\\表', "toolu_2", "")
        ]
    assert [["a"], ["b"], [], ["a", "b"]] == found


def test_activity_rises_with_steps_and_never_falls(outside: Outside) -> None:
    """Old observations go; what parts one compaction from the next does not."""
    with outside.ledger.writing() as writer:
        for number in range(3):
            seen = Observation(id=str(number), ms=number, event="PostToolBatch", session="s")
            writer.observe(seen, NaturalKey(str(number)))
        before = writer.activity("s", ["PostToolBatch"])
        assert 2 == writer.forget_observations(2)
        assert before == writer.activity("s", ["PostToolBatch"])
        assert 0 == writer.activity("other", ["PostToolBatch"])
        assert 0 == writer.activity("s", ["Stop"])
        assert ["s"] == list(writer.sessions_observed())


def test_observations_are_erased_by_session_by_text_or_all(outside: Outside) -> None:
    """A purge takes what it names."""
    with outside.ledger.writing() as writer:
        for name in ("one", "two", "three"):
            seen = Observation(
                id=name, ms=1, event="Stop", session=name, excerpt=owned(f"Say {name}")
            )
            writer.observe(seen, NaturalKey(name))
        assert 1 == writer.erase_observations(session="one")
        assert 1 == writer.erase_observations(text="say TWO")
        assert 1 == writer.erase_observations()
