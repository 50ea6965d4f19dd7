"""Identifiers: what each string means, and how each is made from given time and bytes."""

import hashlib
import hmac
import re
from typing import NewType

EventId = NewType("EventId", str)
EntryId = NewType("EntryId", str)
ProjectId = NewType("ProjectId", str)
ProposalId = NewType("ProposalId", str)
Subject = NewType("Subject", str)
ContentRef = NewType("ContentRef", str)
NaturalKey = NewType("NaturalKey", str)

_BASE32 = "0123456789abcdefghjkmnpqrstvwxyz"
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}")
_HASHED = re.compile(r"h-[0-9a-f]{32}")
ENTRY_ID = re.compile(r"e-[0-9a-z]{14}")
ENTRY_HANDLE = re.compile(r"[0-9a-hjkmnp-tv-z]{5}")


def event_id(ms: int, randomness: bytes) -> EventId:
    """A UUID version 7 (RFC 9562) of milliseconds and ten bytes. Raises ValueError for others.

    >>> event_id(1_700_000_000_000, bytes(10))
    '018bcfe5-6800-7000-8000-000000000000'
    """
    if len(randomness) != 10:
        raise ValueError("an event id needs ten random bytes")
    high, low = int.from_bytes(randomness[:2]) & 0x0FFF, int.from_bytes(randomness[2:])
    value = (ms & (1 << 48) - 1) << 80 | 0x7 << 76 | high << 64
    value |= 0b10 << 62 | low & (1 << 62) - 1
    text = f"{value:032x}"
    return EventId(f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}")


def _base32(value: int, digits: int) -> str:
    return "".join(_BASE32[value >> 5 * place & 31] for place in reversed(range(digits)))


def entry_id(ms: int, randomness: bytes) -> EntryId:
    """An entry's id: 48 bits of time and 22 of chance, so that ids sort by age.

    >>> entry_id(1_700_000_000_000, bytes(3))
    'e-065wzsb8000000'
    """
    return EntryId("e-" + _base32((ms & (1 << 48) - 1) << 22 | int.from_bytes(randomness) >> 2, 14))


def handle(entry: EntryId) -> str:
    """The short name of an entry that people and agents see: the last five digits of its id.

    >>> handle(EntryId("e-065wzsb8000abc"))
    '00abc'
    """
    return entry[-5:]


def project_id(randomness: bytes) -> ProjectId:
    """A project's id: ten random base-32 digits; nothing about the folder can be read from it.

    >>> project_id(bytes(7))
    'p-0000000000'
    """
    return ProjectId("p-" + _base32(int.from_bytes(randomness) & (1 << 50) - 1, 10))


def keyed_hash(key: bytes, *parts: str) -> str:
    """32 hexadecimal digits of HMAC-SHA256 over the parts, each prefixed by its length in bytes.

    >>> keyed_hash(b"k", "ab", "c") == keyed_hash(b"k", "a", "bc")
    False
    """
    message = b"".join(
        len(raw).to_bytes(8) + raw for raw in (p.encode("utf-8", "surrogatepass") for p in parts)
    )
    return hmac.new(key, message, hashlib.sha256).hexdigest()[:32]


def key_id(key: bytes) -> str:
    """The eight digits that name a home's key inside every reference made with it.

    >>> key_id(b"k")
    '8254c329'
    """
    return hashlib.sha256(key).hexdigest()[:8]


def content_ref(key: bytes, kind: str, text: str) -> ContentRef:
    """The reference that stands in a payload where the text itself may not.

    >>> content_ref(b"k", "prompt", "hello").startswith("8254c329.")
    True
    """
    return ContentRef(f"{key_id(key)}.{keyed_hash(key, kind, text)}")


def plain_or_hashed(key: bytes, text: str) -> str:
    """An identifier made elsewhere, as it is if it looks like one, else its keyed hash.

    Agents name sessions and prompts; a payload may hold such a name but no free text.

    >>> plain_or_hashed(b"k", "c2d22ab8-57ab")
    'c2d22ab8-57ab'
    """
    return text if _PLAIN.fullmatch(text) else hashed_name(key, text)


def hashed_name(key: bytes, text: str) -> str:
    """The keyed hash that stands for an identifier made elsewhere; itself where it is one.

    >>> hashed_name(b"k", "s1") == hashed_name(b"k", hashed_name(b"k", "s1"))
    True
    """
    return text if is_hashed(text) else "h-" + keyed_hash(key, "name", text)


def is_hashed(text: str) -> bool:
    """Whether an identifier is such a hash.

    >>> is_hashed("h-" + "0" * 32), is_hashed("h-1")
    (True, False)
    """
    return _HASHED.fullmatch(text) is not None


def entry_subject(entry: EntryId) -> Subject:
    """The subject under which an entry's events are folded."""
    return Subject(f"entry:{entry}")


def project_subject(project: ProjectId) -> Subject:
    """The subject under which a project's events are folded."""
    return Subject(f"project:{project}")


def proposal_subject(proposal: ProposalId) -> Subject:
    """The subject under which a proposal's events are folded."""
    return Subject(f"proposal:{proposal}")


def skill_subject(owner: str, skill: str) -> Subject:
    """The subject under which a skill's events are folded: its owner's and its own key.

    The owner is a project, or `user` for whatever is not a project's.
    """
    return Subject(f"skill:{owner}:{skill}")


def session_subject(agent: str, session: str) -> Subject:
    """The subject under which a session's events are folded."""
    return Subject(f"session:{agent}:{session}")
