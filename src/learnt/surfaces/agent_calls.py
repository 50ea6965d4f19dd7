"""What an agent may ask and tell, whichever way it calls: over MCP, or by the Python API.

Whoever calls is an agent, whatever the environment says, and nothing here decides. It is answered
with the records that commands print.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Draft
from learnt.core.payloads.entry_events import Result
from learnt.core.records import Record
from learnt.errors import Refused, UsageError
from learnt.flows.governance.explain import Story, explain
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.knowledge.checking import seen_from
from learnt.flows.knowledge.feedback import Word
from learnt.flows.recall.ask import ask, entries_named, read
from learnt.flows.sessions.locate import current_session
from learnt.ports import Outside
from learnt.settings import Settings, load
from learnt.surfaces.answers import memories

LONGEST_TEXT: Final = 20_000  # of one that is asked or offered
MOST_ITEMS: Final = 50


class Client(Record, kw_only=True):
    """Where the client works, and the agent's session that it names."""

    folder: str
    session: str = ""
    settings: Settings | None = None  # of its server, as they are when it calls
    call: str = ""  # the id of the tool call, as its client names it


def settings_of_agent(environment: Mapping[str, str], home: str | None) -> Settings:
    """The settings of an agent's home. Raises Refused for an agent that Learnt itself started."""
    settings = load(environment, home)
    if settings.inside:
        raise Refused(
            "This agent was started by Learnt itself, which does not learn from its own work. "
            "Nothing was looked up or recorded."
        )
    return settings


def recalled(outside: Outside, client: Client, question: str, most: int) -> memories.Memories:
    """The best entries, candidates included; that it was asked is recorded.

    Where every word is the handle or id of an entry, these entries. Raises UsageError for a
    question that is too long, or a handle that several entries have.
    """
    _check_sizes(question)
    if names := entries_named(outside, question.split(), folder=client.folder):
        return opened(outside, client, names)
    return memories.found(
        ask(outside, question, folder=client.folder, actor=Actor.AGENT, most=most)
    )


def opened(outside: Outside, client: Client, names: Iterable[EntryId]) -> memories.Memories:
    """Entries whole; in an agent's session that a line had named them, they count as used."""
    session = current_session(outside, client.session)
    return memories.listed(
        hit
        for name in dict.fromkeys(names)
        for hit in read(outside, name, folder=client.folder, actor=Actor.AGENT, session=session)
    )


def entry_meant(outside: Outside, client: Client, name: str) -> EntryId:
    """The entry of a handle or an id; the name as it is where nothing that is seen has it."""
    names = entries_named(outside, [name], folder=client.folder)
    return names[0] if names else EntryId(name)


def offered(
    outside: Outside, client: Client, what: Draft, evidence: str, *, everywhere: bool
) -> memories.Admission:
    """Knowledge through the gates, as an agent's. Raises UsageError for what is no offer."""
    _check_sizes(*what.texts)
    offer = Offer(
        what=what,
        actor=Actor.AGENT,
        folder=None if everywhere else client.folder,
        session=current_session(outside, client.session),
        evidence=evidence,
    )
    return memories.admission(capture(outside, offer))


def _check_sizes(*texts: str) -> None:
    if len(texts) > 3 * MOST_ITEMS or any(len(text) > LONGEST_TEXT for text in texts):
        raise UsageError(
            f"A text has {LONGEST_TEXT:,} characters at most, and a list {MOST_ITEMS} of them. "
            "Nothing was done."
        )


def told(
    outside: Outside, client: Client, name: str, result: Result, evidence: str
) -> memories.Recorded:
    """A word on an entry, with the weight that an agent's has."""
    name = entry_meant(outside, client, name)
    seen_from(outside, client.folder, name)
    word = Word(
        result=result,
        actor=Actor.AGENT,
        evidence=evidence,
        session=current_session(outside, client.session),
        folder=client.folder,
    )
    return memories.tell(outside, name, word)


def story(outside: Outside, client: Client, name: str, most: int | None = None) -> Story:
    """The chain from the first observation to now; with `most` its middle may be left out."""
    return explain(outside, entry_meant(outside, client, name), most, folder=client.folder)
