// Messages of pi as items of a list, and back. OpenClaw has the same messages.

import type { Item } from './list-sync.js'

type Content = { type: string; text?: string; data?: string; mimeType?: string; id?: string; name?: string; arguments?: unknown }
/** A message of pi, as far as it is read here. */
export type Message = {
  role: string
  content?: string | Content[]
  summary?: string
  toolCallId?: string
  isError?: boolean
  stopReason?: string
  errorMessage?: string
  usage?: { input: number; output: number; cacheRead: number; cacheWrite: number }
}

/** At most one item of Anthropic's form for each. */
export function toItems(message: Message): Item[] {
  const parts = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : (message.content ?? [])
  const content = parts.flatMap(blocks)
  if (message.role === 'toolResult') {
    return [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: message.toolCallId, content, is_error: message.isError }] }]
  }
  if (message.role !== 'assistant') return [{ role: 'user', content: message.summary ? [{ type: 'text', text: message.summary }] : content }]
  // pi leaves out what failed or was stopped.
  return message.stopReason === 'error' || message.stopReason === 'aborted' ? [] : [{ role: 'assistant', content }]
}

function blocks({ type, text, data, mimeType, id, name, arguments: input }: Content): Item[] {
  if (type === 'image') return [{ type, source: { type: 'base64', media_type: mimeType, data } }]
  if (type === 'toolCall') return [{ type: 'tool_use', id, name, input: Object(input) }]
  return type === 'text' && text ? [{ type, text }] : []
}

/** Messages for items that the engine has changed or made. */
export function fromItems(items: Item[], texts: string[], originals: Message[]): Message[] {
  if (originals.length > 0 && originals.every(message => message.role === 'toolResult')) {
    return originals.map((message, at) => ({ ...message, content: [{ type: 'text', text: texts[at] }] }))
  }
  const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 }
  const made = { api: '', provider: '', model: '', usage: zero, stopReason: 'stop', timestamp: 0 }
  return items.map(({ role }, at) => ({ ...made, role: role as string, content: [{ type: 'text', text: texts[at] ?? '' }] }))
}

/** The usage of a message: what `ListSync.reported` takes. */
export function reported({ usage }: Message): [number, number, number, number] {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage ?? {}
  return [input + cacheRead + cacheWrite, cacheRead, cacheWrite, output]
}
