//! What another agent must know of a stored session to continue it.

mod by_model;
mod facts;
mod goal;
mod noise;
mod stored;

pub use by_model::Extraction;
pub use stored::{ContextEntry, ContextOptions};

use serde::{Deserialize, Serialize};
use throughline_agent::NullSink;
use throughline_compaction::NameLog;
use throughline_conversation::{
    ExchangeId, MessageRecord, RecordBody, Source, View, is_inserted_text, task_request,
};
use throughline_documents::{CONTEXT_CAP, QuotedContext, SessionContext, file_changes, is_same_file};
use throughline_groups::{UserAnswers, user_request};
use throughline_ledger::one_line;
use throughline_text::cut_end;

use crate::error::Result;
use crate::handle::SessionHandle;

use goal::{Requests, UserWords};
pub(crate) use noise::unwrapped;

/// Maximum number of lines that the user's own patterns find, and of decisions.
const NOTED: usize = 12;

/// Maximum bytes of the names that are likely needed again.
const NAMES: usize = 1_800;

/// Maximum bytes of each of them.
const NOTED_LINE: usize = 300;

/// The context of a session, and what its text quotes beyond the summary.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RestoredContext {
    /// The summary.
    pub summary: SessionContext,
    /// What changed in files, those changed last first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// Errors that did not go away, oldest first.
    pub open_errors: Vec<String>,
    /// Lines that the user's own patterns have found, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noted: Vec<String>,
    /// Names that are likely needed again, the likeliest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The request that the session is about, where nothing else says the task; empty otherwise.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub goal: String,
    /// The first request of the user, where another one is the task.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub first_request: String,
    /// The requests between the first and the last, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<String>,
    /// The last request of the user.
    pub last_request: String,
    /// The end of the answer to it; empty: it is open.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub last_answer: String,
    /// What a model did for the summary; `None`: it is made without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extraction: Option<Extraction>,
}

impl RestoredContext {
    /// The text for an agent, of at most [`CONTEXT_CAP`] bytes.
    #[must_use]
    pub fn text(&self, how_to_search: &str) -> String {
        self.text_within(how_to_search, CONTEXT_CAP)
    }

    /// The text for an agent; see [`SessionContext::restoring_text`].
    #[must_use]
    pub fn text_within(&self, how_to_search: &str, cap: usize) -> String {
        let Self { changes, open_errors: errors, noted, names, goal, first_request, requests, .. } = self;
        let Self { last_request, last_answer, .. } = self;
        let quoted = QuotedContext {
            changes,
            names,
            errors,
            noted,
            goal,
            first_request,
            requests,
            last_request,
            last_answer,
        };
        self.summary.restoring_text(&quoted, how_to_search, cap)
    }
}

impl SessionHandle {
    /// The context of the session: from its handoff, without a model.
    ///
    /// # Errors
    /// The log or the list of sessions cannot be read.
    pub async fn restored_context(&self) -> Result<RestoredContext> {
        self.context_with(&ContextOptions::default()).await
    }

    /// The same with the lines in which one of the options' texts is, whatever the case of its letters, and with a summary by
    /// their model.
    async fn context_with(&self, options: &ContextOptions) -> Result<RestoredContext> {
        let mut handoff = self.handoff().await?;
        let Quoted { requests, noted, decisions, view } = self.quoted(&options.patterns).await?;
        if handoff.key_decisions.is_empty() {
            handoff.key_decisions = decisions;
        }
        let Requests { goal, first, between, last } = requests;
        let title = one_line(last.trim().lines().next().unwrap_or_default().trim_end());
        let mut context = RestoredContext {
            changes: file_changes(&handoff),
            open_errors: handoff.ledger.as_ref().map(noise::open_errors).unwrap_or_default(),
            summary: SessionContext::of(&handoff, &last),
            noted,
            names: Vec::new(),
            goal: String::new(),
            first_request: first,
            requests: between,
            last_request: last,
            last_answer: handoff.last_answer.unwrap_or_default(),
            extraction: None,
        };
        // A title of its own, or a goal in STATE, says more than requests do.
        if context.summary.current_task.trim() == title.trim() {
            context.summary.current_task = goal.trim().lines().next().unwrap_or_default().to_owned();
            context.goal = goal;
        } else if context.first_request.is_empty() {
            context.first_request = goal;
        }
        if let Some(choice) = &options.summarizer {
            let listener = options.listeners.as_ref().map(|listeners| listeners.listen_to(&self.session));
            let asked = by_model::extract(choice, view.entries(), listener.as_deref().unwrap_or(&NullSink));
            let by_model::Extracted { summary, extraction } = asked.await;
            context.extraction = Some(extraction);
            match summary {
                Ok(summary) => {
                    context.summary = joined(summary, context.summary);
                    let goal = std::mem::take(&mut context.goal);
                    context.first_request =
                        Some(context.first_request).filter(|one| !one.is_empty()).unwrap_or(goal);
                }
                Err(lines) => context.noted.extend(lines),
            }
        }
        let mut names = NameLog::default();
        names.note(&noise::plain_entries(view.entries()));
        // Some are left out, so more are asked for.
        let likely = names.likely(&context.text_within("", usize::MAX), 2 * NAMES);
        let mut bytes = 0;
        let fits = |name: &String| {
            bytes += name.len() + 1;
            bytes <= NAMES
        };
        context.names =
            noise::without_tool_names(likely, view.entries()).into_iter().take_while(fits).collect();
        Ok(context)
    }

    /// What the messages say that are not hidden.
    async fn quoted(&self, patterns: &[String]) -> Result<Quoted> {
        let (mut requests, mut answers): (Vec<(ExchangeId, UserWords)>, _) =
            (Vec::new(), UserAnswers::default());
        let (mut noted, mut decided) = (Vec::new(), Vec::new());
        let patterns: Vec<String> = patterns.iter().map(|pattern| pattern.to_lowercase()).collect();
        let view = self.storage.view(&self.session, self.counter.as_ref(), |record| {
            let RecordBody::Message(MessageRecord { message, source, .. }) = &record.body else { return };
            if *source == Source::User {
                let asked = user_request(message);
                let asked = asked.as_ref().and_then(|text| task_request(text)).map(str::to_owned);
                requests.extend(asked.map(|text| (record.exchange, UserWords::request(text))));
            }
            let said = answers.said_in(message).into_iter();
            requests.extend(said.map(|text| (record.exchange, UserWords::within_tool(text))));
            let lines = message.texts().filter(|text| !is_inserted_text(text)).flat_map(str::lines);
            for line in lines.map(|line| cut_end(line.trim(), NOTED_LINE)) {
                let lower = line.to_lowercase();
                if patterns.iter().any(|pattern| lower.contains(pattern)) {
                    noted.push((record.exchange, line.to_owned()));
                }
                if matches!(source, Source::Model(_)) && is_decision(&lower) {
                    decided.push((record.exchange, line.trim_start_matches(['-', '*', ' ']).to_owned()));
                }
            }
        });
        let view = view.await?;
        let is_shown = |exchange: ExchangeId| !view.groups().status(exchange).is_hidden();
        let newest = |lines: Vec<(ExchangeId, String)>| {
            let mut newest: Vec<String> = Vec::new();
            for (_, line) in lines.into_iter().filter(|(exchange, _)| is_shown(*exchange)) {
                newest.retain(|old| *old != line);
                newest.push(line);
            }
            newest.split_off(newest.len().saturating_sub(NOTED))
        };
        let (noted, decisions) = (newest(noted), newest(decided));
        let requests =
            requests.into_iter().filter(|(exchange, _)| is_shown(*exchange)).map(|(_, words)| words);
        Ok(Quoted { requests: Requests::of(requests.collect()), noted, decisions, view })
    }
}

/// A model's summary, with what the log alone says where the model says nothing. Files that were changed are facts: all of
/// them stay.
fn joined(by_model: SessionContext, by_rule: SessionContext) -> SessionContext {
    let or = |one: Vec<String>, other: Vec<String>| if one.is_empty() { other } else { one };
    let mut files = by_rule.relevant_files;
    let is_new = |file: &String| !files.iter().any(|known| is_same_file(known, file));
    let new: Vec<String> = by_model.relevant_files.into_iter().filter(is_new).collect();
    files.extend(new);
    SessionContext {
        current_task: by_model.current_task,
        completed_steps: or(by_model.completed_steps, by_rule.completed_steps),
        pending_steps: or(by_model.pending_steps, by_rule.pending_steps),
        key_decisions: or(by_model.key_decisions, by_rule.key_decisions),
        relevant_files: files,
    }
}

/// What the messages of a session say.
struct Quoted {
    /// What the user asked for.
    requests: Requests,
    /// Lines that the user's own patterns find.
    noted: Vec<String>,
    /// Lines in which the model decides something, with its reason.
    decisions: Vec<String>,
    /// What is in view.
    view: View,
}

/// Returns true if a line, in lower case, says that something is decided, or what is done in place of something else and why.
fn is_decision(line: &str) -> bool {
    let marked = ["decision:", "**decision**", "**decision:**", "decided:"];
    let bare = line.trim_start_matches(['-', '*', ' ']);
    let decides = [
        "decided to ",
        "decided on ",
        "decided against ",
        "i chose ",
        "we chose ",
        "let's use ",
        "i'll use ",
    ];
    let reasons = [" because ", " instead of ", " rather than ", " so that ", " since "];
    marked.iter().any(|mark| bare.starts_with(mark.trim_start_matches('*')) || line.contains(mark))
        || (decides.iter().any(|word| line.contains(word)) && reasons.iter().any(|word| line.contains(word)))
}
