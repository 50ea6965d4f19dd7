"""How a test run went, by the closing lines of its runner: how many passed and how many failed.

Standard library only; a byte-for-byte copy of this folder lies beside the hook, which spools what
the worker would have made of the same call.
"""

import re
from collections.abc import Iterator

LONGEST_QUOTE = 200

_N = r"(?<!\d)(\d{1,9})"


class _Closing:
    """Patterns of closing lines, compiled when they are needed: a hook needs few of them."""

    def __init__(self, *patterns: str) -> None:
        self._patterns = patterns
        self._compiled: tuple[re.Pattern[str], ...] = ()

    def __iter__(self) -> Iterator[re.Pattern[str]]:
        flags = re.MULTILINE | re.IGNORECASE
        self._compiled = self._compiled or tuple(re.compile(p, flags) for p in self._patterns)
        return iter(self._compiled)


# Closing lines whose counts are named: a word and the number beside it.
_NAMED = _Closing(
    r"^.*\bTests run: *\d.*$",  # surefire, junit
    r"^ *Tests:? +.*\b(?:passed|failed|total)\b.*$",  # jest, vitest
    r"^Tests: \d+, Assertions: .*$",  # phpunit
    r"^test result: .*$",  # cargo
    r"^\d+ examples?, \d+ failures?.*$",  # rspec
    # minitest, mix, bats
    r"^\d+ (?:runs|tests), (?:\d+ assertions, )?\d+ (?:failures?|errors?).*$",
    r"^.*(?:Passed|Failed)! +- .*$|^.*(?:已通过|失败)! *- .*$",  # dotnet
    r"^.*\b\d+% tests passed, .*$",  # ctest
    r"^=*+ ?+(?=.*(?:passed|failed| in \d))"
    r"(?:\d+ (?:passed|failed|skipped|errors?|xfailed|xpassed|deselected|warnings?)(?:, )?)+"
    r"(?: in .*|=*)$",  # pytest
    r"^[ \t]*Executed \d+ tests?, with .*$",  # swift
    r"^(?:ok|FAILED) \| \d+ passed.*$",  # deno
    r"^ *\d+ tests completed(?:, .*)?$",  # gradle
    r"^# ?(?:pass|fail|tests) +\d+$|^ℹ (?:pass|fail|tests) \d+$",  # TAP, node
    r"^# (?:TOTAL|PASS|FAIL|ERROR): +\d+$",  # automake
    r"^ +\d+ (?:passing|failing|pending)\b.*$",  # mocha
    r"^ +\d+ (?:passed|failed|flaky|skipped|interrupted|did not run)\b.*$",  # playwright
)
_PASSED = _Closing(
    rf"{_N} (?:passed|passing)\b", rf"\bpassed: *{_N}", rf"通过: *{_N}", rf"\bpass:? +{_N}"
)
_FAILED = _Closing(
    rf"{_N} (?:failed|failing|failures?|errors?|timed out|interrupted)\b",
    rf"\b(?:failed|failures?|errors?): *{_N}",
    rf"失败: *{_N}",
    rf"\bfail(?:ed)?:? +{_N}",
    rf"{_N} tests failed",
)
_TOTAL = _Closing(
    rf"\btests run: *{_N}", rf"\bTests: {_N}, Assertions", rf"^{_N} examples", rf"out of {_N}",
    rf"^{_N} (?:runs|tests)\b", rf"\btotal: *{_N}", rf"executed {_N} tests", rf"{_N} total",
    rf"^ *{_N} tests completed",
)  # fmt: skip
_SKIPPED = _Closing(
    rf"{_N} (?:skipped|skips|pending|ignored|xfailed|todo)\b", rf"\b(?:skipped|ignored): *{_N}"
)
OK = _Closing(
    r"^OK \(\d+ tests?, \d+ assertions?\)",
    r"^Ran (\d+) tests? in .*\n+OK\b",
    r"^All tests passed!?",
    r"^ok +\S+\t[\d.(]",
    r"^PASS$",
    r"^Result: PASS",
    r"^OK: \d+ ",
)
# How builds, linters and scripts say at their end that they failed.
BROKEN_BUILDS = _Closing(
    r"^.*\bFound [1-9]\d* (?:errors?|problems?|issues?)\b.*$",
    r"^make(?:\[\d+\])?: \*\*\*.*$",
    r"^(?:BUILD FAILED|Build FAILED|FAILURE: Build failed).*$",
    r"^.*\b(?:error|ERROR)\b:? .*(?:aborting|could not compile|exited|exit code|failed).*$",
    r"^(?:error|Error|ERROR|fatal|FATAL|E)(?:\[\w+\])?: .*$",
    r"^npm ERR! .*$",
    r"^✖ [1-9]\d* problems?.*$",
    r"^Traceback \(most recent call last\):$",
    r"^.*: command not found$",
    r"^\S{1,200}: (?:fatal )?error: .*$",
    r"^\S{1,200}\(\d+,\d+\): error .*$",
    r"^ninja: build stopped.*$",
)
BROKEN = _Closing(
    r"^(?:--- )?FAIL(?:ED)?\b.*$",
    r"^FAILURES!",
    r"^There (?:were|was) .*(?:errors?|failures?):",
    r"^Some tests failed",
    r"^Result: FAIL",
    r"^error: test failed",
    r"^.*There are test failures",
    r"^Errors while running CTest",
    r"^ERROR: file or directory not found",
    r"^=* ?no tests ran",
)
_UNITTEST = re.compile(
    r"^Ran (\d+) tests? in .*\n+FAILED \((?:failures=(\d+))?(?:, )?(?:errors=(\d+))?", re.MULTILINE
)


def one_line(text: str) -> str:
    """A text on one line. It is cut where it is redacted, and no sooner: half a secret is one."""
    return " ".join(text.split())


def _sum(patterns: _Closing, line: str) -> int | None:
    for pattern in patterns:
        if numbers := [int(match[1].replace(",", "")) for match in pattern.finditer(line)]:
            return sum(numbers)
    return None


def counts(output: str, *, all_runs: bool = False) -> tuple[int, int, str] | None:
    """Passed, failed and the line that says so of the last test run, or of `all_runs`; or None.

    >>> counts("== 2 failed, 3 passed in 0.1s ==")
    (3, 2, '== 2 failed, 3 passed in 0.1s ==')
    >>> counts("0 errors found") is None
    True
    """
    unit = list(_UNITTEST.finditer(output))
    if unit:
        total, failures, errors = (int(number or 0) for number in unit[-1].groups())
        return max(0, total - failures - errors), failures + errors, one_line(unit[-1][0])
    for pattern in _NAMED:
        lines = [match[0] for match in pattern.finditer(output)]
        if lines and not all_runs:
            lines = _of_last_run(lines)
        passed = failed = total = skipped = 0
        counted = False
        for line in lines:
            ok, bad, every = _sum(_PASSED, line), _sum(_FAILED, line), _sum(_TOTAL, line)
            counted = counted or {ok, bad, every} != {None}
            apart = re.findall(r"(?i)\b(?:failures|errors|failed): *(\d+)", line)
            passed += ok or 0
            failed += sum(map(int, apart)) if apart else bad or 0
            total += every or 0 if ok is None else 0
            skipped += _sum(_SKIPPED, line) or 0
        if counted:
            if total and not passed:
                passed = max(0, total - failed - skipped)
            return passed, failed, one_line(" ".join(lines[-2:]))
    return None


def broken_build(output: str) -> bool:
    """Whether an output's end says that a build, a check or a script failed.

    >>> broken_build("x.c:1: error\\nmake: *** [all] Error 1"), broken_build("0 errors")
    (True, False)
    """
    return any(pattern.search(output[-4_000:]) for pattern in BROKEN_BUILDS)


def _of_last_run(lines: list[str]) -> list[str]:
    """Of one runner's closing lines those of its last run: some runners print one a suite."""
    last = lines[-1]
    if last.startswith("test result"):
        return lines
    if "Tests run:" in last:
        whole = [line for line in lines if " -- in " not in line and "Time elapsed" not in line]
        return whole[-1:] or lines
    if re.match(r"#|ℹ| +\d+ (?:passing|failing|pending|passed|failed|flaky|skipped|did)", last):
        counts_of: dict[str, str] = {}  # the last lines that name different things
        for line in reversed(lines):
            word = re.sub(r"[\d.,()]+\w*", "", line).strip()
            if word in counts_of:
                break
            counts_of[word] = line
        return list(reversed(counts_of.values()))
    return lines[-1:]
