// What the engine knows of a list: its messages, and where their items are.

import type { Item, ListShape } from './list-shape.js'

/** A message that was handed over. */
export interface Known<M> {
  message: M
  print: string
  /** Its first item, and the item behind its last one. */
  from: number
  to: number
}

/** How many messages at the start of a list are known. Known messages become the caller's newest objects. */
export function knownStart<M>(known: readonly Known<M>[], messages: readonly M[], shape: ListShape<M>): number {
  let same = 0
  for (const one of known) {
    const message = messages[same]
    if (message === undefined) break
    const equal = shape.identity ? one.message === message : one.print === print(message, shape)
    if (!equal) break
    one.message = message
    same += 1
  }
  return same
}

/** The known messages and those behind them, with the items of the latter. */
export function extended<M>(start: readonly Known<M>[], more: readonly M[], shape: ListShape<M>): { known: Known<M>[]; items: Item[] } {
  const known = [...start]
  const items: Item[] = []
  let to = known.at(-1)?.to ?? 0
  for (const message of more) {
    const own = itemsOf(message, shape)
    items.push(...own)
    known.push({ message, print: print(message, shape), from: to, to: to + own.length })
    to += own.length
  }
  return { known, items }
}

/** The messages that have an item in this range, and those without items in front of them. */
export function between<M>(known: readonly Known<M>[], from: number, to: number): Known<M>[] {
  // The first one that ends behind `from`, by halves: ends do not decrease.
  let [low, high] = [0, known.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const end = known[middle]?.to ?? 0
    if (end > from || (end === from && known[middle]?.from === from)) high = middle
    else low = middle + 1
  }
  let end = low
  while (end < known.length && (known[end]?.from ?? to) < to) end += 1
  return known.slice(low, end)
}

/** The messages behind the last item. */
export function behind<M>(known: readonly Known<M>[]): Known<M>[] {
  return known.slice(known.findLastIndex(({ from, to }) => to > from) + 1)
}

function itemsOf<M>(message: M, shape: ListShape<M>): Item[] {
  return shape.toItems(message).filter(item => !isBlank(item))
}

/** Whether an item says nothing. The engine leaves such a message out. */
function isBlank({ role, content, tool_calls }: Item): boolean {
  if ((role !== 'user' && role !== 'assistant') || tool_calls) return false
  if (typeof content === 'string') return content.trim() === ''
  return Array.isArray(content) && content.every(({ text }: Item) => typeof text === 'string' && text.trim() === '')
}

function print<M>(message: M, shape: ListShape<M>): string {
  return shape.identity ? '' : JSON.stringify(message)
}
