"""`learnt skills trial` says how a trial goes: what counts, how much is missing, what it proves."""

from pathlib import Path

from learnt.core.identifiers import ProjectId
from learnt.ports import Outside
from tests.cli.test_skill_trials import begins, ends, file, has_new, outside, project, tried
from tests.support.homes import Home

__all__ = ["file", "outside", "project"]  # fixtures


def test_the_command_says_what_counts_and_what_is_missing(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """The uses, the evidence, about how many more, which uses do not count; the window's worth."""
    words = ("skills", "trial", "locks", "--project", str(home.project))
    begins(outside, project, "early")
    tried(home, file)
    said = home.here(*words).output
    assert "  0 uses count" in said and "more needed: cannot be told yet" in said
    assert "first ten uses" not in said, "there is none yet"
    ends(outside, "early", success=True)
    had: list[bool] = []
    while len(had) < 6 or len({*had}) < 2:
        begins(outside, project, f"s{len(had)}")
        had.append(has_new(file))
        ends(outside, f"s{len(had) - 1}", success=had[-1])
    told, said = home.here(*words, "--json").json, home.here(*words).output
    assert ("undecided", len(had), {"began-before": 1}) == tuple(
        told[name] for name in ("ruling", "uses", "uncounted")
    )
    assert f"  {len(had)} uses count\n" in said
    assert "  1 do not count: their session began before the trial\n" in said
    evidence = (
        f"evidence for better {told['better']:.2g}, for worse {told['worse']:.2g}; 40 decides"
    )
    assert evidence in said and told["better"] > 1
    assert f"  more needed: about {told['needed']} uses" in said and told["needed"] > 0
    window = f"gap {told['gap']:.2f} before, {told['window']:.2f} after; this proves nothing"
    assert f"  the first ten uses of the new text: {window}\n" in said
