"""Whatever is written down is read back as it was."""

import json

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

from learnt.core import projects
from learnt.core.events import Actor, Event
from learnt.core.identifiers import ContentRef, EntryId, ProjectId
from learnt.core.knowledge import entries
from learnt.core.records import canonical, decode, encode
from learnt.core.sessions import sessions
from learnt.core.sessions.observations import Observation, from_json
from learnt.formats import wire
from learnt.formats.agents import settings_text
from learnt.formats.wire import ENVIRONMENT, Frame
from learnt.stores.sqlite_views import from_row, to_row
from learnt.surfaces.registering import Registration, record, recorded
from tests.laws.strategies import SUBJECTS, any_text, events, storable_text

# What an environment can hold: any bytes, decoded as Python does.
_from_bytes = st.binary(max_size=40).map(lambda raw: raw.decode("utf-8", "surrogateescape"))
_values = _from_bytes | storable_text
_frames = st.builds(
    Frame,
    event=_values,
    agent=_values,
    hook=_values,
    size=st.integers(0, 10**15),
    environment=st.dictionaries(st.sampled_from(ENVIRONMENT), _values),
    body=st.binary(max_size=100),
)


@given(_frames)
def test_a_frame(frame: Frame) -> None:
    """From the hook to the worker."""
    assert frame == wire.decode(wire.encode(frame))


@given(events(SUBJECTS, 1, 4))
def test_an_event(written: list[Event]) -> None:
    """From the ledger's values to its columns."""
    for event in written:
        assert event == from_row(tuple(to_row(event)))


_name = st.text(min_size=1, max_size=5)
_refs = st.lists(_name.map(ContentRef), max_size=3).map(tuple)
_maybe_ref = st.none() | _name.map(ContentRef)
_standings = st.builds(
    entries.Standing,
    confirmations=st.lists(
        st.builds(
            entries.Confirmation,
            ms=st.integers(0, 5),
            credibility=st.integers(0, 1_000),
            relevance=st.integers(0, 1_000),
            session=st.text(max_size=3),
            actor=st.sampled_from(Actor),
        ),
        max_size=3,
    ).map(tuple),
    confirmed_ms=st.integers(0, 5),
    c0=st.sampled_from([100, 1_000]),
    alpha=st.integers(0, 5),
    beta=st.integers(0, 5),
    shocks=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=3).map(tuple),
)
_entries = st.builds(
    entries.Entry,
    id=_name.map(EntryId),
    stage=st.sampled_from(entries.Stage),
    problem=_maybe_ref,
    approach=_maybe_ref,
    cautions=_refs,
    tags=_refs,
    files=_refs,
    language=_maybe_ref,
    scope=st.none() | _name.map(ProjectId),
    source=st.none()
    | st.builds(
        entries.Source,
        session=st.none() | _name,
        position=st.none() | st.integers(0, 5),
        speaker=_maybe_ref,
        date=st.none() | _name,
    ),
    remembered_ms=st.integers(0, 5),
    reused=st.integers(0, 5),
    text=_maybe_ref,
    entities=_refs,
    topic=st.text(max_size=3),
    corrected=st.integers(0, 5),
    standing=_standings,
    into=st.none() | _name.map(EntryId),
)
_counts = st.dictionaries(_name, st.integers(0, 5), max_size=3)
_sessions = st.builds(
    sessions.Session,
    agent=_name,
    id=_name,
    source=st.text(max_size=3),
    project=st.none() | _name.map(ProjectId),
    epoch=st.integers(0, 5),
    ended=st.text(max_size=3),
    shown=st.lists(_name.map(EntryId), max_size=3).map(tuple),
    counted=_counts,
    retracted=_counts,
    recalls=st.integers(0, 5),
    failures=st.integers(0, 5),
    linked_to=st.text(max_size=3),
)
_names = st.lists(_name, max_size=3).map(tuple)
_projects = st.builds(
    projects.Project,
    id=_name.map(ProjectId),
    paths=_names,
    stores=_names,
    remotes=_names,
    root_commits=_names,
    label=_maybe_ref,
    same_as=st.none() | _name.map(ProjectId),
    apart_from=st.lists(_name.map(ProjectId), max_size=3).map(tuple),
)


@given(_entries)
def test_an_entry(entry: entries.Entry) -> None:
    """Through the text of its view."""
    stored = canonical(encode(entry))

    assert entry == decode(entries.Entry, json.loads(stored))
    assert stored == canonical(encode(decode(entries.Entry, json.loads(stored))))


@given(_sessions)
def test_a_session(session: sessions.Session) -> None:
    """Through the text of its view."""
    stored = canonical(encode(session))

    assert session == decode(sessions.Session, json.loads(stored))


@given(_projects)
def test_a_project(project: projects.Project) -> None:
    """Through the text of its view."""
    stored = canonical(encode(project))

    assert project == decode(projects.Project, json.loads(stored))


_observations = st.builds(
    Observation,
    id=st.just("1"),
    ms=st.integers(0, 2**48),
    event=_name,
    agent=_name,
    session=any_text,
    episode=any_text,
    cwd=any_text,
    detail=st.dictionaries(_name, st.booleans() | st.text(max_size=5), max_size=3),
    environment=st.dictionaries(_name, st.text(max_size=5), max_size=3),
    excerpt=any_text,
    digest=st.text(max_size=5),
)


@given(_observations)
def test_an_observation(observation: Observation) -> None:
    """Through a spool file's text."""
    fields = asdict(observation)

    read = from_json(json.loads(json.dumps(fields)), "2")

    assert replace(observation, id="2") == read


_registrations = st.lists(
    st.builds(
        Registration,
        file=st.text(min_size=1, max_size=8),
        backup=st.none() | st.text(min_size=1, max_size=8),
        created=st.booleans(),
        written=st.text(max_size=8),
    ),
    unique_by=lambda registration: registration.file,
    max_size=3,
)


@given(_registrations)
def test_the_record_of_what_init_did(done: list[Registration]) -> None:
    """One row a file."""
    assert done == recorded(record(done))


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
_likes = st.sampled_from([
    "",
    "{}",
    "{}\n",
    '{\n\t"a": 1\n}',
    '{\n    "a": 1\n}\n',
    '{\r\n "a": 1\r\n}',
])


@given(st.dictionaries(st.text(max_size=5).filter(lambda name: name != "hooks"), _json), _likes)
def test_an_agents_settings(settings: dict[str, object], like: str) -> None:
    """Whatever they hold, and however the file is laid out."""
    text = settings_text.render(settings, like)

    assert settings == settings_text.parse(text)
    assert text == settings_text.render(settings_text.parse(text), text)
