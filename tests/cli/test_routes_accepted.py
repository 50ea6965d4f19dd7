"""A route that a person accepts stands in a file that their agents read."""

from tests.adversity.accepting import missed
from tests.support.homes import Home


def test_a_route_is_written_where_agents_read(home: Home) -> None:
    """Shown as a diff of the project's CLAUDE.md; undone to the byte, the folder stays."""
    file = home.project / "CLAUDE.md"
    missed(home, ("feature flag rollout?", "which feature flag?", "kill that feature flag"))
    (name,) = home.here("evolve", "analyze", "--json").json["new"]
    for before in (None, "# Mine\n\nRun the tests.  \n"):
        if before is not None:
            file.write_text(before, "utf-8")
        shown = home.here("evolve", "show", name).output
        assert f"+++ {file}" in shown and "+<!-- learnt: accepted routes" in shown
        assert "target: CLAUDE.md" in shown
        assert home.accept(name)[0] == 0
        assert f"`{name}`" in file.read_text("utf-8")
        code, said = home.typed("evolve", "undo", name)
        assert code == 0, said
        assert before == (file.read_text("utf-8") if file.exists() else None)
