//! Summaries that the session's own model writes.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_agent::{Agent, CompactError, Event, ManualClock, Settings};
use throughline_budget::Threshold;
use throughline_compaction::ModelSummaries;
use throughline_completion::{
    CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, PrefixCache, Reply,
};
use throughline_continuity::{MessageLog, Part};
use throughline_conversation::{Action, Message, RecordBody, Seq, SummaryNote};
use throughline_testkit::WordCounter;
use throughline_tools::CancelFlag;

use crate::harness::{self, Events, World, session, turn};

/// A session of some long answers, whose model then answers this. The clock is the session's.
async fn talk(last: Reply) -> (World, Agent, Arc<ManualClock>) {
    talk_asking(ModelSummaries::Always, last).await
}

/// The same, where a model is asked at these compactions.
async fn talk_asking(when: ModelSummaries, last: Reply) -> (World, Agent, Arc<ManualClock>) {
    let long = |word: &str| Reply::text([word; 900].join(" "));
    let mut replies: Vec<Reply> = ["a", "b", "c", "d", "e", "f", "g", "h"].map(long).into();
    replies.push(last);
    let mut world = World::new(20_000, replies);
    world.settings.compaction.model_summaries = when;
    let clock = Arc::new(ManualClock::default());
    let summarizer = harness::summarizer(world.model.clone());
    let builder = world.builder().summarizer(summarizer).clock(clock.clone());
    let mut agent = builder.open(session()).await.unwrap();
    for index in 0..8 {
        turn(&mut agent, &format!("Say {index}.")).await.0.unwrap();
    }
    (world, agent, clock)
}

fn notes() -> Reply {
    Reply::text("### Now\nSaying words.\n### Done\nMost of them.")
}

/// How the summaries of the log were made.
async fn made(world: &World) -> Vec<SummaryNote> {
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let mut notes = Vec::new();
    for record in records {
        if let RecordBody::Edit(edit) = record.body {
            notes.extend(edit.actions.into_iter().filter_map(|action| match action {
                Action::Cover { note, .. } => note,
                _ => None,
            }));
        }
    }
    notes
}

#[tokio::test]
async fn the_receipt_says_who_wrote_the_summary() {
    let (world, mut agent, _) = talk(notes()).await;
    agent.compact(&Events::default()).await.unwrap();
    turn(&mut agent, "Say more.").await.0.unwrap();
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let compaction = records.into_iter().rev().find_map(|record| match record.body {
        RecordBody::Receipt(receipt) => receipt.compaction,
        _ => None,
    });
    let model = world.model.info().name;
    assert_eq!(compaction.unwrap().authors, [model]);
}

fn last_two(world: &World) -> [CompletionRequest; 2] {
    let mut requests = world.model.requests();
    requests.split_off(requests.len() - 2).try_into().unwrap()
}

// O-03
#[tokio::test]
async fn the_model_is_asked_behind_its_own_cached_request() {
    let (world, mut agent, _) = talk(notes()).await;
    let events = Events::default();
    agent.compact(&events).await.unwrap();
    let [before, asked] = last_two(&world);
    assert_eq!(
        (&asked.tools, &asked.system, &asked.session),
        (&before.tools, &before.system, &before.session)
    );
    assert_eq!(asked.max_output_tokens, before.max_output_tokens);
    let messages = |request: &CompletionRequest| -> Vec<String> {
        request.transcript.messages().map(|message| serde_json::to_string(message).unwrap()).collect()
    };
    assert!(messages(&asked).starts_with(&messages(&before)));
    let mut cache = PrefixCache::default();
    let all = cache.observe(&before, &WordCounter).total();
    assert_eq!(
        cache.predict(&asked, &WordCounter).read,
        all,
        "everything that was sent is read from the cache"
    );
    let degraded = events.all().iter().any(|event| matches!(event, Event::Degraded(_)));
    assert!(!degraded);
    let text = agent.view().entries()[0].message.text();
    assert!(text.contains("## Progress\n### Now\nSaying words."), "{text}");
    let made = made(&world).await;
    assert_eq!(made.len(), 1);
    assert_eq!((made[0].template.as_str(), made[0].model.as_deref()), ("throughline", Some("scripted")));
}

// S3-23: what the user asks of the summary reaches its writer
#[tokio::test]
async fn instructions_stand_at_the_end_of_the_prompt_and_not_in_the_session() {
    for (wish, seen) in [(Some("  keep the port numbers \n"), true), (Some("  "), false), (None, false)] {
        let (world, mut agent, _) = talk(notes()).await;
        agent.compact_with(wish, &Events::default(), &CancelFlag::new()).await.unwrap();
        let [_, asked] = last_two(&world);
        let all = serde_json::to_string(&asked.tail).unwrap();
        let all = format!("{all}{}", asked.transcript.messages().last().unwrap().text());
        assert_eq!(all.contains("keep the port numbers"), seen, "{all}");
        let shown: Vec<String> = agent.view().entries().iter().map(|entry| entry.message.text()).collect();
        assert!(!shown.join("\n").contains("port numbers"));
    }
}

// What is asked for has to be paid back: the whole conversation at the full price never is.
#[tokio::test]
async fn a_summary_behind_an_expired_cache_is_written_by_rule() {
    for (when, minutes, by_model) in [
        (ModelSummaries::WherePaid, 1, true),
        (ModelSummaries::WherePaid, 60, false),
        (ModelSummaries::Always, 60, true),
        (ModelSummaries::Never, 1, false),
    ] {
        let (world, mut agent, clock) = talk_asking(when, notes()).await;
        clock.advance(minutes * 60_000);
        let asked = world.model.request_count();
        agent.compact(&Events::default()).await.unwrap();
        assert_eq!(world.model.request_count() - asked, u64::from(by_model), "{when:?} {minutes}");
        assert_eq!(made(&world).await[0].model.is_some(), by_model, "{when:?} {minutes}");
    }
}

#[tokio::test]
async fn a_model_whose_summaries_cannot_be_used_is_asked_three_times_and_then_when_the_user_asks() {
    let world = World::new(20_000, (0..120).map(|_| Reply::text(["a"; 900].join(" "))));
    let builder = world.builder().summarizer(harness::summarizer(world.model.clone()));
    let mut agent = builder.open(session()).await.unwrap();
    let (mut turns, mut causes) = (0, Vec::new());
    while made(&world).await.len() < 5 && turns < 100 {
        let (outcome, events) = turn(&mut agent, &format!("Say {turns}.")).await;
        outcome.unwrap();
        causes.extend(events.into_iter().filter_map(|event| match event {
            Event::Degraded(note) => Some(note.cause),
            _ => None,
        }));
        turns += 1;
    }
    assert_eq!(made(&world).await.len(), 5, "compacted after {turns} turns");
    assert_eq!(world.model.request_count(), turns + 3, "no answer has the headings");
    let lacks = "the summary lacks the heading \"Now\"";
    let given_up = "the last 3 answers of its model could not be used";
    assert_eq!(causes, [lacks, lacks, lacks, given_up, given_up], "each is said");
    agent.compact(&Events::default()).await.unwrap();
    assert_eq!(world.model.request_count(), turns + 4);
}

#[tokio::test]
async fn a_compaction_that_is_only_shown_asks_no_model() {
    let (world, mut agent, _) = talk(notes()).await;
    let asked = world.model.request_count();
    let shown = agent.show_compaction(&Events::default(), &CancelFlag::new()).await.unwrap();
    assert!(shown.asked().is_empty() && shown.result().after_tokens < shown.result().before_tokens);
    assert_eq!(world.model.request_count(), asked);
    assert!(agent.summary_price(500).is_some(), "the price of a model's summary is shown with it");
    agent.compact(&Events::default()).await.unwrap();
    assert_eq!(made(&world).await[0].model.as_deref(), Some("scripted"));
}

#[tokio::test]
async fn a_look_at_the_context_asks_no_model() {
    let (world, agent, _) = talk(notes()).await;
    let (before, asked) = (agent.view().clone(), world.model.request_count());
    assert!(agent.context(5).await.next.is_some());
    assert_eq!((agent.view(), world.model.request_count()), (&before, asked));
}

#[tokio::test]
async fn a_previewed_compaction_changes_nothing_until_it_is_applied() {
    let (world, mut agent, _) = talk(notes()).await;
    let before = agent.view().clone();
    let proposal = agent.propose_compaction(None, &Events::default(), &CancelFlag::new()).await.unwrap();
    assert_eq!(agent.view(), &before);
    assert!(made(&world).await.is_empty(), "the log has no edit");
    let written: Vec<&str> = proposal.summaries().collect();
    assert!(written.iter().any(|text| text.contains("Saying words.")), "{written:?}");
    assert!(proposal.result().after_tokens < proposal.result().before_tokens);
    let shown = agent.context(5).await;
    assert_eq!(proposal.result().before_tokens, shown.window.used.conversation, "one figure on every screen");
    assert!(
        proposal.result().before_tokens <= shown.window.used.total(),
        "a part is no larger than the whole"
    );

    let events = Events::default();
    let result = agent.apply_proposal(proposal.clone(), &events).await.unwrap();
    assert_eq!((&result, agent.view().entries()), (proposal.result(), proposal.after().entries()));
    assert_eq!(made(&world).await.len(), 1);
    let receipts = |event: &Event| matches!(event, Event::Compacted(receipt) if receipt.asked.len() == 1);
    assert!(events.all().iter().any(receipts), "the receipt has what the summary has cost");
}

#[tokio::test]
async fn an_edited_summary_is_what_the_model_sees() {
    let (world, mut agent, _) = talk(notes()).await;
    let proposal = agent.propose_compaction(None, &Events::default(), &CancelFlag::new()).await.unwrap();
    let texts = proposal.summaries().map(|text| format!("{text}\nRemember the kestrel.")).collect();
    let edited = agent.edit_proposal(&proposal, texts).unwrap();
    assert!(edited.result().after_tokens > proposal.result().after_tokens);
    agent.apply_proposal(edited, &Events::default()).await.unwrap();
    let seen = agent.view().entries().iter().any(|entry| entry.message.text().contains("kestrel"));
    assert!(seen, "the view has the edited text");
    let noted = made(&world).await.remove(0).tokens;
    assert!(noted > 0);

    let again = agent.edit_proposal(&proposal, vec![" \n".to_owned()]).unwrap_err();
    assert!(again.to_string().contains("empty"), "{again}");
    let long = "word ".repeat(20_000);
    let long = agent.edit_proposal(&proposal, vec![long]).unwrap_err();
    assert!(long.to_string().contains("nothing to compact"), "{long}");
}

#[tokio::test]
async fn a_preview_of_an_earlier_state_is_refused() {
    let (world, mut agent, _) = talk(notes()).await;
    let proposal = agent.propose_compaction(None, &Events::default(), &CancelFlag::new()).await.unwrap();
    world.model.interject(Reply::text("More."));
    turn(&mut agent, "Say more.").await.0.unwrap();
    let before = agent.view().clone();
    let refused = agent.apply_proposal(proposal, &Events::default()).await.unwrap_err();
    assert!(matches!(refused, CompactError::Outdated), "{refused}");
    assert_eq!(agent.view(), &before);
}

// S3-23: a compaction that is stopped changes nothing
#[tokio::test]
async fn a_stopped_compaction_leaves_everything_unchanged() {
    let (world, mut agent, _) = talk(notes()).await;
    let (before, asked) = (agent.view().clone(), world.model.request_count());
    let cancel = CancelFlag::new();
    cancel.cancel();
    let stopped = agent.compact_with(None, &Events::default(), &cancel).await.unwrap_err();
    assert!(matches!(stopped, CompactError::Stopped));
    assert_eq!((agent.view(), world.model.request_count()), (&before, asked));
}

/// A model that never answers, and is asked only by a user who then loses patience.
#[derive(Debug)]
struct Endless {
    info: ModelInfo,
    patience: CancelFlag,
}

#[async_trait]
impl LanguageModel for Endless {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    async fn stream(&self, _: &CompletionRequest) -> Result<EventStream, ModelError> {
        self.patience.cancel();
        std::future::pending().await
    }
}

#[tokio::test]
async fn a_turn_can_be_stopped_while_a_summary_is_written() {
    let early = |settings: &mut Settings| settings.early = Threshold::Tokens(1_000);
    let small = |settings: &mut Settings| settings.window = Some(7_000);
    let overflow = |settings: &mut Settings| settings.early = Threshold::Off;
    type Set = fn(&mut Settings);
    for (way, set) in [("early", early as Set), ("block level", small), ("overflow", overflow)] {
        let long = || {
            Reply::Fail(ModelError::Overflow { message: "too long".to_owned(), limit: None, tokens: None })
        };
        let (mut world, agent, _) = talk(long()).await;
        drop(agent);
        let patience = CancelFlag::new();
        let endless = Endless { info: world.model.info(), patience: patience.clone() };
        set(&mut world.settings);
        let summarizer = harness::summarizer(Arc::new(endless));
        let mut agent = world.builder().summarizer(summarizer).open(session()).await.unwrap();
        let (epoch, asked) = (agent.view().epoch(), world.model.request_count());

        let events = Events::default();
        let outcome = agent.turn(Message::user("Continue."), &events, &patience).await.unwrap();

        assert_eq!(outcome.stop, "cancelled", "{way}");
        assert_eq!(agent.view().epoch(), epoch, "{way}: nothing was compacted");
        let sent = world.model.request_count() - asked;
        assert_eq!(sent, u64::from(way == "overflow"), "{way}: nothing was sent after it");
        let said = events.all().iter().any(|event| matches!(event, Event::NotCompacted { .. }));
        assert!(!said, "{way}: who stops it knows");
        let [.., asked, note] = agent.view().entries() else { panic!("{way}: too few messages") };
        assert_eq!(asked.message.text(), "Continue.", "{way}: the request stays, for the next turn");
        assert!(
            note.message.text().starts_with("[The turn was stopped here"),
            "{way}: and the stop is noted"
        );
    }
}

// F-15
#[tokio::test]
async fn an_answer_that_is_no_summary_is_replaced_and_said() {
    let call = Reply::call("x", "echo", serde_json::json!({ "words": 3 }));
    for (answer, why) in [
        (call, "the summarizer called the tool \"echo\" instead of writing"),
        (
            Reply::text("Certainly! I will continue with the words now."),
            "the summary lacks the heading \"Now\"",
        ),
    ] {
        let (world, mut agent, _) = talk(answer).await;
        let asked = world.model.request_count();
        let events = Events::default();
        agent.compact(&events).await.unwrap();
        assert_eq!(world.model.request_count(), asked + 1, "there is no second try");
        let causes: Vec<String> = events
            .all()
            .into_iter()
            .filter_map(|event| match event {
                Event::Degraded(note) => Some(note.cause),
                _ => None,
            })
            .collect();
        assert_eq!(causes, [why]);
        assert_eq!(made(&world).await[0].model, None);
    }
}

#[tokio::test]
async fn a_cold_cache_is_not_paid_for() {
    let (world, mut agent, clock) = talk(notes()).await;
    clock.advance(3_600_000);
    agent.compact(&Events::default()).await.unwrap();
    let [_, asked] = last_two(&world);
    assert!(asked.session.is_none() && asked.transcript.len() == 1, "the messages are shown as text");
    assert_eq!(made(&world).await[0].model.as_deref(), Some("scripted"));
}
