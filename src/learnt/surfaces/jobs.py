"""The worker's heavy jobs, each run in a child process so that recall is never disturbed."""

import argparse
import os
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import product
from pathlib import Path
from typing import Final

from learnt.bootstrap import open_issue, opened, repositories, skill_library
from learnt.core.events import Actor
from learnt.core.sessions.observations import DAYS_KEPT
from learnt.errors import LearntError, NotFound
from learnt.flows.governance.analyze import Thresholds, analyze
from learnt.flows.governance.notice import notice
from learnt.flows.health.effects import mask
from learnt.flows.health.evaluate import export, settle
from learnt.flows.health.improve import Improver, apply, finish
from learnt.flows.health.report import learnings
from learnt.flows.health.trial import conclude
from learnt.flows.knowledge.harvest import harvest, waiting
from learnt.flows.knowledge.standing import sweep
from learnt.flows.knowledge.uses import Transcript
from learnt.flows.recall.meaning import vectorise
from learnt.flows.sessions.locate import located_at, look
from learnt.flows.sessions.observe import close_stale
from learnt.flows.sessions.past import read_in, unread
from learnt.flows.skills.distil import distil
from learnt.flows.skills.keep_in_step import keep_in_step
from learnt.flows.skills.tend import retire_unused
from learnt.formats.learnings_md import LEARNINGS
from learnt.ports import Outside
from learnt.settings import Settings, load, without_config
from learnt.surfaces.agent_files import skill_folders, skill_sources
from learnt.surfaces.open_home import asking_model
from learnt.surfaces.skills_here import open_shelf
from learnt.surfaces.worker import MORE, log

PAUSE: Final = 0.01


def harvest_ended(outside: Outside) -> list[Transcript]:
    """Harvest the sessions that have ended; which they are."""
    ended = waiting(outside)
    if ended:  # loaded before the ledger is held: others wait for it
        deque(outside.language.warm_up(), maxlen=0)
    for session in ended:
        with suppress(NotFound):  # its transcript went in between
            # The pause between two lessons lets the worker have the ledger.
            harvest(outside, session, pause=lambda: time.sleep(PAUSE))
    return ended


@contextmanager
def logged(home: Path) -> Iterator[None]:
    """An error of ours is logged: all else goes on without this, and the next job begins there."""
    try:
        yield
    except LearntError as error:
        log(error, home)


def read_in_ended(outside: Outside, home: Path) -> None:
    """Read the sessions that have ended into the index; where the user wants none, empty it."""
    with logged(home):
        if not outside.past.wanted and (known := outside.past.known()):
            outside.past.erase([session.name for session in known], {})
        for session in unread(outside):
            read_in(outside, session, pause=lambda: time.sleep(PAUSE))


def tend_skills(
    outside: Outside, settings: Settings, folder: str, ended: Sequence[Transcript] = ()
) -> None:
    """Distil a folder's sessions that ended, and propose what its project's skills call for."""
    with open_shelf(outside, settings, str(outside.folders.facts(folder).root)) as on:
        asking = None
        # A worker is started without a shell's secrets: whoever needs one is asked on demand alone.
        key = settings.models.key_from
        with logged(settings.home):  # rules need no model
            if ended and (not key or os.environ.get(key)):
                asking = asking_model(outside, settings)
        for session, model in product(ended, [None, asking] if asking else [None]):
            with logged(settings.home):
                distil(on, session, model)
        improver = Improver(outside, on.known, on.library, on.project, asking)
        for skill in improver.due():
            with logged(settings.home):
                made = improver.improve(skill, Actor.LEARNT)
                if made.automatic and made.status == "proposed":
                    apply(outside, repositories(), skill, made.proposal)
        retire_unused(on, Actor.LEARNT)


def keep_learnings(outside: Outside, home: Path) -> None:
    """Write LEARNINGS.md when it has changed; nothing in a home where no skill was used."""
    with outside.ledger.reading() as reader:
        used = any(reader.use_totals())
    with logged(home):  # a file of the person's own may lie there
        if used:
            learnings(outside, str(home.resolve() / LEARNINGS), write=True)


def propose(outside: Outside, settings: Settings, folders: Iterable[str]) -> None:
    """Propose what the signals call for, and what was edited in files that were accepted."""
    with logged(settings.home):
        sweep(outside)
        analyze(outside, Thresholds(), Actor.LEARNT)
        for folder in filter(None, folders):
            notice(outside, skill_folders(outside.folders.facts(folder).root))


def embed(outside: Outside, settings: Settings, folder: str = "", most: int = 500) -> bool:
    """Make vectors that are missing, where search by meaning is on; whether some still are.

    With a folder those of the skills seen from it as well.
    """
    if outside.dense is None:
        return False
    if not folder:
        return vectorise(outside, outside.dense, most=most).left > 0
    sources = skill_sources(outside.folders.facts(folder).root, settings.home / "skills")
    with skill_library(settings, sources) as library:
        return vectorise(outside, outside.dense, library.skills(), most=most).left > 0


def after_sessions(outside: Outside, settings: Settings) -> None:
    """Find what the sessions that ended call for: nothing of it waits for a command."""
    ended = harvest_ended(outside)
    read_in_ended(outside, settings.home)
    for folder in dict.fromkeys(session.folder for session in ended if session.folder):
        here = [session for session in ended if session.folder == folder]
        tend_skills(outside, settings, folder, here)
    propose(outside, settings, dict.fromkeys(session.folder for session in ended))
    finish(outside, repositories())
    conclude(outside)
    mask(outside)
    settle(outside)
    keep_learnings(outside, settings.home)
    if settings.github:
        export(outside, open_issue(settings))


def maintain(outside: Outside) -> None:
    """Close what ended unseen, drop observations past their time, tidy the ledger."""
    close_stale(outside)
    before = outside.clock.now_ms() - DAYS_KEPT * 86_400_000
    with outside.ledger.writing() as writer:
        writer.forget_observations(before)
    outside.prompts.forget_before(before)
    outside.ledger.tidy()


def main() -> int:
    """Run the job named on the command line."""
    parser = argparse.ArgumentParser(prog="learnt job")
    parser.add_argument("job", choices=["describe", "embed", "harvest", "maintain", "step"])
    parser.add_argument("folder", nargs="?", default="")
    parser.add_argument("--home", required=True)
    words = parser.parse_args()
    home = without_config(os.environ, words.home).home
    os.nice(10)  # whoever works goes first, and the worker that answers hooks
    try:
        settings = load(os.environ, words.home)
        with opened(settings) as outside:
            if words.job == "describe":
                # A folder's name may be any bytes; what is kept is text. Git tells its remote.
                folder = words.folder.encode("utf-8", "replace").decode()
                located_at(outside, look(outside, folder, outside.folders.claims(folder)))
            elif words.job == "step":
                keep_in_step(outside)
            elif words.job == "embed":
                if embed(outside, settings, words.folder):
                    return MORE
            else:
                after_sessions(outside, settings)
            if words.job == "maintain":
                maintain(outside)
    except LearntError as error:
        log(error, home)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
