// OpenAI Agents: a wrapper of the model, and the engine's tools.

import { tool, type AgentInputItem, type FunctionTool, type Model, type ModelRequest, type Usage } from '@openai/agents'

import { fromItems, toItems } from './agents-items.js'
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
  const note = async (usage: Partial<Usage> | undefined, output: AgentInputItem[]) => {
    const details = [usage?.inputTokensDetails ?? []].flat() as Record<string, number>[]
    const cache_read = details.reduce((sum, one) => sum + (one.cached_tokens ?? 0), 0)
    list.reported(usage?.inputTokens, cache_read, 0, usage?.outputTokens)
    const said = output.find(item => item.type === 'message')
    if (said && !output.some(item => item.type === 'function_call')) await list.answered(said)
  }
  const model = (model: Model): Model => ({
    getResponse: async request => {
      if (!stands(request)) return model.getResponse(request)
      const response = await list.send(request.input as AgentInputItem[], input => model.getResponse({ ...request, input }))
      await note(response.usage, response.output as AgentInputItem[])
      return response
    },
    async *getStreamedResponse(request) {
      if (!stands(request)) return yield* model.getStreamedResponse(request)
      for (let input = await list.request(request.input as AgentInputItem[]); ; ) {
        try {
          for await (const event of model.getStreamedResponse({ ...request, input })) {
            if (event.type === 'response_done') await note(event.response.usage as Partial<Usage>, event.response.output as AgentInputItem[])
            yield event
          }
          return
        } catch (error) {
          input = await smaller(error)
        }
      }
    },
  })
  const smaller = async (error: unknown) => {
    const input = await list.refused(error)
    if (!input) throw error
    return input
  }
  const functions = session.tools.map(({ name, description, input_schema: parameters }) => {
    const execute = (input: unknown) => call(name, input)
    return tool({ name, description, parameters: { additionalProperties: true, ...parameters } as never, strict: false, execute })
  })
  return { ...session, model, functions: functions as FunctionTool[] }
}
