// The binding, without a framework.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'

import { Context, Engine, ListSync, ThroughlineError } from 'throughline'

import { OPEN, rows } from './script.mjs'

const memory = new Engine({ memory: true })
const tools = [{ name: 'dump', description: 'Dumps rows.', input_schema: { type: 'object' } }]
const calls = step => ({
  content: [{ type: 'tool_use', id: `c${step}`, name: 'dump', input: { of: step } }],
  stop_reason: 'tool_use',
  usage: { input_tokens: 900, output_tokens: 40 },
})

/** A session of so many steps. Gives the bodies. */
async function session(context, steps) {
  await context.user({ text: 'Dump everything.' })
  const bodies = []
  for (let step = 0; step < steps; step++) {
    const next = await context.nextRequest()
    bodies.push(next.json)
    const { then } = await context.answer({ request: next.id, body: calls(step) })
    assert.equal(then, 'calls')
    await context.results({ results: [{ call: `c${step}`, text: rows(step) }] })
  }
  return bodies
}

test('every operation of the table is a method', async () => {
  const { operations } = await memory.describe()
  assert.equal(operations.length, 28)
  for (const { name } of operations.filter(({ name }) => !['open', 'list', 'describe'].includes(name))) {
    const method = name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())
    assert.equal(typeof Context.prototype[method], 'function', name)
  }
})

test('a session is the same bytes each time, and is compacted', async () => {
  const bodies = await session(await memory.open('bytes', { ...OPEN, tools }), 30)
  const again = await session(await new Engine({ memory: true }).open('bytes', { ...OPEN, tools }), 30)
  bodies.forEach((body, at) => assert(body === again[at], `request ${at}`))
  assert(JSON.parse(bodies.at(-1)).messages.length < 59, 'compacted')
})

test('a body is made once, from the text', async () => {
  const context = await memory.open('body', OPEN)
  await context.user({ text: 'Why?' })
  const next = await context.nextRequest()
  assert.equal(next.body, next.body)
  assert.equal(JSON.stringify(next.body), next.json)
  assert.deepEqual([next.send, next.model, next.id, next.notices], ['request', 'scripted', 1, []])
  assert.equal(next.predicted.output, 0)
})

test('a repeated key returns the same and changes nothing', async () => {
  const context = await memory.open('keys', OPEN)
  await context.user({ text: 'Why?' }, { key: 'a' })
  await context.user({ text: 'Why?' }, { key: 'a' })
  const [one, two] = [await context.nextRequest({}, { key: 'b' }), await context.nextRequest({}, { key: 'b' })]
  assert.deepEqual([one.id, one.json], [two.id, two.json])
  assert.equal((await context.state()).messages, 1)
  await assert.rejects(context.user({ text: '?' }, { key: 'b' }), { code: 'key_reused' })
})

test('operations run in the order of their calls', async () => {
  const context = await memory.open('order', OPEN)
  const [, next] = await Promise.all([context.user({ text: 'First.' }), context.nextRequest()])
  assert.match(next.json, /First\./)
})

test('errors have a code, a message and data', async () => {
  const context = await memory.open('errors', OPEN)
  const error = await context.answer({ request: 1, body: {} }).catch(error => error)
  assert(error instanceof ThroughlineError && error instanceof Error)
  assert.equal(error.code, 'invalid_answer')
  assert.deepEqual(error.data, { place: 'content' })
  await assert.rejects(context.user({ txt: '?' }), { code: 'invalid_input', data: { field: 'txt' } })
  await assert.rejects(memory.open('errors', OPEN), { code: 'already_open' })
  await assert.rejects(memory.open('unlisted', { model: 'unlisted' }), { code: 'unknown_model' })
  await assert.rejects(new Engine({ memory: true, dataDir: '/x' }).list(), { code: 'invalid_input', message: /dataDir/ })
  await assert.rejects(new Engine({ folder: '/x' }).list(), { code: 'invalid_input', message: /`folder`/ })
  await assert.rejects(new Engine({ dataDir: '/dev/null/x' }).list(), { code: 'storage' })
  await assert.rejects(new Engine({ database: 'nonsense://' }).list(), { code: 'invalid_input' })
  await context.close()
  await assert.rejects(context.state(), { code: 'unknown_context' })
})

test('a session in a data folder is resumed by another engine, and held by one', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'throughline-node-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const [one, other] = [new Engine({ dataDir }), new Engine({ dataDir })]
  const context = await one.open('stored', { ...OPEN, tools })
  await session(context, 3)
  await assert.rejects(other.open('stored', { ...OPEN, tools }), { code: 'held' })
  assert.deepEqual((await one.list()).contexts.map(({ context }) => context), ['stored'])
  await context.close()
  const resumed = await other.open('stored', { ...OPEN, tools })
  assert.equal(resumed.opened.resumed, true)
  assert.match((await resumed.nextRequest()).json, /Dump everything/)
  await resumed.close()
})

const shape = {
  wire: 'openai_chat',
  toItems: message => [message],
  fromItems: (items, texts, originals) => (originals.length === texts.length ? originals.map((one, at) => ({ ...one, content: texts[at] })) : items),
}
const step = n => [
  { role: 'assistant', content: null, tool_calls: [{ id: `c${n}`, type: 'function', function: { name: 'dump', arguments: '{}' } }] },
  { role: 'tool', tool_call_id: `c${n}`, content: rows(n) },
]

for (const identity of [true, false]) {
  test(`a list is handed over by its end, and comes back as the caller's objects (identity: ${identity})`, async () => {
    const context = await memory.open(`list-${identity}`, { ...OPEN, tools, wire: 'openai_chat' })
    const sent = []
    const sync = context.sync.bind(context)
    context.sync = (input, options) => (sent.push([input.known, input.messages.length]), sync(input, options))
    const list = new ListSync(context, { ...shape, identity })
    const messages = [{ role: 'system', content: 'Mine.' }, { role: 'user', content: 'Go.' }, ...step(0)]
    const first = await list.request(messages)
    assert(first.every((message, at) => message === messages[at]), 'nothing had to change')
    messages.push(...step(1))
    await list.request(identity ? messages : structuredClone(messages))
    assert.deepEqual(sent, [[0, 4], [4, 2]])
    const again = await list.request(messages)
    assert.deepEqual(sent.at(-1), [6, 0], 'the same list again')
    assert.equal(again.length, 6)
    for (let n = 2; n < 40; n++) messages.push(...step(n))
    const compacted = await list.request(messages)
    assert(compacted.length < messages.length && compacted[0] === messages[0], 'compacted')
    const objects = identity ? messages : messages.map(message => JSON.stringify(message))
    assert(compacted.filter(message => objects.includes(identity ? message : JSON.stringify(message))).length >= 4)
    const smaller = await list.refused(Object.assign(new Error('prompt is too long: 9 tokens > 8 maximum'), { status: 400 }))
    assert(JSON.stringify(smaller).length < JSON.stringify(compacted).length, 'an overflow is answered at once')
    assert.equal(await list.refused(Object.assign(new Error('Overloaded'), { status: 529 })), undefined)
    messages.splice(40)
    messages.push({ role: 'user', content: 'A rewound list.' })
    assert.equal((await list.request(messages)).at(-1), messages.at(-1))
    await list.answered({ role: 'assistant', content: 'Done.' })
    assert.equal((await context.handoff()).last_answer, 'Done.')
  })
}

const plain = { toItems: ({ role, text }) => [{ role, content: [{ type: 'text', text }] }], fromItems: (_items, texts) => texts.map(text => ({ role: 'user', text })) }

test('messages of the model in a row are one, and stay the caller\'s objects', async () => {
  const list = new ListSync(await memory.open('row', OPEN), plain)
  const say = (role, text) => ({ role, text })
  const messages = [say('user', 'Go.'), say('assistant', 'One.'), say('assistant', 'Two.'), say('user', 'And?')]
  const sent = await list.request(messages)
  assert(sent.length === 4 && sent.every((message, at) => message === messages[at]))
  await list.answered(say('assistant', 'Three.'))
  messages.push(say('assistant', 'Three.'), say('assistant', 'Four.'), say('user', 'So?'))
  const more = await list.request(messages)
  assert(more.length === 7 && more.every((message, at) => message === messages[at]))
})

test('a list says where the prompt cache is marked, and answers an overflow in its call', async () => {
  const context = await memory.open('marks', OPEN)
  const list = new ListSync(context, { toItems: message => [message], fromItems: items => items, identity: true })
  const messages = [{ role: 'user', content: 'Go. '.repeat(3000) }]
  await list.request(messages)
  assert.deepEqual([...list.marks], [[0, '5m']])
  messages.push({ role: 'assistant', content: calls(0).content })
  messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c0', content: rows(0) }] })
  await list.request(messages)
  assert.deepEqual([...list.marks.keys()], [0, 2], 'the end of the request before, and the end')
  for (let step = 1; step < 8; step++) {
    messages.push({ role: 'assistant', content: calls(step).content })
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${step}`, content: rows(step) }] })
  }
  const lengths = []
  const said = await list.send(messages, async sent => {
    lengths.push(JSON.stringify(sent).length)
    assert.equal(sent.length - 1, [...list.marks.keys()].at(-1))
    if (lengths.length === 1) throw Object.assign(new Error('prompt is too long: 212345 tokens > 200000 maximum'), { status: 400 })
    return 'done'
  })
  assert.equal(said, 'done')
  assert(lengths[1] < lengths[0], `${lengths}`)
  await assert.rejects(list.send(messages, () => Promise.reject(new Error('no network'))), /no network/)
})

test('a list that cannot be taken is sent unchanged, and a notice says so once', async () => {
  const notices = []
  const list = new ListSync(await memory.open('greeting', OPEN), plain, notice => notices.push(notice))
  const messages = [{ role: 'assistant', text: 'How can I help?' }, { role: 'user', text: 'Go.' }]
  for (let turn = 0; turn < 2; turn++) assert.deepEqual(await list.request(messages), messages)
  assert.equal(notices.length, 1)
  assert.match(notices[0].text, /sent unchanged: .*the first message is the model's/)
  assert.equal(await list.refused(new Error('prompt is too long')), undefined)
  await list.answered({ role: 'assistant', text: 'Done.' })
})

test('require gives the same instance as import', () => {
  assert.equal(createRequire(import.meta.url)('throughline').Engine, Engine)
})

test('the example of the README runs', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const code = /```js\n(import \{ Engine[\s\S]*?)```/.exec(readme)[1]
  const answer = { content: [{ type: 'text', text: 'A comma.' }], stop_reason: 'end_turn', usage: { input_tokens: 9, output_tokens: 3 } }
  const body = code.replace(/^import .*$/m, '').replace('dataDir: ".throughline"', 'memory: true')
  const run = new (Object.getPrototypeOf(async () => {}).constructor)('Engine', 'fetch', 'console', body)
  const said = []
  await run(Engine, async () => ({ ok: true, status: 200, json: async () => answer }), { log: text => said.push(text) })
  assert.deepEqual(said, ['A comma.'])
})
