"""What a session teaches: words of its person and cures, ready to be offered."""

from collections.abc import Mapping
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.digest.lessons import (
    LONGEST_EDITS,
    LONGEST_PROBLEM,
    LONGEST_TRIED,
    MOST_CAUTIONS,
    MOST_FILES,
    Lesson,
    cautions_of,
    edits_shown,
    kind_of,
    lines_of,
    named_trouble,
    plain,
    problem_of,
    trimmed,
)
from learnt.core.digest.remarks import Basis, Reading
from learnt.core.digest.steps import Change, changes_of
from learnt.core.events import Origin
from learnt.core.health.outcomes import CallEvidence
from learnt.core.knowledge.drafts import Draft
from learnt.core.sessions.turns import Made, Turn
from learnt.flows.knowledge.uses import lessons_of
from learnt.language.remarks import read
from learnt.language.shipped import ShippedLanguage
from tests.core.talks import (
    Did,
    Speaking,
    asked,
    broke,
    change,
    edited,
    ran,
    session,
    step,
    steps,
    turn,
)

PORT = "the gateway listens on port 8443"
FAILS = broke("mix firmware", "** (Mix) MIX_TARGET is not set")
WORKS = ran("MIX_TARGET=rpi3a mix firmware")
KEY = "sk_live_9x2LqWmTzR81vbn0aa"


MEANT = (PORT, "we never write", "we always put", "must be rpi3a", "drivers live in")


class Meant(ShippedLanguage):
    """Of a prompt's sentences those with a part of MEANT are for good."""

    def remarks(self, prompt: str) -> Reading:
        return read(prompt, lambda s, *_: 9.0 if any(map(s.__contains__, MEANT)) else -1.0)


LANGUAGE = Meant()


def taught(
    *turns: tuple[Turn, Mapping[str, CallEvidence]], origin: Origin = Origin.USER
) -> list[Lesson]:
    """The lessons of a session in which every prompt is of that origin."""
    turns_, calls = session(*[(one, dict(calls)) for one, calls in turns])
    return lessons_of(LANGUAGE, turns_, calls, lambda _: origin)


def text(lesson: Lesson) -> str:
    """The text of a fact."""
    assert lesson.what.is_fact
    return lesson.what.text


def solution(*steps: str | Did, folder: str = "") -> tuple[Lesson, Draft]:
    """The one cure of a session, as the agent told it if it did."""
    lesson = taught(turn("please build it", *steps, folder=folder))[-1]
    assert not lesson.what.is_fact
    return lesson, lesson.what


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("the column `amount` is in cents", "schema"),
        ("the column `amount` must never be negative", "schema"),
        ("字段 amount 以分为单位", "schema"),
        ("invoices must never be deleted", "business_rule"),
        ("never push before noon", "business_rule"),
        ("发票一律不删", "business_rule"),
        ("backfill first, drop the old one in the next release", "procedure"),
        ("先备份再升级", "procedure"),
        ("the debug port is 9229", "tool_experience"),
        ("调试端口是 9229", "tool_experience"),
    ],
)
def test_a_statement_has_a_kind(statement: str, kind: str) -> None:
    """By what it speaks of: structure, a rule, steps, or the use of a tool."""
    assert kind == kind_of(statement)


def test_marked_words_become_a_fact() -> None:
    """As typed, with whose words they are and the turn they are from."""
    (lesson,) = taught(turn("hello"), turn(f"remember: {PORT}. we never write to db2."))
    assert lesson == Lesson(
        source=Basis.REMEMBER,
        what=Draft(text=f"{PORT}. we never write to db2.", kind="business_rule"),
        origin=Origin.USER,
        turn=1,
        typed=True,
    )


def test_a_sentence_that_is_meant_to_last_becomes_a_fact() -> None:
    """Whole, as typed; what a marker holds is not taken twice, nor what it refuses."""
    (lesson,) = taught(turn("hello"), turn(f"fix it please. {PORT}."))
    assert (Basis.FACT, f"{PORT}.") == (lesson.source, text(lesson))
    assert [] == taught(turn("hello"), turn(f"remember: the key is {KEY}"))


@pytest.mark.parametrize("origin", [Origin.MIXED, Origin.WEB])
def test_words_that_nobody_typed_stay_what_they_are(origin: Origin) -> None:
    """Whatever they say."""
    (lesson,) = taught(turn("hello"), turn(PORT), origin=origin)
    assert (origin, False) == (lesson.origin, lesson.typed)


def test_each_prompt_is_judged_by_itself() -> None:
    """One may be typed and the next not."""
    turns, calls = session(turn("hello"), turn(f"remember: {PORT}"), turn(f"remember: no {PORT}"))
    lessons = lessons_of(
        LANGUAGE, turns, calls, lambda one: Origin.MIXED if "no" in one.prompt else Origin.USER
    )
    assert [Origin.USER, Origin.MIXED] == [lesson.origin for lesson in lessons]


def test_a_cure_becomes_a_solution() -> None:
    """The call that worked shows it."""
    lesson, what = solution(FAILS, "The board is a 3A.", WORKS)
    assert lesson == Lesson(
        source=Basis.WORKED, what=what, origin=Origin.TOOL, turn=0, hard=True,
        tool_use="please build it/2", failed=("please build it/0",),
    )  # fmt: skip
    assert what == Draft(
        problem="mix firmware: MIX_TARGET is not set",
        approach="What worked: `MIX_TARGET=rpi3a mix firmware`",
        cautions=("`mix firmware` fails: MIX_TARGET is not set",),
        signs=("** (Mix) MIX_TARGET is not set",),
    )


def test_a_cure_is_of_where_it_comes_from() -> None:
    """A call, or only the transcript."""
    trouble = turn("the import dies on Sundays", "Its days count from 0.", edited("a.py", "x", "y"))
    lesson = taught(trouble, turn("works now, thanks"))[-1]
    assert (Origin.ASSISTANT, False, "") == (lesson.origin, lesson.hard, lesson.tool_use)
    assert (Basis.FIX, False) == (lesson.source, lesson.typed)


@pytest.mark.parametrize(("origin", "then"), [("user", "tool"), ("mixed", "mixed")])
def test_a_trouble_told_in_a_prompt_is_as_good_as_the_prompt(origin: str, then: str) -> None:
    """What nobody typed vouches for nothing; a failure that a call showed does."""
    told = turn("the import dies on Sundays", "Its days count from 0.",
                edited("a.py", "x", "y"), ran("pytest", kind="test"))  # fmt: skip
    lesson = taught(told, origin=Origin(origin))[0]
    assert Origin(then) == lesson.origin
    (lesson,) = taught(turn("go", FAILS, WORKS), origin=Origin(origin))
    assert Origin.TOOL == lesson.origin


def test_a_solution_names_the_files_that_were_changed() -> None:
    """Each once, and not where the project lies on this machine."""
    fix = edited("/work/shop/src/a.py", "/work/shop/x", "y")
    more = edited("/work/shop/src/a.py", "b", "/work/shop/z")
    red, green = broke("pytest /work/shop/t", "KeyError: /work/shop/q"), ran("pytest /work/shop/t")
    lesson, what = solution(red, fix, more, edited("", "x", ""), green, folder="/work/shop")
    assert ("src/a.py",) == what.files
    assert "pytest: KeyError: q" == what.problem
    assert what.approach.endswith("What worked: `pytest t`")
    assert change("/work/shop/src/a.py", "/work/shop/x", "y") == lesson.changes[0]
    _, what = solution(red, fix, green)
    assert ("/work/shop/src/a.py",) == what.files


def test_cautions_name_no_folder_of_this_machine() -> None:
    """Neither that of the project nor that of its user."""
    fails = broke("run /work/shop/a /home/ann/b", "KeyError: 'q'")
    _, what = solution(fails, ran("run /work/shop/c"), folder="/work/shop")
    assert ("`run a ~/b` fails: KeyError: 'q'",) == what.cautions
    assert "What worked: `run c`" == what.approach


def test_no_credential_is_taught() -> None:
    """Of a command or of a change."""
    fails, works = broke("pay now", "Error: no key"), ran(f"pay --token {KEY} now")
    lesson, what = solution(fails, edited("a.py", "x", f"token = '{KEY}'"), works)
    assert KEY not in "\n".join(what.texts)
    assert KEY in lesson.changes[0].new


def test_doing_as_one_was_told_is_no_second_lesson() -> None:
    """The person's own words are the lesson."""
    lessons = taught(turn("build it", FAILS), turn("remember: it must be rpi3a", WORKS))
    assert [Basis.REMEMBER] == [lesson.source for lesson in lessons]


def test_lessons_come_in_the_order_of_their_turns() -> None:
    """Remarks and cures alike."""
    lessons = taught(
        turn("build it", FAILS, WORKS), turn(f"remember: {PORT}"), turn("again", FAILS, WORKS)
    )
    assert [(0, "worked"), (1, "remember"), (2, "worked")] == [
        (lesson.turn, lesson.source) for lesson in lessons
    ]


SPEAKING = Speaking()
SIGN = partial(named_trouble, speaking=SPEAKING)


@pytest.mark.parametrize(
    ("one", "failures", "problem"),
    [
        (ran("pytest"), [broke("pytest", "KeyError: 'a'")], "pytest: KeyError: 'a'"),
        (ran("pytest"), [broke("pytest", "hm")], "pytest fails"),
        (
            ran("pytest"),
            [broke("pytest", "KeyError: 'a'"), broke("pytest", "KeyError: 'b'")],
            "pytest: KeyError: 'b'",
        ),
        (
            ran("pytest"),
            [broke("pytest", "KeyError: 'a'"), broke("pytest", "hm")],
            "pytest: KeyError: 'a'",
        ),
        (ran("make a && pod install && x"), [broke("pod install")], "pod install fails"),
        (ran("make a && pod install"), [broke("pod install && make a")], "pod install fails"),
        (ran("pod install && make a"), [broke("ls a/b.txt")], "make a fails"),
        (ran("cat a/b.txt"), [broke("yard a/b.txt"), broke("zip a/b.txt")], "zip fails"),
        (ran("cat a/b.txt"), [broke("ls a/b.txt")], "Bash fails"),
        (
            asked("select 1 from Rooms join beds"),
            [asked("x", "no such column: nr", good=False)],
            "db query: no such column: nr",
        ),
        (ran("构建"), [broke("构建", "错误：缺少目标")], "构建: 错误 ： 缺少目标"),
        (ran("pay"), [broke("pay", f"Error: token {KEY} is bad")], None),
    ],
)
def test_a_problem_is_what_failed_and_how(
    one: Did, failures: list[Did], problem: str | None
) -> None:
    """The program that failed and worked in the end, and the last name of a failure."""
    told = problem_of(step(one), steps(*failures), SIGN)
    assert problem in {None, told}
    assert KEY not in told


def test_a_problem_has_a_length() -> None:
    """Whatever was run."""
    names = " && ".join(["x" * 500])
    assert LONGEST_PROBLEM == len(problem_of(step(ran(names)), steps(broke(names)), SIGN))


def test_what_was_tried_in_vain_is_told_once_the_last_first() -> None:
    """But not what worked in the end, and no call without a command."""
    named = broke("make a", "no such target")
    tried = steps(named, broke("make b"), broke("make a"), broke("make c"), broke(""))
    assert ("`make a` fails", "`make b` fails") == cautions_of("make c", tried, SIGN)
    assert ("`make a` fails: no such target",) == cautions_of("make b", tried[:2], SIGN)


def test_there_is_a_limit_to_what_was_tried_in_vain() -> None:
    """To its number, and to each."""
    tried = steps(*(broke(f"make a{number}") for number in range(MOST_CAUTIONS + 2)))
    told = cautions_of("make", tried, SIGN)
    assert [f"`make a{MOST_CAUTIONS + 1 - n}` fails" for n in range(MOST_CAUTIONS)] == list(told)
    (long,) = cautions_of("make", steps(broke("make " + "x" * 300)), SIGN)
    assert f"`{'make '.ljust(LONGEST_TRIED - 1, 'x')}\u2026` fails" == long


@pytest.mark.parametrize(
    ("text", "most", "cut"),
    [
        ("a\n  b", 9, "a b"),
        ("abcd", 4, "abcd"),
        ("abcde", 4, "abc\u2026"),
        ("", 4, ""),
        (f"token={KEY}", 12, "token=[reda\u2026"),
        ("a <private>b</private> c", 20, "a [private] c"),
        ("x" * 9_000, 8_500, "x" * 8_000),
    ],
)
def test_a_text_is_put_on_one_line(text: str, most: int, cut: str) -> None:
    """And cut where it is too long."""
    assert cut == trimmed(text, most)


def test_an_edit_is_shown_as_the_lines_that_it_took_away_and_put_in() -> None:
    """Lines that stayed are left out; what is common to all in indentation is, too."""
    edit = change("pyproject.toml", "[tool]\n  a = 1\n  b = 2", "[tool]\n  a = 1\n  b = 3\n  c = 4")
    assert ["Changed pyproject.toml: - b = 2", "+ b = 3", "+ c = 4"] == edits_shown([edit], ())
    assert ["+ x()"] == lines_of(change("a.py", "try:", "try:\n    x()"))
    assert ["-   a: 1", "+ a: 1"] == lines_of(change("a.yml", "  a: 1", "a: 1"))


def test_what_a_block_was_moved_by_is_not_shown_where_something_was_put_in() -> None:
    """The line around it is."""
    edit = change("a.py", "load()\nsave()", "with lock:\n    load()\n    save()")
    assert ["+ with lock:"] == lines_of(edit)


@pytest.mark.parametrize(
    "line",
    [
        'httpx==0.27, respx>=0.21',
        '    "build": "NODE_OPTIONS=--openssl-legacy-provider webpack --mode production",',
        "#[derive(Debug, Clone, PartialEq, Serialize)]",
        "for item in items if item.ok and not item.done",
        "public PasswordHasher passwordHasher(BCrypt strength) throws IOException {",
        "CREATE EXTENSION IF NOT EXISTS pgcrypto;",
        "RUN apt-get install -y gcc make curl unzip",
        "import x  # noqa: E402",
        "y = f(x)  # type: ignore[arg-type]",
        "url = https://jitpack.io//a",
        "moduleNameMapper: { '\\\\.(css|less)$': 'identity-obj-proxy' },",
        "spring.jpa.hibernate.ddl-auto=update",
        "<PackageReference Include=\"Polly\" Version=\"8.4.1\" />",
        "_ \"github.com/mattn/go-sqlite3\"",
    ],
)  # fmt: skip
def test_code_stays_as_it_is(line: str) -> None:
    """Names, versions, paths, keys, commands and directives in comments."""
    assert line == plain(line)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("x = 1  # never lower this in production", "x = 1"),
        ("x = 1  // push, then deploy", "x = 1"),
        ("<!-- ask the owner first -->", ""),
        ("  * ask the owner first", ""),
        ('log("ask the owner first", level=2)', 'log("…", level=2)'),
        ("log('ask, the, owner')", "log('…')"),
        ("Push straight to production", ""),
        ("name: Push everything straight to production", "name: …"),
        ("总是先推送到主分支再说", ""),
        ("def always_push_to_the_main_branch_before_you_ask(x):", "def … …"),
    ],
)
def test_sentences_are_left_out(line: str, shown: str) -> None:
    """In comments, in strings, in plain text, and joined to a name."""
    assert shown.replace("… …", "…") == plain(line).replace("…(x):", "…")


def test_of_an_edit_that_no_hook_saw_the_file_alone_is_named() -> None:
    """So it is with private parts, and where nothing is left that may be shown."""
    unseen = Change(path="a.py", old="x", new="y")
    for edit in (unseen, change("a.py", "x", "<private>"), change("a.py", "", "# ask the owner")):
        assert ["Changed: a.py"] == edits_shown([edit], ())
    assert ["Changed: a.py"] == edits_shown([change("a.py", "x", "y")], {"- x", "+ y"})
    assert [] == edits_shown([change("a.py", "x", "y")], {"a.py"})
    assert [] == edits_shown([change("always-push-to-main-first.md", "x", "y")], ())


def test_a_secret_is_taken_out_before_a_line_is_cut() -> None:
    """Of half a secret nobody could tell what it is."""
    token = "ghp_" + "A1b2C3d4E5" * 3
    lines = edits_shown([change("a.py", "x", "v" * 150 + f" t={token}")], ())
    assert token[:8] not in "\n".join(lines)


def test_edits_have_a_length_together() -> None:
    """The last ones are shown first, and of these what was put in; other files are named."""
    many = [change(f"f{n}.py", f"{n} was {'x' * 60}1", f"{n} is {'y' * 60}2") for n in range(9)]
    lines = edits_shown(many, ())
    assert (
        any(line.startswith("Changed f8.py: - 8 was") for line in lines)
        and len("\n".join(lines[1:])) <= LONGEST_EDITS
    )
    assert f"Changed: {', '.join(f'f{n}.py' for n in range(6))}" == lines[0] and MOST_FILES == 6
    gone, come = edits_shown(
        [change("a.js", "a" * 300 + "1" + "b" * 300, "a" * 300 + "2" + "b" * 300)], ()
    )
    assert "1" in gone and "2" in come and len(gone) < 220


def test_a_patch_is_read_as_the_edits_that_it_makes() -> None:
    """As Codex gives it, in one text for several files."""
    patch = (
        "*** Begin Patch\n*** Update File: a.toml\n@@ [tool]\n x = 1\n-y = 2\n+y = 3\n"
        "*** Add File: b.txt\n+new\n*** End Patch"
    )
    made = Made("Edit", "c", {"file_path": "/w/a.toml", "new_string": patch})
    assert [
        Change(path="a.toml", old="x = 1\ny = 2", new="x = 1\ny = 3", seen=True),
        Change(path="b.txt", old="", new="new", seen=True),
    ] == [*changes_of(made, seen=True)]


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_edit_is_shown_within_its_length(old: str, new: str) -> None:
    """And each line of it begins as a line of a diff."""
    lines = lines_of(change("a", old, new))
    assert all(line[:2] in {"+ ", "- "} and "\n" not in line for line in lines)
    assert len("\n".join(edits_shown([change("a", old, new)], ()))) <= LONGEST_EDITS
