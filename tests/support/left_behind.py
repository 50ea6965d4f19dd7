"""Where under a home a word is still to be found, in whatever spelling."""

import json

from tests.support.homes import Home


def spellings(word: str) -> set[bytes]:
    """The ways in which a word can lie in a file."""
    forms = {word, word.casefold(), word.upper()}
    forms |= {json.dumps(form)[1:-1] for form in set(forms)}
    forms |= {json.dumps(form, ensure_ascii=False)[1:-1] for form in set(forms)}
    forms |= {form.replace("\\u00FC", "\\u00fc") for form in set(forms)}
    encodings = ("utf-8", "utf-16-le", "utf-16-be", "latin-1")
    return {form.encode(name, "replace") for form in forms for name in encodings}


def holding(home: Home, word: str) -> list[str]:
    """The files and names under the home that hold a word."""
    forms = [form for form in spellings(word) if b"?" not in form or "?" in word]
    found = []
    for path in sorted(home.path.rglob("*")):
        content = path.read_bytes() if path.is_file() else b""
        if any(form in content or form in bytes(path) for form in forms):
            found.append(str(path.relative_to(home.path)))
    return found
