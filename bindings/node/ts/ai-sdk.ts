// Vercel AI SDK: a middleware for the model, and the engine's tools.

import { jsonSchema, tool, type LanguageModelMiddleware, type ToolSet } from 'ai'

import { fromItems, marked, said, toItems, type PromptMessage } from './ai-prompt.js'
import { begun, watched } from './ai-stream.js'
import { openSession, type Session, type SessionOptions } from './session.js'

type Usage = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapGenerate']>>>['usage']

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
  const note = ({ inputTokens: { noCache, total, cacheRead, cacheWrite }, outputTokens }: Usage) =>
    list.reported(total ?? (noCache ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0), cacheRead, cacheWrite, outputTokens.total)
  const middleware: LanguageModelMiddleware = {
    specificationVersion: 'v4',
    wrapGenerate: async ({ params, model }) => {
      const result = await list.send(params.prompt, (prompt, marks) => model.doGenerate({ ...params, prompt: marked(prompt, marks) }))
      note(result.usage)
      const texts = result.content.flatMap(part => (part.type === 'text' ? [part.text] : []))
      if (!result.content.some(part => part.type === 'tool-call')) await list.finished([...params.prompt, said(texts.join(''))])
      return result
    },
    wrapStream: async ({ params, model }) => {
      const { stream, ...rest } = await list.send(params.prompt, async (prompt, marks) =>
        begun(await model.doStream({ ...params, prompt: marked(prompt, marks) })),
      )
      const ended = async (text: string, calls: boolean, usage?: Usage) => {
        if (usage) note(usage)
        if (!calls) await list.finished([...params.prompt, said(text)])
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
