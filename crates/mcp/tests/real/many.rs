//! Two hundred tools of many servers, in a window of 32,000 tokens.

use std::sync::Arc;

use serde_json::json;
use throughline_budget::Chars4Estimator;
use throughline_conversation::ToolDefinition;
use throughline_deferral::{Bm25Ranker, DeferralManager, DeferralPolicy, tool_search_tool};
use throughline_tools::ToolRegistry;

use crate::everything::EVERYTHING;
use crate::session::{Session, program};
use crate::{data, files, own};

const WINDOW: u64 = 32_000;

// S3-15 S3-16 S3-17 S3-18
#[tokio::test]
async fn they_take_a_tenth_of_the_window_and_are_found() {
    let session = Session::open(|folder| {
        let mut all = files::configs(folder);
        all.push(program("everything", EVERYTHING, &["stdio"], &[]));
        all.extend(own::configs());
        all
    })
    .await;
    assert_eq!(session.servers.notes(), [""; 0]);
    let mut registry = ToolRegistry::new();
    for tool in session.servers.tools() {
        registry.register(tool).unwrap();
    }
    assert!(registry.names().count() >= 200, "{} tools", registry.names().count());

    let counter = Chars4Estimator;
    let catalogue = || -> Arc<[ToolDefinition]> {
        std::iter::once(tool_search_tool()).chain(registry.definitions().iter().cloned()).collect()
    };
    let mut manager = DeferralManager::new(DeferralPolicy::default());
    let first = manager.select(&catalogue(), &counter, WINDOW, 0, 0);
    assert!(
        first.tokens * 10 <= WINDOW && first.deferred > 100,
        "{} tokens, {}",
        first.tokens,
        first.deferred
    );

    let queries = data::queries();
    let (mut shown, mut missed) = (0, Vec::new());
    for (query, right) in &queries {
        let hits = manager.search(&Bm25Ranker, query).await.unwrap();
        if hits.iter().any(|hit| right.contains(&hit.name)) {
            shown += 1;
        } else {
            missed.push(format!("{query}: {:?}", hits.iter().map(|hit| &hit.name).collect::<Vec<_>>()));
        }
    }
    println!("{shown} of {} found among {} tools", queries.len(), registry.names().count());
    assert!(shown * 100 >= queries.len() * 95, "{shown} of {}: {missed:#?}", queries.len());

    // A found tool can be called, and the list only grows at its end, also when servers are asked again.
    let bytes = |tools: &[ToolDefinition]| serde_json::to_string(tools).unwrap();
    let before = bytes(&first.active);
    manager.promote(&["mcp__all__no-such".to_owned(), "mcp__stripe__create_refund".to_owned()], 1);
    assert!(!session.servers.refresh().await, "nothing has changed");
    let after = bytes(&manager.select(&catalogue(), &counter, WINDOW, 0, 1).active);
    assert!(after.starts_with(before.strip_suffix(']').unwrap()));
    let text = session.text("mcp__stripe__create_refund", json!({"payment_intent": "pi_1"})).await;
    assert_eq!(text, r#"create_refund {"payment_intent":"pi_1"}"#);
    session.servers.close().await;
}
