//! The contract, and failures on demand.

use super::*;
use crate::contract_blobs::contract_blobs_all;

#[tokio::test]
async fn keeps_the_contract() {
    contract_blobs_all(&InMemoryBlobStore::new()).await;
    assert_eq!(InMemoryBlobStore::new().place(), "memory:blobs");
}

#[tokio::test]
async fn fails_on_demand() {
    let blobs = InMemoryBlobStore::new();
    blobs.failures().fail_next("the place is away");
    assert_eq!(blobs.get("a").await.unwrap_err().to_string(), "the place is away");
    assert_eq!(blobs.get("a").await.unwrap(), None);
}
