//! What hooks, work in the background and listeners do to a turn.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use throughline_agent::{
    Agent, BackgroundWork, CompactError, EndedWork, Event, EventSink, HookReport, Listeners, TurnError,
    TurnHooks,
};
use throughline_compaction::ModelSummaries;
use throughline_completion::{CompletionRequest, Reply, StopReason};
use throughline_continuity::{MessageLog, Part};
use throughline_conversation::{Message, ModelUse, Origin, RecordBody, Seq, SessionId, Usage, View};
use throughline_testkit::render;
use throughline_tools::CancelFlag;

use crate::harness::{Events, World, echo, session, summarizer, text, turn};

/// Hooks that answer what a test wants, once each.
#[derive(Debug, Default)]
struct Answers {
    prompt: Option<Result<String, String>>,
    /// Raises the flag of the turn at its message.
    stops: bool,
    stop: Mutex<Option<String>>,
    ending: Mutex<Vec<String>>,
    compacting: Option<Result<Option<String>, String>>,
    context: Mutex<Option<Message>>,
    report: Mutex<HookReport>,
    asked: Mutex<Vec<String>>,
}

impl Answers {
    fn note(&self, what: String) {
        self.asked.lock().unwrap().push(what);
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }

    async fn agent(self: &Arc<Self>, world: &World) -> Agent {
        world.builder().hooks(Arc::clone(self) as _).open(session()).await.unwrap()
    }
}

#[async_trait]
impl TurnHooks for Answers {
    async fn prompt(&self, message: Message, cancel: &CancelFlag) -> Result<Message, String> {
        if self.stops {
            cancel.cancel();
        }
        match &self.prompt {
            Some(Ok(more)) => Ok(Message::user(format!("{} {more}", message.text()))),
            Some(Err(why)) => Err(why.clone()),
            None => Ok(message),
        }
    }

    async fn ending(&self, text: &str, again: bool, _: &CancelFlag) -> Option<Message> {
        self.note(format!("{text} {again}"));
        self.ending.lock().unwrap().pop().map(Message::user)
    }

    async fn compacting(&self, instructions: Option<&str>, _: &CancelFlag) -> Result<Option<String>, String> {
        self.note(format!("{instructions:?}"));
        self.compacting.clone().unwrap_or(Ok(None))
    }

    async fn compacted(&self, view: &View, _: &CancelFlag) {
        self.note(format!("epoch {}", view.epoch()));
    }

    fn context(&self) -> Option<Message> {
        self.context.lock().unwrap().take()
    }

    fn take_stop(&self) -> Option<String> {
        self.stop.lock().unwrap().take()
    }

    fn report(&self) -> HookReport {
        std::mem::take(&mut self.report.lock().unwrap())
    }
}

fn used() -> ModelUse {
    ModelUse::of_request(Origin::new("judge", "j"), Some(Usage { input: 7, ..Usage::default() }))
}

async fn bodies(world: &World) -> Vec<RecordBody> {
    let page = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap();
    page.records.into_iter().map(|record| record.body).collect()
}

fn requests(world: &World) -> Vec<String> {
    let shown = |request: &CompletionRequest| {
        format!("{}\n{}", render(request.transcript.messages()), request.tail.join("\n"))
    };
    world.model.requests().iter().map(shown).collect()
}

#[tokio::test]
async fn a_hook_adds_to_a_message_and_its_use_is_recorded() {
    let world = World::new(4_000, [Reply::text("Done.")]);
    let report = HookReport { notices: vec!["A hook was slow.".to_owned()], used: vec![used()] };
    let hooks = Arc::new(Answers {
        prompt: Some(Ok("Be brief.".to_owned())),
        report: Mutex::new(report),
        ..Answers::default()
    });
    let mut agent = hooks.agent(&world).await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    assert_eq!(outcome.unwrap().text, "Done.");
    assert!(requests(&world)[0].contains("Go. Be brief."));
    assert!(events.iter().any(|event| matches!(event, Event::Notice(text) if text == "A hook was slow.")));
    let spent = bodies(&world).await.into_iter().find_map(|body| match body {
        RecordBody::Spent(used) => Some(used),
        _ => None,
    });
    assert_eq!(spent, Some(used()));
}

#[tokio::test]
async fn a_message_that_a_hook_declines_begins_no_turn() {
    let world = World::new(4_000, []);
    let hooks = Arc::new(Answers { prompt: Some(Err("no secrets".to_owned())), ..Answers::default() });
    let mut agent = hooks.agent(&world).await;
    let before = bodies(&world).await.len();
    let (outcome, events) = turn(&mut agent, "Go.").await;
    assert!(matches!(outcome, Err(TurnError::Declined(why)) if why == "no secrets"));
    assert!(!events.iter().any(|event| matches!(event, Event::TurnStarted { .. } | Event::TurnEnded { .. })));
    assert_eq!((bodies(&world).await.len(), agent.exchange()), (before, 0));
}

#[tokio::test]
async fn a_hook_lets_the_model_continue_instead_of_ending_its_turn() {
    let world = World::new(4_000, [Reply::text("First."), Reply::text("Second.")]);
    let ending = Mutex::new(vec!["Run the tests.".to_owned()]);
    let hooks = Arc::new(Answers { ending, ..Answers::default() });
    let mut agent = hooks.agent(&world).await;
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "Second.");
    assert_eq!(hooks.asked(), ["epoch 0", "First. false", "epoch 0", "Second. true"]);
    assert!(requests(&world)[1].contains("Run the tests."));
    assert_eq!(agent.exchange(), 1, "it is the same turn");
}

#[tokio::test]
async fn what_hooks_add_is_in_the_next_request() {
    let world = World::new(4_000, [Reply::text("Done.")]);
    let context = Mutex::new(Some(Message::user("The branch is main.")));
    let mut agent = Arc::new(Answers { context, ..Answers::default() }).agent(&world).await;
    turn(&mut agent, "Go.").await.0.unwrap();
    let requests = requests(&world);
    assert_eq!(requests.len(), 1, "the request without it is not sent");
    assert!(requests[0].contains("The branch is main."));
}

#[tokio::test]
async fn a_turn_that_a_hook_ends_says_what_the_model_said_last_or_why() {
    let world = World::new(4_000, [Reply::text("Said before.")]);
    let stop = |why: &str| Mutex::new(Some(why.to_owned()));
    let hooks = Arc::new(Answers { stops: true, stop: stop("out of hours"), ..Answers::default() });
    let mut agent = hooks.agent(&world).await;
    let ended = turn(&mut agent, "Go.").await.0.unwrap();
    assert_eq!(
        (ended.text.as_str(), ended.stop.as_str(), ended.cancelled),
        ("out of hours", StopReason::STOPPED_BY_HOOK, false)
    );
    drop(agent);
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap();
    drop(agent);
    let hooks = Arc::new(Answers { stops: true, stop: stop("out of hours"), ..Answers::default() });
    let mut agent = hooks.agent(&world).await;
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "Said before.");
    assert!(turn(&mut agent, "Go.").await.0.unwrap().cancelled, "the hook says no more why");
}

#[tokio::test]
async fn hooks_change_the_instructions_of_a_compaction_or_decline_it() {
    let long = |word: &str| Reply::text([word; 900].join(" "));
    let mut replies: Vec<Reply> = ["a", "b", "c", "d", "e", "f", "g", "h"].map(long).into();
    replies.push(Reply::text("### Now\nSaying words.\n### Done\nMost of them."));
    let mut world = World::new(20_000, replies);
    world.settings.compaction.model_summaries = ModelSummaries::Always;
    let compacting = Some(Ok(Some("Name the port.".to_owned())));
    let hooks = Arc::new(Answers { compacting, ..Answers::default() });
    let builder = world.builder().summarizer(summarizer(world.model.clone())).hooks(Arc::clone(&hooks) as _);
    let mut agent = builder.open(session()).await.unwrap();
    for index in 0..8 {
        turn(&mut agent, &format!("Say {index}.")).await.0.unwrap();
    }
    hooks.asked();
    let events = Events::default();
    agent.compact_with(Some("Be short."), &events, &CancelFlag::new()).await.unwrap();
    let asked = hooks.asked();
    assert_eq!(asked[0], "Some(\"Be short.\")");
    assert!(asked[1].starts_with("epoch "), "{asked:?}");
    let last = requests(&world).pop().unwrap();
    assert!(last.contains("Name the port.") && !last.contains("Be short."), "{last}");

    let hooks = Arc::new(Answers { compacting: Some(Err("not now".to_owned())), ..Answers::default() });
    drop(agent);
    let mut agent = hooks.agent(&world).await;
    let refused = agent.compact(&events).await;
    assert!(matches!(&refused, Err(CompactError::Declined(why)) if why == "not now"), "{refused:?}");
}

/// Work of which one piece ends when the model ends its turn.
#[derive(Debug, Default)]
struct Work(Mutex<Vec<EndedWork>>);

#[async_trait]
impl BackgroundWork for Work {
    async fn take_ended(&self) -> Vec<EndedWork> {
        let mut ended = self.0.lock().unwrap();
        // The last one ends later.
        let now = ended.len().saturating_sub(1);
        ended.drain(..now).collect()
    }

    async fn settle(&self) -> bool {
        let mut ended = self.0.lock().unwrap();
        let waits = matches!(ended.as_slice(), [last] if !last.text.is_empty());
        if waits {
            ended.push(EndedWork::default());
        }
        waits
    }
}

#[tokio::test]
async fn the_model_learns_of_work_that_has_ended_before_its_turn_ends() {
    let world =
        World::new(4_000, [Reply::Say(vec![echo("c1", 3)]), Reply::text("First."), Reply::text("Second.")]);
    let ended = |text: &str| EndedWork { tool: "shell", text: text.to_owned(), used: vec![used()] };
    let work = Arc::new(Work(Mutex::new(vec![ended("the build is done"), ended("the tests pass")])));
    let mut agent = world.builder().background(work).open(session()).await.unwrap();
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "Second.");
    let requests = requests(&world);
    assert_eq!(requests.len(), 3);
    assert!(requests[0].contains("the build is done") && !requests[1].contains("the tests pass"));
    assert!(requests[2].contains("the tests pass"));
    let spent = bodies(&world).await.into_iter().filter(|body| matches!(body, RecordBody::Spent(_)));
    assert_eq!(spent.count(), 2, "the session pays");
}

/// One listener for every session.
#[derive(Debug, Default)]
struct Heard {
    sessions: Mutex<Vec<SessionId>>,
    events: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared(Mutex<Vec<Event>>);

impl EventSink for Shared {
    fn emit(&self, event: Event) {
        self.0.lock().unwrap().push(event);
    }
}

impl Listeners for Heard {
    fn listen_to(&self, session: &SessionId) -> Arc<dyn EventSink> {
        self.sessions.lock().unwrap().push(session.clone());
        self.events.clone()
    }
}

#[tokio::test]
async fn a_listener_hears_the_events_of_every_call() {
    let world = World::new(4_000, [Reply::Say(vec![text("Done.")])]);
    let heard = Arc::new(Heard::default());
    let mut agent = world.builder().listeners(Arc::clone(&heard) as _).open(session()).await.unwrap();
    let (outcome, events) = turn(&mut agent, "Go.").await;
    outcome.unwrap();
    assert_eq!(*heard.sessions.lock().unwrap(), [session()]);
    let names = |events: &[Event]| events.iter().map(|event| format!("{event:?}")).collect::<Vec<_>>();
    let of_listener = heard.events.0.lock().unwrap();
    assert!(!events.is_empty());
    assert!(names(&of_listener).ends_with(&names(&events)), "the sink and the listener receive the same");
}
