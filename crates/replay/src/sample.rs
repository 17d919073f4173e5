//! Small sessions for tests, written in the notation of transcripts.

use std::path::PathBuf;
use std::sync::Arc;

use throughline_agent::{RetryPolicy, Settings};
use throughline_budget::Threshold;
use throughline_compaction::CompactionPolicy;
use throughline_conversation::{Message, Role, Usage};
use throughline_policies::Policy;
use throughline_testkit::{WordCounter, parse};

use crate::factor::TokenScale;
use crate::runner::{ReplayOptions, Stores};
use crate::session::{Format, RecordedSession, RecordedStep, RecordedTurn, RequestFacts, SessionPart};

/// A session of these messages.
pub(crate) fn session(notation: &str) -> RecordedSession {
    from_messages(parse(notation))
}

/// A session of these messages.
pub(crate) fn from_messages(messages: Vec<Message>) -> RecordedSession {
    let mut turns: Vec<RecordedTurn> = Vec::new();
    for message in messages {
        match message.role {
            Role::Assistant => {
                let step = RecordedStep {
                    assistant: message,
                    results: Vec::new(),
                    usage: None,
                    asked_at: None,
                    answered_at: None,
                    request: RequestFacts::default(),
                };
                turns.last_mut().unwrap().steps.push(step);
            }
            Role::User if message.tool_results().next().is_some() => {
                let step = turns.last_mut().unwrap().steps.last_mut().unwrap();
                step.results.extend(message.tool_results().cloned());
            }
            Role::User => turns.push(RecordedTurn { user: message, steps: Vec::new() }),
        }
    }
    RecordedSession {
        id: "sample".to_owned(),
        file: PathBuf::from("sample.jsonl"),
        format: Format::Pi,
        model: None,
        title: None,
        system: None,
        part: SessionPart::Conversation,
        parent: None,
        turns,
        open_request: None,
        separate: Vec::new(),
        warnings: Vec::new(),
        repairs: Vec::new(),
        recorded_compactions: 0,
    }
}

/// Puts a report of a prompt of this many tokens at each step, in order.
pub(crate) fn with_prompts(mut session: RecordedSession, prompts: &[u64]) -> RecordedSession {
    let steps = session.turns.iter_mut().flat_map(|turn| &mut turn.steps);
    for (step, prompt) in steps.zip(prompts) {
        step.usage = Some(Usage { input: *prompt, ..Usage::default() });
    }
    session
}

/// The engine with default settings and a window of this many words.
pub(crate) fn options(window: u64) -> ReplayOptions {
    let settings = Settings {
        early: Threshold::PercentEffective(40.0),
        compaction: CompactionPolicy::default(),
        retry: RetryPolicy::once(),
        ..Policy::Throughline.settings(window, 100)
    };
    ReplayOptions {
        window,
        settings,
        policy: "test".to_owned(),
        counter: Arc::new(WordCounter),
        scale: TokenScale::Provider,
        estimator: "words".to_owned(),
        overhead: 0,
        check: None,
        clock: true,
        stores: Stores::default(),
        session: None,
    }
}
