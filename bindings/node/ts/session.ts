// A session for a framework that owns its list of messages.

import { Engine, type Context, type EngineOptions } from './engine.js'
import { ListSync, type ListShape } from './list-sync.js'
import type { Notice, OpenInput, Tool } from './operations.js'

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
  /** Writes what is pending. The session stays in the storage. */
  close(): Promise<void>
}

/** Opens a session for lists of this shape. */
export async function openSession<M>(options: SessionOptions, shape: ListShape<M>): Promise<Session<M>> {
  const { session, engine, onNotice, dataDir, database, memory, ...open } = options
  const context = await (engine ?? new Engine({ dataDir, database, memory })).open(session, { ...open, wire: shape.wire })
  return {
    context,
    list: new ListSync(context, shape, onNotice),
    // The framework shows its own tools whole, so there is nothing to search for.
    tools: context.opened.tools.filter(({ name }) => name !== 'tool_search' && name !== 'call_tool'),
    call: async (name, input) => (await context.call({ name, input: (input ?? {}) as Record<string, unknown> })).text,
    close: async () => {
      await context.close()
    },
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
