// Worker threads that are terminated in the middle of operations.

import assert from 'node:assert/strict'
import test from 'node:test'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

import { Engine } from 'throughline'

import { OPEN, rows } from './script.mjs'

const messages = [{ role: 'user', content: rows(1).repeat(20) }]

async function busy(id) {
  const context = await new Engine({ memory: true }).open(id, OPEN)
  for (;;) {
    await context.sync({ messages })
    parentPort.postMessage(id)
  }
}

if (isMainThread) {
  test('a worker that is terminated while operations run leaves the process sound', async () => {
    const engine = new Engine({ memory: true })
    for (let turn = 0; turn < 24; turn++) {
      const worker = new Worker(new URL(import.meta.url))
      let done = 0
      await new Promise((ended, failed) => worker.on('error', failed).on('message', () => (done += 1) === turn + 1 && ended()))
      assert.equal(await worker.terminate(), 1)
      const context = await engine.open(`after-${turn}`, OPEN)
      assert.equal((await context.sync({ messages })).appended, 1)
    }
  })
} else {
  for (const id of ['one', 'two', 'three', 'four']) busy(id)
}
