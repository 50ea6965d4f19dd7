// Learnt's plug-in for opencode (learnt_hook): written by `learnt init`, taken out by
// `learnt uninstall`. It hands each event to Learnt's hook, and puts its answer before the model.
import { spawn } from "node:child_process"

const COMMANDS = {/* commands */}
const LONGEST = 200_000

export const Learnt = async ({ client, directory }) => {
  const prompts = new Map()
  const starts = new Map() // by session, what its next prompt is to carry of its start

  const toast = (message) =>
    client.tui.showToast({ body: { message, variant: "info" } }).catch(() => {})

  const report = (event, session, more) =>
    new Promise((resolve) => {
      let told = ""
      const finish = () => {
        try {
          const answer = JSON.parse(told)
          if (answer.systemMessage) toast(answer.systemMessage)
          resolve(answer.hookSpecificOutput?.additionalContext || "")
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
      if (started) starts.set(session, report("SessionStart", session, { source: started }))
      if (event.type === "session.idle") await report("Stop", session, {})
    },
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const typed = parts.filter((part) => part.type === "text" && !part.synthetic)
      prompts.set(sessionID, message.id)
      if (!starts.has(sessionID)) { // one of an earlier day
        starts.set(sessionID, report("SessionStart", sessionID, { source: "resume" }))
      }
      const start = await starts.get(sessionID)
      starts.set(sessionID, "")
      const prompt = typed.map((part) => part.text).join("\n")
      const told = await report("UserPromptSubmit", sessionID, { prompt })
      const note = [start, told].filter(Boolean).join("\n\n")
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
      if (note) output.output = (output.output ?? "") + "\n\n" + note
    },
  }
}
