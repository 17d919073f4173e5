// Messages of every framework in the engine's requests: ids of calls that are used again, results in any order, shorter inputs,
// outputs of hosted tools, commands of the user.

import assert from 'node:assert/strict'
import test from 'node:test'

import { Engine, ListSync } from 'throughline'

import * as agents from '../dist/agents-items.js'
import * as ai from '../dist/ai-prompt.js'
import { messageShape } from '../dist/opencode-messages.js'
import * as pi from '../dist/pi-messages.js'
import { OPEN, optional, rows } from './script.mjs'

const { module: lc, skip } = await optional('langchain')
const langchain = skip ? {} : await import('../dist/langchain-messages.js')

const memory = new Engine({ memory: true })
const open = async (id, { wire, ...shape }) => new ListSync(await memory.open(id, { ...OPEN, wire }), { ...shape, wire })
const json = value => JSON.stringify(value)

/** How each framework writes a message of the user, one of the model with calls, and their results. */
const frameworks = {
  'ai-sdk': {
    shape: { toItems: ai.toItems, fromItems: ai.fromItems },
    user: text => ({ role: 'user', content: [{ type: 'text', text }] }),
    calls: calls => [{ role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.' }, ...calls.map(({ id, input }) => ({ type: 'tool-call', toolCallId: id, toolName: 'dump', input }))] }],
    results: results => [{ role: 'tool', content: results.map(({ id, text }) => ({ type: 'tool-result', toolCallId: id, toolName: 'dump', output: { type: 'text', value: text } })) }],
  },
  'openai-agents': {
    shape: { ...agents, wire: 'openai_responses' },
    user: text => ({ type: 'message', role: 'user', content: text }),
    calls: calls => [{ type: 'reasoning', content: [] }, ...calls.map(({ id, input }) => ({ type: 'function_call', callId: id, name: 'dump', arguments: json(input) }))],
    results: results => results.map(({ id, text }) => ({ type: 'function_call_result', callId: id, name: 'dump', output: { type: 'text', text } })),
  },
  pi: {
    shape: pi,
    user: text => ({ role: 'user', content: [{ type: 'text', text }] }),
    calls: calls => [{ role: 'assistant', stopReason: 'toolUse', content: [{ type: 'thinking', thinking: 'Hm.' }, ...calls.map(({ id, input }) => ({ type: 'toolCall', id, name: 'dump', arguments: input }))] }],
    results: results => results.map(({ id, text }) => ({ role: 'toolResult', toolCallId: id, content: [{ type: 'text', text }] })),
  },
  langchain: {
    skip,
    shape: { ...langchain, identity: true },
    user: text => new lc.HumanMessage(text),
    calls: calls => [new lc.AIMessage({ content: 'Hm.', tool_calls: calls.map(({ id, input }) => ({ id, name: 'dump', args: input })) })],
    results: results => results.map(({ id, text }) => new lc.ToolMessage({ content: text, tool_call_id: id })),
    plain: ({ type, content, tool_calls, tool_call_id }) => ({ type, content, tool_calls, tool_call_id }),
  },
}

for (const [name, { skip, shape, user, calls, results, plain = message => message }] of Object.entries(frameworks)) {
  test(`${name}: calls whose ids are used again, or empty, are sent as they are`, { skip }, async () => {
    for (const id of ['call_0', '']) {
      const list = await open(`${name}-again-${id}`, shape)
      const messages = [user('Go.')]
      for (let n = 0; n < 4; n++) {
        messages.push(...calls([{ id, input: { n } }]), ...results([{ id, text: `result ${n}` }]))
        const sent = await list.request(messages)
        assert(sent.length === messages.length && sent.every((message, at) => message === messages[at]), json(sent))
      }
      messages.push(...calls([{ id, input: { n: 4 } }]), ...results([{ id, text: rows(4).repeat(8) }]))
      const sent = await list.request(messages)
      assert.equal(sent.length, messages.length)
      assert(json(sent.at(-1)).length < rows(4).length * 4, 'a large result is shown in part')
      assert.match(json(sent.at(-1)), /row 0 of 4/)
      assert(sent.slice(0, -1).every((message, at) => message === messages[at]))
    }
  })

  test(`${name}: results in another order than their calls keep their texts`, { skip }, async () => {
    const list = await open(`${name}-order`, shape)
    const [one, other] = [{ id: 'a', input: {}, text: 'small' }, { id: 'b', input: {}, text: rows(7).repeat(8) }]
    const messages = [user('Go.'), ...calls([one, other]), ...results([other, one])]
    const sent = await list.request(messages)
    assert.equal(sent.length, messages.length)
    const texts = sent.slice(messages.length - results([other, one]).length).map(message => json(plain(message))).join('')
    assert(texts.indexOf('row 0 of 7') < texts.indexOf('small'), texts)
    assert(texts.indexOf('"b"') < texts.indexOf('"a"'), texts)
  })

  test(`${name}: a message of the model with shorter inputs keeps the rest`, { skip }, () => {
    const all = calls([{ id: 'a', input: { text: 'long' } }, { id: 'a', input: { n: 1 } }])
    const listed = all.filter(message => shape.toItems(message).length > 0)
    const items = JSON.parse(json(listed.flatMap(shape.toItems)).replace(/long/, 'short'))
    const made = shape.fromItems(items, [], listed)
    assert.equal(json(made.map(plain)), json(listed.map(plain)).replace(/long/, 'short'))
  })
}

test('opencode: a part has its own result and input', async () => {
  const message = (id, role, parts) => ({ info: { id, role, sessionID: 's' }, parts })
  const tool = (callID, input, output) => ({ type: 'tool', tool: 'dump', callID, state: { status: 'completed', input, output } })
  const shape = messageShape()
  const long = rows(7).repeat(8)
  const messages = [
    message('u', 'user', [{ type: 'text', text: 'Go.' }]),
    message('a', 'assistant', [tool('c', { n: 1 }, 'small'), tool('c', { n: 2 }, long)]),
    message('b', 'assistant', [{ type: 'reasoning', text: 'Hm.' }, tool('c', { n: 3 }, 'small')]),
  ]
  const sent = await (await open('opencode', shape)).request(messages)
  assert.equal(sent.length, 3)
  assert.equal(sent[2], messages[2])
  const [one, other] = sent[1].parts
  assert.deepEqual([one, other.state.input], [messages[1].parts[0], { n: 2 }])
  assert(other.state.output.length < long.length / 2 && other.state.output.includes('row 0 of 7'))
  const items = [{ role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'dump', input: { n: 'short' } }] }]
  assert.deepEqual(shape.fromItems(items, [], [messages[2]])[0].parts[1].state.input, { n: 'short' })
  const said = message('v', 'user', [{ type: 'text', text: 'long' }, { type: 'file', mime: 'text/plain', url: '' }])
  assert.deepEqual(shape.fromItems([], ['short'], [said])[0].parts, [{ type: 'text', text: 'short' }, said.parts[1]])
})

test('openai-agents: outputs of hosted tools are counted, sent and shown in part', async () => {
  const exit = { type: 'exit', exitCode: 1 }
  const pairs = output => [
    [{ type: 'shell_call', action: { commands: ['ls'] } }, { type: 'shell_call_output', output: [{ stdout: output, stderr: '', outcome: exit }] }],
    [{ type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a' }, status: 'completed' }, { type: 'apply_patch_call_output', status: 'completed', output }],
    [{ type: 'computer_call', actions: [{ type: 'screenshot' }] }, { type: 'computer_call_result', output: { type: 'computer_screenshot', data: 'data:image/png;base64,aGk=' } }],
  ]
  for (const [n, pair] of pairs('a.txt').entries()) {
    const list = await open(`hosted-${n}`, { ...agents, wire: 'openai_responses' })
    const messages = [{ type: 'message', role: 'user', content: 'Go.' }, ...pair.map(item => ({ ...item, callId: 'c1' }))]
    const sent = await list.request(messages)
    assert.deepEqual(sent, messages)
    messages.push(...pairs(rows(1).repeat(8))[n].map(item => ({ ...item, callId: 'c2' })), { type: 'hosted_tool_call', name: 'search' })
    const more = await list.request(messages)
    assert.equal(more.length, messages.length)
    assert.equal(more.at(-1), messages.at(-1))
    assert(json(more[4]).length < rows(1).length * 4, 'shown in part')
  }
  const [, [call, result]] = pairs('a.txt')
  const changed = agents.fromItems([{ type: 'function_call_output', call_id: 'c', output: 'short' }], ['short'], [{ ...result, callId: 'c' }])
  assert.deepEqual(changed, [{ ...result, callId: 'c', output: 'short' }])
  assert.deepEqual(agents.toItems({ ...call, callId: 'c' })[0].name, 'apply_patch')
})

test('pi: a command of the user is counted and sent, and one outside of the context is not shown', async () => {
  const ran = (output, more) => ({ role: 'bashExecution', command: 'make test', output, exitCode: 2, cancelled: false, truncated: false, ...more })
  const said = text => ({ role: 'user', content: [{ type: 'text', text }] })
  const list = await open('bash', pi)
  const messages = [said('Hello.'), { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }], stopReason: 'stop' }, ran('FAIL'), ran('secret', { excludeFromContext: true })]
  assert.deepEqual(await list.request(messages), messages)
  assert.equal(pi.toItems(messages[2])[0].content[0].text, 'Ran `make test`\n```\nFAIL\n```\n\nCommand exited with code 2')
  assert.deepEqual(pi.toItems(messages[3]), [])
  messages.push(ran(rows(1).repeat(40)), said('Why?'))
  const sent = await list.request(messages)
  assert.equal(sent.length, messages.length)
  assert.equal(sent[4].role, 'user')
  assert(json(sent[4]).length < 24_000 && /Ran `make test`/.test(json(sent[4])))
})
