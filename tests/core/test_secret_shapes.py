"""Tokens of many issuers, drawn from the alphabets that these use: none is left in any text."""

import hashlib
import re
import string

import pytest

from benchmarks.secrets import survives
from learnt.core.safety import redact_secrets

ALPHABETS = {
    "a": string.ascii_letters + string.digits,  # Base62
    "w": string.ascii_letters + string.digits + "-_",  # Base64 of addresses
    "b": string.ascii_letters + string.digits + "+/",  # Base64
    "t": string.ascii_letters + string.digits + "-_.",
    "l": string.ascii_lowercase + string.digits,
    "u": string.ascii_uppercase + string.digits,
    "r": string.ascii_uppercase + "234567",  # Base32
    "c": string.ascii_letters,
    "h": "0123456789abcdef",
    "d": string.digits,
    "k": "bcdfghjklmnpqrstvwxz2456789",  # of Kubernetes, at the ends of names
    "U": "0123456789ABCDEFGHJKMNPQRSTVWXYZ",  # Crockford's, of ULIDs
    "H": "0123456789ABCDEF",
}
# A service a line: how its tokens begin, and in brackets an alphabet and how many of it.
SHAPES = """
    AKIA{r16} ASIA{r16} ABSK{b132} IQoJb3JpZ2luX2Vj{b260} AIza{w35} GOCSPX-{w28} ya29.a0{w180}
    1//0{d1}{w97} {b76}+ASt{b6}== {b76}ACDb{b6}== {a76}AZDO{a4} {a3}{d1}Q~{w33} ghp_{a36}
    ghs_{a36} github_pat_{a22}_{a59} glpat-{w20} gldt-{w20} glrt-{w20} glagent-{w50} glptt-{h40}
    glsoat-{w20} npm_{a36} pypi-AgEIcHlwaS5vcmc{w120} rubygems_{h48} CLOJARS_{l60} oy2{l43}
    dckr_pat_{w27} sk_live_{a24} rk_live_51{a97} whsec_{a32} sq0csp-{w43} EAAAE{w59} shpat_{h32}
    access_token$production${l16}${h32} xoxb-{d12}-{d12}-{a24} xoxp-{d12}-{d12}-{d12}-{h32}
    xapp-1-A{u10}-{d13}-{h64} xoxe-1-{b146} sk-proj-{w74}T3BlbkFJ{w74} sk-ant-api03-{w93}AA
    sk-or-v1-{h64} sk-{h32} csk-{l48} gsk_{a52} pplx-{a48} xai-{a80} hf_{c34} r8_{a37}
    pcsk_{a6}_{a63} lsv2_pt_{h32}_{h10} dop_v1_{h64} SG.{w22}.{w43} xkeysib-{h64}-{a16}
    {h32}-us{d2} SK{h32} {d10}:AA{w33} MTA{w21}.{w6}.{w38} hvs.{w24} hvb.{w150}
    {a14}.atlasv1.{a67} cfut_{a40}{h8} v1.0-{h24}-{h146} NRAK-{u27} {h36}FFFFNRAL sntryu_{h64}
    glsa_{a32}_{h8} lin_api_{a40} ntn_{d11}{a35} secret_{a43} pat{a14}.{h64}
    ATATT3xFfGF0{w171}={u8} figd_{w40} PMAK-{h24}-{h34} pul-{h40} pscale_pw_{t43} sbp_{h40}
    sb_secret_{w22}_{w8} nfp_{a36} rnd_{a28} dapi{h32} dp.pt.{a43} bkua_{h40} CCIPAT_{a22}_{h40}
    duffel_live_{w43} EZAK{a54} tskey-auth-k{a11}CNTRL-{a32} CFPAT-{w43} tfp_{w44}_{w14}
    LTAI5t{a18} AKID{a32} squ_{h40} dt0c01.{r24}.{r64} API-{u26} re_{a8}_{a24} sgp_{h16}_{h40}
    pat.{w22}.{h24}.{a20} ico-{a32} fio-u-{w64} {a6}_{a29}_mmk sha256~{w43} HRKU-AA{w58}
    AKCp8{a68} pk_{d8}_{u32} fc-{h32} {h36}NRAL {h32}-{h8}-{h8} 2/{d16}/{d16}:{h32}
    00{w40} rdme_{l70} dnkey-{w79} essu_{w90}
""".split()
TEXTS = (
    "The new one is {}, the old one is revoked.", "Use {} when you call it", "令牌是{}，别弄丢了。",
    "[{}] works, tested today", "old->{}", "name,value,owner\nTHING,{},platform",
    "M.it = [[{}]] -- here",
    "config/master.key\n{}\n", "curl -u '{}:' https://api.example.org/v1", "docker run -e A={} img",
    "https://{}@git.example.org/a.git", "https://api.example.org/hook/{}/push", "X-It: {}",
)  # fmt: skip


def drawn(shape: str, number: int) -> str:
    """A token of a shape.

    >>> drawn("npm_{h4}", 0) == drawn("npm_{h4}", 1)
    False
    """
    chance = iter(hashlib.shake_256(f"{shape} {number}".encode()).digest(1_000))
    return re.sub(
        r"\{(\w)(\d+)\}",
        lambda of: "".join(
            ALPHABETS[of[1]][next(chance) % len(ALPHABETS[of[1]])] for _ in range(int(of[2]))
        ),
        shape,
    )


def missed(shape: str, tokens: int) -> list[str]:
    """Texts in which more of a token can be read after redaction than a quarter."""
    left = []
    for number in range(tokens):
        token, text = drawn(shape, number), TEXTS[number % len(TEXTS)]
        if "://" in text and not re.fullmatch(r"[\w.~-]+", token):
            text = TEXTS[0]
        after = redact_secrets(text.format(token))[0]
        left += [text.format(token)] if survives(token, after) else []
    return left


@pytest.mark.parametrize("shape", SHAPES)
def test_no_token_of_a_service_is_left(shape: str) -> None:
    """Bare in a sentence, in a file, on a command line, in an address, in a header."""
    assert [] == missed(shape, 26)


@pytest.mark.slow
def test_of_four_hundred_tokens_of_a_service_two_are_left_at_most() -> None:
    """A half of one in a hundred, of each service."""
    left = {shape: missed(shape, 400) for shape in SHAPES}

    assert {} == {shape: texts for shape, texts in left.items() if len(texts) > 2}


@pytest.mark.parametrize("shape", ["{b86}==", "cflt{b60}", "{b60}"])
def test_a_key_of_sixty_characters_needs_no_name(shape: str) -> None:
    """In a sentence; a digest and a public key say what they are."""
    key = drawn(shape, 1)
    assert key not in redact_secrets(f"use {key} in the console")[0]
    for text in (f"the lock file has sha512-{key} for it", f"Stripe('pk_live_{key}')"):
        assert text == redact_secrets(text)[0]


@pytest.mark.parametrize("text", ["the Django secret key is {}", "token: {}", "id,token\n7,{},x"])
def test_a_key_of_django_is_known_by_its_alphabet(text: str) -> None:
    """Fifty small letters, digits and signs, wherever a key, a token or a secret is named."""
    alphabet = f"{ALPHABETS['l']}!@#$%^&*(-_=+)"
    for number in range(200):
        drawn_bytes = hashlib.shake_128(f"{number}".encode()).digest(50)
        key = "".join(alphabet[byte % len(alphabet)] for byte in drawn_bytes)
        assert not survives(key, redact_secrets(text.format(key))[0]), key
