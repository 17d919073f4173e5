//! Large tool results outside the window.
#![doc = include_str!("../README.md")]
//!
//! # How it works
//!
//! A result over the threshold is stored, byte for byte, in a [`ResultRepository`]; the conversation gets a
//! preview that names a reference. The tool of [`read_result_tool`] reads the stored text page by page or by search,
//! so the model can reach everything that a preview leaves out. When [`ResultStore::ingest`] fails,
//! [`ResultStore::inline_bounded`] gives a result without a reference.
//!
//! Positions are offsets in the stored bytes, even if these are not UTF-8 and the shown text is an approximation.

mod blobs;
mod byte_note;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
#[cfg(any(test, feature = "contract"))]
pub mod contract_blobs;
mod cut;
mod error_lines;
mod in_memory;
#[cfg(any(test, feature = "contract"))]
mod in_memory_blobs;
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

pub use blobs::{BlobError, BlobStore};
pub use byte_note::without_byte_note;
pub use in_memory::InMemoryResultRepository;
#[cfg(any(test, feature = "contract"))]
pub use in_memory_blobs::InMemoryBlobStore;
pub use page::ResultPage;
pub use policy::{OffloadPolicy, PreviewFormat, ResultKind, inline_room, message_room};
pub use preview::preview_reference;
#[cfg(any(test, feature = "mock"))]
pub use repository::MockResultRepository;
pub use repository::{ResultInfo, ResultRepository, StoreError, StoredResult};
pub use request::{MAX_PAGE_BYTES, ReadError, ReadRequest};
pub use store::{Ingested, ResultStore, ShownResult};
pub use tool::read_result_tool;
