//! The list of sessions, for a picker and as a table.

use std::path::Path;

use throughline_commands::{CommandTarget, age, cost_cell, folder_cell};
use throughline_completion::{Cost, Dollars};
use throughline_connect::model_table;
use throughline_continuity::{MessageLog, SessionDirectory, SessionSummary};
use throughline_conversation::{EntryKind, RecordBody, SessionId};
use throughline_session::answer_text;
use throughline_stored::{SessionCost, Storage, now};
use throughline_terminal::table as aligned;
use throughline_terminal::window_bar::percent;
use throughline_text::{cut_end, error_chain, headline};
use throughline_tui::{PRICE_UNKNOWN, Picker, PickerRow, dollars_in_line};

/// Maximum number of sessions in the picker; `throughline sessions` lists all.
const OFFERED: usize = 200;
/// How many of them have their cost and their last message in the picker.
const DETAILED: usize = 50;
/// Bytes of a message in a preview.
const TEXT: usize = 600;
/// Messages in a preview.
const MESSAGES: usize = 6;

/// The picker: the sessions of this folder, and on request the others, each with its age, branch, context and cost. The open one is
/// not offered.
pub(super) async fn picker(
    data: &Storage,
    workspace: &Path,
    open: Option<&SessionId>,
    id: &str,
    search: String,
) -> anyhow::Result<Picker> {
    let here = workspace.display().to_string();
    let all = data.store.sessions().list().await?;
    let all = all.into_iter().filter(|session| session.exchanges > 0 && session.parent.is_none());
    let (own, others): (Vec<_>, Vec<_>) = all.partition(|session| session.info.workspace == here);
    let others: Vec<_> = others.iter().filter(|session| open != Some(&session.info.id)).collect();
    let own: Vec<_> = own.iter().filter(|session| open != Some(&session.info.id)).collect();
    let offered: Vec<&SessionSummary> = own.iter().chain(&others).copied().take(OFFERED).collect();
    let detailed: Vec<SessionSummary> = offered.iter().copied().take(DETAILED).cloned().collect();
    let costs = data.session_costs(&detailed, &model_table()?).await.unwrap_or_default();
    let mut rows = Vec::new();
    for (at, session) in offered.into_iter().enumerate() {
        rows.push(row(data, session, &here, costs.get(at)).await);
    }
    let first = if own.is_empty() { rows.len() } else { own.len().min(rows.len()) };
    let more = rows.split_off(first);
    Ok(Picker {
        id: id.to_owned(),
        title: "Resume a session".to_owned(),
        columns: ["TITLE", "AGE", "BRANCH", "CONTEXT", "COST"].map(str::to_owned).to_vec(),
        figures: vec![1, 3, 4],
        rows,
        more,
        renames: true,
        previews: true,
        search,
        ..Picker::default()
    })
}

/// A session. With its cost its last message is read, which takes time.
async fn row(data: &Storage, session: &SessionSummary, here: &str, spent: Option<&SessionCost>) -> PickerRow {
    let info = &session.info;
    let title = if info.title.is_empty() { info.id.to_string() } else { headline(&info.title, 120) };
    let elsewhere = Path::new(&info.workspace).file_name().map(|name| name.to_string_lossy().into_owned());
    let branch = if info.workspace == here {
        branch(data, &info.id).await.unwrap_or_default()
    } else {
        format!("in {}", elsewhere.unwrap_or_default())
    };
    let (mut context, mut cost, mut notes) = (String::new(), String::new(), Vec::new());
    if let Some(spent) = spent {
        context = used(data, &info.id).await.unwrap_or_default();
        cost = dollars(&spent.own);
        notes.extend(last_words(data, &info.id).await.map(|text| format!("last  {text}")));
    }
    PickerRow {
        id: info.id.to_string(),
        cells: vec![title, age(now(), session.last_activity), branch, context, cost],
        notes,
        preview: None,
    }
}

/// How much of its window the session uses: the newest request, as its receipt measured it, or with its answer, where the provider
/// has reported that.
async fn used(data: &Storage, session: &SessionId) -> Option<String> {
    let log = data.store.message_log();
    let record = log.newest(session, "receipt").await.ok()??;
    let RecordBody::Receipt(receipt) = record.body else { return None };
    let tokens = match log.newest(session, "message").await.ok()?.map(|record| record.body) {
        Some(RecordBody::Message(said)) => said.usage.filter(|usage| usage.prompt() > 0),
        _ => None,
    };
    let tokens =
        tokens.map_or(receipt.window.used.total(), |usage| usage.prompt().saturating_add(usage.output));
    Some(format!("{}%", percent(receipt.window.percentage(tokens))))
}

fn dollars(cost: &Cost) -> String {
    match cost.dollars() {
        _ if cost.all_requests() == 0 => "-".to_owned(),
        Dollars::Exact(dollars) => dollars_in_line(dollars, false),
        Dollars::AtLeast(dollars) => dollars_in_line(dollars, true),
        Dollars::Unknown => PRICE_UNKNOWN.to_owned(),
    }
}

/// The beginning of its newest message.
async fn last_words(data: &Storage, session: &SessionId) -> Option<String> {
    let record = data.store.message_log().newest(session, "message").await.ok()??;
    let RecordBody::Message(said) = record.body else { return None };
    // Marks of Markdown say nothing in a row.
    let text = answer_text(&said.message.text()).replace("**", "").replace('`', "");
    (!text.trim().is_empty()).then(|| headline(&text, TEXT))
}

/// The branch of its newest checkpoint.
async fn branch(data: &Storage, session: &SessionId) -> Option<String> {
    let record = data.store.message_log().newest(session, "checkpoint").await.ok()??;
    let RecordBody::Checkpoint(checkpoint) = record.body else { return None };
    let branch = checkpoint.handoff?.get("branch")?.as_str()?.to_owned();
    (!branch.is_empty()).then_some(branch)
}

/// The newest messages of a session.
pub(super) async fn preview(data: &Storage, row: &str) -> String {
    let Ok(session) = SessionId::new(row) else { return String::new() };
    match CommandTarget::new(data.clone(), session).handle.log().await {
        Ok(log) => {
            let entries = log.view.entries();
            let newest = entries.iter().skip(entries.len().saturating_sub(MESSAGES));
            let shown = newest.filter_map(|entry| {
                let who = match entry.kind {
                    EntryKind::User => "you",
                    EntryKind::Assistant => "model",
                    EntryKind::Summary => "summary",
                    EntryKind::Results | EntryKind::Notice => return None,
                };
                let text = entry.message.request_text();
                (!text.trim().is_empty()).then(|| format!("{who}: {}", cut_end(text.trim(), TEXT)))
            });
            shown.collect::<Vec<_>>().join("\n\n")
        }
        Err(error) => error_chain(&error),
    }
}

/// The sessions as a table.
pub(super) async fn table(data: &Storage) -> anyhow::Result<String> {
    let mut all = data.store.sessions().list().await?;
    all.retain(|session| session.exchanges > 0 && session.parent.is_none());
    let costs = data.session_costs(&all, &model_table()?).await?;
    let header = ["SESSION", "AGE", "TURNS", "REQUESTS", "COST", "FOLDER", "TITLE"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let time = now();
    rows.extend(all.iter().zip(&costs).map(|(session, cost)| {
        vec![
            session.info.id.to_string(),
            age(time, session.last_activity),
            session.exchanges.to_string(),
            session.requests.to_string(),
            cost_cell(&cost.own),
            folder_cell(&session.info.workspace),
            headline(&session.info.title, 60),
        ]
    }));
    Ok(if rows.len() == 1 { "No sessions yet.".to_owned() } else { aligned(&rows).join("\n") })
}
