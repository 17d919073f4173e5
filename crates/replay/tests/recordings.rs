//! Recorded sessions of real agents, read and replayed, where they are.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may stop at the first thing that is not as it must be"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use throughline_agent::Settings;
use throughline_budget::{ScriptAwareEstimator, Threshold};
use throughline_compaction::CompactionPolicy;
use throughline_conversation::{Message, validate};
use throughline_policies::Policy;
use throughline_replay::{
    RecordedSession, ReplayOptions, Stores, TokenScale, learn_factor, read_session, replay,
};

/// The folder of recorded sessions; `None`, with the reason printed, if it is missing.
fn traces(test: &str) -> Option<PathBuf> {
    let default = || {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3)?;
        Some(workspace.join("shared").join("traces"))
    };
    let folder = std::env::var_os("THROUGHLINE_TRACES").map(PathBuf::from).or_else(default)?;
    if folder.join("index.csv").is_file() {
        return Some(folder);
    }
    let at = folder.display();
    println!("SKIPPED {test}: no recorded sessions at {at}; THROUGHLINE_TRACES names another folder");
    None
}

/// A row of the index: what was counted in a file by other means.
#[derive(Debug)]
struct Row {
    file: String,
    format: String,
    answers: usize,
    calls: usize,
    compactions: usize,
}

fn rows(folder: &Path) -> Vec<Row> {
    let index = std::fs::read_to_string(folder.join("index.csv")).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |place: usize| cells[place].parse().unwrap();
        let (file, format) = (cells[0].to_owned(), cells[1].to_owned());
        Row { file, format, answers: number(6), calls: number(7), compactions: number(10) }
    };
    index.lines().skip(1).map(row).collect()
}

fn calls(session: &RecordedSession) -> usize {
    session.steps().map(|step| step.assistant.tool_calls().count()).sum()
}

#[test]
fn every_recorded_session_is_read_whole_and_valid() {
    let Some(folder) = traces("every_recorded_session_is_read_whole_and_valid") else { return };
    let rows = rows(&folder);
    assert_eq!(rows.len(), 30);
    for row in rows {
        let session = read_session(&folder.join(&row.file)).unwrap();
        let mut messages = session.messages();
        messages.push(Message::user("next"));
        assert_eq!(validate(&messages), [], "{}", row.file);
        // An answer of thinking alone is no answer that can be sent back: a few are left out.
        let answers = session.steps().count();
        assert!(answers <= row.answers && answers * 50 >= row.answers * 49, "{row:?}: {answers}");
        // SWE-agent's calls are in the text of the answers.
        let expected = if row.format == "swe" { 0 } else { row.calls };
        assert_eq!(calls(&session), expected, "{}", row.file);
        assert_eq!(session.recorded_compactions, row.compactions, "{}", row.file);
    }
}

#[test]
fn what_providers_reported_shows_how_many_tokens_they_count() {
    let Some(folder) = traces("what_providers_reported_shows_how_many_tokens_they_count") else { return };
    for row in rows(&folder) {
        let session = read_session(&folder.join(&row.file)).unwrap();
        let learnt = learn_factor(&session, &ScriptAwareEstimator);
        match row.format.as_str() {
            // It reports nothing.
            "swe" => assert_eq!(learnt, None),
            // Anthropic's tokenizer makes more of a text than OpenAI's.
            "claude" | "pi" => assert!((1.1..1.7).contains(&learnt.unwrap()), "{row:?}: {learnt:?}"),
            _ => assert!((0.9..1.3).contains(&learnt.unwrap()), "{row:?}: {learnt:?}"),
        }
    }
}

fn options(window: u64) -> ReplayOptions {
    let settings = Settings {
        early: Threshold::PercentEffective(40.0),
        compaction: CompactionPolicy::default(),
        ..Policy::Throughline.settings(window, 4_096)
    };
    ReplayOptions {
        window,
        settings,
        policy: "default".to_owned(),
        counter: Arc::new(ScriptAwareEstimator),
        scale: TokenScale::Provider,
        estimator: "script".to_owned(),
        overhead: 6_000,
        check: None,
        clock: true,
        stores: Stores::default(),
        session: None,
    }
}

#[tokio::test]
async fn the_engine_keeps_every_request_of_every_agent_valid_and_within_the_window() {
    const WINDOW: u64 = 64_000;
    let Some(folder) = traces("the_engine_keeps_every_request_of_every_agent_valid_and_within_the_window")
    else {
        return;
    };
    // One session of each agent: all of them take minutes without optimisation.
    let mut seen = Vec::new();
    for row in rows(&folder).iter().rev() {
        if seen.contains(&row.format) {
            continue;
        }
        seen.push(row.format.clone());
        let session = Arc::new(read_session(&folder.join(&row.file)).unwrap());
        let report = replay(&session, &options(WINDOW)).await.unwrap();
        let report_text = format!("{}: {report:?}", row.file);
        assert_eq!(
            (report.failed_turns, report.unrecorded_requests, report.degradations),
            (0, 0, 0),
            "{report_text}"
        );
        assert_eq!((report.invalid_requests, report.over_window), (0, 0), "{report_text}");
        assert_eq!(report.requests, session.steps().count() as u64, "{report_text}");
        assert_eq!(report.read_back_failed, 0, "{report_text}");
        assert!(report.peak_request_tokens <= WINDOW - 4_096, "{report_text}");
        assert!(report.prices.ratio_anthropic <= 1.05 && report.prices.ratio_openai <= 1.05, "{report_text}");
        if report.peak_full_tokens > WINDOW {
            assert!(report.compactions > 0 && report.read_back_ok > 0, "{report_text}");
        }
    }
    assert_eq!(seen.len(), 6, "{seen:?}");
}
