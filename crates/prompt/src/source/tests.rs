//! The in-memory source holds the contract, and the contract sees what breaks it.

use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;

use super::{FixedSections, SectionError, SectionSource};
use crate::contract::{
    contract_same_sections_again, contract_section_source, contract_sections_are_well_formed,
};
use crate::section::PromptSection;

fn sections() -> Vec<PromptSection> {
    vec![PromptSection::base("base", "Be brief."), PromptSection::scratchpad("scratchpad", "# Task")]
}

#[tokio::test]
async fn fixed_sections_hold_the_contract() {
    let source = FixedSections::new("house", sections());
    contract_section_source(&source).await;
    assert_eq!(source.name(), "house");
    assert_eq!(source.sections().await.unwrap(), sections());
}

/// Puts a counter into a stable section, as a time stamp would be.
#[derive(Debug, Default)]
struct Clocked(AtomicU64);

#[async_trait]
impl SectionSource for Clocked {
    fn name(&self) -> String {
        "clocked".to_owned()
    }

    async fn sections(&self) -> Result<Vec<PromptSection>, SectionError> {
        let now = self.0.fetch_add(1, Ordering::Relaxed);
        Ok(vec![PromptSection::base("base", format!("It is {now}."))])
    }
}

/// The message with which a contract refuses a source.
async fn refusal(suite: impl Future<Output = ()> + Send + 'static) -> String {
    let panic = tokio::spawn(suite).await.unwrap_err().into_panic();
    panic.downcast_ref::<String>().cloned().or(panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap()
}

#[tokio::test]
async fn the_contract_refuses_what_changes_by_itself() {
    let said = refusal(async { contract_same_sections_again(&Clocked::default()).await }).await;
    assert!(said.contains("equal state must give equal sections"), "{said}");
}

#[tokio::test]
async fn the_contract_refuses_a_dynamic_section_that_claims_to_be_cacheable() {
    let section = PromptSection { cacheable: true, ..PromptSection::status("status", "now") };
    let source = FixedSections::new("eager", [section]);
    let said = refusal(async move { contract_sections_are_well_formed(&source).await }).await;
    assert!(said.contains("must not be cacheable"), "{said}");
}
