//! `throughline context`: what fills a session's window and what the next compaction would remove.

pub(crate) mod args;
mod assembled;
mod assumed;
mod grid;
mod rebuild;
mod share;

use std::sync::Arc;

use anyhow::bail;
use async_trait::async_trait;
use throughline::{SessionWriter, Storage};
use throughline_agent::{Agent, ContextReport, NextCut};
use throughline_completion::{CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo};
use throughline_continuity::MessageLog;
use throughline_conversation::{Action, ModelRecord, Receipt, RecordBody, SessionId};
use throughline_policies::Estimator;
use throughline_text::group_thousands;

use crate::answer::Answer;
use crate::cost::{cost_text, dollars_text};
use crate::target::CommandTarget;
use crate::terminal::{Style, plain, table};
use crate::totals::{Totals, totals};
use crate::window_bar::{self, percent};

use assumed::Assumed;
use grid::grid;
use share::{Paid, Share, shares};

pub(crate) use assembled::assembled;
pub(crate) use assumed::assumed;
pub(crate) use rebuild::{by_agent, rebuild};

/// Rows of the list of the largest items.
const HOLDERS: usize = 10;
/// Actions of the next compaction that are listed.
const ACTIONS: usize = 8;

/// The report: from the agent that has the session open, else from the newest request.
pub(crate) async fn report(target: &CommandTarget, writer: &SessionWriter<'_>) -> anyhow::Result<Answer> {
    let receipt = newest_receipt(&target.handle.storage, &target.handle.session).await?;
    let (report, assumed) = match (writer, &receipt) {
        (SessionWriter::Agent(agent, _), _) => (agent.context(HOLDERS).await, None),
        (SessionWriter::Handle, Some(receipt)) => {
            let (report, assumed) = without_an_agent(target, receipt).await?;
            (report, Some(assumed))
        }
        (SessionWriter::Handle, None) => bail!("session {} has sent no request yet", target.handle.session),
    };
    let style = if target.on_screen { Style::with_colour(false) } else { Style::of_stdout() };
    let paid = match &receipt {
        Some(receipt) => Some(paid(target, receipt).await?),
        None => None,
    };
    let shares = shares(report.window.used, paid.as_ref());
    let mut lines = lines(&report, &shares, target, style);
    lines.extend(assumed.as_ref().map(Assumed::line));
    let totals = totals(&target.handle.storage, &target.handle.session).await?;
    lines.push(String::new());
    lines.extend(total_lines(&totals));
    let mut json = serde_json::to_value(&report)?;
    if let Some(object) = json.as_object_mut() {
        object.insert("components".to_owned(), serde_json::to_value(&shares)?);
        object.insert("cost".to_owned(), totals.json());
        if let Some(assumed) = &assumed {
            object.insert("assumed".to_owned(), serde_json::to_value(assumed)?);
        }
    }
    Ok(Answer { text: lines.join("\n"), json })
}

/// The report of a session that no agent has open.
async fn without_an_agent(
    target: &CommandTarget,
    receipt: &Receipt,
) -> anyhow::Result<(ContextReport, Assumed)> {
    let (data, session) = (&target.handle.storage, &target.handle.session);
    let (window, reserved) = (receipt.window.total, receipt.window.reserved_output);
    let mut info = ModelInfo::with_window(receipt.model.clone(), window, reserved);
    let (choice, assumed) = assumed(target).await?;
    let mut settings = choice.for_window(window, reserved);
    if let Some(reads) = newest_model(data, session).await? {
        // What the session shows depends on who reads it.
        info.provider.clone_from(&reads.origin.provider);
        info.name.clone_from(&reads.origin.model);
        settings.foreign = reads.foreign;
    }
    let builder = Agent::builder(Arc::new(AbsentModel(info)), Estimator::Script.counter(), settings);
    let report = data.attach(builder).open(session.clone()).await?.context(HOLDERS).await;
    Ok((report, assumed))
}

/// Usage and price of the newest request.
async fn paid(target: &CommandTarget, receipt: &Receipt) -> anyhow::Result<Paid> {
    let reads = newest_model(&target.handle.storage, &target.handle.session).await?;
    let provider = reads.map(|reads| reads.origin.provider.clone()).unwrap_or_default();
    let row = throughline::model_table()?.find(&provider, &receipt.model);
    Ok(Paid { usage: receipt.reported.unwrap_or(receipt.predicted), price: row.price() })
}

async fn newest_model(data: &Storage, session: &SessionId) -> anyhow::Result<Option<ModelRecord>> {
    let newest = data.store.message_log().newest(session, "model").await?;
    Ok(newest.and_then(|record| match record.body {
        RecordBody::Model(reads) => Some(reads),
        _ => None,
    }))
}

async fn newest_receipt(data: &Storage, session: &SessionId) -> anyhow::Result<Option<Receipt>> {
    let newest = data.store.message_log().newest(session, "receipt").await?;
    Ok(newest.and_then(|record| match record.body {
        RecordBody::Receipt(receipt) => Some(*receipt),
        _ => None,
    }))
}

fn lines(report: &ContextReport, shares: &[Share], target: &CommandTarget, style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = |text: &str| lines.push(text.to_owned());
    line(&format!("{}  {}", style.bold("session"), target.handle.session));
    line(&window_bar::short(&report.window, 48, style));
    let at = |name: &str, tokens: Option<u64>| {
        tokens.map(|tokens| format!("{name} at {}", group_thousands(tokens)))
    };
    let reserved = format!("{} reserved for output", group_thousands(report.window.reserved_output));
    let limits = [Some(reserved), at("compact", report.compact_at), at("block", report.block_at)];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    line(&style.dim(&format!(
        "window {} tokens: {}",
        group_thousands(report.window.total),
        limits.join(", ")
    )));
    line("");
    grid(&report.window, style).iter().for_each(|text| line(text));
    line("");
    component_rows(report, shares).iter().for_each(|text| line(text));
    line("");

    let mut rows = vec![["LARGEST ITEMS", "TOKENS", "RECORD"].map(str::to_owned).to_vec()];
    for holder in &report.holders {
        let seq = holder.seq.map_or(String::from("-"), |seq| seq.to_string());
        rows.push(vec![plain(&holder.what), group_thousands(holder.tokens), seq]);
    }
    table(&rows).iter().for_each(|text| line(text));
    line("");
    match (&report.next, &report.why) {
        (Some(next), _) => next_lines(next).iter().for_each(|text| line(text)),
        (None, Some(why)) => line(&plain(&format!("A compaction now would not help: {why}."))),
        (None, None) => {}
    }
    lines
}

/// The components, with their cached share and their cost in the newest request.
fn component_rows(report: &ContextReport, shares: &[Share]) -> Vec<String> {
    let share_of_window = |tokens: u64| format!("{}%", percent(report.window.percentage(tokens)));
    let header = ["COMPONENT", "TOKENS", "SHARE", "CACHED", "COST (LAST REQUEST)"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(shares.iter().map(|share| {
        let cached = share.cached.saturating_mul(100).checked_div(share.tokens);
        let cached = cached.map_or("-".to_owned(), |percent| format!("{percent}%"));
        let dollars = share.dollars.map_or("-".to_owned(), dollars_text);
        vec![
            share.name.to_owned(),
            group_thousands(share.tokens),
            share_of_window(share.tokens),
            cached,
            dollars,
        ]
    }));
    let free = report.window.free();
    let free = ["free".to_owned(), group_thousands(free), share_of_window(free), "-".into(), "-".into()];
    rows.push(free.to_vec());
    table(&rows)
}

/// What the session has used and cost so far.
fn total_lines(totals: &Totals) -> [String; 2] {
    let cost = &totals.cost;
    let side = match cost.side_requests {
        0 => String::new(),
        side => format!(" ({} of them for summaries or stopped answers)", group_thousands(side)),
    };
    [
        format!(
            "{} requests{side} sent {} tokens, {}% of them read from the cache; {} compactions, {} results offloaded",
            group_thousands(cost.all_requests()),
            group_thousands(cost.usage.prompt()),
            cost.cached_percentage().unwrap_or(0),
            totals.compactions,
            totals.offloads
        ),
        format!("cost {}", cost_text(cost)),
    ]
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
            Action::ReplacePictures { message, .. } => {
                format!("pictures of record {message} are removed")
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

/// Satisfies the builder of an agent: a report sends no request.
#[derive(Debug)]
struct AbsentModel(ModelInfo);

#[async_trait]
impl LanguageModel for AbsentModel {
    fn info(&self) -> ModelInfo {
        self.0.clone()
    }

    async fn stream(&self, _request: &CompletionRequest) -> Result<EventStream, ModelError> {
        Err(ModelError::Unavailable {
            message: "this command calls no model".to_owned(),
            retry_after_ms: None,
        })
    }
}
