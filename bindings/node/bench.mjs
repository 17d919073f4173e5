// What the binding adds to `next_request` in a session of 500 messages: medians of 100 requests, in microseconds.

import { Engine } from 'throughline'

const context = await new Engine({ memory: true }).open('bench', { model: 'bench', window: 1_000_000, policy: 'off' })
await context.user({ text: 'Dump everything.' })
const times = { whole: [], rust: [], added: [], json: [], body: [] }
const since = begun => (performance.now() - begun) * 1000
let size = 0
for (let step = 0; step < 450; step++) {
  let begun = performance.now()
  const next = await context.nextRequest()
  const whole = since(begun)
  if (step >= 250 && step < 350) {
    times.whole.push(whole)
    times.rust.push(next.micros)
    times.added.push(whole - next.micros)
  }
  if (step >= 350) {
    begun = performance.now()
    size = next.json.length
    times.json.push(since(begun))
    begun = performance.now()
    void next.body
    times.body.push(since(begun))
  }
  const tool = { type: 'tool_use', id: `c${step}`, name: 'dump', input: { of: step } }
  await context.answer({ request: next.id, body: { content: [tool], stop_reason: 'tool_use' } })
  await context.results({ results: [{ call: `c${step}`, text: `row ${step} of a table, with a name and a value\n`.repeat(10) }] })
}
const median = list => list.toSorted((one, other) => one - other)[list.length >> 1]
const row = (what, list) => console.log(`${what.padEnd(44)}${median(list).toFixed(1).padStart(10)} µs`)
row('next_request in Rust', times.rust)
row('nextRequest in JavaScript', times.whole)
row('  what the binding adds', times.added)
row(`request.json, a text of ${size} characters`, times.json)
row('request.body, parsed from it', times.body)
