"""What a session's cures cite."""

from tests.support.sessions_told import FOLDER, Home, edited, ran, said


def test_a_fix_cites_what_it_changed() -> None:
    """Where the new text stands in its file; what is somewhere else by now is not cited."""
    home = Home()
    home.file("lib/timer.dart", "import 'a';\n\nreturn end.difference(start);\n")
    fails = ran("flutter test", "Some tests failed: Expected 40 minutes", failed=True)
    fix = edited(f"{FOLDER}/lib/timer.dart", "return 0;", "return end.difference(start);")
    gone = edited(f"{FOLDER}/lib/gone.dart", "a", "something that is there no more")
    home.session(
        "s1", [said("run the tests", fails, fix, gone, ran("flutter test", "All passed!"))]
    )
    home.harvest("s1")
    assert any("Changed lib/timer.dart:" in note.approach for note in home.notes())
    home.session("s2", [said("flutter test fails: Expected 40 minutes, why?")])
    assert "changed since" not in home.prompts[-1] and "UNPROVEN" in home.prompts[-1]
    home.file("lib/timer.dart", "import 'a';\n\nreturn end.difference(begin) * 2;\n")
    home.session("s3", [said("flutter test fails: Expected 40 minutes, why?")])
    assert "lib/timer.dart" in home.prompts[-1].partition("changed since")[0]
    assert "changed since" in home.prompts[-1]
