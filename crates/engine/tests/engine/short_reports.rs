//! A provider that reports fewer tokens than a request has.

use std::sync::Arc;

use throughline_completion::Answer;
use throughline_continuity::InMemoryMessageLog;
use throughline_conversation::{Message, RecordBody, SessionId, Usage};

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

async fn doubted(log: &Arc<InMemoryMessageLog>, session: SessionId) -> Vec<bool> {
    let read = throughline_continuity::read_all(
        log.as_ref(),
        &session,
        throughline_conversation::Seq(0),
        throughline_continuity::Part::All,
    )
    .await
    .unwrap();
    read.records
        .iter()
        .filter_map(|record| match &record.body {
            RecordBody::Receipt(receipt) => Some(receipt.short_report),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn a_cut_prompt_is_no_anchor_in_this_run_and_after_a_resume() {
    let log = Arc::default();
    let long = "word ".repeat(9_000);
    let used = asked(&log, &[(&long, 4_096), ("more", 4_096)]).await;
    assert!(used.iter().all(|used| *used > 8_000), "{used:?}");
    assert_eq!(doubted(&log, id()).await, [true, true]);
    let resumed = builder(&log).open(id()).await.unwrap();
    assert!(resumed.status().window.used.total() > 8_000);
}

#[tokio::test]
async fn a_report_of_another_tokenizer_is_an_anchor() {
    let log = Arc::default();
    let long = "word ".repeat(9_000);
    let used = asked(&log, &[(&long, 14_001)]).await;
    assert!((13_900..14_200).contains(&used[0]), "{used:?}");
    assert_eq!(doubted(&log, id()).await, [false]);
}
