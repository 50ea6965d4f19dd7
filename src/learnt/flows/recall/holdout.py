"""The coin of recall: now and then an entry is held back, so that what showing it does is known."""

from collections.abc import Iterable, Sequence

from learnt.core.coin import propensity
from learnt.core.events import Actor, Where, natural_key, payload_of
from learnt.core.identifiers import EntryId, NaturalKey, entry_subject, session_subject
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.entry_events import Eligible, EntryDecided
from learnt.core.recall.eligibility import MILLION, SURE, Draw, draw, exempt, under_coin
from learnt.core.sessions.sessions import Session, lineage
from learnt.flows.stored import append, stored
from learnt.ports import Outside, Reader, Writer


def draws(
    outside: Outside, reader: Reader, session: Session, entries: Sequence[Entry]
) -> list[tuple[Entry, Draw]]:
    """How the coin falls for entries: as before in this session, or in one that it goes on from."""

    def goes_on_from(name: str) -> str:
        if name == session.id:
            return session.linked_to
        other = stored(reader, Session, session_subject(session.agent, name))
        return other.linked_to if other else ""

    def drawn(entry: Entry) -> Draw:
        key, share = outside.ledger.key, outside.share
        item = f"{entry.id} {entry.version}" if entry.version else entry.id
        if not any(under_coin(key, item, name, share) for name in names):
            return SURE
        for name in names:
            if before := reader.keyed(_key(key, entry.id, entry.version, session.agent, name)):
                fell = payload_of(EntryDecided, before)
                return Draw("shown" if fell.arm == "shown" else "withheld", fell.propensity)
        return draw(key, item, names[-1], share, propensity(entry.units))

    weighed = [entry for entry in entries if outside.share > 0 and not exempt(entry)]
    names = lineage(session.id, goes_on_from) if weighed else []
    return [(entry, drawn(entry) if entry in weighed else SURE) for entry in entries]


def record_draws(
    outside: Outside, writer: Writer, eligible: Iterable[Eligible], session: Session, where: Where
) -> None:
    """Record how the coin fell for entries that the session is eligible for the first time."""
    for coin in eligible:
        if coin.propensity < MILLION:
            payload = EntryDecided(
                action="drawn", version=coin.version, arm=coin.arm, propensity=coin.propensity
            )
            once = _key(outside.ledger.key, coin.entry, coin.version, session.agent, session.id)
            append(writer, entry_subject(coin.entry), Actor.LEARNT, payload, where=where, key=once)


def _key(key: bytes, entry: EntryId, version: int, agent: str, session: str) -> NaturalKey:
    return natural_key(key, "drawn", entry, version, agent, session)
