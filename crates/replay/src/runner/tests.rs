//! Whole replays of small sessions.

use std::fmt::Write;
use std::sync::Arc;

use async_trait::async_trait;
use throughline_agent::Settings;
use throughline_budget::{Threshold, Thresholds};
use throughline_continuity::Part;
use throughline_conversation::{Millis, RecordBody, ResultRef, Role, Seq, SessionId};
use throughline_policies::{Policy, SummaryStyle};
use throughline_resultstore::{
    InMemoryResultRepository, OffloadPolicy, ResultInfo, ResultRepository, StoreError, StoredResult,
};
use throughline_testkit::render;

use super::{ReplayOptions, Stores, replay, session_id};
use crate::report::SessionReport;
use crate::sample::{options, session, with_prompts};
use crate::session::RecordedSession;

/// Turns of two steps each: a search with a result of 600 words, and an edit of what it showed.
fn long(turns: usize) -> RecordedSession {
    let mut out = String::new();
    for turn in 0..turns {
        let words: String = (0..300).map(|word| format!(" word{word} in")).collect();
        writeln!(out, "user: change number {turn}").unwrap();
        writeln!(out, "assistant: I look\n  -> a{turn} read {{\"path\": \"src/part_{turn}.rs\"}}").unwrap();
        writeln!(out, "results:\n  a{turn} = fn shown_{turn}() of this file\\n{words}").unwrap();
        writeln!(out, "assistant:\n  -> b{turn} edit {{\"symbol\": \"shown_{turn}\", \"old_string\": \"fn shown_{turn}() of this file\"}}")
            .unwrap();
        writeln!(out, "results:\n  b{turn} = edited\nassistant: done with {turn}").unwrap();
    }
    session(&out)
}

async fn run(session: RecordedSession, options: &ReplayOptions) -> SessionReport {
    let steps = session.steps().count() as u64;
    let report = replay(&Arc::new(session), options).await.unwrap();
    assert_eq!((report.failed_turns, report.first_failure.as_deref()), (0, None));
    assert_eq!(
        (report.requests, report.unrecorded_requests),
        (steps, 0),
        "one request for each recorded answer"
    );
    assert_eq!((report.invalid_requests, report.over_window), (0, 0), "{:?}", report.faults);
    assert_eq!(report.read_back_failed, 0);
    report
}

/// Nothing leaves the window.
fn untouched(window: u64) -> ReplayOptions {
    let base = options(window);
    let settings = Settings {
        early: Threshold::Off,
        thresholds: Thresholds { compact: Threshold::Off, ..Thresholds::default() },
        offload: OffloadPolicy { threshold_bytes: usize::MAX, ..OffloadPolicy::seed() },
        ..base.settings.clone()
    };
    ReplayOptions { settings, ..base }
}

#[tokio::test]
async fn in_a_window_without_end_the_engine_sends_the_whole_history() {
    let report = run(long(6), &untouched(1_000_000)).await;
    assert_eq!((report.compactions, report.epochs, report.offloads), (0, 0, 0));
    assert!((report.prices.ratio_anthropic - 1.0).abs() < 1e-9, "{}", report.prices.ratio_anthropic);
    assert!((report.prices.ratio_openai - 1.0).abs() < 1e-9);
    assert_eq!(report.peak_request_tokens, report.peak_full_tokens);
    assert_eq!((report.prices.recall_names, report.prices.recall_edit_lines), (1.0, 1.0));
    assert_eq!((report.prices.recall_names_of, report.prices.recall_edit_lines_of), (6, 6));
}

#[tokio::test]
async fn in_a_small_window_it_costs_less_and_every_reference_leads_back() {
    let report = run(long(30), &options(8_000)).await;
    assert!(report.compactions > 0 && report.epochs >= report.compactions, "{report:?}");
    assert!(report.read_back_ok > 0);
    assert!(report.peak_request_tokens <= 7_900 && report.peak_full_tokens > 15_000, "{report:?}");
    assert!(report.prices.ratio_anthropic < 0.85, "{}", report.prices.ratio_anthropic);
    let names = report.prices.recall_names;
    assert!((0.5..=1.0).contains(&names), "{names}");
    let parts = [report.system, report.skills, report.tools, report.conversation];
    let mean: u64 = parts.iter().map(|part| part.mean).sum();
    assert!(mean.abs_diff(report.mean_request_tokens) <= 4, "the parts make the whole");
}

#[tokio::test]
async fn a_summary_that_a_model_writes_is_a_part_of_the_price() {
    let priced = async |style: SummaryStyle| {
        let mut options = options(8_000);
        options.settings.compaction = style.apply(Policy::Throughline, options.settings.compaction);
        let report = run(long(30), &options).await;
        assert_eq!(report.degradations, 0, "its answers can be used");
        report
    };
    let (never, always) = (priced(SummaryStyle::Rule).await, priced(SummaryStyle::Thorough).await);
    assert!(never.compactions > 0 && always.compactions > 0);
    assert!(never.prices.summaries_anthropic.abs() < 1e-9);
    // Each reads the request from the cache, and writes some hundred tokens.
    let each = always.prices.summaries_anthropic / always.compactions as f64;
    assert!((500.0..15_000.0).contains(&each), "{each}");
    assert!(always.prices.cost_anthropic_clock > never.prices.cost_anthropic_clock);
}

// S0-45
#[tokio::test]
async fn cost_grows_in_line_with_the_work_and_not_with_its_square() {
    let (short, twice) = (run(long(25), &options(8_000)).await, run(long(50), &options(8_000)).await);
    let growth = twice.prices.cost_anthropic / short.prices.cost_anthropic;
    assert!(growth < 2.5, "twice the work costs {growth} times as much");
    let full = |report: &SessionReport| report.prices.cost_anthropic / report.prices.ratio_anthropic;
    assert!(full(&twice) / full(&short) > 2.8, "the whole history grows faster");
    assert!(twice.mean_request_tokens < short.mean_request_tokens * 3 / 2);
}

#[tokio::test]
async fn the_same_replay_gives_the_same_report() {
    let json = async || serde_json::to_value(run(long(12), &options(8_000)).await).unwrap();
    let (one, two) = (json().await, json().await);
    assert_eq!(one, two);
    for key in ["session", "format", "cost_anthropic", "ratio_openai", "recall_names", "conversation"] {
        assert!(one.get(key).is_some(), "{key}");
    }
}

#[tokio::test]
async fn a_turn_that_was_cut_off_is_cut_off_again() {
    let talk = "user: go\nassistant: first\n  -> c1 read {}\n  -> c2 read {}\nresults:\n  c1 = one\n  c2 ! two\n\
        user: no, stop\nassistant: stopped";
    let given = ReplayOptions { session: Some(SessionId::new("given").unwrap()), ..options(8_000) };
    let report = run(session(talk), &given).await;
    assert_eq!((report.turns, report.requests), (2, 2));
    let records = given
        .stores
        .log
        .read_page(&SessionId::new("given").unwrap(), Seq(0), Part::View)
        .await
        .unwrap()
        .records;
    let messages: Vec<_> = records
        .iter()
        .filter_map(|record| match &record.body {
            RecordBody::Message(said) => Some(&said.message),
            _ => None,
        })
        .collect();
    // The engine tells the model of the stop; all else is the recording.
    let stopped = "user: [The turn was stopped here, before it was finished.]\n";
    let rendered = render(messages);
    assert!(rendered.contains(stopped), "{rendered}");
    assert_eq!(
        rendered.replace(stopped, ""),
        render(&throughline_testkit::parse(talk)),
        "the log is the recording"
    );
}

#[tokio::test]
async fn the_factor_of_the_recording_anchors_the_figures() {
    let steps = long(6).steps().count() as u64;
    // Every step's prompt grows by twice what the words are.
    let plain = long(6);
    let mut prompts = Vec::new();
    let mut total = 500;
    for turn in &plain.turns {
        for step in &turn.steps {
            prompts.push(total);
            let words: usize =
                step.results.iter().map(|result| result.content.split_whitespace().count()).sum();
            total += 2 * words as u64;
        }
    }
    let report = run(with_prompts(plain, &prompts), &untouched(1_000_000)).await;
    assert!((report.factor - 2.0).abs() < 0.1, "{}", report.factor);
    let counted = run(long(6), &untouched(1_000_000)).await;
    assert!((counted.factor - 1.0).abs() < f64::EPSILON);
    let growth = report.mean_request_tokens as f64 / counted.mean_request_tokens as f64;
    assert!((growth - report.factor).abs() < 0.01, "{growth} over {steps} requests");
}

#[tokio::test]
async fn a_placeholder_replaces_the_prompt_that_recordings_lack() {
    let with = ReplayOptions { overhead: 2_000, ..untouched(1_000_000) };
    let report = run(long(2), &with).await;
    let fixed = report.system.peak + report.tools.peak;
    let without = run(long(2), &untouched(1_000_000)).await;
    assert!(report.system.peak > 1_900 && fixed - without.tools.peak <= 2_000, "{report:?}");
    assert_eq!(without.system.peak, 0);
    let recorded = RecordedSession { system: Some("a recorded prompt".to_owned()), ..long(2) };
    assert_eq!(run(recorded, &untouched(1_000_000)).await.system.peak, 3);
}

/// Gives other bytes than it took.
#[derive(Debug, Default)]
struct Forger(InMemoryResultRepository);

#[async_trait]
impl ResultRepository for Forger {
    async fn put(&self, result: &StoredResult) -> Result<(), StoreError> {
        self.0.put(result).await
    }

    async fn get(&self, session: &SessionId, id: &ResultRef) -> Result<Option<StoredResult>, StoreError> {
        let found = self.0.get(session, id).await?;
        Ok(found.map(|result| StoredResult { content: b"forged".to_vec(), ..result }))
    }

    async fn list(&self, session: &SessionId) -> Result<Vec<ResultInfo>, StoreError> {
        self.0.list(session).await
    }

    async fn remove(&self, session: &SessionId, id: &ResultRef) -> Result<bool, StoreError> {
        self.0.remove(session, id).await
    }
}

#[tokio::test]
async fn a_store_that_does_not_give_back_what_it_took_is_found_out() {
    let stores = Stores { results: Arc::new(Forger::default()), ..Stores::default() };
    let forged = ReplayOptions { stores, ..options(8_000) };
    let report = replay(&Arc::new(long(20)), &forged).await.unwrap();
    assert!(report.read_back_failed > 0, "{report:?}");
}

#[tokio::test]
async fn a_message_that_alone_is_larger_than_the_window_is_shown_in_part() {
    let huge = "word ".repeat(9_000);
    let report = replay(
        &Arc::new(session(&format!("user: {huge}\nassistant: one\nuser: two\nassistant: three"))),
        &options(8_000),
    )
    .await
    .unwrap();
    assert_eq!((report.turns, report.failed_turns, report.requests), (2, 0, 2), "{:?}", report.first_failure);
    assert!(report.peak_request_tokens <= 7_900, "{report:?}");
}

#[tokio::test]
async fn turns_that_cannot_fit_are_reported() {
    let report =
        replay(&Arc::new(session("user: one\nassistant: two\nuser: three\nassistant: four")), &options(400))
            .await
            .unwrap();
    assert_eq!((report.turns, report.failed_turns, report.requests), (2, 2, 0));
    let why = report.first_failure.unwrap();
    assert!(why.starts_with("the window of 400 tokens is too small"), "{why}");
}

#[test]
fn any_name_of_a_recording_can_name_a_session() {
    assert_eq!(session_id("ses_1").unwrap().as_str(), "ses_1");
    assert_eq!(session_id("a b/ü").unwrap().as_str(), "a_b__");
    assert_eq!(session_id(&"x".repeat(99)).unwrap().as_str().len(), 64);
    assert!(session_id("").is_err());
}

/// Gives each request a time in minutes; the answer comes at once.
fn with_minutes(mut session: RecordedSession, minutes: &[i64]) -> RecordedSession {
    let steps = session.turns.iter_mut().flat_map(|turn| &mut turn.steps);
    for (step, minute) in steps.zip(minutes) {
        step.asked_at = Some(Millis(minute * 60_000));
        step.answered_at = step.asked_at;
    }
    session
}

#[tokio::test]
async fn after_a_pause_the_whole_prefix_is_written_again() {
    let minutes = [0, 1, 2, 10, 11, 12, 60, 61, 62];
    let timed = run(with_minutes(long(3), &minutes), &untouched(1_000_000)).await;
    let untimed = run(long(3), &untouched(1_000_000)).await;
    assert_eq!((timed.timed_requests, untimed.timed_requests), (9, 0));
    assert_eq!((timed.prices.idle_restarts_anthropic, timed.prices.idle_restarts_openai), (2, 1));
    assert_eq!((untimed.prices.idle_restarts_anthropic, untimed.prices.idle_restarts_openai), (0, 0));
    assert_eq!((timed.tokens_cached, timed.tokens_written), (untimed.tokens_cached, untimed.tokens_written));
    assert!((untimed.prices.cost_anthropic_clock - untimed.prices.cost_anthropic).abs() < 1e-9);
    assert!(timed.prices.cost_anthropic_clock > timed.prices.cost_anthropic * 1.1, "{timed:?}");
    assert!(timed.prices.cost_openai_clock < timed.prices.cost_anthropic_clock, "{timed:?}");
    assert!((timed.prices.ratio_anthropic_clock - 1.0).abs() < 1e-9, "the whole history restarts as often");
    let frozen = ReplayOptions { clock: false, ..untouched(1_000_000) };
    let frozen = run(with_minutes(long(3), &minutes), &frozen).await;
    assert_eq!((frozen.timed_requests, frozen.prices.idle_restarts_anthropic), (0, 0));
}

#[tokio::test]
async fn the_engine_sees_the_recorded_pauses() {
    let given = ReplayOptions { session: Some(SessionId::new("timed").unwrap()), ..options(8_000) };
    run(with_minutes(long(2), &[1, 2, 9, 30, 31, 32]), &given).await;
    let id = SessionId::new("timed").unwrap();
    let records = given.stores.log.read_page(&id, Seq(0), Part::View).await.unwrap().records;
    let minutes = |role: Role| -> Vec<i64> {
        let messages = records.iter().filter_map(|record| match &record.body {
            RecordBody::Message(said) if said.message.role == role => Some(record.at.0 / 60_000),
            _ => None,
        });
        messages.collect()
    };
    assert_eq!(minutes(Role::Assistant), [1, 2, 9, 30, 31, 32]);
    assert_eq!(minutes(Role::User), [1, 2, 9, 30, 31, 32], "messages and results of the user's side");
}
