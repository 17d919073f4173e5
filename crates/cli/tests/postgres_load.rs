//! Sixty-four sessions of two hundred turns, written by four processes into one PostgreSQL database; and a hundred thousand old
//! sessions, deleted from one.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]
#![allow(dead_code, reason = "the helpers have more than this suite needs")]

#[path = "postgres/cluster.rs"]
mod cluster;
#[path = "server/hosted.rs"]
mod hosted;
#[path = "postgres/many.rs"]
mod many;
#[path = "postgres/pruned.rs"]
mod pruned;
#[path = "retention/pruning.rs"]
mod pruning;
#[path = "server/served.rs"]
mod served;

#[test]
fn four_nodes_write_sixty_four_sessions_of_two_hundred_turns() {
    many::write_side_by_side(200);
}
