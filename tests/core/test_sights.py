"""What a call looks like by the processes above it, and what of that is odd."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from learnt.core.events import Sight
from learnt.core.governance.actors import (
    ODD,
    PLAIN,
    Process,
    Scene,
    client_of,
    is_plain,
    judged,
    oddly,
    of_hook,
    of_page,
    pseudo,
)

PTY = 136 << 8 | 3
TERMINAL = Process(5, "kitty", "kitty", parent=1)
INIT = Process(1, "systemd", "systemd")
SHELL = Process(7, "bash", "bash", parent=5, session=7, terminal=PTY)
OWN = Process(8, "learnt", "python3", parent=7, session=7, terminal=PTY)
CHAIN = (OWN, SHELL, TERMINAL, INIT)


def scene(
    chain: Sequence[Process] = CHAIN, device: int = PTY, holders: Sequence[Process] = (TERMINAL,)
) -> Scene:
    """A person's own terminal, but for what is named."""
    return Scene(tuple(chain), "/dev/pts/3" if device else "", device, tuple(holders))


def test_a_persons_terminal_is_plain() -> None:
    """Its traces name the terminal and the first six programs above."""
    seen = judged(scene())
    assert ("terminal", "") == (seen.by, seen.odd) and is_plain(seen.by, seen.odd)
    expected = "terminal /dev/pts/3, parent 7 bash, parent 5 kitty, parent 1 systemd"
    assert (expected,) == seen.traces
    above = [Process(n, f"p{n}", parent=n + 1) for n in range(20, 30)]
    (told,) = judged(scene((OWN, SHELL, *above, INIT))).traces
    assert "parent 24 p24" in told and "p25" not in told


@pytest.mark.parametrize(
    ("odd", "seen"),
    [
        ("no_terminal", scene(device=0, holders=())),
        ("other_terminal", scene((replace(OWN, terminal=PTY + 1), *CHAIN[1:]))),
        ("made_terminal", scene(holders=(Process(9, "script", "script"),))),
        ("made_terminal", scene(holders=(Process(9, "tmux: server", "python3"),))),
        ("made_terminal", scene(holders=(TERMINAL, Process(9, "script", "script")))),
        ("made_terminal", scene(holders=())),
        ("no_parent", scene((replace(OWN, session=99), *CHAIN[1:]))),
        ("no_parent", scene((replace(OWN, session=8, parent=1), INIT), holders=(TERMINAL,))),
        ("below_agent", scene((OWN, replace(SHELL, marker="CLAUDECODE"), *CHAIN[2:]))),
        ("below_agent", scene((OWN, SHELL, Process(6, "claude", "node"), *CHAIN[2:]))),
        ("below_agent", scene((OWN, SHELL, Process(6, "node", "codex"), *CHAIN[2:]))),
    ],
)
def test_each_odd_thing_is_named_alone(odd: str, seen: Scene) -> None:
    """And is none that a plain terminal has."""
    assert odd == judged(seen).odd
    assert not is_plain("terminal", odd) and odd in ODD


@pytest.mark.parametrize(
    "seen",
    [
        scene((OWN, SHELL, replace(TERMINAL, program=""), INIT), holders=()),  # another user's
        scene((OWN, SHELL, TERMINAL), holders=()),  # in a container
        scene((replace(OWN, terminal=4 << 8 | 1), *CHAIN[1:]), device=4 << 8 | 1, holders=()),
        scene((replace(OWN, session=0), *CHAIN[1:])),
    ],
)
def test_what_cannot_be_seen_is_not_odd(seen: Scene) -> None:
    """Who holds a terminal may belong to somebody else, or lie outside."""
    assert "" == judged(seen).odd


def test_where_no_process_is_seen_the_terminal_alone_is() -> None:
    """As on macOS; without one that is odd."""
    assert Sight(by="terminal_only", odd="", traces=("terminal /dev/pts/3",)) == judged(scene(()))
    bare = judged(scene((), device=0))
    assert ("terminal_only", "no_terminal", ("no terminal",)) == (bare.by, bare.odd, bare.traces)


def test_who_made_a_terminal_and_who_marked_a_parent_is_told() -> None:
    """By number and names; a program's file is named where it differs."""
    (told,) = judged(
        scene(
            (OWN, Process(7, "sh", "dash", session=7, marker="CLAUDECODE"), INIT),
            holders=(Process(9, "script", "script"),),
        )
    ).traces
    assert "made by 9 script, " in told and "parent 7 sh (dash) with CLAUDECODE" in told


@pytest.mark.parametrize(
    ("device", "number"),
    [
        (136 << 8, 0), (136 << 8 | 255, 255), (137 << 8 | 2, 258), (143 << 8 | 1, 1793),
        (136 << 8 | 1 << 20 | 4, 260), (135 << 8, None), (144 << 8, None), (0, None),
    ],
)  # fmt: skip
def test_a_pseudo_terminal_has_a_number(device: int, number: int | None) -> None:
    """By Linux' majors 136 to 143 of 256 each; another device has none."""
    assert number == pseudo(device)


def test_a_hooks_report_names_its_sender() -> None:
    """And the terminal of the agent's program above it."""
    hook = (Process(12, "python3"), Process(11, "sh"), Process(10, "claude", "claude"))
    client = scene((replace(hook[2], session=7, terminal=PTY), SHELL, TERMINAL, INIT))
    assert 2 == client_of(hook) and client_of(hook[:2]) is None and client_of(hook[2:]) is None
    assert Sight(by="hook", odd="sender_gone") == of_hook((), client, ours=True)
    alone = of_hook(hook[:2], None, ours=True)
    assert ("hook", "no_client", ("parent 11 sh",)) == (alone.by, alone.odd, alone.traces)
    seen = of_hook(hook, client, ours=True)
    assert ("hook", "") == (seen.by, seen.odd)
    assert seen.traces[0].startswith("client 10 claude, terminal /dev/pts/3, parent 7 bash")
    assert "no_hook" == of_hook(hook, client, ours=False).odd
    odd = of_hook(hook, replace(client, holders=(Process(9, "script"),)), ours=False)
    assert "no_hook made_terminal" == odd.odd


def test_a_page_names_who_asked() -> None:
    """What was odd of its own terminal stays, and a browser below an agent is odd as well."""
    own = Sight(by="terminal", odd="no_parent", traces=("terminal /dev/pts/3",))
    browser = [Process(21, "chromium"), Process(20, "bash", marker="CLAUDECODE")]
    seen = of_page(own, browser)
    assert ("page", "no_parent browser_below_agent") == (seen.by, seen.odd)
    expected = "asked by 21 chromium, parent 20 bash with CLAUDECODE"
    assert (*own.traces, expected) == seen.traces
    plain = of_page(replace(own, odd=""), browser[:1])
    assert ("", (*own.traces, "asked by 21 chromium")) == (plain.odd, plain.traces)
    assert own.traces == of_page(own, ()).traces


def test_what_is_odd_is_told_in_words() -> None:
    """An unknown word as it stands; plain is a terminal, a hook or a page without any."""
    assert f"{ODD['no_hook']}, {ODD['no_client']}" == oddly("no_hook no_client")
    assert "of a later version" == oddly("of a later version").replace(",", "")
    assert [True] * 3 == [is_plain(by, "") for by in sorted(PLAIN)]
    assert not is_plain("file", "") and not is_plain("hook", "no_hook")
