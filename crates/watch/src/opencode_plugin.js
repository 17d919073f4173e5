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
  const added = new Map()
  const sent = new Set()
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

  /// Reports that a context is in the request that is about to leave, and which message will have its answer. An answer that
  /// broke off proves nothing, so the next request is reported too.
  async function report({ sessionID: id, agent, message }) {
    const put = added.get(id)
    if (!put) return
    const found = await client.session.messages({ path: { id }, query: { limit: 4 } })
    // The user may have written since. A title and a summary are asked for in the same session.
    const answer = found.data?.findLast(({ info }) => info.role === "assistant")?.info
    if (!answer || answer.summary || answer.agent !== agent || answer.parentID !== message.id) return
    added.delete(id)
    const isThere = put.messages.includes(put.to) && put.to.parts.includes(put.part) && put.part.text === put.text
    if (!isThere) return
    sent.add(answer.id)
    await hook({ hook_event_name: "ContextSent", session_id: id, message_id: answer.id }, 10)
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
    "chat.params": async (input) => {
      try {
        await report(input)
      } catch {}
    },
    event: async ({ event }) => {
      const id = event.properties?.sessionID
      const info = event.properties?.info
      if (event.type === "message.updated" && sent.has(info?.id) && info.time?.completed && !info.error) {
        const context = contexts.get(info.sessionID)
        if (context) context.isAnswered = true
      }
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
      const part = { id: "prt_throughline", sessionID: id, messageID: to.info.id, type: "text", text: context.text, synthetic: true }
      to.parts.push(part)
      if (!context.isAnswered) added.set(id, { messages: output.messages, to, part, text: context.text })
    },
  }
}
