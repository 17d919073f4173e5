// Messages of pi as items of a list, and back. OpenClaw has the same messages.

import { callInputs, changed, resultTexts, textOf } from './call-texts.js'
import type { Item } from './list-shape.js'

type Content = { type: string; text?: string; data?: string; mimeType?: string; id?: string; name?: string; arguments?: unknown }
/** A message of pi, as far as it is read here. */
export type Message = {
  role: string
  content?: string | Content[]
  summary?: string
  /** Of a command that the user ran. */
  command?: string
  output?: string
  exitCode?: number | null
  cancelled?: boolean
  truncated?: boolean
  fullOutputPath?: string
  /** The model is not shown it. */
  excludeFromContext?: boolean
  toolCallId?: string
  isError?: boolean
  stopReason?: string
  errorMessage?: string
  timestamp?: number
  usage?: { input: number; output: number; cacheRead: number; cacheWrite: number }
}

/** At most one item of Anthropic's form for each. */
export function toItems(message: Message): Item[] {
  const content = parts(message).flatMap(blocks)
  if (message.role === 'toolResult') {
    return [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: message.toolCallId, content, is_error: message.isError }] }]
  }
  if (message.role === 'bashExecution') return message.excludeFromContext ? [] : [{ role: 'user', content: [{ type: 'text', text: ran(message) }] }]
  if (message.role !== 'assistant') return [{ role: 'user', content: message.summary ? [{ type: 'text', text: message.summary }] : content }]
  // pi leaves out what failed or was stopped.
  return message.stopReason === 'error' || message.stopReason === 'aborted' ? [] : [{ role: 'assistant', content }]
}

function parts({ content }: Message): Content[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
}

/** A command of the user, in the words in which pi shows it to the model. */
function ran({ command, output, cancelled, exitCode, truncated, fullOutputPath }: Message): string {
  const said = output ? `\`\`\`\n${output}\n\`\`\`` : '(no output)'
  const ended = cancelled ? '\n\n(command cancelled)' : exitCode ? `\n\nCommand exited with code ${exitCode}` : ''
  const rest = truncated && fullOutputPath ? `\n\n[Output truncated. Full output: ${fullOutputPath}]` : ''
  return `Ran \`${command}\`\n${said}${ended}${rest}`
}

function blocks({ type, text, data, mimeType, id, name, arguments: input }: Content): Item[] {
  if (type === 'image') return [{ type, source: { type: 'base64', media_type: mimeType, data } }]
  if (type === 'toolCall') return [{ type: 'tool_use', id, name, input: Object(input) }]
  return type === 'text' && text ? [{ type, text }] : []
}

/** Messages for items that the engine has changed or made. */
export function fromItems(items: Item[], _texts: string[], originals: Message[]): Message[] {
  const text = resultTexts(items)
  const input = callInputs(items)
  if (originals.some(({ role }) => role === 'toolResult' || role === 'assistant')) {
    return originals.map(message => {
      if (message.role === 'toolResult') return shown(message, text(message.toolCallId))
      if (message.role !== 'assistant' || typeof message.content === 'string') return message
      const content = message.content?.map(part => (part.type === 'toolCall' ? { ...part, arguments: changed<unknown>(input(part.id), part.arguments) } : part))
      return { ...message, content }
    })
  }
  return items.map(({ content }) => ({ role: 'user', content: (content as Item[]).map(made), timestamp: 0 }))
}

/** A result with this text, if it is another one. */
function shown(message: Message, text: string | undefined): Message {
  return text === undefined || text === textOf(parts(message)) ? message : { ...message, content: [{ type: 'text', text }] }
}

function made(block: Item): Content {
  const { media_type: mimeType, data } = Object(block.source)
  return block.type === 'image' ? { type: 'image', mimeType, data } : { type: 'text', text: String(block.text) }
}

/** The usage of a message: what `ListSync.reported` takes. */
export function reported({ usage }: Message): [number, number, number, number] {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage ?? {}
  return [input + cacheRead + cacheWrite, cacheRead, cacheWrite, output]
}
