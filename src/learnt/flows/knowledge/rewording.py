"""A person writes anew what an entry says; it stays the entry that it is."""

from functools import partial

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Fact, Offered, Solution
from learnt.core.natural_keys import natural_key
from learnt.errors import UsageError
from learnt.flows.governance.decisions import Decider, refuse_others
from learnt.flows.knowledge.capture import put_right
from learnt.flows.knowledge.feedback import live
from learnt.flows.knowledge.offers import Offer
from learnt.flows.recall.search import note_of
from learnt.flows.stored import text_or_empty, texts_behind
from learnt.formats.sheet_md import Sheet
from learnt.ports import Outside


def sheet_of(outside: Outside, name: EntryId) -> Sheet:
    """What an entry says. Raises NotFound where it is gone."""
    with outside.ledger.reading() as reader:
        note = note_of(reader, live(reader, name))
    return Sheet(note.text, note.problem, note.approach, note.cautions)


def reword(outside: Outside, name: EntryId, sheet: Sheet, decider: Decider) -> str:
    """Have an entry say what a person wrote, validated; the reason where no agent may see that.

    Raises Refused for anybody but a person, UsageError where a fact became a solution or the other
    way round, NotFound where the entry is gone, Conflict where it changed meanwhile.
    """
    refuse_others(decider, "learnt review")
    with outside.ledger.reading() as reader:
        entry = live(reader, name)
        note, files = note_of(reader, entry), texts_behind(reader, entry.files)
        language = text_or_empty(reader, entry.language) or None
    fact, *parts, cautions = sheet
    if bool(fact) is not bool(note.text) or all(parts) is bool(note.text):
        shape = "one sentence" if note.text else "a problem and an approach"
        raise UsageError(f"{name} is {shape}, and stays so. Nothing was changed.")
    what: Offered = Fact(text=fact, kind=entry.kind, entities=note.entities, tags=note.tags)
    if not fact:
        problem, approach = parts
        rest = partial(Solution, tags=note.tags, files=files, language=language)
        what = rest(problem=problem, approach=approach, cautions=cautions)
    key = natural_key(outside.ledger.key, "edited by hand", name, entry.corrected)
    offer = Offer(what=what, actor=Actor.HUMAN)
    return put_right(outside, entry, offer, "a person wrote it anew", key)
