//! What an operation of the engine costs an owner of a loop, by the length of the session; and what `sync` costs a framework
//! that hands over its whole list.
//!
//! Run with `cargo xtask bench engine`; it fails when an operation in a session of 15,000 messages costs more than 1.2 times
//! one in a session of 150, or when `sync` of 5,000 messages with one new one takes more than 5 ms.

mod median;

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use throughline_completion::{Answer, AnswerDetails, ModelInfo, StopReason};
use throughline_conversation::{Message, SessionId};
use throughline_engine::{ContextEngine, Next, PreparedRequest};
use throughline_policies::{Estimator, Policy};

use median::median;

/// Messages of the sessions.
const SESSIONS: [usize; 3] = [150, 1_500, 15_000];
/// Steps that are timed in each.
const STEPS: usize = 400;
/// The long session's median over the short one's, at most.
const MOST_RATIO: f64 = 1.2;
/// Messages of the list that `sync` takes over.
const LIST: usize = 5_000;
/// Lists that are timed.
const LISTS: usize = 40;
/// Milliseconds of one `sync`, at most.
const MOST_SYNC: f64 = 5.0;
/// Tokens of the window: the 150 messages fill it, so that both sessions are compacted views of one size.
const WINDOW: u64 = 24_000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    println!("a message, a request and an answer, median of {STEPS}:");
    let mut medians = Vec::new();
    for messages in SESSIONS {
        let median = time_steps(messages).await?;
        println!("  {messages:>6} messages: {:>8.1} µs", micros(median));
        medians.push(median);
    }
    let (short, long) = (medians.first().context("no figure")?, medians.last().context("no figure")?);
    let ratio = long.as_secs_f64() / short.as_secs_f64();
    println!("  ratio of the longest to the shortest: {ratio:.2} (at most {MOST_RATIO})");

    let whole = time_lists().await?.as_secs_f64() * 1e3;
    println!(
        "sync of {LIST} messages, one of them new, median of {LISTS}: {whole:.2} ms (at most {MOST_SYNC})"
    );
    ensure!(ratio <= MOST_RATIO, "an operation costs more in a long session");
    ensure!(whole <= MOST_SYNC, "sync of a long list takes too long");
    Ok(())
}

/// Steps of a session that has this many messages.
async fn time_steps(messages: usize) -> anyhow::Result<Duration> {
    let mut engine = open().await?;
    engine.sync(&said(messages)).await?;
    let mut times = Vec::with_capacity(STEPS);
    let mut known = messages;
    for step in 0..STEPS {
        let begun = Instant::now();
        engine.sync_tail(known, &[Message::user(format!("More {step}?"))]).await?;
        let id = request(&mut engine).await?.id;
        engine.answer(id, answer()).await?;
        times.push(begun.elapsed());
        engine.sync_tail(known + 1, &[Message::assistant("Yes.")]).await?;
        known += 2;
    }
    median(times)
}

/// Whole lists, each one message longer than the one before.
async fn time_lists() -> anyhow::Result<Duration> {
    let mut engine = open().await?;
    let mut list = said(LIST - 1);
    engine.sync(&list).await?;
    let mut times = Vec::with_capacity(LISTS);
    for step in 0..LISTS {
        list.push(Message::user(format!("More {step}?")));
        let begun = Instant::now();
        engine.sync(&list).await?;
        times.push(begun.elapsed());
        let id = request(&mut engine).await?.id;
        engine.answer(id, answer()).await?;
        list.push(Message::assistant("Yes."));
    }
    median(times)
}

async fn open() -> anyhow::Result<ContextEngine> {
    let info = ModelInfo::with_window("bench", WINDOW, 2_000);
    let settings = Policy::Throughline.settings(WINDOW, 2_000);
    let builder = ContextEngine::builder(info, Estimator::default().counter(), settings);
    Ok(builder.open(SessionId::new("bench")?).await?)
}

fn said(messages: usize) -> Vec<Message> {
    let turn = |place: usize| match place % 2 {
        0 => Message::user(format!("Question {place}: {}", "what is it worth ".repeat(20))),
        _ => Message::assistant(format!("Answer {place}: {}", "it is worth a lot ".repeat(20))),
    };
    (0..messages).map(turn).collect()
}

async fn request(engine: &mut ContextEngine) -> anyhow::Result<PreparedRequest> {
    match engine.next_request().await? {
        Next::Request(prepared) => Ok(prepared),
        Next::Summarize(_) => bail!("a summary was asked for"),
    }
}

fn answer() -> Answer {
    let message = Message::assistant("Yes.");
    Answer { message, stop: StopReason::EndTurn, usage: None, details: AnswerDetails::default() }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
