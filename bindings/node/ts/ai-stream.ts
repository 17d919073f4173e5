// Streams of a model of the AI SDK.

import type { LanguageModelMiddleware } from 'ai'

type Streamed = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>
type Part = Streamed['stream'] extends ReadableStream<infer P> ? P : never
type Usage = Extract<Part, { type: 'finish' }>['usage']

/** Reads a stream up to its first content: an error before it is thrown. */
export async function begun(result: Streamed): Promise<Streamed> {
  const reader = result.stream.getReader()
  const head: Part[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    if (value.type === 'error') throw value.error
    head.push(value)
    if (value.type !== 'stream-start' && value.type !== 'response-metadata') break
  }
  const pull = async (out: ReadableStreamDefaultController<Part>) => {
    const { done, value } = head.length > 0 ? { done: false, value: head.shift() } : await reader.read()
    if (done) out.close()
    else out.enqueue(value as Part)
  }
  return { ...result, stream: new ReadableStream({ pull, cancel: reason => reader.cancel(reason) }) }
}

/** Passes a stream on; at its end `ended` gets the text, whether there were calls, and the usage. */
export function watched(ended: (text: string, calls: boolean, usage?: Usage) => Promise<void>): TransformStream<Part, Part> {
  let [text, calls, failed] = ['', false, false]
  let usage: Usage | undefined
  return new TransformStream<Part, Part>({
    transform(part, out) {
      if (part.type === 'text-delta') text += part.delta
      calls ||= part.type === 'tool-call'
      failed ||= part.type === 'error'
      if (part.type === 'finish') usage = part.usage
      out.enqueue(part)
    },
    flush: async () => {
      if (!failed) await ended(text, calls, usage)
    },
  })
}
