// An agent of Mastra with a session that outlives its window and its process.
// ANTHROPIC_API_KEY=… node examples/mastra.mjs "Read the sources and say what they do."

import { readFileSync } from 'node:fs'

import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { throughline } from 'throughline/mastra'
import { z } from 'zod'

const read = createTool({
  id: 'read',
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  execute: async ({ path }) => readFileSync(path, 'utf8'),
})

const session = await throughline({ session: 'mastra-example', model: 'claude-sonnet-4-5' })
const agent = new Agent({
  id: 'reader',
  name: 'reader',
  instructions: 'You read sources.',
  model: 'anthropic/claude-sonnet-4-5',
  tools: { read, ...session.toolSet },
  ...session.processors,
})
const result = await agent.generate(process.argv[2] ?? 'What is in README.md?', { maxSteps: 200 })
console.log(result.text)
await session.close()
