// Items of OpenAI Agents as items of the Responses API, and back.

import type { AgentInputItem } from '@openai/agents'

import type { Item } from './list-sync.js'

/** At most one item of the Responses API for each. */
export function toItems(item: AgentInputItem): Item[] {
  switch (item.type) {
    case 'function_call':
      return [{ type: 'function_call', call_id: item.callId, name: item.name, arguments: item.arguments }]
    case 'function_call_result':
      return [{ type: 'function_call_output', call_id: item.callId, output: content(item.output, 'input_text') }]
    case 'message':
    case undefined:
      return [{ type: 'message', role: item.role, content: content(item.content, item.role === 'assistant' ? 'output_text' : 'input_text') }]
    default:
      // Reasoning and hosted tools stay beside their neighbours.
      return []
  }
}

function content(value: unknown, type: string): Item[] {
  if (typeof value === 'string') return [{ type, text: value }]
  return [value].flat().map(part => {
    const { text, image } = part as { text?: string; image?: unknown }
    if (typeof image === 'string' && image.startsWith('data:')) return { type: 'input_image', image_url: image }
    return { type, text: text ?? `[${(part as Item).type}]` }
  })
}

/** Items for what the engine has changed or made. */
export function fromItems(items: Item[], texts: string[], originals: AgentInputItem[]): AgentInputItem[] {
  const results = originals.filter(item => item.type === 'function_call_result')
  if (results.length > 0) {
    return results.map((item, at) => ({ ...item, output: { type: 'text' as const, text: texts[at] ?? '' } }))
  }
  return texts.map(text => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }))
}
