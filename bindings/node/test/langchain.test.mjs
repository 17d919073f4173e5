// LangChain's agent with a scripted model of its own base class.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'

import { checkRequests, checkResumed, given, inNewProcess, OPEN, optional, report, rows, script, STEPS } from './script.mjs'

const { module: lc, skip } = await optional('langchain')
const { throughline } = skip ? {} : await import('throughline/langchain')
const { BaseChatModel } = skip ? { BaseChatModel: Object } : await import('@langchain/core/language_models/chat_models')
const { ChatGenerationChunk } = skip ? {} : await import('@langchain/core/outputs')
const { MemorySaver } = skip ? {} : await import('@langchain/langgraph')

const usage_metadata = { input_tokens: 1000, output_tokens: 9, total_tokens: 1009, input_token_details: { cache_read: 800, cache_creation: 100 } }

class Scripted extends BaseChatModel {
  constructor(plan, requests) {
    super({})
    this.plan = plan
    this.requests = requests
  }
  _llmType() {
    return 'scripted'
  }
  bindTools() {
    return this
  }
  answer(messages) {
    this.requests.push(messages.map(message => ({ role: message.type, text: JSON.stringify(message.content), calls: (message.tool_calls ?? []).map(call => call.id), result: message.tool_call_id })))
    const calls = this.plan.next(messages.map(message => message.text).join('\n'))
    return { content: calls.length > 0 ? '' : 'done', usage_metadata, tool_calls: calls.map(({ id, name, input }) => ({ id, name, args: input, type: 'tool_call' })) }
  }
  async _generate(messages) {
    return { generations: [{ text: '', message: new lc.AIMessage(this.answer(messages)) }] }
  }
  async *_streamResponseChunks(messages, _options, manager) {
    const said = this.answer(messages)
    const tool_call_chunks = said.tool_calls.map(({ id, name, args }, index) => ({ id, name, args: JSON.stringify(args), index, type: 'tool_call_chunk' }))
    const chunk = new ChatGenerationChunk({ text: said.content, message: new lc.AIMessageChunk({ ...said, tool_call_chunks }) })
    await manager?.handleLLMNewToken(said.content, undefined, undefined, undefined, undefined, { chunk })
    yield chunk
  }
}

async function run(mode, storage, messages, plan) {
  const notices = []
  const session = await throughline({ ...OPEN, session: `lc-${mode}`, ...storage, onNotice: notice => notices.push(notice) })
  const requests = []
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const dump = lc.tool(async ({ n }) => rows(n), { name: 'dump', description: 'Dumps rows.', schema })
  const config = { configurable: { thread_id: 't' }, recursionLimit: 3 * STEPS }
  const agent = lc.createAgent({ model: new Scripted(plan, requests), tools: [dump], middleware: [session.middleware], checkpointer: new MemorySaver(), systemPrompt: OPEN.system })
  if (mode === 'stream') for await (const _ of await agent.stream({ messages }, { ...config, streamMode: 'messages' }));
  else await agent.invoke({ messages }, config)
  const state = (await agent.graph.getState(config)).values.messages
  return { session, requests, notices, state }
}

const stored = messages => messages.map(message => message.toDict())

if (process.argv[2] === 'resume') {
  const { storage, mode, messages } = given()
  const { mapStoredMessagesToChatMessages } = await import('@langchain/core/messages')
  const list = [...mapStoredMessagesToChatMessages(messages), new lc.HumanMessage('And now?')]
  const { session, requests } = await run(mode, storage, list, script({ steps: 1 }))
  await report(session, requests[0])
} else {
  for (const mode of ['invoke', 'stream']) {
    test(`langchain: 60 steps, an overflow, a read-back and a resume (${mode})`, { skip }, async t => {
      const dataDir = mkdtempSync(join(tmpdir(), 'throughline-lc-'))
      t.after(() => rmSync(dataDir, { recursive: true }))
      const storage = { dataDir }
      const { session, requests, notices, state } = await run(mode, storage, [new lc.HumanMessage('Dump everything.')], script())
      checkRequests(requests, notices)
      const receipts = (await session.context.receipts({ most: 100 })).receipts
      assert(receipts.length >= STEPS && JSON.stringify(receipts).includes('"cache_read":800'))
      const read = state.find(message => message.type === 'tool' && message.name === 'read_result')
      assert.match(read.text, /^\[Result r-[0-9a-f]{16} from /)
      await session.close()
      checkResumed(inNewProcess(import.meta.filename, { storage, mode, messages: stored(state) }), state)
    })
  }
}
