// Errors of operations.

import type { ErrorCode } from './operations.js'

/** Why an operation failed. */
export class ThroughlineError extends Error {
  /** The code, for programs. */
  readonly code: ErrorCode
  /** Values of the message, by name. */
  readonly data: Record<string, unknown>

  constructor(code: ErrorCode, message: string, data: Record<string, unknown> = {}) {
    super(message)
    this.name = 'ThroughlineError'
    this.code = code
    this.data = data
  }

  /** The error that the native part has thrown: its message is JSON. */
  static from(error: unknown): unknown {
    if (!(error instanceof Error) || !error.message.startsWith('{')) return error
    const { code, message, data } = JSON.parse(error.message) as ThroughlineError
    return new ThroughlineError(code, message, data ?? {})
  }
}
