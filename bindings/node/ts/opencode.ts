// OpenCode: a plugin.

import { messageShape, type Message } from './opencode-messages.js'
import { openSession, type Session, type SessionOptions } from './session.js'

type Model = { id: string; limit: { context: number; output: number } }

/** The plugin: `export const Throughline = throughline()`. Model, window and session are those of OpenCode. */
export function throughline(options: Partial<SessionOptions> = {}) {
  return async () => {
    const sessions = new Map<string, Promise<Session<Message>>>()
    let model: Model | undefined
    const of = (session: string) => {
      const { id = 'unknown', limit } = model ?? {}
      const window = limit?.context || undefined
      const max_output = window && limit?.output ? Math.min(limit.output, Math.floor(window / 4)) : undefined
      const opened = sessions.get(session) ?? openSession<Message>({ session, model: id, window, max_output, ...options }, messageShape())
      sessions.set(session, opened)
      return opened
    }
    const noted = new Set<string>()
    return {
      'chat.params': async (input: { model: Model }) => {
        model = input.model
      },
      // OpenCode reads the list that it has given, so it is changed in place.
      'experimental.chat.messages.transform': async (_input: object, output: { messages: Message[] }) => {
        const [first] = output.messages
        if (!first) return
        const { list } = await of(first.info.sessionID)
        const newest = output.messages.findLast(({ info }) => info.role === 'assistant' && info.time?.completed)
        const tokens = newest?.info.tokens
        if (newest && tokens && !noted.has(newest.info.id)) {
          noted.add(newest.info.id)
          list.usage({ input: tokens.input, output: tokens.output, cache_read: tokens.cache.read, cache_write: tokens.cache.write })
        }
        output.messages.splice(0, Infinity, ...(await list.request(output.messages)))
      },
      tool: {
        read_result: {
          description: 'Reads a tool result that was stored because it is large: ref_id, and offset, limit or search.',
          args: {},
          execute: async (input: unknown, { sessionID }: { sessionID: string }) => (await of(sessionID)).call('read_result', input),
        },
      },
    }
  }
}
