// Written by `throughline watch` for one run of OpenCode, and removed after it.
import { spawn } from "node:child_process"

const COMMAND = "{{command}}"
// Characters from which a result is offered to the hook, which may replace it; null: none is.
const OFFERED = "{{offered}}"
const CAP = 64 * 1024 * 1024

/// Runs the hook of an event. Gives what it answers with; a hook that fails gives nothing and stops nothing.
function hook(payload, seconds = 60) {
  return new Promise((done) => {
    const child = spawn("/bin/sh", ["-c", COMMAND], { stdio: ["pipe", "pipe", "ignore"] })
    const timer = setTimeout(() => child.kill(), seconds * 1000)
    let out = ""
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (text) => (out.length < CAP ? (out += text) : undefined))
    child.stdin.on("error", () => {})
    child.on("error", () => done({}))
    child.on("close", () => {
      clearTimeout(timer)
      try {
        done(JSON.parse(out).hookSpecificOutput ?? {})
      } catch {
        done({})
      }
    })
    child.stdin.end(JSON.stringify(payload))
  })
}

export const ThroughlinePlugin = async ({ client, directory }) => {
  const seen = new Set()
  const lost = new Map()
  const contexts = new Map()
  const known = new Set()

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
      if (!found) return ""
      return (await hook({ hook_event_name: event, source, session: found })).additionalContext ?? ""
    } catch {
      return ""
    }
  }

  /// Offers a large result to the hook. What it answers is shown to the model; the original stays if it answers nothing.
  async function offer(input, output) {
    const isBlocks = Array.isArray(output.content)
    const response = isBlocks ? output.content : output.output
    const size = isBlocks ? JSON.stringify(response).length : (response?.length ?? 0)
    if (OFFERED === null || size <= OFFERED) return
    const id = input.sessionID
    const payload = { hook_event_name: "PostToolUse", session_id: id, cwd: directory }
    Object.assign(payload, { tool_name: input.tool, tool_use_id: input.callID, tool_response: response, tool_input: input.args ?? {} })
    if (!known.has(id)) payload.session = await session(id)
    known.add(id)
    const shown = (await hook(payload, 10)).updatedToolOutput
    if (shown === undefined) return
    if (isBlocks) output.content = shown
    else output.output = shown
  }

  return {
    "tool.execute.after": async (input, output) => {
      try {
        await offer(input, output)
      } catch {}
    },
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
