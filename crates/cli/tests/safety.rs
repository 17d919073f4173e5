//! Attacks on the binary: what a model, its commands and a hostile project must not reach. Started as root, each attack
//! runs as root and as an unprivileged user.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests may fail the test"
)]

#[path = "safety/attack.rs"]
mod attack;
#[path = "safety/commands.rs"]
mod commands;
#[path = "safety/exchange.rs"]
mod exchange;
#[path = "safety/gates.rs"]
mod gates;
#[path = "safety/hidden.rs"]
mod hidden;
#[path = "safety/places.rs"]
mod places;
#[path = "safety/programs.rs"]
mod programs;
#[path = "safety/protected.rs"]
mod protected;
#[path = "safety/races.rs"]
mod races;
#[path = "safety/repositories.rs"]
mod repositories;
#[path = "safety/terminals.rs"]
mod terminals;
#[path = "safety/users.rs"]
mod users;
