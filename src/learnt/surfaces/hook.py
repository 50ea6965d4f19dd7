"""The hook: relays what the agent reports to the worker and prints the worker's answer.

This file is copied into the home as `learnt_hook.py` and imported there by a bare interpreter, so
that its bytecode is cached. It imports built-in modules only, never the package, and whatever goes
wrong it stays silent: the prompt goes through. What happens when no worker answers is in
`hook_slow.py`, beside it.
"""

import posix
import sys
import time

VERSION = "1"
PACKAGE = ""  # the file that is there as long as Learnt is installed
UPGRADES = 60.0  # seconds for which an upgrade may leave it missing
DEADLINE = 0.150  # seconds for the whole exchange
START_DEADLINE = 1.0  # for a session's start, before which nobody has typed anything
LARGEST = 4 * 1024 * 1024  # of standard input that is relayed; the rest is drained and counted
INSIDE = b"LEARNT_INSIDE"
ENVIRONMENT = (
    b"CLAUDE_PROJECT_DIR",
    b"CLAUDE_CODE_ENTRYPOINT",
    b"CLAUDE_CODE_SESSION_ATTENDED",
    b"CLAUDE_PID",
)

DOCTOR = "Doctor"  # asks whether it runs at all: it says for which home and installation
ACT = "PreToolUse"  # of which nothing is kept but that an answer came too late
ANSWERED = (
    "SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostToolUse", "PostToolUseFailure",
    ACT,
)  # fmt: skip
START = "SessionStart"
WAITING = (START, "UserPromptSubmit")  # these wait a second for a worker that starts
CLAUDE_CODE = "claude-code"
STEP = "PostToolBatch"  # of another agent, which is told of each call by it
NO_WORKER, LATE = "no worker", "late"


def read_input(descriptor: int = 0) -> tuple[bytes, int]:
    """The beginning of standard input, and the size of all of it."""
    parts: list[bytes] = []
    kept = size = 0
    while True:
        part = posix.read(descriptor, 1 << 16)
        if not part:
            return b"".join(parts), size
        size += len(part)
        if kept < LARGEST:
            parts.append(part[: LARGEST - kept])
            kept += len(parts[-1])


def frame(
    event: str, body: bytes, size: int, environment: dict[bytes, bytes], agent: str = CLAUDE_CODE
) -> bytes:
    """The bytes to send: see `formats/wire.py`, which a test holds this to."""
    pairs = [
        (b"event", event.encode("utf-8", "surrogateescape")),
        (b"agent", agent.encode("utf-8", "surrogateescape")),
        (b"hook", VERSION.encode()),
        (b"size", b"%d" % size),
    ]
    pairs += [(b"env." + name, environment[name]) for name in ENVIRONMENT if name in environment]
    head = b""
    for name, value in pairs:
        escaped = value.replace(b"%", b"%25").replace(b"\n", b"%0A").replace(b"\r", b"%0D")
        head += name + b"=" + escaped + b"\n"
    return b"LEARNT/1 %d %d\n" % (len(head), len(body)) + head + body


def exchange(home: str, message: bytes, deadline: float = DEADLINE) -> bytes | str:
    """The worker's answer; NO_WORKER where none listens, LATE where none came in time."""
    import _socket

    until = time.monotonic() + deadline
    # A socket's path may have 104 bytes at most: from its own folder the name is short.
    try:
        back = posix.open(".", posix.O_RDONLY)
    except OSError:  # a folder that may not be read: nobody needs to go back there
        back = -1
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    failure = NO_WORKER
    try:
        posix.chdir(home + "/run")
        connection.settimeout(deadline)
        connection.connect("worker.sock")
        connection.sendall(message)
        failure = LATE
        answer = b""
        while True:
            # What is there is taken even then: the machine may have kept this process waiting.
            connection.settimeout(max(0, until - time.monotonic()))
            part = connection.recv(1 << 16)
            if not part or len(answer) > LARGEST:
                break
            answer += part
        first, newline, rest = answer.partition(b"\n")
        words = first.split(b" ")
        if newline and len(words) == 2 and words[0] == b"LEARNT/1" and int(words[1]) == len(rest):
            return rest
        return LATE
    except OSError:
        return failure
    finally:
        connection.close()
        if back >= 0:
            posix.fchdir(back)
            posix.close(back)


def gone(home: str) -> bool:
    """Whether Learnt was removed, and not only for as long as an upgrade takes."""
    try:
        posix.stat(PACKAGE)
        return False
    except (FileNotFoundError, NotADirectoryError):
        pass
    run, mark = home + "/run", home + "/run/gone"
    try:
        posix.stat(PACKAGE.rpartition("/learnt/")[0])  # else all of its environment is gone
        since = posix.stat(mark).st_mtime
        posix.utime(run)  # two files of one file system are compared: no clock is asked
        return posix.stat(run).st_mtime - since > UPGRADES
    except OSError as error:
        if error.filename != mark:
            return True
    posix.close(posix.open(mark, posix.O_WRONLY | posix.O_CREAT, 0o600))
    return False


def leave(event: str, home: str) -> None:
    """Do next to nothing, but count what is not kept, and tell it when a session starts."""
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND
    count = posix.open(home + "/logs/unkept", flags, 0o600)
    posix.write(count, b".")
    posix.close(count)
    if event.endswith("SessionStart"):
        import learnt_hook_slow

        posix.write(1, learnt_hook_slow.farewell(home))


def report(event: str, home: str) -> None:
    """Report one event, and print the answer; without one it waits in the spool.

    Another agent than Claude Code stands before the event, and a stroke between them.
    """
    body, size = read_input()
    agent, _, event = event.rpartition("/")
    answer: bytes | str = NO_WORKER
    if event != "SessionEnd":
        # Claude Code's variables say nothing of another agent, which may run inside it.
        message = frame(event, body, size, {} if agent else posix.environ, agent or CLAUDE_CODE)
        answer = exchange(home, message, START_DEADLINE if event == START else DEADLINE)
        if answer == NO_WORKER and event in WAITING:
            import learnt_hook_slow

            ask = lambda left: exchange(home, message, left)  # noqa: E731  # one word of a call
            answer = learnt_hook_slow.start_and_ask(home, ask, event)
    if isinstance(answer, str):
        import learnt_hook_slow

        # Of a late answer nobody knows whether the report will ever be read: it is kept twice
        # over, and the ledger takes it once.
        if event != ACT:
            posix.write(1, learnt_hook_slow.keep(home, event, body, size, agent))
        if answer == LATE and (event in ANSWERED or (agent and event == STEP)):
            learnt_hook_slow.spool(home, event, body, size, late=True, agent=agent)
        # Once all is kept: a command that is no worker's costs no report.
        if event != "SessionEnd":
            learnt_hook_slow.start_worker(home)
    elif answer:
        posix.write(1, answer)


def main(event: str, home: str) -> None:
    """Report one event of the agent to the home's worker, or leave where Learnt was removed.

    The process ends here: to take the interpreter down in order costs a tenth of its start.
    """
    try:
        run(event, home)
    finally:
        posix._exit(0)


def run(event: str, home: str) -> None:
    """The same, and go on."""
    if INSIDE in posix.environ:
        return
    if sys.path[:1] == [home + "/bin"]:  # it takes the place of no module of the interpreter's own
        sys.path.append(sys.path.pop(0))
    try:
        if event == DOCTOR:
            posix.write(1, f"{home}\n{PACKAGE}".encode("utf-8", "surrogateescape"))
        elif PACKAGE and gone(home):
            leave(event, home)
        else:
            report(event, home)
    except BaseException as error:
        try:
            import learnt_hook_slow

            learnt_hook_slow.note(home, event, error)
        except BaseException:  # nowhere is left to tell it, and a hook never fails loudly
            pass
