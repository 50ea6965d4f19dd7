"""How two statements of knowledge are compared."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.knowledge.relations import Comparison, Relation
from learnt.language.comparison.comparer import compare
from learnt.stores.stemming import porter

DATA = Path(__file__).resolve().parent.parent / "data" / "knowledge"
LABELS = {
    "duplicate": Relation.DUPLICATE,
    "contradiction": Relation.CONTRADICTION,
    "distinct": Relation.DISTINCT,
}


def of(known: str, new: str) -> Comparison:
    """How the new one stands to the known one."""
    return compare(known, new, porter)


NUMBERS = [
    (
        "The import of `orders` times out after 30 s.",
        "The import of `orders` times out after 90 s.",
    ),
    ("Sessions in `web_gate` live for 2 hours.", "Sessions in `web_gate` live for 6 hours."),
    ("Uploads to `media-in` may have up to 20 MB.", "Uploads to `media-in` may have up to 2 GB."),
    ("The mock of `fern-api` listens on port 8080.", "The mock of `fern-api` uses port 8081."),
    ("`crawl_page` 表约 120 万行。", "`crawl_page` 表约 450 万行。"),
    ("登录令牌 `sid` 的有效期是三天。", "登录令牌 `sid` 的有效期是七天。"),
    ("网关 `edge-gw` 的超时是 30 秒。", "网关 `edge-gw` 的超时是 5 分钟。"),
]


@pytest.mark.parametrize(("known", "new"), NUMBERS)
def test_another_number_contradicts(known: str, new: str) -> None:
    """A number of the same thing that differs by more than 5 % contradicts."""
    assert of(known, new).relation is Relation.CONTRADICTION


@pytest.mark.parametrize(("known", "new"), NUMBERS)
def test_numbers_contradict_both_ways(known: str, new: str) -> None:
    """What contradicts by its number does so whichever was known first."""
    assert of(new, known).relation is Relation.CONTRADICTION


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("Table `crawl_page` has 1.2 million rows.", "Table `crawl_page` has 1,203,418 rows."),
        ("A shift in `roster` takes 2 hours.", "A shift in `roster` takes 120 minutes."),
        ("Backups in `vault-b` are kept for a week.", "Backups in `vault-b` are kept 7 days."),
        ("`crawl_page` 表约 120 万行。", "`crawl_page` 表大约有 1,203,000 行。"),
        ("网关 `edge-gw` 的超时是半小时。", "网关 `edge-gw` 的超时为 30 分钟。"),
        ("任务 `sync-a` 最多重试三次。", "任务 `sync-a` 至多重试 3 次。"),
    ],
)
def test_the_same_number_otherwise_spelt(known: str, new: str) -> None:
    """Units, thousands and Chinese numerals come to one number, and 5 % are no difference."""
    assert of(known, new).relation is Relation.DUPLICATE


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("The job `nightly-sum` retries automatically.",
         "The job `nightly-sum` does not retry automatically."),
        ("`stock.bin` is nullable.", "`stock.bin` is NOT NULL."),
        ("Guests may order in the shop `fern`.", "Guests may not order in the shop `fern`."),
        ("`stock.bin` 可为空。", "`stock.bin` 不可为空。"),
        ("`fern-api` 支持批量删除。", "`fern-api` 不支持批量删除。"),
        ("修改 `app.yaml` 后需要重启服务。", "修改 `app.yaml` 后无需重启服务。"),
    ],
)  # fmt: skip
def test_a_negation_contradicts(known: str, new: str) -> None:
    """The same said and denied contradicts."""
    assert of(known, new).relation is Relation.CONTRADICTION


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("Column `hits.key` is a bigint.", "Column `hits.key` is a varchar."),
        ("Logs of `fern-api` go to Elasticsearch.", "Logs of `fern-api` go to ClickHouse."),
        ("`visits.at` is stored in UTC.", "`visits.at` is stored in local time."),
        ("The report `till` runs weekly.", "The report `till` runs monthly."),
        ("退货运费由买家承担。", "退货运费由商家承担。"),
        ("`visits.at` 存的是 UTC。", "`visits.at` 存的是北京时间。"),
        ("`fern-log` 的日志存在 MySQL。", "`fern-log` 的日志存在 ClickHouse。"),
    ],
)
def test_another_value_contradicts(known: str, new: str) -> None:
    """Another type, place, owner or time zone of the same thing contradicts."""
    assert of(known, new).relation is Relation.CONTRADICTION


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("Rows in `hits` are sorted ascending by default.",
         "Rows in `hits` are sorted descending by default."),
        ("Mails of `till` are sent synchronously.", "Mails of `till` are sent asynchronously."),
        ("Prices in `till` are rounded up.", "Prices in `till` are rounded down."),
        ("`hits` 接口默认按时间升序返回。", "`hits` 接口默认按时间降序返回。"),
        ("快照 `snap-a` 由系统自动清理。", "快照 `snap-a` 需要手动清理。"),
        ("手机号在 `people` 表里加密存储。", "手机号在 `people` 表里明文存储。"),
    ],
)  # fmt: skip
def test_an_opposite_contradicts(known: str, new: str) -> None:
    """Antonyms of the same thing contradict."""
    assert of(known, new).relation is Relation.CONTRADICTION


def test_a_reversed_order_contradicts() -> None:
    """First this and then that contradicts first that and then this."""
    found = of("First stop the worker, then copy the database.",
               "First copy the database, then stop the worker.")  # fmt: skip
    assert found.relation is Relation.CONTRADICTION
    assert of("发布时先停网关,再迁移订单库。", "发布时先迁移订单库,再停网关。").relation is (
        Relation.CONTRADICTION
    )


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("Don't delete `keep.lock`, otherwise the installer fails.",
         "Never delete `keep.lock`, or else the installer fails."),
        ("`tiny-gw` drops requests larger than 8 KB.",
         "Requests over 8 KB are dropped by `tiny-gw`."),
        ("The flag `--lean` turns off the cache of `brew-it`.",
         "`brew-it` has its cache disabled by the flag `--lean`."),
        ("`tiny-gw` 会丢弃超过 8 KB 的请求。", "超过 8 KB 的请求会被 `tiny-gw` 丢掉。"),
        ("`people.mail` 不区分大小写。", "`people.mail` 大小写不敏感。"),
    ],
)  # fmt: skip
def test_the_same_in_other_words(known: str, new: str) -> None:
    """Another order of words, synonyms and other voices tell nothing new."""
    assert of(known, new).relation is Relation.DUPLICATE


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("`hits.key` is a bigint.", "`hits.note` is truncated to 80 characters."),
        ("`brew-it --lean` turns the cache off.", "`brew-it --trace` writes its log to `out/`."),
        ("Staging of `till` has 2 replicas.", "Production of `till` has 12 replicas."),
        ("Invoices of `till` are sent at night.", "The worker of `till` leaks memory on ARM."),
        ("测试环境的 `till` 有 2 个副本。", "生产环境的 `till` 有 12 个副本。"),
        ("`hits.key` 是主键。", "`hits.note` 最长 80 个字符,超出截断。"),
        ("部署 `till` 前要先建分区。", "猫咪图片由 `cat-cdn` 缓存一天。"),
    ],
)
def test_additions_stay_apart(known: str, new: str) -> None:
    """Another column, option, environment or subject is neither the same nor against it."""
    assert of(known, new).relation is Relation.DISTINCT


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("The read timeout of `fern-api` is 5 seconds.",
         "The connect timeout of `fern-api` is 2 seconds."),
        ("`fern-api` 的读超时是 5 秒。", "`fern-api` 的连接超时是 2 秒。"),
        ("Parcels of silver members leave within 3 days.",
         "Parcels of gold members leave within 1 day."),
    ],
)  # fmt: skip
def test_the_same_words_of_another_subject_stay_apart(known: str, new: str) -> None:
    """Where subject and value differ both, however alike the rest is worded."""
    assert of(known, new).relation is Relation.DISTINCT


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("The port 8080 is taken by `fern-api`.", "Port 8080 is taken by `fern-api`."),
        ("Note that `fern-api` logs to stdout.", "`fern-api` logs to stdout"),
        ("注意，快照 `snap-a` 每天清理。", "快照 `snap-a` 每天清理"),
    ],
)
def test_next_to_the_same_words_are_the_same_for_certain(known: str, new: str) -> None:
    """Where all is answered and nothing clashes, no judge is asked."""
    found = of(known, new)
    assert found.relation is Relation.DUPLICATE
    assert found.certain


def test_words_that_changed_places_are_not_the_same() -> None:
    """An order of two that is reversed, word for word."""
    found = of("Sort the till report by date first and by branch second.",
               "Sort the till report by branch first and by date second.")  # fmt: skip
    assert found.relation is Relation.CONTRADICTION


def test_an_unknown_pair_is_left_to_a_judge() -> None:
    """Where no relation is probable enough, the comparison says that it isn't certain."""
    rows = _pairs("en") + _pairs("zh")
    unsure = sum(not of(row["a"], row["b"]).certain for row in rows)
    assert 0 < unsure < len(rows) / 2


def test_empty_statements() -> None:
    """Nothing is the same as nothing, and apart from everything else."""
    assert of("", "").relation is Relation.DUPLICATE
    assert of("", "`hits.key` is a bigint.").relation is Relation.DISTINCT
    assert of("`hits.key` is a bigint.", " \n").relation is Relation.DISTINCT


@given(st.text(max_size=200))
def test_a_text_is_the_same_as_itself(text: str) -> None:
    """Whatever a statement is, it adds nothing to itself."""
    found = of(text, text)
    assert found.relation is Relation.DUPLICATE
    assert found.likeness == 1.0


WORDS = [
    *"not|30 s|`a.b`|before|第|三十万|不|，|0x1f|1.2.3|2020-01-02".split("|"),
    *"or|a, b and c|先|再|次/分钟".split("|"),
    "|", "\ud800", "half past", "|?([",
]  # fmt: skip


@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=9), max_size=30),
       st.lists(st.sampled_from(WORDS) | st.text(max_size=9), max_size=30))  # fmt: skip
def test_any_texts_compare(known: list[str], new: list[str]) -> None:
    """No text makes it fail, and a likeness lies between 0 and 1."""
    found = of(" ".join(known), " ".join(new))
    assert 0 <= found.likeness <= 1
    assert bool(found.reason) == (found.relation is Relation.CONTRADICTION)


@given(st.integers(2, 5_000), st.integers(2, 5_000))
def test_numbers_contradict_alike_both_ways(one: int, other: int) -> None:
    """Two numbers of one thing contradict in both directions, or in none."""
    known, new = (f"The pool `fern-db` has {n} connections." for n in (one, other))
    there = of(known, new).relation is Relation.CONTRADICTION
    assert there is (of(new, known).relation is Relation.CONTRADICTION)
    assert there is (abs(one - other) > 0.05 * max(one, other))


def _pairs(language: str) -> list[dict[str, str]]:
    path = DATA / f"pairs_{language}_dev.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _shares(
    rows: Sequence[tuple[Relation, Relation | None]], of_one: Relation
) -> tuple[float, float]:
    hits = sum(is_it is said is of_one for is_it, said in rows)
    there = sum(is_it is of_one for is_it, _ in rows)
    claimed = sum(said is of_one for _, said in rows)
    return hits / there, hits / claimed


def test_the_labelled_pairs() -> None:
    """What is told of the labelled pairs doesn't fall below what was reached once."""
    rows = [(LABELS[row["label"]], of(row["a"], row["b"]).relation)
            for row in _pairs("en") + _pairs("zh")]  # fmt: skip
    recall, precision = _shares(rows, Relation.DUPLICATE)
    assert recall >= 0.88
    assert precision >= 0.83
    recall, precision = _shares(rows, Relation.CONTRADICTION)
    assert recall >= 0.58
    assert precision >= 0.75


def test_what_is_certain_of_the_labelled_pairs() -> None:
    """What is told for certain is right but for one in twenty."""
    found = [(LABELS[row["label"]], of(row["a"], row["b"])) for row in _pairs("en") + _pairs("zh")]
    for relation, least in ((Relation.DUPLICATE, 0.45), (Relation.CONTRADICTION, 0.09)):
        rows = [(is_it, said.relation if said.certain else None) for is_it, said in found]
        recall, precision = _shares(rows, relation)
        assert recall >= least
        assert precision >= 0.95


def test_what_lacks_something_and_is_not_so_either_is_no_sure_denial() -> None:
    """It may be the same turned round: a judge is asked, or both stay."""
    found = of(
        "A row of inventory is one copy of a film, and inventory.store_id says which store has it",
        "A film without a row in inventory has no copy and can never be rented",
    )
    assert not (found.relation is Relation.CONTRADICTION and found.certain)
    plain = of("Every film in `shelf` has a copy.", "No film in `shelf` has a copy.")
    assert (Relation.CONTRADICTION, True) == (plain.relation, plain.certain)


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("The cache of `till` is on in staging.", "The cache of `till` is off in staging."),
        ("The till prints over 8 lines.", "The till prints under 8 lines."),
        ("Only admins delete rooms.", "Admins delete rooms."),
    ],
)
def test_a_small_word_that_tells_two_apart_makes_no_sure_duplicate(known: str, new: str) -> None:
    """Merging such a pair would lose the one or the other."""
    found = of(known, new)
    assert not (found.relation is Relation.DUPLICATE and found.certain)


GERMAN = Path(__file__).resolve().parents[2] / "train" / "data" / "pairs" / "mosel.jsonl"


def test_in_a_language_without_lists_nothing_is_surely_wrong() -> None:
    """Negations are not seen in it: numbers, names and letters make no sure verdict."""
    for line in GERMAN.read_text("utf-8").splitlines():
        row = json.loads(line)
        found = of(row["a"], row["b"])
        assert not found.certain or found.relation is LABELS[row["label"]]


def test_a_text_that_is_the_same_is_the_same_in_any_language() -> None:
    """Letters are read without lists."""
    found = of("Der Zähler `k3` läuft über.", "der Zähler k3 läuft über")
    assert (Relation.DUPLICATE, True) == (found.relation, found.certain)


def test_an_address_is_another_one_by_its_last_number() -> None:
    """All four numbers of it count."""
    found = of("The HSM of SIT is at 10.61.8.22", "The HSM of SIT is at 10.61.8.40")
    assert found.relation is Relation.CONTRADICTION
    assert found.reason == "10.61.8.40, not 10.61.8.22"
