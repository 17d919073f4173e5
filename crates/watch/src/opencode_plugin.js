// Written by `throughline watch` for one run of OpenCode, and removed after it.
import { spawn } from "node:child_process"

const COMMAND = "{{command}}"
const CAP = 64 * 1024 * 1024

/// Runs the hook of an event. Gives the context that it answers with; a hook that fails gives none and stops nothing.
function hook(payload) {
  return new Promise((done) => {
    const child = spawn("/bin/sh", ["-c", COMMAND], { stdio: ["pipe", "pipe", "ignore"] })
    const timer = setTimeout(() => child.kill(), 60_000)
    let out = ""
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (text) => (out.length < CAP ? (out += text) : undefined))
    child.stdin.on("error", () => {})
    child.on("error", () => done(""))
    child.on("close", () => {
      clearTimeout(timer)
      try {
        done(JSON.parse(out).hookSpecificOutput.additionalContext ?? "")
      } catch {
        done("")
      }
    })
    child.stdin.end(JSON.stringify(payload))
  })
}

export const ThroughlinePlugin = async ({ client }) => {
  const seen = new Set()
  const lost = new Map()
  const contexts = new Map()

  /// Gives a session in the form of `opencode export`. Those of subagents are left out.
  async function session(id) {
    const [info, messages] = await Promise.all([
      client.session.get({ path: { id } }),
      client.session.messages({ path: { id } }),
    ])
    return info.data?.parentID || !messages.data ? undefined : { info: info.data, messages: messages.data }
  }

  async function run(id, event, source) {
    try {
      const found = await session(id)
      return found ? await hook({ hook_event_name: event, source, session: found }) : ""
    } catch {
      return ""
    }
  }

  return {
    event: async ({ event }) => {
      const id = event.properties?.sessionID
      if (event.type === "session.compacted") lost.set(id, "compact")
      if (event.type === "session.idle") await run(id, "Stop")
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      await run(sessionID, "PreCompact")
    },
    "experimental.chat.messages.transform": async (_, output) => {
      const users = output.messages.filter((message) => message.info.role === "user")
      const last = users.at(-1)
      if (!last) return
      const id = last.info.sessionID
      if (!seen.has(id)) {
        seen.add(id)
        if (!lost.has(id) && output.messages.some((message) => message.info.role === "assistant")) lost.set(id, "resume")
      }
      if (lost.has(id)) {
        const source = lost.get(id)
        lost.delete(id)
        const text = await run(id, "SessionStart", source)
        if (text) contexts.set(id, { text, message: last.info.id })
      }
      const context = contexts.get(id)
      if (!context) return
      // It stays with one message, so that the prompt cache holds.
      const to = users.find((message) => message.info.id === context.message) ?? last
      to.parts.push({
        id: "prt_throughline",
        sessionID: id,
        messageID: to.info.id,
        type: "text",
        text: context.text,
        synthetic: true,
      })
    },
  }
}
