"""Which reader takes which file: by names where a system has its own, else by what is in it."""

import re
from collections.abc import Mapping
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
# Logs and past successes of seed 001: how skills did, and no knowledge.
_OF_HEALTH: Final = re.compile(rf"(?:^|/)(?:{FOLDER}/.*|{HISTORY}|\d{{4}}-\d\d-\d\d\.jsonl)$")
_TOPIC: Final = re.compile(r"<!--[ \t]*decay:")
_NAMED: Final = 5  # files that are told by name


def is_wanted(path: str) -> bool:
    """Whether a file is to be read wherever below a folder it lies, beside Markdown.

    >>> is_wanted("memory/memories.jsonl"), is_wanted("src/config.json")
    (True, False)
    """
    return _name(path) in {QUEUE, *seed_memory.FILES} or bool(_OF_HEALTH.search(path))


def read(files: Mapping[str, str], today: date, *, named: bool = False) -> Bundle:
    """What files bring, by their paths below a folder; `named`: a person named the only one.

    Raises ValueError for a file that a person named and in which something is no memory.

    >>> read({"AGENTS.md": "- the api listens on 8080"}, date(2026, 1, 1)).pieces[0].place
    'AGENTS.md:1'
    """
    of_seed: dict[str, str] = {}
    bundle, of_health, unknown = Bundle(), 0, []
    for path, text in files.items():
        if _OF_HEALTH.search(path):
            of_health += 1
        elif _is_seeds(_name(path), text):
            if of_seed.setdefault(_name(path), text) is not text:
                unknown.append(path)
        elif (found := _one(path, text, today, named=named)) is None:
            unknown.append(path)
        else:
            bundle = bundle.with_more(found)
    findings = []
    if of_health:
        what = "tell how skills did (logs, past successes)"
        todo = "`learnt health import FOLDER` takes them over"
        findings.append(f"{of_health} file(s) {what}: {todo}")
    if unknown:
        names = ", ".join(unknown[:_NAMED]) + ", …" * (len(unknown) > _NAMED)
        findings.append(f"{len(unknown)} file(s) hold no memories that are known: {names}")
    seeds = seed_memory.parse(of_seed) if of_seed else Bundle()
    return bundle.with_more(seeds).with_more(Bundle(findings=tuple(findings)))


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _is_seeds(name: str, text: str) -> bool:
    """Whether it is one of seed 002's files; another system may call its own memories.jsonl."""
    own = name in seed_memory.FILES
    return own and (name != seed_memory.MEMORIES or '"captured_at"' in text)


def _one(path: str, text: str, today: date, *, named: bool) -> Bundle | None:
    """What a file brings; None for one that nobody knows."""
    name = _name(path)
    if name == LEARNINGS:
        return _learnings(path, text)
    if name.endswith((".md", ".mdc", ".cursorrules")):
        if _TOPIC.search(text):
            return topic_folder.parse(path, text, today)
        return rule_lists.parse(path, text) if named or RULES.search(path) else None
    value = lenient(text)
    try:
        if name == QUEUE:
            entries, mute = seed_queue.parse(text)
            told = (f"{path}: {mute} skills of which it says nothing",) if mute else ()
            return Bundle(queue=tuple(entries), findings=told)
        if other_systems.knows(value):
            return other_systems.parse(path, value, today.isoformat())
        return memory_lines.parse(path, text)
    except ValueError as error:
        if named:
            raise
        return Bundle(findings=(f"{path}: damaged ({error})",)) if name == QUEUE else None


def _learnings(path: str, text: str) -> Bundle:
    own = pinned(text) or ""
    # As many lines before as there are, so that each fact is told by its own.
    before = "\n" * text[: text.index(own)].count("\n")
    told = f"{path}: what is not pinned in it is computed from logs"
    rest = Bundle(findings=(told,))
    return rule_lists.parse(path, before + own).with_more(rest) if own else rest
