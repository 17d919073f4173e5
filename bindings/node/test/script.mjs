// The script of every framework's test: 60 steps with large results, an overflow, a read-back.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const STEPS = 60

/** What sessions of the tests are opened with. */
export const OPEN = { model: 'scripted', window: 24_000, max_output: 2_000, system: 'You are careful.' }

/** A result of about 5 KB. */
export const rows = n => Array.from({ length: 100 }, (_, row) => `row ${row} of ${n}: name_${row * 7 + n} is ${row * n}\n`).join('')

export const OVERFLOW = 'prompt is too long: 212345 tokens > 200000 maximum'

/** A model that follows the script: `next(text)` gives the calls for a prompt with this text, none at the end. */
export function script({ steps = STEPS, overflowAt = 25, readAt = 40 } = {}) {
  let step = 0
  let failed = false
  return {
    get step() {
      return step
    },
    next(text) {
      if (step + 1 === overflowAt && !failed) {
        failed = true
        throw Object.assign(new Error(OVERFLOW), { status: 400 })
      }
      step += 1
      if (step >= steps) return []
      const call = (n, k) => ({ id: `c${step}_${k}`, name: 'dump', input: { n } })
      if (step === 4) return [call(4, 0), call(400, 1)]
      if (step !== readAt) return [call(step, 0)]
      const ref_id = text.match(/r-[0-9a-f]{16}/g)?.at(-1)
      assert(ref_id, 'a stored result is referred to')
      return [{ id: `c${step}_0`, name: 'read_result', input: { ref_id, limit: 300 } }]
    },
  }
}

/** Runs this test file again in a new process with the argument `resume`, and gives what it prints as JSON. */
export function inNewProcess(file, input) {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-given-'))
  const path = join(folder, 'given.json')
  writeFileSync(path, JSON.stringify(input))
  const run = spawnSync(process.execPath, [file, 'resume', path], { encoding: 'utf8', timeout: 120_000 })
  rmSync(folder, { recursive: true })
  assert.equal(run.status, 0, run.stderr)
  return JSON.parse(run.stdout.trim().split('\n').at(-1))
}

/** What `inNewProcess` has given to this process. */
export const given = () => JSON.parse(readFileSync(process.argv[3], 'utf8'))

/** In the new process: what the resumed session shows of the one before, for `checkResumed`. */
export async function report(session, request) {
  const { requests } = await session.context.handoff()
  await session.close()
  const whole = JSON.stringify(request).includes('Dump everything.')
  console.log(JSON.stringify({ resumed: session.context.opened.resumed, sent: request.length, requests, whole }))
}

/** What a resume in a new process must show: the session continues, compacted, with every word of the user. */
export function checkResumed({ resumed, sent, requests, whole }, messages) {
  assert.equal(resumed, true)
  assert(sent < messages.length / 2, `${sent} of ${messages.length}`)
  assert.equal(requests[0], 'And now?')
  assert(whole, 'the first request is shown')
}

/** The module, or the reason to skip. */
export async function optional(name) {
  try {
    return { module: await import(name) }
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    return { skip: `skipped: ${name}: the npm package is not installed` }
  }
}

/**
 * What the requests of every framework must show. A request is a list of `{ role, text, calls, result }`: every call has its
 * result, the overflow was answered inside of its call, and the list was compacted three times or more.
 */
export function checkRequests(requests, notices) {
  assert.equal(requests.length, STEPS + 1, 'the overflow was answered inside of the call')
  for (const request of requests) {
    const open = new Set()
    for (const message of request) {
      if (message.result) assert(open.delete(message.result), `a result without its call: ${message.result}`)
      for (const id of message.calls ?? []) open.add(id)
    }
    assert.equal(open.size, 0, 'a call without its result')
  }
  const sizes = requests.map(request => JSON.stringify(request).length)
  assert(sizes[25] < sizes[24], 'the request after the overflow is smaller')
  assert(Math.max(...sizes) < OPEN.window * 6, `${Math.max(...sizes)} characters`)
  const compactions = notices.filter(notice => notice.kind === 'compacted').length
  assert(compactions >= 3, `${compactions} compactions`)
}
