"""What flows ask of files: projects' folders, transcripts, documents and topics."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, Protocol

from learnt.core.records import Record, Row
from learnt.core.safety import Clean

if TYPE_CHECKING:  # a hook needs no skills
    from learnt.core.payloads.skill_events import ExportTrouble, Obstacle
    from learnt.core.recall.conversation import Days
    from learnt.core.records import JsonValue
    from learnt.core.skills.skills import AsIf, Finding, Skill, SkillFile


class FolderFacts(Record):
    """A folder as the file system has it: its project's root, and its verified git store."""

    root: Path
    place: str = ""  # where in the root the folder lies, with slashes
    store: Path | None = None


class Claims(Record):
    """What a repository says of itself: evidence for a question, never an answer."""

    remotes: tuple[str, ...] = ()  # one remote, in two spellings
    root_commit: str | None = None


class Folders(Protocol):
    """Project folders on disk."""

    def facts(self, folder: str) -> FolderFacts:
        """What the file system says, without starting a program."""

    def claims(self, folder: str, seconds: float = ...) -> Claims:
        """What git says within these seconds; slow, never on the way of a prompt."""

    def tracks(self, file: str) -> bool:
        """Whether git tracks a file; slow likewise."""


class Part(Record):
    """Whole lines of a file: its bytes from `start` to `end`, of `size` that it has now."""

    data: bytes = b""
    start: int = 0
    end: int = 0
    size: int = 0
    skipped: bool = False  # a line too long to be looked at lies there instead
    last: bool = True  # no whole line follows


class Transcripts(Protocol):
    """What agents write of their sessions."""

    def since(self, path: str, start: int, most: int) -> Part:
        """The whole lines from there, at most so many bytes; a longer line is skipped whole."""

    def tail(self, path: str, most: int) -> bytes:
        """The last whole lines, at most so many bytes; empty where there is no transcript."""


Speaker = Literal["person", "agent", "prompt"]  # "prompt": nobody was seen typing it


class PastSession(Row):
    """A session, read up to `until`; `asks` has a byte a turn: 1 where it ends in a question."""

    name: str
    project: str
    path: str
    until: int = 0
    began_ms: int = 0
    ended_ms: int = 0
    asks: bytes = b""


class PastTurn(Record):
    """A turn: its place among those of its session, where its line begins, what tells it."""

    session: PastSession
    number: int
    at: int
    ms: int
    speaker: Speaker
    mark: str
    terms: Sequence[str] = ()  # those that are to be indexed


class PastSessions(Protocol):
    """An index of what was said: terms and places, no text. `wanted`: whether the user wants it."""

    wanted: bool

    def known(self) -> Sequence[PastSession]:
        """The sessions, the latest first."""

    def add(self, before: PastSession, after: PastSession, turns: Sequence[PastTurn]) -> bool:
        """Add turns with new marks to a session; False, with nothing added, if it changed since.

        `after` has where it is read up to, and the `asks` of these turns; numbers are given here.
        """

    def match(
        self,
        terms: Sequence[str],
        times: "Sequence[Days]",
        projects: Sequence[str],
        most: int,
        near: Mapping[str, float] = {},
    ) -> Sequence[PastTurn]:
        """The turns of these projects that fit best; `near` adds to the scores of these marks."""

    def turns(self, name: str) -> Sequence[PastTurn]:
        """The turns of a session, in order."""

    def erase(self, sessions: Collection[str], turns: Mapping[str, Collection[int]]) -> None:
        """Erase sessions, and turns by number, for good: they are not read in again."""


class CitedFiles(Protocol):
    """The files of a project that entries cite: read and never written."""

    def read(self, root: str, path: str) -> str | None:
        """A text below a root, links followed within it; None where no plain text is there."""

    def stamp(self, root: str, path: str) -> str | None:
        """What differs once a file was written since, told without reading it; None for no file."""

    def written_ms(self, root: str, path: str) -> int | None:
        """When a file was written last, in milliseconds; None for no file."""

    def alike(self, root: str, path: str) -> Sequence[str]:
        """Paths of what a file may have become: of its name, then of its suffix; a bounded look."""


class CitedThings(Protocol):
    """What entries cite by name beside files, as `table:NAME`; a domain knows how each is now."""

    def digest(self, name: str) -> str | None:
        """A text that changes with the thing's structure; empty if unknown, None if it is gone."""


class Passwords(Protocol):
    """Small secret texts, each under a name of any characters, closed to other users."""

    def read(self, name: str) -> str | None:
        """The text under a name; None where there is none."""

    def write(self, name: str, text: str) -> str:
        """Keep a text under a name, in place of what was there; where it lies, in words."""

    def remove(self, name: str) -> None:
        """Forget what is under a name, if anything."""


class PrivateFiles(Protocol):
    """Small texts of Learnt's own, kept likewise."""

    def read(self, name: str) -> str | None:
        """The text under a name; None where there is none."""

    def write(self, name: str, text: Clean) -> str:
        """Keep a text under a name, in place of what was there; where it lies, in words."""

    def remove(self, name: str) -> None:
        """Forget what is under a name, if anything."""

    def all(self) -> Sequence[str]:
        """Every text that is kept, in no order."""

    def erase(self, goes: Callable[[str], bool]) -> int:
        """Forget every text that is to go; how many did."""


class TypedPrompt(Record):
    """A prompt of a session, without private parts and secrets; whether a `person` typed it."""

    text: str
    person: bool


class TypedPrompts(Protocol):
    """The prompts of sessions that go on, and which calls their hooks saw: the proof of quotes."""

    def keep(self, session: str, text: Clean, *, person: bool) -> None:
        """Keep a prompt of a session."""

    def called(self, session: str, call: str) -> None:
        """Keep that a hook saw a call in a session, by its id."""

    def of(self, session: str) -> Sequence[TypedPrompt]:
        """The prompts of a session, in order."""

    def session_of(self, call: str) -> str:
        """The session in which a hook saw a call; empty where none did."""

    def notice(self, session: str, line: str) -> None:
        """Keep a line for the person's screen; of no known session for whichever comes next."""

    def notices(self, session: str) -> Sequence[str]:
        """The lines that wait for a session's screen, or for any; they wait no more."""

    def forget(self, session: str) -> None:
        """Forget all of a session: it is over."""

    def forget_before(self, ms: int) -> None:
        """Forget the sessions in which nothing was typed since."""


class Documents(Protocol):
    """Text files that people and agents share with Learnt."""

    def whole(self, root: str, target: str) -> str:
        """The whole path of a target below a root; Refused where it is not safely there."""

    def read(self, path: str) -> str | None:
        """The text, byte for byte; None where there is no file."""

    def write(self, path: str, text: Clean, expected: str) -> None:
        """Replace a file whose text still has the expected hash; else Conflict."""

    def remove(self, path: str, expected: str, *, folder: bool = True) -> None:
        """Remove a file whose text has the expected hash, with `folder` its folder if empty."""

    def link(self, place: str, to: str) -> bool:
        """Put a link that leads to a folder; False where something else is there."""

    def unlink(self, place: str, to: str) -> bool:
        """Take away a link that leads there; False where it does not."""

    def there(self, path: str) -> bool:
        """Whether a file is there; links are followed."""

    def named(self, root: str, name: str) -> Sequence[str]:
        """The files of a name one folder below a root, in order; links are not followed."""


class Topics(Protocol):
    """Markdown files of facts in a folder, changed by one program at a time."""

    def files(self, folder: str) -> Sequence[str]:
        """The files below a folder, as paths with slashes from there, sorted; no index, no link."""

    def read(self, path: str) -> str | None:
        """A file's text, byte for byte; None where there is no file."""

    def change(self, path: str, edit: Callable[[str | None], str]) -> None:
        """Replace a file by what an edit makes of it; two changes of one file never overlap."""


class SkillLibrary(Protocol):
    """The skills of all source folders, as they are on disk now."""

    def skills(self) -> "Sequence[Skill]":
        """All of them, in the order of their files; what was written since is read again."""

    def ranked(
        self,
        query: str,
        limit: int,
        among: Collection[str] | None = None,
        also: "AsIf | None" = None,
    ) -> Sequence[tuple[str, float]]:
        """The files `among` these that fit a text best; `also`: if one had these words."""

    def fits(self, query: str, files: Collection[str]) -> Sequence[float]:
        """How likely each of these, found before, is what a text wants (0 to 1)."""

    def text(self, file: str) -> str | None:
        """The text of a skill's file; None where it is gone."""

    def files(self, file: str) -> "Sequence[SkillFile]":
        """The regular files of a skill's folder but its own, by path; none from outside of it."""

    def part(self, file: str, path: str) -> bytes | None:
        """One of `files`, or as much of it as is read at most; None where it is none of them."""

    def folder_digest(self, file: str, instead: str = "") -> str:
        """One SHA-256 for a skill's folder or file; `instead` replaces its own file's."""


class Fetched(Row):
    """A skill as a source gave it: its files by their paths below its folder."""

    source: str
    kind: str  # local, git, clawhub or seed
    name: str  # as the source calls it
    files: Mapping[str, bytes] = {}
    version: str = ""  # a commit or a number
    findings: "tuple[Finding, ...]" = ()  # what was refused on the way
    told: "Mapping[str, JsonValue]" = MappingProxyType({})  # what a file beside it says of its use


class SkillShelf(Protocol):
    """Whole folders of skills, each put there or taken away by one rename."""

    def files(self, folder: str) -> Mapping[str, bytes] | None:
        """The files below a folder by their paths; None where nothing is there."""

    def stamp(self, folder: str) -> object:
        """What differs once a file of it was written since, told without reading any."""

    def real(self, path: str) -> str:
        """The path without links."""

    def links(self, folder: str) -> Collection[str]:
        """The names in a folder that are links; none where it cannot be read."""

    def staged(
        self, folder: str, files: Mapping[str, bytes]
    ) -> AbstractContextManager[Callable[[], None]]:
        """Write a folder's files aside; calling what it gives puts them in the folder's place."""

    def take_away(self, folder: str) -> None:
        """Remove a folder with all that is in it."""


class Committed(Record):
    """A commit, or why there is none; with neither it can be made later."""

    commit: str = ""
    obstacle: "Obstacle" = ""


class PublicIssue(Record):
    """An issue that is to be opened in public, once for each mark, which stands in its body."""

    title: str
    body: str
    label: str
    mark: str


class Exported(Record):
    """Where an issue is, or why there is none."""

    url: str = ""
    trouble: "ExportTrouble" = ""


class Repositories(Protocol):
    """The git repositories in which files lie."""

    def obstacle(self, file: str, text: str) -> "Obstacle":
        """Why git could not commit a change of this text, `dirty` first; else empty."""

    def commit(self, file: str, texts: tuple[str, str], message: str, mark: str) -> Committed:
        """Commit a file's second text in place of the first, once: `mark` in the message tells."""
