//! Sessions on a real PostgreSQL server: the contracts of the ports, several nodes, a killed and a stalled writer, a server
//! that restarts, and the program as its user meets it. Needs the programs of PostgreSQL.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]
#![allow(dead_code, reason = "the helpers of the server have more than this suite needs")]

#[path = "postgres/cluster.rs"]
mod cluster;
#[path = "postgres/conflicts.rs"]
mod conflicts;
#[path = "postgres/contexts.rs"]
mod contexts;
#[path = "postgres/contracts.rs"]
mod contracts;
#[path = "postgres/copied.rs"]
mod copied;
#[path = "postgres/encrypted.rs"]
mod encrypted;
#[path = "postgres/fencing.rs"]
mod fencing;
#[path = "postgres/full_disk.rs"]
mod full_disk;
#[path = "server/hosted.rs"]
mod hosted;
#[path = "postgres/many.rs"]
mod many;
#[path = "postgres/node.rs"]
mod node;
#[path = "postgres/objects.rs"]
mod objects;
#[path = "postgres/outages.rs"]
mod outages;
#[path = "postgres/program.rs"]
mod program;
#[path = "postgres/searching.rs"]
mod searching;
#[path = "server/served.rs"]
mod served;
#[path = "postgres/side_by_side.rs"]
mod side_by_side;
#[path = "postgres/tls.rs"]
mod tls;
#[path = "../../store/tests/storage/users.rs"]
mod users;
