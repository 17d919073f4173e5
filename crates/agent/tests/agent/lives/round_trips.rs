//! Round trips: the next request is byte for byte the one that would have been sent.

use proptest::prelude::*;
use throughline_completion::CompletionRequest;
use throughline_conversation::ExchangeId;
use throughline_groups::Change;

use super::acts::{Act, Last, Step, acts};
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

fn assert_no_trace(acts: &[Act], way: &[Change]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let Some(after) = last_request(acts, way).await else { return };
        let without = last_request(acts, &[]).await.unwrap();
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

/// A deletion takes the pin of the turn along, so the log has as many marks as before it. The cache that an earlier request has left
/// is not that of the session after it.
#[test]
fn a_deleted_turn_with_a_pin_leaves_no_cache_that_a_round_trip_would_lose() {
    let turn = |words, steps| Act::Turn(words, steps, Last::Nothing);
    let acts = [
        Act::Turn(1, vec![Step::Echo(vec![46, 46]), Step::Echo(vec![150])], Last::Scratchpad),
        turn(1, vec![]),
        Act::Pin(ExchangeId(2), None),
        turn(1, vec![]),
        turn(1, vec![]),
        turn(1, vec![]),
        turn(1, vec![Step::Echo(vec![1]), Step::Echo(vec![150])]),
        Act::Compact(false),
        turn(13, vec![Step::Echo(vec![1])]),
        Act::Delete(ExchangeId(2)),
    ];
    assert_no_trace(&acts, &[Change::Undo, Change::Redo]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    // S4-15 S4-16
    #[test]
    fn what_is_undone_and_restored_leaves_no_trace(acts in acts(), way in ways()) {
        // Where the window was another one before, all groups are no way back.
        let other = |act: &Act| matches!(act, Act::Change(Change::Window(_)));
        let acts: Vec<Act> = acts.into_iter().filter(|act| !other(act)).collect();
        assert_no_trace(&acts, &way);
    }
}
