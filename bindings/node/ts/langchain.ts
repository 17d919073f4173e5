// LangChain and LangGraph: a middleware of `createAgent`.

import { AIMessage, createMiddleware, HumanMessage, tool, ToolMessage, type BaseMessage } from 'langchain'

import type { Item } from './list-sync.js'
import { openSession, type Session, type SessionOptions } from './session.js'

/** A session for `createAgent({ middleware: [session.middleware] })`. */
export interface LangChainSession extends Session<BaseMessage> {
  middleware: ReturnType<typeof createMiddleware>
}

/** Opens a session. One session serves one thread. */
export async function throughline(options: SessionOptions): Promise<LangChainSession> {
  const session = await openSession<BaseMessage>(options, { toItems, fromItems, identity: true })
  const { list, call } = session
  const tools = session.tools.map(({ name, description, input_schema: schema }) =>
    tool((input: unknown) => call(name, input), { name, description, schema }),
  )
  const middleware = createMiddleware({
    name: 'Throughline',
    tools,
    wrapModelCall: async (request, handler) => {
      let messages = await list.request(request.messages)
      for (;;) {
        try {
          const answer = await handler({ ...request, messages })
          if (AIMessage.isInstance(answer)) await note(answer)
          return answer
        } catch (error) {
          const smaller = await list.refused(error)
          if (!smaller) throw error
          messages = smaller
        }
      }
    },
  })
  const note = async ({ usage_metadata: usage, ...answer }: AIMessage) => {
    const { cache_read = 0, cache_creation: cache_write = 0 } = usage?.input_token_details ?? {}
    const input = Math.max(0, (usage?.input_tokens ?? 0) - cache_read - cache_write)
    if (usage) list.usage({ input, cache_read, cache_write, output: usage.output_tokens })
    if (!answer.tool_calls?.length) await list.answered(new AIMessage({ content: answer.content }))
  }
  return { ...session, middleware: middleware as LangChainSession['middleware'] }
}

function toItems(message: BaseMessage): Item[] {
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

function fromItems(items: Item[], texts: string[], originals: BaseMessage[]): BaseMessage[] {
  const tools = originals.filter(message => ToolMessage.isInstance(message))
  if (tools.length > 0 && tools.length === originals.length) {
    return tools.map((message, at) => new ToolMessage({ ...(message as ToolMessage), content: texts[at] ?? '' }))
  }
  return items.map(({ role }, at) => (role === 'assistant' ? new AIMessage(texts[at] ?? '') : new HumanMessage(texts[at] ?? '')))
}
