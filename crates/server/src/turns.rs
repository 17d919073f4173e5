//! Turns that run in this server: sessions side by side, each with a feed of events that clients join and leave.
//!
//! A turn belongs to the server, not to the request that began it: a client that disconnects stops nothing. What it misses is
//! in the feed for a while, and in the log afterwards.

mod approver;
mod event_shapes;
mod feed;
mod order;
mod pace;
mod place;
mod questions;
mod running;
mod sink;
#[cfg(test)]
pub(crate) mod testing;
mod work;

pub(crate) use event_shapes::{SessionEvent, TurnEvent};
pub use order::TurnOptions;
pub(crate) use order::TurnOrder;
pub(crate) use questions::QuestionReply;
pub(crate) use running::{ListedTurn, RunningTurn, Turns};
