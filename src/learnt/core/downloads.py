"""Whether commands run what they download: a flow of data from command to command.

A command that fetches taints what it prints and the files that it writes; one that reads something
tainted taints its own output. Both are marked in the line, where few patterns say what runs them.
"""

import re
from collections.abc import Iterator
from typing import Final

_MOST: Final = 100  # that are remembered from line to line
_INTERPRETER: Final = r"(?:(?:r?ba|z|da|a|k|mk|fi|tc|c)?sh\d?|\$\{?shell\b\S*|pwsh|powershell|pypy\d?|python[\d.]*|node(?:js)?|deno|bun|perl|ruby|php|lua[\d.]*|julia|rscript|tclsh|groovy|osascript|[gm]?awk(?= -f)|eval|source|\.)"
_READER: Final = re.compile(r"(?:echo|printf|sed|[ef]?grep|rg|ag|jq|yq|cut|tr|sort|uniq|head|tail|b?cat|bat|less|more|wc|diff|tee|file|stat|ls|shellcheck|shfmt|\w+sum|gpg|n?vim?|nano|code|rm|chmod|chown|kill|test|\[+) ")  # an address in their words is none that they fetch  # fmt: skip
SOURCE: Final = re.compile(
    r"(?P<program>(?<![\w./-])(?:\S*bin/)?(?:(?:curl|wget2?|aria2c|axel|https?(?= (?:-|GET|POST|:|\S+\.\w+/))|xhs?|curlie|lwp-\w+|(?-i:GET)|lynx|w3m|elinks|nc|ncat|netcat|socat|telnet|t?ftp|lftp|gsutil|s3cmd|s5cmd|rclone|azcopy|oras|gdown|croc|wormhole|ipfs|ssh|scp|sftp|rsync|iwr|irm|invoke-(?:web|rest)\w+|start-bitstransfer|bitsadmin|certutil|dig|nslookup|sshfs|smbclient)(?:\.exe)?(?= )|openssl s_client |(?:gh|glab) (?:api|gist|release|run|repo) |aws s3|gcloud |az storage|(?:docker|podman|nerdctl|crane|skopeo) (?:create|cp|copy|run|export) |kubectl cp |adb pull |mount (?=[^;]*?\w:/)|git (?:-\S+ )*(?:clone (?=[^;]*?[:/])|archive [^;]*--remote|pull \S+:)|(?:hg|svn|bzr|fossil) (?:-\S+ )*(?:clone|checkout|co|export|cat) (?=[^;]*?:/))|\S*(?:\.download(?:string|file|data)|urlretrieve)\(|(?<!\w)copy\((?=.{0,3}\w+://)|/dev/(?:tcp|udp)/|(?<!\w)/ip[fn]s/)"
    r"|(?P<decoder>(?<![\w./-])(?:base(?:32|64) [^;|]*(?:-\w*d\w*|--decode)(?= |$)|xxd [^;|]*-\w*r|uudecode|openssl (?:enc|base64)(?= )|printf \\[x0]))|(?P<address>(?<!fil)\w://)",
    re.IGNORECASE,
)
_COMMANDS: Final = re.compile(r" ?(;;?|\|[|&]?|&&?|\n) ")
_SUBSTITUTED: Final = re.compile(r"[$`]\( ((?:[^()]|\([^()]*\))*) \)")
_PROCESS: Final = re.compile(r"(?:(?<!tee )<\(|(?<= )= ?\(|(?<=fish )\() ([^;|]*?)(?= [;|]|$)")
_WRITTEN: Final = re.compile(r"(?: --?out\w*(?:-\w+)?| -\w{0,6}o| -(?:pattern|destination)(?= )|\bgh .* -p(?= )| >| of=|^tee(?: -a)?)[ =]?([^\s-]\S*)", re.IGNORECASE)  # fmt: skip
_VARIABLES: Final = re.compile(r"(\w+)=`?⌂|^(?:read|mapfile|readarray)\b.* (\w+)|^(\w+) in ")
_SAVED: Final = re.compile(r"(?:wget|aria2c|axel|scp|sftp|rsync|l?ftp|tftp|gsutil|aws|rclone|azcopy|s3cmd|s5cmd|oras|gdown|sshfs|mount|git|hg|svn|bzr|fossil|gh|glab|kubectl cp|docker cp|podman cp|adb|lwp-download|certutil|bitsadmin|start-bits|iwr|invoke-web|gcloud|az|curl(?=.* (?-i:-\w*O|--remote-name))|\S*(?:\.download|urlretrieve)|cp|mv|ln|install|copy|move)", re.IGNORECASE)  # fmt: skip
_UNPACKS: Final = re.compile(r"(?:(?:bsd)?tar|unzip|7za?|unar|cpio|ar|expand-archive|cd) ")
_NEAR: Final = re.compile(rf"^({_INTERPRETER}(?: -\S+)* )?(?=(?:\.{{1,2}}|/tmp|~)/)")
_PROGRAM: Final = re.compile(r".*[/\\$%⌂]|.*\.(?:exe|bat|cmd|com|ps1|so|dylib)$", re.IGNORECASE)
_INSIDE: Final = re.compile(rf"^({_INTERPRETER}(?: -(?!m )\S+)* )(?=\w)")
_REMOTE: Final = re.compile(r"\w::?[^\s:]|^[\w.-]+/[\w.-]+$")
_PARTS: Final = re.compile(r"[/\\=:,;'\"()\[\]{}@<>?&#|]+")
_ENDS: Final = ".,;:!?。，、；：！？）」』”»…"
_COMMON: Final = frozenset("~ tmp bin usr local opt home src lib etc var dev null stdout stderr http https $temp %temp% $".split())  # fmt: skip
_LASTING: Final = re.compile(r"\$|bin/|.*\w\.\w")  # beyond their line, unlike folders
_END: Final = r"(?=\s*(?:[;|)}\"'`&>]|$))"
_BEGIN: Final = r"(?:^|[;|⇒] )(?:(?:sudo|doas|env|nice|nohup|command|busybox|then|do|if|time|timeout|torsocks|\w+=\S*)(?: -\S+)* )*"
_SHELL: Final = r"(?:(?:r?ba|z|da|a|k|mk|fi|tc|c)?sh\d?|\$\{?shell\b\S*|pwsh|powershell|iex|invoke-expression|cmd|source|eval|\.|at(?= now)|batch|su|\$0|\$\w+(?=$| ;))(?![\w/-]|\.\w)"
_CARRIERS: Final = r"(?:xargs|parallel|docker|podman|nerdctl|kubectl|oc|ssh|su|runuser|nsenter|chroot|lxc|vagrant|wsl|torsocks|proxychains|unshare|firejail|bwrap|script|flock|systemd-run|adb|tmux|screen|watch|strace|find|read|while|cd|set|export|umask|true|:|sleep|mapfile)\b[^;|⇒]*?[;|⇒]?"
_LOADERS: Final = r"(?:eval|source|\.|iex|invoke-expression|cmd|java|adb install|go run|dotnet|jshell|ansible-playbook|puppet|emacs|n?vim|code|docker (?:load|import)|dpkg|rpm|dnf|yum|zypper|apt|apt-get|gdebi|pacman|apk|snap|flatpak|installer|msiexec|[cw]script|rundll32|regsvr32|mshta|start-process|invoke-item|xdg-open|insmod|make -\w|launchctl|crontab|pip\d?|pipx|npm|pnpm|yarn|gem|uv|xargs|strace|systemd-run|ssh|nsenter|su|runuser|tmux|flock|parallel)"
_OPENERS: Final = r"(?-i:call|start|open|make|source|screen|watch|script|find)"  # or prose
_DOCUMENT: Final = r"\S*\.(?:[ct]sv|jsonl?|ya?ml|toml|xml|txt|md|pdf|html?|png|jpe?g|svg|gif|webp|mp[34]|docx?|xlsx?|pptx?|parquet|log|asc|pem)(?!\w)"
_RUNS: Final = re.compile(
    # A program; what a shell or a language reads from a pipe; a script; what is loaded.
    rf"{_BEGIN}⌂|[;|⇒] \S+: ⌂(?= |$)|⇒ (?:make -f|(?:docker|podman) (?:build|load|import)) ?|⇒ [\w.-]+ (?:r?ba|z|da|a|k)?sh(?: -\S*)*{_END}|⇒ (?:(?:sudo|\}}|tee <\(|{_CARRIERS}) )*(?:do )?(?:{_SHELL}|{_INTERPRETER}(?: (?:-(?![cemnpr] )\S*|\$\S+|'?\{{\}}'?))*(?: - |{_END}| \w[^\s./=]*[.,:;!?]?(?: |$))|{_INTERPRETER} [^;|⇒]*\b(?:eval|exec|system)\b)"
    rf"|; (?:(?:eval|\w*sh -c) )?\$\w+ ; done ⌂|(?<![\w/.-]){_INTERPRETER}(?: -\S+(?: (?![-⌂])\S+)??)* (?:(?:<<? ?)?`?⌂|<</dev/(?:tcp|udp)/)|{_INTERPRETER}[^;|⇒]* <<[^;|⇒]*⌂|{_BEGIN}(?:{_LOADERS}(?:\.exe)? [^;⇒]*(?<!> )(?<!`)⌂|{_OPENERS} [^;⇒]*(?<!`)⌂(?=\S*[./\\]))(?!{_DOCUMENT})",
    re.IGNORECASE,
)


class Downloads:
    """What the commands of a text have tainted so far."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}  # each with the command that tainted it
        self._found = self._prints = False  # whether the last command prints a download

    def run_by(self, line: str) -> str:
        """The part of a plain line that runs what it or a line before fetched, or nothing."""
        self._found = False
        source = SOURCE.search(line)
        if source or self._names:
            self._follow(line.replace("${", "$"))
            lasting = [pair for pair in self._names.items() if _LASTING.match(pair[0])]
            self._names = dict(lasting[-_MOST:])
        return line[source.start() if source else 0 :] if self._found else ""

    def _value(self, match: re.Match[str]) -> str:
        """What stands for a substitution."""
        self._follow(match[1])
        value = "⌂" if self._prints or "&" in self._names else "$"
        return f"`{value}" if match[0][0] == "`" else value  # it may be a span of code in prose

    def _follow(self, line: str) -> None:
        """Go through a line's commands, those of its substitutions first."""
        line = _PROCESS.sub(self._value, _SUBSTITUTED.sub(self._value, line))
        pieces = _COMMANDS.split(f"; {line}")
        marked, before, grouped, self._prints = "", "", False, False
        for joint, command in zip(pieces[1::2], pieces[2::2], strict=True):
            if command in {"}", "done", "fi", "esac"}:
                self._prints, grouped = grouped, False
                self._names |= {f"{before}()": line} if self._prints else {}
                continue
            said = self._with_marks(command)
            fed = self._prints and joint in {"|", "|&"}
            self._prints = self._taint(command, said, fed=fed)
            joint = "⇒" if fed or "&" in self._names else joint
            marked += f" {joint} {command if _READER.match(said) else said}"
            grouped = grouped or self._prints
            before = before if grouped else command.rpartition(" ")[2]
        self._found = self._found or _RUNS.search(marked) is not None

    def _with_marks(self, command: str) -> str:
        """A command with a mark before each word that names what another command fetched."""
        words = command.split()
        for at, word in enumerate(words):
            parts = [part.strip(_ENDS) for part in _PARTS.split(word.casefold())]
            if at == 0 and not _PROGRAM.match(word):
                parts = [f"bin/{word.casefold()}"]
            if word[0] != ">" and any(self._names.get(p, command) not in command for p in parts):
                words[at] = f"⌂{word}"
        said = " ".join(words)
        said = _NEAR.sub(r"\1⌂", said) if "./" in self._names else said
        return _INSIDE.sub(r"\1⌂", said) if "cd" in self._names else said

    def _taint(self, command: str, said: str, *, fed: bool) -> bool:
        """Whether a command prints a download; the names of what it writes are tainted then."""
        fetched = SOURCE.search(command)
        spoken = fetched and fetched["address"]  # perhaps in a sentence, where `>` writes nothing
        if spoken and _READER.match(command):
            fetched = None
        called = f"{command.partition(' ')[0]}()" in self._names
        if not (fed or fetched or called or "⌂" in said):
            return False
        source = command[fetched.start() :] if fetched else command
        plain = command.replace(" >", " ") if spoken else command
        self._names |= dict.fromkeys(_tainted_names(plain, source, said), source)
        return True


def _tainted_names(command: str, source: str, said: str) -> Iterator[str]:
    """The names that a command taints, if what it reads or fetches is tainted."""
    for path in _WRITTEN.findall(command):
        for name in _names(path):
            yield from (name,) if re.match(_DOCUMENT, name) else (name, f"bin/{name}")
    yield from (f"${name}".casefold() for found in _VARIABLES.findall(said) for name in found)
    plain = [word for word in source.split() if word[0] not in "-<>"]
    if _UNPACKS.match(command):
        yield from ("./", "cd") if command.startswith("cd ") else ("./",)
        plain = [word.partition(".t")[0].removesuffix(".zip") for word in plain]
    elif command.startswith(("exec", "coproc", "<<")):
        yield "&"
    elif not _SAVED.match(source):
        return
    # Under the names of what it fetches, or one behind them; in prose a sentence goes on there.
    saved = [*filter(_REMOTE.search, plain)]
    copied = plain[-1:] if plain[-2:-1] == saved[-1:] or not saved else []
    yield from (name for word in saved + copied for name in _names(word))


def _names(path: str) -> Iterator[str]:
    """The names by which a file or a folder is known."""
    for each in re.split(r"[\"'(),]", path.casefold()):
        place = re.sub(r"^\w+://[^/]*", "", each.partition("?")[0]).rstrip("/\\")
        own = _PARTS.split(place)[-1].strip(_ENDS)
        if own and own not in _COMMON and not re.fullmatch(_INTERPRETER, own):
            yield from ("./",) if "*" in own else (own, own.removesuffix(".git"))
