// OpenAI Agents with a scripted model.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'

import { checkRequests, checkResumed, given, inNewProcess, OPEN, optional, report, rows, script, STEPS } from './script.mjs'

const { module: agents, skip } = await optional('@openai/agents')
const { throughline } = skip ? {} : await import('throughline/openai-agents')
if (!skip) agents.setTracingDisabled(true)

function scripted(plan, requests) {
  const answer = ({ input }) => {
    const list = typeof input === 'string' ? [{ role: 'user', content: input }] : input
    requests.push(
      list.map(item => ({
        role: item.type === 'function_call' ? 'assistant' : (item.role ?? 'tool'),
        text: JSON.stringify(item.output ?? item.content ?? ''),
        calls: item.type === 'function_call' ? [item.callId] : [],
        result: item.type === 'function_call_result' ? item.callId : undefined,
      })),
    )
    const calls = plan.next(JSON.stringify(list))
    const usage = { requests: 1, inputTokens: 1000, outputTokens: 9, totalTokens: 1009, inputTokensDetails: { cached_tokens: 800 } }
    const text = [{ type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'done' }] }]
    const output = calls.map(({ id, name, input }) => ({ type: 'function_call', callId: id, id: `f${id}`, name, status: 'completed', arguments: JSON.stringify(input) }))
    return { usage, responseId: 'r', output: calls.length > 0 ? output : text }
  }
  return {
    getResponse: async request => {
      const { usage, ...response } = answer(request)
      return { ...response, usage: new agents.Usage(usage) }
    },
    async *getStreamedResponse(request) {
      const { usage, responseId: id, output } = answer(request)
      yield { type: 'response_started' }
      yield { type: 'response_done', response: { id, usage, output } }
    },
  }
}

async function run(mode, storage, messages, plan) {
  const notices = []
  const session = await throughline({ ...OPEN, session: `oa-${mode}`, ...storage, onNotice: notice => notices.push(notice) })
  const requests = []
  const parameters = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'], additionalProperties: true }
  const dump = agents.tool({ name: 'dump', description: 'Dumps rows.', parameters, strict: false, execute: async ({ n }) => rows(n) })
  const agent = new agents.Agent({ name: 'a', model: session.model(scripted(plan, requests)), tools: [dump, ...session.functions] })
  const result = await new agents.Runner().run(agent, messages, { maxTurns: STEPS + 5, stream: mode === 'stream' })
  if (mode === 'stream') await result.completed
  return { session, requests, notices, result }
}

if (process.argv[2] === 'resume') {
  const { storage, mode, messages } = given()
  const { session, requests } = await run(mode, storage, messages, script({ steps: 1 }))
  await report(session, requests[0])
} else {
  for (const mode of ['run', 'stream']) {
    test(`openai-agents: 60 steps, an overflow, a read-back and a resume (${mode})`, { skip }, async t => {
      const dataDir = mkdtempSync(join(tmpdir(), 'throughline-oa-'))
      t.after(() => rmSync(dataDir, { recursive: true }))
      const storage = { dataDir }
      const { session, requests, notices, result } = await run(mode, storage, 'Dump everything.', script())
      assert.equal(result.finalOutput, 'done')
      checkRequests(requests, notices)
      const receipts = (await session.context.receipts({ most: 100 })).receipts
      assert(receipts.length >= STEPS && JSON.stringify(receipts).includes('"cache_read":800'))
      const read = result.history.find(item => item.type === 'function_call_result' && item.name === 'read_result')
      assert.match(JSON.stringify(read.output), /\[Result r-[0-9a-f]{16} from /)
      await session.close()
      const messages = [...result.history, { role: 'user', content: 'And now?' }]
      checkResumed(inNewProcess(import.meta.filename, { storage, mode, messages }), messages)
    })
  }
}
