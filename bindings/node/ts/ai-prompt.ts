// Prompts of the AI SDK as items of a list, and back. Mastra has the same prompts.

import type { LanguageModelMiddleware } from 'ai'

import { callInputs, changed, resultTexts } from './call-texts.js'
import type { CacheMarks, Item } from './list-shape.js'

type Params = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['transformParams']>>>
/** A message of a prompt, as a model receives it. */
export type PromptMessage = Params['prompt'][number]
type ToolMessage = Extract<PromptMessage, { role: 'tool' }>
type Output = Extract<ToolMessage['content'][number], { type: 'tool-result' }>['output']

/** One item of Anthropic's form for each message. */
export function toItems(message: PromptMessage): Item[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user':
      return [{ role: 'user', content: message.content.map(part => (part.type === 'text' ? text(part.text) : file(part))) }]
    case 'assistant':
      return [{ role: 'assistant', content: message.content.flatMap(block) }]
    case 'tool':
      return [{ role: 'user', content: message.content.flatMap(part => (part.type === 'tool-result' ? [result(part)] : [])) }]
  }
}

/** Messages for items that the engine has changed or made. */
export function fromItems(items: Item[], _texts: string[], originals: PromptMessage[]): PromptMessage[] {
  const text = resultTexts(items)
  const input = callInputs(items)
  const pictures = originals.flatMap(message => (message.role === 'user' ? message.content.filter(part => part.type === 'file' && file(part).type === 'image') : []))
  if (originals.some(({ role }) => role === 'tool' || role === 'assistant')) {
    return originals.map(message => {
      if (message.role === 'tool') return { ...message, content: message.content.map(part => shown(part, text)) }
      if (message.role !== 'assistant') return message
      const content = message.content.map(part => (part.type === 'tool-call' ? { ...part, input: changed(input(part.toolCallId), part.input) } : part))
      return { ...message, content }
    })
  }
  return items.map(item => made(item, pictures))
}

/** A result with the text of its call, if that is another one. */
function shown(part: ToolMessage['content'][number], text: (id: unknown) => string | undefined): typeof part {
  if (part.type !== 'tool-result') return part
  const value = text(part.toolCallId)
  return value === undefined || value === outputText(part.output) ? part : { ...part, output: { type: 'text', value } }
}

/** A summary, a note, or a changed message of the user with the pictures that it still has. */
function made({ content }: Item, pictures: unknown[]): PromptMessage {
  const blocks = typeof content === 'string' ? [text(content)] : (content as Item[])
  const parts = blocks.flatMap(block => (block.type === 'text' ? [text(String(block.text))] : pictures.splice(0, 1)))
  return { role: 'user', content: parts } as PromptMessage
}

const text = (text: string): Item => ({ type: 'text', text })

function file(part: { mediaType: string; data: unknown }): Item {
  const data = part.data as Record<string, unknown> | Uint8Array | string
  const bytes = typeof data === 'object' && 'data' in data ? data.data : data
  if (!part.mediaType.startsWith('image/') || part.mediaType === 'image/*') return text(`[a file of the type ${part.mediaType}]`)
  const base64 = typeof bytes === 'string' ? bytes : bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : undefined
  if (base64 === undefined) return text(`[a picture at ${String((data as { url?: unknown }).url ?? data)}]`)
  return { type: 'image', source: { type: 'base64', media_type: part.mediaType, data: base64 } }
}

function block(part: Extract<PromptMessage, { role: 'assistant' }>['content'][number]): Item[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [text(part.text)]
    case 'tool-call':
      return [{ type: 'tool_use', id: part.toolCallId, name: part.toolName, input: Object(part.input) }]
    case 'tool-result':
      // A tool that the provider ran: its result is a part of what the model said.
      return [text(outputText(part.output))]
    default:
      return []
  }
}

function result(part: { toolCallId: string; output: Output }): Item {
  const is_error = part.output.type.startsWith('error') || part.output.type === 'execution-denied'
  const { output } = part
  const content =
    output.type === 'content'
      ? output.value.map(one => {
          if (one.type === 'text') return text(one.text)
          return 'mediaType' in one && 'data' in one ? file(one as { mediaType: string; data: unknown }) : text(JSON.stringify(one))
        })
      : outputText(output)
  return { type: 'tool_result', tool_use_id: part.toolCallId, content, is_error }
}

function outputText(output: Output): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'execution-denied':
      return output.reason ?? 'The call was denied.'
    case 'content':
      return output.value.map(one => (one.type === 'text' ? one.text : '')).filter(Boolean).join('\n')
    default:
      return JSON.stringify(output.value)
  }
}

/** What the model said at the end of a turn. */
export const said = (text: string): PromptMessage => ({ role: 'assistant', content: [{ type: 'text', text }] })

/** With the breakpoints of the prompt cache that the engine plans, unless the caller has set some. */
export function marked(prompt: PromptMessage[], { marks, systemMark }: CacheMarks): PromptMessage[] {
  if (JSON.stringify(prompt.map(message => message.providerOptions ?? null)).includes('cacheControl')) return prompt
  return prompt.map((message, at) => {
    const ttl = message.role === 'system' ? systemMark : marks.get(at)
    if (!ttl) return message
    const anthropic = { ...message.providerOptions?.anthropic, cacheControl: { type: 'ephemeral', ttl } }
    return { ...message, providerOptions: { ...message.providerOptions, anthropic } }
  })
}
