"""Learnt's own texts that lie beside these modules: Markdown, and a plug-in's code."""

import pkgutil


def own_text(path: str) -> str:
    """The text at a path below this folder.

    >>> own_text("regression_issue.md").splitlines()[-1]
    '<!-- {mark} -->'
    """
    return (pkgutil.get_data("learnt.formats", path) or b"").decode("utf-8")
