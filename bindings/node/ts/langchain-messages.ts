// Messages of LangChain as items of a list, and back.

import { AIMessage, HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from 'langchain'

import type { Item } from './list-sync.js'
import type { CacheLifetime } from './operations.js'

/** One item of Anthropic's form. */
export function toItems(message: BaseMessage): Item[] {
  const content = typeof message.content === 'string' ? texts(message.content) : message.content.flatMap(block)
  if (ToolMessage.isInstance(message)) {
    const is_error = message.status === 'error'
    return [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: message.tool_call_id, content, is_error }] }]
  }
  if (!AIMessage.isInstance(message)) return [{ role: message.type === 'system' ? 'system' : 'user', content }]
  const calls = (message.tool_calls ?? []).map(({ id, name, args: input }) => ({ type: 'tool_use', id, name, input }))
  return [{ role: 'assistant', content: [...content.filter(({ type }) => type === 'text'), ...calls] }]
}

const texts = (text: string): Item[] => (text === '' ? [] : [{ type: 'text', text }])

function block(one: Item): Item[] {
  if (one.type === 'text') return texts(String(one.text))
  if (one.type === 'image_url') {
    const url = typeof one.image_url === 'string' ? one.image_url : (one.image_url as Item).url
    return String(url).startsWith('data:') ? [{ type: 'image_url', image_url: { url } }] : texts(`[a picture at ${url}]`)
  }
  // Calls stand in `tool_calls`, thinking is the provider's.
  const passed = ['tool_use', 'tool_call', 'thinking', 'redacted_thinking', 'reasoning', 'input_json_delta'].includes(String(one.type))
  return passed ? [] : texts(`[a block of the type ${one.type}]`)
}

/** Messages for items that the engine has changed or made. */
export function fromItems(items: Item[], texts: string[], originals: BaseMessage[]): BaseMessage[] {
  const tools = originals.filter(message => ToolMessage.isInstance(message))
  if (tools.length > 0 && tools.length === originals.length) {
    return tools.map((message, at) => new ToolMessage({ ...(message as ToolMessage), content: texts[at] ?? '' }))
  }
  return items.map(({ role }, at) => (role === 'assistant' ? new AIMessage(texts[at] ?? '') : new HumanMessage(texts[at] ?? '')))
}

/** The message with a breakpoint of the prompt cache at its end, if there is one. */
export function marked<M extends BaseMessage>(message: M, ttl: CacheLifetime | undefined): M {
  const blocks: Item[] = typeof message.content === 'string' ? texts(message.content) : (message.content as Item[])
  const last = blocks.at(-1)
  const kind = Object.entries({ ai: AIMessage, human: HumanMessage, system: SystemMessage, tool: ToolMessage }).find(([type]) => type === message.type)?.[1]
  if (!ttl || !last || !kind) return message
  const content = [...blocks.slice(0, -1), { ...last, cache_control: { type: 'ephemeral', ttl } }]
  return new (kind as unknown as new (fields: object) => M)({ ...message, content })
}
