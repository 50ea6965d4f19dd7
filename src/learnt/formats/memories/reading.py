"""Which reader takes which file: by names where a system has its own, else by what is in it."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final

from learnt.core.knowledge.brought import Bundle
from learnt.formats import seed_queue
from learnt.formats.learnings_md import LEARNINGS, pinned
from learnt.formats.memories import (
    memory_lines,
    other_systems,
    rule_lists,
    seed_memory,
    topic_folder,
)
from learnt.formats.observations import lenient
from learnt.formats.seed_experiences import FOLDER
from learnt.formats.seed_health import HISTORY
from learnt.formats.seed_queue import QUEUE

RULES: Final = re.compile(
    r"(?:^|/)(?:CLAUDE(?:\.local)?\.md|AGENTS\.md|GEMINI\.md|\.cursorrules|"
    r"rules/(?:.*/)?[^/]+\.mdc?)$"
)
_TOPIC: Final = re.compile(r"<!--[ \t]*decay:")
_LOG: Final = re.compile(r"\d{4}-\d\d-\d\d\.jsonl")
_NAMED: Final = 5  # files that are told by name


def read(files: Mapping[str, str], today: date, *, named: bool = False) -> Bundle:
    """What files bring, by their paths below a folder; `named`: a person named the only one.

    Raises ValueError for a file that a person named and in which a line is no memory.

    >>> read({"AGENTS.md": "- the api listens on 8080"}, date(2026, 1, 1)).pieces[0].place
    'AGENTS.md:1'
    """
    of_seed: dict[str, str] = {}
    bundle, of_health, unknown = Bundle(), 0, []
    for path, text in files.items():
        if _is_seeds(path, text):
            if of_seed.setdefault(name_of(path), text) is not text:
                unknown.append(path)
        elif is_of_health(path):
            of_health += 1
        elif (found := _one(path, text, today, named=named)) is None:
            unknown.append(path)
        else:
            bundle = bundle.with_more(found)
    bundle = bundle.with_more(seed_memory.parse(of_seed)) if of_seed else bundle
    return bundle.with_more(Bundle(findings=tuple(_left(of_health, unknown))))


_OF_SEED: Final = frozenset(seed_memory.FILES)


def name_of(path: str) -> str:
    """A file's own name.

    >>> name_of("memory/memories.jsonl")
    'memories.jsonl'
    """
    return path.rpartition("/")[2]


def is_of_health(path: str) -> bool:
    """Whether it tells how skills did, and of no knowledge: seed 001's logs and past successes.

    >>> is_of_health("skills/.history.json"), is_of_health("CLAUDE.md")
    (True, False)
    """
    name = name_of(path)
    return name == HISTORY or FOLDER in path.split("/") or bool(_LOG.fullmatch(name))


def _is_seeds(path: str, text: str) -> bool:
    """Whether it is one of seed 002's files; another system may call its own memories.jsonl."""
    name = name_of(path)
    return name in _OF_SEED and (name != seed_memory.MEMORIES or '"captured_at"' in text)


def is_wanted(path: str) -> bool:
    """Whether a file is to be read wherever below a folder it lies.

    >>> is_wanted("memory/memories.jsonl"), is_wanted("src/config.json")
    (True, False)
    """
    return name_of(path) in {QUEUE, *_OF_SEED} or is_of_health(path)


def _left(of_health: int, unknown: list[str]) -> Iterator[str]:
    if of_health:
        yield (
            f"{of_health} file(s) tell how skills did (logs, past successes): "
            "`learnt health import FOLDER` takes them over"
        )
    if unknown:
        more = ", …" if len(unknown) > _NAMED else ""
        names = ", ".join(unknown[:_NAMED]) + more
        yield f"{len(unknown)} file(s) hold no memories that are known, and were left out: {names}"


def _one(path: str, text: str, today: date, *, named: bool) -> Bundle | None:
    """What a file brings; None for one that nobody knows."""
    name = name_of(path)
    if name == LEARNINGS:
        return _learnings(path, text)
    if name.endswith((".md", ".mdc", ".cursorrules")):
        if _TOPIC.search(text):
            return topic_folder.parse(path, text, today)
        return rule_lists.parse(path, text) if named or RULES.search(path) else None
    if name == QUEUE:
        return _queue(path, text, named=named)
    value = lenient(text)
    if other_systems.knows(value):
        return other_systems.parse(path, value, today.isoformat())
    try:
        return memory_lines.parse(path, text)
    except ValueError:
        if named:
            raise
        return None


def _queue(path: str, text: str, *, named: bool) -> Bundle:
    try:
        entries, mute = seed_queue.parse(text)
    except ValueError as error:
        if named:
            raise
        return Bundle(findings=(f"{path}: damaged ({error}): left out",))
    told = (f"{path}: {mute} skills of which it says nothing that can be read",) if mute else ()
    return Bundle(queue=tuple(entries), findings=told)


def _learnings(path: str, text: str) -> Bundle:
    own = pinned(text)
    rest = Bundle(findings=(f"{path}: what is not pinned in it is computed from logs: left out",))
    if own is None:
        return rest
    # As many lines before as there are, so that each fact is told by its own.
    before = text[: text.index(own)] if own else ""
    return rule_lists.parse(path, "\n" * before.count("\n") + own).with_more(rest)
