"""The hook builds by hand the same bytes as formats.wire, for any input."""

from hypothesis import given
from hypothesis import strategies as st

from learnt.core import safety
from learnt.formats import wire
from learnt.surfaces import hook, hook_slow

_bytes = st.binary(max_size=30).filter(lambda raw: b"\x00" not in raw) | st.sampled_from([
    b"/a\nb", b"100%", b"%0A", b"\xff\xfe", "/数据\u2028".encode(), b"a\rb", b"a=b", b"",
])  # fmt: skip
_environment = st.dictionaries(
    st.sampled_from([*hook.ENVIRONMENT, b"PATH", b"ANTHROPIC_API_KEY"]), _bytes
)


def text(raw: bytes) -> str:
    """Bytes as Python decodes them from the environment and the command line."""
    return raw.decode("utf-8", "surrogateescape")


@given(_bytes, st.binary(max_size=60), st.integers(0, 10**9), _environment)
def test_the_hooks_frame_is_the_wires(
    event: bytes, body: bytes, size: int, environment: dict[bytes, bytes]
) -> None:
    """Whatever the event is called, whatever came in, whatever the environment holds."""
    allowed = {
        text(name): text(environment[name]) for name in hook.ENVIRONMENT if name in environment
    }
    expected = wire.Frame(
        event=text(event),
        agent="claude-code",
        hook=hook.VERSION,
        size=size,
        environment=allowed,
        body=body,
    )

    sent = hook.frame(text(event), body, size, environment)

    assert wire.encode(expected) == sent
    assert expected == wire.decode(sent)


def test_hook_and_worker_agree_on_their_limits() -> None:
    """One allow-list and one size in all the places that can't share it."""
    assert wire.LARGEST_BODY == hook.LARGEST
    assert wire.ENVIRONMENT == tuple(text(name) for name in hook.ENVIRONMENT) == hook_slow.ALLOWED
    assert callable(safety.excerpt)
