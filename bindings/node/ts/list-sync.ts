// Lists that a framework owns and hands over before each call of its model.

import type { Context } from './engine.js'
import { ThroughlineError } from './error.js'
import type { CacheLifetime, CachePoint, Notice, SyncOutput, TokenUsage, WireForm } from './operations.js'

/** An item of a list in the form of the context's API. */
export type Item = Record<string, unknown>

/** How the messages of a framework are read and made. */
export interface ListShape<M> {
  /** A message as items of a list in the form of the context's API. */
  toItems(message: M): Item[]
  /**
   * Messages for what the engine has changed or made: its items, and their texts. `originals` are the messages of the caller
   * that they replace; none for a summary or a note.
   */
  fromItems(items: Item[], texts: string[], originals: M[]): M[]
  /** The API that items are written in. Default: Anthropic's. */
  wire?: WireForm
  /** The framework hands over the same unchanged objects each time. Otherwise messages are compared by their JSON. */
  identity?: boolean
}

/** Where a request ends its prefixes for the prompt cache. */
export interface CacheMarks {
  /** Which of its messages end one, by place, and how long it is stored. */
  marks: ReadonlyMap<number, CacheLifetime>
  /** The same for the system prompt, or for the tools in front of it. */
  systemMark?: CacheLifetime
}

interface Known<M> {
  message: M
  print: string
  /** Its first item, and the item behind its last one. */
  from: number
  to: number
  /** Its last item is what the model says. */
  said: boolean
}

/** Keeps what the engine knows of a list, hands over what is new, and makes requests of the caller's own objects. */
export class ListSync<M> implements CacheMarks {
  readonly #context: Context
  readonly #shape: ListShape<M>
  #known: Known<M>[] = []
  #usage?: TokenUsage
  /** The request that waits for its answer. */
  #request?: number
  /** It was said that a list cannot be taken. */
  #stands = false

  readonly #onNotice: (notice: Notice) => void

  /** Those of the request that was returned last. */
  marks: ReadonlyMap<number, CacheLifetime> = new Map()
  systemMark?: CacheLifetime

  /** `onNotice` receives what happened before a request: a compaction, a fallback. By default a fallback is a warning of the process. */
  constructor(context: Context, shape: ListShape<M>, onNotice: (notice: Notice) => void = warn) {
    this.#context = context
    this.#shape = shape
    this.#onNotice = onNotice
  }

  /** The messages of the next request: the caller's objects, and in their place what the engine has changed. */
  async request(messages: readonly M[]): Promise<M[]> {
    this.#request = undefined
    this.marks = new Map()
    this.systemMark = undefined
    try {
      const output = await this.#sync(messages)
      this.#request = output.id
      return this.#assemble(output)
    } catch (error) {
      if (!(error instanceof ThroughlineError && error.code === 'invalid_message')) throw error
      const text = `the list of messages cannot be taken and is sent unchanged: ${error.message}`
      if (!this.#stands) this.#onNotice({ kind: 'degraded', text })
      this.#stands = true
      return [...messages]
    }
  }

  /** What `send` gives for the messages of the next request. After an overflow it gets those of a smaller one at once. */
  async send<T>(messages: readonly M[], send: (messages: M[]) => PromiseLike<T>): Promise<T> {
    for (let sent = await this.request(messages); ; ) {
      try {
        return await send(sent)
      } catch (error) {
        const smaller = await this.refused(error)
        if (!smaller) throw error
        sent = smaller
      }
    }
  }

  /** What the provider reported for the answer to the newest request. */
  usage(usage: TokenUsage): void {
    this.#usage = usage
  }

  /** The same of an input that includes what the prompt cache has read and written. Without input, nothing was reported. */
  reported(total = 0, cache_read = 0, cache_write = 0, output = 0): void {
    if (total > 0) this.usage({ input: Math.max(0, total - cache_read - cache_write), cache_read, cache_write, output })
  }

  /**
   * The newest request got no answer. Gives the messages of a smaller request after an overflow, and nothing for any other
   * error: the caller throws that on.
   */
  async refused(error: unknown): Promise<M[] | undefined> {
    if (this.#request === undefined) return undefined
    const request = this.#request
    this.#request = undefined
    const { then } = await this.#context.refused({ request, ...refusal(error) })
    return then === 'request' ? this.request(this.#known.map(known => known.message)) : undefined
  }

  /** Takes over the last answer of a turn, which no request follows, with its usage if that was reported. */
  async answered(message: M): Promise<void> {
    await this.finished([...this.#known.map(known => known.message), message])
  }

  /** Takes over the list at the end of a turn, with the last answer. */
  async finished(messages: readonly M[]): Promise<void> {
    this.#request = undefined
    try {
      await this.#sync(messages)
    } catch (error) {
      const taken = error instanceof ThroughlineError && ['nothing_to_answer', 'invalid_message'].includes(error.code)
      if (!taken) throw error
    }
  }

  async #sync(messages: readonly M[]): Promise<SyncOutput> {
    let same = this.#prefix(messages)
    for (;;) {
      // What the model says behind a message of its own belongs to it.
      while (same > 0 && same < messages.length && this.#known[same - 1]?.said && said(this.#shape.toItems(messages[same] as M)[0])) same -= 1
      const known = this.#known.slice(0, same)
      let to = known.at(-1)?.to ?? 0
      const items: Item[] = []
      for (const message of messages.slice(same)) {
        const [first, ...rest] = this.#shape.toItems(message)
        const last = items.at(-1)
        const joined = said(last) && said(first)
        if (joined) items.splice(-1, 1, { ...first, content: [...last.content, ...first.content] }, ...rest)
        else if (first) items.push(first, ...rest)
        const from = joined ? to - 1 : to
        to = from + (first ? 1 + rest.length : 0)
        known.push({ message, print: this.#print(message), from, to, said: said(items.at(-1)) && to > from })
      }
      try {
        const usage = this.#usage
        this.#known = known
        const output = await this.#context.sync({ known: known[same - 1]?.to ?? 0, messages: items, usage })
        this.#usage = undefined
        output.notices.forEach(this.#onNotice)
        if (output.send === 'request') return output
        await this.#context.noSummary({ id: output.id })
        same = known.length
      } catch (error) {
        const taken = error instanceof ThroughlineError && error.code === 'nothing_to_answer'
        if (!taken) this.#known = []
        if (!(error instanceof ThroughlineError && error.code === 'whole_list_needed' && same > 0)) throw error
        same = 0
      }
    }
  }

  /** How many messages at the start are those of the list before. */
  #prefix(messages: readonly M[]): number {
    let same = 0
    for (const known of this.#known) {
      const message = messages[same]
      if (message === undefined) break
      const equal = this.#shape.identity ? known.message === message : known.print === this.#print(message)
      if (!equal) break
      // Later calls find the caller's newest objects.
      known.message = message
      same += 1
    }
    return same
  }

  #print(message: M): string {
    return this.#shape.identity ? '' : JSON.stringify(message)
  }

  #assemble({ references, breakpoints, notes }: SyncOutput): M[] {
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
        put(this.#shape.fromItems(one.messages, one.texts, []), one.messages.length)
        last = undefined
        continue
      }
      let originals = this.#between(one.from, one.to)
      if (one.kind === 'given') {
        if (originals[0] === last) originals = originals.slice(1)
        messages.push(...originals.map(known => known.message))
        ends.push(...originals.map(known => items + Math.min(known.to, one.to) - one.from))
        items += one.to - one.from
      } else {
        // Only a part of the last message may be changed: it is there already, with what else was changed of it.
        const begun = originals[0] !== undefined && originals[0] === last ? [messages.pop() as M] : []
        if (begun.length > 0) ends.pop()
        const rest = originals.slice(begun.length).map(known => known.message)
        put(this.#shape.fromItems(one.messages, one.texts, [...begun, ...rest]), one.messages.length)
      }
      last = originals.at(-1) ?? last
    }
    this.#mark(breakpoints, ends)
    if (notes.length === 0) return messages
    const note = { role: 'user', content: notes.map(text => ({ type: 'text', text })) }
    return [...messages, ...this.#shape.fromItems([note], notes, [])]
  }

  #mark(breakpoints: CachePoint[], ends: number[]): void {
    const marks = new Map<number, CacheLifetime>()
    for (const { place, messages, lifetime } of breakpoints) {
      if (place !== 'messages') this.systemMark = lifetime
      else if (messages <= (ends.at(-1) ?? 0)) marks.set(ends.findIndex(end => end >= messages), lifetime)
    }
    this.marks = marks
  }

  /** The messages that have an item in this range, and those without items between them. */
  #between(from: number, to: number): Known<M>[] {
    const known = this.#known
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
}

/** Whether an item is a message of the model in blocks, as Anthropic's form has it. */
function said(item: Item | undefined): item is Item & { content: Item[] } {
  return item?.role === 'assistant' && Array.isArray(item.content) && item.type === undefined
}

function warn({ kind, text }: Notice): void {
  if (kind === 'degraded') process.emitWarning(text, 'ThroughlineWarning')
}

/** What `refused` takes, of an error of any client. */
function refusal(error: unknown): { status?: number; body: string; retry_after?: string } {
  const { statusCode, status, code, name, message, responseBody, responseHeaders } = Object(error)
  const unsent = code !== undefined || name === 'AbortError'
  const found = typeof statusCode === 'number' ? statusCode : typeof status === 'number' ? status : unsent ? undefined : 400
  return { status: found, body: responseBody || message || String(error), retry_after: responseHeaders?.['retry-after'] }
}
