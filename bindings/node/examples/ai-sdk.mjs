// An agent of the Vercel AI SDK with a session that outlives its window and its process: run it twice.
// ANTHROPIC_API_KEY=… node examples/ai-sdk.mjs "Read the sources and say what they do."

import { existsSync, readFileSync, writeFileSync } from 'node:fs'

import { anthropic } from '@ai-sdk/anthropic'
import { generateText, isStepCount, tool, wrapLanguageModel } from 'ai'
import { throughline } from 'throughline/ai-sdk'
import { z } from 'zod'

const read = tool({
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  execute: async ({ path }) => readFileSync(path, 'utf8'),
})

// The program keeps the messages, as it does without the engine. The model gets a request that fits.
const file = 'ai-sdk-messages.json'
const messages = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
messages.push({ role: 'user', content: process.argv[2] ?? 'What is in README.md?' })

const session = await throughline({ session: 'ai-sdk-example', model: 'claude-sonnet-4-5' })
const { text, responseMessages } = await generateText({
  model: wrapLanguageModel({ model: anthropic('claude-sonnet-4-5'), middleware: session.middleware }),
  tools: { read, ...session.toolSet },
  messages,
  stopWhen: isStepCount(200),
})
writeFileSync(file, JSON.stringify([...messages, ...responseMessages]))
console.log(text)
console.log((await session.context.handoff()).continuation_prompt)
await session.close()
