"""Redaction: what must not be written down goes, and what only looks like it stays."""

import time

import pytest

from learnt.core.safety import LOOKED_AT, excerpt, public, redact, redact_secrets

_LETTERS = "Zq3xW8vT1kLm5nPs9rYb2cDf"
_KEY = "-----BEGIN {0}PRIVATE KEY{1}-----\nMIIEpAIBAAKC\nAQEAz/+x\n-----END {0}PRIVATE KEY{1}-----"

# Kind, text, and the part of it that must be gone.
SECRETS = [
    ("private-key", _KEY.format("RSA ", ""), "MIIEpAIBAAKC"),
    ("private-key", _KEY.format("", ""), "AQEAz/+x"),
    ("private-key", "key: " + _KEY.format("OPENSSH ", "") + " end", "MIIEpAIBAAKC"),
    ("private-key", _KEY.format("EC ", "").split("-----END")[0], "AQEAz/+x"),
    ("private-key", _KEY.format("PGP ", " BLOCK"), "AQEAz/+x"),
    ("token", "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE", "IOSFODNN7EXAMPLE"),
    ("token", "用 ASIAIOSFODNN7EXAMPLE 登录", "IOSFODNN7EXAMPLE"),
    ("token", "密钥是AKIAIOSFODNN7EXAMPLE的", "IOSFODNN7EXAMPLE"),
    ("token", f"git clone https://ghp_{_LETTERS}@h/r", _LETTERS),
    ("token", f"gh auth: gho_{_LETTERS}.", _LETTERS),
    ("token", f"github_pat_11AAAAAAA_{_LETTERS}", _LETTERS),
    ("token", f"我的令牌是ghs_{_LETTERS}，请不要记", _LETTERS),
    ("token", f"PRIVATE: glpat-{_LETTERS}", _LETTERS),
    ("token", f"SLACK=xoxb-123456789012-{_LETTERS}", _LETTERS),
    ("token", f"ANTHROPIC_KEY: sk-ant-api03-{_LETTERS}-{_LETTERS}AA", _LETTERS),
    ("token", f"'sk-proj-{_LETTERS}'", _LETTERS),
    ("token", f"stripe sk_live_{_LETTERS}", _LETTERS),
    ("token", f"接口用sk-{_LETTERS}调用", _LETTERS),
    ("token", f"maps?k=AIza{_LETTERS}-{_LETTERS}", _LETTERS),
    ("token", f"//registry.example/:_authToken=npm_{_LETTERS}{_LETTERS}", _LETTERS),
    ("token", f"twine: pypi-AgEIcHlwaS5vcmc{_LETTERS}", _LETTERS),
    ("jwt", "cookie eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.s5Gx_k-9q", "eyJzdWIi"),
    ("authorization", "curl -H 'Authorization: Bearer mF_9.B5f-4.1JqM'", "B5f-4"),
    ("authorization", f"authorization: bearer {_LETTERS}", _LETTERS),
    ("authorization", "Authorization: Basic dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNz"),
    ("url-password", "postgres://app:s3cr3tpw@db.internal:5432/app", "s3cr3tpw"),
    ("url-password", "redis://:s3cr3tpw@cache:6379/0", "s3cr3tpw"),
    ("secret", "password=hunter2hunter2", "hunter2"),
    ("secret", "DB_PASSWORD: hunter2hunter2", "hunter2"),
    ("secret", "export DB_PASS=supersecret", "supersecret"),
    ("secret", '{"password": "hunter2hunter2"}', "hunter2"),
    ("secret", "api_key = '0123456789abcdef'", "0123456789"),
    ("secret", "apiKey: 0123456789abcdef", "0123456789"),
    ("secret", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY", "wJalrXUtn"),
    ("secret", "client_secret: a8Q~x1z.Y2", "a8Q~x1z"),
    ("secret", 'passphrase = "p(4)ss;word,99"', "ss;word"),
    ("secret", "the password is hunter2hunter2, isn't it", "hunter2"),
    ("secret", "user,password,passphrase\nann,none,x7k9q2mzT41\n", "x7k9q2mzT41"),
    ("secret", "mysql --password hunter2hunter2 -u root", "hunter2"),
    ("secret", "deploy --auth-token a8Qx1zY2k9", "a8Qx1zY2k9"),
    ("secret", "密码：hunter2hunter2", "hunter2"),
    ("secret", "密码是hunter2hunter2，登录时用", "hunter2"),
    ("secret", "数据库口令为 hunter2hunter2 。", "hunter2"),
    ("secret", "密钥=0123456789abcdef", "0123456789"),
    ("bearer", f"请求头是Bearer {_LETTERS}", _LETTERS),
    ("jwt", "请求头是eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.s5Gx_k-9q", "eyJzdWIi"),
    ("secret", "PGPASSWORD=hunter2hunter2 psql -h db", "hunter2"),
    ("secret", 'dbPassword: "hunter2hunter2"', "hunter2"),
    ("secret", "accessToken=a8Qx1zY2k9 userPassword: b8Qx1zY2k9", "Qx1zY2k9"),
    ("secret", "DB_PASSWORD=x7$Kp9!vQ2%z{3", "Kp9!vQ2"),
    ("secret", "password=q7Z[00%9abcdef!tail", "abcdef!tail"),
    ("secret", "password: q7Zab{00}$9abcdef", "$9abcdef"),
    ("secret", "SIGNING_KEY=a8Qx1zY2k9", "a8Qx1zY2k9"),
    ("secret", "my API key is 0123456789abcdef", "0123456789"),
    ("secret", "password是hunter2hunter2", "hunter2"),
    ("secret", "token：a8Qx1zY2k9", "a8Qx1zY2k9"),
    ("secret", "APPLE_PRIVATE_KEY_B64=MIGHAgEAMBMGByqGSM49AgEGCCq", "GByqGSM49AgEG"),
    ("secret", "I changed root's password on build-2 to Oaf*RQgNlZB", "RQgNlZB"),
    ("secret", "if it asks for a password type Sommer2024!", "Sommer2024"),
    ("secret", "Melde dich mit admin und Sommer2024! an", "Sommer2024"),
    ("secret", "пароль для базы теперь x7k9q2mz", "x7k9q2mz"),
    ("secret", "log in with the backup code 4J3B-N9YV-V86Z", "N9YV"),
    ("secret", "the PIN for the door is 847213", "847213"),
    ("secret", "会议室 wifi，密码 79659650", "79659650"),
    ("secret", '203.0.113.7 : PSK "sLYCbo!Cl.kDYLlT9urj"', "kDYLlT9urj"),
    ("secret", "preshared-key <(echo o4/2SnkXrZh901bqjFokIMmrH=) allowed", "SnkXrZh901b"),
    ("secret", "Borg repo passphrase: copper lantern seven rivers — keep it", "lantern"),
    ("secret", "    secret = teilchenbeschleuniger", "teilchen"),
    ("hash", "root:$6$qfRh4dZX7yjwfWXA$Gm4LJb8nR89w8vu8ifHk:20110:0", "Gm4LJb8nR89"),
    ("command", r"net use Z: \\nas01\scan /user:X\scanner Winterreise24", "Winterreise24"),
    ("command", "snmpwalk -v2c -c tigercomm 10.0.0.1", "tigercomm"),
    ("secret", "evil-winrm -i h -u a -p x7k9q2mz41", "x7k9q2mz41"),
    ("secret", "jwt.sign(payload, 'x7k9q2mzT41pLw')", "x7k9q2mzT41pLw"),
]


@pytest.mark.parametrize(("kind", "text", "secret"), SECRETS)
def test_secrets_go(kind: str, text: str, secret: str) -> None:
    """A credential in any of its usual forms is replaced, and its kind is told."""
    cleaned, found = redact_secrets(text)

    assert secret not in cleaned
    assert f"[redacted:{kind}]" in cleaned
    assert kind in found


@pytest.mark.parametrize(("kind", "text", "secret"), SECRETS)
def test_secrets_stay_gone(kind: str, text: str, secret: str) -> None:
    """Redacting what was redacted changes nothing."""
    once = redact(text)

    assert once == redact(once)
    assert kind in once and secret not in once


HARMLESS = [
    "spki-pin: sha256/oHfcCSDXnZvqCw9R0Q/wbs+YgnhIJAUz6kletTw+lX0=",
    '{"confirmPassword": "确认密码"}',
    "mysql -u root -pYOUR_PASSWORD shop < dump.sql",
    'Secret "sh.helm.release.v1.ledger.v41" created',
    "index c4b0adb..85ed811 100644 of auth/password.go",
    "the password field of utf8mb4 tables fails on build-2",
    "fix in 3f1c0b7d2e9a4c5b6d7e8f901a2b3c4d5e6f7a8b, reverted by 3f1c0b7",
    "session c2d22ab8-57ab-4f6e-9a41-0f9a4d5a0f00 ended",
    "the password reset flow sends two mails",
    "token = next(tokens)",
    "token = get_next_token()",
    "Client(token=get_next_token())",
    "connect(user=user, password=password, token=self.token)",
    "secret = os.environ['X']",
    "SORT_KEY=created_at PARTITION_KEY=tenant_id",
    '{"password": "must have at least 8 characters"}',
    "mysql -p --password=$MYSQL_PASSWORD",
    "![logo](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk)",
    "Use basic authentication behind the proxy",
    "bearer authentication failed with 401",
    "interface User { password: string; token: string }",
    "the password is required, the token is expired after 15 minutes",
    "SyntaxError: Unexpected token: punctuation",
    "First pass: removes duplicates, second pass: renumbers",
    "the secret is base64-encoded in the manifest",
    "ALTER TABLE o ADD CONSTRAINT pk_customer_order_items PRIMARY KEY (id)",
    "pip install sk-learn-compatible-estimators",
    "npm install lodash@4.17.21 @types/node@20.1.0",
    "git clone git@github.com:example/repository.git",
    "see https://example.org:8080/a/b and http://localhost:3000",
    "tokens: 1532 of 200000 used",
    "密码是否正确需要先校验一下再登录",
    "密码：请输入至少八位字符的新密码",
    "令牌过期之后怎么刷新",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "decorate with @app.route and @pytest.mark.parametrize",
    "rm -rf node_modules && npm ci --no-audit",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    """A false alarm would cost the very words that an entry is found by."""
    assert text == redact(text)
    assert (text, ()) == redact_secrets(text)


def test_each_kind_is_told_as_often_as_it_was_found() -> None:
    """The kinds come in the order of the text, repeated as they repeat."""
    text = "password=hunter2hunter2 secret=hunter3hunter3 AKIAIOSFODNN7EXAMPLE"

    cleaned, found = redact_secrets(text)

    assert ("secret", "secret", "token") == found
    assert "password=[redacted:secret] secret=[redacted:secret] [redacted:token]" == cleaned


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ask ann.lee+x@mail.example.org.", "ask [redacted:email]."),
        ("联系ann@example.org吧", "联系[redacted:email]吧"),
        ("open /home/ann/work/a.py", "open ~/work/a.py"),
        ("open '/Users/ann lee/x'", "open '~ lee/x'"),
        (r"open C:\Users\ann\x", r"open ~\x"),
        (r'"C:\\Users\\ann\\x"', r'"~\\x"'),
        ("file:///home/ann/x", "file://~/x"),
        ("/srv/home/ann and ./home/ann", "/srv/home/ann and ./home/ann"),
    ],
)
def test_persons_go_too(text: str, expected: str) -> None:
    """Addresses and the user's folder name are nobody else's business."""
    assert expected == redact(text)


def test_an_excerpt_is_as_long_as_asked() -> None:
    """Five thousand characters are kept as one thousand."""
    assert 1_000 == len(excerpt("x" * 5_000, 1_000))


def test_an_excerpt_is_cut_after_it_was_redacted() -> None:
    """A secret that straddles the cut leaves no half of itself."""
    text = "x" * 20 + " password=hunter2hunter2"

    assert "x" * 20 + " password=[reda" == excerpt(text, 35)


def test_a_long_text_is_cut_between_two_words() -> None:
    """No half of a secret is left at its end, by which nobody could know it."""
    text = f"{'so ' * (LOOKED_AT // 3 - 2)}{'x' * 40} and more"

    assert public(text).endswith("so so")


def test_what_takes_too_long_to_judge_goes() -> None:
    """Names within the values of names: what nobody judged is taken for a secret."""
    assert redact("password=" * 400).endswith("password=[redacted:secret]")


@pytest.mark.parametrize(
    "piece", ["eyJ-", "<private ", "://a:", "a@a.", "token ", "-----BEGIN ", "curl ", "/home/", "k"]
)
def test_no_text_takes_long(piece: str) -> None:
    """The longest prompt that is looked at is redacted at once, whoever wrote it."""
    text = piece * (200_000 // len(piece))
    before = time.monotonic()

    excerpt(text, 2_000)

    assert 2.0 > time.monotonic() - before
