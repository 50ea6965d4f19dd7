"""What a next prompt says of the episode before it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.language.scorer import QUOTED, reply

SAID = {
    "revert": (
        "Undo the last change",
        "no, put it back",
        "Roll back your changes to auth.py",
        "put everything back the way it was",
        "back it out",
        "撤销刚才的修改",
        "把代码改回去",
        "恢复原样",
        "还是改回原来的写法吧",
    ),
    "correction": (
        "no, I meant the other file",
        "that's not what I asked for",
        "it still fails on Windows",
        "the title should be blue, not red",
        "use tabs instead",
        "Hmm, that gives me the same list as before",
        "you changed the wrong function",
        "thanks, but I asked for JSON",
        "don't touch the config",
        "The button is still missing",
        "Not quite: the second column is missing",
        "You also removed the logging, please add it back",
        "不对，我说的是登录页",
        "还是一样的结果",
        "不是这个文件，是隔壁那个",
        "怎么还是红的",
        "别动配置文件",
        "谢谢，但是标题没改",
        "页面上还是显示旧的价格",
        "为什么把注释删了？",
    ),
    "negative": (
        "doesn't work",
        "It crashes on startup",
        "That made it worse",
        "好像没什么用",
        "it's broken",
        "The page won't load",
        "没用",
        "打不开了",
        "跑不起来",
        "一运行就报错",
    ),
    "praise": (
        "thanks!",
        "I don't have any complaints",
        "No, leave it like that.",
        "不是不行",
        "我没有不满意",
        "great, now add a test for it",
        "lgtm",
        "that did it",
        "no problems, thank you",
        "Looks good to me. Next: the docs",
        "Exactly what I wanted",
        "all green now",
        "谢谢",
        "完美，下一步做缓存",
        "搞定了，辛苦",
        "没问题，合并吧",
        "没有不对的地方",
        "正是我要的",
    ),
    "": (
        "The gradle build fails with unsupported class file major version 65, why is that?",
        "Our nightly export of the orders crashes with an out of memory error on Sundays",
        "Why does the parser need two passes?",
        "Stop the dev server",
        "Reset the counter at midnight",
        "修复登录页的崩溃问题",
        "不好意思，帮我再加个按钮",
        "把标题改成蓝色吧",
        "/clean",
        "/revert",
        "what does this function do?",
        "ok",
        "write a how-to on reverting a migration",
        "Add an undo button to the editor",
        "Next, fix the failing test in CI",
        "how do I roll back a deployment with helm?",
        "Unrelated: the login test fails, have a look",
        "Please add a retry on failure to the client",
        "好的，继续",
        "给编辑器加一个撤销按钮",
        "怎么回滚数据库迁移？",
        "另一个仓库的测试挂了，去看看",
        "把失败重试的次数改成 3",
        "写一个脚本检查坏掉的链接",
    ),
}


@pytest.mark.parametrize(("said", "prompt"), [(s, p) for s, ps in SAID.items() for p in ps])
def test_what_is_said_of_the_last_answer(said: str, prompt: str) -> None:
    """By the words of people, in both languages, with what negates them and what is about else."""
    assert said == reply(prompt).verdict


def test_what_is_quoted_or_code_says_nothing() -> None:
    """Words in backticks and quotation marks are what it is about."""
    assert "" == reply('print "that is wrong" where `undo()` gets called').verdict


@given(st.text(max_size=2_000))
def test_any_text_is_judged(text: str) -> None:
    """No text breaks it, and a quote is short."""
    assert len(reply(text).quote) <= QUOTED


def test_a_long_paste_is_judged_by_its_beginning() -> None:
    """A log that follows is the matter, not the verdict."""
    assert "praise" == reply("Thanks! Here is the next log: " + "x " * 400 + "it is broken").verdict
