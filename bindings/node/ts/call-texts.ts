// What the engine has changed in calls and results, for the caller's messages.

import type { Item } from './list-shape.js'

/** Gives the value of each call by its id. One of several calls with the same id gets theirs in order. */
export function byCall<T>(ids: unknown[], values: T[]): (id: unknown) => T | undefined {
  const left = ids.map((id, at) => ({ id, value: values[at] }))
  return id => {
    const at = left.findIndex(one => one.id === id)
    return at < 0 ? undefined : left.splice(at, 1)[0]?.value
  }
}

/** The blocks of this type in items of Anthropic's form. */
function blocks(items: Item[], type: string): Item[] {
  const all = items.flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Item[])))
  return all.filter(block => block.type === type)
}

/** The text of each result, by its call, of changed results in Anthropic's form. */
export function resultTexts(items: Item[]): (id: unknown) => string | undefined {
  const results = blocks(items, 'tool_result')
  return byCall(results.map(block => block.tool_use_id), results.map(block => textOf(block.content)))
}

/** The text of a result: a text, or parts of which some are texts. */
export function textOf(content: unknown): string {
  return typeof content === 'string' ? content : (content as Item[]).flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n')
}

/** The input of each call, by its id, of a changed message of the model in Anthropic's form. */
export function callInputs(items: Item[]): (id: unknown) => Item | undefined {
  const calls = blocks(items, 'tool_use')
  return byCall(calls.map(block => block.id), calls.map(block => block.input as Item))
}

/** The new value if it says something else, and otherwise the value that the caller has. */
export const changed = <T>(value: T | undefined, own: T): T => (value === undefined || JSON.stringify(value) === JSON.stringify(own) ? own : value)
