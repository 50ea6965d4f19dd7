"""Live probes: what `doctor` tries on this machine, each with what to do about it."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec.structs import replace

import learnt
from learnt.bootstrap import (
    LOOK_MS,
    PATIENCE_MS,
    domain_home,
    domains,
    model_budget,
    opened,
    repositories,
    skill_library,
    text_model,
)
from learnt.core.governance.actors import oddly
from learnt.core.governance.model_calls import Cost, Question, in_words
from learnt.core.knowledge.entries import Entry
from learnt.core.skills.skills import SkillLayer, unreadable
from learnt.errors import LearntError, LedgerBusy
from learnt.flows.governance import listing
from learnt.flows.governance.ask_model import ask as ask_a_model
from learnt.flows.governance.ask_model import spent_today
from learnt.flows.governance.notice import notice
from learnt.flows.governance.outdated import outdated
from learnt.flows.governance.projects import moved_notice
from learnt.flows.health.improve import finish
from learnt.flows.recall.meaning import embedded
from learnt.flows.sessions.locate import is_off, located_at, look
from learnt.flows.sessions.past import unread
from learnt.flows.skills.catalogue import UNREADABLE, broken_locks, catalogue
from learnt.flows.stored import all_stored
from learnt.formats.agents.hook_settings import BROKEN
from learnt.ports import Outside
from learnt.settings import OFF, Settings, removed, unknown
from learnt.stores.home_folder import last_errors, lost_key
from learnt.stores.hook_files import (
    COPIES,
    WORKER,
    broken,
    copy_of,
    edited,
    kept_aside,
    worker_command,
)
from learnt.stores.plain_files import bytes_of, whole
from learnt.stores.spool import UNKEPT, unkept
from learnt.stores.sqlite_ledger import SqliteLedger
from learnt.stores.sqlite_schema import FILE_NAME
from learnt.surfaces import agent_files, hook_probes, worker_client
from learnt.surfaces.agent_files import skill_sources
from learnt.surfaces.answers.home import Level, Probe

# On these, the memory that WAL shares between processes is not shared, or locks do not hold.
_BAD_FILE_SYSTEMS: Final = frozenset(
    "nfs nfs4 cifs smb3 smbfs 9p drvfs vboxsf fuse.sshfs fuse.rclone".split()
)
_NAMED: Final = 8  # skills that one line names
_TRIAL: Final = Question("You are asked whether you can be reached.", "Say ok.", most_tokens=64)


def probes(
    settings: Settings, project: Path, *, ask_model: bool = False, looks: bool = False
) -> Iterator[Probe]:
    """Every probe, in the order in which a prompt passes what they try.

    With `ask_model` the text model is asked something, which may cost money. One that `looks` runs
    no hook, starts no worker, reads no whole file and finishes nothing that was cut short.
    """
    yield _home(settings.home)
    yield _file_system(settings.home)
    yield _hook_files(settings.home)
    hooks, broken = hook_probes.registered(project)
    yield from hook_probes.registrations(hooks, at_files=settings.at_files)
    yield from broken
    yield from hook_probes.servers(settings.home, hooks)
    yield from hook_probes.trust(hooks, project)
    yield from _settings(settings.home)
    if not settings.home.exists():  # nor is one made by asking
        with TemporaryDirectory() as empty:
            settings = replace(settings, home=Path(empty) / "none")
            yield from within(settings, "skills", partial(_skills, settings, project))
        return
    if not looks:
        yield hook_probes.hook_runs(settings.home, hooks)
    yield _worker(settings.home, worker_client.ping if looks else worker_client.start)
    yield from within(settings, "ledger", partial(_ledger, looks=looks))
    if settings.domains:
        from learnt.domains.loader import findings_of

        for finding in findings_of(domains(settings), domain_home(settings)):
            yield Probe(f"domain {finding.domain}", finding.level, finding.said, finding.todo)
    yield from model_probes(settings, ask=ask_model)
    yield from within(settings, "project", partial(_project, project))
    yield from within(settings, "sessions", _sessions)
    yield from within(settings, "proposals", partial(_proposals, project, looks=looks))
    yield from within(settings, "skills", partial(_skills, settings, project))
    yield _spool(settings.home)
    todo = "Remove the files in the home's `logs` once you have dealt with them."
    if texts := last_errors(settings.home):
        yield Probe("errors", "warning", "; ".join(texts), todo)
    else:
        yield Probe("errors", "ok", "nothing is in the home's `logs`")


def _home(home: Path) -> Probe:
    if lost := lost_key(home, FILE_NAME):
        return Probe("home", "problem", lost)
    if not home.is_dir():
        if home.exists():
            return Probe("home", "problem", f"{home} is no folder", "Name another --home.")
        return Probe("home", "problem", f"{home} does not exist", "Run `learnt init`.")
    mode = home.stat().st_mode & 0o777
    if home.stat().st_uid != os.geteuid():
        return Probe("home", "problem", f"{home} belongs to another user", "Name another --home.")
    if mode & 0o077:
        return Probe("home", "warning", f"{home} is open to others ({mode:o})", f"chmod 700 {home}")
    return Probe("home", "ok", f"{home}, yours alone")


def mounted_as(path: Path, mounts: str) -> str:
    """The kind of file system a path lies on, by a text in the form of /proc/mounts.

    >>> mounted_as(Path("/data/x"), "a / ext4 rw 0 0\\nb /data nfs4 rw 0 0")
    'nfs4'
    """
    rows = [line.split(" ") for line in mounts.splitlines()]
    points = [(row[1].replace("\\040", " "), row[2]) for row in rows if len(row) >= 3]
    # The last of the longest: what is mounted over another hides it.
    above = [(len(point), kind) for point, kind in points if path.is_relative_to(point)]
    return max(reversed(above), key=itemgetter(0), default=(0, ""))[1]


def _file_system(home: Path) -> Probe:
    try:
        mounts = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return Probe("file system", "ok", "this system does not tell; a local disk is assumed")
    kind = mounted_as(home.resolve(), mounts)
    if kind in _BAD_FILE_SYSTEMS:
        todo = "Put the home on a local disk: --home, or LEARNT_HOME."
        text = f"the home lies on {kind}: what is kept there may be damaged"
        return Probe("file system", "problem", text, todo)
    return Probe("file system", "ok", f"the home lies on {kind or 'a local disk'}")


def _hook_files(home: Path) -> Probe:
    missing = [name for name in COPIES if not (home / "bin" / name).is_file()]
    if missing:
        told = ", ".join(missing) if len(missing) < _NAMED else f"{len(missing)} of {len(COPIES)}"
        return Probe("hook files", "problem", f"missing in {home / 'bin'}: {told}", "`learnt init`")
    stale = [
        name
        for name, source in COPIES.items()
        if whole(home / "bin" / name) != copy_of(source).encode()
    ]
    beside = {WORKER: worker_command(home), BROKEN: broken(home)}
    stale += [
        n for n, told in beside.items() if bytes_of(home / "bin" / n, 1 << 16) != told.encode()
    ]
    if stale := [*stale, *sorted({*edited(home)} - {*stale})]:
        todo = "`learnt worker stop`: the next mends them; edited ones go to the folder `aside`."
        return Probe(
            "hook files", "warning", f"edited, or of another version: {', '.join(stale)}", todo
        )
    if kept := kept_aside(home):
        text = f"as this version has them; edited ones were replaced: {', '.join(kept)}"
        todo = "If that was not you, look at them in the home's `aside`; then remove them."
        return Probe("hook files", "warning", text, todo)
    return Probe("hook files", "ok", "as this version has them")


def _worker(home: Path, reach: Callable[[Path], worker_client.Card | None]) -> Probe:
    if not (home / "bin").is_dir():
        return Probe("worker", "problem", "no hook has been installed", "`learnt init`")
    try:
        card = reach(home)
    except OSError as error:
        return Probe("worker", "problem", f"cannot be started: {error}", "`learnt init`")
    if card is None and not (home / "bin" / "worker.json").exists():
        return Probe("worker", "warning", "not running, and not installed", "`learnt init`")
    if card is None and reach is worker_client.ping:
        return Probe("worker", "ok", "not running; the next hook starts it")
    if card is None:
        log = home / "logs" / "worker.log"
        return Probe("worker", "problem", "runs, and does not answer", f"See {log}.")
    if card.version != learnt.__version__:
        todo = "`learnt worker stop`; a hook starts the new one."
        return Probe("worker", "warning", f"is of version {card.version}", todo)
    return Probe("worker", "ok", f"answers, process {card.pid}")


def _ledger(outside: Outside, *, looks: bool) -> Iterator[Probe]:
    """Whether the ledger is sound (only `looks`: opens), and what of its human events is odd."""
    assert isinstance(outside.ledger, SqliteLedger)
    if not looks and (state := outside.ledger.check()) != "ok":
        yield Probe("ledger", "problem", state, "`learnt doctor --set-aside`")
        return
    with outside.ledger.reading() as reader:
        entries, people = sum(1 for _ in reader.columns("entry:")), reader.people()
    well = "opens" if looks else "is sound"
    counted = f"the file with all that was learnt {well}; entries: {entries}"
    yield Probe("ledger", "ok", counted)
    text = f"{sum(alike.events for alike in people)} events are on record as a person's doing"
    if odd := [f"{a.events} {oddly(a.odd)} (the latest is {a.last})" for a in people if a.odd]:
        told = f"{text}; odd: {'; '.join(odd)}"
        yield Probe("by people", "warning", told, "`learnt why ID` shows each.")
    else:
        yield Probe("by people", "ok", f"{text}; nothing odd was seen")


def _project(project: Path, outside: Outside) -> Iterator[Probe]:
    """Whether the folder's project is on, and whether it looks like one that moved."""
    moved = moved_notice(outside, str(project))
    if is_off(outside, str(project)):
        text = "Learnt is off in this project: nothing is recalled or saved"
        yield Probe("project", "warning", text, "`learnt project on`")
    else:
        text = moved or "Learnt is on in this project"
        yield Probe("project", "warning" if moved else "ok", text)


def _sessions(outside: Outside) -> Iterator[Probe]:
    """Whether past sessions can be searched: what waits, and what can't be read any more."""
    known, waiting = outside.past.known(), len(unread(outside))
    text = f"{len(known)} can be searched, {waiting} wait to be read in"
    if gone := sum(not outside.transcripts.since(each.path, 0, 0).size for each in known):
        text += f"; the agent deleted the transcripts of {gone}, which were read before"
    todo = "`learnt sessions list` reads in what waits, as the worker does when a session ends."
    yield Probe("sessions", "warning" if waiting else "ok", text, todo if waiting else "")


def _proposals(project: Path, outside: Outside, *, looks: bool) -> Iterator[Probe]:
    """Finish what was cut short; what was edited becomes a proposal. One that `looks` counts."""
    waiting = len(listing.waiting(outside))
    if looks:
        yield Probe("proposals", "ok", f"{waiting} wait for you")
        return
    noticed = notice(outside, agent_files.skill_folders(project))
    owed = [f"a commit of {name} is owed" for name in finish(outside, repositories())]
    counted = f"{waiting} wait for you (`learnt review`)"
    odd = [
        f"{file.path} {_NOT_OURS[file.ownership]}"
        for file in noticed.files
        if file.ownership != "ours"
    ]
    if not (noticed.unfinished or odd or owed):
        yield Probe("proposals", "ok", counted)
        return
    gone = [f"`learnt evolve undo {f.proposal}`" for f in noticed.files if f.ownership == "gone"]
    advice = " ".join(["`learnt review`, or mend the file.", *gone])
    yield Probe(
        "proposals", "warning", "; ".join([counted, *noticed.unfinished, *odd, *owed]), advice
    )


def _settings(home: Path) -> Iterator[Probe]:
    """What config.toml sets that nothing reads; one that cannot be read is told of before."""
    with suppress(LearntError):
        if strange := unknown(home):
            text = f"config.toml sets what nothing reads: {', '.join(strange)}"
            yield Probe("settings", "warning", text, "Mend the name, or take it out.")
        for name in removed(home):
            text = f"`{name}` names a feature that was removed; it has no effect. Delete the line."
            yield Probe("settings", "warning", text)


_NOT_OURS: Final = {
    "edited": "was edited since you accepted it",
    "gone": "is not there any more",
    "foreign": "has the mark of a proposal that was never written there",
    "unreadable": "cannot be read",
    "erased": "is out of date: the note that it was made of was erased; delete it, or rewrite it",
}


def _skills(settings: Settings, project: Path, outside: Outside) -> Iterator[Probe]:
    """Which skills are not what was installed, or cannot be read, and which locks."""
    with skill_library(settings, skill_sources(project)) as shelf:
        here = located_at(outside, look(outside, str(project))).project
        with outside.ledger.reading() as reader:
            behind = [skill.summary for skill in outdated(outside, reader)]
        known = catalogue(outside, shelf, here)
        every = (*known.skills.values(), *known.shadowed)
        own = (skill.file for skill in every if skill.layer >= SkillLayer.USER)
        locks = broken_locks(outside, own)
    for text in behind:
        yield Probe("skills", "warning", text, "`learnt review` has its new text.")
    for lock, why in locks.items():
        todo = "Put it back from version control, or remove it."
        text = "skills beside it are not offered, but for those that Learnt installed here"
        yield Probe("skills", "problem", f"{lock} checks no skill: {why} So {text}.", todo)
    for skill in every:
        if unreadable(skill.findings):
            text = f"{skill.file}: not every agent can read its front matter"
            yield Probe("skills", "warning", text, f"`learnt skills validate {skill.file}`")
        if skill.withheld and skill.withheld != UNREADABLE:
            todo = (
                f"`learnt skills show {skill.name}`; is the change yours, `learnt skills install "
                f"--keep {skill.name}`; else remove its folder and install it again."
            )
            yield Probe("skills", "problem", f"{skill.file}: {skill.withheld}", todo)


def _spool(home: Path) -> Probe:
    folder = home / "spool"
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        return Probe("spool", "problem", f"{folder} is not writable", "Check its owner and mode.")
    waiting = len(list(folder.glob("*.json")))
    aside = len(list((home / "aside").glob("spool-*")))
    text = f"{waiting} reports of hooks wait to be taken in" + (
        f", {aside} unreadable ones set aside" if aside else ""
    )
    if lost := unkept(home):
        text = f"{text}; {lost} were not kept: it was full, or Learnt was not installed"
        return Probe("spool", "warning", text, f"Remove {home / UNKEPT} once you have read this.")
    return Probe("spool", "warning" if waiting > 1_000 or aside else "ok", text)


def within(
    settings: Settings,
    name: str,
    look: Callable[[Outside], Iterator[Probe]],
    level: Level = "problem",
    todo: str = "",
    patience_ms: int = LOOK_MS,
) -> Iterator[Probe]:
    """What a look at the home's ledger finds; where there is an error, a probe of this level."""
    try:
        with opened(settings, patience_ms=patience_ms) as outside:
            found = list(look(outside))
    except LearntError as error:
        # What is busy needs no mending.
        found = [Probe(name, level, str(error), "" if isinstance(error, LedgerBusy) else todo)]
    yield from found


def model_probes(settings: Settings, *, ask: bool) -> Iterator[Probe]:
    """Text model and embedder that are turned on; what may cost money is asked only with `ask`."""
    if settings.models.use != OFF:
        todo = 'Mend [models] in config.toml, or set its use to "off". Rules work without.'
        patience = PATIENCE_MS if ask else LOOK_MS  # what was paid for is to be on record
        look = partial(_model, settings, ask=ask)
        yield from within(settings, "model", look, "warning", todo, patience)
    if settings.search.embedder != OFF:
        todo = "Mend [search] in config.toml; until then search goes by words alone."
        yield from within(settings, "embedder", partial(_embedder, settings), "warning", todo)


def _model(settings: Settings, outside: Outside, *, ask: bool) -> Iterator[Probe]:
    """The text model that may be asked, what it cost today and, where that is wanted, a reply."""
    model, budget = text_model(settings), model_budget(settings)
    assert model is not None
    if ask:
        ask_a_model(outside, model, budget, _TRIAL, "test")
    cost = in_words(spent_today(outside).cost)
    state = "answers" if ask else "not asked now (`learnt doctor --ask-model`)"
    most = in_words(Cost(budget.tokens_a_day, budget.micro_usd_a_day))
    yield Probe("model", "ok", f"{model.name} {state}; today {cost} of {most} are used")


def _embedder(settings: Settings, outside: Outside) -> Iterator[Probe]:
    """Whether explicit search goes by meaning, and how many entries have vectors."""
    if outside.dense is None:
        return
    embedder, name = outside.dense.embedder, settings.search.embedder
    embedded(embedder, ["Can you be reached?"], question=True)
    with outside.ledger.reading() as reader:
        live = {entry.id for entry in all_stored(reader, Entry) if entry.live}
    held = {placed.item for placed in outside.dense.vectors(embedder.name).held()}
    text = f"{name} answers; {len(live & held):,} of {len(live):,} entries have vectors"
    todo = "" if live <= held else "The worker makes them; `learnt rebuild --vectors` does at once."
    yield Probe("embedder", "warning" if todo else "ok", text, todo)
