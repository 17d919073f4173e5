// pi: an extension.

import type { ExtensionAPI, ExtensionContext, ToolDefinition } from '@earendil-works/pi-coding-agent'

import { fromItems, reported, toItems, type Message } from './pi-messages.js'
import { limits, openSession, type Session, type SessionOptions } from './session.js'

/** Stands in pi's session file where pi would have cut. It is not shown to the model. */
const KEPT = 'Nothing is left out here: the extension throughline decides what the model sees.'

/** The extension: `export default throughline()`. Model, window and session are those of pi. */
export function throughline(options: Partial<SessionOptions> = {}): (pi: ExtensionAPI) => void {
  return pi => {
    let session: Session<Message> | undefined
    let error: string | undefined
    pi.on('session_start', async (_event, ctx: ExtensionContext) => {
      await session?.close()
      const { id: model = 'unknown', contextWindow, maxTokens } = ctx.model ?? {}
      const own = { session: ctx.sessionManager.getSessionId(), model, ...limits(contextWindow, maxTokens), system: ctx.getSystemPrompt() }
      session = await openSession<Message>({ ...own, ...options }, { toItems, fromItems })
      for (const tool of session.tools) pi.registerTool(toolOf(tool, session))
    })
    pi.on('session_shutdown', () => session?.close())
    pi.on('context', async event => {
      const kept = (event.messages as Message[]).filter(message => message.summary !== KEPT)
      return { messages: (await session?.list.request(kept)) as typeof event.messages }
    })
    pi.on('message_end', async event => {
      const message = event.message as Message
      if (message.role !== 'assistant' || !session) return
      error = message.errorMessage
      session.list.reported(...reported(message))
      if (message.stopReason === 'stop') await session.list.answered(message)
    })
    pi.on('session_before_compact', async ({ reason, customInstructions, preparation, branchEntries }) => {
      if (reason === 'overflow') await session?.list.refused({ status: 400, message: error })
      // A compaction that would gain nothing is no failure here.
      else if (reason === 'manual') await session?.context.compact({ instructions: customInstructions }).catch(() => {})
      const first = branchEntries.find(entry => entry.type === 'message' && entry.message.role === 'user')
      const firstKeptEntryId = first?.id ?? preparation.firstKeptEntryId
      return { compaction: { summary: KEPT, firstKeptEntryId, tokensBefore: preparation.tokensBefore } }
    })
    pi.registerCommand('handoff', {
      description: 'What another agent needs to continue this session',
      handler: async (_args, ctx) => ctx.ui.notify((await session?.context.handoff())?.continuation_prompt ?? ''),
    })
  }
}

function toolOf({ name, description, input_schema }: Session<Message>['tools'][number], session: Session<Message>): ToolDefinition {
  const execute = async (_id: string, input: unknown) => {
    return { content: [{ type: 'text' as const, text: await session.call(name, input) }], details: {} }
  }
  return { name, label: name, description, parameters: input_schema, execute } as unknown as ToolDefinition
}
