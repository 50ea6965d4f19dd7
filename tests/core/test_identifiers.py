"""Identifiers: their shapes, what can be read from them, and what can't."""

import hashlib
import hmac
import uuid

import pytest

from learnt.core.identifiers import (
    ENTRY_ID,
    EntryId,
    ProjectId,
    content_ref,
    entry_id,
    entry_subject,
    event_id,
    key_id,
    keyed_hash,
    plain_or_hashed,
    project_id,
    project_subject,
    session_subject,
)

NOW = 1_700_000_000_000


def test_event_id_is_the_example_of_the_standard() -> None:
    """The time and chance of RFC 9562's example give its UUID."""
    chance = bytes.fromhex("0cc318c4dc0c0c07398f")

    assert "017f22e2-79b0-7cc3-98c4-dc0c0c07398f" == event_id(0x017F22E279B0, chance)


@pytest.mark.parametrize("chance", [bytes(10), b"\xff" * 10, bytes(range(10))])
def test_event_id_is_a_uuid_of_version_seven(chance: bytes) -> None:
    """Whatever the random bytes, version and variant are the standard's."""
    made = uuid.UUID(event_id(NOW, chance))

    assert (7, uuid.RFC_4122) == (made.version, made.variant)


@pytest.mark.parametrize("count", [0, 9, 11])
def test_event_id_wants_ten_random_bytes(count: int) -> None:
    """Fewer or more random bytes are refused."""
    with pytest.raises(ValueError, match="ten random bytes"):
        event_id(NOW, bytes(count))


def test_event_ids_sort_by_time() -> None:
    """A later millisecond sorts behind, whatever the chance was."""
    assert event_id(NOW, b"\xff" * 10) < event_id(NOW + 1, bytes(10))


def test_entry_ids_sort_by_age() -> None:
    """A later millisecond sorts behind, whatever the chance was."""
    assert entry_id(NOW, b"\xff" * 3) < entry_id(NOW + 1, bytes(3))


def test_entry_ids_of_one_millisecond_are_parted_by_chance() -> None:
    """Two entries of one millisecond get different ids."""
    assert entry_id(NOW, b"\x00\x00\x04") != entry_id(NOW, b"\x00\x00\x08")


@pytest.mark.parametrize("ms", [0, NOW, 2**48 - 1])
def test_entry_id_has_its_shape(ms: int) -> None:
    """An entry's id is `e-` and fourteen digits of base 32, for any time there is."""
    assert ENTRY_ID.fullmatch(entry_id(ms, b"\xff\xff\xff"))


@pytest.mark.parametrize("text", ["e-065wzsb80000", "E-065wzsb8000000", "x e-065wzsb8000000", ""])
def test_other_texts_are_no_entry_ids(text: str) -> None:
    """What only resembles an entry's id is none."""
    assert ENTRY_ID.fullmatch(text) is None


def test_project_id_tells_nothing_but_chance() -> None:
    """A project's id is ten digits of the given chance alone."""
    assert ["p-0000000000", "p-zzzzzzzzzz"] == [project_id(bytes(7)), project_id(b"\xff" * 7)]


def test_keyed_hash_is_the_hmac_of_its_parts_with_their_lengths() -> None:
    """Anybody with the key can compute it: HMAC-SHA256 over length and bytes of each part."""
    message = b"".join(len(part).to_bytes(8) + part for part in (b"a", "é".encode()))

    expected = hmac.new(b"key", message, hashlib.sha256).hexdigest()[:32]

    assert expected == keyed_hash(b"key", "a", "é")


@pytest.mark.parametrize(
    "other",
    [(b"k", "ab", "c"), (b"k", "abc"), (b"k", "a", "bc", ""), (b"l", "a", "bc"), (b"k", "bc", "a")],
)
def test_keyed_hash_parts_what_is_different(other: tuple[bytes, *tuple[str, ...]]) -> None:
    """Other cuts, orders, additions and keys give other hashes."""
    key, *parts = other

    assert keyed_hash(b"k", "a", "bc") != keyed_hash(key, *parts)


def test_keyed_hash_takes_any_text() -> None:
    """A lone surrogate, which a broken client may send, is hashed like anything else."""
    assert 32 == len(keyed_hash(b"k", "\ud800"))


def test_content_ref_names_its_key_and_hides_the_text() -> None:
    """A reference begins with the key's name, and differs by kind, text and key."""
    ref = content_ref(b"k", "prompt", "hello")

    others = {
        content_ref(b"k", "tag", "hello"),
        content_ref(b"k", "prompt", "Hello"),
        content_ref(b"l", "prompt", "hello"),
    }

    assert f"{key_id(b'k')}." == ref[:9]
    assert 41 == len(ref)
    assert ref not in others and 3 == len(others)
    assert ref == content_ref(b"k", "prompt", "hello")


@pytest.mark.parametrize(
    "name",
    [
        "c2d22ab8-57ab-4f6e-9a41-0f9a4d5a0f00",
        "toolu_01ABC",
        "a.b:c@d",
        "7",
        "x" * 128,
    ],
)
def test_plain_names_stay(name: str) -> None:
    """What looks like an identifier is one."""
    assert name == plain_or_hashed(b"k", name)


@pytest.mark.parametrize(
    "text",
    ["", "my secret plan", "-x", "x" * 129, "naïve", "line\n", "/home/ann", "秘密"],
)
def test_other_names_are_hashed(text: str) -> None:
    """What could be free text is not written down, but is told from other texts."""
    hashed = plain_or_hashed(b"k", text)

    assert "h-" == hashed[:2]
    assert text not in hashed or not text
    assert hashed == plain_or_hashed(b"k", text) != plain_or_hashed(b"k", text + "?")


def test_subjects_begin_with_their_noun() -> None:
    """An event's subject says first what it is about."""
    subjects = [
        entry_subject(EntryId("e-1")),
        project_subject(ProjectId("p-1")),
        session_subject("claude-code", "s:1"),
    ]

    assert ["entry:e-1", "project:p-1", "session:claude-code:s:1"] == subjects
