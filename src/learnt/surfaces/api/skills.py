"""Skills for programs that embed Learnt: a registry, an injector, and the records that they give.

registry = SkillRegistry()
injector = SkillInjector(registry, selected_skills=["release-notes"])
task = Task(description="Write what changed for users", agent_role="writer")
block = injector.render_for_prompt(injector.top_k(task, role="writer"))
"""

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from learnt.core.skills.history import FIRST
from learnt.core.skills.replay import Shadowing
from learnt.core.skills.selection import Strategy
from learnt.core.skills.skills import Skill, SkillLayer, SkillSource, judged, key_of
from learnt.errors import Refused, UsageError
from learnt.formats import skill_md, skill_text
from learnt.formats.front_matter import beneath_metadata, edited
from learnt.settings import load
from learnt.stores.sqlite_skills import uncollected
from learnt.surfaces.agent_files import is_agents, skill_sources

if TYPE_CHECKING:
    from learnt.core.identifiers import ProjectId
    from learnt.file_ports import Fetched, SkillLibrary
    from learnt.flows.skills.catalogue import Catalogue, OpenShelf
    from learnt.ports import Outside

FRESH_SECONDS: Final = 0.5  # how long the folders are taken to be as they were
_UNKNOWN: Final = datetime.fromtimestamp(0, UTC)
_LOG: Final = logging.getLogger("learnt.skills")


def now() -> datetime:
    """The time, in UTC."""
    from learnt.stores.system import SystemClock

    return datetime.fromtimestamp(SystemClock().now_ms() / 1_000, UTC)


@dataclass(kw_only=True)
class SkillMeta:
    """What a skill says of itself, and how it did: `success_rate` is 0 to 1, or None."""

    name: str
    version: str = "1.0"
    tags: list[str] = field(default_factory=list)
    agent_roles: list[str] = field(default_factory=list)
    pipeline_stages: list[str] = field(default_factory=list)
    description: str = ""
    source: Literal["seed", "distilled", "manual"] = "seed"
    created_at: datetime = field(default_factory=now)
    usage_count: int = 0
    success_rate: float | None = None


class SkillRecord:
    """A skill: what it says of itself, its Markdown, and where its file is."""

    def __init__(
        self,
        meta: SkillMeta | Callable[[], SkillMeta],
        content: str | Callable[[], str] = "",
        file_path: str = "",
        embedding: list[float] | None = None,
    ) -> None:
        self.file_path, self.embedding = file_path, embedding
        self._meta, self._content = meta, content

    @cached_property
    def meta(self) -> SkillMeta:
        """What the skill says of itself; made when it is first asked for, as there may be many."""
        return self._meta if isinstance(self._meta, SkillMeta) else self._meta()

    @cached_property
    def content(self) -> str:
        """The Markdown after the front matter; read from the file when it is first asked for."""
        return self._content if isinstance(self._content, str) else self._content()

    @property
    def full_markdown(self) -> str:
        """Front matter and content, as the Agent Skills specification has them."""
        kept = {name: value for name, value in _values(self.meta).items() if value}
        return skill_md.render(key_of(self.meta.name), self.meta.description, kept, self.content)


def _values(meta: SkillMeta) -> dict[str, str]:
    """What stands below `metadata` in a skill's file."""
    return {
        "version": meta.version,
        "source": meta.source,
        "created_at": "" if meta.created_at == _UNKNOWN else meta.created_at.isoformat(),
        "tags": ", ".join(meta.tags),
        "agent_roles": ", ".join(meta.agent_roles),
        "pipeline_stages": ", ".join(meta.pipeline_stages),
    }


class Upserted(NamedTuple):
    """The proposal that waits, empty where none does, and what the text displaces for prompts."""

    proposal: str
    shadowing: Shadowing


class TaskStatus(StrEnum):
    """How far a task is, in the words of seed 004."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    AWAITING_GATE = "awaiting_gate"
    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(kw_only=True)
class Task:
    """What is to be done, with the fields of seed 004.

    Skills are chosen by `name`, `description` and `agent_role`, which is also the stage of the
    pipeline. The rest is the program's own: it is carried and not read.
    """

    task_id: str = ""
    name: str = ""
    description: str = ""
    agent_role: str = ""
    inputs: dict[str, object] = field(default_factory=dict)
    outputs: dict[str, object] = field(default_factory=dict)
    status: TaskStatus = TaskStatus.PENDING
    depends_on: list[str] = field(default_factory=list)
    gate_required: bool = False
    retries: int = 0
    max_retries: int = 3
    error_message: str = ""
    created_at: datetime = field(default_factory=now)
    started_at: datetime | None = None
    completed_at: datetime | None = None


class SkillRegistry:
    """The skills of a user and a project; later ones of a name hide earlier ones.

    `skills_dir` is the user's own folder (else `skills` in Learnt's home), `home` Learnt's home
    (else LEARNT_HOME, else the platform's). No file is written but by `upsert`; what is counted is
    in the home's ledger. Changes on disk are seen within half a second. Close it, or use `with`.
    Each thread makes its own: another's raises UsageError.
    """

    def __init__(
        self,
        skills_dir: Path | None = None,
        *,
        home: Path | None = None,
        project: Path | None = None,
    ) -> None:
        self._settings = load(os.environ, None if home is None else str(home))
        self._own = (skills_dir or self._settings.home / "skills").expanduser().resolve()
        self.project = project
        self._extra: list[SkillSource] = []
        self._stack = ExitStack()
        self._seen: tuple[float, Catalogue] | None = None
        self._warned: set[str] = set()  # files of withheld skills that the log has
        self._thread = threading.current_thread()

    def __enter__(self) -> "SkillRegistry":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the ledger and the index back."""
        self._in_its_thread()
        self._stack.close()
        self.__dict__.pop("_parts", None)

    def _in_its_thread(self) -> None:
        if (here := threading.current_thread()) is not self._thread:
            raise UsageError(
                f"This SkillRegistry was made in thread {self._thread.name!r} and is used in "
                f"{here.name!r}: make one in each thread. Nothing was changed."
            )

    @cached_property
    def _parts(self) -> "tuple[Outside, SkillLibrary, ProjectId | None]":
        from learnt.bootstrap import opened, skill_library
        from learnt.flows.sessions.locate import located_at, look

        sources = [*self._extra, *skill_sources(self.project, self._own)]
        outside = self._stack.enter_context(opened(self._settings))
        library = self._stack.enter_context(skill_library(self._settings, sources))
        if self.project is None:
            return outside, library, None
        return outside, library, located_at(outside, look(outside, str(self.project))).project

    def _catalogue(self) -> "Catalogue":
        from learnt.flows.skills.catalogue import catalogue

        self._in_its_thread()
        if self._seen is None or time.monotonic() - self._seen[0] > FRESH_SECONDS:
            with uncollected():
                known = catalogue(*self._parts)
            self._seen = (time.monotonic(), known)  # the time after a look, which may take long
        return self._seen[1]

    def shelf(self) -> "OpenShelf":
        """The home, and the skills that are seen, as flows take them."""
        from learnt.flows.skills.catalogue import OpenShelf

        known = self._catalogue()
        return OpenShelf(*self._parts, known)

    def load_all(self) -> list[SkillRecord]:
        """All skills that count, by name; one that is withheld is left out, with a warning."""
        return self._those(lambda _: True)

    def get(self, name: str) -> SkillRecord | None:
        """The skill of a name; `_` is `-`, and case does not matter."""
        skill = self._catalogue().skills.get(key_of(name))
        return self._record(skill) if skill and self._offered(skill) else None

    def get_by_tags(self, tags: list[str]) -> list[SkillRecord]:
        """The skills that have at least one of the tags."""
        return self._those(lambda skill: not set(tags).isdisjoint(skill.tags))

    def get_by_role(self, role: str) -> list[SkillRecord]:
        """The skills for a role."""
        return self._those(lambda skill: role in skill.roles)

    def get_by_pipeline_stage(self, stage: str) -> list[SkillRecord]:
        """The skills for a stage of a pipeline."""
        return self._those(lambda skill: stage in skill.stages)

    def _those(self, fits: Callable[[Skill], bool]) -> list[SkillRecord]:
        with uncollected():
            every = self._catalogue().skills.values()
            return [self._record(skill) for skill in every if fits(skill) and self._offered(skill)]

    def _offered(self, skill: Skill) -> bool:
        if skill.withheld and skill.file not in self._warned:
            self._warned.add(skill.file)
            _LOG.warning("%s is withheld: %s (`learnt doctor`).", skill.file, skill.withheld)
        return not skill.withheld

    def upsert(self, record: SkillRecord) -> Upserted:
        """Give a skill what the record says; all else of its file stays as it is.

        Called by a person at a terminal it writes into `skills_dir`, and the text before stays a
        version. For anybody else, and of a skill in another folder of the user's or the project's,
        it proposes. Raises Refused where the specification or the scanner has an error.
        """
        from learnt.flows.skills.tend import SkillCandidate, displaced_by
        from learnt.flows.skills.versions import put
        from learnt.surfaces.cli.context import caller

        self._in_its_thread()
        self.reload()
        shelf, name = self.shelf(), key_of(record.meta.name)
        known, text = shelf.known.skills.get(name), record.full_markdown
        if known is not None:
            before, values = _values(_meta(known)), _values(record.meta)
            values["created_at"] = before["created_at"]  # when the first of its texts was made
            if (known.version, record.meta.version) == (FIRST, SkillMeta.version):
                values["version"] = FIRST  # neither the file nor the record tells one
            changes = {key: value for key, value in values.items() if value != before[key]}
            described = " ".join(record.meta.description.split())
            there = shelf.library.text(known.file) or ""
            text = renewed(there, known.name, changes, described, record.content)
        file = known.file if known else f"{self._own}/{name}/SKILL.md"
        candidate = SkillCandidate(name, text, file, shelf.project)
        shadowing = displaced_by(shelf, candidate)
        actor = caller(str(self._settings.home)).actor
        proposal = put(shelf.outside, str(self._own), known, text, actor, shelf.project)
        self.reload()
        if proposal:
            _LOG.info("%s waits for a person as %s.", name, proposal)
        return Upserted(proposal or "", shadowing)

    def add_skills_dir(self, path: Path) -> None:
        """Have the skills of one folder more; those of the user hide them."""
        self.close()
        self._extra.append(SkillSource(str(path), SkillLayer.DOMAIN, flat=True))
        self._seen = None

    def reload(self) -> None:
        """Look at the folders again, now."""
        self._seen = None

    def update_stats(self, name: str, success: bool) -> None:  # as seed 004 has it
        """Count a use of a skill; a name that nobody knows is passed over."""
        from learnt.core.events import Actor
        from learnt.flows.skills.catalogue import grade

        outside, _, project = self._parts
        if skill := self._catalogue().skills.get(key_of(name)):
            grade(outside, skill, project, Actor.TOOL, success=success)
            self._seen = None

    def _record(self, skill: Skill, vector: Sequence[float] | None = None) -> SkillRecord:
        embedding = None if vector is None else [float(number) for number in vector]
        meta, content = partial(_meta, skill), partial(self._content, skill)
        return SkillRecord(meta, content, skill.file, embedding)

    def _content(self, skill: Skill) -> str:
        self._in_its_thread()
        return skill_text.read(self._parts[1].text(skill.file) or "", skill.name).body


def _meta(skill: Skill) -> SkillMeta:
    source = "seed" if skill.layer is SkillLayer.SEED else skill.source
    return SkillMeta(
        name=skill.name,
        version=skill.version,
        tags=list(skill.tags),
        agent_roles=list(skill.roles),
        pipeline_stages=list(skill.stages),
        description=skill.description,
        usage_count=skill.usage_count,
        success_rate=skill.success_rate,
        source="seed" if source == "seed" else "distilled" if source == "distilled" else "manual",
        created_at=_moment(skill.created_at),
    )


def _moment(text: str) -> datetime:
    if not text:  # most skills; ten thousand exceptions take time
        return _UNKNOWN
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _UNKNOWN
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class SkillInjector:
    """Chooses skills for a task and renders them for a prompt; `selected_skills` come first."""

    def __init__(self, registry: SkillRegistry, selected_skills: list[str] | None = None) -> None:
        self._registry, self._selected = registry, selected_skills or []

    def top_k(
        self, task: Task, role: str, k: int = 5, strategy: Strategy = "tag"
    ) -> list[SkillRecord]:
        """The k skills that fit best: by tags, by the task's text, or by tags and then the text.

        A text is compared by words and, where an embedder is set, by meaning; then `embedding` is
        filled. A pinned name that no skill bears is left out, with a warning in the log. Raises
        UsageError for another strategy.
        """
        from learnt.flows.recall.meaning import skill_vectors
        from learnt.flows.skills.disclose import Request, choose

        if strategy not in get_args(Strategy):
            raise UsageError(f"There is no strategy {strategy!r}: {', '.join(get_args(Strategy))}.")
        shelf = self._registry.shelf()
        request = Request(
            f"{task.name} {task.description}", role, task.agent_role, self._selected, k, strategy
        )
        chosen, ranked_by = choose(shelf, request)
        vectors = skill_vectors(shelf.outside, chosen.skills) if ranked_by else {}
        for key in map(key_of, self._selected or shelf.known.pinned):
            if skill := shelf.known.skills.get(key):
                self._registry._offered(skill)
        for name in chosen.missing:
            _LOG.warning("There is no skill %r; it is left out.", name)
        return [self._registry._record(one, vectors.get(one.file)) for one in chosen.skills]

    def render_for_prompt(self, skills: Sequence[SkillRecord], budget: int | None = None) -> str:
        """The skills as a block of XML, within so many tokens; empty for none.

        What no longer fits is left out, with a warning in the log.
        """
        bodies = [(one.meta.name, one.content) for one in skills]
        blocks = skill_text.fitting(bodies, budget)
        for name, _ in bodies[len(blocks) :]:
            _LOG.warning("%s is left out: it does not fit into %s tokens.", name, budget)
        return skill_text.joined(blocks)


class SkillInstaller:
    """Copies seed skills, and skills of a registry, into a folder of a program that embeds Learnt.

    Without a `dest` that is `skills` in Learnt's home, which `SkillRegistry` and `learnt skills
    inject` read: there only a person at a terminal installs. For others it is proposed, as the log
    `learnt.skills` says. `shadowing` has by name what each of them displaces for recorded prompts.
    """

    def __init__(self, *, home: Path | None = None) -> None:
        self._settings = load(os.environ, None if home is None else str(home))
        self.shadowing: dict[str, Shadowing] = {}

    def install_seed_skills(self, dest: Path | None = None, force: bool = False) -> list[str]:
        """Copy all seed skills; the names of those that are there now as they come with Learnt.

        A copy that differs is kept unless `force` is set.
        """
        from learnt.bootstrap import seed_skills

        return self._install(seed_skills(self._settings, ""), dest, force=force)

    def install_from_hub(self, name: str, dest: Path | None = None) -> bool:
        """Install OWNER/NAME of ClawHub, or any other source; False where a finding refuses it.

        The findings are in the log `learnt.skills`. Raises Refused, NotFound, EnvironmentTrouble.
        """
        from learnt.bootstrap import fetch_skill

        return bool(self._install([fetch_skill(self._settings, name)], dest, force=False))

    def _install(self, fetched: "list[Fetched]", dest: Path | None, *, force: bool) -> list[str]:
        from learnt.bootstrap import opened, skill_library
        from learnt.core.events import Actor
        from learnt.flows.governance.accept import Destination
        from learnt.flows.skills.catalogue import shelf_of
        from learnt.flows.skills.install import install, look, propose_it, replayed
        from learnt.surfaces.cli.context import caller

        home = self._settings.home.expanduser()
        given = (dest or home / "skills").expanduser()
        root, person = given.resolve(), caller(str(home)).actor is Actor.HUMAN
        within = {home.resolve(), (home / "skills").resolve()}
        proposes = not person and not within.isdisjoint((root, *root.parents))
        if is_agents(given):
            raise Refused(
                f"{root} is an agent's: `learnt skills install` asks a person. Nothing was written."
            )
        done, sources = [], skill_sources(None, root)
        with opened(self._settings) as outside, skill_library(self._settings, sources) as library:
            where, shelf = Destination(root=str(root), skills=""), shelf_of(outside, library)
            for each in fetched:
                looked = look(
                    outside, each, where, skills=library.skills, force=force and not proposes
                )
                if not looked.verdict.refused and not looked.settled:
                    looked = replayed(looked, shelf)
                told = [f for f in looked.findings if f.rule == "displaces-used"]
                for finding in (*looked.verdict.refused, *told):
                    _LOG.warning("%s: %s: %s", looked.name, finding.rule, finding.message)
                if not looked.verdict.refused and proposes and not looked.settled:
                    proposal = propose_it(outside, looked, Actor.TOOL, "")
                    _LOG.warning("%s waits for a person as %s.", looked.name, proposal)
                elif not looked.verdict.refused:
                    root.mkdir(parents=True, exist_ok=True)
                    install(outside, looked, Actor.TOOL)
                    done.append(looked.name)
                if looked.shadowing is not None:
                    self.shadowing[looked.name] = looked.shadowing
        return done


def renewed(
    text: str, name: str, changes: Mapping[str, str], description: str, content: str
) -> str:
    """The text with these values (empty: without the key), description and Markdown.

    A text that the specification refuses is written fresh: with all its keys, unknown ones too.
    """
    read = skill_text.read(text, name)
    metadata = read.front.get("metadata")
    inner = metadata if isinstance(metadata, dict) else {}
    try:
        if judged(read.findings, force=False).refused or changes.keys() & read.front.keys():
            raise Refused("Nothing of it can be kept as it is.")
        new = text
        if content.strip() != read.body.strip():
            head = text.removesuffix(read.body)
            end = "" if head.endswith("\n") else "\n"
            new = f"{head}{end}{content.strip()}\n"
        if description != read.description:
            new = edited(new, "description", description)
        if changes and not inner:
            return edited(new, "metadata", {key: value for key, value in changes.items() if value})
        for key, value in changes.items():
            new = beneath_metadata(new, key, value or None)
        return new
    except Refused:
        front = {key: value for key, value in read.front.items() if key not in changes}
        kept = {key: value for key, value in {**inner, **changes}.items() if value}
        return skill_md.strict({**front, "metadata": kept}, key_of(name), description, content)
