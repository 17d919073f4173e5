// Lists that a framework owns: how their messages are read and made.

import type { CacheLifetime, WireForm } from './operations.js'

/** An item of a list in the form of the context's API. */
export type Item = Record<string, unknown>

/** How the messages of a framework are read and made. */
export interface ListShape<M> {
  /**
   * A message as items of a list in the form of the context's API. A message without items is unknown to the engine, and is sent
   * next to its neighbours. One whose item has no content counts as one without items.
   */
  toItems(message: M): Item[]
  /**
   * Messages for what the engine has changed or made: its items, and their texts. `originals` are the messages of the caller
   * that they replace; none for a summary or a note. The ids of calls are the caller's.
   */
  fromItems(items: Item[], _texts: string[], originals: M[]): M[]
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
