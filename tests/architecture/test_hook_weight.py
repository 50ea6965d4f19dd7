"""What the hook loads: built-in modules and its own file, on the way that every prompt takes."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import learnt
from learnt.core.safety import redact
from learnt.core.words import MARKED, SECRETS
from learnt.formats.agents.hook_settings import command
from learnt.installed import installing
from learnt.stores import home_folder, hook_files
from tests.architecture.source import PACKAGE

# What a bare interpreter has loaded before it reads a line of ours is not ours to count.
TELL = "import sys; sys.stderr.write('\\n'.join(sys.modules))"
HOOK = {"learnt_hook", "time"}
ANSWERED = HOOK | {"_socket"}
SLOW = {"learnt_hook", "learnt_hook_slow", "learnt_observations"} | {
    "learnt_safety",
    "learnt_secrets",
    "learnt_secret_places",
    "learnt_secret_prefixes",
    "learnt_secret_values",
    "learnt_late_patterns",
    "learnt_visible_text",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home as `init` leaves it."""
    folder = tmp_path / "home"
    home_folder.prepare(folder)
    hook_files.install(folder)
    return folder


def run(code: str, home: Path, body: bytes = b"") -> tuple[bytes, set[str]]:
    """What a bare interpreter prints for a hook's code, and the modules it had loaded then."""
    begin = f"import sys; sys.path.insert(0, {str(home / 'bin')!r}); "
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", begin + code + TELL],
        input=body,
        capture_output=True,
        check=True,
        env={"PATH": os.environ["PATH"]},
    )
    return done.stdout, set(done.stderr.decode().split("\n"))


@pytest.fixture
def bare(home: Path) -> set[str]:
    """The modules of an interpreter that does nothing."""
    return run("", home)[1]


def test_importing_the_hook_loads_nothing_but_built_in_modules(home: Path, bare: set[str]) -> None:
    """The registered command's own interpreter flags, and the hook from the home."""
    _, loaded = run("import learnt_hook; ", home)

    assert HOOK - bare == loaded - bare
    assert HOOK - {"learnt_hook"} <= set(sys.builtin_module_names)


@pytest.fixture
def worker(home: Path) -> Iterator[None]:
    """Something that answers `hi` on the home's socket."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    back = Path.cwd()
    os.chdir(home / "run")
    listening.bind("worker.sock")
    os.chdir(back)
    listening.listen()

    def serve() -> None:
        accepted, _ = listening.accept()
        accepted.recv(1 << 16)
        accepted.sendall(b"LEARNT/1 2\nhi")
        accepted.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield
    thread.join(5)
    listening.close()


@pytest.mark.usefixtures("worker")
def test_an_answered_prompt_loads_a_socket_besides(home: Path, bare: set[str]) -> None:
    """All that the quick way needs: no json, no re, no os."""
    code = f"import learnt_hook; learnt_hook.run('UserPromptSubmit', {str(home)!r}); "

    printed, loaded = run(code, home, b'{"prompt": "x"}')

    assert b"hi" == printed
    assert ANSWERED - bare == loaded - bare


def test_the_slow_half_loads_the_standard_library_and_its_copies(
    home: Path, bare: set[str]
) -> None:
    """When no worker answers: nothing that is installed, nothing of the package."""
    code = f"import learnt_hook; learnt_hook.run('SessionEnd', {str(home)!r}); "

    printed, loaded = run(code, home, b'{"session_id": "s", "prompt": "x"}')
    ours = {name for name in loaded - bare if name.split(".")[0] not in sys.stdlib_module_names}

    assert b"" == printed
    assert ours == SLOW
    assert 1 == len(list((home / "spool").glob("*.json")))
    assert not (home / "logs" / "hook-errors.log").exists()


def test_the_hook_of_another_agent_weighs_the_same(
    home: Path, bare: set[str], worker: None
) -> None:
    """Answered, it loads what Claude Code's loads; where nobody answers, one more file."""
    code = "import learnt_hook; learnt_hook.run({!r}, {!r}); "
    _, answered = run(code.format("codex/UserPromptSubmit", str(home)), home, b"{}")
    _, spooled = run(code.format("codex/SessionEnd", str(home)), home, b"{}")

    assert ANSWERED - bare == answered - bare
    assert {name for name in spooled if name.startswith("learnt")} == SLOW | {"learnt_reports"}


def test_the_registered_command_is_the_one_that_was_weighed(home: Path) -> None:
    """It spools what it is told, by the interpreter's own flags and the home's files."""
    text = command(sys.executable, str(home), "SessionEnd")

    done = subprocess.run(["sh", "-c", text], input=b"{}", capture_output=True, check=False)

    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert " -I -S -c " in text
    assert ["SessionEnd"] == [
        json.loads(path.read_text(encoding="utf-8"))["event"]
        for path in (home / "spool").glob("*.json")
    ]


def test_the_copies_in_a_home_are_the_packages_files(home: Path) -> None:
    """Byte for byte, each under its own name; the one import of the package is written out."""
    expected = {
        "learnt_hook.py": "surfaces/hook.py",
        "learnt_hook_slow.py": "surfaces/hook_slow.py",
        "learnt_safety.py": "core/safety.py",
        "learnt_secrets.py": "core/secrets.py",
        "learnt_secret_places.py": "core/secret_places.py",
        "learnt_secret_prefixes.py": "core/secret_prefixes.py",
        "learnt_secret_values.py": "core/secret_values.py",
        "learnt_late_patterns.py": "core/late_patterns.py",
        "learnt_visible_text.py": "core/visible_text.py",
        "learnt_marked.py": "core/marked.py",
        "learnt_observations.py": "formats/observations.py",
        "learnt_reports.py": "formats/agents/reports.py",
        "learnt_evidence/__init__.py": "formats/evidence/__init__.py",
        "learnt_evidence/calls.py": "formats/evidence/calls.py",
        "learnt_evidence/causes.py": "formats/evidence/causes.py",
        "learnt_evidence/runners.py": "formats/evidence/runners.py",
        "learnt_evidence/shell.py": "formats/evidence/shell.py",
        "learnt_evidence/lines.py": "core/shell.py",
    }

    assert expected == hook_files.COPIES
    folder = home / "bin"
    wanted = {name: (PACKAGE / source).read_bytes() for name, source in expected.items()}
    written_out = f"SECRETS = {SECRETS!r}\n".encode()
    for name, imported, copied in (
        ("safety", b"from learnt.core.secrets import", b"from learnt_secrets import"),
        ("safety", b"from learnt.core.visible_text import", b"from learnt_visible_text import"),
        *(
            (name, b"from learnt.core.late_patterns import", b"from learnt_late_patterns import")
            for name in ("safety", "secrets", "secret_places", "secret_values", "marked")
        ),
        ("secrets", b"from learnt.core import secret_places as", b"import learnt_secret_places as"),
        ("secret_values", b"from learnt.core.secret_prefixes", b"from learnt_secret_prefixes"),
        ("secrets", b"from learnt.core.words import SECRETS\n", written_out),
        ("secrets", b"from learnt.core.secret_values import", b"from learnt_secret_values import"),
        ("secret_places", b"from learnt.core.words import SECRETS\n", written_out),
        ("hook_slow", b'PYTHON = ""\n', f"PYTHON = {sys.executable!r}\n".encode()),
        ("hook_slow", b'AGAIN = ""', f"AGAIN = {installing()!r}".encode()),
        ("hook", b'PACKAGE = ""', f"PACKAGE = {learnt.__file__!r}".encode()),
        ("secret_values", b"from learnt.core.words import SECRETS\n", written_out),
        ("marked", b"from learnt.core.words import MARKED\n", f"MARKED = {MARKED!r}\n".encode()),
        ("marked", b"from learnt.core.safety import", b"from learnt_safety import"),
        ("marked", b"from learnt.core.visible_text import", b"from learnt_visible_text import"),
    ):
        assert imported in wanted[f"learnt_{name}.py"]
        wanted[f"learnt_{name}.py"] = wanted[f"learnt_{name}.py"].replace(imported, copied)
    assert wanted == {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.py")
    }
    assert {"__init__.py", "calls.py", "causes.py", "lines.py", "runners.py", "shell.py"} == {
        path.name for path in (PACKAGE / "formats" / "evidence").glob("*.py")
    }
    assert [] == hook_files.install(home)


@pytest.mark.parametrize(
    "text",
    [
        "password=hunter2hunter2 ok",
        "the token is 7f3kd92jd0",
        "\u5bc6\u7801\u662f hunter2hunter2",
        "\u4ee4\u724c\uff1ahunter2hunter2",
        "das Passwort lautet hunter2hunter2",
        "Kennwort: hunter2hunter2",
        "API_KEY=abcdef0123",
        "nothing to hide, ann@example.org",
    ],
)
def test_the_hook_redacts_what_the_package_redacts(home: Path, text: str) -> None:
    """Names of secrets in every language, and all else."""
    code = f"import learnt_safety; print(ascii(learnt_safety.redact({text!r}))); "

    printed, _ = run(code, home)

    assert ascii(redact(text)) == printed.decode().strip()
    assert ("hunter2" in redact(text)) is False
