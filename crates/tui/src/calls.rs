//! Calls of tools: what a call is in one line, what it changes, what it gave.

mod card;
mod running;

pub(crate) use card::{bounded, changes, finished, subject};
pub(crate) use running::{Running, elapsed};

#[cfg(test)]
mod tests;
