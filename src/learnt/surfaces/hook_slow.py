"""The hook's slow half: what it does when no worker answers. Standard library only.

Copied into the home as `learnt_hook_slow.py`, beside `learnt_safety.py`, `learnt_marked.py`,
`learnt_observations.py`, `learnt_reports.py` and `learnt_evidence`, which are copies of
`core/safety.py`, `core/marked.py`, `formats/observations.py`, `formats/agents/reports.py` and
`formats/evidence`.
"""

import json
import os
import sys
import time

TYPE_CHECKING = False  # the module that has it takes long to import
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

EXCERPT = 2_000
MARKING = ("UserPromptSubmit", "UserPromptExpansion")
WAIT = 1.0  # seconds that a session's start, or a prompt, waits for its worker
AT_LEAST = 0.150  # seconds that a worker has to answer
LAUNCH_AGAIN = 5.0  # seconds before a worker that did not come up is started again
LARGEST_LOG = 256 * 1024
PYTHON = ""
AGAIN = ""  # what installs Learnt again
MOST_WAITING, MOST_BYTES = 5_000, 64 * 1024 * 1024  # of the spool: what no worker takes in
WORKER = ["-I", "-m", "learnt.surfaces.worker", "--home"]
ALLOWED = (
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_PID",
)
PASSED_ON = ("CI", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "PATH", "TMPDIR", "TZ", "USER")


def start_worker(home: str) -> "int | None":
    """Start the home's worker, detached, without the agent's secrets; once in five seconds.

    Gives its process, or None where one was started in the last five seconds. The mark of a start
    is empty, unless the one before never came up. Raises ValueError where what is kept for it is
    no such command.
    """
    for name in ("run", "logs"):
        os.makedirs(os.path.join(home, name), 0o700, exist_ok=True)
    mark = os.path.join(home, "run", "starting")
    now = f"{mark}.{os.getpid()}"
    os.close(os.open(now, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    try:
        # Two files of one file system are compared: no clock is asked.
        recent = 0 <= os.stat(now).st_mtime - os.stat(mark).st_mtime < LAUNCH_AGAIN
        if not recent:
            with open(now, "wb") as again:
                again.write(b".")
    except FileNotFoundError:
        recent = False
    if recent:
        os.unlink(now)
        return None
    os.replace(now, mark)
    # A pipe in its place is not waited for.
    command = os.open(os.path.join(home, "bin", "worker.json"), os.O_RDONLY | os.O_NONBLOCK)
    with open(command, encoding="utf-8") as file:
        words = json.loads(file.read(LARGEST_LOG))
    # What the file says is what was installed, or nothing is started.
    if words != [PYTHON or sys.executable, *WORKER, home]:
        raise ValueError("worker.json names no worker of this home")
    log = os.path.join(home, "logs", "worker.log")
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK
    return os.posix_spawn(
        words[0],
        words,
        {name: os.environ[name] for name in PASSED_ON if name in os.environ},
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, log, flags, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,
    )


def start_and_ask(home: str, ask: "Callable[[float], bytes | str]", event: str) -> "bytes | str":
    """Start the worker, and ask until one answers, or for so long; the last answer.

    A prompt does not wait where the worker before this one never came up: it would each time.
    """
    until = time.monotonic() + WAIT
    try:
        start_worker(home)
        if event != "SessionStart" and os.stat(os.path.join(home, "run", "starting")).st_size:
            until = 0.0
    except FileNotFoundError:
        pass  # it is up by now
    except (OSError, ValueError):
        until = 0.0
    while True:
        left = until - time.monotonic()
        answer = ask(max(left, AT_LEAST))
        if answer != "no worker" or left < 0:
            return answer
        time.sleep(0.005)


def keep(home: str, event: str, body: bytes, size: int, agent: str = "") -> bytes:
    """Spool a report, with what a prompt marks to be remembered; what the hook is to print."""
    payload = parsed(event, body, agent)
    prompt = payload.get("prompt")
    if event not in MARKING or not isinstance(prompt, str) or payload.get("agent_id"):
        kept = spool(home, event, body, size, late=False, agent=agent)
        return b"" if kept or event != "SessionStart" else overflow(home)
    import learnt_marked

    marked, refused = learnt_marked.sorted_out(prompt)
    kept = spool(home, event, body, size, late=False, agent=agent, marked=marked)
    if marked and not kept:
        return overflow(home)
    variables = os.environ if not agent else {}
    attended = variables.get("CLAUDE_CODE_SESSION_ATTENDED", "1") == "1"
    attended = attended and payload.get("source", "user") == "user"
    person = attended and variables.get("CLAUDE_CODE_ENTRYPOINT") == "cli"
    told = [learnt_marked.written_down(each, person) for each in marked]
    told += [f"Learnt did not save this: {why}." for why in refused]
    text = json.dumps({"systemMessage": " ".join(told)}, ensure_ascii=False) if told else ""
    return text.encode("utf-8", "replace")


def parsed(event: str, body: bytes, agent: str) -> "dict[str, object]":
    """The payload, in Claude Code's words."""
    import learnt_observations

    payload: dict[str, object] = learnt_observations.parse(body)
    if agent:
        import learnt_reports

        return dict(learnt_reports.common(agent, event, payload))
    return payload


def spool(
    home: str,
    event: str,
    body: bytes,
    size: int,
    *,
    late: bool,
    agent: str = "",
    marked: "Sequence[object]" = (),
) -> bool:
    """Write the observation into the spool: pointers, and a redacted excerpt of a prompt.

    `agent` is another than Claude Code, `marked` what a person marked to be remembered, whole.
    False where the spool is full.
    """
    import learnt_observations
    import learnt_safety

    payload = parsed(event, body, agent)
    if late:
        payload.pop("tool_calls", None)  # the report of the step itself has them
    evidence = None
    if isinstance(payload.get("tool_calls"), list):
        from learnt_evidence import calls

        evidence = calls.redacting(learnt_safety.excerpt, learnt_safety.strip_private)
    observation = learnt_observations.pointers("Late" if late else event, payload, evidence)
    now = time.time_ns()
    prompt = payload.get("prompt")
    if isinstance(prompt, str):
        observation["excerpt"] = learnt_safety.excerpt(prompt, EXCERPT)
    if marked:
        observation["marked"] = marked
    observation["agent"] = agent or "claude-code"
    observation["ms"] = now // 1_000_000
    observation["size"] = size
    allowed = () if agent else ALLOWED
    observation["environment"] = {name: os.environ[name] for name in allowed if name in os.environ}
    text = json.dumps(observation, ensure_ascii=False).encode("utf-8", "replace")
    return put(os.path.join(home, "spool"), f"{now // 1_000_000:013x}-{os.urandom(8).hex()}", text)


def farewell(home: str) -> bytes:
    """What a session's start tells its user once Learnt was removed: how to take its hooks out."""
    files = []
    try:
        with open(
            os.path.join(home, "installed.json"), encoding="utf-8", errors="surrogateescape"
        ) as file:
            rows = json.loads(file.read(LARGEST_LOG))
        files = [str(row["file"]) for row in rows if row["kind"] == "settings"]
    except (OSError, ValueError, LookupError, TypeError):
        pass  # a home of another version: the files are named without it
    where = " and ".join(files) or "your agent's settings file"
    return json.dumps({
        "systemMessage": f"Learnt is not installed any more, but {where} still calls its hooks, "
        f"which keep nothing. To take them out: {AGAIN}, then run `learnt uninstall`; or delete "
        f"the hooks that name learnt_hook there. What was learnt stays in {home}."
    }).encode()


def overflow(home: str) -> bytes:
    """What a session's start tells its user once the spool is full."""
    said = f"Learnt keeps nothing any more: its spool in {home} is full, and no worker takes it in."
    return json.dumps({"systemMessage": f"{said} `learnt doctor` tells why."}).encode()


def full(folder: str) -> bool:
    """Whether the spool holds as much as it may."""
    count = size = 0
    for entry in os.scandir(folder):
        try:
            size += entry.stat(follow_symlinks=False).st_size
            count += 1
        except FileNotFoundError:  # a worker has just taken it in
            pass
    return count >= MOST_WAITING or size >= MOST_BYTES


def put(folder: str, name: str, text: bytes) -> bool:
    """Put a file into the spool, whole or not at all; what was reported outlives a power cut.

    False where the spool is full: what is not kept is counted in `logs/unkept`.
    """
    os.makedirs(folder, 0o700, exist_ok=True)
    if full(folder):
        path = os.path.join(os.path.dirname(folder), "logs", "unkept")
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK
        with open(os.open(path, flags, 0o600), "ab") as file:
            file.write(b".")
        return False
    temporary = os.path.join(folder, "." + name)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    whole = False
    try:
        with open(descriptor, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        os.rename(temporary, os.path.join(folder, name + ".json"))
        whole = True
    finally:
        if not whole:  # whatever interrupted the write, half a report must not be left behind
            os.unlink(temporary)
    names = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(names)
    finally:
        os.close(names)
    return True


def note(home: str, event: str, error: BaseException) -> None:
    """Write down an error of the hook, by its kind and place, for `learnt doctor`."""
    os.makedirs(os.path.join(home, "logs"), 0o700, exist_ok=True)
    path = os.path.join(home, "logs", "hook-errors.log")
    if os.path.exists(path) and os.path.getsize(path) > LARGEST_LOG:
        os.replace(path, path + ".1")
    trace, line = error.__traceback__, 0
    while trace is not None:
        line, trace = trace.tb_lineno, trace.tb_next
    record = {
        "ms": time.time_ns() // 1_000_000,
        "event": event[:40],
        "error": type(error).__name__,
        "line": line,
        "errno": getattr(error, "errno", None),
        "python": ".".join(map(str, sys.version_info[:3])),
    }
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK
    with open(os.open(path, flags, 0o600), "ab") as file:
        file.write((json.dumps(record) + "\n").encode())
