"""Drafts by rules: what each piece of a session tells, and which pieces belong together."""

from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from learnt.core.digest.lessons import Lesson
from learnt.core.digest.remarks import Basis
from learnt.core.distil.distilled import (
    MOST_FIXES,
    DistilledSkill,
    Extract,
    FailedAttempt,
    Success,
    Teaching,
    drafts,
    extracted,
    handed,
    name_of,
    pieces,
    reward,
    telling,
)
from learnt.core.distil.sequences import Run
from learnt.core.events import Origin
from learnt.core.knowledge.drafts import Draft

HELD = "Error: lock is held"
UP, FREE, FORCE = "helm upgrade shop", "helm rollback shop 41", "helm upgrade shop --force"


def good(command: str, turn: int = 0, **more: Any) -> Run:
    """A command that worked."""
    return Run("", turn, command, True, **more)


def bad(command: str, trouble: str = HELD, turn: int = 0) -> Run:
    """A command that failed."""
    return Run("", turn, command, False, trouble)


def wrote(*changes: tuple[str, str]) -> Run:
    """Files that were changed."""
    return Run("", 0, "", True, changes=changes)


def laid_down(text: str, *, typed: bool = True) -> Lesson:
    """What a person said."""
    what = Draft(text=text, kind="procedure")
    return Lesson(source=Basis.FACT, what=what, origin=Origin.USER, turn=0, typed=typed)


def taught(*runs: Run, lessons: tuple[Lesson, ...] = (), folder: str = "") -> list[Teaching]:
    """The pieces of a session."""
    return pieces(lessons, [replace(run, id=str(at)) for at, run in enumerate(runs)], folder)


def drafted(*runs: Run, lessons: tuple[Lesson, ...] = ()) -> list[DistilledSkill]:
    """The drafts of a session."""
    return drafts(taught(*runs, lessons=lessons), str)


def test_a_fix_tells_its_trouble_what_helped_and_what_did_not() -> None:
    """By commands and signatures; its quotation is the last try that failed."""
    (piece,) = taught(bad(UP), bad(FORCE, "Error: release exists"), good(FREE), good(UP))
    assert piece == Teaching(
        "fix",
        f"helm upgrade: {HELD}, then: Error: release exists",
        frozenset({"helm upgrade"}),
        (f"Run `{FREE}`", f"Run `{UP}`"),
        (f"`{FORCE}`: Error: release exists", f"`{UP}`: {HELD}"),
        f"{FORCE}: Error: release exists",
        Origin.TOOL,
    )


def test_of_what_was_written_into_a_file_the_last_is_told() -> None:
    """Where the project lies is left out; what was deleted tells nothing."""
    (piece,) = taught(
        bad("pytest tests"), wrote(("/p/a.py", "x = 1"), ("/p/b.py", "")),
        wrote(("/p/a.py", "x = 2")), good("pytest tests"), folder="/p",
    )  # fmt: skip
    assert ("Change a.py: `x = 2`", "Run `pytest tests`") == piece.steps
    (mixed,) = taught(
        bad("pytest tests"), wrote(("/p/a.py", "x = 1"), ("/p/c.py", "y")),
        wrote(("/p/a.py", "x = 2")), good("pytest tests"), folder="/p",
    )  # fmt: skip
    assert "Change c.py: `y`" in mixed.steps


def test_bounds_of_a_fix() -> None:
    """Its last eight steps, four pitfalls the newest first, two troubles, forty fixes."""
    tries = [bad(f"{UP} --try-{word}", f"trouble {word} now") for word in "abcdef"]
    ways = [good(f"helm way{word} x") for word in "abcdefghi"]
    (piece,) = taught(*tries, *ways, good(FORCE))
    assert (8, f"Run `{FORCE}`", "Run `helm wayc x`") == (
        len(piece.steps), piece.steps[-1], piece.steps[0],
    )  # fmt: skip
    assert ["f", "e", "d", "c"] == [each.split("try-")[1][0] for each in piece.pitfalls]
    assert "helm upgrade: trouble e now, then: trouble f now" == piece.title
    many = [run for n in range(MOST_FIXES + 1) for run in (
        bad(f"tool{n} run", turn=4 * n), good(f"tool{n} run --ok", turn=4 * n),
    )]  # fmt: skip
    assert MOST_FIXES == len([each for each in taught(*many) if each.kind == "fix"])


def test_what_passes_is_left_out_of_a_trouble() -> None:
    """When it was and how long it took; without a trouble a fix is not told."""
    (piece,) = taught(bad(UP, "2024-05-01 12:00:00 lock is held (3.2s)"), good(FORCE))
    assert "helm upgrade: lock is held" == piece.title
    assert [] == taught(bad(UP, ""), good(FORCE))


def test_a_page_marks_what_it_taught() -> None:
    """A fix and a sequence alike."""
    page = Run("", 0, "", True, page=True)
    assert [Origin.WEB] == [each.origin for each in taught(page, bad(UP), good(FORCE))]
    three = [good(f"{word} to-{env} --now") for env in ("eu", "us") for word in
             ("terraform apply", "helm install", "smoke run")]  # fmt: skip
    assert [Origin.WEB] == [each.origin for each in taught(page, *three)]
    assert [Origin.TOOL] == [each.origin for each in taught(*three)]


def test_a_sequence_tells_its_steps_and_how_often() -> None:
    """It is about its programs."""
    runs = [good(f"{word} to-{env} --now") for env in ("eu", "us") for word in
            ("terraform apply", "helm install", "smoke run")]  # fmt: skip
    (piece,) = taught(*runs)
    assert "terraform apply → helm install → smoke" == piece.title
    assert "Run `terraform apply to-<…> --now`" == piece.steps[0]
    assert "These 3 commands were run 2 times and worked." == piece.quote
    assert frozenset({"terraform apply", "helm install", "smoke"}) == piece.about


def test_a_sentence_alone_is_worth_no_skill() -> None:
    """It is a piece where a person typed it, and waits for a matter to belong to."""
    (piece,) = taught(lessons=(laid_down("never push to main"),))
    assert ("never push to main", "never push to main") == (piece.title, piece.quote)
    assert [] == taught(lessons=(laid_down("never push to main", typed=False),))
    assert [] == drafts([piece], str)


def test_pieces_about_the_same_are_one_draft() -> None:
    """By a program, by what there is to do, or by the words of a convention."""
    steps = ("Run `scale zero`", "Run `reset offsets`")
    one = Teaching("fix", "kafka: inactive", frozenset({"kafka"}), steps)
    program = replace(one, title="kafka: late", steps=("Run `kafka restart now`",))
    same = replace(one, about=frozenset({"kubectl"}), title="kubectl: pods")
    other = Teaching("fix", "make: heap", frozenset({"make"}), ("Run `make heap large`",))
    assert [2] == [len(each.parts) for each in drafts([one, program], str)]
    assert [2] == [len(each.parts) for each in drafts([one, same], str)]
    assert [1, 1] == [len(each.parts) for each in drafts([one, other], str)]
    # One that is about both joins them.
    both = replace(one, about=frozenset({"kafka", "make"}), steps=("Run `x y z w`",))
    assert [3] == [len(each.parts) for each in drafts([one, other, both], str)]


def test_a_convention_joins_the_matter_that_it_shares_words_with() -> None:
    """One that shares none is no draft."""
    fix = Teaching("fix", "kafka: offsets reset", frozenset({"kafka"}), ("Run `scale zero`",))
    near = Teaching("convention", "scale before you reset offsets", frozenset(), ())
    far = Teaching("convention", "never push to main", frozenset(), ())
    hint = Teaching("convention", "kafka is old", frozenset(), ())
    (joined,) = drafts([near, fix], str)
    assert ["When this fails: kafka: offsets reset", "A person said: scale before you reset offsets"
            ] == [part.when for part in joined.parts]  # fmt: skip
    assert [1] == [len(each.parts) for each in drafts([fix, far], str)]
    assert [2] == [len(each.parts) for each in drafts([fix, hint], str)]
    assert [1] == [len(each.parts) for each in drafts([fix, replace(hint, title="tabs")], str)]


def test_a_draft_is_as_far_trusted_as_its_least_piece() -> None:
    """Sequences come before fixes and these before conventions; quotes and tags are of all."""
    fix = Teaching("fix", "helm: held", frozenset({"helm upgrade"}), ("a",), ("p",), "q1")
    row = replace(fix, kind="sequence", title="helm → kubectl", quote="q2", pitfalls=(),
                       about=frozenset({"helm upgrade", "kubectl get"}))  # fmt: skip
    said = Teaching("convention", "helm held: ask us first", frozenset(), (), origin=Origin.USER)
    (draft,) = drafts([fix, said, row], str)
    assert ("helm → kubectl", ("helm", "kubectl")) == (draft.title, draft.tags)
    assert ("q2", "q1") == draft.quotes and Origin.TOOL is draft.origin
    assert draft.description.startswith("Use: When you run helm → kubectl; When this fails: helm")
    assert ("a",) == draft.parts[1].steps and ("p",) == draft.parts[1].pitfalls
    order = [Origin.WEB, Origin.MIXED, Origin.ASSISTANT, Origin.TOOL, Origin.REPOSITORY]
    for worse, better in pairwise([*order, Origin.USER]):
        pair = [replace(fix, origin=better), replace(fix, origin=worse, title="b")]
        assert [worse] == [each.origin for each in drafts(pair, str)]


def test_what_is_surest_comes_first() -> None:
    """Whatever its sign; alike ones stay in their order."""
    a, b, c, d = (FailedAttempt(name, "") for name in "abcd")
    assert [d, b, a, c] == telling([(a, 0.0), (b, -0.5), (c, 0.0), (d, 1.0)])
    assert 0.0 == reward("scored")


def test_memories_of_a_reply_are_offered_once_and_where_they_are_sure() -> None:
    """Oracle 58: .5 is kept, .49 is not; the first of those that are the same."""
    sure = Extract("pitfalls", "Stop", "Stop the queue first.", 0.5)
    again, unsure = sure._replace(title="STOP"), sure._replace(content="x", confidence=0.49)
    odd, empty = sure._replace(category="jokes"), sure._replace(content=" ")
    other = sure._replace(content="Another thing.")
    assert [sure, other] == extracted([sure, unsure, again, odd, empty, other])


def test_a_name_is_the_titles_or_the_sessions() -> None:
    """A title that is a name; of a session its first eight letters and digits."""
    assert ("a" * 60, "a-b") == (name_of("a" * 60, "s", "t"), name_of("a-b", "s", "t"))
    mark = name_of("", "S", "t").rpartition("-")[2]
    assert f"distilled-s-{mark}" == name_of("a" * 65, "S", "t") == name_of("a b", "s!", "t")
    assert f"distilled-12345678-{mark}" == name_of("", "\u65701-2345-6789", "t")
    assert f"distilled-session-{mark}" == name_of("", "--", "t") and len(mark) == 6
    assert name_of("", "s", "\ud800").startswith("distilled-s-")
    assert name_of("", "s", "u") != name_of("", "s", "t")


def test_handed_evidence_is_cut_to_its_bounds() -> None:
    """Eight steps, four pitfalls, each of 320 characters; the last failure is quoted."""
    lost = [FailedAttempt(" build ", f"why {n} " + "x" * 400, f"way {n}") for n in range(6)]
    won = [Success("BUILD", f"step {n}") for n in (1, 1, *range(2, 12))] + [Success("build", " ")]
    (piece,) = handed(lost, won)
    assert [f"step {n}" for n in range(1, 9)] == list(piece.steps)
    assert 4 == len(piece.pitfalls) and piece.pitfalls[0].startswith("way 0: why 0 xx")
    assert all(len(text) <= 320 for text in (*piece.pitfalls, piece.title, piece.quote))
    assert piece.title.startswith("build: why 0") and "why 5" in piece.quote
    assert (frozenset({"build"}), Origin.ASSISTANT, "fix") == (
        piece.about, piece.origin, piece.kind,
    )  # fmt: skip
