// Mastra's agent with the AI SDK's scripted model.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'

import { checkRequests, checkResumed, given, inNewProcess, OPEN, optional, OVERFLOW, report, rows, script, STEPS } from './script.mjs'

const ai = await optional('ai')
const mastra = await optional('@mastra/core/agent')
const skip = mastra.skip ?? ai.skip
const { throughline } = skip ? {} : await import('throughline/mastra')
const { MockLanguageModelV4, simulateReadableStream } = skip ? {} : await import('ai/test')
const { createTool } = skip ? {} : await import('@mastra/core/tools')
const { MockMemory } = skip ? {} : await import('@mastra/core/memory')

const USAGE = {
  inputTokens: { total: 1000, noCache: 100, cacheRead: 800, cacheWrite: 100 },
  outputTokens: { total: 9, text: 9, reasoning: 0 },
}

function scripted(plan, requests) {
  const step = ({ prompt }) => {
    const parts = message => (Array.isArray(message.content) ? message.content : [])
    requests.push(
      prompt.flatMap(message => {
        const one = { role: message.role, text: JSON.stringify(message.content), calls: parts(message).filter(part => part.type === 'tool-call').map(part => part.toolCallId) }
        return message.role === 'tool' ? parts(message).map(part => ({ ...one, calls: [], result: part.toolCallId })) : [one]
      }),
    )
    let calls
    try {
      calls = plan.next(JSON.stringify(prompt))
    } catch {
      throw new ai.module.APICallError({ message: OVERFLOW, url: '', requestBodyValues: {}, statusCode: 400, isRetryable: false })
    }
    const finishReason = { unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: 'x' }
    return { finishReason, content: calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) })) }
  }
  return new MockLanguageModelV4({
    provider: 'scripted',
    modelId: 'scripted',
    doGenerate: async options => {
      const { content, finishReason } = step(options)
      return { content: content.length > 0 ? content : [{ type: 'text', text: 'done' }], finishReason, usage: USAGE, warnings: [] }
    },
    doStream: async options => {
      const { content, finishReason } = step(options)
      const text = [{ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'done' }, { type: 'text-end', id: 't' }]
      const chunks = [{ type: 'stream-start', warnings: [] }, ...(content.length > 0 ? content : text), { type: 'finish', finishReason, usage: USAGE }]
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) }
    },
  })
}

async function run(mode, storage, messages, plan) {
  const notices = []
  const session = await throughline({ ...OPEN, session: `mastra-${mode}`, ...storage, onNotice: notice => notices.push(notice) })
  const requests = []
  const inputSchema = { type: 'object', properties: { n: { type: 'number' } } }
  const dump = createTool({ id: 'dump', description: 'Dumps rows.', inputSchema, execute: async ({ n }) => rows(n) })
  const agent = new mastra.module.Agent({
    id: 'a', name: 'a', instructions: OPEN.system, model: scripted(plan, requests), maxRetries: 0,
    memory: new MockMemory(), ...session.processors, tools: { dump, ...session.toolSet },
  })
  const options = { maxSteps: STEPS + 5, memory: { thread: 't', resource: 'r', options: { lastMessages: 200 } } }
  const result = mode === 'generate' ? await agent.generate(messages, options) : await agent.stream(messages, options)
  if (mode === 'stream') await result.consumeStream()
  return { session, requests, notices, text: await result.text, messages: (await result.response)?.messages }
}

if (process.argv[2] === 'resume') {
  const { storage, mode, messages } = given()
  const { session, requests } = await run(mode, storage, messages, script({ steps: 1 }))
  await report(session, requests[0])
} else {
  for (const mode of ['generate', 'stream']) {
    test(`mastra: 60 steps, an overflow, a read-back and a resume (${mode})`, { skip }, async t => {
      const dataDir = mkdtempSync(join(tmpdir(), 'throughline-mastra-'))
      t.after(() => rmSync(dataDir, { recursive: true }))
      const storage = { dataDir }
      const asked = [{ role: 'user', content: 'Dump everything.' }]
      const { session, requests, notices, text, messages } = await run(mode, storage, asked, script())
      assert.equal(text, 'done')
      checkRequests(requests, notices)
      const receipts = (await session.context.receipts({ most: 100 })).receipts
      assert(receipts.length >= STEPS && JSON.stringify(receipts).includes('"cache_read":800'))
      assert(requests.some(request => request.some(message => /\[Result r-[0-9a-f]{16} from /.test(message.text))))
      await session.close()
      const list = [...asked, ...messages, { role: 'user', content: 'And now?' }]
      checkResumed(inNewProcess(import.meta.filename, { storage, mode, messages: list }), list)
    })
  }
}
