// An agent of the Vercel AI SDK with a session that outlives its window and its process. Run it twice.
// ANTHROPIC_API_KEY=… node examples/ai-sdk.mjs "Read the sources and say what they do."

import { readFileSync } from 'node:fs'

import { anthropic } from '@ai-sdk/anthropic'
import { generateText, isStepCount, tool, wrapLanguageModel } from 'ai'
import { throughline } from 'throughline/ai-sdk'
import { z } from 'zod'

const read = tool({
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  execute: async ({ path }) => readFileSync(path, 'utf8'),
})

const session = await throughline({ session: 'ai-sdk-example', model: 'claude-sonnet-4-5' })
const { text } = await generateText({
  model: wrapLanguageModel({ model: anthropic('claude-sonnet-4-5'), middleware: session.middleware }),
  tools: { read, ...session.toolSet },
  prompt: process.argv[2] ?? 'What is in README.md?',
  stopWhen: isStepCount(200),
})
console.log(text)
console.log((await session.context.handoff()).continuation_prompt)
await session.close()
