// Lists that a framework owns and hands over before each call of its model.

import type { Context } from './engine.js'
import { ThroughlineError } from './error.js'
import { extended, knownStart, type Known } from './list-known.js'
import { assembled, type ListRequest } from './list-request.js'
import type { CacheMarks, ListShape } from './list-shape.js'
import type { CacheLifetime, ErrorCode, Notice, SyncOutput, TokenUsage } from './operations.js'

/** A request that was made of a list. */
interface Made<M> extends ListRequest<M> {
  list: readonly M[]
  /** Its number; none if the list is sent unchanged. */
  id?: number
}

/** The list is no conversation that the engine can continue. */
const UNUSABLE: readonly ErrorCode[] = ['invalid_message', 'invalid_input', 'invalid_request', 'nothing_to_answer']

/**
 * Keeps what the engine knows of a list, hands over what is new, and makes requests of the caller's own objects. Its calls run one
 * after the other, each with its own list.
 */
export class ListSync<M> implements CacheMarks {
  readonly #context: Context
  readonly #shape: ListShape<M>
  readonly #onNotice: (notice: Notice) => void
  readonly #reopen?: () => Promise<unknown>
  #last: Promise<unknown> = Promise.resolve()
  #known: Known<M>[] = []
  #usage?: TokenUsage
  /** The request that waits for its answer. */
  #newest?: Made<M>
  /** It was said that a list is sent unchanged. */
  #stands = false

  /** Those of the request that was returned last. */
  marks: ReadonlyMap<number, CacheLifetime> = new Map()
  systemMark?: CacheLifetime

  /**
   * `onNotice` receives what happened before a request: a compaction, a fallback. By default a fallback is a warning of the process.
   * `reopen` opens the context again if it was closed.
   */
  constructor(context: Context, shape: ListShape<M>, onNotice: (notice: Notice) => void = warn, reopen?: () => Promise<unknown>) {
    this.#context = context
    this.#shape = shape
    this.#onNotice = onNotice
    this.#reopen = reopen
  }

  /** The messages of the next request: the caller's objects, and in their place what the engine has changed. */
  async request(messages: readonly M[]): Promise<M[]> {
    return (await this.#inOrder(() => this.#make(messages))).messages
  }

  /**
   * What `send` gives for the messages of the next request and its marks. After an overflow it gets those of a smaller one at once,
   * unless another list was handed over meanwhile.
   */
  async send<T>(messages: readonly M[], send: (messages: M[], marks: CacheMarks) => PromiseLike<T>): Promise<T> {
    for (let made = await this.#inOrder(() => this.#make(messages)); ; ) {
      try {
        return await send(made.messages, made)
      } catch (error) {
        const smaller = await this.#inOrder(() => this.#smaller(made, error))
        if (!smaller) throw error
        made = smaller
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
    return (await this.#inOrder(async () => this.#newest && this.#smaller(this.#newest, error)))?.messages
  }

  /** Takes over the last answer of a turn, which no request follows, with its usage if that was reported. */
  answered(message: M): Promise<void> {
    return this.#inOrder(() => this.#finish([...this.#known.map(known => known.message), message]))
  }

  /** Takes over the list at the end of a turn, with the last answer. */
  finished(messages: readonly M[]): Promise<void> {
    return this.#inOrder(() => this.#finish(messages))
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async #make(messages: readonly M[]): Promise<Made<M>> {
    const made = await this.#request([...messages])
    this.#newest = made
    this.marks = made.marks
    this.systemMark = made.systemMark
    return made
  }

  async #request(list: M[]): Promise<Made<M>> {
    try {
      const output = await this.#sync(list, true)
      return { list, id: output.id, ...assembled(output, this.#known, this.#shape) }
    } catch (error) {
      if (!isOf(error, UNUSABLE)) throw error
      const whole = error.code === 'nothing_to_answer' ? 'is' : 'cannot be taken and is'
      if (!this.#stands) this.#onNotice({ kind: 'degraded', text: `the list of messages ${whole} sent unchanged: ${error.message}` })
      this.#stands = true
      return { list, messages: [...list], marks: new Map() }
    }
  }

  /** A smaller request of the same list, if this one is the newest and did not fit. */
  async #smaller(made: Made<M>, error: unknown): Promise<Made<M> | undefined> {
    if (made !== this.#newest || made.id === undefined) return undefined
    this.#newest = undefined
    try {
      const { then } = await this.#context.refused({ request: made.id, ...refusal(error) })
      return then === 'request' ? await this.#make(made.list) : undefined
    } catch (fault) {
      if (this.#reopen && isOf(fault, ['unknown_context'])) return undefined
      throw fault
    }
  }

  async #finish(messages: readonly M[]): Promise<void> {
    this.#newest = undefined
    try {
      await this.#sync(messages, false)
    } catch (error) {
      // The next request hands over the whole list.
      const closed = this.#reopen !== undefined && isOf(error, ['unknown_context'])
      if (!closed && !isOf(error, UNUSABLE)) throw error
    }
  }

  async #sync(messages: readonly M[], mayReopen: boolean): Promise<SyncOutput> {
    let same = knownStart(this.#known, messages, this.#shape)
    let reopen = mayReopen ? this.#reopen : undefined
    for (;;) {
      const { known, items } = extended(this.#known.slice(0, same), messages.slice(same), this.#shape)
      const start = known[same - 1]?.to ?? 0
      this.#known = known
      try {
        const output = await this.#context.sync({ known: start, messages: items, usage: this.#usage })
        this.#usage = undefined
        output.notices.forEach(this.#onNotice)
        if (output.send === 'request') return output
        await this.#context.noSummary({ id: output.id })
        same = known.length
      } catch (error) {
        if (!isOf(error, ['nothing_to_answer'])) this.#known = []
        const closed = reopen !== undefined && isOf(error, ['unknown_context'])
        if (!closed && !(isOf(error, ['whole_list_needed']) && same > 0)) {
          this.#usage = undefined
          throw error
        }
        if (closed) await reopen?.()
        if (closed) reopen = undefined
        same = 0
      }
    }
  }
}

function isOf(error: unknown, codes: readonly ErrorCode[]): error is ThroughlineError {
  return error instanceof ThroughlineError && codes.includes(error.code)
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
