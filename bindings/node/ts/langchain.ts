// LangChain and LangGraph: a middleware of `createAgent`.

import { AIMessage, createMiddleware, tool, type BaseMessage } from 'langchain'

import { fromItems, marked, toItems } from './langchain-messages.js'
import { openSession, type Session, type SessionOptions } from './session.js'

/** A session for `createAgent({ middleware: [session.middleware] })`. */
export interface LangChainSession extends Session<BaseMessage> {
  middleware: ReturnType<typeof createMiddleware>
}

/** Opens a session. One session serves one thread. `cache` sets the breakpoints of the prompt cache that the engine plans, for Claude. */
export async function throughline({ cache, ...options }: SessionOptions & { cache?: boolean }): Promise<LangChainSession> {
  const session = await openSession<BaseMessage>(options, { toItems, fromItems, identity: true })
  const { list, call } = session
  const tools = session.tools.map(({ name, description, input_schema: schema }) =>
    tool((input: unknown) => call(name, input), { name, description, schema }),
  )
  const middleware = createMiddleware({
    name: 'Throughline',
    tools,
    wrapModelCall: async (request, handler) => {
      const answer = await list.send(request.messages, async (sent, { marks, systemMark }) => {
        const messages = cache ? sent.map((message, at) => marked(message, marks.get(at))) : sent
        const systemMessage = cache ? marked(request.systemMessage, systemMark) : request.systemMessage
        return handler({ ...request, messages, systemMessage })
      })
      if (AIMessage.isInstance(answer)) await note(answer, request.messages)
      return answer
    },
  })
  const note = async ({ usage_metadata: usage, ...answer }: AIMessage, before: BaseMessage[]) => {
    const { cache_read, cache_creation } = usage?.input_token_details ?? {}
    list.reported(usage?.input_tokens, cache_read, cache_creation, usage?.output_tokens)
    if (!answer.tool_calls?.length) await list.finished([...before, new AIMessage({ content: answer.content })])
  }
  return { ...session, middleware: middleware as LangChainSession['middleware'] }
}
