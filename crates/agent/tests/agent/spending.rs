//! What is known of requests whose answers are no messages.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_agent::{Agent, Event, Rebuilt};
use throughline_completion::{
    CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, Reply, ScriptedModel,
};
use throughline_continuity::{MessageLog, Part};
use throughline_conversation::{ContentBlock, Message, ModelUse, Origin, RecordBody, Seq};
use throughline_documents::DocumentCaps;
use throughline_tools::CancelFlag;

use crate::harness::{self, Events, World, echo, session, turn};

/// A session of some long answers, whose model then answers these.
async fn talk(last: Vec<Reply>) -> (World, Agent) {
    let long = |word: &str| Reply::text([word; 900].join(" "));
    let mut replies: Vec<Reply> = ["a", "b", "c", "d", "e", "f", "g", "h"].map(long).into();
    replies.extend(last);
    let world = World::new(20_000, replies);
    let summarizer = harness::summarizer(world.model.clone());
    let builder = world.builder().summarizer(summarizer).documents(DocumentCaps::default());
    let mut agent = builder.open(session()).await.unwrap();
    for index in 0..8 {
        turn(&mut agent, &format!("Say {index}.")).await.0.unwrap();
    }
    (world, agent)
}

fn reported(events: &Events) -> Vec<ModelUse> {
    let spent = |event| match event {
        Event::Spent(used) => Some(used),
        _ => None,
    };
    events.all().into_iter().filter_map(spent).collect()
}

async fn logged(world: &World) -> Vec<ModelUse> {
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let spent = |body| match body {
        RecordBody::Spent(used) => Some(used),
        _ => None,
    };
    records.into_iter().filter_map(|record| spent(record.body)).collect()
}

#[tokio::test]
async fn a_compaction_tells_what_its_summary_used() {
    let notes = Reply::text("### Now\nSaying words.\n### Done\nMost of them.");
    let (world, mut agent) = talk(vec![notes]).await;
    let events = Events::default();
    agent.compact(&events).await.unwrap();
    let reported = reported(&events);
    assert_eq!(reported.len(), 1);
    assert_eq!((reported[0].requests, &reported[0].origin), (1, &Origin::new("scripted", "scripted")));
    // It was asked for behind the session's own request, which is cached.
    let usage = reported[0].usage;
    assert!(usage.cache_read > 6_000 && usage.input + usage.cache_write < 2_000, "{usage:?}");
    assert_eq!(usage.output, 9);
    let receipts = events.all().into_iter().filter_map(|event| match event {
        Event::Compacted(receipt) => Some(receipt.asked),
        _ => None,
    });
    assert_eq!(receipts.collect::<Vec<_>>(), std::slice::from_ref(&reported));
    assert_eq!(logged(&world).await, reported);
}

#[tokio::test]
async fn a_summary_from_which_nothing_comes_is_paid_all_the_same() {
    // One that is no summary, one that calls a tool, and one that is too long for the provider in the first form.
    let overflow =
        Reply::Fail(ModelError::Overflow { message: "too long".to_owned(), limit: None, tokens: None });
    let ways = [
        (vec![Reply::text("I cannot help with that.")], 1),
        (vec![Reply::Say(vec![echo("c1", 3)])], 1),
        (vec![overflow, Reply::text("### Now\nSaying.\n### Done\nMost.")], 1),
    ];
    for (replies, requests) in ways {
        let (world, mut agent) = talk(replies).await;
        let events = Events::default();
        agent.compact(&events).await.unwrap();
        let reported = reported(&events);
        assert_eq!(reported.len(), 1);
        assert_eq!(reported[0].requests, requests, "a request that was not taken costs nothing");
        assert_eq!(logged(&world).await, reported);
    }
}

#[tokio::test]
async fn a_summary_by_rule_uses_nothing() {
    let (world, agent) = talk(vec![]).await;
    drop(agent);
    let mut agent = world.agent().await;
    let events = Events::default();
    agent.compact_with(None, &events, &CancelFlag::new()).await.unwrap();
    assert_eq!((reported(&events), logged(&world).await), (vec![], vec![]));
}

#[tokio::test]
async fn a_rebuild_of_state_is_paid_also_when_its_answer_is_unusable() {
    let state = "### STATE\nGoal: say words\nContext: none\nResolved: 7\nTechnical Anchors: none";
    for (answer, by_model) in [(state, true), ("Which state?", false)] {
        let (world, mut agent) = talk(vec![Reply::text(answer)]).await;
        let events = Events::default();
        let rebuilt = agent.rebuild_state(true, &events, &CancelFlag::new()).await;
        assert_eq!(matches!(rebuilt, Rebuilt::ByModel(_)), by_model, "{rebuilt:?}");
        let reported = reported(&events);
        assert_eq!((reported.len(), reported[0].requests), (1, 1));
        assert_eq!(logged(&world).await, reported);
    }
}

#[tokio::test]
async fn what_the_provider_worked_on_without_telling_what_it_used_is_not_free() {
    // A try breaks off in the middle of an answer, and one is refused. The scripted model reports at the end only.
    let half = || Reply::BreakOff(vec![ContentBlock::Text { text: "Half".to_owned() }]);
    let busy = Reply::Fail(ModelError::Unavailable { message: "busy".to_owned(), retry_after_ms: None });
    let world = World::new(20_000, [half(), busy, Reply::text("Here.")]);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    assert_eq!(outcome.unwrap().text, "Here.");
    let spent = |event: &Event| match event {
        Event::Spent(used) => Some((used.requests, used.unreported)),
        _ => None,
    };
    assert_eq!(events.iter().filter_map(spent).collect::<Vec<_>>(), [(0, 1)], "a refusal costs nothing");
    assert_eq!(logged(&world).await.iter().map(|used| used.unreported).sum::<u64>(), 1);
    // One that is stopped before its first word was sent all the same.
    let silent = Arc::new(Endless(CancelFlag::new(), world.model.clone()));
    let mut agent = world.builder_for(silent.clone(), world.settings.clone()).open(session()).await.unwrap();
    let events = Events::default();
    let outcome = agent.turn(Message::user("Continue."), &events, &silent.0).await.unwrap();
    assert!(outcome.cancelled);
    let counts: Vec<(u64, u64)> =
        reported(&events).iter().map(|used| (used.requests, used.unreported)).collect();
    assert_eq!(counts, [(0, 1)]);
}

/// Loses the user's patience before it answers.
#[derive(Debug)]
struct Endless(CancelFlag, Arc<ScriptedModel>);

#[async_trait]
impl LanguageModel for Endless {
    fn info(&self) -> ModelInfo {
        self.1.info()
    }

    async fn stream(&self, _: &CompletionRequest) -> Result<EventStream, ModelError> {
        self.0.cancel();
        std::future::pending().await
    }
}

// The receipt of a request that is not answered is not kept; what it tells is.
#[tokio::test]
async fn the_next_receipt_tells_of_a_compaction_before_a_request_that_failed() {
    let key = Reply::Fail(ModelError::Unauthorized { message: "bad key".to_owned() });
    let (world, mut agent) = talk(vec![Reply::text("none"), key, Reply::text("Here.")]).await;
    agent.compact(&Events::default()).await.unwrap();
    turn(&mut agent, "Go.").await.0.unwrap_err();
    turn(&mut agent, "Go now.").await.0.unwrap();
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let compactions = records.iter().filter(
        |record| matches!(&record.body, RecordBody::Receipt(receipt) if receipt.compaction.is_some()),
    );
    assert_eq!(compactions.count(), 1);
}
