// OpenAI Agents: a wrapper of the model, and the engine's tools.

import { tool, type AgentInputItem, type FunctionTool, type Model, type ModelRequest, type StreamEvent, type Usage } from '@openai/agents'

import { fromItems, isCall, toItems } from './agents-items.js'
import { openSession, type Session, type SessionOptions } from './session.js'

/** A session for `new Agent({ model: session.model(model), tools: [...yours, ...session.functions] })`. */
export interface AgentsSession extends Session<AgentInputItem> {
  /** The model behind the engine. */
  model(model: Model): Model
  /** The engine's tools. */
  functions: FunctionTool[]
}

/** Opens a session. One session serves one conversation. A list that the provider keeps (`conversationId`) passes unchanged. */
export async function throughline(options: SessionOptions): Promise<AgentsSession> {
  const session = await openSession<AgentInputItem>(options, { toItems, fromItems, wire: 'openai_responses' })
  const { list, call } = session
  const stands = ({ input, conversationId, previousResponseId }: ModelRequest) =>
    typeof input !== 'string' && !conversationId && !previousResponseId
  const note = async ({ input }: ModelRequest, usage: Partial<Usage> | undefined, output: AgentInputItem[]) => {
    const details = [usage?.inputTokensDetails ?? []].flat() as Record<string, number>[]
    const cache_read = details.reduce((sum, one) => sum + (one.cached_tokens ?? 0), 0)
    list.reported(usage?.inputTokens, cache_read, 0, usage?.outputTokens)
    const said = output.find(item => item.type === 'message')
    if (said && !output.some(isCall)) await list.finished([...(input as AgentInputItem[]), said])
  }
  const model = (model: Model): Model => ({
    getResponse: async request => {
      if (!stands(request)) return model.getResponse(request)
      const response = await list.send(request.input as AgentInputItem[], input => model.getResponse({ ...request, input }))
      await note(request, response.usage, response.output as AgentInputItem[])
      return response
    },
    async *getStreamedResponse(request) {
      if (!stands(request)) return yield* model.getStreamedResponse(request)
      const stream = await list.send(request.input as AgentInputItem[], input => begun(model.getStreamedResponse({ ...request, input })))
      for await (const event of stream()) {
        if (event.type === 'response_done') await note(request, event.response.usage as Partial<Usage>, event.response.output as AgentInputItem[])
        yield event
      }
    },
  })
  const functions = session.tools.map(({ name, description, input_schema: parameters }) => {
    const execute = (input: unknown) => call(name, input)
    return tool({ name, description, parameters: { additionalProperties: true, ...parameters } as never, strict: false, execute })
  })
  return { ...session, model, functions: functions as FunctionTool[] }
}

/** Reads a stream up to its first content: an error before it is thrown. */
async function begun(stream: AsyncIterable<StreamEvent>): Promise<() => AsyncGenerator<StreamEvent>> {
  const events = stream[Symbol.asyncIterator]()
  const head: StreamEvent[] = []
  for (let next = await events.next(); !next.done; next = await events.next()) {
    head.push(next.value)
    if (next.value.type !== 'response_started') break
  }
  return async function* () {
    try {
      yield* head
      for (let next = await events.next(); !next.done; next = await events.next()) yield next.value
    } finally {
      await events.return?.()
    }
  }
}
