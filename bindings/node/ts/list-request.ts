// The messages of a request, made of the caller's list and of what the engine says of it.

import { behind, between, type Known } from './list-known.js'
import type { CacheMarks, ListShape } from './list-shape.js'
import type { CacheLifetime, CachePoint, SyncOutput } from './operations.js'

type Changed = Extract<SyncOutput['references'][number], { kind: 'changed' }>

/** A request in messages of the caller. */
export interface ListRequest<M> extends CacheMarks {
  messages: M[]
}

/** The request: the caller's objects, and in their place what the engine has changed. Messages without items are always there. */
export function assembled<M>({ references, breakpoints, notes }: SyncOutput, known: readonly Known<M>[], shape: ListShape<M>): ListRequest<M> {
  const messages: M[] = []
  /** Items of the request up to the end of each message. */
  const ends: number[] = []
  let items = 0
  const put = (made: M[], length: number) => {
    made.forEach((message, at) => ends.push(items + (at === made.length - 1 ? length : Math.min(at + 1, length))))
    messages.push(...made)
    items += length
  }
  /** The message of the caller that the last one is. */
  let last: Known<M> | undefined
  for (const one of references) {
    if (one.kind === 'made') {
      put(shape.fromItems(one.messages, one.texts, []), one.messages.length)
      last = undefined
      continue
    }
    let originals = between(known, one.from, one.to)
    if (one.kind === 'given') {
      if (originals[0] === last) originals = originals.slice(1)
      messages.push(...originals.map(known => known.message))
      ends.push(...originals.map(known => items + Math.min(known.to, one.to) - one.from))
      items += one.to - one.from
    } else {
      // Only a part of the last message may be changed: it is there already, with what else was changed of it.
      const begun = originals[0] !== undefined && originals[0] === last ? [{ ...originals[0], message: messages.pop() as M }] : []
      if (begun.length > 0) ends.pop()
      put(changed(one, [...begun, ...originals.slice(begun.length)], shape), one.messages.length)
    }
    last = originals.at(-1) ?? last
  }
  put(behind(known).map(known => known.message), 0)
  const marks = placed(breakpoints, ends)
  if (notes.length === 0) return { messages, ...marks }
  const note = { role: 'user', content: notes.map(text => ({ type: 'text', text })) }
  return { messages: [...messages, ...shape.fromItems([note], notes, [])], ...marks }
}

/** What replaces these messages. Those without items stay in front of their neighbours. */
function changed<M>({ messages, texts }: Changed, originals: Known<M>[], shape: ListShape<M>): M[] {
  const [bare, listed] = [originals.filter(isBare), originals.filter(one => !isBare(one))]
  const made = shape.fromItems(messages, texts, listed.map(one => one.message))
  if (made.length !== listed.length) return [...bare.map(one => one.message), ...made]
  let next = 0
  return originals.map(one => (isBare(one) ? one.message : (made[next++] as M)))
}

const isBare = <M>({ from, to }: Known<M>) => from === to

function placed(breakpoints: CachePoint[], ends: number[]): CacheMarks {
  const marks = new Map<number, CacheLifetime>()
  let systemMark: CacheLifetime | undefined
  for (const { place, messages, lifetime } of breakpoints) {
    if (place !== 'messages') systemMark = lifetime
    else if (messages <= (ends.at(-1) ?? 0)) marks.set(ends.findIndex(end => end >= messages), lifetime)
  }
  return { marks, systemMark }
}
