//! Receipts: one for every request, stored and readable.

use std::sync::Arc;

use throughline_agent::NullSink;
use throughline_budget::Chars4Estimator;
use throughline_completion::{LanguageModel as _, Reply, ScriptedModel};
use throughline_continuity::{MessageLog, Part, SnapshotStore};
use throughline_conversation::{CacheChange, FigureSource, Receipt, RecordBody, Seq};
use throughline_prompt::{FixedSections, PromptSection};

use crate::harness::{World, echo, session, turn};

async fn receipts(world: &World) -> Vec<Receipt> {
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let of = |body: RecordBody| match body {
        RecordBody::Receipt(receipt) => Some(*receipt),
        _ => None,
    };
    records.into_iter().filter_map(|record| of(record.body)).collect()
}

/// A section that is long enough to be cached.
fn long_rules() -> Arc<FixedSections> {
    let section = PromptSection::project("long", "rule ".repeat(1_100).trim());
    Arc::new(FixedSections::new("long", [section]))
}

// S3-01 S3-02 S3-03
#[tokio::test]
async fn a_receipt_tells_what_filled_the_window_and_what_the_cache_did() {
    let replies = [Reply::Say(vec![echo("c1", 30)]), Reply::Say(vec![echo("c2", 30)]), Reply::text("Done.")];
    let world = World::new(4_000, replies);
    let mut agent = world.builder().section(long_rules()).open(session()).await.unwrap();
    turn(&mut agent, "Go.").await.0.unwrap();
    let all = receipts(&world).await;
    assert_eq!(all.iter().map(|receipt| receipt.request).collect::<Vec<_>>(), [1, 2, 3]);
    let first = &all[0];
    assert_eq!(first.window.used.system, 1_103, "Work with care, and the long rules.");
    assert!(first.window.used.tools > 20 && first.window.used.conversation == 1);
    assert_eq!(first.window.source, FigureSource::Estimated);
    assert_eq!(all[1].window.source, FigureSource::Anchored);
    for (index, receipt) in all.iter().enumerate() {
        let reported = receipt.reported.unwrap();
        assert_eq!(receipt.predicted.prompt(), reported.prompt(), "request {}", index + 1);
        assert_eq!(receipt.predicted.cache_read, reported.cache_read, "request {}", index + 1);
    }
    assert_eq!(all[0].predicted.cache_read, 0);
    assert!(all[2].predicted.cache_read > all[1].predicted.cache_read);
    assert_eq!(all[2].stop, "end_turn");
}

#[tokio::test]
async fn the_parts_of_a_request_measure_the_same_after_a_restart() {
    let replies = (0..6).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 40 + 90 * i)]));
    let mut world = World::new(40_000, []);
    let replies = replies.chain([Reply::text("Done.")]);
    world.model = Arc::new(ScriptedModel::new(world.model.info(), Box::new(Chars4Estimator), replies));
    let open = || world.builder().section(long_rules()).open(session());
    let mut agent = open().await.unwrap();
    turn(&mut agent, "Go.").await.0.unwrap();
    let before = agent.budget().window_figures().used;
    agent.close(&NullSink).await;
    let after = open().await.unwrap().budget().window_figures().used;
    assert_eq!(after.total(), before.total());
    // The scale of a receipt is rounded.
    assert!(after.tools.abs_diff(before.tools) <= 1 && after.system.abs_diff(before.system) <= 1);
}

#[tokio::test]
async fn what_a_change_between_two_runs_leaves_of_the_cache_is_predicted_to_be_read() {
    let mut replies: Vec<Reply> = (0..8).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 300)])).collect();
    replies.extend([Reply::text("Done."), Reply::text("Done again.")]);
    let world = World::new(40_000, replies);
    let open = || world.builder().section(long_rules()).open(session());
    let mut agent = open().await.unwrap();
    turn(&mut agent, "Go.").await.0.unwrap();
    agent.close(&NullSink).await;
    let mut agent = open().await.unwrap();
    agent.compact(&NullSink).await.unwrap();
    agent.close(&NullSink).await;
    let mut agent = open().await.unwrap();
    turn(&mut agent, "Once more.").await.0.unwrap();
    let all = receipts(&world).await;
    let [.., before, after] = all.as_slice() else { panic!("{all:?}") };
    let reported = after.reported.unwrap();
    assert!(
        after.predicted.cache_read.abs_diff(reported.cache_read) < 10,
        "{:?} {reported:?}",
        after.predicted
    );
    assert!(reported.cache_read > 1_100, "tools and system prompt: {reported:?}");
    let cache = after.cache.unwrap();
    let sent = before.reported.unwrap();
    assert_eq!((cache.warm, cache.change), (sent.cache_read + sent.cache_write, Some(CacheChange::Messages)));
}

// S3-22
#[tokio::test]
async fn a_receipt_tells_of_the_compaction_before_it() {
    let mut replies: Vec<Reply> = (0..14).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 300)])).collect();
    replies.push(Reply::text("Done."));
    let world = World::new(4_500, replies);
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap();
    let all = receipts(&world).await;
    let reported: Vec<_> = all.iter().filter_map(|receipt| receipt.compaction.clone()).collect();
    assert_eq!(reported.len() as u64, agent.view().epoch());
    for compaction in &reported {
        assert!(compaction.after_tokens < compaction.before_tokens, "{compaction:?}");
        assert!(!compaction.strategies.is_empty());
    }
    let after = all.iter().position(|receipt| receipt.compaction.is_some()).unwrap();
    assert_eq!(all[after].epoch, all[after - 1].epoch + 1);
}

// S3-12 S3-13 S3-14
#[tokio::test]
async fn markers_stand_at_the_ends_of_what_is_stable() {
    let words = "rule ".repeat(1_100);
    let section = PromptSection::project("long", words);
    let replies = [Reply::Say(vec![echo("c1", 30)]), Reply::text("Done.")];
    let world = World::new(40_000, replies);
    let source = FixedSections::new("long", [section]);
    let mut agent = world.builder().section(Arc::new(source)).open(session()).await.unwrap();
    turn(&mut agent, "Go.").await.0.unwrap();
    for request in world.model.requests() {
        assert!(request.breakpoints.len() <= 4);
        let last = request.transcript.len() - 1;
        let places: Vec<_> = request.breakpoints.iter().map(|marker| marker.place).collect();
        assert!(places.contains(&throughline_conversation::Place::Message(last)), "{places:?}");
        assert!(places.contains(&throughline_conversation::Place::Section(1)), "{places:?}");
    }
}

// S3-03
#[tokio::test]
async fn a_resumed_session_is_measured_as_before() {
    let replies = [Reply::Say(vec![echo("c1", 30)]), Reply::Say(vec![echo("c2", 30)]), Reply::text("Done.")];
    let world = World::new(4_000, replies);
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap();
    let left = agent.budget();
    assert_eq!(left.source, FigureSource::Exact);
    for snapshot in [true, false] {
        agent.close(&NullSink).await;
        if !snapshot {
            world.snapshots.remove(&session()).await.unwrap();
        }
        agent = world.agent().await;
        assert_eq!(agent.budget(), left, "snapshot: {snapshot}");
    }
}

/// A turn that was stopped before its first answer has no receipt.
#[tokio::test]
async fn a_receipt_names_the_turn_of_its_records_also_behind_one_without_receipts() {
    let refusal =
        Reply::Fail(throughline_completion::ModelError::InvalidRequest { message: "no".to_owned() });
    let world = World::new(4_000, [refusal, Reply::text("One."), Reply::text("Two.")]);
    let mut agent = world.agent().await;
    turn(&mut agent, "First.").await.0.unwrap_err();
    agent.close(&NullSink).await;
    for said in ["Second.", "Third."] {
        let mut agent = world.agent().await;
        turn(&mut agent, said).await.0.unwrap();
        agent.close(&NullSink).await;
    }
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let turns: Vec<(u64, u64)> = records
        .iter()
        .filter_map(|record| match &record.body {
            RecordBody::Receipt(receipt) => Some((record.exchange.0, receipt.turn)),
            _ => None,
        })
        .collect();
    assert_eq!(turns, [(2, 2), (3, 3)]);
}

#[tokio::test]
async fn a_restart_changes_no_prediction_of_the_cache() {
    let mut predicted = Vec::new();
    for restarts in [false, true] {
        let replies = [Reply::Say(vec![echo("c1", 30)]), Reply::text("One."), Reply::text("Two.")];
        let world = World::new(40_000, replies);
        let open = || world.builder().section(long_rules()).open(session());
        let mut agent = open().await.unwrap();
        turn(&mut agent, "Go.").await.0.unwrap();
        if restarts {
            agent.close(&NullSink).await;
            agent = open().await.unwrap();
        }
        turn(&mut agent, "Continue.").await.0.unwrap();
        let last = receipts(&world).await.pop().unwrap();
        assert!(last.predicted.cache_read > 1_024, "{:?}", last.predicted);
        predicted.push((last.predicted, last.cache, last.breakpoints));
    }
    assert_eq!(predicted[0], predicted[1]);
}

// S2-03
#[tokio::test]
async fn the_reported_usage_stays_the_base_when_notes_ride_at_the_tail() {
    let replies = [Reply::Say(vec![echo("c1", 3)]), Reply::Say(vec![echo("c2", 3)]), Reply::text("Done.")];
    let world = World::new(4_000, replies);
    let status =
        "The build is green, and so are all of the tests that were run on the last commit. ".repeat(4);
    let note = PromptSection::status("status", status);
    let sections = Arc::new(FixedSections::new("status", [note]));
    let mut agent = world.builder().section(sections).open(session()).await.unwrap();
    turn(&mut agent, "Go.").await.0.unwrap();
    let receipts = receipts(&world).await;
    assert!(receipts.iter().all(|receipt| !receipt.tail.is_empty()));
    let sources: Vec<FigureSource> = receipts.iter().map(|receipt| receipt.window.source).collect();
    assert_eq!(sources, [FigureSource::Estimated, FigureSource::Anchored, FigureSource::Anchored]);
    // What is reported and what is measured are the same content: the note is in neither.
    let left = agent.budget();
    agent.close(&NullSink).await;
    let sections = Arc::new(FixedSections::new("status", [PromptSection::status("status", "Green.")]));
    let agent = world.builder().section(sections).open(session()).await.unwrap();
    assert_eq!((left.source, agent.budget()), (FigureSource::Exact, left));
}

#[tokio::test]
async fn after_a_long_pause_the_cache_is_taken_for_cold() {
    let replies = ["One.", "Two.", "Three."].map(Reply::text);
    let world = World::new(4_000, replies);
    let clock = Arc::new(throughline_agent::ManualClock::default());
    let builder = world.builder().clock(clock.clone()).section(long_rules());
    let mut agent = builder.open(session()).await.unwrap();
    for pause in [0, 299_000, 301_000] {
        clock.advance(pause);
        turn(&mut agent, "Go.").await.0.unwrap();
    }
    let read: Vec<bool> =
        receipts(&world).await.iter().map(|receipt| receipt.predicted.cache_read > 0).collect();
    assert_eq!(read, [false, true, false]);
    let change = |receipt: &Receipt| receipt.cache.map(|cache| cache.change);
    let changes: Vec<_> = receipts(&world).await.iter().map(change).collect();
    let idle = CacheChange::Idle { minutes: 5 };
    assert!(changes.iter().flatten().all(|change| change.is_none_or(|change| change == idle)), "{changes:?}");
}

#[tokio::test]
async fn a_session_that_is_opened_behind_an_expired_cache_says_what_continuing_costs() {
    let world = World::new(4_000, [Reply::text("One.")]);
    let clock = Arc::new(throughline_agent::ManualClock::default());
    let mut agent = world.builder().clock(clock.clone()).open(session()).await.unwrap();
    assert_eq!(agent.continuing_price(), None, "nothing was sent yet");
    turn(&mut agent, "Go.").await.0.unwrap();
    agent.close(&NullSink).await;
    let mut said = Vec::new();
    for pause in [299_000, 2_000] {
        clock.advance(pause);
        let agent = world.builder().clock(clock.clone()).open(session()).await.unwrap();
        said.push(agent.continuing_price());
    }
    let [warm, Some(cold)] = said.as_slice() else { panic!("{said:?}") };
    assert_eq!(*warm, None);
    assert!(cold.starts_with("idle 5 min, the prompt cache is cold: continuing "), "{cold}");
}
