"""`learnt health effect`, and what `status` and `why` tell of a mask."""

import subprocess
import sys
from pathlib import Path

from msgspec.structs import replace

from learnt.bootstrap import opened
from learnt.core.events import CURRENT_VERSION, Actor, Kind, Where
from learnt.core.identifiers import EntryId, entry_subject
from learnt.core.payloads.entry_events import EntryDecided
from learnt.core.records import JsonObject
from learnt.flows.stored import append
from learnt.settings import Settings, load
from tests.core.happenings import happened
from tests.support.homes import PROBLEM, Home
from tests.support.vouched import vouched


def test_a_mask_is_shown_and_a_person_takes_it_back(home: Home) -> None:
    """In `status`, `why` and `health effect`; a rebuild gives the same."""
    entry = vouched(home)
    said = home.here("health", "effect").output
    assert "No effect can be told yet: chance held nothing back" in said
    with opened(Settings(home=home.path)) as outside, outside.ledger.writing() as writer:
        for decided in (
            EntryDecided(action="drawn", arm="shown", propensity=500_000),
            EntryDecided(action="masked", evidence=23_456),
        ):
            append(writer, entry_subject(entry), Actor.LEARNT, decided)
    home.verify()

    (told,) = home.here("health", "effect", "--json").json["effects"]
    assert (entry, PROBLEM, True, 1) == (told["entry"], told["about"], told["masked"], told["open"])
    assert ("undecided", 0, None) == tuple(told["effect"][n] for n in ("ruling", "units", "more"))
    assert (-1.0, 1.0) == (told["effect"]["low"], told["effect"]["high"])
    said = home.here("health", "effect", entry).output
    assert f"`learnt health effect {entry} --unmask` brings it back" in said
    assert 1 == home.here("status", "--json").json["masked"]
    assert "1 masked, since they hurt" in home.here("status").output
    assert (
        "masked, no hook shows it: it hurts, by evidence of 23.456"
        in home.here("why", entry).output
    )
    assert "" == home.told(session="s1")

    assert 1 == home.here("health", "effect", entry, "--unmask").exit_code
    assert 2 == home.here("health", "effect", "--unmask").exit_code
    assert 3 == home.here("health", "effect", "e-nowhere").exit_code
    code, _ = home.typed("health", "effect", entry, "--unmask")
    assert 0 == code
    assert 0 == home.here("status", "--json").json["masked"]
    assert PROBLEM in home.told(session="s2")
    assert "measured from now" in home.here("why", entry).output
    home.verify()


def past_units(home: Home, entry: EntryId, count: int) -> None:
    """Sessions that went well but where the entry was shown, last week by the clock of then."""
    with opened(Settings(home=home.path)) as outside, outside.ledger.writing() as writer:
        now = outside.clock.now_ms()
        for number in range(count):
            shown = number % 2 == 1
            where = Where(agent="a", session=f"w{number}", episode="p")
            arm = "shown" if shown else "withheld"
            drawn: JsonObject = {"action": "drawn", "arm": arm, "propensity": 500_000}
            trouble = {"trouble": "test", "cause": "skill"} if shown else {}
            closed: JsonObject = {"trouble": "none", "cause": "none", "grade": 1_000_000, **trouble}
            for event in (
                happened(entry_subject(entry), Kind.DECIDED, drawn, at=now + 10 * number),
                happened(
                    f"session:a:w{number}", Kind.EPISODE_CLOSED, closed, at=now + 10 * number + 5
                ),
            ):
                then = event.wall_ms - 7 * 24 * 3_600_000
                writer.merge(
                    replace(event, where=where, wall_ms=then, version=CURRENT_VERSION[event.kind])
                )


def test_the_worker_masks_what_hurts(home: Home) -> None:
    """By the sessions there were, in the job that follows a session's end."""
    entry = vouched(home)
    past_units(home, entry, 20)
    said = home.here("health", "effect", entry).output
    assert "20 units, 10 shown, 0 not over; graded alike where it was shown" in said
    assert "effect -100 points" in said and "it hurts" in said
    assert "other       20 units, effect -100 points" in said
    assert {"other"} == set(home.here("health", "effect", "--json").json["tasks"])
    assert 0 == home.here("status", "--json").json["masked"]
    job = [sys.executable, "-m", "learnt.surfaces.jobs", "--home", str(home.path), "harvest"]
    for _ in range(2):
        subprocess.run(job, check=True, env=home.environment)

    assert 1 == home.here("status", "--json").json["masked"]
    assert 1 == home.here("why", entry).output.count("masked, no hook shows it")
    assert "masked: no hook shows it" in home.here("health", "effect").output
    home.verify()


def test_nothing_is_under_the_coin_until_its_person_turns_it_on(tmp_path: Path) -> None:
    """Without a setting no note is withheld; config.toml says how many are under the coin."""
    user = {"LEARNT_HOME": str(tmp_path)}
    assert 0.0 == load(user).share
    (tmp_path / "config.toml").write_text("[effects]\nshare = 0.5\n", "utf-8")
    assert 0.5 == load(user).share
