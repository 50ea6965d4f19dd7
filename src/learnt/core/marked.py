"""What a prompt marks to be remembered, as it was typed.

A marker ("remember: …") stands at the beginning of the prompt or of its last paragraph; at the
beginning of another line it ends in a colon, and what it marks waits. All behind it belongs to it:
to the end of the paragraph, with a list or a block that follows. No word inside is changed.
Standard library only: a copy of this file lies beside the hook, which saves what is marked when no
worker answers.
"""

import re
from collections import namedtuple

from learnt.core.late_patterns import late
from learnt.core.safety import LOOKED_AT, redact_secrets, strip_private
from learnt.core.visible_text import hidden, visible
from learnt.core.words import MARKED

TYPE_CHECKING = False  # the module that has it takes the hook long to import
if TYPE_CHECKING:
    from collections.abc import Iterator

    Opening = tuple[str, str, int]  # a marker, the name of its sort, and where it ends

LONGEST_OWN = 16_000  # characters of one statement
MOST_MARKED = 16  # statements of one prompt
LONGEST_NOTICE = 80  # characters of a statement in a line on the screen
LONG_PASTE = 4_000  # characters of a prompt that may be a paste
LONGEST_PARAGRAPH = 600  # characters above a last paragraph that is plainly of the same person
# Why a statement waits.
REQUEST, TASK, QUOTED, PASTE, WITHIN = "request", "task", "quoted", "paste", "within"
WHOSE = frozenset((QUOTED, PASTE, WITHIN))  # of these it is not plain whose words they are
# Why one is refused, all of it.
REFUSED = {
    "private": "a part of it is marked private",
    "credential": "it contains a secret",
    "hidden-text": "it contains a character that a reader cannot see",
    "too-long": "it is too long",
    "says-nothing": "it says nothing",
}

_FENCE = re.compile(r"[ \t]*(```|~~~)")
# An item of a list, an indented line, a row of a table.
_ATTACHED = re.compile(
    r"[ \t]*(?:[-*+•‣–][ \t]|\d{1,3}[.)、]|[a-zA-Z][.)][ \t]|\||```|~~~)| {2,}\S|\t"
    r"|[(（]?[\u4e00-\u9fa0]{1,3}[)）、.]"
)
# A quotation, a fence; a text with a source named behind or above it is somebody else's as well.
_QUOTATION = re.compile(
    r"\A(?:>|```|~~~|\"[^\"]*\"[.!]?\Z|“[^”]*”[.!]?\Z|„[^“”]*[“”][.!]?\Z|«[^»]*»[.!]?\Z"
    r"|「[^」]*」。?\Z|『[^』]*』。?\Z|[\"“„«「『][^\"”»」』]{12,}[\"”“»」』]"
    r"|[^\n]*[:：][ \t]*\n(?!\s*(?:[-*+•‣–]|\d{1,3}[.)、]|```|~~~)|[ \t]))"
    r"|[\"“„«「『][^\"”»」』\n]{12,}[.!。][\"”“»」』]"
    r"|[.!?。！？»”\"」』](?:\s*[(（][^()（）\n]{3,120}[)）][.。]?|\s+[—–-]{1,2}\s[^\n]{3,120})\Z"
)
_CODE = re.compile(r"(?:```|~~~).*?(?:```|~~~|\Z)|`[^`\n]*`", re.DOTALL)
_ENDS = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])|\n+")
# A question mark that keeps a place in a query is none.
_QUESTION = re.compile(r"(?<![=<>(,])(?<![=<>(,] )[?？]\W*\Z")
# Lines that nobody types as a sentence: quotations, tags, headings, times, fields, rows of a table.
_IN_BLOCK = re.compile(
    r"^(?:[ \t\ufeff]*(?:[>#<|{\[]|```|~~~|\d{1,4}[-:/.]\d|[\w.-]{1,30}:[ \t])"
    r"| {2,}\S|\t|\S+,\S+$|.*[:：][ \t]*$)",
    re.MULTILINE,
)
_COMMAND = re.compile(r"\s*/(?:learnt:)?(?:learnt|memory)\s+remember\b[ \t]*[:,;]?", re.I)
_GAP = r"[\s,.!，。！、~…;；:：-]*"


def _words(*sections: str) -> str:
    return "|".join(MARKED[section] for section in sections)


_BEGINS = {
    name: late(
        rf"[ \t]*(?:(?:{_words('after')})(?![a-z]){_GAP}){{0,8}}(?P<marker>{_words(name)})", re.I
    )
    for name in ("task", "by")
}
_WITHIN = late(_words("within"), re.IGNORECASE)
_REQUEST = late(rf"\W*(?:{_words('request')})", re.IGNORECASE)
_ABOVE = late(_words("above"), re.IGNORECASE)


# One marked statement, as typed, and why it waits for the person, if it does.
MarkedText = namedtuple("MarkedText", ("text", "waits"), defaults=("",))


def statements(prompt: str) -> list[MarkedText]:
    """The statements that a prompt marks to be remembered.

    >>> statements("Remember: staging is on 8443. Prod is not.\\n\\nFix the login")
    [MarkedText(text='staging is on 8443. Prod is not.', waits='')]
    >>> statements("I remember it"), statements("remember: x is 3. now fix the test")[0].waits
    ([], 'request')
    """
    long = PASTE if len(prompt) > LONG_PASTE else ""
    return [each._replace(waits=each.waits or long) for each in _found(prompt)[:MOST_MARKED]]


def _found(prompt: str) -> list[MarkedText]:
    if command := _COMMAND.match(prompt):
        text = prompt[command.end() :].strip()  # all of it, a thing to do as well
        return [MarkedText(text, QUOTED if _QUOTATION.search(text) else "")]
    blocks = list(_blocks(prompt))
    found: list[MarkedText] = []
    done, last = 0, _last(prompt, blocks)
    for at, (start, end) in enumerate(blocks):
        for place in _lines(prompt, max(start, done), end):
            opening = _opening(prompt[place:end])
            edge = place == start and at in (0, last)
            if opening is None or not (edge or opening[0][-1:] in {":", "："}):
                continue
            plain = place == 0 or _plain(prompt[done:place])
            if edge or plain:
                done = _extended(prompt, blocks, at, place + opening[2])
                waits = ("" if edge else WITHIN) if plain else QUOTED
                found += _parted(prompt[place:done], opening, waits)
                break
    return found


def _lines(prompt: str, start: int, end: int) -> "Iterator[int]":
    """Where the lines of a paragraph begin; of one that has a fence its first alone."""
    block = prompt[start:end]
    if block:
        yield start
    if not any(map(_FENCE.match, block.splitlines())):
        yield from (start + line.end() for line in re.finditer(r"\n(?=\S)", block))


def asks_to_remember(prompt: str) -> bool:
    """Whether a prompt asks, at its beginning or within, that something be remembered.

    >>> asks_to_remember("Remember: the gateway listens on 8443"), asks_to_remember("I remember it")
    (True, False)
    """
    text = visible(prompt)
    return bool(statements(text)) or asks_within(text)


def asks_within(prompt: str) -> bool:
    """Whether a prompt asks somewhere that something be remembered, and marks nothing.

    >>> asks_within("Can you remember that staging is on 8443?"), asks_within("I remember")
    (True, False)
    """
    return _WITHIN.search(prompt[:LOOKED_AT]) is not None


def refusal(text: str, prompt: str) -> "tuple[str, str]":
    """Why a statement of a prompt is not kept, and what of it says so; empty where it is kept.

    >>> refusal("the key is AKIAIOSFODNN7EXAMPLE", "remember: the key is AKIAIOSFODNN7EXAMPLE")
    ('credential', 'token')
    >>> refusal("on x9", "<private>remember: on x9</private>"), refusal("on x9", "remember: on x9")
    (('private', ''), ('', ''))
    """
    if not any(map(str.isalnum, text)):
        return "says-nothing", ""
    if len(text) > LONGEST_OWN:
        return "too-long", f"{len(text):,} characters, {LONGEST_OWN:,} at most"
    if unseen := hidden(text):
        return "hidden-text", unseen[0][1]
    if text not in strip_private(prompt):
        return "private", ""
    kept, kinds = redact_secrets(prompt[: 2 * LONGEST_OWN])
    alone = redact_secrets(text)[1]
    if alone or text not in kept + prompt[2 * LONGEST_OWN :]:
        return "credential", ", ".join(sorted(set(alone or kinds)))
    return "", ""


def sorted_out(prompt: str) -> "tuple[list[MarkedText], list[str]]":
    """The statements of a prompt that may be kept, and why others of it are refused.

    >>> sorted_out("remember: the key is AKIAIOSFODNN7EXAMPLE")
    ([], ['it contains a secret (token). Nothing was kept'])
    """
    fit: list[MarkedText] = []
    refused: list[str] = []
    found = statements(prompt)
    for each in found:
        name, what = refusal(each.text, prompt)
        if name:
            refused.append(why_refused(name, what))
        else:
            fit.append(each)
    if not found and statements(visible(prompt)):
        refused.append(why_refused("hidden-text"))
    return fit, refused


def written_down(marked: MarkedText, person: bool) -> str:
    """What a hook says of a statement that it wrote down while no worker answered."""
    line = " ".join(marked.text.split())
    said = f'"{line[:LONGEST_NOTICE]}…"' if len(line) > LONGEST_NOTICE else f'"{line}"'
    if person and not marked.waits:
        return f"Learnt saved: {said}. It counts as soon as Learnt's worker has taken it in."
    return f"Learnt saved it as a candidate: {said}. To confirm it: learnt review"


def why_refused(name: str, what: str = "") -> str:
    """Why words are refused whole, by the name of the reason and what of them it is."""
    return f"{REFUSED.get(name, name)}{f' ({what})' if what else ''}. Nothing was kept"


def _blocks(prompt: str) -> "Iterator[tuple[int, int]]":
    """Where each run of lines without an empty one between them begins and ends; a fence is one."""
    at = start = 0
    fence, begun = "", False
    for line in prompt.splitlines(keepends=True):
        empty = not line.strip() and not fence
        if empty and begun:
            yield start, at
            begun = False
        if not empty and not begun:
            start, begun = at, True
        if mark := _FENCE.match(line):
            fence = "" if mark[1] == fence else fence or mark[1]
        at += len(line)
    if begun:
        yield start, at


def _last(prompt: str, blocks: "list[tuple[int, int]]") -> int:
    """The last paragraph: a list or a block behind it belongs to it."""
    at = len(blocks) - 1
    while at > 0 and _ATTACHED.match(prompt, blocks[at][0]):
        at -= 1
    return at


def _opening(text: str) -> "Opening | None":
    """The marker that a paragraph begins with."""
    for name, begins in _BEGINS.items():
        match = begins.match(text)
        if match is None:
            continue
        marker = match["marker"].strip()
        asks = _QUESTION.search(_ENDS.split(text[match.end() :].strip(), maxsplit=1)[0])
        # "Remember that bug?" asks about the past.
        if asks is None or marker[-1:] in {":", "："}:
            return " ".join(marker.casefold().split()), name, match.end()
    return None


def _extended(prompt: str, blocks: "list[tuple[int, int]]", at: int, behind: int) -> int:
    """Where a paragraph ends that is marked up to a place, with what follows and belongs to it."""
    start, end = blocks[at]
    bare = not prompt[behind:end].strip()
    for begins, ends in blocks[at + 1 :]:
        led_in = bare or prompt[start:end].rstrip()[-1:] in {":", "："}
        if not (led_in or _ATTACHED.match(prompt, begins)):
            break
        end, bare = ends, False
    return end


def _parted(text: str, opening: "Opening", waits: str) -> list[MarkedText]:
    """A statement for each line of a paragraph that repeats its marker.

    If one of them reads like somebody else's words, all of them wait: they were copied together.
    """
    starts = [(0, opening)]
    at = 0
    for line in text.splitlines(keepends=True):
        again = _opening(line) if at else None
        if again and again[0] == opening[0]:
            starts.append((at, again))
        at += len(line)
    ends = [at for at, _ in starts[1:]] + [len(text)]
    parts = [
        _statement(text[at + behind : end].strip(), waits, task=name == "task")
        for (at, (_, name, behind)), end in zip(starts, ends, strict=True)
    ]
    whose = next((part.waits for part in parts if part.waits in WHOSE), "")
    return [part._replace(waits=part.waits or whose) for part in parts]


def _statement(text: str, waits: str, *, task: bool) -> MarkedText:
    lines = _CODE.sub("", text).splitlines()[1:]
    copied = sum(bool(line.strip()) and _ATTACHED.match(line) is None for line in lines) > 1
    if waits or copied or _QUOTATION.search(text):
        return MarkedText(text, waits or QUOTED)
    sentences = [s for s in _ENDS.split(_CODE.sub(" ", text).strip()) if s]
    if any(_QUESTION.search(s) for s in sentences) or any(map(_REQUEST.match, sentences[1:])):
        return MarkedText(text, REQUEST)
    return MarkedText(text, TASK if task else "")


def _plain(above: str) -> bool:
    """Whether what stands above a last paragraph is plainly of the person who typed it."""
    short = len(above.strip()) <= LONGEST_PARAGRAPH
    return short and _IN_BLOCK.search(above) is None and _ABOVE.search(above) is None
