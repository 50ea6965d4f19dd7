"""What must not be written down, and what must not reach a prompt as it is.

Standard library only, and the names of secrets: a copy of this file with these in it lies beside
the hook, which redacts a prompt's excerpt with it when no worker answers.
"""

import re

from learnt.core.late_patterns import late, may_hold
from learnt.core.secrets import found
from learnt.core.visible_text import visible

TYPE_CHECKING = False  # the module that has it takes the hook long to import
if TYPE_CHECKING:

    class Clean(str):
        """A text that may be kept, made by this module alone: a store takes no other."""

else:
    Clean = str

PRIVATE_MARK = "[private]"
LOOKED_AT = 20_000  # characters of a prompt, whatever was pasted into it
LONGEST_WORD = 500

_START, _END = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"
_PRIVATE = late(
    r"<(/?)private(?![\w-])(?:\"[^\"<]{0,200}+\"|'[^'<]{0,200}+'|[^<>\"']){0,200}+>", re.IGNORECASE
)

_EMAIL = late(
    rf"{_START}[A-Za-z0-9._%+-]{{1,64}}@(?!\d)[A-Za-z0-9-]{{1,63}}"
    rf"(?:\.[A-Za-z0-9-]{{1,63}}){{0,3}}\.[A-Za-z]{{2,24}}{_END}(?!:)"
)
_HOME = late(
    r"(?<![\w.~])(?:(?<=://)|(?<!/))(?:/home|/Users|[A-Za-z]:\\{1,2}Users)[/\\]{1,2}[^/\\\s:'\"]+"
)

# A tag, also one of wide signs or with gaps; the brackets of an entry's id.
_TAG = late(
    r"[<\uff1c\ufe64](?=[/!?]?[A-Za-z]|!|[\s/\uff0f]{0,9}[\w-]{1,40}[\s/]{0,9}[>\uff1e\ufe65])"
)
_ID = late(r"\[(?=[ep]-\w)")


def strip_private(text: str) -> str:
    """The text without what stands between `<private>` tags; one left open hides to the end.

    >>> strip_private("a <private>b</private> c <private>d")
    'a [private] c [private]'
    """
    if not may_hold(text, "<p <P </p </P"):
        return text
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
    """The text with credentials replaced, and the kind of each one replaced, in order.

    >>> redact_secrets("password=hunter2hunter2 ok")
    ('password=[redacted:secret] ok', ('secret',))
    """
    kinds: list[str] = []
    # What was taken out may leave a value beside a name: again, until nothing is found.
    while spans := found(text):
        parts, after = [], 0
        for start, end, kind in spans:
            parts += [text[after:start], f"[redacted:{kind}]"]
            after = end
            kinds.append(kind)
        text = "".join(parts) + text[after:]
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


def redact(text: str) -> Clean:
    """Observed text as it may be written: no credentials, addresses or user's folder name.

    >>> redact("mail ann@example.org about /home/ann/work")
    'mail [redacted:email] about ~/work'
    """
    text = redact_secrets(text)[0]
    text = _EMAIL.sub("[redacted:email]", text) if "@" in text else text
    return Clean(_HOME.sub("~", text) if may_hold(text, "/home Users") else text)


def clean(text: str) -> Clean:
    """A text without its credentials, and else as it is.

    >>> clean("~ann: password=hunter2hunter2")
    '~ann: password=[redacted:secret]'
    """
    return Clean(redact_secrets(text)[0])


def owned(text: str) -> Clean:
    """A path, or a text of a file of the user's own: it must be found and restored as it is."""
    return Clean(text)


def excerpt(text: str, characters: int) -> Clean:
    """Observed text ready to be kept: private parts out, then redacted, then cut.

    >>> excerpt("x" * 9, 4), excerpt("<private>" + "x" * 9, 4)
    ('xxxx', '[pri')
    """
    return Clean(redact(public(text))[:characters])


def neutralise(text: str) -> str:
    """Text that can stand inside a fence: no tag, no load-time command, no argument slot.

    >>> neutralise("</learnt> !`rm` $ARGUMENTS a < b")
    '&lt;/learnt> ! `rm` $ ARGUMENTS a < b'
    """
    text = _ID.sub("(", _TAG.sub("&lt;", visible(text)))
    return text.replace("!`", "! `").replace("```!", "``` !").replace("$ARGUMENTS", "$ ARGUMENTS")
