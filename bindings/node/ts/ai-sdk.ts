// Vercel AI SDK: a middleware for the model, and the engine's tools.

import { jsonSchema, tool, type LanguageModelMiddleware, type ToolSet } from 'ai'

import { fromItems, marked, said, toItems, type PromptMessage } from './ai-prompt.js'
import { begun, watched } from './ai-stream.js'
import { openSession, type Session, type SessionOptions } from './session.js'

type Middleware = Required<Pick<LanguageModelMiddleware, 'transformParams' | 'wrapGenerate' | 'wrapStream'>>
type Params = Awaited<ReturnType<Middleware['transformParams']>>
type Usage = Awaited<ReturnType<Middleware['wrapGenerate']>>['usage']

/** A session for `wrapLanguageModel` and `tools`. */
export interface AiSession extends Session<PromptMessage> {
  /** For `wrapLanguageModel({ model, middleware })`. */
  middleware: LanguageModelMiddleware
  /** For `tools: { ...yours, ...toolSet }`. */
  toolSet: ToolSet
}

/** Opens a session. One session serves one conversation at a time. */
export async function throughline(options: SessionOptions): Promise<AiSession> {
  const session = await openSession<PromptMessage>(options, { toItems, fromItems })
  const { list, tools, call } = session
  const note = (usage: Usage) => {
    const { noCache, total, cacheRead = 0, cacheWrite = 0 } = usage.inputTokens
    const input = noCache ?? Math.max(0, (total ?? 0) - cacheRead - cacheWrite)
    if (total) list.usage({ input, cache_read: cacheRead, cache_write: cacheWrite, output: usage.outputTokens.total ?? 0 })
  }
  /** Sends; after an overflow a smaller request is sent at once. */
  const send = async <T>(params: Params, go: (params: Params) => PromiseLike<T>): Promise<T> => {
    for (;;) {
      try {
        return await go(params)
      } catch (error) {
        const prompt = await list.refused(error)
        if (!prompt) throw error
        params = { ...params, prompt: marked(prompt) }
      }
    }
  }
  const middleware: LanguageModelMiddleware = {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => ({ ...params, prompt: marked(await list.request(params.prompt)) }),
    wrapGenerate: async ({ params, model }) => {
      const result = await send(params, params => model.doGenerate(params))
      note(result.usage)
      const texts = result.content.flatMap(part => (part.type === 'text' ? [part.text] : []))
      if (!result.content.some(part => part.type === 'tool-call')) await list.answered(said(texts.join('')))
      return result
    },
    wrapStream: async ({ params, model }) => {
      const { stream, ...rest } = await send(params, async params => begun(await model.doStream(params)))
      const ended = async (text: string, calls: boolean, usage?: Usage) => {
        if (usage) note(usage)
        if (!calls) await list.answered(said(text))
      }
      return { ...rest, stream: stream.pipeThrough(watched(ended)) }
    },
  }
  const entries = tools.map(({ name, description, input_schema }) => {
    const execute = (input: unknown) => call(name, input)
    return [name, tool({ description, inputSchema: jsonSchema(input_schema), execute })] as const
  })
  return { ...session, middleware, toolSet: Object.fromEntries(entries) }
}
