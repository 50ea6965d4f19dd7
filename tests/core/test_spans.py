"""Spans: what counts as a change of a text, what does not, and where a span stands now."""

import pytest

from learnt.core.knowledge.citations import Cited
from learnt.core.knowledge.spans.prints import Text, find, take
from learnt.core.knowledge.spans.texts import read

KEY = b"k" * 32
PYTHON = '''\
import os


# Rooms are counted from 1.
@cached
def room(number, floor=3):
    """The room of a number."""
    if number < 0 and not LOOSE:
        raise ValueError("no room", number)
    total = (number + 1) * 2
    return Room(number, floor)


class House:
    size = 7

    def room(self):
        return self.size
'''


def same(one: str, two: str, path: str = "a.py") -> bool:
    """Whether two whole texts are the same to whoever cites them."""
    return read(one, path).words == read(two, path).words


@pytest.mark.parametrize(
    ("path", "one", "two"),
    [
        ("a.py", "a = f(1, 2)", "a  =  f(\n    1,\n    2,\n)"),
        ("a.py", "a = 'x' + b\"y\"", "a = \"x\" + b'y'"),
        ("a.py", "a = u'it\\'s' ; b = 2", 'a = "it\'s"\nb = 2\n'),
        ("a.py", "if a: return b", "if a:\n        return b"),
        ("a.py", "x = a and b", "x = (\n    a\n    and b\n)"),
        ("a.py", "assert a, 'b'", "assert a, (\n    'b'\n)"),
        ("a.py", "for (a, b) in c: pass", "for a, b in c:\n    pass"),
        ("a.py", "class A():\n  x = 0XFF", "class A:\n\n\n\tx = 0xff"),
        ("a.py", "x = ('a '\n     'b')", 'x = "a b"'),
        ("a.py", "x = a + \\\n  b", "x = a + b"),
        ("a.py", "# one two\n# three\nx = 1", "# one\n# two three\n\nx = 1  "),
        ("a.py", '"""One\ntwo."""', '"""One two."""'),
        ("a.js", "f('a', b)", 'f(\n  "a",\n  b,\n)'),
        ("a.js", "// one two\n// three\nx", "// one\n// two three\n\n  x"),
        ("a.js", "/* one\n * two */", "/* one two */"),
        ("a.css", "a { b: c; }", "a {\n  b: c\n}"),
        ("a.html", "<a href='b'>", '<a\n  href="b">'),
        ("a.md", "One two\nthree four.", "One\ntwo three\nfour."),
        ("a.md", "| a | b |\n|---|---|", "| a   | b |\n|-----|-----|"),
        ("a.md", "数据库死锁\n了", "数据库\n死锁了"),
        ("a.yaml", "a:\n  b: 1\n  c: 'd'", 'a:\n    b: 1\n    c: "d"'),
        ("a.sql", "select a, b from c", "SELECT".lower() + " a,\n  b\nfrom c"),
        ("a.txt", "a\r\nb", "a\nb"),
        ("a.txt", "\ufeffa", "a"),
    ],
)
def test_layout_does_not_count(path: str, one: str, two: str) -> None:
    """White space, line breaks, quotes where both mean the same, idle brackets and commas."""
    assert same(one, two, path)


@pytest.mark.parametrize(
    ("path", "one", "two"),
    [
        ("a.py", "a = 1", "a = 2"),
        ("a.py", "a = (1,)", "a = (1)"),
        ("a.py", "x = (a + b) * c", "x = a + b * c"),
        ("a.py", "a = b", "a = 'b'"),
        ("a.py", "', '.join(a)", "','.join(a)"),
        ("a.py", "if a:\n  b\nc", "if a:\n  b\n  c"),
        ("a.py", "if a:\n  b\n  c", "if a:\n  b\nc"),
        ("a.py", "a = 1\nb = 2", "b = 2\na = 1"),
        ("a.py", "return a", "return\na"),
        ("a.py", "# one\na = 1", "# one\n# a = 1"),
        ("a.py", "a = 1  # one", "a = 1  # two"),
        ("a.py", "if a: b", "if not a: b"),
        ("a.js", "// one\na = 1", "// one\n// a = 1"),
        ("a.js", "a === b", "a == b"),
        ("a.sh", "echo '$a'", 'echo "$a"'),
        ("a.md", "It is so.", "It is not so."),
        ("a.yaml", "a:\n  b: 1\n  c: 2", "a:\n  b: 1\nc: 2"),
    ],
)
def test_meaning_counts(path: str, one: str, two: str) -> None:
    """Names, numbers, strings, operators, order, negation, blocks, and the words of comments."""
    assert not same(one, two, path)


@pytest.mark.parametrize(
    ("path", "text", "symbol", "lines"),
    [
        ("a.py", PYTHON, "room", (5, 11)),
        ("a.py", PYTHON, "House", (14, 18)),
        ("a.py", PYTHON, "House.room", (17, 18)),
        ("a.py", PYTHON, "House.size", (15, 15)),
        ("a.py", "def f(:\n  x\n\nMOST: int = 3", "MOST", None),
        ("a.py", "a = [\n 1]\n# of b\nb = 2", "a", (1, 2)),
        ("a.js", "let a;\nfunction f(x) {\n  if (x) { y }\n}\nf()", "f", (2, 4)),
        ("a.ts", "export const a = (b) => {\n  c;\n};\nd", "a", (1, 3)),
        ("a.go", "func (s *S) Open(a int) error {\n\treturn nil\n}\n", "Open", (1, 3)),
        ("a.sql", "create table t (\n  a int\n);\nselect 1;", "t", (1, 3)),
        ("a.css", ".a { b: c }\n.d {\n  e: f\n}", ".d", (2, 4)),
        ("a.md", "# A\nx\n```\n# B\n```\n## C c\ny\n# D", "A", (1, 7)),
        ("a.md", "# A\n## C c!\ny\n# D", "c-c", (2, 3)),
        ("a.toml", "[a]\nb = 1\n[c.d]\ne = 2\n", "c.d", (3, 5)),
        ("a.toml", "b = 1\nc = 2", "c", (2, 2)),
        ("a.yaml", "a:\n  b:\n    c: 1\n  d: 2\ne: 3", "a.b", (2, 3)),
        ("a.py", PYTHON, "nothing", None),
        ("a.md", "text", "nothing", None),
        ("a.js", "text", "nothing", None),
        ("a.yaml", "a: 1", "b", None),
        ("a.toml", "[a]", "b", None),
    ],
)
def test_symbols_are_found(
    path: str, text: str, symbol: str, lines: tuple[int, int] | None
) -> None:
    """By the language's own words, with decorators; sections by their headings."""
    assert lines == Text(text, path).located(Cited(symbol=symbol))


def test_an_unclosed_bracket_hides_what_comes_after_it_and_breaks_nothing() -> None:
    """What does not parse is read as far as it goes."""
    assert None is Text("f(:\n" + PYTHON, "a.py").located(Cited(symbol="House"))
    assert read("'''a\n\"b", "a.py").words
    assert [] == read("", "a.py").words == read("", "a.md").words


def test_a_span_is_found_where_it_went() -> None:
    """Further down in the file, and by its tokens where its lines are others."""
    span = Cited(first=8, last=9)
    taken = take(KEY, Text(PYTHON, "a.py"), span)
    assert taken is not None
    moved = PYTHON.replace("import os", "import os\nimport sys")
    assert (9, 10) == find(KEY, Text(moved, "a.py"), span, taken[2])
    wrapped = moved.replace('"no room", number', "'no room',\n   number")
    assert (9, 11) == find(KEY, Text(wrapped, "a.py"), span, taken[2])
    assert None is find(KEY, Text(wrapped, "a.py"), span, taken[2], tokens=False)


@pytest.mark.parametrize(
    ("first", "last", "old", "new"),
    [
        (11, 11, "return Room(number, floor)", "return Room(number, floor) + 1"),
        (10, 10, "total = (", "sub_total = ("),
        (10, 10, "total = (", "# total = ("),
        (8, 8, "    if number", "    while a and number"),
    ],
)
def test_what_is_added_beside_a_span_on_its_line_is_seen(
    first: int, last: int, old: str, new: str
) -> None:
    """Its words still stand there, but not by themselves."""
    taken = take(KEY, Text(PYTHON, "a.py"), Cited(first=first, last=last))
    assert taken is not None
    changed = Text(PYTHON.replace(old, new), "a.py")
    assert None is find(KEY, changed, Cited(first=first, last=last), taken[2])


def test_another_copy_does_not_pass_for_the_one_that_changed() -> None:
    """A line that stood there twice must still stand there twice."""
    text = "a = 1\nreturn None\nb = 2\nreturn None\nc = 3\n"
    span = Cited(first=2, last=2)
    taken = take(KEY, Text(text, "a.py"), span)
    assert taken is not None and 2 == taken[2].copies
    one_less = Text(text.replace("return None", "return 0", 1), "a.py")
    assert None is find(KEY, one_less, span, taken[2])
    assert (3, 3) == find(KEY, Text("x\n" + text, "a.py"), span, taken[2])


@pytest.mark.parametrize("more", ["    mind(walrus)\n", "\n    mind(walrus)\n"])
def test_what_is_added_to_a_symbol_is_seen(more: str) -> None:
    """At its end, where its own lines are all as they were; what comes after it is not."""
    span = Cited(symbol="room", first=5, last=11)
    taken = take(KEY, Text(PYTHON, "a.py"), Cited(symbol="room"))
    assert taken is not None
    last = "    return Room(number, floor)\n"
    grown = Text(PYTHON.replace(last, last + more), "a.py")
    assert None is find(KEY, grown, span, taken[2])
    beside = Text(PYTHON.replace(last, last + "\n\nx = 1\n"), "a.py")
    assert (5, 11) == find(KEY, beside, span, taken[2])


def test_a_span_without_words_is_none() -> None:
    """Blank lines say nothing, and lines beyond the end are not there."""
    text = Text("a = 1\n\n\nb = 2\n", "a.py")
    assert None is take(KEY, text, Cited(first=2, last=3))
    assert None is take(KEY, text, Cited(first=4, last=9))
    assert None is take(KEY, Text("", "a.py"), Cited())
