//! The contents of large results in an object store.
//!
//! [`ObjectBlobs`] implements the port [`BlobStore`](throughline_resultstore::BlobStore) over the crate `object_store`: S3 and
//! servers that speak its protocol (`s3://bucket/prefix`), or a folder (`file:///folder`). The address is an [`ObjectPlace`];
//! credentials, region and endpoint of S3 are taken from the `AWS_*` variables that the caller has. Nothing is connected to, and no folder is
//! created, before the first call.
//!
//! It does NOT know: what is stored in a blob, which of them are in use, or what takes their place when the store fails.

mod fault;
mod objects;
mod opened;
mod place;
mod service;

pub use objects::ObjectBlobs;
pub use place::{InvalidObjectPlace, ObjectPlace};
