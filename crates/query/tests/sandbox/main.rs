//! The sandbox from outside: honest questions are answered, hostile ones are not.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a broken expectation is told by a panic")]
#![expect(clippy::indexing_slicing, reason = "the sessions are made here")]

mod honest;
mod hostile;
mod laws;
mod sessions;
mod upkeep;
