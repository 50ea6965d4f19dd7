"""The skills' index says what the files say now, and finds them by words."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from learnt.core.skills.skills import SkillLayer, SkillSource
from learnt.stores.sqlite_skills import SqliteSkills


class Shelf:
    """A folder of skills, and an index of it on disk or in memory."""

    def __init__(self, place: Path, index: Path | None) -> None:
        self.folder, self.index = place / "skills", index
        self.library = self.another()

    def another(self, folder: Path | None = None) -> SqliteSkills:
        """An index as another process would open it."""
        return SqliteSkills([SkillSource(str(folder or self.folder), SkillLayer.USER)], self.index)

    def put(self, name: str, about: str = "About it.", body: str = "Do it.") -> Path:
        """A skill in a folder of its own."""
        file = self.folder / name / "SKILL.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"---\nname: {name}\ndescription: {about}\n---\n\n{body}\n", "utf-8")
        return file

    def found(self, query: str, library: SqliteSkills | None = None) -> list[str]:
        """The names of the folders of what is found, best first."""
        library = library or self.library
        library.skills()
        return [Path(file).parent.name for file, _ in library.ranked(query, 5)]


@pytest.fixture(params=["disk", "memory"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shelf]:
    """A shelf with each kind of index."""
    shelf = Shelf(tmp_path, tmp_path / "cache" / "skills.db" if request.param == "disk" else None)
    yield shelf
    shelf.library.close()


def test_the_rarer_word_and_the_more_telling_field_weigh_more(shelf: Shelf) -> None:
    """Name before description before body; a stop word alone finds what has it, last of all."""
    shelf.put("pdf-forms", "Fills forms.")
    shelf.put("letters", "Writes letters and fills forms.", "Also a pdf, when the reader wants it.")
    shelf.put("tables", "Makes tables.", "For the reader.")
    assert ["pdf-forms", "letters"] == shelf.found("fill the pdf form")[:2]
    assert "tables" not in shelf.found("pdf forms")
    assert [] == shelf.found("quantum") == shelf.found("") == shelf.found("?!")


def test_unspaced_scripts_are_found_by_pairs(shelf: Shelf) -> None:
    """A sentence finds a word that it contains, in Chinese and in Thai."""
    shelf.put("locks", "排查数据库死锁")
    shelf.put("poems", "写诗")
    shelf.put("thai", "ฐานข้อมูล")
    assert ["locks"] == shelf.found("请帮我看看死锁问题")
    assert ["thai"] == shelf.found("ข้อมูล")


def test_marks_and_capitals_make_no_difference(shelf: Shelf) -> None:
    """However a word is composed; words of scripts with vowel signs stay whole."""
    shelf.put("menus", "Plans caf\u00e9 menus.")
    shelf.put("hindi", "हिन्दी में लिखता है")
    assert ["menus"] == shelf.found("CAFE\u0301")
    assert ["hindi"] == shelf.found("हिन्दी")


def test_identifiers_are_found_by_their_parts(shelf: Shelf) -> None:
    """And as a whole, however they are spelt."""
    shelf.put("users", "Calls createUser and drop_table.")
    shelf.put("poems", "Writes verse.")
    for query in ("create the user", "createuser", "CREATE_USER table", "drop"):
        assert ["users"] == shelf.found(query), query


def test_odd_queries_find_what_shares_a_word_with_them(shelf: Shelf) -> None:
    """Huge, of mixed scripts, with what means something to a search engine; or nothing."""
    shelf.put("locks", "Frees locks.")
    for query in (
        "🦑 locks",
        "שלום locks",
        "locks 锁 замок",
        '" OR NEAR("locks") AND NOT *:^{',
        "locks " * 200_000,
        "\ud800 locks \x00",
    ):
        assert ["locks"] == shelf.found(query), query[:40]
    for query in ("", "x", "🦑", "?" * 1_000_000, "z" * 1_000_000, "\u202eskcol\u202c"):
        assert [] == shelf.found(query), query[:40]


def test_how_likely_a_skill_fits_is_told_by_its_headline(shelf: Shelf) -> None:
    """More of the telling words, more likely; what only the text has counts nothing."""
    good = str(shelf.put("pdf-forms", "Fills forms of the tax office."))
    other = str(shelf.put("letters", "Writes letters.", "Of pdf forms for the tax office."))
    assert {"pdf-forms", "letters"} == set(shelf.found("fill the pdf form for the tax office"))
    best, least = shelf.library.fits("fill the pdf form for the tax office", [good, other])
    assert best > 0.5 > least > 0
    assert [least] == shelf.library.fits("🦑 the of", [good])


def test_a_changed_file_is_read_again(shelf: Shelf) -> None:
    """It is found by its new words and no longer by the old; a deleted one by none."""
    file = shelf.put("first", "Counts zebras.")
    shelf.put("second", "Counts horses.")
    assert ["first"] == shelf.found("zebras")
    shelf.put("first", "Counts dolphins.")
    assert ([], ["first"]) == (shelf.found("zebras"), shelf.found("dolphins"))
    file.unlink()
    assert ["second"] == [skill.name for skill in shelf.library.skills()]
    assert ([], ["second"]) == (shelf.found("dolphins"), shelf.found("counts"))
    shelf.put("third", "Counts whales.")
    assert ([], ["third"]) == (shelf.found("dolphins"), shelf.found("whales"))


def test_of_some_files_only(shelf: Shelf) -> None:
    """A search among files passes over all others, however well they fit."""
    shelf.put("best", "Counts zebras and zebras.")
    other = shelf.put("other", "Has heard of zebras.")
    shelf.library.skills()
    assert [str(other)] == [file for file, _ in shelf.library.ranked("zebras", 1, {str(other)})]


def test_equal_skills_follow_one_another_by_file(shelf: Shelf) -> None:
    """Also where the last one in has the same score as the first one out."""
    for name in ("delta", "alpha", "charlie", "bravo"):
        shelf.put(name, "Counts zebras.")
    shelf.library.skills()
    best = [Path(file).parent.name for file, _ in shelf.library.ranked("zebras", 2)]
    assert ["alpha", "bravo"] == best


def test_folders_of_others_are_kept_and_not_seen(tmp_path: Path) -> None:
    """Two projects share an index: neither sees or deletes what the other's folders have."""
    shelf = Shelf(tmp_path, tmp_path / "skills.db")
    shelf.put("mine", "Counts zebras.")
    assert ["mine"] == shelf.found("zebras")
    theirs = Shelf(tmp_path / "theirs", shelf.index)
    theirs.put("secret", "Counts zebras.")
    assert ["secret"] == theirs.found("zebras")
    assert ["mine"] == shelf.found("zebras") == shelf.found("zebras", shelf.another())
    assert ["secret"] == theirs.found("zebras", theirs.another())


def test_the_index_is_made_of_the_files_alone(shelf: Shelf) -> None:
    """After any changes scores are those of an index made now: no file's history shows."""
    for name in ("one", "two", "three"):
        shelf.put(name, f"Counts {name} zebras.", "zebras " * len(name))
    shelf.found("zebras")
    shelf.put("two", "Counts two horses, and zebras.")
    (shelf.folder / "one" / "SKILL.md").unlink()
    shelf.found("zebras")
    fresh = SqliteSkills([SkillSource(str(shelf.folder), SkillLayer.USER)])
    fresh.skills()
    query = "count two zebras"
    assert fresh.ranked(query, 5) == shelf.library.ranked(query, 5) != []
