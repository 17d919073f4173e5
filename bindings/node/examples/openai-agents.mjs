// An agent of OpenAI Agents with a session that outlives its window and its process.
// OPENAI_API_KEY=… node examples/openai-agents.mjs "Read the sources and say what they do."

import { readFileSync } from 'node:fs'

import { Agent, OpenAIProvider, run, tool } from '@openai/agents'
import { throughline } from 'throughline/openai-agents'
import { z } from 'zod'

const read = tool({
  name: 'read',
  description: 'Reads a file.',
  parameters: z.object({ path: z.string() }),
  execute: async ({ path }) => readFileSync(path, 'utf8'),
})

const session = await throughline({ session: 'agents-example', model: 'gpt-5', provider: 'openai' })
const model = session.model(await new OpenAIProvider().getModel('gpt-5'))
const agent = new Agent({ name: 'reader', model, tools: [read, ...session.functions] })
const result = await run(agent, process.argv[2] ?? 'What is in README.md?', { maxTurns: 200 })
console.log(result.finalOutput)
await session.close()
