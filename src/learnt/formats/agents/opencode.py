"""opencode: no hooks of the shell, but a plug-in, which hands each event to the hook."""

import json
from collections.abc import Mapping
from typing import Final

from learnt.formats.agents import reports
from learnt.formats.agents.dialects import PROMPT, STARTS, STEP, Dialect, Sees, same

OPENCODE: Final = Dialect(
    name="opencode",
    id=reports.OPENCODE,
    title="opencode",
    tried="1.18.33",
    folder=".config/opencode",
    in_project=".opencode",
    variable="OPENCODE_CONFIG_DIR",
    settings="plugins/learnt.js",
    form="plugin",
    events={
        **same("Stop"),
        STARTS: ("session.created", "session.compacted"),
        PROMPT: ("chat.message",),
        STEP: ("tool.execute.after",),
    },
    resume="opencode --session",
    sees=Sees(
        failure="part: a command that exits otherwise than with 0; of a tool that breaks off "
        "it tells nothing",
        outcomes="part: of commands and files; a tool that breaks off is not told",
        skills="part: a skill that was read; one that could not be is not told",
        sessions="no: it keeps them in a store of its own",
    ),
)


# Every event waits for the hook, whose own deadline is short; whatever goes wrong stays silent.
_CODE: Final = """\
// Learnt's plug-in for opencode (learnt_hook): written by `learnt init`, taken out by
// `learnt uninstall`. It hands each event to Learnt's hook, and puts its answer before the model.
import { spawn } from "node:child_process"

const COMMANDS = {/* commands */}
const LONGEST = 200_000

export const Learnt = async ({ directory }) => {
  const prompts = new Map()

  const report = (event, session, more) =>
    new Promise((resolve) => {
      let told = ""
      const finish = () => {
        try {
          resolve(JSON.parse(told).hookSpecificOutput.additionalContext || "")
        } catch {
          resolve("")
        }
      }
      try {
        const options = { stdio: ["pipe", "pipe", "ignore"], timeout: 5000 }
        const hook = spawn("/bin/sh", ["-c", COMMANDS[event]], options)
        hook.stdout.on("data", (part) => { told += part })
        hook.on("error", () => resolve(""))
        hook.on("close", finish)
        hook.stdin.on("error", () => {})
        const where = { session_id: session, cwd: directory, prompt_id: prompts.get(session) }
        hook.stdin.end(JSON.stringify({ ...where, ...more }))
      } catch {
        resolve("")
      }
    })

  return {
    event: async ({ event }) => {
      const given = event.properties || {}
      const session = given.sessionID || given.info?.id
      const started = { "session.created": "startup", "session.compacted": "compact" }[event.type]
      if (started) await report("SessionStart", session, { source: started })
      if (event.type === "session.idle") await report("Stop", session, {})
    },
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const typed = parts.filter((part) => part.type === "text" && !part.synthetic)
      prompts.set(sessionID, message.id)
      const prompt = typed.map((part) => part.text).join("\\n")
      const note = await report("UserPromptSubmit", sessionID, { prompt })
      const last = typed[typed.length - 1]
      if (note && last) {
        parts.push({ ...last, id: last.id + "learnt", text: note, synthetic: true })
      }
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const shown = String(output.output ?? "").slice(0, LONGEST)
      const note = await report("PostToolBatch", sessionID, {
        tool_name: tool, tool_input: args, tool_use_id: callID,
        tool_response: { output: shown, exit: output.metadata?.exit },
      })
      if (note) output.output = (output.output ?? "") + "\\n\\n" + note
    },
  }
}
"""


def plugin(commands: Mapping[str, str]) -> str:
    """The plug-in's code, for the command of each event."""
    return _CODE.replace("{/* commands */}", json.dumps(dict(commands), indent=2))
