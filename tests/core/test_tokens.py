"""Words of any script: what recall matches on."""

import pytest

from learnt.core.tokens import estimate, terms, words
from learnt.core.words import STOP_WORDS

SPELLINGS = [
    ("createUser", "create_user", "CreateUser", "CREATE_USER", "create-user", "Create__User"),
    ("HTTPServer", "http_server", "HttpServer", "HTTP_SERVER", "http-server"),
    ("getUserById", "get_user_by_id", "GetUserByID"),
    ("parseJSONBody", "parse_json_body", "parse-json-body"),
    ("utf8", "UTF-8", "utf_8", "Utf8"),
    ("sha256sum", "SHA256SUM", "sha256Sum"),
]


@pytest.mark.parametrize("spellings", SPELLINGS)
def test_an_identifier_is_one_word_however_it_is_spelt(spellings: tuple[str, ...]) -> None:
    """The first word of every spelling is the same: the whole, joined and folded."""
    assert 1 == len({words(spelling)[0] for spelling in spellings})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("createUser", ["createuser", "create", "user"]),
        ("HTTPServer2", ["httpserver2", "http", "server"]),
        ("getHTTPResponseCode", ["gethttpresponsecode", "http", "response", "code"]),
        ("MAX_RETRIES", ["maxretries", "max", "retries"]),
        ("sha256", ["sha256"]),
        ("v2Beta", ["v2beta", "beta"]),
        ("xIndex", ["xindex", "index"]),
        ("Database", ["database"]),
        ("DATABASE", ["database"]),
        ("std::vector", ["std", "vector"]),
        ("src/app/main.py", ["src", "app", "main", "py"]),
        ("__init__", ["init"]),
        ("a_b", ["ab"]),
        ("create" * 20 + "User", ["create" * 10 + "crea", "create" * 10 + "crea", "user"]),
    ],
)
def test_an_identifier_gives_itself_and_its_parts(text: str, expected: list[str]) -> None:
    """Joints, humps and digits part it; single letters and stop words are no parts."""
    assert expected == words(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("数据库死锁", ["数据", "据库", "库死", "死锁"]),
        ("锁", ["锁"]),
        ("用Redis做缓存", ["用", "redis", "做缓", "缓存"]),
        ("为什么连接失败", ["么连", "连接", "接失", "失败"]),
        ("データベース", ["デー", "ータ", "タベ", "ベー", "ース"]),
        ("データ・ベース", ["デー", "ータ", "ベー", "ース"]),
        ("ﾃﾞｰﾀ", ["デー", "ータ"]),
        ("ひらがな", ["ひら", "らが", "がな"]),
        ("데이터베이스", ["데이", "이터", "터베", "베이", "이스"]),
        ("연결 실패", ["연결", "실패"]),
        ("ราคา 25฿", ["รา", "าค", "คา", "25"]),
    ],
)
def test_unspaced_scripts_give_pairs(text: str, expected: list[str]) -> None:
    """Chinese, Japanese, Korean and Thai are matched by neighbouring pairs of letters."""
    assert expected == words(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("caf\u00e9", "cafe\u0301"),
        ("Straße", "STRASSE"),
        ("ﬁle", "file"),
        ("Ｄａｔａｂａｓｅ", "database"),
        ("ПОДКЛЮЧЕНИЕ", "подключение"),
        ("قَاعِدَة", "قاعدة"),
        ("डेटाबेस", "डेटाबेस"),
        ("데이터", "\u1103\u1166\u110b\u1175\u1110\u1165"),
    ],
)
def test_two_writings_of_a_word_meet(one: str, other: str) -> None:
    """Composition, case, width and marks that stand apart make no difference."""
    assert words(one) == words(other) != []


def test_an_accent_is_kept() -> None:
    """A letter with its accent is another letter, and parts no word."""
    assert ["naïve", "café"] == words("naïve café")


@pytest.mark.parametrize("text", ["हिन्दी डेटाबेस", "மொழி தரவு", "ভাষা তথ্য"])
def test_vowel_signs_part_no_word(text: str) -> None:
    """A word of an Indic script is one word."""
    assert 2 == len(words(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C++", ["cplusplus"]),
        ("c++11 and C#", ["cplusplus", "11", "csharp"]),
        ("F# or .NET", ["fsharp", "dotnet"]),
        ("ASP.NET", ["asp", "dotnet"]),
        ("the .network file", ["network", "file"]),
        ("C is not C", []),
        ("Ｃ＋＋", ["cplusplus"]),
    ],
)
def test_names_made_of_signs_are_words(text: str, expected: list[str]) -> None:
    """Languages whose names the letters alone would not tell have names of their own."""
    assert expected == words(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("user's", ["user"]),
        ("user’s", ["user"]),
        ("don't doesn’t can‘t", []),
        ("rock'n'roll", ["rock", "roll"]),
        ("'quoted'", ["quoted"]),
        ("we've deployed it", ["deployed"]),
    ],
)
def test_apostrophes_leave_the_word(text: str, expected: list[str]) -> None:
    """Straight or curly, a short ending behind an apostrophe is dropped."""
    assert expected == words(text)


def test_stop_words_and_single_letters_are_left_out() -> None:
    """What stands in every text tells nothing."""
    assert ["fail", "fail"] == words("Why does it FAIL x y 1, and how does that fail?")
    assert [] == words(" ".join(STOP_WORDS))


@pytest.mark.parametrize("text", ["constructor", "prototype", "hasOwnProperty", "toString"])
def test_no_word_is_special(text: str) -> None:
    """Names that are dangerous elsewhere are words like any other."""
    assert text.casefold() == words(text)[0]


def test_underscores_around_a_name_are_no_part_of_it() -> None:
    """`__proto__` is found by proto."""
    assert ["proto"] == words("__proto__")


@pytest.mark.parametrize("text", ["", " \n\t", "!?… —", "🙂🙃", "_", "--"])
def test_what_holds_no_word_gives_none(text: str) -> None:
    """Punctuation and pictures are no words."""
    assert [] == words(text)


def test_terms_are_stems_in_order() -> None:
    """Each word is stemmed where it stands."""
    assert ["gniliaf", "kcol"] == terms("failing lock", lambda word: word[::-1])


@pytest.mark.parametrize(
    ("text", "expected"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("锁", 1), ("锁锁", 2)]
)
def test_a_token_is_about_four_bytes(text: str, expected: int) -> None:
    """Rounded up, so that a text never fits because it was rounded away."""
    assert expected == estimate(text)


def test_an_estimate_of_any_text_is_made() -> None:
    """Half a character counts as one."""
    assert 1 == estimate("\ud800")
