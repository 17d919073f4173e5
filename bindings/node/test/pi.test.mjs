// pi, the whole program, with a scripted server.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

import { serve } from './anthropic-server.mjs'
import { OPEN, optional, script, STEPS } from './script.mjs'

const { skip } = await optional('@earendil-works/pi-coding-agent')
const USAGE = { input_tokens: 5, cache_creation_input_tokens: 100, cache_read_input_tokens: 800, output_tokens: 9 }
const call = ({ name, input }) => (name === 'dump' ? { name: 'bash', input: { command: `for i in $(seq 1 150); do echo "row $i of ${input.n}: name_$i is $i"; done` } } : { name, input })

/** pi without a terminal. */
function run(folder, ...args) {
  const main = fileURLToPath(import.meta.resolve('@earendil-works/pi-coding-agent'))
  const env = { PATH: process.env.PATH, HOME: folder, PI_CODING_AGENT_DIR: join(folder, 'pi'), PI_OFFLINE: '1', PI_TELEMETRY: '0', ANTHROPIC_API_KEY: 'k' }
  const own = [join(dirname(main), 'cli.js'), '-p', '--model', 'anthropic/claude-sonnet-4-5', '--thinking', 'off', '-ne', '-ns', '-nc', '-e', join(folder, 'extension.mjs')]
  const child = spawn(process.execPath, [...own, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 })
  let [out, errors] = ['', '']
  child.stdout.on('data', more => (out += more))
  child.stderr.on('data', more => (errors += more))
  return new Promise(ended => child.on('close', code => ended({ code, out, errors })))
}

test('pi: 60 steps, an overflow, a read-back and a resume', { skip }, async t => {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-pi-'))
  const server = await serve(script(), { call, usage: USAGE })
  t.after(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  mkdirSync(join(folder, 'pi'))
  writeFileSync(join(folder, 'pi/models.json'), JSON.stringify({ providers: { anthropic: { baseUrl: server.url } } }))
  writeFileSync(join(folder, 'pi/settings.json'), JSON.stringify({ cacheWarming: 'off', compaction: { keepRecentTokens: 50 } }))
  const options = JSON.stringify({ dataDir: join(folder, 'data'), window: OPEN.window, max_output: OPEN.max_output })
  writeFileSync(join(folder, 'extension.mjs'), `import { throughline } from ${JSON.stringify(import.meta.resolve('throughline/pi'))}\nexport default throughline(${options})\n`)

  const first = await run(folder, '--session-id', 'seam', 'Dump everything.')
  assert.equal(first.code, 0, first.errors + first.out.slice(-2000))
  assert.match(first.out, /done/)
  assert.deepEqual(server.refused, [])
  assert.equal(server.requests.length, STEPS + 1, 'no request for a summary')
  const sizes = server.requests.map(body => JSON.stringify(body.messages).length)
  assert(sizes[25] < sizes[24], 'the request after the overflow is smaller')
  const drops = sizes.filter((size, at) => at > 0 && size < sizes[at - 1] * 0.8).length
  assert(drops >= 3, `${drops} compactions: ${sizes}`)
  assert(server.requests.every(body => body.tools.some(tool => tool.name === 'read_result')))
  const text = JSON.stringify(server.requests)
  assert.match(text, /\[Result r-[0-9a-f]{16} from /, 'read_result was answered')

  const before = server.requests.length
  server.plan = script({ steps: 1 })
  const second = await run(folder, '--session-id', 'seam', 'And now?')
  assert.equal(second.code, 0, second.errors)
  assert.equal(server.requests.length, before + 1)
  const resumed = JSON.stringify(server.requests.at(-1).messages)
  assert(resumed.length < 24_000 * 4 && resumed.includes('And now?') && resumed.includes('Dump everything.'))
  assert.deepEqual(server.refused, [])
})
