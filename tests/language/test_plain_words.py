"""Whose words stand in a prompt: its author's own wish, or what somebody else says."""

import time

import pytest

from learnt.core.digest.remarks import ALONE
from learnt.language.own_words import own_words
from learnt.language.plain_words import plain, plainly, standing
from learnt.language.remarks import read


@pytest.mark.parametrize(
    "prompt",
    [
        'the poster reads "never deploy on a Friday", make it bold',
        "Mia wrote that we should always squash",
        "suppose all branches must be named after birds",
        "linter says: always give a return type",
        "i don't want you to remember that i work from home today",
        "lol: remember, always blame DNS",
        "should we always pin versions?",
        "the label of the link is [Always be shipping](https://ship.example)",
        "Lena meint, man müsse immer rebasen",
        "angenommen, wir schreiben künftig alles auf Latein",
        "小李说以后都用 yarn",
        "「必ず最初に実行すること」と書いてあります",
        "もし全部タブで統一するとしたら大変です",
        "which one?\n1. never use globals\n2. always return early",
        "Answer Priya's mail, she writes\n\nHi, please always cc me",
        "x = 1; // always call init first",
        "Guys please never restart the broker by day.\n\nwhat do you make of this?",
        "explain this file to me\n\nThe loader always lives at 0x8000.",
        "从 3.0 开始，所有插件都必须使用 ESM 格式。\n\n这是升级指南里的，要改哪些？",
        "Our prompt template has the line You always answer in formal English.",
        "half of the team wants one assertion per test, without exception",
    ],
)
def test_what_others_say_is_not_kept(prompt: str) -> None:
    """A quotation, a report, a supposition, a denial, a joke, a question, a list, a comment."""
    assert () == read(prompt, ALONE, lambda *_: 1.0).remarks


@pytest.mark.parametrize(
    "prompt",
    [
        "please always run the linter before you commit",
        "no, in this repo we use pnpm, not npm",
        "rename the class. and from now on: british spelling in all docs",
        "use `uv run pytest`, never bare `pytest`, in this project",
        "could you please make it a habit to update the changelog?",
        "we name branches after tickets here, can you rename it?",
        "Ab sofort bekommt jeder Branch die Ticketnummer voran.",
        "以后提交之前请务必先跑一遍测试。",
        "今後は main に直接 push しないでください。",
        "never push to main.\n\nwe deploy from tags alone, in this repo",
        "Namen sind bei uns immer englisch.",
        "ask me before you install anything globally",
    ],
)
def test_a_lasting_wish_is_kept_whatever_the_scorer_says(prompt: str) -> None:
    """Its author says that it holds beyond the task."""
    (remark,) = read(prompt, ALONE, lambda *_: -1.0).remarks
    assert remark.asked and not remark.first


def test_a_symptom_is_no_wish() -> None:
    """What always happens is told by the same words."""
    assert not standing("the build always fails on my machine")
    assert standing("never let the build fail")


def test_what_follows_a_foreign_lead_is_nobodys() -> None:
    """Neither on its line nor below it; what is said before it is one's own."""
    prompt = "use yarn. Mail from IT: hi. always use http\nnever use ftp"
    assert [True, False, False, False] == plainly(prompt, [
        "use yarn.", "Mail from IT: hi.", "always use http", "never use ftp"
    ])  # fmt: skip


@pytest.mark.parametrize("piece", ['"a ', "a: ", "1. a ", "「あ", "[a](", "always ", "`a", "(a"])
def test_long_prompts_are_judged_at_once(piece: str) -> None:
    """No repetition makes a pattern go back and forth."""
    text = piece * 1_300
    began = time.process_time()
    plainly(text, own_words(text))
    plain(text[:400])
    standing(text[:400])
    assert time.process_time() - began < 0.5
