"""Words of human languages stand in the language room's data files, and not in the rules.

Docstrings are no rules: an example in one may be in any language.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

import pytest

from learnt.core import words
from learnt.language.data import ROOT, languages
from tests.architecture.source import Source, sources
from tools.words import TARGET, written

IDEOGRAPHS = re.compile("[\u3400-\u9fff]")
# Alternatives of a pattern: words that are parted by bars and nothing else.
BARRED = re.compile(r"(?<![\w\\])[a-z]{2,}\??(?:\)?\|[a-z]{2,}\??){2,}(?!\w)", re.IGNORECASE)
WORD = re.compile(r"[a-z]{2,}")
LIST = 3  # so many English words together are a list of words
# Each with the reason why words stand there all the same.
EXCEPTED = {
    "core/words.py": "written by tools/words.py from the data files, for the core and the hook",
    "core/tokens.py": "ranges of scripts, and no word",
    "core/knowledge/numbers.py": "endings of files' names",
    "core/governance/actors.py": "names of programs",
    "core/digest/bare.py": "ranges of scripts, and no word",
    "core/digest/commands.py": "names of programs and of their subcommands",
    "core/digest/steps.py": "names of programs and of their subcommands",
    "core/shell.py": "names of programs",
    "core/deeds.py": "names of programs, of their options and of places",
    "core/downloads.py": "names of programs and of their options",
    "core/secret_places.py": "names of programs, headers and parts of addresses",
    "core/visible_text.py": "ranges of scripts, and no word",
    "core/skills/threat_patterns.py": "names of programs, paths, keys and hosts",
    "core/knowledge/spans/": "keywords of programming languages",
}


def rules() -> list[Source]:
    """The files of core and flows that hold no words by right."""
    return [
        source
        for source in sources()
        if source.name.startswith(("core/", "flows/"))
        and not source.name.startswith(tuple(EXCEPTED))
    ]


def literals(source: Source) -> list[str]:
    """The strings of a file, joined where they stand side by side, without its docstrings."""
    documented = {
        id(node.body[0].value)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in documented
    ]


def test_no_rule_holds_chinese() -> None:
    """Neither in a string nor in a comment; what is excepted is named with its reason."""
    found = {
        source.name
        for source in rules()
        if any(IDEOGRAPHS.search(text) for text in [*literals(source), *comments(source)])
    }
    assert set() == found


def test_no_rule_holds_a_list_of_english_words() -> None:
    """Alternatives of a pattern, a collection, or a text that is split; own names are no words."""
    own = own_names()
    found = {
        f"{source.name}: {' '.join(listed)[:60]}"
        for source in rules()
        for listed in lists(source.tree)
        if is_words(listed, own)
    }
    assert set() == found


@pytest.mark.parametrize(
    ("code", "whether"),
    [
        ('re.compile("error|fail|fatal")', True),
        ('re.compile(r"(?:never|must not|always|only)?")', True),
        ('re.compile(r"\\b(?:never|always|only)\\b")', True),
        ('GUESSES = {"maybe", "perhaps", "probably"}', True),
        ('GUESSES = ["maybe", "perhaps"]', False),
        ('"maybe perhaps probably".split()', True),
        ('print("Maybe it is so, perhaps not, probably.")', False),
        ('KINDS = ("schema", "procedure", "tool_experience")', False),
        ('shared(cure, "source turn hard")', False),
        ('"maybe|qqq|xxx"', False),
        ('STATES = "created merged retired".split()', False),
    ],
)
def test_a_list_of_words_is_told_from_a_sentence_and_from_names(code: str, whether: bool) -> None:
    """Which is what the test above looks for."""
    own = frozenset({"created", "merged", "retired"})
    assert whether is any(is_words(listed, own) for listed in lists(ast.parse(code)))


def english() -> frozenset[str]:
    """The English words of the language room's data files."""
    texts = (path.read_text("utf-8") for path in (ROOT / "en").glob("*.txt"))
    return frozenset(word for text in texts for word in WORD.findall(text.casefold()))


ENGLISH = english()


def is_words(listed: list[str], own: frozenset[str]) -> bool:
    """Whether enough of what is listed are words, and no names of Learnt's own."""
    return len({word for word in listed if word in ENGLISH} - own) >= LIST


def own_names() -> frozenset[str]:
    """Fields and attributes, and what records and enumerations spell out as their values."""
    names = set[str]()
    for node in (node for source in sources() for node in ast.walk(source.tree)):
        if isinstance(node, ast.ClassDef):
            values = [part.value for part in node.body if isinstance(part, ast.Assign)]
            fields = [part.target for part in node.body if isinstance(part, ast.AnnAssign)]
            names |= {str(value.value) for value in values if isinstance(value, ast.Constant)}
            names |= {field.id for field in fields if isinstance(field, ast.Name)}
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Literal":
            names |= {str(part.value) for part in ast.walk(node) if isinstance(part, ast.Constant)}
    return frozenset(names)


def lists(tree: ast.AST) -> Iterator[list[str]]:
    """What a file lists: between bars, in collections of texts alone, in texts that are split."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for match in BARRED.finditer(node.value):
                yield WORD.findall(match[0].casefold())
        elif isinstance(node, ast.Set | ast.Tuple | ast.List):
            texts = [part.value for part in node.elts if isinstance(part, ast.Constant)]
            if len(texts) == len(node.elts):
                yield [str(text).casefold() for text in texts]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("'.split", '".split')):
            yield str(ast.literal_eval(ast.unparse(node.func)[: -len(".split")])).casefold().split()


def comments(source: Source) -> list[str]:
    """The comments of a file."""
    tokens = tokenize.generate_tokens(io.StringIO(source.text).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def test_the_words_of_the_core_are_those_of_the_data_files() -> None:
    """`python -m tools.words` writes them."""
    assert written() == TARGET.read_text("utf-8")
    assert "the" in words.STOP_WORDS


def test_nothing_in_python_lists_the_languages() -> None:
    """A language is a folder: no code names one."""
    codes = set(languages())
    assert {"en", "zh"} <= codes
    named = {
        source.name
        for source in sources()
        if source.name.startswith("language/") and codes & set(literals(source))
    }
    assert set() == named
