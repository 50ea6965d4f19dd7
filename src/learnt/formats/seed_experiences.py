"""Another system's library of past successes: `SKILL/HASH.json`, one damaged file hides no other.

A skill's folder has its name, `:` and `/` as `_`; a file has the SHA-256 of its task, cut short.
"""

import hashlib
import re
from collections.abc import Mapping
from typing import Final

from learnt.core.health.experiences import SUCCESS, Experience
from learnt.core.json_values import JsonObject, JsonValue, member, text_of
from learnt.core.records import decode
from learnt.core.safety import excerpt
from learnt.formats.observations import lenient
from learnt.formats.seed_health import at_ms

FOLDER: Final = "experience-library"
FILE: Final = re.compile(r"[0-9a-f]{12}\.json")
_LONGEST, _MOST = 2_000, 50  # characters of a text, and how many of a kind


def parse(files: Mapping[str, str]) -> tuple[list[Experience], list[str]]:
    """What some files hold, by their paths, and what is wrong with others.

    >>> parse({"../f1c1385dc369.json": "{}"})[1]
    ['../f1c1385dc369.json: no skill has that name']
    """
    found, findings = [], []
    for path, text in sorted(files.items()):
        skill, _, name = path.rpartition("/")
        value = lenient(text)
        task = text_of(member(value, "task_description"))
        digest = hashlib.sha256(task.encode("utf-8", "replace")).hexdigest()[:12]
        troubles = {
            "no skill has that name": not skill or "/" in skill or ".." in skill,
            "damaged, or no experience": not task,
            "no success": member(value, "outcome") != SUCCESS,
            "not the name of its task": name != f"{digest}.json",
        }
        if trouble := next((trouble for trouble in troubles if troubles[trouble]), ""):
            findings.append(f"{path}: {trouble}")
            continue
        stored_ms = at_ms(text_of(member(value, "stored_at")))
        own: JsonObject = {"skill": skill, "id": digest, "wall_ms": stored_ms, "imported": True}
        told = {part: _public(value[part]) for part in value}
        found.append(decode(Experience, {**told, **own, "own": False}))
    return found, findings


def _public(value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [_public(part) for part in value[:_MOST]]
    return excerpt(value, _LONGEST) if isinstance(value, str) else value
