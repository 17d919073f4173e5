// Messages of OpenCode as items of a list, and back.

import type { Item, ListShape } from './list-sync.js'

type Part = {
  id?: string
  messageID?: string
  type: string
  text?: string
  callID?: string
  tool?: string
  mime?: string
  url?: string
  state?: { status: string; input?: unknown; output?: string; error?: string }
}
type Tokens = { input: number; output: number; cache: { read: number; write: number } }
/** A message of OpenCode, as far as it is read here. A call and its result are one part. */
export type Message = {
  info: { id: string; role: string; sessionID: string; time?: { completed?: number }; tokens?: Tokens }
  parts: Part[]
}

/** A message of the model is one item, or two with the results of its calls. */
export function messageShape(): ListShape<Message> {
  /** What the engine makes looks like the newest message of the user. */
  let user: Message['info'] = { id: '', role: 'user', sessionID: '' }
  return {
    toItems({ info, parts }) {
      const texts = parts.flatMap(part => (part.type === 'text' && part.text ? [{ type: 'text', text: part.text }] : []))
      if (info.role === 'user') {
        user = info
        return [{ role: 'user', content: [...texts, ...parts.flatMap(file)] }]
      }
      const done = results(parts)
      const calls = done.map(({ callID: id, tool: name, state }) => ({ type: 'tool_use', id, name, input: Object(state?.input) }))
      const said = texts.length + calls.length > 0 ? [{ role: 'assistant', content: [...texts, ...calls] }] : []
      return done.length > 0 ? [...said, { role: 'user', content: done.map(result) }] : said
    },
    fromItems(items, texts, [message]) {
      const done = message ? results(message.parts) : []
      if (message && items.every(item => item.role === 'user') && done.length === texts.length) {
        const parts = message.parts.map(part => {
          const output = texts[done.indexOf(part)]
          return output === undefined ? part : { ...part, state: { ...part.state, output } as Part['state'] }
        })
        return [{ ...message, parts }]
      }
      if (message) return [message]
      return texts.map((text, at) => {
        const [id, messageID] = [`prt_throughline${at}`, `msg_throughline${at}`]
        return { info: { ...user, id: messageID }, parts: [{ id, messageID, sessionID: user.sessionID, type: 'text', text, synthetic: true }] }
      })
    },
  }
}

const results = (parts: Part[]) =>
  parts.filter(({ type, state }) => type === 'tool' && (state?.status === 'completed' || state?.status === 'error'))

function result({ callID, state }: Part): Item {
  const content = state?.output ?? state?.error ?? ''
  return { type: 'tool_result', tool_use_id: callID, content, is_error: state?.status === 'error' }
}

function file({ type, mime, url = '' }: Part): Item[] {
  const data = /^data:(image\/\w+);base64,(.*)$/s.exec(url)
  if (data) return [{ type: 'image', source: { type: 'base64', media_type: data[1], data: data[2] } }]
  return type === 'file' ? [{ type: 'text', text: `[a file of the type ${mime}]` }] : []
}
