// Messages of LangChain as items of a list, and back.

import { AIMessage, HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from 'langchain'

import { byCall, callInputs, changed, resultTexts } from './call-texts.js'
import type { Item } from './list-shape.js'
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
export function fromItems(items: Item[], _texts: string[], originals: BaseMessage[]): BaseMessage[] {
  const text = resultTexts(items)
  const input = callInputs(items)
  if (originals.some(message => ToolMessage.isInstance(message) || AIMessage.isInstance(message))) {
    return originals.map(message => {
      if (ToolMessage.isInstance(message)) return shown(message, text(message.tool_call_id))
      return AIMessage.isInstance(message) ? shortened(message, input) : message
    })
  }
  return items.map(({ content }) => new HumanMessage({ content: (content as Item[]).map(made) as never }))
}

/** A result with this text, if it is another one. */
function shown(message: ToolMessage, content: string | undefined): ToolMessage {
  return content === undefined || content === message.text ? message : new ToolMessage({ ...fields(message), content } as never)
}

/** A message of the model with the inputs of its calls. Some providers have them in its content, too. */
function shortened(message: AIMessage, input: (id: unknown) => Item | undefined): AIMessage {
  const tool_calls = (message.tool_calls ?? []).map(call => ({ ...call, args: changed(input(call.id), call.args) }))
  const own = byCall(tool_calls.map(call => call.id), tool_calls.map(call => call.args))
  const blocks = message.content
  const content = typeof blocks === 'string' ? blocks : blocks.map(one => (one.type === 'tool_use' ? { ...one, input: own(one.id) ?? one.input } : one))
  return new AIMessage({ ...fields(message), content, tool_calls } as never)
}

/** What a copy of a message is made of. */
function fields(message: BaseMessage): Item {
  const { lc_kwargs, lc_serializable, lc_namespace, ...own } = message
  return own
}

function made(block: Item): Item {
  const { media_type, data } = Object(block.source)
  return block.type === 'image' ? { type: 'image_url', image_url: { url: `data:${media_type};base64,${data}` } } : { type: 'text', text: block.text }
}

/** The message with a breakpoint of the prompt cache at its end, if there is one. */
export function marked<M extends BaseMessage>(message: M, ttl: CacheLifetime | undefined): M {
  const blocks: Item[] = typeof message.content === 'string' ? texts(message.content) : (message.content as Item[])
  const last = blocks.at(-1)
  const kind = Object.entries({ ai: AIMessage, human: HumanMessage, system: SystemMessage, tool: ToolMessage }).find(([type]) => type === message.type)?.[1]
  if (!ttl || !last || !kind) return message
  const content = [...blocks.slice(0, -1), { ...last, cache_control: { type: 'ephemeral', ttl } }]
  return new (kind as unknown as new (fields: object) => M)({ ...fields(message), content })
}
