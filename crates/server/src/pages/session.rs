//! One stored session: five figures, its window, its turns, and what it has cost.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::Value;
use throughline_connect::ModelTable;
use throughline_continuity::SessionSummary;
use throughline_conversation::{Record, RecordBody, Seq, SessionId, Source};
use throughline_stored::{SessionLog, receipts};

use super::agents;
use super::figures::FigureCards;
use super::layout::{PageFailure, Tabs, streamed, turner};
use super::overview::{CompactionRow, compaction_cards, cost_card, drawing, turns};
use super::session_table::badge;
use super::text::{counted, when};
use super::transcript_overview::overview;
use super::turn_state::turn_pill;
use super::why::why_card;
use crate::app::App;
use crate::inspector::{
    ContinuityState, SessionFigures, StoredLog, continuity_state, cost_causes, next_window, timeline,
    turn_rows,
};
use crate::page::Page;
use crate::params::Params;
use crate::sessions::{Named, known, summary, table};
use crate::turns::RunningTurn;

/// The page of a session. Its top comes before its log is read.
pub(crate) async fn session(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    id: Named,
) -> Result<Response, PageFailure> {
    let page = Page::read(&params)?;
    let id = known(&app.storage, id).await?;
    let session = summary(&app.storage, &id).await?;
    Ok(streamed(&title(&session), &[], body(app, page, id, session)))
}

/// What the log of a session says.
async fn body(app: App, page: Page, id: SessionId, session: SessionSummary) -> Result<Markup, PageFailure> {
    let state = continuity_state(&app.handle(&id), &session).await?;
    let log = app.log(&id).await?;
    let sub_agents = agents::section(&app, &session).await?;
    let running = app.turns.running(&id);
    let (requests, shown) = match app.mirror(&id, &log).await? {
        Some(part) => {
            let shown = overview(&part, &[], page, Some(&format!("/sessions/{id}")));
            (part.points.len(), html! { (shown) (stored_note()) (sub_agents) })
        }
        None => match sent_by_another(&log) {
            Some(note) => (0, html! { (note) (sub_agents) }),
            None => own_overview(&app, &id, &log, page, &sub_agents).await?,
        },
    };
    Ok(html! {
        div.under {
            div data-live="head" { (meta(&session, Some(&state), running.as_deref())) }
            (acts(&id))
        }
        div data-session=(id) data-last=(log.last) data-live="overview" {
            (Tabs::stored(id.as_str()).with(requests).of(&log).show("Overview"))
            (agents::parent(&session))
            (shown)
        }
        (live_turn(id.as_str(), running.is_some()))
    })
}

/// How many requests Throughline has sent for a session, and what they say.
async fn own_overview(
    app: &App,
    id: &SessionId,
    log: &StoredLog,
    page: Page,
    sub_agents: &Markup,
) -> Result<(usize, Markup), PageFailure> {
    let table = table()?;
    let points = timeline(&log.records, &table);
    let rows = turn_rows(&log.groups(), &points);
    let compactions = compaction_rows(log, &table);
    let address = format!("/sessions/{id}");
    let causes = cost_causes(&log.records, &table);
    let figures = SessionFigures::of_log(&log.records, &points, &rows, &table);
    let cards = FigureCards {
        figures: &figures,
        points: &points,
        turns: &rows,
        compactions: &compactions,
        next: next_window(&app.handle(id)).await,
        address: Some(&address),
    };
    let shown = html! {
        (cards.show())
        (why_card(&figures, &points, &causes, None, Some(&address)))
        (drawing(&points, Some(&address)))
        div.two {
            div {
                (turns(&rows, page, &points, &figures, Some(&address)))
                (turner(page, rows.len(), &address))
            }
            div {
                (cost_card(&causes, &figures, Some(&address)))
                (compaction_cards(&compactions, Some(&address)))
                (sub_agents)
            }
        }
    };
    Ok((points.len(), shown))
}

/// The buttons of a session.
fn acts(id: &SessionId) -> Markup {
    html! {
        div.acts {
            button type="button" data-ask="Instructions for the summary (may be empty)" data-field="instructions" data-post={ "/api/sessions/" (id) "/compactions" } { "Compact…" }
            details.menu {
                summary aria-label="More" { "⋯" }
                div.card {
                    button type="button" data-post={ "/api/sessions/" (id) "/contexts" } data-body="{}" { "Refresh context" }
                    button type="button" data-copy=(id) { "Copy id" }
                    a href={ "/api/sessions/" (id) "/export" } download { "Export" }
                    button.danger type="button" data-confirm=(id) data-delete={ "/api/sessions/" (id) } { "Delete…" }
                }
            }
        }
    }
}

/// The form that begins a turn, and the list of its events. The script fills it; without the script nothing of it is shown.
fn live_turn(id: &str, is_running: bool) -> Markup {
    html! {
        section.turn data-turn=(id) data-running[is_running] {
            details open[is_running] {
                summary { h2 { "Continue this session" } }
                form {
                    textarea name="prompt" rows="3" aria-label="Message" placeholder="Message (empty: continue the interrupted turn); Ctrl+Enter sends it" {}
                    div.acts {
                        button type="submit" { "Send" }
                        button type="button" data-cancel="" hidden { "Cancel" }
                    }
                }
                ol.events aria-live="polite" {}
            }
        }
    }
}

/// What a session is called.
pub(super) fn title(session: &SessionSummary) -> String {
    match session.info.title.as_str() {
        "" => session.info.id.to_string(),
        title => title.to_owned(),
    }
}

/// Where a session worked, with which model, and when, on one line.
pub(super) fn meta(
    session: &SessionSummary,
    state: Option<&ContinuityState>,
    running: Option<&RunningTurn>,
) -> Markup {
    html! {
        p.meta {
            @if let Some(turn) = running { (turn_pill(turn)) }
            @if let Some(state) = state { (badge(state)) }
            @if !session.info.model.is_empty() { span { (session.info.model) } }
            @if !session.info.workspace.is_empty() { code { (session.info.workspace) } }
            span { "began " (when(session.info.created)) }
            span.sub { (counted(session.records, "record")) }
        }
    }
}

/// What of another agent's transcript is not in the session that it is stored as.
fn stored_note() -> Markup {
    html! {
        p.sub { "Another agent has sent these requests, and its transcript states their usage. Its summaries, its subagents and the branches that its user has rewound are not stored: " code { "throughline report FILE" } " with its own file shows them." }
    }
}

/// Where the figures are of a session whose answers are all of another agent. `None`: Throughline has sent its requests.
pub(super) fn sent_by_another(log: &SessionLog) -> Option<Markup> {
    let is_answer = |record: &Record| matches!(&record.body, RecordBody::Message(said) if matches!(said.source, Source::Model(_)));
    let is_another = receipts(&log.records).next().is_none() && log.records.iter().any(is_answer);
    is_another.then(|| html! {
        section.card.wide {
            h2 { "Requests of another agent" }
            p.empty { "Another program has sent the requests of this session. " code { "throughline report FILE" } " with its own file shows them, their compactions, and what they cost." }
        }
    })
}

/// The compactions of a stored session with what each cost, oldest first.
pub(super) fn compaction_rows(log: &SessionLog, table: &ModelTable) -> Vec<CompactionRow> {
    let all = log.compaction_objects();
    let row = |one: &Value| {
        let number_of = |name: &str| one.get(name).and_then(Value::as_u64);
        let text = |name: &str| one.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let after = Seq(number_of("record").unwrap_or_default());
        let place = log.records.partition_point(|record| record.seq < after);
        let made =
            log.records.get(place..).unwrap_or_default().iter().find_map(|record| match &record.body {
                RecordBody::Receipt(receipt) => receipt.compaction.as_ref(),
                _ => None,
            });
        let dollars = made.and_then(|made| {
            let price = |used: &throughline_conversation::ModelUse| {
                let price = table.find(&used.origin.provider, &used.origin.model).price();
                price.dollars_of_sum(used.requests, used.usage).map(|(dollars, _)| dollars)
            };
            made.asked.iter().map(price).sum::<Option<f64>>().filter(|_| !made.asked.is_empty())
        });
        let mut notes = Vec::new();
        if let Some(made) = made {
            notes.extend(
                made.pays_back_after.map(|after| format!("paid back after {}", counted(after, "request"))),
            );
            notes.push(format!("{} → {} messages", made.before_messages, made.after_messages));
            notes.extend(made.authors.first().map(|author| format!("summary by {author}")));
        }
        CompactionRow {
            number: number_of("number").unwrap_or_default(),
            request: number_of("request"),
            why: text("reason"),
            before: number_of("before_tokens"),
            after: number_of("after_tokens"),
            undone: one.get("undone") == Some(&Value::Bool(true)),
            dollars,
            saved: None,
            notes,
        }
    };
    all.iter().map(row).collect()
}
