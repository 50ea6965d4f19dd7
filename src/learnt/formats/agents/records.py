"""Records of a transcript in the form of Claude Code's, made of what others' lines say."""

from learnt.core.records import JsonObject, JsonValue, member, text_of
from learnt.formats.agents import reports


def text_in(content: JsonValue) -> str:
    """The text of a content: a string, or rows that have one each.

    >>> text_in([{"text": "a"}, {"image": "x"}, {"text": "b"}])
    'a\\nb'
    """
    rows = content if isinstance(content, list) else [{"text": content}]
    return "\n".join(filter(None, (text_of(member(row, "text")) for row in rows)))


def said(line: JsonObject, who: str, *parts: JsonValue, **message: JsonValue) -> JsonObject:
    """A record at a line's time; a part that is a string is a text."""
    rows = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    stamp = line.get("timestamp")
    return {"type": who, "message": {"content": rows, **message}, "timestamp": stamp}


def use(agent: str, name: JsonValue, tool: JsonValue, given: JsonValue, folder: str) -> JsonObject:
    """A call, by Claude Code's names of the tool and its input."""
    call = reports.told_call_of(agent, tool, given, folder or None)
    named: JsonObject = {"name": call["tool_name"], "input": call["tool_input"]}  # type: ignore[dict-item]  # what JSON held
    return {"type": "tool_use", "id": name, **named}


def result(name: JsonValue, told: object) -> JsonObject:
    """The result of a call, as `reports.result` tells it."""
    text = told if isinstance(told, str) else ""
    failed = text.startswith(("Exit code ", "Error: "))
    return {"type": "tool_result", "tool_use_id": name, "content": text, "is_error": failed}
