// A session for a framework that owns its list of messages.

import { Engine, type Context, type EngineOptions } from './engine.js'
import { ThroughlineError } from './error.js'
import type { ListShape } from './list-shape.js'
import { ListSync } from './list-sync.js'
import type { ErrorCode, Notice, OpenInput, Tool } from './operations.js'

/** What a session of a framework is opened with: the input of `open`, and where sessions are stored. */
export interface SessionOptions extends Omit<OpenInput, 'wire' | 'body' | 'summaries_by_caller'>, EngineOptions {
  /** The id of the session. The same id in another process resumes it. */
  session: string
  /** An engine that is open already, in place of `dataDir`, `database` and `memory`. */
  engine?: Engine
  /** Receives what happened before a request: a compaction, a fallback. */
  onNotice?: (notice: Notice) => void
}

/** An open session and the list of its framework. */
export interface Session<M> {
  context: Context
  list: ListSync<M>
  /** The engine's own tools, `read_result` first of all. The framework offers them and runs them with `call`. */
  tools: Tool[]
  /** Runs a tool of the engine, and gives its text. */
  call(name: string, input: unknown): Promise<string>
  /** Writes what is pending. The session stays in the storage: its next request or call opens it again. */
  close(): Promise<void>
}

/** Opens a session for lists of this shape. */
export async function openSession<M>(options: SessionOptions, shape: ListShape<M>): Promise<Session<M>> {
  const { session, engine: given, onNotice, dataDir, database, memory, ...open } = options
  const engine = given ?? new Engine({ dataDir, database, memory })
  const input = { ...open, wire: shape.wire }
  const context = await engine.open(session, input)
  // A context is its id: what was opened again serves the same value.
  const reopen = () => unless('already_open', engine.open(session, input))
  const call = (name: string, input: unknown) => context.call({ name, input: (input ?? {}) as Record<string, unknown> })
  return {
    context,
    list: new ListSync(context, shape, onNotice, reopen),
    // The framework shows its own tools whole, so there is nothing to search for.
    tools: context.opened.tools.filter(({ name }) => name !== 'tool_search' && name !== 'call_tool'),
    call: async (name, input) => {
      const done = await unless('unknown_context', call(name, input))
      if (done) return done.text
      await reopen()
      return (await call(name, input)).text
    },
    close: async () => {
      await unless('unknown_context', context.close())
    },
  }
}

/** What an operation gives, or `undefined` if it fails with this code. */
async function unless<T>(code: ErrorCode, operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation
  } catch (error) {
    if (error instanceof ThroughlineError && error.code === code) return undefined
    throw error
  }
}

/** Fields of `open` for the limits of a model, as an agent has them: at most a quarter of the window is reserved for an answer. */
export function limits(window: number | null | undefined, maxOutput: number | null | undefined): Pick<OpenInput, 'window' | 'max_output'> {
  return { window, max_output: window && maxOutput ? Math.min(maxOutput, Math.floor(window / 4)) : undefined }
}

/** Sessions by id, opened on first use. One that could not be opened is tried again. */
export class SessionMap<S> {
  readonly #open = new Map<string, Promise<S>>()

  /** The session, if it was used before. */
  find(id: string): Promise<S> | undefined {
    return this.#open.get(id)
  }

  get(id: string, begin: () => Promise<S>): Promise<S> {
    const found = this.#open.get(id) ?? begin()
    this.#open.set(id, found)
    found.catch(() => this.#open.delete(id))
    return found
  }
}
