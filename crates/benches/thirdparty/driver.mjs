// Runs `pruneMessages` of the AI SDK over recorded sessions, with the lines of `driver.py`.
//
// A step of an agent calls it in `prepareStep`, whose messages carry forward.
import { createInterface } from 'node:readline'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const require = createRequire(process.env.THROUGHLINE_COMPACTORS_NODE + '/')
const { pruneMessages } = await import(pathToFileURL(require.resolve('ai')))
const { version } = require('ai/package.json')

const policies = [
  { name: 'pruneMessages', package: 'ai', version, settings: 'at 0.8 of the room, calls and results before the last two messages' },
]

// Messages with their number, or without one where the policy wrote or changed them.
const native = (message, number) => {
  const of = { text: part => ({ type: 'text', text: part.text }), tool_call: part => ({ type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.input }) }
  const results = message.content.filter(part => part.type === 'tool_result')
  if (results.length) return { role: 'tool', number, content: results.map(part => ({ type: 'tool-result', toolCallId: part.call_id, toolName: names.get(part.call_id), output: { type: 'text', value: part.content } })) }
  for (const part of message.content) if (part.type === 'tool_call') names.set(part.id, part.name)
  return { role: message.role, number, content: message.content.filter(part => of[part.type]).map(part => of[part.type](part)) }
}
const own = message => ({
  role: message.role === 'assistant' ? 'assistant' : 'user',
  content: message.content.map(part => part.type === 'text' ? part : part.type === 'tool-call' ? { type: 'tool_call', id: part.toolCallId, name: part.toolName, input: part.input } : { type: 'tool_result', call_id: part.toolCallId, content: part.output.value }),
})
const size = message => message.content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : part.type === 'tool-call' ? part.toolName.length + JSON.stringify(part.input).length : part.output.value.length), 0)

let room, view, given, names, parts
const tokens = () => view.reduce((sum, message) => sum + size(message), 0) / room.chars_per_token
const shown = () => {
  const messages = []
  for (const message of view.filter(message => message.content.length)) {
    const whole = message.number !== undefined && message.content.length === parts[message.number]
    const last = messages.at(-1)
    // Answers without their calls follow each other: the providers of the AI SDK send them as one.
    if (message.role === 'assistant' && last?.role === 'assistant') Object.assign(last, { whole: false, content: [...last.content, ...message.content] })
    else messages.push({ ...message, whole })
  }
  return messages.map(message => message.whole ? { given: message.number } : { own: own(message) })
}

const answer = asked => {
  if (asked.op === 'policies') return { policies }
  if (asked.op === 'open') {
    room = asked.room; view = []; given = 0; names = new Map(); parts = []
    return { opened: true }
  }
  for (const message of asked.new ?? []) {
    const made = native(message, given++)
    parts.push(made.content.length)
    view.push(made)
  }
  if (asked.op === 'view' && tokens() > room.limit * 0.8 - room.fixed) {
    view = pruneMessages({ messages: view, toolCalls: 'before-last-2-messages', emptyMessages: 'remove' })
  }
  return { view: shown() }
}

for await (const line of createInterface({ input: process.stdin })) {
  let said
  try { said = answer(JSON.parse(line)) } catch (error) { said = { error: String(error) } }
  process.stdout.write(JSON.stringify(said) + '\n')
}
