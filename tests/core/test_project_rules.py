"""Which project a folder belongs to: the rules, on folders as values."""

import pytest
from msgspec.structs import replace

from learnt.core.events import Kind
from learnt.core.identifiers import ContentRef, ProjectId
from learnt.core.projects import Folder, Project, household, resolve, step, twin
from learnt.core.records import JsonObject, decode, encode
from tests.core.happenings import happened

HERE = Project(
    id=ProjectId("p-1"),
    paths=("path 1", "worktree 1"),
    stores=("store 1",),
    remotes=("remote",),
    root_commits=("root",),
)
COPY = Project(
    id=ProjectId("p-2"),
    paths=("path 2",),
    stores=("store 2",),
    remotes=("remote",),
    root_commits=("root",),
)
PLAIN = Project(id=ProjectId("p-3"), paths=("path 3",))
ALL = [HERE, COPY, PLAIN]


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        (Folder(path="path 1", git="store 1"), HERE),
        (Folder(path="worktree 1"), HERE),
        (Folder(path="path 1", git="store 2"), HERE),
        (Folder(path="path 1", git="store 2", remotes=("remote",), root_commit="root"), HERE),
        (Folder(path="new", git="store 2"), COPY),
        (Folder(path="new", git="store 3", remotes=("remote",), root_commit="root"), None),
        (Folder(path="new", git="store 3"), None),
        (Folder(path="new"), None),
        (Folder(path="path 3"), PLAIN),
        (Folder(path="store 1"), None),
        (Folder(path="new", git="path 1"), None),
    ],
)
def test_a_path_decides_then_a_store(folder: Folder, expected: Project | None) -> None:
    """Whatever lies at a known path; a new path by its store; never by what it claims."""
    assert expected == resolve(folder, ALL)
    assert expected == resolve(folder, reversed(ALL))


def test_the_first_of_two_projects_with_a_store_stands() -> None:
    """A store that two projects hold resolves to one, the same each time."""
    other = replace(PLAIN, stores=("store 1",))

    assert HERE == resolve(Folder(path="new", git="store 1"), [HERE, other])


def test_a_copy_is_asked_about() -> None:
    """The same remote and the same root commit, each way."""
    assert COPY == twin(HERE, ALL)
    assert HERE == twin(COPY, ALL)
    assert twin(PLAIN, ALL) is None


@pytest.mark.parametrize(
    "copy",
    [
        replace(COPY, root_commits=("another",)),
        replace(COPY, remotes=(), root_commits=()),
        replace(COPY, apart_from=(HERE.id,)),
        replace(COPY, same_as=HERE.id),
    ],
)
def test_no_question_without_one_history_or_after_an_answer(copy: Project) -> None:
    """An answer, on whichever side it stands, is final."""
    assert twin(HERE, [HERE, copy]) is None
    assert twin(copy, [HERE, copy]) is None


def test_an_answer_about_one_copy_leaves_the_others() -> None:
    """Three clones are two questions, the oldest first."""
    third = replace(COPY, id=ProjectId("p-4"), apart_from=(HERE.id,))
    known = [third, COPY, HERE]

    assert COPY == twin(HERE, known)
    assert COPY == twin(third, known)
    assert HERE == twin(COPY, known)


def test_whoever_was_declared_the_same_is_not_asked_again() -> None:
    """One declaration is enough, whatever other copies there are."""
    assert twin(replace(HERE, same_as=PLAIN.id), [HERE, COPY]) is None


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ({}, {"1"}),
        ({"1": "2"}, {"1", "2"}),
        ({"2": "1"}, {"1", "2"}),
        ({"1": "2", "3": "2"}, {"1", "2", "3"}),
        ({"3": "2", "2": "1", "4": "3"}, {"1", "2", "3", "4"}),
        ({"4": "3", "3": "2", "2": "1"}, {"1", "2", "3", "4"}),
        ({"3": "4"}, {"1"}),
        ({"1": "2", "2": "1"}, {"1", "2"}),
    ],
)
def test_a_household_is_all_that_was_declared_the_same(
    links: dict[str, str], expected: set[str]
) -> None:
    """Directly or through others, in either direction, in whatever order it was said."""
    known = [
        Project(id=ProjectId(name), same_as=ProjectId(links[name]) if name in links else None)
        for name in (*links, *(n for n in "1234" if n not in links))
    ]

    assert expected == household(ProjectId("1"), known)


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        (Folder(path="path 1"), True),
        (Folder(path="worktree 1", git="store 1", remotes=("remote",), root_commit="root"), True),
        (Folder(path="new"), False),
        (Folder(path="path 1", git="new"), False),
        (Folder(path="path 1", remotes=("new",)), False),
        (Folder(path="path 1", root_commit="new"), False),
        (Folder(path="path 1", git="store 1", remotes=("remote",), root_commit="new"), False),
    ],
)
def test_a_project_knows_what_it_has_seen(folder: Folder, expected: bool) -> None:
    """Anything new about the folder is recorded; what isn't known of it is nothing new."""
    assert expected == HERE.knows(folder)


SEEN: JsonObject = {
    "path": "path 1",
    "git": "store 1",
    "remote": "remote",
    "root_commit": "root",
    "label": "k.name",
}


def after(project: Project | None, kind: Kind, payload: JsonObject) -> Project:
    """The project after one more event."""
    return step(project, happened("project:p-1", kind, payload))


def test_what_is_seen_adds_up() -> None:
    """Each alias once, in order; the first name stands."""
    first = after(None, Kind.PROJECT_SEEN, SEEN)
    again = after(first, Kind.PROJECT_SEEN, SEEN)
    moved = after(again, Kind.PROJECT_SEEN, {"path": "worktree 1", "label": "k.other"})

    assert replace(HERE, paths=("path 1",), label=ContentRef("k.name")) == first == again
    assert replace(HERE, label=ContentRef("k.name")) == moved
    assert Project(id=ProjectId("p-1")) == after(None, Kind.PROJECT_SEEN, {})


def test_an_answer_is_kept() -> None:
    """The same, or apart; several may be apart."""
    same = after(HERE, Kind.PROJECT_LINKED, {"other": "p-2", "verdict": "same"})
    apart = after(HERE, Kind.PROJECT_LINKED, {"other": "p-2", "verdict": "apart"})
    both = after(apart, Kind.PROJECT_LINKED, {"other": "p-3", "verdict": "apart"})

    assert replace(HERE, same_as=ProjectId("p-2")) == same
    assert replace(HERE, apart_from=(ProjectId("p-2"), ProjectId("p-3"))) == both


def test_a_purge_leaves_the_id_and_others_leave_all() -> None:
    """The paths are forgotten: the folder is a new project when it is seen again."""
    assert Project(id=ProjectId("p-1")) == after(HERE, Kind.PURGED, {})
    assert HERE == after(HERE, Kind.MISSED, {"path": "x"})


@pytest.mark.parametrize(
    "project",
    [
        HERE,
        replace(COPY, same_as=HERE.id, apart_from=(PLAIN.id,), label=ContentRef("k.l")),
        Project(id=ProjectId("p-1")),
    ],
)
def test_a_state_gives_its_project_back(project: Project) -> None:
    """Nothing is lost on the way through a view, and no default is written."""
    assert project == decode(Project, encode(project))
    assert {"id": "p-1"} == encode(Project(id=ProjectId("p-1")))
    assert {"id": ""} == encode(Project(id=ProjectId("")))
