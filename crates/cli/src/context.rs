//! `throughline context`: what fills a session's window, what would leave it next, and what of it is shown.

pub(crate) mod args;
mod assembled;
mod rebuild;

use std::sync::Arc;

use anyhow::Context as _;
use async_trait::async_trait;
use throughline_agent::{Agent, ContextReport, NextCut};
use throughline_completion::{CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo};
use throughline_continuity::MessageLog;
use throughline_conversation::{Action, Receipt, RecordBody, SessionId, group_thousands};

use crate::compose::{Data, Estimator};
use crate::config::Choice;
use crate::demo::summary;
use crate::desk::{Answer, Desk};
use crate::terminal::{Style, plain, table};
use crate::window_bar;

pub(crate) use assembled::assembled;
pub(crate) use rebuild::rebuild;

/// Rows of the list of what holds the most.
const HOLDERS: usize = 10;
/// Actions of the next compaction that are listed.
const ACTIONS: usize = 8;

/// The report, by the newest request that was sent.
pub(crate) async fn report(desk: &Desk) -> anyhow::Result<Answer> {
    let (data, session) = (&desk.data, &desk.session);
    let receipt = newest_receipt(data, session).await?;
    let (window, reserved) = (receipt.window.total, receipt.window.reserved_output);
    let mut info = ModelInfo::with_window(receipt.model, window, reserved);
    let mut settings = Choice::load(None)?.settings(window, reserved);
    let newest = data.store.message_log().newest(session, "model").await?;
    if let Some(RecordBody::Model(reads)) = newest.map(|record| record.body) {
        // What the session shows depends on who reads it.
        info.provider.clone_from(&reads.origin.provider);
        info.name.clone_from(&reads.origin.model);
        settings.foreign = reads.foreign;
    }
    let builder = Agent::builder(Arc::new(AbsentModel(info)), Estimator::Script.counter(), settings);
    let agent = data.attach(builder).open(session.clone()).await?;
    let report = agent.context(HOLDERS).await;
    let mut lines = lines(&report, session, Style::of_stdout());
    let sum = summary::totals(data, session).await?;
    let percent = sum.usage.cache_read.saturating_mul(100).checked_div(sum.usage.prompt()).unwrap_or(0);
    lines.push(String::new());
    lines.push(format!(
        "{} requests sent {} tokens, {percent}% of them read from the cache; {} compactions, {} results offloaded",
        group_thousands(sum.requests),
        group_thousands(sum.usage.prompt()),
        sum.compactions,
        sum.offloads
    ));
    Ok(Answer { text: lines.join("\n"), json: serde_json::to_value(&report)? })
}

async fn newest_receipt(data: &Data, session: &SessionId) -> anyhow::Result<Receipt> {
    let newest = data.store.message_log().newest(session, "receipt").await?;
    let body = newest.map(|record| record.body);
    match body {
        Some(RecordBody::Receipt(receipt)) => Ok(*receipt),
        _ => None.with_context(|| format!("session {session} has sent no request yet")),
    }
}

fn lines(report: &ContextReport, session: &SessionId, style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = |text: &str| lines.push(text.to_owned());
    line(&format!("{}  {session}", style.bold("session")));
    line(&window_bar::line(&report.window, 48, style));
    let at = |name: &str, tokens: Option<u64>| {
        tokens.map(|tokens| format!("{name} at {}", group_thousands(tokens)))
    };
    let reserved = format!("{} kept for the answer", group_thousands(report.window.reserved_output));
    let limits = [Some(reserved), at("compact", report.compact_at), at("block", report.block_at)];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    line(&style.dim(&format!(
        "window {} tokens: {}",
        group_thousands(report.window.total),
        limits.join(", ")
    )));
    line("");

    let effective = report.window.total.saturating_sub(report.window.reserved_output).max(1);
    let share = |tokens: u64| format!("{}%", tokens.saturating_mul(100) / effective);
    let used = report.window.used;
    let mut rows = vec![["COMPONENT", "TOKENS", "SHARE"].map(str::to_owned).to_vec()];
    for (name, tokens) in [
        ("system prompt", used.system),
        ("skills", used.skills),
        ("tools", used.tools),
        ("conversation", used.conversation),
        ("free", effective.saturating_sub(used.total())),
    ] {
        rows.push(vec![name.to_owned(), group_thousands(tokens), share(tokens)]);
    }
    table(&rows).iter().for_each(|text| line(text));
    line("");

    let mut rows = vec![["HOLDS THE MOST", "TOKENS", "RECORD"].map(str::to_owned).to_vec()];
    for holder in &report.holders {
        let seq = holder.seq.map_or(String::from("-"), |seq| seq.to_string());
        rows.push(vec![plain(&holder.what), group_thousands(holder.tokens), seq]);
    }
    table(&rows).iter().for_each(|text| line(text));
    line("");
    match (&report.next, &report.why) {
        (Some(next), _) => next_lines(next).iter().for_each(|text| line(text)),
        (None, Some(why)) => line(&plain(&format!("A compaction now would change nothing: {why}."))),
        (None, None) => {}
    }
    lines
}

fn next_lines(next: &NextCut) -> Vec<String> {
    let mut lines = vec![format!("A compaction now: {}.", next.result)];
    for action in next.actions.iter().take(ACTIONS) {
        let text = match action {
            Action::ReplaceResult { call_id, stored, .. } => {
                format!("result of call {call_id} becomes a stub, readable as {stored}")
            }
            Action::ReplaceInput { call_id, stored, .. } => {
                format!("arguments of call {call_id} are clipped, readable as {stored}")
            }
            Action::Cover { span, summary: Some(_), .. } => {
                format!("records {} to {} become a summary", span.first, span.last)
            }
            Action::Cover { span, summary: None, .. } => {
                format!("records {} to {} are dropped", span.first, span.last)
            }
        };
        lines.push(format!("  - {}", plain(&text)));
    }
    let more = next.actions.len().saturating_sub(ACTIONS);
    if more > 0 {
        lines.push(format!("  - and {more} more"));
    }
    lines
}

/// Stands where a model would: a report asks for none.
#[derive(Debug)]
struct AbsentModel(ModelInfo);

#[async_trait]
impl LanguageModel for AbsentModel {
    fn info(&self) -> ModelInfo {
        self.0.clone()
    }

    async fn stream(&self, _request: &CompletionRequest) -> Result<EventStream, ModelError> {
        Err(ModelError::Unavailable { message: "this command asks no model".to_owned() })
    }
}
