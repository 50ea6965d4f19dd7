"""What a tool call's result says of success."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.safety import excerpt, strip_private
from learnt.formats.evidence.calls import LOOKED_AT, of_call, redacting
from learnt.formats.evidence.runners import LONGEST_QUOTE, counts
from learnt.formats.evidence.shell import OWN_COMMANDS, family, kind_of, segments
from learnt.surfaces.cli.commands import COMMANDS

RUNS = {
    "pytest": ("==== 2 failed, 3 passed, 1 skipped in 0.12s ====", 3, 2),
    "pytest -q": ("F.\n1 failed, 1 passed in 0.02s", 1, 1),
    "pytest, broken": ("==== 1 error in 0.10s ====", 0, 1),
    "pytest, errors too": ("=== 1 failed, 4 passed, 2 errors in 1.00s ===", 4, 3),
    "unittest": ("Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1)", 3, 2),
    "jest": ("Tests:       1 failed, 2 skipped, 9 passed, 12 total", 9, 1),
    "vitest": (" Test Files  1 failed | 1 passed (2)\n      Tests  2 failed | 8 passed (10)", 8, 2),
    "mocha": ("  10 passing (7s)\n  1 pending\n  2 failing\n", 10, 2),
    "cargo, two crates": (
        "test result: ok. 6 passed; 0 failed; 0 ignored\n"
        "test result: FAILED. 1 passed; 3 failed; 0 ignored", 7, 3,
    ),
    "surefire": (
        "[INFO] Tests run: 9, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1 s -- in A\n"
        "[ERROR] Tests run: 12, Failures: 1, Errors: 2, Skipped: 1", 8, 3,
    ),
    "gradle": ("12 tests completed, 3 failed", 9, 3),
    "dotnet": ("Failed!  - Failed:     1, Passed:    52, Skipped:     0, Total:    53", 52, 1),
    "dotnet, Chinese": ("已通过! - 失败:     0，通过:    52，已跳过:     0，总计:    52", 52, 0),
    "rspec": ("20 examples, 2 failures, 1 pending", 17, 2),
    "phpunit": ("Tests: 20, Assertions: 54, Failures: 1, Errors: 2.", 17, 3),
    "ctest": ("67% tests passed, 1 tests failed out of 3", 2, 1),
    "automake": ("# TOTAL: 4\n# PASS:  3\n# FAIL:  1\n# ERROR: 0", 3, 1),
    "playwright": ("  1 failed\n    a.spec.ts:1:1 › x\n  3 passed (34.9s)", 3, 1),
    "minitest": ("10 runs, 20 assertions, 1 failures, 0 errors, 0 skips", 9, 1),
    "mix": ("12 tests, 2 failures", 10, 2),
    "deno": ("FAILED | 5 passed | 2 failed (10ms)", 5, 2),
    "node": ("ℹ tests 7\nℹ pass 5\nℹ fail 2", 5, 2),
    "swift": ("\t Executed 10 tests, with 1 failure (0 unexpected) in 0.1 seconds", 9, 1),
    "two runs": ("2 failed, 1 passed in 1s\n\n3 passed in 1s", 3, 0),
}  # fmt: skip


@pytest.mark.parametrize("runner", RUNS)
def test_the_closing_lines_of_runners_are_counted(runner: str) -> None:
    """Passed and failed of the last run; what was skipped counts for neither."""
    output, passed, failed = RUNS[runner]
    found = counts(output)
    assert found is not None
    assert (passed, failed) == found[:2]
    assert found[2]


@pytest.mark.parametrize(
    "output",
    ["0 errors found", "build finished, no errors", "3 warnings", "", "12 rows, 0 failed: done"],
)
def test_other_lines_are_no_test_run(output: str) -> None:
    """A word like error or failed alone makes no count."""
    assert counts(output) is None


KINDS = {
    "test": (
        "pytest -q", "python -m pytest tests", "npx jest", "npm test", "npm run test:unit",
        "yarn test --ci", "go test ./...", "cargo test -p x", "mvn -q test", "./gradlew test",
        "cd app && bundle exec rspec spec/a.rb", "make check", "uv run pytest",
        "ctest --test-dir b",
        "bash -c 'pytest -x'", "cmake --build b && ctest", "CI=1 npx vitest run | tail -3",
        "docker compose run web pytest", "dotnet test", "mix test", "tox -e py311",
    ),
    "check": (
        "npm run build", "ruff check .", "mypy src", "cargo check", "cargo build", "tsc --noEmit",
        "go vet ./...", "docker build .", "pip install httpx", "npm install jest",
        "terraform apply",
        "python train.py", "./bin/reindex --all", "mvn -DskipTests package", "npm ci",
    ),
    "change": (
        "git commit -m 'fix the jest tests'", "git push", "mv a b", "git fetch upstream",
        "sed -i s/a/b/ x", "mkdir -p a/b",
    ),
    "look": (
        "ls -l", "cat pytest.log | tail -3", "grep -rn 'pytest' .", "git status", "git log -3",
        "docker ps", "kubectl get pods", "node --version", "npm ls", "sed -n 1,5p x", "echo pytest",
        "", "# a comment", "jq .a x.json",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "command"), [(k, c) for k, cs in KINDS.items() for c in cs])
def test_what_a_command_is_for(kind: str, command: str) -> None:
    """By its programs, without what wraps them, and without what is quoted."""
    assert kind == kind_of(command)[0], segments(command)


@pytest.mark.parametrize(
    ("command", "undoes"),
    [
        ("git checkout -- a.py", True), ("git checkout .", True), ("git restore a.py", True),
        ("git reset --hard HEAD~1", True), ("git revert abc123", True), ("git stash", True),
        ("git checkout main", False), ("git checkout -b new", False),
        ("git restore --staged a", False),
        ("git revert --abort", False), ("git reset HEAD a.py", False), ("git switch -", False),
        ("git checkout v1.2.0", False), ("git checkout release/2.x", False),
        ("git checkout -b fix/node.js", False), ("git checkout src/a.py", True),
    ],
)  # fmt: skip
def test_what_throws_work_away(command: str, *, undoes: bool) -> None:
    """Leaving, unstaging and starting something else do not."""
    assert undoes == ("undoes" in of_call("Bash", {"command": command}, ""))


@pytest.mark.parametrize(
    ("command", "response", "good"),
    [
        ("npm run build", "found 0 errors, 0 warnings\nbuilt", True),
        ("make", "Exit code 2\nmake: *** [all] Error 2", False),
        ("grep -rn x .", "Exit code 1\n", None),
        ("pytest || true", "1 failed, 1 passed in 0.1s", False),
        ("pytest | tail -1", "1 passed in 0.1s", True),
        ("go test ./...", "ok  \texample.com/a\t0.003s", True),
        ("go test ./...", "--- FAIL: TestA\nFAIL\nFAIL\texample.com/a\t0.1s", False),
        ("cat build.log", "ERROR: it failed", None),
        ("git diff --exit-code", "Exit code 1\nx", None),
    ],
)
def test_the_exit_code_and_the_closing_line_decide(
    command: str, response: str, good: bool | None
) -> None:
    """Words like error are no failure where it ends well, nor is a search without a hit."""
    assert good == of_call("Bash", {"command": command}, response).get("good")


@pytest.mark.parametrize(
    ("output", "cause"),
    [
        ("fatal: unable to access 'https://x/': Could not resolve host: x", "environment"),
        ("bash: ffmpeg: command not found", "environment"),
        ("OSError: [Errno 28] No space left on device", "environment"),
        ("Error: listen EADDRINUSE: address already in use :::3000", "environment"),
        ("E: Could not open lock file - open (13: Permission denied)", "environment"),
        ("json.decoder.JSONDecodeError: Expecting ','", "input"),
        ("KeyError: 'name'", "input"),
        ("AssertionError: 1 != 2", ""),
    ],
)
def test_the_cause_of_a_failure(output: str, cause: str) -> None:
    """Environment and input are told from the doing itself."""
    found = of_call("Bash", {"command": "./run"}, f"Exit code 1\n{output}")
    assert (False, cause) == (found["good"], found["cause"])
    assert str(found["quote"]) in output


@pytest.mark.parametrize(
    ("tool", "response", "good"),
    [
        ("Read", "File does not exist.", False),
        ("Skill", "<tool_use_error>Unknown skill: x</tool_use_error>", False),
        ("Skill", "Launching skill: x", True),
        ("Edit", "The file /a.py has been updated successfully.", True),
        ("Edit", "<tool_use_error>String to replace not found in file.</tool_use_error>", False),
        ("WebFetch", "Request failed with status code 404", False),
        ("Task", "I was unable to finish the audit.", False),
        ("Task", "抱歉，统计失败了。", False),
        ("Task", "Found three places.", True),
        ("mcp__db__query", "Error: no such table: users", False),
        ("mcp__db__query", "level | count\nERROR | 12", True),
    ],
)
def test_other_tools(tool: str, response: str, *, good: bool) -> None:
    """Each says in its own way that it failed."""
    assert good == of_call(tool, {}, response)["good"]


def test_an_interrupt_is_seen_in_a_result() -> None:
    """Whatever the tool."""
    response = "tests/a.py ..\n[Request interrupted by user for tool use]"
    assert of_call("Bash", {"command": "pytest"}, response)["interrupted"]


def test_quotes_are_short_and_redacted() -> None:
    """Of a huge output one line, without what must not be written down."""
    secret = "ghp_" + "a1" * 18
    output = (
        "Exit code 1\n" + "noise\n" * LOOKED_AT + f"fatal: token {secret} was refused " + "x" * 900
    )
    found = redacting(excerpt, strip_private)("Bash", {"command": "./deploy"}, output)
    assert "[redacted:secret]" in str(found["quote"])
    assert len(str(found["quote"])) <= LONGEST_QUOTE


SECRETS = ("ghp_" + "a1B2" * 9, "hunter2secret", "Correct4HorseBattery")


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (f"psql postgres://bob:{SECRETS[1]}@db/x -f a.sql", "Exit code 1\nno"),
        (f"./deploy.sh {SECRETS[0]}", "Exit code 1\nno"),
        (f"API_TOKEN={SECRETS[0]} ./run " + "A" * 100_000, "Exit code 1\nno"),
        ("./run", "Exit code 1\nerror: " + "x" * 163 + f" login {SECRETS[0]}"),
        ("./run", "Exit code 1\n" + "x" * 157 + f" error postgres://bob:{SECRETS[2]}@h/d"),
        ("./run", f"Exit code 1\n<private>\nerror: {SECRETS[1]}\n</private>\n"),
        (f"cat > a <<EOF\n{SECRETS[1]}\nEOF", "Exit code 1\nno"),
    ],
)
def test_no_secret_and_no_input_is_in_evidence(command: str, output: str) -> None:
    """Neither of the command nor of the result, whole or cut in half, and nothing is long."""
    found = json.dumps(redacting(excerpt, strip_private)("Bash", {"command": command}, output))
    assert [] == [secret for secret in SECRETS if secret[:16] in found]
    assert len(found) < 700


SLOW = {
    "empty lines": "\n" * 45_000, "lines of spaces": (" " * 20 + "\n") * 10_000,
    "spaces": " " * 40_000, "a run and empty lines": "Ran 1 test in x" + "\n" * 40_000,
    "a long number": "Tests run: " + "1" * 40_000,
    "a longer count": "Tests: 1 passed, " + "9" * 5_000,
    "a long exit code": "Exit code " + "9" * 40_000, "commas": "1," * 20_000 + " passed",
    "equal signs": "=" * 40_000 + " passed", "almost a tag": "<private" * 5_000,
    "interrupts": "\n[Request interrupted by user" * 1_400, "errors": "error: " * 6_000,
    "passed": "1 passed, " * 4_000, "brackets": "Exit code 1\n" + "(" * 40_000,
}  # fmt: skip


@pytest.mark.parametrize("kind", SLOW)
def test_no_output_takes_long(kind: str) -> None:
    """Half a second of the processor at most, whatever is printed, whatever the command is."""
    evidence = redacting(excerpt, strip_private)
    for command in ("make", "pytest", SLOW[kind], "sudo " * 20_000, "A=1 " * 25_000):
        began = time.process_time()
        assert "kind" in evidence("Bash", {"command": command}, SLOW[kind])
        assert time.process_time() - began < 0.5


@pytest.mark.parametrize(
    ("tool", "response", "good"),
    [
        ("Agent", "Error handling was improved in 3 files. All tests pass.", True),
        ("Task", "I could not find any bug; everything is fine.", True),
        ("mcp__db__query", "Error codes: table", True),
        ("mcp__db__query", "ERROR 1142 (42000): SELECT command denied", False),
        ("WebFetch", "HTTP 404 pages explained", True),
        ("WebFetch", "HTTP 404", False),
        ("Read", "x = '[Request interrupted by user]'", True),
        ("Bash", "a line\n[Request interrupted by user in a log]\nanother", True),
    ],
)
def test_an_answer_that_speaks_of_failures_is_none(tool: str, response: str, *, good: bool) -> None:
    """Only one that is a failure's own words."""
    found = of_call(tool, {"command": "./run"}, response)
    assert (good, False) == (found["good"], "interrupted" in found)


@pytest.mark.parametrize(
    "command",
    ["kill 123", "chmod +x a.sh", "vim tests/test_a.py", "docker compose up -d", "cp a b",
     "rm -rf node_modules/jest", "cp jest.config.js jest.config.cjs", "git push",
     "cat > t.py <<'EOF'\nimport pytest\npytest.main()\nEOF"],
)  # fmt: skip
def test_what_says_nothing_of_the_work_grades_nothing(command: str) -> None:
    """Moving files, processes and editors; writing a file that speaks of tests."""
    assert of_call("Bash", {"command": command}, "")["kind"] in {"change", "look"}


@pytest.mark.parametrize("command", ["python -m pip install pytest", "npm run lint tests"])
def test_a_runners_name_makes_no_test(command: str) -> None:
    """It counts only where it is what runs."""
    assert "check" == kind_of(command)[0]


def test_a_documents_lines_are_no_commands() -> None:
    """What is fed to a program undoes nothing."""
    command = "cat > notes <<EOF\ngit reset --hard\nEOF\nls"
    assert {"kind": "look", "family": "cat"} == of_call("Bash", {"command": command}, "")


_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)  # fmt: skip


@given(st.text(max_size=20), _anything, _anything)
def test_any_call_gives_evidence(tool: str, tool_input: object, response: object) -> None:
    """Whatever a client sends: a mapping that JSON can hold."""
    assert json.dumps(of_call(tool, tool_input, response))


@given(st.text(max_size=400), st.text(max_size=400))
def test_any_command_and_output_give_evidence(command: str, output: str) -> None:
    """Shell lines of any shape."""
    assert json.dumps(of_call("Bash", {"command": command}, output))


@pytest.mark.parametrize("tool", ["mcp__learnt__propose", "mcp__plugin_learnt_learnt__recall"])
def test_calls_of_learnt_itself_show_nothing(tool: str) -> None:
    """Neither that it answered nor that it refused says anything of the work."""
    for result in ("ok", "Error: refused"):
        assert {"kind": "look", "family": "learnt"} == of_call(tool, {}, result)
    assert "mcp__other__recall" == of_call("mcp__other__recall", {}, "ok")["family"]


def test_what_a_domains_command_relays_is_not_learnts_own_word() -> None:
    """Learnt's own commands are known by name; `tool` runs a domain's."""
    assert set(COMMANDS) - {"tool"} == OWN_COMMANDS
    assert {"learnt"} == {family(f"learnt {name} x") for name in OWN_COMMANDS}
    assert "learnt-tool" == family("learnt --home /h tool slots choose")
