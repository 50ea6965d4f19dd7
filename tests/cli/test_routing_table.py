"""In folder mode `_index.md` names each topic and what it is about."""

from tests.support.answers import Said
from tests.support.homes import Home


def injected(home: Home, target: str, about: str, content: str = "refunds take 7 days") -> Said:
    """A fact put into a topic of the project's folder."""
    words = ("--type", "business_rule", "--content", content, "--target", target)
    return home.here("knowledge", "inject", *words, "--entities", about)


def routes(home: Home) -> list[str]:
    """The rows of the folder's routing table."""
    text = (home.project / "references" / "_index.md").read_text("utf-8")
    return [line for line in text.splitlines() if ".md" in line]


def test_the_routing_table_is_filled(home: Home) -> None:
    """With each topic and what it is about, as facts come; what is known already adds nothing."""
    home.here("knowledge", "init")
    injected(home, "rooms.md", "t_room, t_hotel")
    injected(home, "refunds.md", "")
    injected(home, "rooms.md", "t_hotel, t|rate", "rates hold for one night")

    assert [
        "| [rooms.md](rooms.md) | t_room, t_hotel, t rate |",
        "| [refunds.md](refunds.md) |  |",
    ] == [*routes(home)]


def test_a_row_that_a_person_wrote_stays(home: Home) -> None:
    """Also in another form than the table; a topic that it does not name gets a row behind."""
    folder = home.project / "references"
    folder.mkdir()
    (folder / "_index.md").write_bytes(b"# Mine\r\n\r\n- [Rooms](rooms.md), for the night\r\n")
    injected(home, "rooms.md", "t_room")
    injected(home, "refunds.md", "t_refund")

    assert (
        b"# Mine\r\n\r\n- [Rooms](rooms.md), for the night\r\n"
        b"- [refunds.md](refunds.md)\r\n" == (folder / "_index.md").read_bytes()
    )


def test_a_table_that_cannot_be_written_is_told(home: Home) -> None:
    """The fact is kept; whoever injected it hears that no row leads to it."""
    folder = home.project / "references"
    folder.mkdir()
    (folder / "_index.md").symlink_to(home.folder / "elsewhere.md")
    said = injected(home, "rooms.md", "t_room")

    assert 0 == said.exit_code
    assert "the fact is written, its row in _index.md is not" in said.errors
    assert "refunds take 7 days" in (folder / "rooms.md").read_text("utf-8")


def test_topics_that_were_there_before_are_routed(home: Home) -> None:
    """By `init`, and in an export of a folder without a table."""
    injected(home, "rooms.md", "t_room")
    (home.project / "references" / "_index.md").unlink()
    home.here("knowledge", "export", str(home.folder / "out"), "--skill", "rooms-db")
    exported = (home.folder / "out/rooms-db/references/_index.md").read_text("utf-8")
    home.here("knowledge", "init")

    assert "| [rooms.md](rooms.md) | t_room |" in exported
    assert ["| [rooms.md](rooms.md) | t_room |"] == routes(home)
