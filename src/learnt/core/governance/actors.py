"""Who acts, and what the recording process saw of a person: from surroundings, never from a claim.

It is evidence, not proof: whoever runs as the user can name a program as a terminal is named.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from learnt.core.events import Actor, Origin, Sight
from learnt.core.marked import LONG_PASTE
from learnt.core.records import Record

# Each is set by a coding agent in the commands that it runs.
AGENT_MARKERS: Final = (
    "AGENT AGENT_SESSION_ID AI_AGENT AUGMENT_AGENT CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLINE_ACTIVE"
    " CODEX_CI CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED CODEX_THREAD_ID"
    " COPILOT_AGENT_SESSION_ID COPILOT_CLI CRUSH CURSOR_AGENT GEMINI_CLI GOOSE_TERMINAL GROK_AGENT"
    " OPENCODE OPENCODE_CLIENT PI_CODING_AGENT QWEN_CODE ROO_ACTIVE TRAE_AI_SHELL_ID"
    " WINDSURF_CASCADE_TERMINAL"
).split()
# What agents call the session whose commands they run.
SESSION_MARKERS: Final = (
    "CLAUDE_CODE_SESSION_ID CODEX_THREAD_ID AGENT_SESSION_ID COPILOT_AGENT_SESSION_ID"
).split()


def doubt(environment: Mapping[str, str], terminals: Mapping[str, bool]) -> str:
    """Why a command is not a person's: an agent's marker, or no terminal; empty where it is.

    >>> doubt({}, {"input": True}), doubt({}, {"input": True, "output": False})
    ('', 'its output is no terminal')
    >>> doubt({"CLAUDECODE": "1"}, {"input": True})
    'an agent set CLAUDECODE'
    """
    marked = next((marker for marker in AGENT_MARKERS if environment.get(marker)), None)
    if marked is not None:
        return f"an agent set {marked}"
    missing = [name for name, terminal in terminals.items() if not terminal]
    verb = "are no terminals" if len(missing) > 1 else "is no terminal"
    return f"its {' and '.join(missing)} {verb}" if missing else ""


def at_terminal(environment: Mapping[str, str], terminals: Mapping[str, bool]) -> Actor:
    """Who typed a command: a person where there is no `doubt`.

    >>> at_terminal({}, {"input": True}), at_terminal({"CLAUDECODE": "1"}, {"input": True})
    (<Actor.HUMAN: 'human'>, <Actor.AGENT: 'agent'>)
    """
    return Actor.AGENT if doubt(environment, terminals) else Actor.HUMAN


def session(environment: Mapping[str, str]) -> str:
    """The agent's session that a command belongs to; empty where none says so.

    >>> session({"CLAUDE_CODE_SESSION_ID": "c2d2"}), session({})
    ('c2d2', '')
    """
    return next((name for mark in SESSION_MARKERS if (name := environment.get(mark))), "")


def in_hook(environment: Mapping[str, str]) -> Actor:
    """Who typed a prompt, by the agent's own flags: inside a hook the marker is always set.

    >>> in_hook({"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1"})
    <Actor.HUMAN: 'human'>
    >>> in_hook({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "CLAUDE_CODE_SESSION_ATTENDED": "0"})
    <Actor.AGENT: 'agent'>
    """
    interactive = environment.get("CLAUDE_CODE_ENTRYPOINT") == "cli"
    attended = environment.get("CLAUDE_CODE_SESSION_ATTENDED", "1") == "1"
    return Actor.HUMAN if interactive and attended else Actor.AGENT


def origin_of_prompt(actor: Actor, prompt: str) -> Origin:
    """Where a prompt's text came from: a person's own words, or a mixture nobody vouches for.

    >>> origin_of_prompt(Actor.HUMAN, "why?"), origin_of_prompt(Actor.AGENT, "why?")
    (<Origin.USER: 'user'>, <Origin.MIXED: 'mixed'>)
    """
    typed = actor is Actor.HUMAN and len(prompt) <= LONG_PASTE
    return Origin.USER if typed else Origin.MIXED


# Programs that hold the other end of a person's terminal. By its own name alone goes only one of
# another account, into whose file nobody here may look.
TERMINALS: Final = frozenset((
    "alacritty code codium cursor dropbear etserver foot footclient ghostty gnome-terminal-server"
    " guake kgx kitty konsole login lxterminal mate-terminal mosh-server ptyxis-agent qterminal"
    " rxvt sakura screen sshd sshd-session st sudo systemd terminology tilix tmux urxvt urxvtd"
    " wezterm-gui windsurf xfce4-terminal xterm yakuake zellij"
).split())  # fmt: skip
# Programs of agents, which also start the hooks.
AGENTS: Final = frozenset((
    "aider amp claude cline codex copilot crush cursor-agent droid gemini goose opencode pi qwen"
).split())  # fmt: skip
PLAIN: Final = frozenset({"terminal", "hook", "page"})
HOW: Final = {
    "": "nothing was seen",
    "terminal": "typed on a terminal",
    "hook": "told by an agent's hook, whose process was seen",
    "page": "decided on the dashboard's page, with the phrase that its terminal shows",
    "terminal_only": "typed on a terminal; parents are not seen here",
    "hook_only": "told by an agent's hook; its process is not seen here",
    "file": "told by a file",
    "edit": "read from a file that was edited",
}
ODD: Final = {
    "by_file": "a file (of the spool, or a transcript) says so; nobody was seen",
    "sender_gone": "the sender had gone before it could be looked at",
    "no_hook": "the sender is not Learnt's hook",
    "no_client": "no agent's program is above the sender",
    "no_terminal": "no terminal",
    "other_terminal": "the terminal is not the one that the process belongs to",
    "made_terminal": "a pseudo-terminal made by no known terminal program",
    "no_parent": "no parent: what began its session is not above it",
    "below_agent": "an agent, or a program that an agent marked, is above it",
    "browser_below_agent": "the browser is, or was started by, an agent or what an agent marked",
}
BY_FILE: Final = Sight(by="file", odd="by_file")
BY_EDIT: Final = Sight(by="edit")
_NAMED: Final = 6  # programs above a call that its traces name
_FIRST_PTY, _LAST_PTY = 136, 143  # Linux' device numbers


class Process(Record):
    """A process; `program`, its file's name, and the agent's `marker` are empty if not readable."""

    id: int
    name: str = ""
    program: str = ""
    parent: int = 0
    session: int = 0
    terminal: int = 0  # a device's number
    marker: str = ""

    @property
    def label(self) -> str:
        """Its number and names."""
        other = f" ({self.program})" if self.program not in {"", self.name} else ""
        return f"{self.id} {self.name}{other}"

    @property
    def serves_terminals(self) -> bool:
        """Whether its name is one of a terminal program."""
        return (self.program or self.name.partition(":")[0]) in TERMINALS

    @property
    def is_agent(self) -> bool:
        """Whether it is, or calls itself, an agent."""
        return not AGENTS.isdisjoint({self.name, self.program})


class Scene(Record):
    """A process and those above it, its terminal, and who holds the terminal's other end."""

    chain: tuple[Process, ...]
    terminal: str = ""
    device: int = 0
    holders: tuple[Process, ...] = ()


def pseudo(device: int) -> int | None:
    """The number of a pseudo-terminal on Linux by its device; None for another device.

    >>> pseudo(136 << 8 | 3), pseudo(4 << 8 | 1)
    (3, None)
    """
    major, minor = device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00
    return (major - _FIRST_PTY) * 256 + minor if _FIRST_PTY <= major <= _LAST_PTY else None


def judged(scene: Scene) -> Sight:
    """What a call on a terminal looks like, and what of it is odd.

    >>> shell = Process(7, "bash", parent=6, session=7, terminal=34816)
    >>> own = Process(8, "learnt", parent=7, session=7, terminal=34816)
    >>> judged(Scene((own, shell), "/dev/pts/0", 34816, (Process(5, "script"),))).odd
    'made_terminal'
    """
    name = f"terminal {scene.terminal}" if scene.device else "no terminal"
    if not scene.chain:
        odd = "" if scene.device else "no_terminal"
        return Sight(by="terminal_only", odd=odd, traces=(name,))
    caller, *above = scene.chain
    made = [f"made by {each.label}" for each in scene.holders if not each.serves_terminals]
    wrong = {
        "no_terminal": not scene.device,
        "other_terminal": scene.device not in {0, caller.terminal},
        "made_terminal": pseudo(scene.device) is not None and _is_made(scene),
        "no_parent": _is_orphan(scene.chain),
        "below_agent": any(each.marker or each.is_agent for each in above),
    }
    return Sight(
        by="terminal",
        odd=" ".join(word for word, so in wrong.items() if so),
        traces=(", ".join([name, *made, *_parents(above)]),),
    )


def _is_made(scene: Scene) -> bool:
    """Whether a pseudo-terminal is held by another program than a terminal's, or by none seen."""
    if scene.holders:
        return not all(each.serves_terminals for each in scene.holders)
    hidden = (each for each in scene.chain[1:] if not each.program)
    outside = scene.chain[-1].id != 1  # above it are programs of another container
    return not (outside or any(each.serves_terminals for each in hidden))


def _is_orphan(chain: Sequence[Process]) -> bool:
    """Whether the process that began the session is not above, or nothing but the first one is."""
    caller = chain[0]
    leaders = {each.id for each in chain}
    begun = caller.session == 0 or caller.session in leaders
    return not begun or (caller.session == caller.id and caller.parent == 1)


def client_of(chain: Sequence[Process]) -> int | None:
    """Where the agent's program stands above a hook; None where there is none.

    >>> client_of([Process(3, "python3"), Process(2, "sh"), Process(1, "claude")])
    2
    """
    return next((at for at, each in enumerate(chain) if at and each.is_agent), None)


def of_hook(chain: Sequence[Process], client: Scene | None, *, ours: bool) -> Sight:
    """What a hook's report looks like: who sent it, and the terminal of the agent above.

    >>> of_hook([Process(3, "python3"), Process(2, "bash")], None, ours=False).odd
    'no_hook no_client'
    """
    if not chain:
        return Sight(by="hook", odd="sender_gone")
    no_hook = () if ours else ("no_hook",)
    if client is None:
        traces = (", ".join(_parents(chain[1:])),)
        return Sight(by="hook", odd=" ".join((*no_hook, "no_client")), traces=traces)
    sight = judged(client)
    traces = (", ".join((f"client {client.chain[0].label}", *sight.traces)),)
    return Sight(by="hook", odd=" ".join((*no_hook, *sight.odd.split())), traces=traces)


def of_page(own: Sight, browser: Sequence[Process]) -> Sight:
    """What a decision on the dashboard's page looks like: its terminal, and who asked for it.

    `browser` is the process that asked and those above it; none where the system does not tell.

    >>> of_page(Sight(by="terminal"), [Process(9, "chromium"), Process(8, "claude")]).odd
    'browser_below_agent'
    """
    below = any(each.marker or each.is_agent for each in browser)
    asked = ", ".join(("asked by " + browser[0].label, *_parents(browser[1:]))) if browser else ""
    odd = " ".join(filter(None, (own.odd, "browser_below_agent" if below else "")))
    return Sight(by="page", odd=odd, traces=(*own.traces, *filter(None, (asked,))))


def _parents(above: Sequence[Process]) -> list[str]:
    marks = (f" with {each.marker}" if each.marker else "" for each in above)
    return [f"parent {each.label}{mark}" for each, mark in zip(above[:_NAMED], marks, strict=False)]


def oddly(words: str) -> str:
    """What is odd, in a sentence's words.

    >>> oddly("no_terminal no_parent")
    'no terminal, no parent: what began its session is not above it'
    """
    return ", ".join(ODD.get(word, word) for word in words.split())


def is_plain(by: str, odd: str) -> bool:
    """Whether it was seen on a plain terminal, with nothing odd.

    >>> is_plain("terminal", ""), is_plain("terminal", "no_parent"), is_plain("", "")
    (True, False, False)
    """
    return by in PLAIN and not odd
