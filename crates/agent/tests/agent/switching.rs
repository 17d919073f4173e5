//! Another model in the middle of a session.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_agent::{Event, LearnedLimit, NextModel, Recount, SwitchError, TurnError};
use throughline_completion::{
    CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, Reply, ScriptedModel,
};
use throughline_continuity::{MessageLog, Part};
use throughline_conversation::{
    DocumentName, EditReason, FigureSource, ForeignTools, Record, RecordBody, Seq,
};
use throughline_documents::DocumentCaps;
use throughline_testkit::{WordCounter, render};
use throughline_tools::CancelFlag;

use crate::harness::{self, Events, World, echo, session, settings, text, turn};

fn scripted(
    provider: &str,
    name: &str,
    window: u64,
    replies: impl IntoIterator<Item = Reply>,
) -> Arc<ScriptedModel> {
    let info =
        ModelInfo { provider: provider.to_owned(), ..ModelInfo::with_window(name, window, window / 10) };
    Arc::new(ScriptedModel::new(info, Box::new(WordCounter), replies).recording())
}

fn next(model: &Arc<ScriptedModel>) -> NextModel {
    let window = model.info().window;
    let model: Arc<dyn LanguageModel> = model.clone();
    NextModel { model, counter: Arc::new(WordCounter), settings: settings(window), summarizer: None }
}

fn last_request(model: &ScriptedModel) -> String {
    render(model.requests().last().unwrap().transcript.messages())
}

// S4-03 S4-04 S4-27
#[tokio::test]
async fn text_survives_a_switch_and_the_native_form_comes_back() {
    let world = World::new(4_000, [Reply::Say(vec![text("Looking."), echo("c1", 3)]), Reply::text("Found.")]);
    let other = scripted("openai", "o1", 4_000, [Reply::text("I see.")]);
    let mut agent = world.agent().await;
    turn(&mut agent, "Look.").await.0.unwrap();
    let native = agent.view().entries().to_vec();

    let events = Events::default();
    agent.switch_model(next(&other), &events, &CancelFlag::new()).await.unwrap();
    assert_eq!(agent.model().name, "o1");
    let reported = events.all();
    assert!(
        matches!(&reported[0], Event::Switched { from, to, .. } if from == "scripted/scripted" && to == "openai/o1"),
        "{reported:?}"
    );
    turn(&mut agent, "What was it?").await.0.unwrap();
    expect_test::expect![[r#"
        user: Look.
        assistant: Looking.
        user: [Tool echo with {"words":3} answered:]\nc1_0 c1_1 c1_2
        assistant: Found.
        user: What was it?
    "#]]
    .assert_eq(&last_request(&other));

    world.model.extend([Reply::text("Again.")]);
    let back = NextModel { model: world.model.clone(), ..next(&other) };
    agent.switch_model(back, &Events::default(), &CancelFlag::new()).await.unwrap();
    turn(&mut agent, "And now?").await.0.unwrap();
    assert_eq!(&agent.view().entries()[..native.len()], native);
    assert!(last_request(&world.model).contains("-> c1 echo"), "{}", last_request(&world.model));
}

// S4-04
#[tokio::test]
async fn strict_isolation_shows_no_call_of_another_provider() {
    let world = World::new(4_000, [Reply::Say(vec![echo("c1", 3)]), Reply::text("Found.")]);
    let other = scripted("openai", "o1", 4_000, [Reply::text("I see.")]);
    let mut agent = world.agent().await;
    turn(&mut agent, "Look.").await.0.unwrap();
    let mut strict = next(&other);
    strict.settings.foreign = ForeignTools::Isolate;
    agent.switch_model(strict, &Events::default(), &CancelFlag::new()).await.unwrap();
    turn(&mut agent, "What was it?").await.0.unwrap();
    let seen = last_request(&other);
    assert!(!seen.contains("echo") && !seen.contains("c1_0") && seen.contains("Found."), "{seen}");
}

#[tokio::test]
async fn a_session_is_opened_by_another_model_than_it_was_left_by() {
    let world = World::new(4_000, [Reply::Say(vec![echo("c1", 3)]), Reply::text("Found.")]);
    let mut agent = world.agent().await;
    turn(&mut agent, "Look.").await.0.unwrap();
    agent.close(&Events::default()).await;

    let other = scripted("openai", "o1", 4_000, [Reply::text("I see.")]);
    let mut agent = world.builder_for(other.clone(), settings(4_000)).open(session()).await.unwrap();
    turn(&mut agent, "What was it?").await.0.unwrap();
    assert!(last_request(&other).contains("[Tool echo with"), "{}", last_request(&other));
    agent.close(&Events::default()).await;
    let agent = world.agent().await;
    assert!(render(agent.view().transcript().messages()).contains("-> c1 echo"));
}

// S4-27
#[tokio::test]
async fn before_a_smaller_window_the_model_that_leaves_writes_the_summary() {
    let long = |word: &str| Reply::text([word; 900].join(" "));
    let mut replies: Vec<Reply> = ["a", "b", "c", "d", "e", "f"].map(long).into();
    replies.push(Reply::text("### Now\nEverything so far, in short.\n### Done\nNothing."));
    let world = World::new(20_000, replies);
    let summarizer = harness::summarizer(world.model.clone());
    let mut agent = world.builder().summarizer(summarizer).open(session()).await.unwrap();
    for index in 0..6 {
        turn(&mut agent, &format!("Say {index}.")).await.0.unwrap();
    }
    let asked = world.model.request_count();
    let small = scripted("openai", "small", 4_000, [Reply::text("Short.")]);
    let events = Events::default();
    agent.switch_model(next(&small), &events, &CancelFlag::new()).await.unwrap();
    let reported = events.all();
    let compacted = reported
        .iter()
        .position(|event| matches!(event, Event::Compacted(receipt) if receipt.reason == EditReason::Switch));
    let switched = reported.iter().position(|event| matches!(event, Event::Switched { .. }));
    assert!(compacted.unwrap() < switched.unwrap(), "{reported:?}");
    assert_eq!(world.model.request_count(), asked + 1, "the summary was asked of the model that leaves");
    turn(&mut agent, "Continue.").await.0.unwrap();
    assert_eq!(small.request_count(), 1, "nothing had to be compacted again");
    assert_eq!(agent.budget().total, 4_000);
}

#[tokio::test]
async fn a_switch_that_is_stopped_leaves_the_model_and_the_session_unchanged() {
    let long = |word: &str| Reply::text([word; 900].join(" "));
    let mut replies: Vec<Reply> = ["a", "b", "c", "d", "e", "f"].map(long).into();
    replies.push(Reply::text("Here."));
    let world = World::new(20_000, replies);
    let summarizer = harness::summarizer(world.model.clone());
    let mut agent = world.builder().summarizer(summarizer).open(session()).await.unwrap();
    for index in 0..6 {
        turn(&mut agent, &format!("Say {index}.")).await.0.unwrap();
    }
    let (before, asked) = (agent.view().entries().to_vec(), world.model.request_count());
    let small = scripted("openai", "small", 4_000, [Reply::text("Short.")]);
    let (events, cancel) = (Events::default(), CancelFlag::new());
    cancel.cancel();
    let stopped = agent.switch_model(next(&small), &events, &cancel).await.unwrap_err();
    assert!(matches!(stopped, SwitchError::Stopped), "{stopped:?}");
    assert!(events.all().iter().all(|event| !matches!(event, Event::Switched { .. })), "{:?}", events.all());
    assert_eq!(agent.model().name, "scripted");
    assert_eq!(agent.budget().total, 20_000);
    assert_eq!(agent.view().entries(), before);
    turn(&mut agent, "Are you there?").await.0.unwrap();
    assert_eq!((world.model.request_count(), small.request_count()), (asked + 1, 0));
}

fn busy() -> Reply {
    Reply::Fail(ModelError::Unavailable { message: "overloaded".to_owned(), retry_after_ms: None })
}

#[tokio::test]
async fn when_the_model_cannot_answer_the_next_of_the_chain_continues() {
    let world = World::new(4_000, [Reply::Say(vec![echo("c1", 3)]), busy(), busy(), busy()]);
    let key = Reply::Fail(ModelError::Unauthorized { message: "no key".to_owned() });
    let second = scripted("openai", "o1", 4_000, [key]);
    let third = scripted("ollama", "l1", 4_000, [Reply::text("Here I am.")]);
    let builder = world.builder().fallback(next(&second)).fallback(next(&third));
    let mut agent = builder.open(session()).await.unwrap();
    let (outcome, events) = turn(&mut agent, "Go.").await;
    assert_eq!(outcome.unwrap().text, "Here I am.");
    let switches: Vec<&str> = events
        .iter()
        .filter_map(|event| match event {
            Event::Switched { to, .. } => Some(to.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(switches, ["openai/o1", "ollama/l1"]);
    assert_eq!(world.model.request_count(), 1 + 3, "all tries come before the switch");
    assert!(last_request(&third).contains("c1_0 c1_1 c1_2"), "the work so far is shown");
}

#[tokio::test]
async fn a_missing_model_is_followed_by_the_next_one() {
    let gone = Reply::Fail(ModelError::UnknownModel { message: "model: scripted".to_owned() });
    let world = World::new(4_000, [gone]);
    let second = scripted("openai", "o1", 4_000, [Reply::text("Here I am.")]);
    let mut agent = world.builder().fallback(next(&second)).open(session()).await.unwrap();
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "Here I am.");
    assert_eq!((world.model.request_count(), agent.model().name.as_str()), (1, "o1"));
}

#[tokio::test]
async fn no_other_model_is_asked_what_no_model_can_answer() {
    let invalid = Reply::Fail(ModelError::InvalidRequest { message: "bad schema".to_owned() });
    let world = World::new(4_000, [invalid]);
    let second = scripted("openai", "o1", 4_000, [Reply::text("never")]);
    let mut agent = world.builder().fallback(next(&second)).open(session()).await.unwrap();
    turn(&mut agent, "Go.").await.0.unwrap_err();
    assert_eq!(second.request_count(), 0);
    assert_eq!(agent.model().name, "scripted");
}

/// The limits that servers said.
fn learned(events: &[Event]) -> Vec<LearnedLimit> {
    let limit = |event: &Event| match event {
        Event::LimitLearned { limit, .. } => Some(*limit),
        _ => None,
    };
    events.iter().filter_map(limit).collect()
}

#[tokio::test]
async fn a_guessed_window_is_reported_when_an_answer_confirms_it_and_never_if_it_was_wrong() {
    let unknown =
        || ModelError::InvalidRequest { message: "4600 tokens exceed the maximum of 4000".to_owned() };
    for (last, reported) in
        [(Reply::text("Done."), vec![LearnedLimit::Window(4_000)]), (Reply::Fail(unknown()), Vec::new())]
    {
        let mut replies: Vec<Reply> = (0..8).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 500)])).collect();
        replies.extend([Reply::Fail(unknown()), last]);
        let world = World::new(10_000, replies);
        let (_, events) = turn(&mut world.agent().await, "Go.").await;
        assert_eq!(learned(&events), reported);
    }
}

#[tokio::test]
async fn an_answer_that_may_not_be_so_long_is_asked_for_again_with_the_limit_of_the_error() {
    let refusal = |limit| ModelError::OutputTooLarge { message: "too large".to_owned(), limit };
    let world = World::new(10_000, [Reply::Fail(refusal(Some(70))), Reply::text("Done.")]);
    let mut agent = world.agent().await;
    let (done, events) = turn(&mut agent, "Go.").await;
    done.unwrap();
    assert_eq!(learned(&events), [LearnedLimit::MaxOutput(70)]);
    let requests = world.model.requests();
    assert!(requests[0].max_output_tokens > 70);
    assert_eq!(requests[1].max_output_tokens, 70);
    // An error that names no smaller limit is not helped by another try.
    for limit in [None, Some(100_000), Some(0)] {
        let world = World::new(10_000, [Reply::Fail(refusal(limit))]);
        let (failed, events) = turn(&mut world.agent().await, "Go.").await;
        failed.unwrap_err();
        assert_eq!(learned(&events), []);
    }
}

#[tokio::test]
async fn a_learnt_window_holds_for_the_session_over_switches_and_resumes() {
    let limit = Reply::Fail(ModelError::Overflow {
        message: "too long".to_owned(),
        limit: Some(5_000),
        tokens: None,
    });
    let mut replies: Vec<Reply> = (0..5).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 500)])).collect();
    replies.extend([limit, Reply::text("Done.")]);
    let world = World::new(10_000, replies);
    let mut agent = world.agent().await;
    let (done, events) = turn(&mut agent, "Go.").await;
    done.unwrap();
    assert_eq!(agent.budget().total, 5_000);
    assert_eq!(learned(&events), [LearnedLimit::Window(5_000)]);

    let other = scripted("openai", "o1", 20_000, []);
    agent.switch_model(next(&other), &Events::default(), &CancelFlag::new()).await.unwrap();
    assert_eq!(agent.budget().total, 20_000);
    agent.close(&Events::default()).await;
    let agent = world.agent().await;
    assert_eq!(agent.budget().total, 5_000);
}

// S4-11
#[tokio::test]
async fn documents_stay_over_switches_of_the_model() {
    let world = World::new(4_000, [Reply::text("Yes."), Reply::text("Again.")]);
    let other = scripted("openai", "o1", 4_000, [Reply::text("I see.")]);
    let mut agent = world.builder().documents(DocumentCaps::default()).open(session()).await.unwrap();
    let (sink, cancel) = (Events::default(), CancelFlag::new());
    agent.set_document(DocumentName::Scratchpad, "# Plan\nPort the lexer.", &sink).await;
    agent.set_document(DocumentName::State, "Goal: a parser", &sink).await;
    turn(&mut agent, "Begin.").await.0.unwrap();
    agent.switch_model(next(&other), &sink, &cancel).await.unwrap();
    turn(&mut agent, "Continue.").await.0.unwrap();
    agent.switch_model(world.next("scripted", "scripted", 4_000), &sink, &cancel).await.unwrap();
    turn(&mut agent, "And now?").await.0.unwrap();
    let sent: Vec<CompletionRequest> = [world.model.requests(), other.requests()].concat();
    assert_eq!(sent.len(), 3);
    for request in sent {
        let notes = request.tail.join("\n");
        assert!(notes.contains("Port the lexer.") && notes.contains("Goal: a parser"), "{notes}");
    }
}

/// Counts what it is asked to count, and says so.
#[derive(Debug)]
struct Counts(Arc<ScriptedModel>, fn() -> Result<Option<u64>, ModelError>);

#[async_trait]
impl LanguageModel for Counts {
    fn info(&self) -> ModelInfo {
        self.0.info()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        self.0.stream(request).await
    }

    async fn count(&self, _request: &CompletionRequest) -> Result<Option<u64>, ModelError> {
        (self.1)()
    }
}

fn long_turns() -> Vec<Reply> {
    (0..20).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 300)])).collect()
}

/// Works until a compaction is due, and gives the decision about the recount that follows it.
async fn recounted(
    how: Recount,
    count: fn() -> Result<Option<u64>, ModelError>,
    replies: Vec<Reply>,
) -> (Arc<ScriptedModel>, Vec<String>) {
    let world = World::new(3_500, replies);
    let mut own = settings(3_500);
    own.recount = how;
    let model = Arc::new(Counts(world.model.clone(), count));
    let mut agent = world.builder_for(model, own).open(session()).await.unwrap();
    let _ = turn(&mut agent, "Go.").await;
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let decisions = records.into_iter().filter_map(|record| match record.body {
        RecordBody::Receipt(receipt) => Some(receipt.decisions),
        _ => None,
    });
    let reported =
        decisions.flatten().filter(|decision| decision.step == "recount").map(|decision| decision.what);
    (world.model, reported.collect())
}

#[tokio::test]
async fn after_a_compaction_the_providers_count_replaces_the_estimate() {
    let (_, reported) = recounted(Recount::Count, || Ok(Some(1_234)), long_turns()).await;
    assert!(reported[0].starts_with("the provider counts 1234 tokens, the estimate was "), "{reported:?}");
    let (_, reported) = recounted(Recount::Off, || Ok(Some(1_234)), long_turns()).await;
    assert!(reported.is_empty(), "{reported:?}");
    let (_, reported) = recounted(Recount::Count, || Ok(None), long_turns()).await;
    assert!(reported.is_empty(), "{reported:?}");
}

// S2-14
#[tokio::test]
async fn a_probe_is_a_real_request_for_sixteen_tokens_with_the_tools_in_it() {
    // A gateway has no endpoint that counts, and says so.
    let rejected = || Err(ModelError::InvalidRequest { message: "404 Not Found".to_owned() });
    for count in [|| Ok(None), rejected as fn() -> _] {
        let (model, reported) = recounted(Recount::Probe, count, long_turns()).await;
        assert!(!reported.is_empty());
        let requests = model.requests();
        let probes: Vec<usize> =
            (0..requests.len()).filter(|at| requests[*at].max_output_tokens == 16).collect();
        assert_eq!(probes.len(), reported.len(), "one probe for each compaction");
        for at in probes {
            let (probe, real) = (&requests[at], &requests[at + 1]);
            assert_eq!((&probe.tools, &probe.transcript), (&real.tools, &real.transcript));
            assert!(!probe.tools.is_empty());
        }
    }
}

#[tokio::test]
async fn what_was_shown_of_an_answer_to_a_cut_prompt_is_withdrawn() {
    let cut = "only 2050 of 9000 tokens were read".to_owned();
    let mut replies: Vec<Reply> = (0..5).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 300)])).collect();
    replies.extend([Reply::BreakOffWith(
        vec![text("Of what")],
        ModelError::Overflow { message: cut, limit: None, tokens: None },
    )]);
    replies.push(Reply::text("Whole."));
    let world = World::new(10_000, replies);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    assert_eq!(outcome.unwrap().text, "Whole.");
    let withdrawn = events.iter().position(|event| matches!(event, Event::Withdrawn { .. })).unwrap();
    let compacted = events.iter().position(|event| matches!(event, Event::Compacted(_))).unwrap();
    assert!(withdrawn < compacted);
    assert!(!render(agent.view().transcript().messages()).contains("Of what"));
}

#[tokio::test]
async fn thresholds_that_do_not_fit_the_new_window_change_nothing() {
    let world = World::new(4_000, [Reply::text("Hello.")]);
    let mut agent = world.agent().await;
    let tiny = scripted("openai", "tiny", 100, []);
    let mut refused = next(&tiny);
    refused.settings.max_output_tokens = 200;
    agent.switch_model(refused, &Events::default(), &CancelFlag::new()).await.unwrap_err();
    assert_eq!(agent.model().name, "scripted");
    let (outcome, _) = turn(&mut agent, "Hello?").await;
    assert!(matches!(outcome, Ok(_) | Err(TurnError::Model(_))));
    assert_eq!(agent.budget().source, FigureSource::Exact);
}

/// The policies that the log has, each with the one before it.
async fn policies(world: &World) -> Vec<(String, Option<String>)> {
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let policy = |record: Record| match record.body {
        RecordBody::Policy(policy) => Some((policy.name, policy.before)),
        _ => None,
    };
    records.into_iter().filter_map(policy).collect()
}

#[tokio::test]
async fn the_policy_is_recorded_once_and_another_one_as_a_switch() {
    let world = World::new(10_000, (0..3).map(|_| Reply::text("Done.")));
    for name in ["dex", "dex", "vibe"] {
        let mut agent = world.builder().policy(name).open(session()).await.unwrap();
        turn(&mut agent, "Go.").await.0.unwrap();
    }
    let dex = "dex".to_owned();
    assert_eq!(policies(&world).await, [(dex.clone(), None), ("vibe".to_owned(), Some(dex))]);
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let switches = records.into_iter().filter_map(|record| match record.body {
        RecordBody::Receipt(receipt) => Some((receipt.request, receipt.decisions)),
        _ => None,
    });
    let switches = switches.flat_map(|(request, decisions)| {
        decisions.into_iter().filter(|one| one.step == "switch").map(move |one| (request, one.what))
    });
    let decided = (3, "policy vibe continues after dex".to_owned());
    assert_eq!(switches.collect::<Vec<_>>(), [decided]);
}

#[tokio::test]
async fn the_same_model_with_other_settings_is_no_switch_and_has_its_cache() {
    let mut world = World::new(4_000, []);
    let replies = [Reply::text("One."), Reply::text("Two.")];
    world.model = scripted("scripted", "scripted", 4_000, replies);
    let mut agent = world.agent().await;
    turn(&mut agent, "Look.").await.0.unwrap();
    let events = Events::default();
    agent.switch_model(next(&world.model), &events, &CancelFlag::new()).await.unwrap();
    assert!(events.all().iter().all(|event| !matches!(event, Event::Switched { .. })), "{:?}", events.all());
    let (done, events) = turn(&mut agent, "Again.").await;
    done.unwrap();
    assert!(events.iter().all(|event| !matches!(event, Event::CacheMissed(_))), "{events:?}");
}
