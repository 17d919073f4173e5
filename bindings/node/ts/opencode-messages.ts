// Messages of OpenCode as items of a list, and back.

import { callInputs, changed, resultTexts } from './call-texts.js'
import type { Item, ListShape } from './list-shape.js'

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
      if (message?.info.role === 'user') return [{ ...message, parts: said(message.parts, texts) }]
      if (message) {
        const text = resultTexts(items)
        const input = callInputs(items)
        const done = results(message.parts)
        const parts = message.parts.map(part => (done.includes(part) ? { ...part, state: changedState(part, text(part.callID), input(part.callID)) } : part))
        return [{ ...message, parts }]
      }
      return texts.map((text, at) => {
        const [id, messageID] = [`prt_throughline${at}`, `msg_throughline${at}`]
        return { info: { ...user, id: messageID }, parts: [{ id, messageID, sessionID: user.sessionID, type: 'text', text, synthetic: true }] }
      })
    },
  }
}

/** Parts of a message of the user that has these texts, with the files that it still has. */
function said(parts: Part[], texts: string[]): Part[] {
  const own = parts.filter(part => part.type === 'text' && part.text)
  const last = own.length - 1
  return parts.map(part => {
    const at = own.indexOf(part)
    const text = at === last ? texts.slice(last).join('\n') : texts[at]
    return at < 0 || text === undefined ? part : { ...part, text }
  })
}

function changedState({ state }: Part, text: string | undefined, input: Item | undefined): Part['state'] {
  if (!state) return state
  const own = state.output ?? state.error ?? ''
  const field = state.status === 'error' ? 'error' : 'output'
  const output = text === undefined || text === own ? {} : { [field]: text }
  return { ...state, ...output, input: changed<unknown>(input, state.input) }
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
