"""`config`: the settings of the home's config.toml, listed, shown and set."""

import json
import tomllib
from contextlib import suppress
from difflib import get_close_matches
from typing import Any, Final

import click

from learnt.errors import Refused, UsageError
from learnt.settings import FILE, Settings, configured, without_config
from learnt.surfaces.cli.context import Call, caller, command, plain, plain_path
from learnt.surfaces.cli.screen import table

SettingKey = tuple[str, str]  # the section, and the name in it
EFFECTS: Final = ("effects", "share")
ROUTES_FILE: Final = ("routes", "file")
_ON_AND_OFF: Final = {"on": True, "off": False}
SHARES: Final = {"on": 0.2, "off": 0.0}


@command()
@click.argument("key", required=False, default="")
@click.argument("value", required=False)
def config(call: Call, key: str, value: str | None) -> int:
    """List the settings, show one, or set it: `learnt config effects on`.

    KEY is a name of config.toml with its section, as in `recall.at_files`, or the name alone.
    VALUE is written as there; `on` and `off` stand for true and false.
    """
    meant = _key(key) if key else None
    if value is not None and meant is not None:
        from learnt.flows.governance.decisions import refuse_others

        who = caller(call.home_option, without_config)  # what cannot be read may be mended by this
        refuse_others(who.decider, f"learnt config {key} {value}")
        click.echo(plain_path(set_to(who.settings, meant, value_of(meant, value))))
        return 0
    rows = [
        (".".join(each), "not set" if held is None else json.dumps(held), FILE[each][1])
        for each, (held, _) in configured(call.home).items()
        if meant in {None, each}
    ]
    click.echo(plain("\n".join(line.rstrip() for line in table(rows))))
    return 0


def set_to(settings: Settings, key: SettingKey, value: object) -> str:
    """Write a setting into config.toml; what was done, in words. Raises Refused where it cannot."""
    from learnt.bootstrap import settings_file
    from learnt.formats.config_toml import Unedited, with_setting
    from learnt.stores import home_folder

    home_folder.prepare(settings.home)
    file, (section, _) = settings_file(settings), key
    text = file.read() or ""
    edited = with_setting(text, *key, value)
    if isinstance(edited, Unedited):
        raise Refused(
            f"{file.name} was not changed: {edited.why}. Add this line to it below [{section}]: "
            f"{edited.line}"
        )
    if edited != text:
        file.write(edited)
    more = " Now run `learnt init` again." if key == ("recall", "at_files") else ""
    return f"{'.'.join(key)} is {json.dumps(value, ensure_ascii=False)} in {file.name}.{more}"


def _key(named: str) -> SettingKey:
    """The setting that is meant: by its section and name, or by a name that no other has."""
    named = ".".join(EFFECTS) if named == EFFECTS[0] else named
    meant = [key for key in FILE if named in {key[1], ".".join(key)}]
    if len(meant) == 1:
        return meant[0]
    names = {name: key for key in FILE for name in (key[1], ".".join(key))}
    near = get_close_matches(named, names, 1, 0.0)[0]
    what = f"{named} belongs to {len(meant)} sections" if meant else f"There is no setting {named}"
    raise UsageError(f"{what}. Closest: {'.'.join(names[near])}. `learnt config` lists all.")


def value_of(key: SettingKey, said: str) -> Any:
    """The value that words mean. Raises UsageError where the setting cannot have it."""
    _, expected, fits = FILE[key]
    switch: dict[str, Any] = SHARES if key == EFFECTS else _ON_AND_OFF
    readings = [switch[said]] if said in switch else []
    with suppress(ValueError):
        readings.append(tomllib.loads(f"value = {said}")["value"])
    for value in (*readings, said):
        if said.isprintable() and fits(value):
            return value
    raise UsageError(f"{'.'.join(key)} must be {expected}. Nothing was changed.")
