//! A provider that reports fewer tokens than a request has, or more than it can have.

use std::sync::Arc;

use throughline_completion::Answer;
use throughline_continuity::{InMemoryMessageLog, Part, read_all};
use throughline_conversation::{Message, ModelUse, Origin, Receipt, RecordBody, Seq, Usage};
use throughline_engine::NullSink;
use throughline_tools::CancelFlag;

use super::harness::{answer, builder, id, request};

async fn asked(log: &Arc<InMemoryMessageLog>, prompts: &[(&str, u64)]) -> Vec<u64> {
    let mut engine = builder(log).open(id()).await.unwrap();
    let mut used = Vec::new();
    for (text, input) in prompts {
        engine.user(Message::user(*text)).await.unwrap();
        let prepared = request(&mut engine).await;
        let usage = Some(Usage { input: *input, output: 5, ..Usage::default() });
        engine.answer(prepared.id, Answer { usage, ..answer(Message::assistant("Yes.")) }).await.unwrap();
        used.push(engine.status().window.used.total());
    }
    engine.close().await;
    used
}

async fn records(log: &Arc<InMemoryMessageLog>) -> Vec<RecordBody> {
    let read = read_all(log.as_ref(), &id(), Seq(0), Part::All).await.unwrap();
    read.records.into_iter().map(|record| record.body).collect()
}

async fn receipts(log: &Arc<InMemoryMessageLog>) -> Vec<Receipt> {
    let of = |body| match body {
        RecordBody::Receipt(receipt) => Some(*receipt),
        _ => None,
    };
    records(log).await.into_iter().filter_map(of).collect()
}

async fn doubted(log: &Arc<InMemoryMessageLog>) -> Vec<bool> {
    receipts(log).await.iter().map(|receipt| receipt.short_report).collect()
}

#[tokio::test]
async fn a_cut_prompt_is_no_anchor_in_this_run_and_after_a_resume() {
    let log = Arc::default();
    let long = "word ".repeat(9_000);
    let used = asked(&log, &[(&long, 4_096), ("more", 4_096)]).await;
    assert!(used.iter().all(|used| *used > 8_000), "{used:?}");
    assert_eq!(doubted(&log).await, [true, true]);
    let resumed = builder(&log).open(id()).await.unwrap();
    assert!(resumed.status().window.used.total() > 8_000);
}

#[tokio::test]
async fn a_report_of_another_tokenizer_is_an_anchor() {
    let log = Arc::default();
    let long = "word ".repeat(9_000);
    let used = asked(&log, &[(&long, 14_001)]).await;
    assert!((13_900..14_200).contains(&used[0]), "{used:?}");
    assert_eq!(doubted(&log).await, [false]);
}

#[tokio::test]
async fn a_report_that_cannot_be_true_is_no_report() {
    let log = Arc::default();
    let long = "word ".repeat(2_000);
    let used = asked(&log, &[(&long, 9_000_000), ("more", 9_000_000)]).await;
    assert!(used.iter().all(|used| (2_000..4_000).contains(used)), "{used:?}");
    let reported: Vec<_> = receipts(&log).await.iter().map(|receipt| receipt.reported).collect();
    assert_eq!(reported, [None, None]);
    let mut engine = builder(&log).open(id()).await.unwrap();
    engine.user(Message::user("Again.")).await.unwrap();
    let next = request(&mut engine).await;
    assert!(next.predicted.prompt() < 4_000, "{:?}", next.predicted);
    // So is that of an attempt that broke off.
    let huge = Usage { cache_read: 9_000_000, ..Usage::default() };
    let lost = ModelUse::of_request(Origin::new("any", "model"), Some(huge));
    engine.operation(&NullSink, &CancelFlag::new()).record_lost(lost.clone());
    engine.close().await;
    let unreported = ModelUse::of_request(lost.origin, None);
    assert!(records(&log).await.contains(&RecordBody::Spent(unreported)));
}
