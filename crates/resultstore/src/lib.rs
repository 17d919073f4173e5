//! Offloads large tool results: stores the bytes, shows the model a preview, and reads them back by reference.
//!
//! A result over the threshold is stored, byte for byte, in a [`ResultRepository`]; the conversation gets a
//! preview that names a reference. The tool of [`read_result_tool`] reads the stored text page by page or by search,
//! so the model can reach everything that a preview leaves out.
//!
//! ```
//! use std::sync::Arc;
//!
//! use throughline_conversation::{Millis, SessionId};
//! use throughline_resultstore::{InMemoryResultRepository, OffloadPolicy, ReadRequest, ResultStore};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let repository = Arc::new(InMemoryResultRepository::new());
//! let store = ResultStore::new(repository, SessionId::new("demo")?, OffloadPolicy::seed(), []);
//! let output = "test case ... ok\n".repeat(2_000) + "test rounding ... FAILED\n";
//!
//! let ingested = store.ingest("shell", "call_1", output.as_bytes(), Millis(0)).await?;
//! let receipt = ingested.offloaded.ok_or("a result of this size is offloaded")?;
//! assert!(ingested.text.len() < 1_000);
//!
//! let mut request = ReadRequest::new(receipt.stored);
//! request.search = Some("FAILED".to_owned());
//! assert!(store.read(&request).await?.text.contains("test rounding ... FAILED"));
//! # Ok(())
//! # }
//! ```
//!
//! The data types come from `conversation`. The `agent` passes every tool result to [`ResultStore::ingest`] and falls
//! back to [`ResultStore::inline_bounded`] when that fails; the `store` crate has the repository over a database. This
//! crate does not know which tools exist, how they run, what the model's tokens are, or where the bytes are stored.
//!
//! Positions are offsets in the stored bytes, even if these are not UTF-8 and the shown text is an approximation.

mod blobs;
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
pub use in_memory::InMemoryResultRepository;
#[cfg(any(test, feature = "contract"))]
pub use in_memory_blobs::InMemoryBlobStore;
pub use page::ResultPage;
pub use policy::{OffloadPolicy, PreviewFormat, ResultKind, inline_room, message_room};
#[cfg(any(test, feature = "mock"))]
pub use repository::MockResultRepository;
pub use repository::{ResultInfo, ResultRepository, StoreError, StoredResult};
pub use request::{DEFAULT_LIMIT, MAX_LIMIT, ReadError, ReadRequest};
pub use store::{Ingested, ResultStore, ShownResult};
pub use tool::read_result_tool;
