"""Nine weeks of one person's work on a shop, put into a home: for pages that are looked at."""

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.health.outcomes import Cause, Trouble
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Stage
from learnt.settings import Settings
from tests.support.homes import Home
from tests.support.lived_in import Past, Turn

SKILL = "release-notes"
TEXTS = tuple(
    f"---\nname: {SKILL}\ndescription: Writes the release notes of a version from its merged "
    f"changes.\n---\n\n# Release notes\n\n1. List what was merged since the last tag.\n{rest}"
    for rest in (
        "2. Write a line for each.\n",
        "2. Leave out what users cannot see.\n3. Write a line for each, in the imperative.\n"
        "4. Have the links checked.\n",
    )
)
PAIRS = ((0.0, 1.0), (1.0, 1.0), (0.0, 1.0), (0.5, 1.0), (0.0, 1.0), (1.0, 1.0), (0.0, 0.5))


def live_in(home: Home) -> dict[str, EntryId]:
    """Entries with a past, sessions, a trial, misses and what waits; the entries by short names."""
    folder = home.project / ".claude" / "skills" / SKILL
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(TEXTS[1], encoding="utf-8")
    (home.project / "src").mkdir(exist_ok=True)
    (home.project / "src" / "gateway.py").write_text("PORT = 8443\n", encoding="utf-8")
    with opened(Settings(home=home.path)) as outside:
        past = Past(outside, str(home.project))
        with past.writing():
            past.begin(64)
            known = _entries(past)
            _words(past, known)
            past.trial(SKILL, str(folder / "SKILL.md"), TEXTS, PAIRS, 14)
            _sessions(past, known)
    return known


def _entries(past: Past) -> dict[str, EntryId]:
    return {
        "lock": past.entry(
            63, problem="Deploy migration fails with “database is locked”",
            approach="Stop the queue consumers first: they keep a write transaction open on the "
            "same SQLite file. Then run the migration, and start them again.",
            cautions=["Start them again afterwards, or jobs pile up."],
        ),
        "gateway": past.entry(
            58, "The staging gateway listens on port 8443.", cites=["src/gateway.py"],
            topic="schema_map",
        ),
        "refund": past.entry(
            50, "A refund above 200 € needs a second approval.", kind="business_rule",
            topic="business_rules",
        ),
        "refund2": past.entry(
            9, "A refund above 500 € needs a second approval.", kind="business_rule",
            topic="business_rules",
        ),
        "orders": past.entry(
            45, "orders.paid_at is in UTC; orders.created_at is in local time.",
            topic="schema_map",
        ),
        "flaky": past.entry(
            40, problem="The checkout test fails now and then on CI with a timeout",
            approach="Raise the browser's start timeout to 60 s in conftest.py.",
            everywhere=True,
        ),
        "vat": past.entry(
            33, "VAT is computed per line and rounded half up, never per invoice.",
            kind="business_rule", topic="business_rules",
        ),
        "seed": past.entry(
            20, "make seed takes 4 minutes; make seed-small is enough for most tests.",
            kind="tool_experience", topic="investigation_flows", actor=Actor.AGENT,
        ),
        "lockfile": past.entry(
            6, problem="npm ci complains that the lock file is out of date",
            approach="Run npm install with the node version of .nvmrc, then commit the lock file.",
            actor=Actor.AGENT,
        ),
    }  # fmt: skip


def _words(past: Past, known: dict[str, EntryId]) -> None:
    for days, result, weight in ((44, "success", 300), (30, "failure", 1_500), (29, "success", 300),
                                 (21, "success", 300), (8, "success", 300)):  # fmt: skip
        past.word(known["lock"], days, result=result, weight=weight, source="a check")
    past.word(known["gateway"], 25, result="success", weight=300, source="a check")
    past.word(known["flaky"], 12, result="failure", weight=1_500, source="a check")
    past.word(known["flaky"], 11, result="failure", weight=1_500, source="a check")
    past.dispute(known["refund2"], known["refund"], 8.9)
    past.stage(known["seed"], 10, Stage.VALIDATED, "its witnesses add up")


def _sessions(past: Past, known: dict[str, EntryId]) -> None:
    lock, orders, vat = known["lock"], known["orders"], known["vat"]
    for number in range(16):
        days = 13.5 - number * 0.85
        name = f"5b0e{number:04x}-7d41-4c0a-9f3e-2a6c1d8e{number:04x}"
        turns = [
            Turn(
                prompt="Deploy fails: database is locked while the migration runs. What now?",
                shown=[lock], grade=1.0, quotes={"test": "48 passed in 12.31s"},
            ),
            Turn(
                prompt="Why are the paid orders of yesterday missing in the report?",
                shown=[orders], hinted=[vat], trouble=Trouble.CORRECTION if number % 5 == 2
                else Trouble.NONE, cause=Cause.SKILL if number % 5 == 2 else Cause.NONE,
                quotes={"correction": "no, paid_at is in UTC"} if number % 5 == 2 else {},
            ),
            Turn(prompt="npm ERR! code ELIFECYCLE", shown=[known["lockfile"]], mode="failure"),
            Turn(prompt=f"How do I rotate the signing key of the {('app', 'mail')[number % 2]}?"),
            Turn(
                prompt="Write the release notes for this week.", skill=SKILL,
                grade=float(number % 4 != 1), trouble=Trouble.TEST if number % 4 == 1
                else Trouble.NONE, cause=Cause.SKILL if number % 4 == 1 else Cause.NONE,
                quotes={"test": "1 failed, 11 passed" if number % 4 == 1 else "12 passed"},
            ),
        ]  # fmt: skip
        for entry in (lock, orders):
            past.drawn(entry, name, days, shown=number % 3 != 0)
        past.session(name, days, turns, ends=number < 15)
