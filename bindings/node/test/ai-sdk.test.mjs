// The Vercel AI SDK with its own scripted model.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'

import { checkResumed, given, inNewProcess, OPEN, optional, OVERFLOW, report, rows, script, STEPS } from './script.mjs'

const { module: ai, skip } = await optional('ai')
const { throughline } = skip ? {} : await import('throughline/ai-sdk')
const { MockLanguageModelV4, simulateReadableStream } = skip ? {} : await import('ai/test')

const USAGE = {
  inputTokens: { total: 1000, noCache: 100, cacheRead: 800, cacheWrite: 100 },
  outputTokens: { total: 9, text: 9, reasoning: 0 },
}

/** Every call is answered by the message behind it. */
function checkPairs(prompt) {
  let open = new Set()
  for (const message of prompt) {
    const parts = Array.isArray(message.content) ? message.content : []
    if (message.role === 'tool') for (const part of parts) assert(open.delete(part.toolCallId), 'an orphan')
    else assert.equal(open.size, 0, 'a call without its result')
    if (message.role === 'assistant') open = new Set(parts.filter(part => part.type === 'tool-call').map(part => part.toolCallId))
  }
  assert.equal(open.size, 0)
}

function scripted(plan) {
  const prompts = []
  const step = options => {
    prompts.push(options.prompt)
    checkPairs(options.prompt)
    let calls
    try {
      calls = plan.next(JSON.stringify(options.prompt))
    } catch {
      throw new ai.APICallError({ message: OVERFLOW, url: '', requestBodyValues: {}, statusCode: 400, isRetryable: false })
    }
    const finishReason = { unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: 'x' }
    const content = calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) }))
    return { content, finishReason }
  }
  const model = new MockLanguageModelV4({
    doGenerate: async options => {
      const { content, finishReason } = step(options)
      return { content: content.length > 0 ? content : [{ type: 'text', text: 'done' }], finishReason, usage: USAGE, warnings: [] }
    },
    doStream: async options => {
      let chunks
      try {
        const { content, finishReason } = step(options)
        const text = [{ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'done' }, { type: 'text-end', id: 't' }]
        chunks = [{ type: 'stream-start', warnings: [] }, ...(content.length > 0 ? content : text), { type: 'finish', finishReason, usage: USAGE }]
      } catch (error) {
        chunks = [{ type: 'stream-start', warnings: [] }, { type: 'error', error }]
      }
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) }
    },
  })
  return { model, prompts }
}

const dump = () =>
  ai.tool({
    inputSchema: ai.jsonSchema({ type: 'object', properties: { n: { type: 'number' } } }),
    execute: async ({ n }) => rows(n),
  })

async function run(mode, storage, messages, plan) {
  const notices = []
  const session = await throughline({ ...OPEN, session: `ai-${mode}`, ...storage, onNotice: notice => notices.push(notice) })
  const { model, prompts } = scripted(plan)
  const options = {
    model: ai.wrapLanguageModel({ model, middleware: session.middleware }),
    tools: { dump: dump(), ...session.toolSet },
    messages,
    stopWhen: ai.isStepCount(STEPS + 5),
  }
  const result = mode === 'stream' ? ai.streamText(options) : await ai.generateText(options)
  if (mode === 'stream') await result.consumeStream()
  return { session, prompts, notices, text: await result.text, responses: await result.responseMessages }
}

if (process.argv[2] === 'resume') {
  const { storage, mode, messages } = given()
  const { session, prompts } = await run(mode, storage, messages, script({ steps: 1 }))
  await report(session, prompts[0])
} else {
  for (const mode of ['generate', 'stream']) {
    test(`ai-sdk: 60 steps, an overflow, a read-back and a resume (${mode})`, { skip }, async t => {
      const dataDir = mkdtempSync(join(tmpdir(), 'throughline-ai-'))
      t.after(() => rmSync(dataDir, { recursive: true }))
      const storage = { dataDir }
      const plan = script()
      const asked = [{ role: 'user', content: 'Dump everything.' }]
      const { session, prompts, notices, text, responses } = await run(mode, storage, asked, plan)
      assert.equal(text, 'done')
      assert.equal(prompts.length, STEPS + 1, 'the overflow was answered inside the call')
      const compactions = notices.filter(notice => notice.kind === 'compacted').length
      assert(compactions >= 3, `${compactions} compactions`)
      const size = prompt => JSON.stringify(prompt).length
      assert(size(prompts[25]) < size(prompts[24]), 'the request after the overflow is smaller')
      assert(Math.max(...prompts.map(size)) < 24_000 * 6)
      const read = responses.flatMap(message => message.content).find(part => part.toolName === 'read_result' && part.output)
      assert.match(read.output.value, /row \d+ of \d+/)
      const marks = prompts.map(prompt => prompt.flatMap((message, at) => (message.providerOptions?.anthropic ? [at] : [])))
      assert(marks.every(places => places.length <= 4), 'Anthropic takes four')
      assert.equal(marks.at(-1).at(-1), prompts.at(-1).length - 1, 'the end of the request')
      assert(marks.at(-1).includes(prompts.at(-2).length - 1), 'and the end of the one before')
      const receipts = await session.context.receipts({ most: 100 })
      assert(receipts.receipts.length >= STEPS, `${receipts.receipts.length} receipts`)
      assert.equal(receipts.receipts.filter(one => JSON.stringify(one).includes('"cache_read":800')).length > 0, true)
      await session.close()

      const messages = [...asked, ...responses, { role: 'user', content: 'And now?' }]
      checkResumed(inNewProcess(import.meta.filename, { storage, mode, messages }), messages)
    })
  }
}
