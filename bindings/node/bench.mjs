// What the binding adds to `next_request` in a session of 500 messages, in microseconds. The Rust call is timed by
// examples/bench_next_request.rs, built like the binding: `--release` for a release build of both.

import { execFileSync } from 'node:child_process'

import { Engine } from 'throughline'

const profile = process.argv.includes('--release') ? ['--release'] : []
const example = ['run', '-q', ...profile, '-p', 'throughline-node', '--example', 'bench_next_request']
const rust = Number(execFileSync('cargo', example, { encoding: 'utf8', cwd: import.meta.dirname }))

const context = await new Engine({ memory: true }).open('bench', { model: 'bench', window: 1_000_000 })
await context.user({ text: 'Dump everything.' })
const times = { next: [], json: [], body: [] }
const timed = (list, begun) => list.push((performance.now() - begun) * 1000)
let size = 0
for (let step = 0; step < 350; step++) {
  let begun = performance.now()
  const next = await context.nextRequest()
  if (step >= 250) {
    timed(times.next, begun)
    begun = performance.now()
    size = next.json.length
    timed(times.json, begun)
    begun = performance.now()
    void next.body
    timed(times.body, begun)
  }
  const tool = { type: 'tool_use', id: `c${step}`, name: 'dump', input: { of: step } }
  await context.answer({ request: next.id, body: { content: [tool], stop_reason: 'tool_use' } })
  await context.results({ results: [{ call: `c${step}`, text: 'row of 40 characters, as a table has it\n'.repeat(10) }] })
}
const median = list => list.sort((one, other) => one - other)[list.length >> 1]
const next = median(times.next)
const row = (what, value) => console.log(`${what.padEnd(44)}${value.toFixed(1).padStart(10)} µs`)
row('next_request from Rust', rust)
row('nextRequest from JavaScript', next)
row('  what the binding adds', next - rust)
row(`request.json, a text of ${size} characters`, median(times.json))
row('request.body, parsed from it', median(times.body))
