//! Large results in an object store: a real S3 server that others wrote, looked into with AWS's own client, and folders.
//! Needs Python with `moto` and its server; `THROUGHLINE_S3_PYTHON` names it.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]
#![allow(dead_code, reason = "the helpers of the binary have more than this suite needs")]

#[path = "objects/bucket.rs"]
mod bucket;
#[path = "objects/contract.rs"]
mod contract;
#[path = "objects/copied.rs"]
mod copied;
#[path = "objects/ended.rs"]
mod ended;
#[path = "binary/place.rs"]
mod place;
#[path = "objects/program.rs"]
mod program;
#[path = "binary/ran.rs"]
mod ran;
#[path = "objects/refused.rs"]
mod refused;
#[path = "objects/stage.rs"]
mod stage;
