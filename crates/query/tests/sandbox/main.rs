//! The sandbox from outside: honest questions are answered, hostile ones are not.

#![expect(clippy::unwrap_used, reason = "a broken expectation is reported by a panic")]

mod honest;
mod hostile;
mod laws;
mod sessions;
mod upkeep;
