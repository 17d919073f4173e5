// Written by tests/operations.rs from the table of operations. Do not edit.

/** What every operation takes besides its input. */
export interface CallOptions {
  /** A repeated call with the same key changes nothing and returns what the first one has returned. Keys of user, answer, answerStream and results hold over a restart, those of other operations while the context is open. */
  key?: string
}
