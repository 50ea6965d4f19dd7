"""Words of human languages stand in the language room's data files, and not in the rules."""

import ast
import io
import re
import tokenize

from learnt.core import words
from learnt.language.data import languages
from tests.architecture.source import Source, sources
from tools.words import TARGET, written

IDEOGRAPHS = re.compile("[\u3400-\u9fff]")
# Five English words in a row that are parted by bars or blanks and nothing else: a list.
LISTED = re.compile(
    r"(?:\b[a-z]{2,}\b\??(?:\||\)\|)){4}|(?<!\w)(?:[a-z]{2,} ){12}(?![a-z ]*[.,:;])"
)
# Each with the reason why words stand there all the same.
EXCEPTED = {
    "core/words.py": "written by tools/words.py from the data files, for the core and the hook",
    "core/tokens.py": "ranges of scripts, and no word",
    "core/knowledge/parts.py": "endings of files' names",
    "core/knowledge/usage.py": "marks of what was made general",
    "core/digest/commands.py": "names of programs",
    "core/digest/steps.py": "names of programs and of their subcommands",
    "core/skills/hidden_text.py": "ranges of scripts and letters that look alike",
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
    """Alternatives of a pattern, or a list of words to split."""
    found = {
        source.name for source in rules() if any(LISTED.search(text) for text in literals(source))
    }
    assert set() == found


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


def test_a_list_of_words_is_told_from_a_sentence() -> None:
    """Which is what the test above looks for."""
    assert LISTED.search("error|fail|fatal|exception|denied")
    assert LISTED.search("one two three four five six seven eight nine ten eleven twelve thirteen")
    assert not LISTED.search("Nothing was captured. Domains add kinds; doctor tells of the others.")
