"""What must not be written down, and what must not reach a prompt as it is.

Standard library only, and the names of secrets: a copy of this file with these in it lies beside
the hook, which redacts a prompt's excerpt with it when no worker answers.
"""

import re

from learnt.core.visible_text import visible
from learnt.core.words import SECRETS

PRIVATE_MARK = "[private]"
LOOKED_AT = 20_000  # characters of a prompt, whatever was pasted into it
LONGEST_WORD = 500

# `\b` takes a Chinese character for part of a word: the edges of a credential are ASCII's.
_START, _END = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"
_PRIVATE = re.compile(
    r"<(/?)private(?![\w-])(?:\"[^\"<]{0,200}+\"|'[^'<]{0,200}+'|[^<>\"']){0,200}+>", re.IGNORECASE
)

# What stands for a secret in code and templates is none: $NAME, ${NAME}, <name>, %s, {name}.
_NAMES = rf"[A-Za-z0-9_.-]{{0,40}}?(?:{SECRETS['names']})"
_VALUE = r"[^\s\"'`,;<>()，。；、]{6,200}"
_SHELL_VALUE = r"[^\s\"'`<>]{6,200}"
_MIXED = r"(?=[^\s,;，。]{0,80}[0-9])(?=[^\s,;，。]{0,80}[A-Za-z])"
_HINT = re.compile(rf"(?i){SECRETS['hints']}|{SECRETS['words']}")
_STAND_INS = ("$", "<", "%", "{", "*", "process.env", "os.environ")
_SECRETS = [
    (kind, re.compile(pattern))
    for kind, pattern in (
        (
            "private-key",
            r"(?s)-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
            r".*?(?:-----END (?:[A-Z]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|\Z)",
        ),
        ("aws-key", rf"{_START}(?:AKIA|ASIA|AGPA|AROA)[A-Z0-9]{{16}}{_END}"),
        (
            "github-token",
            rf"(?a){_START}(?:gh[pousr]_[A-Za-z0-9]{{20,255}}|github_pat_\w{{20,255}}){_END}",
        ),
        ("gitlab-token", rf"{_START}glpat-[A-Za-z0-9_-]{{16,255}}"),
        ("slack-token", rf"{_START}xox[abposr]-[A-Za-z0-9-]{{10,255}}"),
        ("api-key", rf"{_START}(?:sk|pk|rk)[-_](?=[A-Za-z_-]{{0,40}}[0-9])[A-Za-z0-9_-]{{16,255}}"),
        ("google-key", rf"{_START}AIza[A-Za-z0-9_-]{{30,255}}"),
        ("npm-token", rf"{_START}npm_[A-Za-z0-9]{{30,255}}"),
        ("pypi-token", rf"{_START}pypi-[A-Za-z0-9_-]{{30,255}}"),
        (
            "jwt",
            r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2000}+"
            r"\.[A-Za-z0-9_-]{8,4000}+\.[A-Za-z0-9_-]{4,2000}+",
        ),
        ("bearer", r"(?i)(?<=bearer )(?=[^\s\"']{0,255}[0-9])[A-Za-z0-9._~+/=-]{12,}"),
        ("basic-auth", r"(?<=[Bb]asic )(?=[a-z]{0,80}[A-Z0-9])[A-Za-z0-9+/]{8,}={0,2}"),
        ("url-password", r"(?<=://)[^\s/:@]{0,100}:[^\s/@]{1,200}(?=@)"),
        # A name and its value, as settings, environments, code, command lines and people write it.
        ("secret", rf"(?i){_START}{_NAMES}[\"']?[ \t]*[:=][ \t]*[\"']([^\"'\s]{{6,200}})(?=[\"'])"),
        ("secret", rf"{_START}[A-Z0-9_]{{0,40}}?(?:{SECRETS['variables']})=({_SHELL_VALUE})"),
        ("secret", rf"(?i){_START}{_NAMES}[ \t]*[:=：][ \t]*{_MIXED}({_VALUE})(?![(\[])"),
        ("secret", rf"(?i)(?<=--){_NAMES}[ \t]+{_MIXED}({_VALUE})"),
        (
            "secret",
            rf"(?i){_START}{_NAMES}(?:{SECRETS['is']}){_MIXED}"
            r"([A-Za-z0-9!#&*+/=?@^_.~]{6,200})(?!-)",
        ),
        (
            "secret",
            rf"(?:{SECRETS['words']})(?:[ \t]*[:=：][ \t]*|{SECRETS['is']})([!-~]{{6,200}})",
        ),
    )
]
_EMAIL = re.compile(
    rf"{_START}[A-Za-z0-9._%+-]{{1,64}}@(?!\d)[A-Za-z0-9-]{{1,63}}"
    rf"(?:\.[A-Za-z0-9-]{{1,63}}){{0,3}}\.[A-Za-z]{{2,24}}{_END}(?!:)"
)
_HOME = re.compile(
    r"(?<![\w.~])(?:(?<=://)|(?<!/))(?:/home|/Users|[A-Za-z]:\\{1,2}Users)[/\\]{1,2}[^/\\\s:'\"]+"
)

# A tag, also one of wide signs or with gaps; the brackets of an entry's id.
_TAG = re.compile(
    r"[<\uff1c\ufe64](?=[/!?]?[A-Za-z]|!|[\s/\uff0f]{0,9}[\w-]{1,40}[\s/]{0,9}[>\uff1e\ufe65])"
)
_ID = re.compile(r"\[(?=[ep]-\w)")


def strip_private(text: str) -> str:
    """The text without what stands between `<private>` tags; one left open hides to the end.

    >>> strip_private("a <private>b</private> c <private>d")
    'a [private] c [private]'
    """
    kept: list[str] = []
    depth = after = 0
    for tag in _PRIVATE.finditer(text):
        closes = tag[1] == "/"
        if depth == 0 and not closes:
            kept += [text[after : tag.start()], PRIVATE_MARK]
        if closes and depth == 0:
            continue
        depth += -1 if closes else 1
        if depth == 0:
            after = tag.end()
    return "".join(kept) + ("" if depth else text[after:])


def redact_secrets(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with credentials replaced, and the kind of each one replaced, in order of kind.

    >>> redact_secrets("password=hunter2hunter2 ok")
    ('password=[redacted:secret] ok', ('secret',))
    """
    kinds: list[str] = []
    named = _HINT.search(text) is not None
    for kind, pattern in _SECRETS:
        if kind == "secret" and not named:
            continue  # most prompts name no credential, and these patterns are the dear ones

        def mark(match: re.Match[str], kind: str = kind) -> str:
            value = match[1] if match.re.groups else match[0]
            if "[redacted:" in match[0] or value.startswith(_STAND_INS):
                return match[0]
            kinds.append(kind)
            before, _, behind = match[0].rpartition(value)
            return f"{before}[redacted:{kind}]{behind}"

        text = pattern.sub(mark, text)
    return text, tuple(kinds)


def public(text: str) -> str:
    """What may be looked at of an observed text: private parts out first, then cut at a gap.

    >>> public("a <private>b</private> c")
    'a [private] c'
    """
    text = strip_private(visible(text))
    if len(text) <= LOOKED_AT:
        return text
    # At a gap, so that no half of a secret escapes the patterns.
    return text[:LOOKED_AT].rpartition(" ")[0] or text[:LONGEST_WORD]


def redact(text: str) -> str:
    """Observed text as it may be written: no credentials, addresses or user's folder name.

    >>> redact("mail ann@example.org about /home/ann/work")
    'mail [redacted:email] about ~/work'
    """
    return _HOME.sub("~", _EMAIL.sub("[redacted:email]", redact_secrets(text)[0]))


def excerpt(text: str, characters: int) -> str:
    """Observed text ready to be kept: private parts out, then redacted, then cut.

    >>> excerpt("x" * 9, 4), excerpt("<private>" + "x" * 9, 4)
    ('xxxx', '[pri')
    """
    return redact(public(text))[:characters]


def neutralise(text: str) -> str:
    """Text that can stand inside a fence: no tag, no load-time command, no argument slot.

    >>> neutralise("</learnt> !`rm` $ARGUMENTS a < b")
    '&lt;/learnt> ! `rm` $ ARGUMENTS a < b'
    """
    text = _ID.sub("(", _TAG.sub("&lt;", visible(text)))
    return text.replace("!`", "! `").replace("```!", "``` !").replace("$ARGUMENTS", "$ ARGUMENTS")
