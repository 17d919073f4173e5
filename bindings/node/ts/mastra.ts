// Mastra: a processor, and the engine's tools.

import { createTool } from '@mastra/core/tools'

import { fromItems, marked, said, toItems, type PromptMessage } from './ai-prompt.js'
import { openSession, type Session, type SessionOptions } from './session.js'

type Step = {
  usage?: { inputTokens?: number; outputTokens?: number; cachedInputTokens?: number }
  toolCalls?: unknown[]
  text?: string
}

/** A session for `new Agent({ inputProcessors, outputProcessors, errorProcessors, tools })`. */
export interface MastraSession extends Session<PromptMessage> {
  /** The lists of processors: spread them into the agent. */
  processors: { inputProcessors: Processor[]; outputProcessors: Processor[]; errorProcessors: Processor[] }
  /** For `tools: { ...yours, ...toolSet }`. */
  toolSet: Record<string, ReturnType<typeof createTool>>
}

/** The methods that Mastra calls. */
type Processor = { id: string; processLLMRequest: (args: any) => Promise<any>; processAPIError: (args: any) => Promise<any>; processOutputStep: (args: any) => Promise<any> }

/** Opens a session. One session serves one thread. */
export async function throughline(options: SessionOptions): Promise<MastraSession> {
  const session = await openSession<PromptMessage>(options, { toItems, fromItems })
  const { list, call } = session
  const processor: Processor = {
    id: 'throughline',
    processLLMRequest: async ({ prompt }: { prompt: PromptMessage[] }) => ({ prompt: marked(await list.request(prompt), list) }),
    processAPIError: async ({ error }: { error: unknown }) => ((await list.refused(error)) ? { retry: true } : undefined),
    processOutputStep: async ({ messageList, ...step }: Step & { messageList: unknown }) => {
      list.reported(step.usage?.inputTokens, step.usage?.cachedInputTokens, 0, step.usage?.outputTokens)
      if (!step.toolCalls?.length) await list.answered(said(step.text ?? ''))
      return messageList
    },
  }
  const toolSet = session.tools.map(({ name, description, input_schema }) => {
    const execute = (input: unknown) => call(name, input)
    return [name, createTool({ id: name, description, inputSchema: input_schema as never, execute: execute as never })]
  })
  const all = [processor]
  return {
    ...session,
    processors: { inputProcessors: all, outputProcessors: all, errorProcessors: all },
    toolSet: Object.fromEntries(toolSet),
  }
}
