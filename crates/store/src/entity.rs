//! The tables, as SeaORM sees them. `migrations/` makes them.

#![expect(unreachable_pub, reason = "SeaORM writes further public items that refer to these")]

pub(crate) mod context;
pub(crate) mod log;
pub(crate) mod memo;
pub(crate) mod memory_chunk;
pub(crate) mod memory_file;
pub(crate) mod result_blob;
pub(crate) mod session;
pub(crate) mod snapshot;
