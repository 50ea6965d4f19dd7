"""One name for one thing: of classes, and of files within a ring."""

from collections import Counter

from tests.architecture.source import sources

# Class names that two files have still. One goes out of here when it is renamed; none comes in.
STILL_SHARED = {
    "Call",
    "Comparison",
    "Heard",
    "Ruling",
    "State",
    "Task",
}
GENERATED = "domains/database/gate/grammar.py"  # a dialect's classes have the parser's own names


def test_a_class_has_a_name_of_its_own() -> None:
    """Whoever looks for a class by its name finds one."""
    names = Counter(
        name
        for source in sources()
        if source.name != GENERATED
        for name, node in source.definitions()
        if name[:1].isupper() and "." not in name
    )
    assert STILL_SHARED == {name for name, count in names.items() if count > 1}


# File names that a ring has twice still, in two of its rooms. The list gets shorter, never longer.
TWICE = {
    "core/admission.py",
    "core/drafts.py",
    "flows/adopt.py",
    "domains/commands.py",
    "domains/domain.py",
    "domains/structure.py",
    "surfaces/skills.py",
}


def test_a_ring_has_a_file_name_once() -> None:
    """Across rings a name is one noun: the core decides on it, flows do it, surfaces show it."""
    files = (source.name.split("/") for source in sources() if "/" in source.name)
    names = Counter(f"{ring}/{last}" for ring, *_, last in files if last != "__init__.py")
    assert TWICE == {name for name, count in names.items() if count > 1}
