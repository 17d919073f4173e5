// Items of OpenAI Agents as items of the Responses API, and back.

import type { AgentInputItem } from '@openai/agents'

import { byCall, textOf } from './call-texts.js'
import type { Item } from './list-shape.js'

type Call = Extract<AgentInputItem, { type: 'function_call' | 'shell_call' | 'apply_patch_call' | 'computer_call' }>
type Result = Extract<AgentInputItem, { type: 'function_call_result' | 'shell_call_output' | 'apply_patch_call_output' | 'computer_call_result' }>

/** At most one item of the Responses API for each. Every call that the caller runs is a call of a function, and has its result. */
export function toItems(item: AgentInputItem): Item[] {
  if (isCall(item)) {
    const { name, input } = called(item)
    return [{ type: 'function_call', call_id: item.callId, name, arguments: input }]
  }
  if (isResult(item)) return [{ type: 'function_call_output', call_id: item.callId, output: content(said(item), 'input_text') }]
  if (item.type !== undefined && item.type !== 'message') {
    // Reasoning and what the provider runs stay next to their neighbours.
    return []
  }
  return [{ type: 'message', role: item.role, content: content(item.content, item.role === 'assistant' ? 'output_text' : 'input_text') }]
}

/** Whether an item is a call that the caller runs. */
export const isCall = (item: AgentInputItem): item is Call =>
  ['function_call', 'shell_call', 'apply_patch_call', 'computer_call'].includes(String(item.type))

const isResult = (item: AgentInputItem): item is Result =>
  ['function_call_result', 'shell_call_output', 'apply_patch_call_output', 'computer_call_result'].includes(String(item.type))

function called(item: Call): { name: string; input: string } {
  switch (item.type) {
    case 'function_call':
      return { name: item.name, input: item.arguments }
    case 'shell_call':
      return { name: 'shell', input: JSON.stringify(item.action) }
    case 'apply_patch_call':
      return { name: 'apply_patch', input: JSON.stringify(item.operation) }
    case 'computer_call':
      return { name: 'computer', input: JSON.stringify({ actions: item.actions ?? [item.action] }) }
  }
}

/** What a result says: a text, or parts. */
function said(item: Result): unknown {
  switch (item.type) {
    case 'function_call_result':
      return item.output
    case 'shell_call_output':
      return item.output.map(({ stdout, stderr, outcome }) => {
        const ended = outcome.type === 'timeout' ? ['[timeout]'] : outcome.exitCode ? [`[exit code ${outcome.exitCode}]`] : []
        return { text: [stdout, stderr, ...ended].filter(Boolean).join('\n') }
      })
    case 'apply_patch_call_output':
      return item.output ?? item.status
    case 'computer_call_result':
      return { type: 'computer_screenshot', image: item.output.data }
  }
}

function content(value: unknown, type: string): Item[] {
  if (typeof value === 'string') return [{ type, text: value }]
  return [value].flat().map(part => {
    const { text, image } = part as { text?: string; image?: unknown }
    if (typeof image === 'string' && image.startsWith('data:')) return { type: 'input_image', image_url: image }
    return { type, text: text ?? `[${(part as Item).type}]` }
  })
}

/** Items for what the engine has changed or made. */
export function fromItems(items: Item[], _texts: string[], originals: AgentInputItem[]): AgentInputItem[] {
  const of = (type: string) => items.filter(item => item.type === type)
  if (originals.some(isResult)) {
    const results = of('function_call_output')
    const text = byCall(results.map(item => item.call_id), results.map(item => textOf(item.output)))
    return originals.map(item => (isResult(item) ? shown(item, text(item.callId)) : item))
  }
  if (originals.some(item => isCall(item) || (item as Item).role === 'assistant')) {
    const calls = of('function_call')
    const input = byCall(calls.map(item => item.call_id), calls.map(item => String(item.arguments)))
    return originals.map(item => (isCall(item) ? shortened(item, input(item.callId)) : item))
  }
  return items.map(({ content }) => ({ type: 'message', role: 'user', content: parts(content) }) as AgentInputItem)
}

/** A result with another text. A screenshot can have none. */
function shown(item: Result, text: string | undefined): AgentInputItem {
  if (text === undefined || text === textOf(content(said(item), 'input_text'))) return item
  switch (item.type) {
    case 'function_call_result':
      return { ...item, output: { type: 'text' as const, text } }
    case 'shell_call_output':
      return { ...item, output: [{ outcome: { type: 'exit' as const, exitCode: 0 }, ...item.output[0], stdout: text, stderr: '' }] }
    case 'apply_patch_call_output':
      return { ...item, output: text }
    case 'computer_call_result':
      return item
  }
}

/** A call with other arguments. Those of a hosted tool have a form of their own, and stay. */
function shortened(item: Call, input: string | undefined): AgentInputItem {
  if (item.type !== 'function_call' || input === undefined) return item
  return { ...item, arguments: sameJson(input, item.arguments) ? item.arguments : input }
}

function sameJson(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other))
  } catch {
    return one === other
  }
}

function parts(content: unknown): Item[] {
  if (typeof content === 'string') return [{ type: 'input_text', text: content }]
  return (content as Item[]).map(part => (part.type === 'input_image' ? { type: 'input_image', image: part.image_url } : { type: 'input_text', text: part.text }))
}
