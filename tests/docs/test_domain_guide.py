"""The guide for authors of domains shows the files that are tested, as they are."""

from tools.docs import DOMAINS, ROOT, with_files

PAGE = DOMAINS.read_text(encoding="utf-8")


def test_the_guides_code_is_the_tested_files() -> None:
    """Word for word: `python -m tools.docs` puts them in."""
    assert PAGE == with_files(PAGE)
    for name in ("tiny_slots/domain.py", "pyproject.toml"):
        file = ROOT / "tests" / "data" / "tiny_domain" / name
        assert file.read_text(encoding="utf-8").strip() in PAGE
    tests = ROOT / "tests" / "domains" / "test_tiny_slots.py"
    assert tests.read_text(encoding="utf-8").strip() in PAGE


def test_the_guides_entry_point_is_the_installed_ones() -> None:
    """The package that tests install says the same as its project file."""
    place = ROOT / "tests" / "data" / "tiny_domain"
    (installed,) = place.glob("*.dist-info/entry_points.txt")
    line = installed.read_text(encoding="utf-8").splitlines()[1]
    name, _, value = line.partition(" = ")
    assert f'{name} = "{value}"' in (place / "pyproject.toml").read_text(encoding="utf-8")
