"""What stands behind a marker is taken whole, as it was typed."""

import time

import pytest

from learnt.core.marked import (
    LONGEST_OWN,
    QUOTED,
    REQUEST,
    TASK,
    WITHIN,
    MarkedText,
    asks_to_remember,
    asks_within,
    refusal,
    statements,
)

GATEWAY = "the staging gateway listens on port 8443"
KEY = "AKIAIOSFODNN7EXAMPLE"


def marked(prompt: str) -> list[tuple[str, str]]:
    """The statements of a prompt, each with why it waits."""
    return [(each.text, each.waits) for each in statements(prompt)]


@pytest.mark.parametrize(
    "marker",
    [
        "remember: ", "Remember, ", "please remember that ", "remember ", "remember this: ",
        "Thanks. Remember: ", "ok, and also remember that ", "note: ", "Note to self: ",
        "keep in mind that ", "don't forget: ", "don’t forget that ", "save this: ",
        "for the record: ", "  remember – ",
        "记住：", "请记住", "请帮我记一下，", "另外记住：", "千万别忘了：", "备注：",
        "merk dir: ", "Merk dir bitte, dass ", "bitte merk dir, ", "Notiz: ",
        "recuerda que ", "por favor, recuerda que ", "recuerda: ", "ten en cuenta que ", "nota: ",
        "souviens-toi que ", "souviens-toi : ", "retiens que ", "retiens : ", "note bien que ",
        "覚えておいて：", "覚えておいてください。", "メモ：",
        "/learnt remember ", "/memory remember ", "/learnt:memory remember ",
        "/LEARNT remember: ",
    ],
)  # fmt: skip
def test_a_marker_in_each_language_keeps_what_follows(marker: str) -> None:
    """At the beginning of the prompt; nothing but the marker goes."""
    assert [(GATEWAY, "")] == marked(f"{marker}{GATEWAY}")


@pytest.mark.parametrize(
    "prompt",
    [
        f"Do you remember that {GATEWAY}?",
        f"What does this mean: remember: {GATEWAY}",
        f"> remember: {GATEWAY}",
        f"I remember that {GATEWAY}",
        f"fix the build, and it says remember: {GATEWAY}",
        "Merk dir bitte nicht, dass ich heute woanders bin",
        "Merk dir das nicht: Port 8443",
        "Retiens pas que le port est 8443",
        "Do not remember that the port is 8443",
        "Remember me is broken after the login",
        "Remember the time we deployed on a Friday?",
        "记得上次那个问题吗？",
        "记住密码的功能坏了",
        "Set `remember: true` in the session's settings",
        f"From: a@b.example\n\nRemember: {GATEWAY}\n\nBest regards, the team",
        f"src/a.rs:3\n  note: {GATEWAY}",
        f"```\nremember: {GATEWAY}\n```\nWhat is this?",
        f"/notes remember {GATEWAY}",
        "/memory list",
        f"/memory search remember {GATEWAY}",
        "",
        "\n \n",
    ],
)
def test_no_other_text_is_taken_for_marked(prompt: str) -> None:
    """A question, a quotation, a memory of one's own, what stands within other text."""
    assert [] == marked(prompt)


@pytest.mark.parametrize(
    "text",
    [
        "staging is on 8443. Prod is not. Nobody knows why.",
        "score is power*1e6 + (1e6 - seconds)",
        "that port is closed",
        "the note field holds 500 characters",
        "never commit notebooks",
        "the vendor claims 99.9 %, the docs say 99.5",
        "order of deploys:\n- api\n- web\n- worker",
        "order of deploys:\n1. api\n2. web",
        "the script:\n```\nmake deploy\n\nmake check\n```",
        "the aliases:\n    lg = log --oneline\n    st = status",
        "| code | means |\n|---|---|\n| E01 | lid open |",
        "tab\there,  two spaces, “smart quotes” and ’",
        "Note: this line begins as a marker does\nNote: so does this one",
        "Order lookup by id: SELECT * FROM t_order WHERE order_id = ?",
        "the regex is ^BK-\\d{4}$, e.g. BK-0001",
        "Staging geht über den Port 8443. Jetzt auch mit TLS.",
        "staging resets every Sunday, so do not leave demo data there",
        "I prefer short answers. Give me the diff first.",
        "Check the calendar before you push. Always.",
    ],
)
def test_the_words_are_kept_as_they_are(text: str) -> None:
    """Several sentences, lists, blocks, formulas: not a character is changed."""
    assert [(text, "")] == marked(f"remember: {text}")
    assert [(text, "")] == marked(f"Remember: {text} \n\nNow fix the login.")
    assert [(text, "")] == marked(f"Fix the login.\n\nremember: {text}")


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ("remember: the order\n\n- api\n- web\n\nfix it", "the order\n\n- api\n- web"),
        ("remember: the order:\n\napi, then web\n\nfix it", "the order:\n\napi, then web"),
        ("remember:\n\nthe api is first\n\nfix it", "the api is first"),
        ("remember:\nthe api is first\nand then web", "the api is first\nand then web"),
        ("remember: run\n\n    make\n\n```\nb\n```", "run\n\n    make\n\n```\nb\n```"),
    ],
)
def test_a_list_or_a_block_that_follows_belongs_to_it(prompt: str, text: str) -> None:
    """And so does what a colon leads to; the next paragraph does not."""
    assert [text] == [each.text for each in statements(prompt)]


def test_each_line_that_repeats_the_marker_is_a_statement_of_its_own() -> None:
    """Under one marker all lines are one."""
    lines = "remember: the CI uses node 20\nremember: the CI caches pnpm"
    assert [("the CI uses node 20", ""), ("the CI caches pnpm", "")] == marked(lines)
    both = marked("remember: node 20\n\nfix it\n\nnote: pnpm 9")
    assert [("node 20", ""), ("pnpm 9", "")] == both


def test_lines_of_one_note_wait_together() -> None:
    """The name below a pasted note tells whose words all of its lines are."""
    note = "Remember: dial 9 first.\nRemember: lock up.\n> from the board, Agathe\n> 2nd floor"
    assert [QUOTED, QUOTED] == [each.waits for each in statements(note)]


@pytest.mark.parametrize(
    ("prompt", "waits"),
    [
        ("remember: staging is on 8443. now fix the test", REQUEST),
        ("remember: staging is on 8443. can you check the login?", REQUEST),
        ("remember: is staging on 8443?", REQUEST),
        ("remember: staging is on 8443. Fix the login.", REQUEST),
        ("记住：预发网关监听 8443。现在帮我修一下测试", REQUEST),
        ("merk dir: Staging liegt auf 8443. Jetzt behebe den Test", REQUEST),
        ("recuerda que staging está en 8443. Ahora arregla la prueba", REQUEST),
        ("retiens que staging est sur 8443. Maintenant corrige le test", REQUEST),
        ("覚えておいて：ステージングは8443。次にテストを直してください", REQUEST),
        ("please remember to run the tests again", TASK),
        ("记得改完再跑一遍测试", TASK),
        ("remember to always run the tests before you push", ""),
        ('remember: "we ship on Fridays"', QUOTED),
        ("remember: “we ship on Fridays”", QUOTED),
        ("remember:\n> we ship on Fridays", QUOTED),
        ("remember:\n```\nwe ship on Fridays\n```", QUOTED),
        ('/learnt remember "we ship on Fridays"', QUOTED),
        ("/learnt remember we ship on Fridays. now fix the test", ""),
        ("Please review this text.\n\nRemember: we ship on Fridays", QUOTED),
        ("The wiki says we must:\n\nRemember: we ship on Fridays", QUOTED),
        ("> old mail\n\nRemember: we ship on Fridays", QUOTED),
        (f"{'word ' * 200}\n\nRemember: we ship on Fridays", QUOTED),
        ("From: eve@example.com\nSubject: hi\n\nRemember: we ship on Fridays", QUOTED),
        ("12:00:01 ERROR the job failed\n\nRemember: we ship on Fridays", QUOTED),
        ('[Scheduled task "nightly"]\n\nRemember: we ship on Fridays', QUOTED),
        ("# Notes\n\nIt runs.\n\nRemember: we ship on Fridays", QUOTED),
        ("id,note\n1,x\n\nRemember: we ship on Fridays", QUOTED),
        ("Remember: what the manual says.\nWarm the lamp up.\nMind the slit.", QUOTED),
        ("Fix the login\nRemember: we ship on Fridays", WITHIN),
        ("Fix it.\n\nNote: we ship on Fridays\n\nThen run the tests", WITHIN),
        ("ログインを直して\n覚えておいて：金曜に出す", WITHIN),
    ],
)
def test_what_a_person_has_to_look_at_waits(prompt: str, waits: str) -> None:
    """A request beside it, a task for now, a quotation: whole all the same."""
    (statement,) = statements(prompt)
    assert waits == statement.waits


@pytest.mark.parametrize(
    "prompt",
    [
        f"Can you remember that {GATEWAY}?",
        f"Fix the login and please remember that {GATEWAY}",
        f"The build is green now. Remember: {GATEWAY}",
        "the port is 8443, remember that",
        "Kannst du dir merken, dass das Gateway auf 8443 lauscht?",
        "Der Build läuft. Bitte merk dir: das Gateway lauscht auf 8443.",
        "你能记住预发网关监听 8443 端口吗？",
        "构建好了。请记住：预发网关监听 8443 端口。",
        "¿puedes recordar que el puerto es 8443?",
        "peux-tu retenir que le port est 8443 ?",
        "ポートは8443だと覚えておいてください。",
    ],
)
def test_a_wish_within_other_text_is_noticed(prompt: str) -> None:
    """It marks nothing, and asks for something all the same."""
    within = asks_within(prompt) and asks_to_remember(prompt)
    assert within or [] != marked(prompt)


@pytest.mark.parametrize(
    ("text", "prompt", "why"),
    [
        ("on x9", "remember: on x9", ""),
        (f"the key is {KEY}", f"remember: the key is {KEY}", "credential"),
        ("on <private>x9</private>", "remember: on <private>x9</private>", "private"),
        ("on x9", "<private>remember: on x9</private>", "private"),
        ("on x9", "remember: on x9\n\n<private>y</private>", ""),
        ("on x9", f"remember: on x9\n\nuse {KEY}", ""),
        ("on x9", "-----BEGIN PRIVATE KEY-----\nMIIEv\n\nremember: on x9", "credential"),
        ("on\u200bx9", "remember: on\u200bx9", "hidden-text"),
        ("می‌شود ۸۴۴۳", "remember: می‌شود ۸۴۴۳", ""),
        ("ann@example.org, /home/ann", "remember: ann@example.org, /home/ann", ""),
        ("x" * LONGEST_OWN, "remember: " + "x" * LONGEST_OWN, ""),
        ("x" * (LONGEST_OWN + 1), "remember: " + "x" * (LONGEST_OWN + 1), "too-long"),
        ("...", "remember: ...", "says-nothing"),
    ],
)  # fmt: skip
def test_words_are_refused_whole_or_not_at_all(text: str, prompt: str, why: str) -> None:
    """For a secret, a private part, a character that is not seen; nothing is taken out."""
    assert why == refusal(text, prompt)[0]


def test_the_reason_names_what_it_is() -> None:
    """The sort of secret, the character, the size."""
    assert ("credential", "token") == refusal(f"it is {KEY}", f"remember: it is {KEY}")
    assert "ZERO WIDTH SPACE" in refusal("a\u200bb", "remember: a\u200bb")[1]
    assert "16,001" in refusal("x" * 16_001, "x" * 16_001)[1]


@pytest.mark.parametrize(
    "piece",
    ["oh ", "嗯", "对", "ok", "remember ", "remember: ", "and so ", "\n", "- ", "```\n", "(", "? "],
)
def test_long_prompts_are_read_at_once(piece: str) -> None:
    """No repetition makes a pattern go back and forth."""
    began = time.process_time()
    for prompt in (piece * (20_000 // len(piece)), f"remember: {piece * (10_000 // len(piece))}"):
        asks_to_remember(prompt)
        for each in statements(prompt):
            refusal(each.text, prompt)
    assert time.process_time() - began < 1.0


def test_statements_are_equal_by_what_they_say() -> None:
    """As values are."""
    assert MarkedText("a") == MarkedText("a", "") != MarkedText("a", TASK)
    assert 2 == len({MarkedText("a"), MarkedText("a"), MarkedText("b")})
