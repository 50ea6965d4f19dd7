"""What flows ask of the outside. Each port has a real part and a fake that obey one suite."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

from learnt import file_ports
from learnt.core.address import Address
from learnt.core.digest.remarks import Reading
from learnt.core.events import Event, Kind, NewEvent, Sight
from learnt.core.governance.model_calls import Completion, Question
from learnt.core.health.executions import Use, UseTotals
from learnt.core.health.outcomes import Reply
from learnt.core.identifiers import ContentRef, EntryId, EventId, NaturalKey, ProjectId, Subject
from learnt.core.knowledge.admission import Worth
from learnt.core.knowledge.objections import Objection
from learnt.core.knowledge.topics import OWN, Vocabulary
from learnt.core.projects import Project
from learnt.core.recall.closeness import WeighedQuery
from learnt.core.recall.ranking import Matches
from learnt.core.recall.vectors import Vector, VectorPlace
from learnt.core.records import JsonObject, Record, Row
from learnt.core.safety import Clean
from learnt.core.sessions.observations import NO_RESPONSE, Observation, Observed, Response
from learnt.core.totals import EntryTotals, Happening, PeopleTotals, SessionTotals

if TYPE_CHECKING:  # a hook in one process pays for no domain where none is enabled
    from learnt.domain_ports import About, Domain


class Clock(Protocol):
    """The wall clock."""

    def now_ms(self) -> int:
        """Milliseconds since 1970 in UTC; it may jump."""


class Random(Protocol):
    """Unpredictable bytes."""

    def bytes(self, count: int) -> bytes:
        """That many of them."""


Stemmer = Callable[[str], str]  # words to stems; a word itself where it has none


class ViewOf(Record):
    """A stored view: the subject and its state."""

    subject: Subject
    state: JsonObject


class Reader(Protocol):
    """A consistent look at the ledger."""

    def moment(self) -> tuple[int, ...]:
        """What differs once anything was written since, by this program or another."""

    def touched(self, since: tuple[int, ...], kinds: Collection[Kind]) -> frozenset[Subject]:
        """The subjects of which events of these kinds were recorded after a moment."""

    def view(self, subject: Subject) -> JsonObject | None:
        """The subject's state, or None."""

    def views(self, prefix: str, holding: str = "") -> Iterator[ViewOf]:
        """All views whose subject begins so and whose stored state holds a text, by subject."""

    def columns(self, prefix: str, *members: str) -> Iterator[tuple[Any, ...]]:
        """Of all views whose subject begins so the subject, and these members of the state.

        A member is a path (`standing.alpha`): None where there is none, JSON where it is no scalar.
        """

    def entry_totals(self) -> Sequence[EntryTotals]:
        """All entries, those together that are alike."""

    def session_totals(self) -> SessionTotals:
        """What all sessions add up to."""

    def people(self) -> Sequence[PeopleTotals]:
        """All events by humans, those together of which the same was seen."""

    def events(
        self,
        *,
        subject: Subject | None = None,
        kind: Kind | None = None,
        session: str | None = None,
        newest: int | None = None,
        before_ms: int | None = None,
        since_ms: int | None = None,
    ) -> Iterator[Event]:
        """The events that fit, by stamp, in [since_ms, before_ms); the `newest`, latest first."""

    def event(self, event: EventId) -> Event | None:
        """One event, or None."""

    def event_ids(self, beginning: str, most: int) -> Sequence[EventId]:
        """The ids of events that begin so, at most so many, the newest first."""

    def keyed(self, key: NaturalKey) -> Event | None:
        """The event that holds a natural key, or None."""

    def text(self, ref: ContentRef) -> Clean | None:
        """The text behind a reference, or None once it was erased."""

    def happenings(self, kind: Kind, since_ms: int = 0) -> Iterator[Happening]:
        """The events of a kind from a stamp's milliseconds on, by stamp, in short: for sums."""

    def uses(self, skill: ContentRef | None = None, newest: int | None = None) -> Iterator[Use]:
        """The executions by skill and time, or the `newest` of each skill."""

    def use_totals(self) -> Sequence[UseTotals]:
        """What all executions of each skill add up to, in the order of `uses`."""

    def count(self, kind: Kind) -> int:
        """How many events of a kind there are."""

    def projects_knowing(self, aliases: Sequence[str]) -> Sequence[Project]:
        """The projects that have any of the aliases, in order of id."""

    def same_projects(self) -> Sequence[Project]:
        """The projects that a human declared the same as another."""

    def same_entry(self, fingerprint: str, scope: ProjectId | None) -> EntryId | None:
        """The oldest live entry of a fingerprint that a project sees (None: of everywhere)."""

    def frequencies(self, terms: Sequence[str], scopes: Sequence[ProjectId]) -> Mapping[str, int]:
        """In how many of the entries that these projects see each term stands."""

    def match(self, terms: Sequence[str], scopes: Sequence[ProjectId], limit: int) -> Matches:
        """The best entries of these projects, and of everywhere, that hold any of the terms."""

    def marked(
        self, marks: Collection[str], scopes: Sequence[ProjectId]
    ) -> Mapping[str, Sequence[EntryId]]:
        """By each mark its entries that these projects see: the newest, if there are many."""

    def closest(self, asked: WeighedQuery, scopes: Sequence[ProjectId], limit: int) -> Matches:
        """The entries of these projects, and of everywhere, closest to what is asked."""

    def observed(
        self, session: str, *, episode: str | None = None, open_only: bool = False, naming: str = ""
    ) -> Sequence[Observed]:
        """The observations of a session or episode as they came; only those `naming` a name."""

    def activity(self, session: str, events: Collection[str]) -> int:
        """A number that rises with each observation of these events in the session; 0 for none."""

    def sessions_observed(self) -> Sequence[str]:
        """The names of the sessions in the inbox, as their agents gave them."""

    def contents_with(self, text: str) -> Sequence[ContentRef]:
        """The references of all contents that hold a text, case folded, or as JSON spells it."""

    def events_citing(self, ref: ContentRef, kind: Kind | None = None) -> Iterator[Event]:
        """The events whose payload or place holds the reference, of one kind where it is named."""


class Writer(Reader, Protocol):
    """One transaction: all of it is kept or none."""

    def append(self, draft: NewEvent) -> Event | None:
        """Record a draft and fold it into its view; None where its natural key is taken."""

    def merge(self, event: Event) -> bool:
        """Take in an event that has its stamp already, whenever it lands; False if known."""

    def keep(self, kind: str, text: Clean) -> ContentRef:
        """Keep a text and give its reference; the same text of a kind has one reference."""

    def observe(
        self, observation: Observation, key: NaturalKey, response: Response = NO_RESPONSE
    ) -> bool:
        """Put an observation and its prompt's response into the inbox; False where it is known."""

    def close_episode(self, session: str, episode: str) -> None:
        """Mark the episode's observations as folded."""

    def forget_observations(self, before_ms: int) -> int:
        """Drop closed observations older than that; how many went."""

    def erase(self, refs: Sequence[ContentRef]) -> int:
        """Erase contents; how many there were."""

    def erase_observations(self, *, session: str | None = None, text: str | None = None) -> int:
        """Erase a session's observations, or those that hold a text, or all; how many."""

    def forget_sessions(self, names: Collection[str]) -> None:
        """Put its keyed hash in the place of each session's name, in events and views."""


class Ledger(Protocol):
    """The append-only truth and what is derived from it."""

    @property
    def key(self) -> bytes:
        """The home's key."""

    def reading(self) -> AbstractContextManager[Reader]:
        """Look without writing."""

    def one_snapshot(self) -> AbstractContextManager[None]:
        """Inside, all reading sees one state; after a write inside, the state that it left."""

    def refresh(self) -> None:
        """End a snapshot: a person was waited for, and others may have written meanwhile."""

    def writing(self) -> AbstractContextManager[Writer]:
        """Write in one transaction; LedgerBusy where the lock is not to be had in time."""

    def durably_writing(self) -> AbstractContextManager[Writer]:
        """As `writing`, and safe from a power cut when it returns."""

    def told(self, sight: Sight) -> AbstractContextManager[None]:
        """Meanwhile record with a human's events what was seen when their report came."""

    def settle(self) -> None:
        """Have what was written until now safe from a power cut."""

    def within(self, expired: Callable[[], bool]) -> AbstractContextManager[None]:
        """Break off (LedgerBusy) what runs inside once `expired` says so."""

    def verify(self) -> Sequence[str]:
        """Fold everything again, changing nothing; the subjects and indexes that differ."""

    def rebuild(self) -> None:
        """Replace every view and index by the fold of the events."""

    def tidy(self) -> None:
        """Bring the indexes' statistics up to date and fold the journal into the file."""

    def make_room_to_scrub(self) -> None:
        """Raise HomeUnusable, with nothing changed, where `scrub` would find too little room."""

    def scrub(self) -> None:
        """Leave no trace of erased text in any file of the ledger."""


class Spool(Protocol):
    """Observations waiting in files."""

    def put(self, observation: Observation) -> None:
        """Keep one until the ledger can take it."""

    def waiting(self, limit: int) -> Sequence[str]:
        """The names of the oldest, at most so many."""

    def read(self, name: str) -> Observation | None:
        """One of them, or None where the file holds none."""

    def done(self, name: str) -> None:
        """Remove one that the ledger holds."""

    def set_aside(self, name: str) -> None:
        """Keep one that can't be read, out of the way."""


class Held(Row):
    """Files that hold a text; `cut`: there was more than could be looked through in time."""

    files: tuple[str, ...] = ()
    cut: bool = False


class Traces(Protocol):
    """Plain files that may hold copies of a text: the home's, and those of others."""

    def erase_with(self, words: Sequence[str] | None) -> Sequence[str]:
        """Erase those that hold any of these texts, case folded (None: all); their names."""

    def drop_caches(self) -> None:
        """Remove what is rebuilt when it is asked for, whatever it holds."""

    def elsewhere(self, words: Sequence[str], first: Sequence[str]) -> Held:
        """Others' files that hold any of these texts: of `first`, then agents', in bounded time."""


class TextModel(Protocol):
    """A model that the user turned on: it writes text, for which somebody may be paid."""

    @property
    def name(self) -> str:
        """What it is called in the ledger and before the user, without any secret."""

    def complete(self, question: Question) -> Completion:
        """Its reply, within its time. Raises ModelUnusable where there is none."""


class ModelDoor(Protocol):
    """Lets through one call of a text model at a time, whichever program makes it."""

    def passed(self) -> AbstractContextManager[None]:
        """Be the one who asks. Raises Refused where another stays too long."""


class Language(Protocol):
    """Reads human sentences. The flows ask; `core` decides with the answers."""

    def worth(self, text: str, /) -> Worth:
        """How far a statement looks like junk, and its likeliest sort."""

    def reply(self, prompt: str, /) -> Reply:
        """What a prompt says of the work before it."""

    def remarks(self, prompt: str, /) -> Reading:
        """What a prompt says, above all for good."""

    def own_part(self, prompt: str, /) -> str:
        """The beginning of a prompt that its author wrote: up to a paste or a quotation."""

    def leaves_open(self, text: str, /) -> bool:
        """Whether a text asks, supposes, repeats somebody else, or wants something done now."""

    def draft_words(self, text: str, /) -> Mapping[str, str]:
        """What a draft says around a note, by what it stands for, in the text's language."""

    def objection(self, prompt: str, /) -> Objection | None:
        """That something a prompt was shown does not hold, where it says so."""

    def commands(self, text: str, /) -> Address:
        """How far a text commands its reader."""

    def misleads(self, text: str, /) -> float:
        """How far a text is like the sentences of attacks: few honest ones are above 0."""

    def lays_down(self, text: str, /) -> bool:
        """Whether a statement says how work is to be done: a rule."""

    def weakens(self, text: str, /) -> bool:
        """Whether a rule asks to weaken Learnt, permissions or hooks."""

    def acts_in(self, text: str, /) -> frozenset[str]:
        """The acts that a text is about: commit, push, deploy, install, test, and so on."""

    def warm_up(self) -> Iterator[None]:
        """Load what a prompt's questions need, then by small parts what an offer's need as well."""


class Embedder(Protocol):
    """Texts to vectors, near one another where the texts mean the same."""

    @property
    def name(self) -> str:
        """What tells its vectors from those of any other model. Raises EmbedderUnusable."""

    @property
    def spread(self) -> float:
        """By how much its cosines of texts that have nothing in common differ, about."""

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Sequence[Vector]:
        """A vector for each text; `question`: the texts ask. Raises EmbedderUnusable."""


class Vectors(Protocol):
    """The vectors of one model, all of one length. Every method raises VectorsUnusable."""

    def held(self) -> frozenset[VectorPlace]:
        """All that have a vector."""

    def known(self, digests: Collection[str]) -> Mapping[str, Vector]:
        """The vectors of texts, by the hashes of those that have one."""

    def put(self, rows: Sequence[tuple[VectorPlace, Vector]]) -> None:
        """Keep vectors of length 1, each in the place of its item's old one."""

    def drop(self, items: Collection[str]) -> None:
        """Erase the vectors of these items."""

    def nearest(
        self, vector: Vector, scopes: Collection[str], limit: int
    ) -> Sequence[tuple[str, float]]:
        """The items of these scopes nearest to a vector of length 1, by their cosines."""

    def cosines(self, vector: Vector, items: Collection[str]) -> Mapping[str, float]:
        """The cosines of those items that have a vector."""

    def clear(self) -> None:
        """Erase all vectors of every model."""


class Dense:
    """The embedder that is on, its vectors by model, and why the last question lacked them."""

    def __init__(self, embedder: Embedder, vectors: Callable[[str], Vectors]) -> None:
        self.embedder, self.vectors, self.trouble = embedder, vectors, ""


class Outside(Record, kw_only=True):
    """All that flows may use, wired by `bootstrap`."""

    ledger: Ledger
    spool: Spool
    traces: Traces
    folders: file_ports.Folders
    documents: file_ports.Documents
    shelf: file_ports.SkillShelf
    transcripts: file_ports.Transcripts
    past: file_ports.PastSessions
    prompts: file_ports.TypedPrompts
    cited_files: file_ports.CitedFiles
    model_door: ModelDoor
    clock: Clock
    random: Random
    stem: Stemmer
    language: Language
    share: float = 0.0  # of items under the coin
    cited_things: file_ports.CitedThings | None = None  # None: cited tables are not checked
    domains: "tuple[Domain, ...]" = ()  # that the user enabled
    kinds: Vocabulary = OWN  # of entries, with the domains'
    about: "Callable[[str], Sequence[About]]" = lambda text: ()  # by domains, of a sentence
    dense: Dense | None = None  # there if search by meaning is on
    at_files: bool = False  # notes at files
    screen: bool = True  # lines on the person's screen
    contents_tokens: int = 1_800  # of what a start shows
