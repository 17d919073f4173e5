//! A session that waits for its user while its prompt cache is about to expire.

use std::sync::Arc;
use std::time::Duration;

use throughline_agent::{Agent, Event, ManualClock};
use throughline_compaction::{ModelSummaries, WaitingChoice};
use throughline_completion::Reply;
use throughline_conversation::{EditReason, Usage};
use throughline_policies::Policy;
use throughline_tools::CancelFlag;

use crate::harness::{self, Events, World, session, turn};

/// A session of some thousand words that a model would summarize.
async fn talked(last: Vec<Reply>) -> (World, Agent, Arc<ManualClock>) {
    talked_asking(ModelSummaries::Always, last).await
}

/// The same, where a model is asked at these compactions.
async fn talked_asking(when: ModelSummaries, last: Vec<Reply>) -> (World, Agent, Arc<ManualClock>) {
    let long = |word: &str| Reply::text([word; 4_000].join(" "));
    let mut replies: Vec<Reply> = ["a", "b", "c", "d", "e", "f"].map(long).into();
    replies.extend(last);
    let mut world = World::new(200_000, replies);
    world.settings = Policy::Throughline.settings(200_000, 8_000);
    world.settings.compaction.model_summaries = when;
    let clock = Arc::new(ManualClock::default());
    let summarizer = harness::summarizer(world.model.clone());
    let builder = world.builder().summarizer(summarizer).clock(clock.clone());
    let mut agent = builder.open(session()).await.unwrap();
    for index in 0..6 {
        turn(&mut agent, &format!("Say {index}.")).await.0.unwrap();
    }
    (world, agent, clock)
}

fn notes() -> Reply {
    Reply::text("### Now\nSaying words.\n### Done\nMost of them.")
}

#[tokio::test]
async fn a_summary_is_written_before_the_cache_expires() {
    let (_, mut agent, clock) = talked(vec![notes()]).await;
    assert_eq!(agent.cache_expires_in(), Some(Duration::from_secs(300)));
    clock.advance(250_000);
    assert_eq!(agent.cache_expires_in(), Some(Duration::from_secs(50)));
    let terms = agent.decide_idle(false).unwrap();
    assert_eq!(terms.choice, WaitingChoice::Compact, "{}", terms.sentence());
    let before = agent.view().tokens();
    let events = Events::default();
    agent.compact_idle(&events, &CancelFlag::new()).await.unwrap();
    assert!(agent.view().tokens() < before / 2);
    let of_waiting =
        |event: &Event| matches!(event, Event::Compacted(receipt) if receipt.reason == EditReason::Idle);
    assert!(events.all().iter().any(of_waiting));
}

// By rule it costs nothing afterwards, and less: the user may not come back.
#[tokio::test]
async fn a_summary_that_will_be_written_by_rule_waits_for_the_user() {
    let (_, agent, clock) = talked_asking(ModelSummaries::WherePaid, vec![]).await;
    clock.advance(250_000);
    let terms = agent.decide_idle(false).unwrap();
    assert_eq!(terms.choice, WaitingChoice::LetExpire, "{}", terms.sentence());
}

#[tokio::test]
async fn an_expired_cache_leaves_nothing_to_decide() {
    let (_, agent, clock) = talked(vec![]).await;
    clock.advance(301_000);
    assert_eq!(agent.cache_expires_in(), None);
    assert!(agent.decide_idle(true).is_none());
}

#[tokio::test]
async fn a_minimal_request_keeps_the_cache_warm_and_is_no_part_of_the_conversation() {
    let (world, mut agent, clock) = talked(vec![Reply::text("OK")]).await;
    clock.advance(280_000);
    assert_eq!(agent.decide_idle(true).unwrap().choice, WaitingChoice::KeepWarm);
    let (view, events) = (agent.view().clone(), Events::default());
    agent.keep_warm(&events, &CancelFlag::new()).await.unwrap();
    assert_eq!(agent.view(), &view);
    assert_eq!(agent.cache_expires_in(), Some(Duration::from_secs(300)));
    let spent = events.all().into_iter().find_map(|event| match event {
        Event::Spent(spent) => Some(spent.usage),
        _ => None,
    });
    let Usage { input, cache_read, cache_write, output, .. } = spent.unwrap();
    assert_eq!(output, 1);
    assert!(cache_read > 4 * (input + cache_write), "{cache_read} of {}", input + cache_write + cache_read);
    let sent = world.model.requests();
    let [.., last, warm] = &sent[..] else { panic!("too few requests") };
    assert_eq!((&warm.system, &warm.tools), (&last.system, &last.tools));
    assert!(warm.transcript.len() > last.transcript.len() && !warm.breakpoints.is_empty());
}

#[tokio::test]
async fn a_key_of_the_user_stops_it() {
    let (_, mut agent, clock) = talked(vec![notes()]).await;
    clock.advance(250_000);
    let (view, cancel) = (agent.view().clone(), CancelFlag::new());
    cancel.cancel();
    agent.compact_idle(&Events::default(), &cancel).await.unwrap_err();
    assert_eq!(agent.view(), &view);
}
