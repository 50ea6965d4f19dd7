"""Stems by the Porter algorithm (PyStemmer), each word stemmed once."""

from functools import lru_cache

import Stemmer

_PORTER = Stemmer.Stemmer("porter", 0)  # its own cache is slower than none


@lru_cache(maxsize=8_192)
def porter(word: str) -> str:
    """The stem of an English word; a word of another script is its own.

    >>> porter("locking"), porter("死锁")
    ('lock', '死锁')
    """
    return str(_PORTER.stemWord(word)) if word.isascii() else word
