//! A summary that a cheap model writes: asked for, checked, and replaced by raw lines of the log where it cannot be used.

use std::collections::HashSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use throughline_agent::{EventSink, SideEvents};
use throughline_compaction::{Spending, Summarizer as _, SummaryRequest};
use throughline_conversation::{Entry, ModelUse, Purpose};
use throughline_documents::SessionContext;
use throughline_ledger::one_line;
use throughline_summarizer::{ModelSummarizer, SummarizerSettings};
use throughline_text::{cut_end, error_chain};

use throughline_connect::{ConnectedModel, ModelChoice};

const PROMPT: &str = include_str!("extraction.md");

/// Tokens that the summary may have.
const BUDGET: u64 = 1_000;

/// How long an agent waits for its context.
const PATIENCE: Duration = Duration::from_secs(25);

/// Maximum number of items of a list, and maximum bytes of an item.
const ITEMS: usize = 20;
const ITEM: usize = 300;

/// Raw lines that are quoted if a summary cannot be used, and most bytes of each.
const SNIPPETS: usize = 8;
const SNIPPET: usize = 240;

/// What a model did for a context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Extraction {
    /// The model.
    pub model: String,
    /// What its requests have used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used: Vec<ModelUse>,
    /// Why its answer is not in the context; raw lines of the log are. `None`: it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// The outcome of one extraction.
pub(super) struct Extracted {
    pub(super) summary: Result<SessionContext, Vec<String>>,
    pub(super) extraction: Extraction,
}

/// Asks the model for a summary of the messages. The sink hears of each request.
pub(super) async fn extract(choice: &ModelChoice, entries: &[Entry], sink: &dyn EventSink) -> Extracted {
    let observer = SideEvents::new(sink).all_for(Purpose::SessionContext);
    let spending = Spending::observed(&observer);
    let asked = tokio::time::timeout(PATIENCE, ask(choice, entries, &spending));
    let answer =
        asked.await.unwrap_or_else(|_| Err(format!("no answer within {} seconds", PATIENCE.as_secs())));
    let used = spending.sums();
    let named = choice.model.clone().unwrap_or_default();
    let model = used.first().map_or(named, |used| used.origin.model.clone());
    match answer.and_then(|text| validated(&text, entries)) {
        Ok(summary) => {
            Extracted { summary: Ok(summary), extraction: Extraction { model, used, problem: None } }
        }
        Err(problem) => Extracted {
            summary: Err(snippets(entries)),
            extraction: Extraction { model, used, problem: Some(problem) },
        },
    }
}

async fn ask(choice: &ModelChoice, entries: &[Entry], spending: &Spending<'_>) -> Result<String, String> {
    let connected = ConnectedModel::connect(choice).await.map_err(|error| error.text())?;
    let summarizer = ModelSummarizer::new(connected.model, SummarizerSettings::default());
    let request = SummaryRequest {
        entries,
        previous: None,
        budget: BUDGET,
        prompt: PROMPT.trim_end(),
        counter: connected.counter.as_ref(),
        prefix: None,
        spending: Some(spending),
        checks: None,
    };
    let prose = summarizer.summarize(&request).await.map_err(|error| error_chain(&error))?;
    Ok(prose.text)
}

/// The answer as a summary: without what is empty, too long, or a file that the log does not name.
fn validated(text: &str, entries: &[Entry]) -> Result<SessionContext, String> {
    let object = text.find('{').zip(text.rfind('}')).and_then(|(first, last)| text.get(first..=last));
    let Some(object) = object.filter(|object| !object.is_empty()) else {
        return Err("its answer has no JSON object".to_owned());
    };
    let read: SessionContext =
        serde_json::from_str(object).map_err(|error| format!("its answer cannot be read: {error}"))?;
    let named = |file: &str| {
        let name = file.rsplit('/').next().unwrap_or(file);
        !name.is_empty() && entries.iter().any(|entry| mentions(entry, name))
    };
    let summary = SessionContext {
        current_task: item(&read.current_task),
        completed_steps: items(&read.completed_steps),
        pending_steps: items(&read.pending_steps),
        key_decisions: items(&read.key_decisions),
        relevant_files: items(&read.relevant_files).into_iter().filter(|file| named(file)).collect(),
    };
    if summary.current_task.is_empty() {
        return Err("its answer names no task".to_owned());
    }
    Ok(summary)
}

fn items(items: &[String]) -> Vec<String> {
    let mut seen = HashSet::new();
    let items = items.iter().map(|text| item(text)).filter(|text| !text.is_empty());
    items.filter(|text| seen.insert(text.clone())).take(ITEMS).collect()
}

fn item(text: &str) -> String {
    cut_end(one_line(text).trim(), ITEM).to_owned()
}

fn mentions(entry: &Entry, name: &str) -> bool {
    let message = &entry.message;
    message.texts().any(|text| text.contains(name))
        || message.tool_results().any(|result| result.content.contains(name))
        || message.tool_calls().any(|call| call.input.to_string().contains(name))
}

/// The first lines of the newest messages, oldest first.
fn snippets(entries: &[Entry]) -> Vec<String> {
    let lines = entries.iter().rev().filter_map(|entry| {
        let text = entry.message.text();
        let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
        Some(format!("{}: {}", entry.message.role.name(), cut_end(line, SNIPPET)))
    });
    let mut newest: Vec<String> = lines.take(SNIPPETS).collect();
    newest.reverse();
    newest
}

#[cfg(test)]
mod tests;
