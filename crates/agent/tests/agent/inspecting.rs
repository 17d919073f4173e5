//! What a caller asks of an open session, and what it sets between turns.

use throughline_agent::{Agent, ChangeError, CompactionPoints, ItemPlace, NullSink, TurnError};
use throughline_completion::Reply;
use throughline_continuity::{MessageLog, Part};
use throughline_conversation::{CheckpointReason, ContentBlock, ExchangeId, RecordBody, Seq, Span};
use throughline_groups::PinTarget;

use crate::harness::{World, echo, session, summarizer, turn};

#[tokio::test]
async fn pins_are_shown_in_the_tokens_of_the_window() {
    let world = World::new(4_000, (0..4).map(|_| Reply::text("Yes.")));
    // The tokens of this provider are smaller than those of the counter.
    let next = world.next("openai", "b", 4_000);
    let mut agent = world.builder_for(next.model, next.settings).open(session()).await.unwrap();
    turn(&mut agent, "word ".repeat(1_500).trim()).await.0.unwrap();
    turn(&mut agent, "Use the staging server.").await.0.unwrap();
    assert_eq!(agent.pins().pins, []);

    let refused = agent.pin(PinTarget::Group(ExchangeId(1)), None, &NullSink).await;
    let Err(ChangeError::PinsTooLarge { tokens, most }) = refused else { panic!("{refused:?}") };
    assert!(tokens > 1_500 && most > agent.pin_limit(), "{tokens} of {most}");
    let counted = ChangeError::PinsTooLarge { tokens: 1_500, most: agent.pin_limit() };
    let shown = agent.shown_error(counted);
    assert!(
        matches!(shown, ChangeError::PinsTooLarge { tokens: 1_501.., most: limit } if limit == most),
        "{shown:?}"
    );

    agent.pin(PinTarget::Group(ExchangeId(2)), None, &NullSink).await.unwrap();
    let report = agent.pins();
    let pinned: Vec<ExchangeId> = report.pins.iter().map(|pin| pin.exchange).collect();
    assert_eq!((pinned, report.limit), (vec![ExchangeId(2)], most));
}

#[tokio::test]
async fn the_points_of_compaction_are_those_of_the_settings() {
    let agent = World::new(4_000, []).agent().await;
    let window = agent.budget().effective_window();
    let compact = Some(window * 95 / 100);
    assert_eq!(agent.compaction_points(), CompactionPoints { early: None, compact });
}

#[tokio::test]
async fn instructions_for_summaries_are_ignored_where_no_model_writes_any() {
    let mut world = World::new(4_000, []);
    assert!(!world.agent().await.ignores_instructions(), "there are none");
    world.settings.compaction.instructions = Some("Name each file.".to_owned());
    assert!(world.agent().await.ignores_instructions());
    let builder = world.builder().summarizer(summarizer(world.model.clone()));
    assert!(!builder.open(session()).await.unwrap().ignores_instructions());
}

#[tokio::test]
async fn the_system_prompt_is_prepared_before_the_first_message() {
    let mut agent = World::new(4_000, []).agent().await;
    assert!(agent.next_request().system.is_empty());
    agent.prepare(&NullSink).await;
    assert!(agent.next_request().system.iter().any(|section| section.text.contains("Work with care.")));
}

#[tokio::test]
async fn a_record_that_is_lost_is_named() {
    let world = World::new(4_000, [Reply::text("Yes.")]);
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap();
    assert_eq!(agent.unreadable(), []);
    drop(agent);
    let records = records(&world).await;
    let (last, _) = records.iter().rfind(|(_, body)| matches!(body, RecordBody::Message(_))).unwrap();
    world.log.damage(&session(), *last);
    let spans: Vec<Span> = world.agent().await.unreadable().iter().map(|lost| lost.span).collect();
    assert_eq!(spans, [Span::one(*last)]);
}

#[tokio::test]
async fn a_checkpoint_is_recorded_when_the_caller_asks_for_it() {
    let world = World::new(4_000, [Reply::text("Yes.")]);
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap();
    agent.checkpoint(CheckpointReason::TaskStep, &NullSink).await;
    let (_, newest) = records(&world).await.pop().unwrap();
    assert!(matches!(&newest, RecordBody::Checkpoint(made) if made.reason == CheckpointReason::TaskStep));
}

#[tokio::test]
async fn the_limit_of_requests_can_be_set_and_removed() {
    let calls = ["c1", "c2", "c3"].map(|id| Reply::Say(vec![echo(id, 3)]));
    let world = World::new(4_000, calls.into_iter().chain([Reply::text("Done.")]));
    let mut agent = world.agent().await;
    agent.limit_requests(Some(2));
    let ended = turn(&mut agent, "Go.").await.0;
    assert!(matches!(ended, Err(TurnError::TooManyRequests(2))), "{ended:?}");
    agent.limit_requests(None);
    assert_eq!(turn(&mut agent, "Continue.").await.0.unwrap().text, "Done.");
}

#[tokio::test]
async fn a_result_is_dropped_and_shown_again() {
    let world = World::new(4_000, [Reply::Say(vec![echo("c1", 40)]), Reply::text("Done.")]);
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap();
    let (place, before) = result(&agent);
    agent.change_item(place, true, &NullSink).await.unwrap();
    let (_, dropped) = result(&agent);
    assert!(before.contains("c1_39") && !dropped.contains("c1_39"), "{dropped}");
    agent.change_item(place, false, &NullSink).await.unwrap();
    assert_eq!(result(&agent).1, before);
}

/// The first result in view: its place and its content.
fn result(agent: &Agent) -> (ItemPlace, String) {
    let found = agent.view().entries().iter().find_map(|entry| {
        entry.message.content.iter().enumerate().find_map(|(part, block)| match block {
            ContentBlock::ToolResult(result) => {
                Some((ItemPlace { message: entry.span.first, part }, result.content.clone()))
            }
            _ => None,
        })
    });
    found.unwrap()
}

async fn records(world: &World) -> Vec<(Seq, RecordBody)> {
    let page = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap();
    page.records.into_iter().map(|record| (record.seq, record.body)).collect()
}
