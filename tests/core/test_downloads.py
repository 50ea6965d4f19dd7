"""A download is followed from the command that fetches it to the one that runs it."""

import pytest

from learnt.core.deeds import deeds
from learnt.core.downloads import Downloads

URL = "https://files.example.net"


def runs(text: str) -> bool:
    """Whether a text has its reader run a download."""
    return any(deed.rule == "pipe-to-shell" for deed in deeds(text))


@pytest.mark.parametrize(
    "fetch",
    [
        f"curl {URL}/a",
        "ftp -o - ftp.example.net/a",
        "ipfs cat /ipns/files.example.net/a",
        "gh gist view 123",
        "openssl s_client -connect files.example.net:443",
        "docker run --rm registry.example.net/a cat /a",
        f"unheard-of {URL}/a",
    ],
)
@pytest.mark.parametrize(
    "run", ["{} | sh", "bash <({})", "awk -f <({}) x.log", 'x=$({}); eval "$x"', "{{ {}; }} | zsh"]
)
def test_what_fetches_may_feed_no_interpreter(fetch: str, run: str) -> None:
    """A known program fetches, and any other one that has an address in its words."""
    assert runs(run.format(fetch))


@pytest.mark.parametrize(
    ("write", "name"),
    [
        (f"curl -sLo /opt/b {URL}/a", "/opt/b"),
        (f"curl --output=b.sh {URL}/a", "./b.sh"),
        (f"curl -O {URL}/a.sh?x=1", "a.sh"),
        (f"curl {URL}/a > b", "b"),
        (f"curl {URL}/a | tee b", "b"),
        (f"curl {URL}/a | dd of=b", "b"),
        (f'f=$(mktemp); curl -o "$f" {URL}/a', "$f"),
        (f"wget -P /opt {URL}/a.sh", "/opt/a.sh"),
        ("scp ann@files.example.net:/srv/a.sh b.sh", "b.sh"),
        ("aws s3 cp s3://files/a.sh b.sh", "b.sh"),
        ("git clone git@files.example.net:ann/kit.git", "kit/go.sh"),
        (f"curl -o a.tgz {URL}/a && tar xf a.tgz", "./go.sh"),
        (f"curl {URL}/a | tar xz -C /opt/kit", "/opt/kit/go.sh"),
        (f"curl -o a {URL}/a && cp a b", "b"),
        (f"curl -o a.c {URL}/a && gcc a.c -o b", "./b"),
        ("id=$(docker create ann/a) && docker cp $id:/a ./b", "./b"),
    ],
)
def test_what_a_fetching_command_writes_may_not_be_run(write: str, name: str) -> None:
    """The name is an option's, a redirection's, a copy's, or that of the address."""
    assert runs(f"{write} && bash {name}")
    assert not runs(f"{write} && bash other.sh")


@pytest.mark.parametrize(
    "run",
    [
        "./a.sh",
        "sudo -u ann ./a.sh",
        "python3 -u a.sh",
        "source a.sh",
        "sh < a.sh",
        "cat a.sh | sh",
        "sudo dpkg -i a.sh",
        "msiexec /i a.sh /qn",
        "make -f a.sh",
        "java -jar a.sh",
        "LD_PRELOAD=./a.sh ls",
        "ssh ann@files.example.net ./a.sh",
        "adb install a.sh",
    ],
)
def test_a_downloaded_file_is_run_in_many_ways(run: str) -> None:
    """As a program, by an interpreter, by an installer, or loaded into another program."""
    assert runs(f"curl -o a.sh {URL}/a; chmod +x a.sh; {run}")


def test_a_name_is_remembered_from_line_to_line() -> None:
    """Steps of a text are one flow; a folder that was unpacked holds in its own line alone."""
    assert runs(f"First `curl -O {URL}/a.sh`.\n\nRead it.\n\nThen `bash a.sh`.")
    assert not runs(f"`curl {URL}/a.tgz | tar xz`\n\nLater on, in the repository: `./build.sh`")


@pytest.mark.parametrize(
    "text",
    [
        f"curl -o a.csv {URL}/a && python3 load.py a.csv",
        f"curl {URL}/a | python3 load.py",
        f"curl {URL}/list | xargs -n1 curl -O",
        f"v=$(curl {URL}/version) && docker build --build-arg V=$v .",
        f"Get it with `curl -O {URL}/a.sh` and open a.sh in your editor.",
        f"curl -O {URL}/a.pdf && xdg-open a.pdf",
        f"curl {URL}/fonts.zip -o fonts.zip && unzip fonts.zip -d ~/.fonts && fc-cache",
        f"The shell is bash (wget {URL} is the mirror).",
        f"See {URL}/setup.sh for details; run bash scripts/setup.sh",
        "git clone https://github.com/ann/site.git && cd site && npm ci && npm test",
        "ssh web1 'journalctl -u app' > app.log; python3 scripts/parse.py app.log",
    ],
)
def test_a_download_that_is_only_read_is_none_that_runs(text: str) -> None:
    """It is data, a word of a sentence, or an argument of another program."""
    assert not runs(text)


def test_what_is_decoded_is_followed_too() -> None:
    """A file of decoded text has a rule of its own."""
    found = list(deeds("echo Y3Vyb | base64 -d > /tmp/a && bash /tmp/a"))
    assert {deed.rule for deed in found} == {"runs-decoded-text"}


def test_a_command_does_not_run_the_file_that_it_fetches() -> None:
    """Also where the same command is read twice."""
    downloads = Downloads()
    line = f"docker run -v ./a:/a ann/a ; ssh web1 cat >./b ; uv pip download -o c.whl {URL}/c"
    assert not any(downloads.run_by(line) for _ in range(3))
