"""Sessions whose names are purged: in events a keyed hash stands in each name's place."""

from collections.abc import Mapping
from typing import Final

from learnt.core.identifiers import Subject
from learnt.core.json_values import JsonValue

_OF_A_SESSION: Final = 3  # parts of a subject that names one: what it is, its agent, the name


def subject_without(subject: Subject, names: Mapping[str, str]) -> Subject:
    """The subject, with what stands for a session's name in its place.

    >>> subject_without(Subject("session:claude-code:s1"), {"s1": "h-0"})
    'session:claude-code:h-0'
    """
    parts = subject.split(":", _OF_A_SESSION - 1)
    if len(parts) == _OF_A_SESSION:
        parts[-1] = names.get(parts[-1], parts[-1])
    return Subject(":".join(parts))


def payload_without(payload: JsonValue, names: Mapping[str, str]) -> JsonValue:
    """The payload, likewise: a string that is the whole name.

    >>> payload_without({"other": "s1", "source": "clear"}, {"s1": "h-0"})
    {'other': 'h-0', 'source': 'clear'}
    """
    match payload:
        case str():
            return names.get(payload, payload)
        case Mapping():
            return {key: payload_without(value, names) for key, value in payload.items()}
        case list() | tuple():
            return [payload_without(value, names) for value in payload]
        case _:
            return payload
