//! What every [`RuleStore`] must do, as functions that panic when it does not.

use crate::RuleStore;

/// All of it, on an empty store. `again` gives another instance on the same place.
pub async fn rule_store(store: &dyn RuleStore, again: &dyn RuleStore) {
    contract_keeps_rules_in_order_and_once(store, again).await;
    contract_forgets(store, again).await;
}

/// Rules come back as they were written, in order, each once.
pub async fn contract_keeps_rules_in_order_and_once(store: &dyn RuleStore, again: &dyn RuleStore) {
    let rules = ["shell(cargo test *)", "edit(src/**)", "shell(echo \"a\tb\" 'ä\u{1f600}' \\ #)"];
    assert!(store.load().await.is_ok_and(|kept| kept.is_empty()), "it is empty at the start");
    for rule in rules.iter().chain(&rules) {
        assert!(store.save(rule).await.is_ok(), "{rule} is kept");
    }
    for each in [store, again] {
        let kept = each.load().await;
        assert!(kept.as_ref().is_ok_and(|kept| kept.iter().eq(rules)), "kept as written: {kept:?}");
    }
}

/// A removed rule is gone, for everybody, and the others stay.
pub async fn contract_forgets(store: &dyn RuleStore, again: &dyn RuleStore) {
    for rule in ["a", "b", "c"] {
        assert!(store.save(rule).await.is_ok(), "{rule} is kept");
    }
    for _ in 0..2 {
        assert!(again.remove("b").await.is_ok(), "b is gone, also the second time");
    }
    let kept = store.load().await.unwrap_or_default();
    assert!(!kept.iter().any(|rule| rule == "b"), "b is gone: {kept:?}");
    assert!(kept.ends_with(&["a".to_owned(), "c".to_owned()]), "the others stay: {kept:?}");
}
