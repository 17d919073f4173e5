//! The contract of [`RuleStore`] as checks for the tests of its implementations.

use crate::rule_store::RuleStore;

/// Runs all checks on an empty store. `again` is another instance on the same storage.
///
/// # Panics
/// When the store breaks the contract.
pub async fn rule_store(store: &dyn RuleStore, again: &dyn RuleStore) {
    contract_returns_rules_in_order_and_once(store, again).await;
    contract_removes(store, again).await;
}

/// Checks that rules are returned unchanged, in order, each once.
///
/// # Panics
/// When the store breaks the contract.
pub async fn contract_returns_rules_in_order_and_once(store: &dyn RuleStore, again: &dyn RuleStore) {
    let rules = ["shell(cargo test *)", "edit(src/**)", "shell(echo \"a\tb\" 'ä\u{1f600}' \\ #)"];
    assert!(store.load().await.is_ok_and(|rules| rules.is_empty()), "it is empty at the start");
    for rule in rules.iter().chain(&rules) {
        assert!(store.save(rule).await.is_ok(), "{rule} is saved");
    }
    for each in [store, again] {
        let loaded = each.load().await;
        assert!(loaded.as_ref().is_ok_and(|loaded| loaded.iter().eq(rules)), "unchanged: {loaded:?}");
    }
}

/// Checks that a removed rule is gone in every instance, and that the others stay.
///
/// # Panics
/// When the store breaks the contract.
pub async fn contract_removes(store: &dyn RuleStore, again: &dyn RuleStore) {
    for rule in ["a", "b", "c"] {
        assert!(store.save(rule).await.is_ok(), "{rule} is saved");
    }
    for _ in 0..2 {
        assert!(again.remove("b").await.is_ok(), "removing b twice is no error");
    }
    let loaded = store.load().await.unwrap_or_default();
    assert!(!loaded.iter().any(|rule| rule == "b"), "b is gone: {loaded:?}");
    assert!(loaded.ends_with(&["a".to_owned(), "c".to_owned()]), "the others stay: {loaded:?}");
}
