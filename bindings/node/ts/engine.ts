// The engine and its contexts.

import { createRequire } from 'node:module'

import { ThroughlineError } from './error.js'
import {
  ContextOperations,
  type CallOptions,
  type DescribeOutput,
  type ListOutput,
  type NextRequestInput,
  type NextRequestOutput,
  type OpenInput,
  type OpenOutput,
} from './operations.js'

interface NativeRequest {
  head(): string
  micros(): number
  json(): string
}

interface NativeEngine {
  call(operation: string, input: string): Promise<string>
  nextRequest(context: string, key?: string): NativeRequest | Promise<NativeRequest>
}

const { NativeEngine } = createRequire(import.meta.url)('../native.cjs') as {
  NativeEngine: { create(options: string): Promise<NativeEngine> }
}

/** Where sessions are stored: in a folder, in a database, or in memory. */
export interface EngineOptions {
  /** The data folder. Default: the one of the program `throughline`. */
  dataDir?: string
  /** The address of a PostgreSQL database in place of the folder's own. */
  database?: string
  /** Sessions are gone with this value. */
  memory?: boolean
}

/** Open contexts and their storage. The storage is opened by the first call. */
export class Engine {
  readonly #options: string
  #native?: Promise<NativeEngine>

  constructor(options: EngineOptions = {}) {
    this.#options = json(options)
  }

  /**
   * Opens a context: resumes its session where the log ends, or begins it.
   *
   * Errors: already_open, held, unknown_model, invalid_settings, invalid_input, storage.
   */
  async open(id: string, input: OpenInput, options: CallOptions = {}): Promise<Context> {
    const opened = await this.run('open', { ...input, context: id, key: options.key })
    return new Context(await this.native(), id, opened as OpenOutput)
  }

  /** The open contexts, by id. */
  list(): Promise<ListOutput> {
    return this.run('list', {}) as Promise<ListOutput>
  }

  /** All operations, with the schemas of their inputs and outputs and their error codes. */
  describe(): Promise<DescribeOutput> {
    return this.run('describe', {}) as Promise<DescribeOutput>
  }

  private async run(operation: string, input: object): Promise<unknown> {
    return call(await this.native(), operation, input)
  }

  private native(): Promise<NativeEngine> {
    this.#native ??= NativeEngine.create(this.#options).catch(error => {
      this.#native = undefined
      throw ThroughlineError.from(error)
    })
    return this.#native
  }
}

async function call(native: NativeEngine, operation: string, input: object): Promise<unknown> {
  try {
    return JSON.parse(await native.call(operation, json(input)))
  } catch (error) {
    throw ThroughlineError.from(error)
  }
}

/** JSON with U+FFFD for lone surrogates, which are no characters: where a text was cut inside of an emoji. */
function json(value: unknown): string {
  const text = JSON.stringify(value)
  if (!text.includes('\\ud')) return text
  return text.replace(/\\(?:u(d[89a-f])..|[^])/g, (escape, lone) => (lone ? '\\ufffd' : escape))
}

/** A request to send, or the question for a summary. Its body is made when it is first asked for. */
export class NextRequest implements NextRequestOutput {
  readonly send!: NextRequestOutput['send']
  readonly id!: number
  readonly model!: string
  readonly predicted!: NextRequestOutput['predicted']
  readonly notices!: NextRequestOutput['notices']
  readonly #native: NativeRequest
  #json?: string
  #body?: Record<string, unknown>

  /** @internal */
  constructor(native: NativeRequest) {
    this.#native = native
    Object.assign(this, JSON.parse(native.head()))
  }

  /** Microseconds that the engine took for it. */
  get micros(): number {
    return this.#native.micros()
  }

  /** The body as the text to send. */
  get json(): string {
    return (this.#json ??= this.#native.json())
  }

  /** The body as an object. */
  get body(): Record<string, unknown> {
    return (this.#body ??= JSON.parse(this.json) as Record<string, unknown>)
  }
}

/** An open context. Its operations run one after the other, in the order in which they were called. */
export class Context extends ContextOperations {
  readonly #native: NativeEngine
  #last: Promise<unknown> = Promise.resolve()

  /** @internal */
  constructor(
    native: NativeEngine,
    /** Its id, which is the session's. */
    readonly id: string,
    /** What `open` has given back: whether the session had messages before, and the engine's own tools. */
    readonly opened: OpenOutput,
  ) {
    super()
    this.#native = native
  }

  override async nextRequest(_input: NextRequestInput = {}, options: CallOptions = {}): Promise<NextRequest> {
    return this.inOrder(async () => {
      try {
        return new NextRequest(await this.#native.nextRequest(this.id, options.key))
      } catch (error) {
        throw ThroughlineError.from(error)
      }
    })
  }

  protected run(operation: string, input: object, options: CallOptions = {}): Promise<unknown> {
    const whole = { ...input, context: this.id, key: options.key }
    return this.inOrder(() => call(this.#native, operation, whole))
  }

  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work)
    this.#last = done
    return done
  }
}
