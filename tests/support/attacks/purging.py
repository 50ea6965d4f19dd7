"""Purging: by a person alone, or evidently by a program; and then no byte is left."""

import json
from collections.abc import Callable
from contextlib import suppress

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.governance.skill_drafts import SkillDraft
from learnt.errors import Refused
from learnt.flows.governance.draft_skill import draft_skill
from learnt.flows.sessions.answer import respond
from learnt.settings import Settings
from tests.support.attacks.scripts import played, variables
from tests.support.attacks.sets import Case
from tests.support.homes import Home
from tests.support.left_behind import holding
from tests.support.past_talks import talked
from tests.support.transcripts import session_frames

SECRET_NOTE, SECRET_CURE = "The lobby printer jams on thick paper", "Use tray two for card stock"
_PURGED = "SELECT payload ->> '$.seen' FROM events WHERE kind = 'purged'"


def breaks(home: Home, case: Case) -> list[str]:
    """What was erased without a person, or is left after one purged."""
    return _erased(home, case) if case["kind"] == "who" else _left(home, case)


def _erased(home: Home, case: Case) -> list[str]:
    entry = str(home.remember(SECRET_NOTE, SECRET_CURE))
    printed = played(home, case["script"], variables(home, ENTRY=entry))
    told = home.here("why", entry)
    if SECRET_CURE in told.output:
        return []
    made = [json.loads(seen or "{}") for (seen,) in home.rows(_PURGED)]
    plain = not made or any(not each.get("odd") for each in made)
    return [f"erased, and nothing odd is on record: {printed[-300:]}"] if plain else []


def _left(home: Home, case: Case) -> list[str]:
    text, other = case["text"], case["other"]
    home.remember(other, "Ask the one who wrote it", tags=["other"])
    entries = [made for way in case["ways"] for made in _WAYS[way](home, text)]
    home.here("status")
    if not holding(home, text) and case["by"] != "everything":
        return []  # it was never kept: redacted, or no way keeps it
    wrong = []
    targets: dict[str, list[tuple[str, ...]]] = {
        "text": [("--text", text)],
        "everything": [("--everything",)],
        "session": [("--session", "planted")],
        "entry": [("--entry", entry) for entry in dict.fromkeys(entries)],
    }
    for target in targets[case["by"]]:
        said = home.purge(*target)
        if said.exit_code not in {0, 1, 3}:
            wrong.append(f"purge {target[0]} ended with {said.exit_code}: {said.errors[-200:]}")
    wrong += [f"{file} holds it" for file in holding(home, text)]
    if case["by"] != "everything" and other not in home.here("recall", other).output:
        wrong.append("the other note is gone")
    return wrong


def _session(home: Home, prompt: str = "look at the tables", *steps: dict[str, object]) -> None:
    turns = [{"prompt": prompt, "steps": list(steps)}]
    with opened(Settings(home=home.path)) as outside:
        for frame in session_frames(turns, "planted", folder=str(home.project), transcript=""):
            respond(outside, frame, lambda: False)


def _step(tool: str, result: str = "ok", failed: bool = False, **given: str) -> dict[str, object]:
    return {"tool": tool, "input": given, "result": result, "failed": failed}


def _entries(home: Home, *words: str) -> list[str]:
    made = home.here(*words, "--json", typed="")
    return [str(made.json["id"])] if made.exit_code == 0 and "id" in made.json else []


def _noted(problem: str, approach: str, *tags: str) -> Callable[[Home, str], list[str]]:
    def planted(home: Home, text: str) -> list[str]:
        written = [each.format(text.replace("{", "{{")) for each in (problem, approach, *tags)]
        with suppress(AssertionError):  # what the gates keep out was not kept
            return [str(home.remember(written[0], written[1], tags=written[2:]))]
        return []

    return planted


def _reported(*made: Callable[[str], object]) -> Callable[[Home, str], list[str]]:
    def planted(home: Home, text: str) -> list[str]:
        prompt, *steps = (one(text) for one in made)
        _session(home, str(prompt), *[step for step in steps if isinstance(step, dict)])
        return []

    return planted


def _spooled(home: Home, text: str) -> list[str]:
    home.prompt(f"Why does the parser choke on {text} again?", session="planted")
    return []


def _imported(name: str, written: Callable[[str], str]) -> Callable[[Home, str], list[str]]:
    def planted(home: Home, text: str) -> list[str]:
        (home.project / name).write_text(written(text), encoding="utf-8")
        home.here("import", name)
        (home.project / name).unlink()
        return []

    return planted


def _note(text: str) -> str:
    return f"{json.dumps({'problem': f'The importer fails on {text}', 'approach': 'Quote it'})}\n"


def _captured(home: Home, text: str) -> list[str]:
    return _entries(home, "knowledge", "capture", "--kind", "schema", f"t_room.beds holds {text}")


def _asked(home: Home, text: str) -> list[str]:
    home.here("recall", "--", text)
    return []


def _said(home: Home, text: str) -> list[str]:
    talked(home, "planted", {"prompt": f"Remember: {text}", "steps": [{"say": f"So: {text}"}]})
    home.here("knowledge", "harvest")
    return []


def _logged(home: Home, text: str) -> list[str]:
    with (home.path / "logs" / "worker.log").open("a", encoding="utf-8") as log:
        log.write(json.dumps({"said": text}) + "\n")
    return []


def _proposed(home: Home, name: str, body: str) -> str:
    draft = SkillDraft(name=name, description="Imports rooms.", body=body)
    with suppress(Refused), opened(Settings(home=home.path)) as outside:
        made = draft_skill(outside, draft, folder=str(home.project), actor=Actor.AGENT)
        return str(made.proposal.id)
    return ""


def _drafted(home: Home, text: str) -> list[str]:
    _proposed(home, "import-rooms", f"# Import\n\nQuote {text} twice.\n")
    return []


def _turned_down(home: Home, text: str) -> list[str]:
    name = _proposed(home, "import-more", "# Import\n\nQuote each room.\n")
    home.here("evolve", "reject", name, "--note", text, typed="")
    return []


_WAYS: dict[str, Callable[[Home, str], list[str]]] = {
    "remember": _noted("The renderer breaks", "Quote {} in each header and save it again"),
    "problem": _noted("The renderer breaks on {}", "Quote it in each header and save it again"),
    "tag": _noted("The lift is slow", "Oil the guide rails twice a year", "{}"),
    "capture": _captured,
    "prompt": _reported(lambda text: f"Why does the parser choke on {text} again?"),
    "prompt_spooled": _spooled,
    "tool_error": _reported(
        lambda _: "run it", lambda text: _step("Bash", f"Error: {text}", True, command="make")
    ),
    "tool_result": _reported(
        lambda _: "run it", lambda text: _step("Bash", f"{text}\n1 failed", command="pytest")
    ),
    "command": _reported(lambda _: "run it", lambda text: _step("Bash", command=f"make {text}")),
    "file_name": _reported(
        lambda _: "edit it", lambda text: _step("Edit", file_path=f"src/{text}.py")
    ),
    "question": _asked,
    "import": _imported("notes.jsonl", _note),
    "import_markdown": _imported(
        "facts.md", lambda text: f"# Rooms\n\n- t_room.beds holds {text}\n"
    ),
    "skill_body": _drafted,
    "transcript": _said,
    "remember_prompt": _reported(lambda text: f"remember: the fax number is {text}"),
    "reject_note": _turned_down,
    "log": _logged,
}
