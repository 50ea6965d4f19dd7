"""What a next prompt says of the episode before it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.language.scorer import QUOTED, reply

SAID = {
    "revert": (
        "revert that please",
        "Undo the last change",
        "please roll it back",
        "no, put it back",
        "let's revert this",
        "can you undo that?",
        "Roll back your changes to auth.py",
        "discard all of it",
        "put everything back the way it was",
        "back it out",
        "撤销刚才的修改",
        "回滚吧",
        "把代码改回去",
        "请还原",
        "恢复原样",
        "全部撤回",
        "退回到之前的版本",
        "还是改回原来的写法吧",
    ),
    "correction": (
        "no, I meant the other file",
        "that's not what I asked for",
        "it still fails on Windows",
        "You forgot the tests",
        "the title should be blue, not red",
        "wrong branch",
        "use tabs instead",
        "Hmm, that gives me the same list as before",
        "why did you delete the comments?",
        "you changed the wrong function",
        "I wanted it sorted by date",
        "That isn't right",
        "thanks, but I asked for JSON",
        "don't touch the config",
        "it doesn't handle empty input",
        "The button is still missing",
        "actually it should only run on main",
        "you didn't update the docs",
        "Not quite: the second column is missing",
        "This is not the table I was talking about",
        "You also removed the logging, please add it back",
        "不对，我说的是登录页",
        "还是一样的结果",
        "你漏了单元测试",
        "应该用 tabs",
        "不是这个文件，是隔壁那个",
        "怎么还是红的",
        "少了一列",
        "我要的是降序",
        "别动配置文件",
        "你改错地方了",
        "谢谢，但是标题没改",
        "页面上还是显示旧的价格",
        "你忘了更新文档",
        "为什么把注释删了？",
        "数字反了",
    ),
    "negative": (
        "doesn't work",
        "It crashes on startup",
        "this is terrible",
        "That made it worse",
        "now I get an error 500",
        "好像没什么用",
        "no good",
        "it's broken",
        "The page won't load",
        "not helpful",
        "没用",
        "不行",
        "更慢了",
        "打不开了",
        "页面崩了",
        "跑不起来",
        "太乱了",
        "一运行就报错",
    ),
    "praise": (
        "thanks!",
        "I don't have any complaints",
        "No, leave it like that.",
        "不是不行",
        "我没有不满意",
        "Perfect",
        "great, now add a test for it",
        "works now",
        "lgtm",
        "Nice one",
        "that did it",
        "not bad",
        "no problems, thank you",
        "Looks good to me. Next: the docs",
        "awesome, ship it",
        "Exactly what I wanted",
        "nothing wrong with that",
        "all green now",
        "谢谢",
        "不错",
        "可以了",
        "完美，下一步做缓存",
        "搞定了，辛苦",
        "很好",
        "没问题，合并吧",
        "没有不对的地方",
        "好用！",
        "正是我要的",
    ),
    "": (
        "The gradle build fails with unsupported class file major version 65, why is that?",
        "Our nightly export of the orders crashes with an out of memory error on Sundays",
        "Fix the failing test in tests/test_a.py",
        "Why does the parser need two passes?",
        "Users should be able to reset their password",
        "Stop the dev server",
        "Use pathlib rather than os.path in utils.py",
        "Reset the counter at midnight",
        "Every endpoint must have a rate limit",
        "修复登录页的崩溃问题",
        "删除没有用的依赖",
        "不好意思，帮我再加个按钮",
        "为什么要用 Redis？",
        "把标题改成蓝色吧",
        "/clean",
        "/revert",
        "Now add a settings page",
        "what does this function do?",
        "ok",
        "continue",
        "write a how-to on reverting a migration",
        "Add an undo button to the editor",
        "Can you explain the error handling in http.py?",
        "Next, fix the failing test in CI",
        "rename the error class",
        "how do I roll back a deployment with helm?",
        "go on",
        "Unrelated: the login test fails, have a look",
        "Please add a retry on failure to the client",
        "好的，继续",
        "接下来写文档",
        "给编辑器加一个撤销按钮",
        "解释一下这个错误处理类",
        "怎么回滚数据库迁移？",
        "另一个仓库的测试挂了，去看看",
        "把失败重试的次数改成 3",
        "这个函数是干什么的？",
        "写一个脚本检查坏掉的链接",
        "加一个错误页面",
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
