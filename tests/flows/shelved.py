"""A stage with skills on disk, and sessions in which they are used or not."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from learnt.core.skills.skills import SkillLayer, SkillSource
from learnt.flows.skills.catalogue import OpenShelf, shelf_of
from learnt.stores.sqlite_skills import SqliteSkills
from tests.flows.stage import Stage
from tests.flows.test_episodes import launched, ran, step

_numbers = count()


@dataclass
class Shelved:
    """What a test plays on."""

    folder: Path
    library: SqliteSkills
    stage: Stage = field(default_factory=Stage)

    def put(self, name: str, about: str, body: str = "Do it.") -> str:
        """A skill of the user's; where its file is."""
        file = self.folder / name / "SKILL.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"---\nname: {name}\ndescription: {about}\n---\n\n{body}\n", "utf-8")
        return str(file)

    @property
    def opened(self) -> OpenShelf:
        return shelf_of(self.stage.outside, self.library)

    def asked(
        self,
        text: str,
        session: str = "s1",
        *,
        used: str = "",
        result: str = "4 passed in 1s",
    ) -> None:
        """A prompt, and the skill that the agent used for it; what the last call gave."""
        episode = f"p{next(_numbers)}"
        self.stage.prompt(text, session=session, episode=episode)
        calls = [launched(used)] if used else []
        step(self.stage, episode, *calls, ran(result), session=session)
        self.stage.report("Stop", session=session, episode=episode)

    def called(self, name: str, session: str = "s1") -> None:
        """A person calls a skill by its name."""
        episode, detail = f"p{next(_numbers)}", {"command_name": name}
        self.stage.report("UserPromptExpansion", session=session, episode=episode, detail=detail)
        self.stage.prompt(f"/{name}", session=session, episode=episode)
        step(self.stage, episode, ran("4 passed in 1s"), session=session)

    def ended(self, *sessions: str) -> None:
        """Sessions end, which closes the last episode of each."""
        for session in sessions or ("s1",):
            self.stage.report("SessionEnd", session=session)


@contextmanager
def shelved(folder: Path) -> Iterator[Shelved]:
    """Skills in a folder, with their index beside."""
    library = SqliteSkills(
        [SkillSource(str(folder / "skills"), SkillLayer.USER)], folder / "skills.index"
    )
    try:
        yield Shelved(folder / "skills", library)
    finally:
        library.close()
