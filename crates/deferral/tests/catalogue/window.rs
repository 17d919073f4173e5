//! What the tools cost in a window of 32,000 tokens.

use std::sync::Arc;

use throughline_budget::Chars4Estimator;
use throughline_conversation::{TokenCounter, ToolDefinition};
use throughline_deferral::{Bm25Ranker, DeferralManager, DeferralPolicy, tool_search_tool};

use crate::data::{queries, tools};

const WINDOW: u64 = 32_000;

fn catalogue() -> Arc<[ToolDefinition]> {
    std::iter::once(tool_search_tool()).chain(tools()).collect()
}

fn bytes(tools: &[ToolDefinition]) -> String {
    serde_json::to_string(tools).unwrap()
}

// S3-15 S3-16 S3-18: all of them would take more than the window has room for.
#[test]
fn descriptions_take_less_than_a_tenth_of_the_window() {
    let counter = Chars4Estimator;
    let all = tools().iter().map(|tool| counter.tool(tool)).sum::<u64>();
    assert!(all > WINDOW / 3, "{all} tokens are no burden");
    let mut manager = DeferralManager::new(DeferralPolicy::default());
    let selection = manager.select(&catalogue(), &counter, WINDOW, 0, 0);
    assert!(selection.tokens * 10 <= WINDOW, "{} tokens", selection.tokens);
    assert!(selection.active.iter().any(|tool| tool.name == "tool_search"));
    assert_eq!(selection.active.len() + selection.deferred, catalogue().len());
    println!(
        "{} of {all} tokens, {} of {} tools",
        selection.tokens,
        selection.active.len(),
        catalogue().len()
    );
}

// S3-17: a session in which the model searches and continues.
#[tokio::test]
async fn the_list_only_grows_at_its_end_within_an_epoch() {
    let counter = Chars4Estimator;
    let mut manager = DeferralManager::new(DeferralPolicy::default());
    let mut before = bytes(&manager.select(&catalogue(), &counter, WINDOW, 0, 0).active);
    for (turn, (query, _)) in (1..).zip(queries().iter().step_by(10)) {
        let hits = manager.search(&Bm25Ranker, query).await.unwrap();
        let names: Vec<String> = hits.into_iter().map(|tool| tool.name).collect();
        manager.promote(&names, turn);
        // A catalogue that is rebuilt in another order changes nothing.
        let mut again: Vec<ToolDefinition> = catalogue().to_vec();
        again.reverse();
        let after = bytes(&manager.select(&again.into(), &counter, WINDOW, 0, turn).active);
        let kept = before.strip_suffix(']').unwrap();
        assert!(after.starts_with(kept), "{query}: the list before is no longer the start of the list");
        before = after;
    }
    let same = bytes(&manager.select(&catalogue(), &counter, WINDOW, 0, 50).active);
    assert_eq!(same, before, "nothing was promoted");
    // Another epoch is where unused promotions end.
    let planned = manager.select(&catalogue(), &counter, WINDOW, 1, 100);
    assert!(planned.tokens * 10 <= WINDOW, "{} tokens", planned.tokens);
}
