// An agent of LangChain with a session that outlives its window and its process.
// ANTHROPIC_API_KEY=… node examples/langchain.mjs "Read the sources and say what they do."

import { readFileSync } from 'node:fs'

import { createAgent, HumanMessage, tool } from 'langchain'
import { throughline } from 'throughline/langchain'
import { z } from 'zod'

const read = tool(({ path }) => readFileSync(path, 'utf8'), {
  name: 'read',
  description: 'Reads a file.',
  schema: z.object({ path: z.string() }),
})

const session = await throughline({ session: 'langchain-example', model: 'claude-sonnet-4-5' })
const agent = createAgent({ model: 'anthropic:claude-sonnet-4-5', tools: [read], middleware: [session.middleware] })
const { messages } = await agent.invoke({ messages: [new HumanMessage(process.argv[2] ?? 'What is in README.md?')] })
console.log(messages.at(-1)?.text)
await session.close()
