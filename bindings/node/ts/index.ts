// The package `throughline`: contexts of LLM agents, for programs with a model client of their own.

export { Engine, Context, type EngineOptions, type NextRequest } from './engine.js'
export { ThroughlineError } from './error.js'
export type { CacheMarks, ListShape } from './list-shape.js'
export { ListSync } from './list-sync.js'
export { openSession, type Session, type SessionOptions } from './session.js'
export * from './operations.js'
