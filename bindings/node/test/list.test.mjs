// Lists that a framework owns: several at once, texts that are no characters, messages without items, a closed context.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'

import { Engine, ListSync, openSession } from 'throughline'

import { OPEN, OVERFLOW, rows } from './script.mjs'

const memory = new Engine({ memory: true })
const shape = { toItems: message => (message.bare ? [] : [message]), fromItems: items => items, identity: true }
const say = (role, content) => ({ role, content })
const call = (id, input = {}) => say('assistant', [{ type: 'tool_use', id, name: 'dump', input }])
const result = (id, text) => say('user', [{ type: 'tool_result', tool_use_id: id, content: text }])
const overflow = () => Object.assign(new Error(OVERFLOW), { status: 400 })

test('two lists at once are sent to their own callers', async () => {
  const list = new ListSync(await memory.open('twice', OPEN), shape)
  const [one, other] = [[say('user', 'Mine. '.repeat(3000))], [say('user', 'Yours. '.repeat(3000)), say('assistant', 'Ours.'), say('user', 'Whose?')]]
  assert.deepEqual(await Promise.all([list.request(one), list.request(other)]), [one, other])
  const marks = []
  const send = mine => list.send(mine, async (sent, own) => (marks.push([...own.marks.keys()].at(-1)), sent))
  assert.deepEqual(await Promise.all([send(one), send(other)]), [one, other])
  assert.deepEqual(marks, [0, 2], 'each has the marks of its own request')
})

test('an overflow is answered with the list that did not fit', async () => {
  const list = new ListSync(await memory.open('overflow', OPEN), shape)
  const long = name => [say('user', name), ...[1, 2, 3, 4].flatMap(n => [call(`${name}${n}`), result(`${name}${n}`, rows(n))])]
  const [one, other] = [long('Mine'), long('Yours')]
  const send = (mine, name, failures) =>
    list.send(mine, async sent => {
      assert.match(JSON.stringify(sent), new RegExp(name))
      if (failures-- > 0) throw overflow()
      return name
    })
  const ended = await Promise.allSettled([send(one, 'Mine', 1), send(other, 'Yours', 1)])
  assert.equal(ended[0].reason.message, OVERFLOW, 'a list that is not the newest is not sent again')
  assert.equal(ended[1].value, 'Yours')
  assert.equal(await send(one, 'Mine', 1), 'Mine')
})

test('a text that was cut inside of a character does not end the run', async () => {
  const context = await memory.open('surrogates', OPEN)
  const list = new ListSync(context, shape)
  const messages = [say('user', `${'😀'[0]} ${'😀'[1]} 😀 \\ud83d`), call('c1', { ['😀'[0]]: '😀'[0] }), result('c1', '😀'[0])]
  assert.deepEqual(await list.request(messages), messages)
  await list.answered(say('assistant', 'Done.'))
  assert.deepEqual((await context.handoff()).requests, ['\ufffd \ufffd 😀 \\ud83d'])
})

test('messages without items are sent where they stand, at the end too', async () => {
  const list = new ListSync(await memory.open('bare', OPEN), shape)
  const bare = name => ({ bare: true, name })
  const blank = say('assistant', [{ type: 'text', text: ' ' }])
  const messages = [bare('a'), say('user', 'Go.'), bare('b'), call('c1'), bare('c'), result('c1', rows(1)), blank, bare('d')]
  assert.deepEqual(await list.request(messages), messages)
  messages.push(say('user', ''), bare('e'))
  assert.deepEqual(await list.request(messages), messages)
  for (let n = 2; n < 40; n++) messages.push(call(`c${n}`), result(`c${n}`, rows(n)))
  messages.push(bare('f'))
  const compacted = await list.request(messages)
  assert(compacted.length < messages.length / 2 && compacted.at(-1).name === 'f', 'compacted')
  assert.equal(compacted.filter(({ name }) => name === 'd').length, 0, 'what stood inside of the summary is gone')
})

test('answers in a row and blank messages are taken, as texts too', async () => {
  const notices = []
  const list = new ListSync(await memory.open('row', OPEN), shape, notice => notices.push(notice))
  const messages = [say('user', 'a'), say('assistant', '1'), say('user', ''), say('assistant', '2'), say('assistant', '3'), say('user', 'b')]
  for (const end of [1, 6, 6]) assert.deepEqual(await list.request(messages.slice(0, end)), messages.slice(0, end))
  messages.push(say('assistant', '4'), say('user', 'c'))
  assert.deepEqual(await list.request(messages), messages)
  assert.deepEqual(notices, [])
})

test('a list that ends with the model is sent unchanged', async () => {
  const notices = []
  const list = new ListSync(await memory.open('prefill', OPEN), shape, notice => notices.push(notice))
  const messages = [say('user', 'Go.'), say('assistant', '{')]
  for (let turn = 0; turn < 2; turn++) assert.deepEqual(await list.request(messages), messages)
  assert.deepEqual(await list.request([say('system', 'Mine.')]), [say('system', 'Mine.')])
  assert.equal(notices.length, 1)
  assert.match(notices[0].text, /^the list of messages is sent unchanged: /)
})

test('usage is reported once', async () => {
  const context = await memory.open('usage', OPEN)
  const list = new ListSync(context, shape)
  const given = []
  const sync = context.sync.bind(context)
  context.sync = (input, options) => (given.push(input.usage), sync(input, options))
  const messages = [say('user', 'Go.')]
  await list.request(messages)
  list.usage({ input: 900, output: 40 })
  await list.answered(say('assistant', 'Done.'))
  messages.push(say('assistant', 'Done.'), say('user', 'And?'))
  await list.request(messages)
  assert.deepEqual(given, [undefined, { input: 900, output: 40 }, undefined])
})

for (const kind of ['memory', 'folder']) {
  test(`a session that was closed is opened again by its next use (${kind})`, async t => {
    const dataDir = mkdtempSync(join(tmpdir(), 'throughline-again-'))
    t.after(() => rmSync(dataDir, { recursive: true }))
    const place = kind === 'memory' ? { memory: true } : { dataDir }
    const { list, context, call: run, close } = await openSession({ ...OPEN, ...place, session: 'again' }, shape)
    const messages = [say('user', 'Go.'), call('c1'), result('c1', rows(1).repeat(20))]
    const ref_id = /r-[0-9a-f]{16}/.exec(JSON.stringify(await list.request(messages)))[0]
    await close()
    await close()
    assert.match(await run('read_result', { ref_id, limit: 50 }), /row 0 of 1/)
    await context.close()
    messages.push(say('assistant', 'Done.'), say('user', 'And?'))
    assert.deepEqual((await list.request(messages)).at(-1), messages.at(-1))
    assert.deepEqual((await context.handoff()).requests, ['And?', 'Go.'])
    await close()
    await list.answered(say('assistant', 'Late.'))
    await assert.rejects(context.state(), { code: 'unknown_context' }, 'the end of a turn opens nothing')
  })
}
