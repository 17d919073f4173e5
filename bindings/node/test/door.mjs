// Calls the operations that it reads from lines, for the comparison of all ways to the engine: `node door.mjs FOLDER`.

import { createInterface } from 'node:readline'

import { Engine } from 'throughline'

const engine = new Engine({ dataDir: process.argv[2] })
const contexts = new Map()
const camel = name => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())

async function run({ operation, context: id, input }) {
  const context = contexts.get(id)
  if (operation === 'open') {
    contexts.set(id, await engine.open(id, input))
    return { output: contexts.get(id).opened }
  }
  if (operation !== 'next_request') return { output: await context[camel(operation)](input) }
  const { body, json, send, id: number, model, predicted, notices } = await context.nextRequest(input)
  return { output: { send, id: number, model, body, predicted, notices }, sent: json }
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await run(JSON.parse(line)).catch(({ code, message, data }) => ({ error: { code, message, data } }))
  console.log(JSON.stringify(answer))
}
