"""What rules suspect of two sentences; and the one shape in which a person corrects."""

import pytest

from learnt.core.knowledge.relating import NEAR, compare, corrects, two_values
from learnt.stores.stemming import porter


@pytest.mark.parametrize(
    ("one", "other", "sort", "clash"),
    [
        ("CI waits 30 s for the lock", "CI waits 60 s for the lock", "contradicts", "number"),
        ("CI waits 60 s for the lock", "CI waits 1 min for the lock", "same", ""),
        ("The app works offline", "The app does not work offline", "contradicts", "negation"),
        ("导出的文件带表头。", "导出的文件不带表头。", "contradicts", "negation"),
        ("Der Shop lauscht auf Port 80", "Der Shop lauscht nicht auf Port 80", "contradicts",
         "negation"),
        ("Errors are reported to Sentry", "Errors are reported to Datadog", "contradicts", "words"),
        ("推荐服务由算法组维护。", "推荐服务由平台组维护。", "contradicts", "words"),
        ("Run migrations before the rollout of pods", "Run the rollout of pods before migrations",
         "contradicts", "order"),
        ("The export runs at night", "The export of orders runs at night", "same", ""),
    ],
)  # fmt: skip
def test_what_is_near_is_suspected_by_that_in_which_it_differs(
    one: str, other: str, sort: str, clash: str
) -> None:
    """In any language that has the words; either way round."""
    for pair in ((one, other), (other, one)):
        compared = compare(*pair, porter)
        assert (sort, clash) == (compared.sort, compared.clash)
        assert compared.likeness >= NEAR


def test_what_shares_little_is_suspected_of_nothing() -> None:
    """However much its numbers differ."""
    told = compare("The gateway listens on 8443", "Nightly backups keep 14 days", porter)
    assert (None, "") == (told.sort, told.clash)
    assert compare("", "", porter).sort is None


CORRECTED = [
    ("no, the gateway listens on 9443, not 8443", "The gateway listens on port 8443"),
    ("the gateway port is 9443 and not 8443", "The gateway listens on port 8443"),
    ("the gateway listens on 9443 instead of 8443", "The gateway listens on port 8443"),
    ("nein, das Gateway lauscht auf 9443, nicht auf 8443", "Das Gateway lauscht auf Port 8443"),
    ("预发网关监听 9443，不是 8443", "预发网关监听 8443 端口"),
    ("backups go to the cold bucket, not the warm bucket", "Backups go to the warm bucket"),
]
NOT_CORRECTED = [
    ("it is 9443, not 8443", "The gateway listens on port 8443"),  # it names no thing
    ("the importer reads Latin-1, not UTF-8", "The exporter reads UTF-8"),
    ("the gateway listens on 9443, not 8444", "The gateway listens on port 8443"),
    ("the gateway listens on 8443, not 8443", "The gateway listens on port 8443"),
    ("the gateway listens on 9443, not TLS", "The gateway listens on port 8443, TLS"),
    ("t_stock.c0 counts pallets, not pieces", "t_order.c0 counts boxes, not pieces"),
    ("t_order.c1 counts boxes, not pieces", "t_order.c0 counts boxes, not pieces"),
    ("strings of the installer are an exception, not translated", "All strings are translated"),
    ("strings of the installer, not translated", "Strings are translated by gettext"),
    ("backups go on staging to cold, not warm", "Backups go to warm"),
    ("the gateway listens on 9443", "The gateway listens on port 8443"),
    ("the gateway does not listen on 8443", "The gateway listens on port 8443"),
]


@pytest.mark.parametrize(("new", "old"), CORRECTED)
def test_a_person_corrects_by_saying_which_value_takes_the_others_place(new: str, old: str) -> None:
    """Both values are in the person's words, and the rest names the same thing."""
    assert corrects(new, old, porter)


@pytest.mark.parametrize(("new", "old"), NOT_CORRECTED)
def test_all_else_corrects_nothing(new: str, old: str) -> None:
    """Another thing, another value, no thing at all, or no such shape."""
    assert not corrects(new, old, porter)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The port is 8443", "The port is 9443"),
        ("Errors are reported to Sentry", "Errors are reported to Datadog"),
        ("登录验证码的有效期是 5 分钟。", "登录验证码的有效期是 3 分钟。"),
        ("Priya owns pricing_module", "Tomasz owns pricing_module"),
        ("Without --region the CLI talks to eu-west", "Without --region the CLI talks to us-east"),
    ],
)
def test_one_thing_may_have_two_values(old: str, new: str) -> None:
    """They differ in one place, behind the name of the thing or beside it."""
    assert two_values(old, new, porter) and two_values(new, old, porter)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The exporter reads UTF-8", "The importer reads UTF-8"),
        ("A password has at least 12 characters", "A password has at most 128 characters"),
        ("Rows in carts live 30 days", "Rows in cart_events live 400 days"),
        ("The app works offline", "The app does not work offline"),
        ("入住前取消，不收手续费", "入住前取消，不收取手续费"),
        ("The session expires after 90 minutes", "The session expires after 5400 seconds"),
        ("Releases go out on Tuesdays", "We ship whenever main is green"),
    ],
)
def test_two_things_have_a_value_each(old: str, new: str) -> None:
    """Another subject, another bound, the same value, or nothing that could be put in its place."""
    assert not two_values(old, new, porter)
