"""`doctor` names the trouble of an embedder, and search goes on by words."""

from tests.support.homes import Home

FACT = "The release train leaves on tuesdays at noon"
CONFIG = '[search]\nembedder = "fastembed:nobody/none"\nfolder = "nowhere"\n'


def test_what_is_degraded_is_named_and_words_go_on(home: Home) -> None:
    """A warning that says what to do, and what shares a word with the question is found."""
    home.install()
    home.here("knowledge", "capture", "--kind", "business_rule", FACT, typed="")
    (home.path / "config.toml").write_text(CONFIG, encoding="utf-8")
    probes = home.here("doctor", "--json").json["probes"]
    (probe,) = (probe for probe in probes if probe["name"] == "embedder")
    hit = home.here("recall", "release train")

    assert "warning" == probe["level"]
    assert "search goes by words alone" in probe["todo"]
    assert (0, True) == (hit.exit_code, FACT in hit.output)
    assert "by words alone" in hit.errors


def test_an_embedder_on_a_server_is_asked_no_more(home: Home) -> None:
    """A home that names one searches by words; `doctor` names the lines to delete."""
    config = '[search]\nembedder = "openai:small"\nurl = "https://models.example/v1"\n'
    (home.path / "config.toml").write_text(config, encoding="utf-8")
    probes = home.here("doctor", "--json").json["probes"]
    told = [probe["said"] for probe in probes if probe["name"] == "settings"]
    assert [name.partition("`")[2].partition("`")[0] for name in told] == [
        "[search] url",
        '[search] embedder = "openai:small"',
    ]
    assert "embedder" not in {probe["name"] for probe in probes}
