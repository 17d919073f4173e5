//! Round trips: the next request is byte for byte the one that would have been sent.

use proptest::prelude::*;
use throughline_completion::CompletionRequest;
use throughline_conversation::ExchangeId;
use throughline_groups::Change;

use super::acts::{Act, Last, acts};
use super::stage::Life;

/// Ways that lead back.
fn ways() -> impl Strategy<Value = Vec<Change>> {
    let group = || (1..6_u64).prop_map(ExchangeId);
    prop_oneof![
        Just(vec![Change::Undo, Change::Redo]),
        Just(vec![Change::Undo, Change::Undo, Change::Redo, Change::Redo]),
        Just(vec![Change::UndoCompaction, Change::RedoCompaction]),
        (1..4_u32).prop_map(|groups| vec![Change::Window(Some(groups)), Change::Window(None)]),
        group().prop_map(|group| vec![Change::Drop(group), Change::Restore(group)]),
    ]
}

/// The last request of a life of these acts and one more turn, before which these changes are made.
async fn last_request(acts: &[Act], way: &[Change]) -> Option<CompletionRequest> {
    let mut life = Life::begin(12_000).await;
    for act in acts {
        life.step(act).await;
    }
    for change in way {
        life.agent().change(*change, &throughline_agent::NullSink).await.ok()?;
    }
    let before = life.world.model.requests().len();
    life.step(&Act::Turn(3, Vec::new(), Last::Nothing)).await;
    life.world.model.requests().into_iter().nth(before)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    // S4-15 S4-16
    #[test]
    fn what_is_undone_and_restored_leaves_no_trace(acts in acts(), way in ways()) {
        // Where the window was another one before, all groups are no way back.
        let other = |act: &Act| matches!(act, Act::Change(Change::Window(_)));
        let acts: Vec<Act> = acts.into_iter().filter(|act| !other(act)).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let Some(after) = last_request(&acts, &way).await else { return };
            let without = last_request(&acts, &[]).await.unwrap();
            assert_eq!(without.system, after.system);
            assert_eq!(without.tools, after.tools);
            assert_eq!(without.tail, after.tail);
            let messages = |request: &CompletionRequest| -> Vec<String> {
                request.transcript.messages().map(|one| serde_json::to_string(one).unwrap()).collect()
            };
            assert_eq!(messages(&without), messages(&after));
            assert_eq!(without.breakpoints, after.breakpoints);
        });
    }
}
