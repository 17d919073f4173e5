// OpenCode: a plugin.

import { messageShape, type Message } from './opencode-messages.js'
import { READ_RESULT } from './operations.js'
import { limits, openSession, SessionMap, type Session, type SessionOptions } from './session.js'

type Model = { id: string; limit: { context: number; output: number } }

/** The plugin: `export const Throughline = throughline()`. Model, window and session are those of OpenCode. */
export function throughline(options: Partial<SessionOptions> = {}) {
  return async () => {
    const sessions = new SessionMap<Session<Message>>()
    let model: Model | undefined
    const of = (session: string) => {
      const { id = 'unknown', limit } = model ?? {}
      const own = { session, model: id, ...limits(limit?.context || undefined, limit?.output) }
      return sessions.get(session, () => openSession<Message>({ ...own, ...options }, messageShape()))
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
          const { input, output, cache } = tokens
          list.reported(input + cache.read + cache.write, cache.read, cache.write, output)
        }
        output.messages.splice(0, Infinity, ...(await list.request(output.messages)))
      },
      tool: {
        read_result: {
          description: `${READ_RESULT.description} Arguments: ${Object.keys(Object(READ_RESULT.input_schema.properties)).join(', ')}.`,
          args: {},
          execute: async (input: unknown, { sessionID }: { sessionID: string }) => (await of(sessionID)).call('read_result', input),
        },
      },
    }
  }
}
