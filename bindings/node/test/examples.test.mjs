// The programs in `examples`, as a user runs them, with a scripted server.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'

import { serve } from './anthropic-server.mjs'
import { optional, script } from './script.mjs'

const folder = join(import.meta.dirname, '../examples')
const USAGE = { input_tokens: 900, output_tokens: 9 }
const call = () => ({ name: 'read', input: { path: join(folder, 'ai-sdk.mjs') } })

function run(file, env) {
  const child = spawn(process.execPath, [join(folder, file)], { cwd: env.HOME, env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 })
  let [out, errors] = ['', '']
  child.stdout.on('data', more => (out += more))
  child.stderr.on('data', more => (errors += more))
  return new Promise(ended => child.on('close', code => ended({ code, out, errors })))
}

const { skip } = await optional('@ai-sdk/anthropic')

test('examples: ai-sdk.mjs runs twice, and the second run resumes the first', { skip }, async t => {
  const home = mkdtempSync(join(tmpdir(), 'throughline-example-'))
  const server = await serve(script({ steps: 12, overflowAt: 0, readAt: 0 }), { call, usage: USAGE })
  t.after(async () => {
    await server.close()
    rmSync(home, { recursive: true })
  })
  const env = { HOME: home, ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: `${server.url}/v1` }
  const first = await run('ai-sdk.mjs', env)
  assert.equal(first.code, 0, first.errors)
  assert.match(first.out, /^done\n[\s\S]*What is in README\.md\?/)
  assert.equal(server.requests.length, 12)
  const marks = JSON.stringify(server.requests.at(-1)).split('"cache_control"').length - 1
  assert(marks >= 1 && marks <= 4, `${marks} cache breakpoints on the wire`)
  server.plan = script({ steps: 1 })
  const second = await run('ai-sdk.mjs', env)
  assert.equal(second.code, 0, second.errors)
  assert.equal(server.requests.at(-1).messages.length, 1 + 2 * 11 + 2, 'the whole conversation and a new message')
  assert.deepEqual(server.refused, [])
})

test('examples: every example imports what the package exports', async () => {
  for (const file of readdirSync(folder).filter(file => file.endsWith('.mjs'))) {
    const name = `throughline/${file.replace('.mjs', '')}`
    const { skip, module } = await optional(name)
    if (!skip) assert.equal(typeof module.throughline, 'function', name)
  }
})
