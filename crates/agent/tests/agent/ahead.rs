//! Summaries that a model writes while the agent works.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use throughline_agent::{Agent, Clock, Event, EventSink, request_prices};
use throughline_compaction::{Prose, RequestPrices, Summarizer, SummaryError, SummaryRequest};
use throughline_completion::{
    CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, Prices, Reply, ScriptedModel,
};
use throughline_conversation::{
    CompactionReceipt, Message, Millis, ModelUse, Origin, SideOutcome, SideRequest, Usage,
};
use throughline_policies::{Policy, SummaryStyle};
use throughline_tools::CancelFlag;
use tokio::time::{Instant, sleep};

use crate::harness::{Events, World, echo, session};

const WINDOW: u64 = 20_000;

/// A model whose answers take some seconds.
#[derive(Debug)]
struct TimedModel {
    script: Arc<ScriptedModel>,
    answer: Duration,
}

#[async_trait]
impl LanguageModel for TimedModel {
    fn info(&self) -> ModelInfo {
        self.script.info()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        sleep(self.answer).await;
        self.script.stream(request).await
    }
}

/// A summarizer whose answers take minutes.
#[derive(Debug)]
struct SlowSummarizer {
    wait: Duration,
}

#[async_trait]
impl Summarizer for SlowSummarizer {
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<Prose, SummaryError> {
        let origin = Origin::new("scripted".to_owned(), "scripted".to_owned());
        let spending = request.spending.unwrap();
        let purpose = throughline_conversation::Purpose::Summary;
        let number = spending.asks(SideRequest { purpose, model: origin, server: None });
        sleep(self.wait).await;
        let tokens = request.prefix.map_or(0, |prefix| prefix.tokens);
        spending.used(number, Usage { cache_read: tokens, output: 150, ..Usage::default() });
        spending.ended(number, SideOutcome::Answered { stop: None, identity: Default::default() });
        let headings = request.checks.unwrap().template.headings;
        let text = headings.iter().map(|heading| format!("## {heading}\nunchanged\n")).collect::<String>();
        Ok(Prose::by_model(text, "scripted"))
    }
}

/// The time of the runtime, which the tests pause.
#[derive(Debug)]
struct PausedClock(Instant);

impl Clock for PausedClock {
    fn now(&self) -> Millis {
        Millis(i64::try_from(self.0.elapsed().as_millis()).unwrap())
    }
}

/// Measures how long each compaction holds up the session.
#[derive(Debug, Default)]
struct Stopwatch {
    events: Events,
    started: std::sync::Mutex<Option<Instant>>,
    waits: std::sync::Mutex<Vec<Duration>>,
}

impl EventSink for Stopwatch {
    fn emit(&self, event: Event) {
        match &event {
            Event::CompactionStarted { .. } => *self.started.lock().unwrap() = Some(Instant::now()),
            Event::CompactionEnded { .. } => {
                let waited = self.started.lock().unwrap().take().unwrap().elapsed();
                self.waits.lock().unwrap().push(waited);
            }
            _ => {}
        }
        self.events.emit(event);
    }
}

struct Run {
    receipts: Vec<CompactionReceipt>,
    waits: Vec<Duration>,
    /// What the summaries have used.
    spent: Vec<ModelUse>,
    /// What the turn has used, in token-equivalents.
    paid: f64,
}

impl Run {
    /// Checks that no compaction waits, and what the summaries cost that none of them used.
    fn check(&self, least: usize) {
        let (used, spent) = (self.receipts.iter().flat_map(|receipt| &receipt.asked), self.spent.iter());
        let (used, spent) = (used.map(price).sum::<f64>(), spent.map(price).sum::<f64>());
        let thrown_away = (spent - used) / (self.paid + spent);
        eprintln!(
            "{} compactions, slowest {:?}; {} summaries, {:.2} % of the bill thrown away",
            self.receipts.len(),
            self.waits.iter().max(),
            self.spent.len(),
            thrown_away * 100.0
        );
        assert!(self.receipts.len() >= least, "{} compactions", self.receipts.len());
        assert_eq!(self.waits.iter().max(), Some(&Duration::ZERO));
        assert!((0.0..0.02).contains(&thrown_away), "{thrown_away}");
    }
}

/// A turn of this many calls, with summaries that take `wait`.
async fn run(calls: usize, answer: Duration, wait: Duration, ahead: bool) -> Run {
    let replies = (0..calls).map(|call| Reply::Say(vec![echo(&format!("c{call}"), 400)]));
    let replies = replies.chain([Reply::text("done")]);
    let mut world = World::new(WINDOW, replies);
    let own = Policy::Throughline.settings(WINDOW, WINDOW / 10);
    let compaction = SummaryStyle::Thorough.apply(Policy::Throughline, own.compaction.clone());
    world.settings = throughline_agent::Settings { compaction, max_requests: None, ..own };
    let model = Arc::new(TimedModel { script: world.model.clone(), answer });
    let summarizer = Arc::new(SlowSummarizer { wait });
    let mut builder = world.builder_for(model, world.settings.clone()).summarizer(summarizer.clone());
    builder = builder.clock(Arc::new(PausedClock(Instant::now())));
    if ahead {
        builder = builder.summaries_ahead();
    }
    let mut agent: Agent = builder.open(session()).await.unwrap();
    let watch = Stopwatch::default();
    agent.turn(Message::user("Work."), &watch, &CancelFlag::new()).await.unwrap();
    agent.close(&watch).await;
    let (mut receipts, mut spent, mut paid) = (Vec::new(), Vec::new(), 0.0);
    for event in watch.events.all() {
        match event {
            Event::Compacted(receipt) => receipts.push(receipt),
            Event::Spent(used) => spent.push(used),
            Event::Answered { usage: Some(usage), .. } => paid += prices().of(&usage),
            _ => {}
        }
    }
    Run { receipts, waits: watch.waits.into_inner().unwrap(), spent, paid }
}

fn prices() -> RequestPrices {
    request_prices(Prices::anthropic())
}

fn price(used: &ModelUse) -> f64 {
    prices().of(&used.usage)
}

#[tokio::test(start_paused = true)]
async fn compactions_wait_for_no_summary() {
    let made = run(400, Duration::from_secs(8), Duration::from_secs(60), true).await;
    made.check(8);
    let by_model = made.receipts.iter().filter(|receipt| receipt.authors == ["scripted"]);
    let (by_model, all) = (by_model.count(), made.receipts.len());
    assert!(by_model * 2 >= all, "{by_model} of {all} summaries are the model's");
    let asked: u64 = made.receipts.iter().flat_map(|receipt| &receipt.asked).map(|used| used.requests).sum();
    assert_eq!(asked, by_model as u64, "the receipts have what they have cost");
}

#[tokio::test(start_paused = true)]
async fn without_a_loop_that_runs_them_compactions_wait() {
    let made = run(60, Duration::from_secs(8), Duration::from_secs(195), false).await;
    assert!(made.waits.iter().any(|wait| *wait >= Duration::from_secs(195)), "{:?}", made.waits);
}
