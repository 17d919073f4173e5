// OpenCode, the whole program, with a scripted server.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

import { serve } from './anthropic-server.mjs'
import { script } from './script.mjs'

const USAGE = { input_tokens: 5, cache_creation_input_tokens: 100, cache_read_input_tokens: 800, output_tokens: 9 }
const call = ({ name, input }) =>
  name === 'dump'
    ? { name: 'bash', input: { command: `for i in $(seq 1 150); do echo "row $i of ${input.n}: name_$i is $i"; done`, description: 'Dumps rows' } }
    : { name, input }

/** The program, from the package `opencode-ai`. */
function program() {
  const found = new URL('../node_modules/opencode-linux-x64/bin/opencode', import.meta.url)
  return existsSync(found) ? fileURLToPath(found) : undefined
}
const skip = program() ? false : 'skipped: opencode-ai: the npm package is not installed'

function run(folder, config, ...args) {
  const env = { PATH: process.env.PATH, HOME: folder, TERM: 'dumb', OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_DEFAULT_PLUGINS: '1', OPENCODE_CONFIG_CONTENT: JSON.stringify(config) }
  const child = spawn(program(), ['run', '--format', 'json', '--title', 't', ...args], { cwd: join(folder, 'work'), env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 240_000 })
  let [out, errors] = ['', '']
  child.stdout.on('data', more => (out += more))
  child.stderr.on('data', more => (errors += more))
  return new Promise(ended => child.on('close', code => ended({ code, out, errors })))
}

// A step of the program takes a second and more, so there are fewer of them, in a smaller window.
const [STEPS, window] = [30, 12_000]

test(`opencode: ${STEPS} steps, a read-back and a resume`, { skip }, async t => {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-oc-'))
  const server = await serve(script({ steps: STEPS, overflowAt: 0, readAt: 20 }), { call, usage: USAGE })
  t.after(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  mkdirSync(join(folder, 'work'))
  const plugin = join(folder, 'throughline.mjs')
  const options = JSON.stringify({ dataDir: join(folder, 'data'), window, max_output: 1_000 })
  writeFileSync(plugin, `import { throughline } from ${JSON.stringify(import.meta.resolve('throughline/opencode'))}\nexport const Throughline = throughline(${options})\n`)
  const model = 'anthropic/claude-sonnet-4-5'
  const provider = { anthropic: { options: { baseURL: `${server.url}/v1`, apiKey: 'k' } } }
  const config = { plugin: [`file://${plugin}`], permission: { '*': 'allow' }, model, small_model: model, share: 'disabled', autoupdate: false, provider }

  const first = await run(folder, config, 'Dump everything.')
  assert.equal(first.code, 0, first.errors + first.out.slice(-2000))
  assert.deepEqual(server.refused, [])
  const requests = server.requests.filter(body => body.tools?.length > 0)
  assert.equal(requests.length, STEPS)
  const sizes = requests.map(body => JSON.stringify(body.messages).length)
  const drops = sizes.filter((size, at) => at > 0 && size < sizes[at - 1] * 0.8).length
  assert(drops >= 3, `${drops} compactions: ${sizes}`)
  assert(Math.max(...sizes) < window * 6)
  assert(requests.every(body => body.tools.some(tool => tool.name === 'read_result')))
  assert.match(JSON.stringify(requests.map(body => body.messages)), /\[Result r-[0-9a-f]{16} from /, 'read_result was answered')

  const session = /"sessionID":"(\w+)"/.exec(first.out)[1]
  server.plan = script({ steps: 1 })
  const second = await run(folder, config, '--session', session, 'And now?')
  assert.equal(second.code, 0, second.errors)
  const resumed = JSON.stringify(server.requests.at(-1).messages)
  assert(resumed.length < window * 5 && resumed.includes('And now?') && resumed.includes('Dump everything.'))
  assert.deepEqual(server.refused, [])
})
