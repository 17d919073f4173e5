//! The in-memory repository passes the contract suite and fails on demand.

use std::error::Error;

use throughline_conversation::SessionId;

use super::InMemoryResultRepository;
use crate::contract;
use crate::repository::{ResultRepository, StoreError};

#[tokio::test]
async fn keeps_the_contract() {
    contract::contract_all(&InMemoryResultRepository::new()).await;
}

#[tokio::test]
async fn fails_on_demand_and_recovers() {
    let repository = InMemoryResultRepository::new();
    let session = SessionId::new("s").unwrap();
    repository.failures().fail_with("disk full");
    let error = repository.list(&session).await.unwrap_err();
    assert!(matches!(error, StoreError::Other(_)));
    assert_eq!(error.source().unwrap().to_string(), "disk full");
    repository.failures().recover();
    assert_eq!(repository.list(&session).await.unwrap(), []);
}
