"""One name for one thing: of classes, and of files within a ring."""

from collections import Counter

from tests.architecture.source import sources

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
    assert [] == [name for name, count in names.items() if count > 1]


def test_a_ring_has_a_file_name_once() -> None:
    """Across rings a name is one noun: the core decides on it, flows do it, surfaces show it.

    Every domain comes in by its `domain.py`.
    """
    files = (source.name.split("/") for source in sources() if "/" in source.name)
    names = Counter(
        f"{ring}/{last}"
        for ring, *_, last in files
        if last != "__init__.py" and (ring, last) != ("domains", "domain.py")
    )
    assert [] == [name for name, count in names.items() if count > 1]
