//! The in-memory implementation passes the contract suite and fails on demand.

use std::error::Error;

use super::InMemoryMemory;
use crate::contract;
use crate::notes::{MemoFilter, NoteError, NoteRepository};
use crate::scope::Scope;

// S4-19 S2-16
#[tokio::test]
async fn keeps_the_contract() {
    let memory = InMemoryMemory::new();
    contract::contract_memory(&memory, &memory, &memory).await;
    contract::contract_memory(&memory, &memory, &memory).await;
}

#[tokio::test]
async fn fails_on_demand_and_recovers() {
    let memory = InMemoryMemory::new();
    memory.failures().fail_with("disk full");
    let error = memory.list(&MemoFilter::of(Scope::All)).await.unwrap_err();
    assert!(matches!(error, NoteError::Other(_)));
    assert_eq!(error.source().unwrap().to_string(), "disk full");
    memory.failures().recover();
    assert_eq!(memory.list(&MemoFilter::of(Scope::All)).await.unwrap(), []);
}
