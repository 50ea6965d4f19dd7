"""A cure holds what a hook saw, the lines of an edit included, and in one entry."""

from tests.support.sessions_told import FOLDER, Home, edited, ran, said, told


def test_an_edit_that_no_hook_saw_is_not_told() -> None:
    """A transcript may hold other lines under the same call: then the file alone is named."""
    home = Home()
    red, green = (
        ran("flutter test", "Expected 40 minutes but failed", failed=True),
        ran("flutter test", "All passed!"),
    )
    saw, wrote = (edited(f"{FOLDER}/a.dart", "f(1);", new) for new in ("f(2);", "f(EVIL);"))
    home.session("s1", [said("go", red, saw, green)])
    home.harvest("s1")
    assert (
        "Changed a.dart: - f(1);\n+ f(2);\nWhat worked: `flutter test`" == home.notes()[0].approach
    )
    home.session("s2", [said("go", red, saw, green)], written=[said("go", red, wrote, green)])
    home.harvest("s2")
    assert "Changed: a.dart\nWhat worked: `flutter test`" == home.notes()[1].approach


def test_what_the_agent_said_of_it_is_not_kept() -> None:
    """One entry holds what the hooks saw."""
    home = Home()
    fails = ran("mix firmware", "** (Mix) MIX_TARGET is not set.", failed=True)
    why = told("The board is a 3A, so the target is rpi3a.")
    home.session("s1", [said("build it please", fails, why, ran("MIX_TARGET=rpi3a mix firmware"))])
    home.harvest("s1")
    (note,) = home.notes()
    assert "is a 3A" not in note.approach and "rpi3a" in note.approach
