//! A session of the real engine with one of our clients.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use throughline_agent::{Agent, Event, EventSink, RetryPolicy, Settings, TurnError, TurnOutcome};
use throughline_budget::{Chars4Estimator, Threshold};
use throughline_compaction::CompactionPolicy;
use throughline_completion::ModelError;
use throughline_continuity::{InMemoryMessageLog, MessageLog, Part};
use throughline_conversation::{
    FigureSource, Message, RecordBody, Role, Seq, SessionId, TokenCounter, Usage, validate,
};
use throughline_policies::Policy;
use throughline_prompt::{FixedSections, PromptSection};
use throughline_testkit::render;
use throughline_tools::CancelFlag;

use crate::protocol::{Client, MAX_OUTPUT, WINDOW};
use crate::tools;

/// What is said last in each scenario, and the answer to it.
pub(crate) const NEXT: (&str, &str) = ("and now?", "Now the next thing.");

/// The note for the model where a turn was stopped, in the notation.
pub(crate) const STOPPED: &str = "user: [The turn was stopped here, before it was finished.]\n";

/// Tries of one request.
pub(crate) const TRIES: usize = 3;
/// The wait before the second one; it doubles.
pub(crate) const FIRST_WAIT: Duration = Duration::from_millis(20);

/// A session and its log.
#[derive(Debug)]
pub(crate) struct Session {
    client: Client,
    log: Arc<InMemoryMessageLog>,
    agent: Agent,
}

impl Session {
    pub(crate) async fn open(client: Client) -> Self {
        let log = Arc::new(InMemoryMessageLog::default());
        let agent = agent(&client, &log).await;
        Self { client, log, agent }
    }

    /// One turn.
    pub(crate) async fn turn(&mut self, text: &str) -> Turn {
        self.turn_until(text, |_| false).await
    }

    /// One turn, which is cancelled at the first event of this kind.
    pub(crate) async fn turn_until(
        &mut self,
        text: &str,
        last: impl Fn(&Event) -> bool + Send + Sync,
    ) -> Turn {
        let (began, cancel) = (Instant::now(), CancelFlag::new());
        let sink = Sink { began, seen: Mutex::default(), last, cancel: cancel.clone() };
        let outcome = self.agent.turn(Message::user(text), &sink, &cancel).await;
        Turn { outcome, seen: sink.seen.into_inner().unwrap(), took: began.elapsed() }
    }

    /// One turn, which is cancelled after a while.
    pub(crate) async fn turn_for(&mut self, text: &str, while_: Duration) -> Turn {
        let (began, cancel) = (Instant::now(), CancelFlag::new());
        let sink = Sink { began, seen: Mutex::default(), last: |_: &Event| false, cancel: cancel.clone() };
        let stop = async {
            tokio::time::sleep(while_).await;
            cancel.cancel();
        };
        let (outcome, ()) = tokio::join!(self.agent.turn(Message::user(text), &sink, &cancel), stop);
        Turn { outcome, seen: sink.seen.into_inner().unwrap(), took: began.elapsed() }
    }

    /// What the model sees of the conversation, in the notation.
    pub(crate) fn transcript(&self) -> String {
        render(self.agent.view().transcript().messages())
    }

    pub(crate) fn messages(&self) -> Vec<Message> {
        self.agent.view().transcript().messages().cloned().collect()
    }

    /// How full the window is, and how that is known.
    pub(crate) fn used(&self) -> (u64, FigureSource) {
        let budget = self.agent.budget();
        (budget.used_tokens(), budget.source)
    }

    /// The model's messages in the log, in the notation.
    pub(crate) async fn said_by_the_model(&self) -> String {
        let records = self.log.read_page(&name(), Seq(0), Part::All).await.unwrap().records;
        let messages = records.into_iter().filter_map(|record| match record.body {
            RecordBody::Message(record) if record.message.role == Role::Assistant => Some(record.message),
            _ => None,
        });
        render(messages.collect::<Vec<_>>().iter())
    }

    /// The scenario is over: the next turn works, all messages make a valid transcript, and a process
    /// that opens the session from its log sees the same.
    pub(crate) async fn assert_usable(mut self) {
        let turn = self.turn(NEXT.0).await;
        assert_eq!(turn.text(), NEXT.1);
        let mut messages = self.messages();
        assert_eq!(messages.pop().map(|message| message.text()).as_deref(), Some(NEXT.1));
        assert_eq!(validate(&messages), vec![], "{}", self.transcript());
        let reader = agent(&self.client, &self.log).await;
        assert_eq!(render(reader.view().transcript().messages()), self.transcript());
    }
}

/// A turn that is over.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) outcome: Result<TurnOutcome, TurnError>,
    /// Its events, and when each came.
    pub(crate) seen: Vec<(Duration, Event)>,
    pub(crate) took: Duration,
}

impl Turn {
    /// The answer of a turn that went well.
    #[track_caller]
    pub(crate) fn text(&self) -> &str {
        match &self.outcome {
            Ok(outcome) => &outcome.text,
            Err(error) => panic!("{error:?} behind {:?}", self.seen),
        }
    }

    /// The model's error of a turn that did not.
    #[track_caller]
    pub(crate) fn error(&self) -> &ModelError {
        match &self.outcome {
            Err(TurnError::Model(error)) => error,
            other => panic!("{other:?} behind {:?}", self.seen),
        }
    }

    pub(crate) fn events(&self) -> impl Iterator<Item = &Event> {
        self.seen.iter().map(|(_, event)| event)
    }

    /// The text as it came, of all answers.
    pub(crate) fn shown(&self) -> String {
        let mut shown = String::new();
        for event in self.events() {
            if let Event::Text(text) = event {
                shown.push_str(text);
            }
        }
        shown
    }

    /// The thinking as it came, of all answers.
    pub(crate) fn thought(&self) -> String {
        let mut thought = String::new();
        for event in self.events() {
            if let Event::Thinking(text) = event {
                thought.push_str(text);
            }
        }
        thought
    }

    /// The waits before further tries, in milliseconds.
    pub(crate) fn waits(&self) -> Vec<u64> {
        let wait =
            |event: &Event| if let Event::Retrying { wait_ms, .. } = event { Some(*wait_ms) } else { None };
        self.events().filter_map(wait).collect()
    }

    /// How often shown text was withdrawn.
    pub(crate) fn withdrawn(&self) -> usize {
        self.events().filter(|event| matches!(event, Event::Withdrawn { .. })).count()
    }

    /// What was reported for each answer.
    pub(crate) fn usage(&self) -> Vec<Usage> {
        let usage = |event: &Event| if let Event::Answered { usage, .. } = event { *usage } else { None };
        self.events().filter_map(usage).collect()
    }
}

struct Sink<F> {
    began: Instant,
    seen: Mutex<Vec<(Duration, Event)>>,
    last: F,
    cancel: CancelFlag,
}

impl<F: Fn(&Event) -> bool + Send + Sync> EventSink for Sink<F> {
    fn emit(&self, event: Event) {
        if (self.last)(&event) {
            self.cancel.cancel();
        }
        self.seen.lock().unwrap().push((self.began.elapsed(), event));
    }
}

fn name() -> SessionId {
    SessionId::new("wire").unwrap()
}

async fn agent(client: &Client, log: &Arc<InMemoryMessageLog>) -> Agent {
    let counter: Arc<dyn TokenCounter> = Arc::new(Chars4Estimator);
    // Long enough to be worth a place in a provider's cache.
    let rules = "You are an agent. You look things up and climb, as you are asked to. ".repeat(80);
    let rules = FixedSections::new("rules", [PromptSection::base("rules", rules)]);
    Agent::builder(client.model(), counter, settings())
        .log(log.clone())
        .tools(tools::registry())
        .section(Arc::new(rules))
        .open(name())
        .await
        .unwrap()
}

fn settings() -> Settings {
    Settings {
        early: Threshold::Off,
        compaction: CompactionPolicy::default(),
        max_requests: Some(20),
        retry: RetryPolicy {
            attempts: TRIES as u32,
            first_wait: FIRST_WAIT,
            longest_wait: Duration::from_secs(5),
            ..RetryPolicy::default()
        },
        ..Policy::Throughline.settings(WINDOW, MAX_OUTPUT)
    }
}
