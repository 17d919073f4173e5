//! Large tool results: what is stored, what the model sees in their place, and how it reads them back.
//!
//! A result over the threshold is kept, byte for byte, in a [`ResultRepository`]; the conversation gets a
//! preview that names a reference. The tool of [`read_result_tool`] turns the reference back into text, page
//! by page or by search, so nothing that a preview leaves out is out of reach.
//!
//! The words come from `conversation`. The `agent` hands every tool result to [`ResultStore::ingest`] and takes
//! [`ResultStore::inline_bounded`] when that fails; the `store` crate keeps the bytes in a database. This crate
//! does not know which tools exist, how they run, what the model's tokens are, or where the bytes are kept.
//!
//! Positions are offsets in the stored bytes, also where these are no UTF-8 and the text that is shown is an
//! approximation.

#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod cut;
mod error_lines;
mod in_memory;
mod lines;
mod lossy;
mod page;
mod policy;
mod preview;
mod repository;
mod request;
mod search;
mod store;
mod tool;

pub use in_memory::InMemoryResultRepository;
pub use page::ResultPage;
pub use policy::{OffloadPolicy, PreviewFormat, inline_room};
#[cfg(any(test, feature = "mock"))]
pub use repository::MockResultRepository;
pub use repository::{ResultInfo, ResultRepository, StoreError, StoredResult};
pub use request::{DEFAULT_LIMIT, MAX_LIMIT, ReadError, ReadRequest};
pub use store::{Ingested, ResultStore};
pub use tool::read_result_tool;
