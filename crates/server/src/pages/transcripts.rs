//! The pages of one transcript of another agent. They look like those of a stored session, and change nothing.

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use throughline_completion::Dollars;
use throughline_providers::models::ModelTable;
use throughline_text::cut_end;

use super::compaction::compaction_body;
use super::conversation::ConversationPage;
use super::figures::{FigureCards, saved_text};
use super::layout::{PageFailure, Tabs, turner};
use super::overview::{CompactionRow, compaction_cards, cost_card, drawing, turns};
use super::requests::rows;
use super::text::{bytes, cost, counted, figure, when};
use super::transcript_frame::{shown, shown_whole};
use super::why::{Expense, why_card};
use crate::agent_label::agent_label;
use crate::app::App;
use crate::inspector::{Conversation, SaidKind, total, turn_rows};
use crate::page::Page;
use crate::params::Params;
use crate::requests::{Numbered, split, whole};
use crate::sessions::{Named, table};
use crate::transcripts::{OpenedTranscript, SubTranscript, TranscriptPart, routes};

/// Bytes of a record that its page shows at once.
const SHOWN: usize = 200_000;

/// Warnings that are listed.
const WARNINGS: usize = 20;

pub(super) fn tabs(opened: &OpenedTranscript, part: &TranscriptPart, current: &str) -> Markup {
    Tabs::transcript(&opened.key).with(part.points.len()).show(current)
}

/// The overview of a transcript.
pub(crate) async fn transcript(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    key: Named,
) -> Result<Response, PageFailure> {
    let page = Page::read(&params)?;
    shown(app, key, None, move |app, opened| overview_body(app, opened, page)).await
}

async fn overview_body(app: App, opened: OpenedTranscript, page: Page) -> Result<Markup, PageFailure> {
    let subs = app.transcripts.subs(&opened).await?;
    let part = opened.part()?;
    let address = format!("/transcripts/{}", opened.key);
    Ok(html! {
        div.under { (meta(&opened, part)) div.acts { button type="button" data-copy=(opened.found.file.path.display()) { "Copy path" } } }
        div data-poll={ "/api" (address) } data-version=(version(&opened)) data-live="overview" {
            (tabs(&opened, part, "Overview"))
            @if let Some(parent) = &opened.parent { p.sub { "A " (kind(part)) " of " a href={ "/transcripts/" (parent) } { "its session" } } }
            (overview(part, &subs, &table()?, page, Some(&address)))
        }
    })
}

fn kind(part: &TranscriptPart) -> &'static str {
    match part.kind {
        throughline_audit::SessionPart::Rewound => "rewound branch",
        _ => "subagent",
    }
}

/// What the script compares to see that a file has changed.
fn version(opened: &OpenedTranscript) -> String {
    opened.found.bytes.to_string()
}

/// The figures, the drawing, the turns and what they cost. Without `address` for a report.
pub(super) fn overview(
    part: &TranscriptPart,
    subs: &[SubTranscript],
    table: &ModelTable,
    page: Page,
    address: Option<&str>,
) -> Markup {
    let compactions = compaction_rows(part);
    let rows = turn_rows(&part.log.groups(), &part.points);
    let (figures, causes) = (part.figures(&rows, table), part.causes());
    let cards = FigureCards {
        figures: &figures,
        points: &part.points,
        turns: &rows,
        compactions: &compactions,
        next: None,
        address,
    };
    html! {
        (cards.show())
        (why_card(&figures, &part.points, &causes, dearest(part).as_ref(), address))
        (drawing(&part.points, address))
        div.two {
            div {
                (turns(&rows, page, &part.points, &figures, address))
                @if let Some(address) = address { (turner(page, rows.len(), address)) }
            }
            div {
                (cost_card(&causes, &figures, address))
                (compaction_cards(&compactions, address))
                (sub_transcripts(subs, address.is_some()))
                (notes(part))
            }
        }
    }
}

/// What of the calls was paid most for: the repeats of a file, or a tool.
fn dearest(part: &TranscriptPart) -> Option<Expense> {
    let read = part.audit.repeated_reads.first().map(|read| Expense {
        what: format!("{} was read {} times", last_part(&read.path), read.reads),
        dollars: read.dollars,
    });
    let tool = part.tools().into_iter().find(|tool| !tool.tool.starts_with('(')).map(|tool| Expense {
        what: format!("Calls of {} and their results", tool.tool),
        dollars: tool.dollars(),
    });
    // A tool has more in it than a file, and says less.
    let floor = part.audit.dollars / 50.0;
    let found = [read, tool].into_iter().flatten().find(|one| one.dollars > floor);
    found.filter(|_| part.dollars() != Dollars::Unknown)
}

/// The name of a file without its folders.
fn last_part(path: &str) -> &str {
    path.rsplit('/').find(|name| !name.is_empty()).unwrap_or(path)
}

/// Where and with what the agent worked.
fn meta(opened: &OpenedTranscript, part: &TranscriptPart) -> Markup {
    html! {
        p.meta {
            span.pill { (agent_label(opened.read.format)) }
            @if !part.model.is_empty() { span { (part.model) } }
            @if let Some(folder) = &opened.read.folder { code { (folder.display()) } }
            @if let Some((first, last)) = part.times() { span { "began " (when(first)) } span { "last " (when(last)) } }
            span.sub title=(opened.found.file.path.display()) { (bytes(opened.found.bytes)) ", read only" }
        }
    }
}

/// The compactions of a transcript with what each cost, oldest first.
pub(super) fn compaction_rows(part: &TranscriptPart) -> Vec<CompactionRow> {
    let row = |one: crate::transcripts::TranscriptCompaction| {
        let mut notes = Vec::new();
        notes.extend(one.saved_usd.map(saved_text));
        notes.push(match one.summary.is_empty() {
            true => "the file has no summary of it".to_owned(),
            false => "the agent's own summary".to_owned(),
        });
        notes.extend(one.context.map(|context| match context {
            "delivered" => "Throughline's context arrived".to_owned(),
            "late" => "Throughline's context arrived after an answer".to_owned(),
            "pending" => "no answer since".to_owned(),
            _ => "no context of Throughline".to_owned(),
        }));
        CompactionRow {
            number: one.number,
            request: one.request,
            why: String::new(),
            before: one.before_tokens,
            after: one.after_tokens,
            undone: false,
            dollars: one.written_usd,
            saved: one.saved_usd,
            notes,
        }
    };
    part.compaction_objects().into_iter().map(row).collect()
}

fn sub_transcripts(subs: &[SubTranscript], has_links: bool) -> Markup {
    let sum = total(subs.iter().map(|sub| sub.figures.dollars));
    html! {
        @if !subs.is_empty() {
            section.card.subagents {
                div.heading { h2 { "Subagents" } span.sub { (subs.len()) } span.far.strong { (cost(sum)) } }
                ul.tree { @for sub in subs { li {
                    span.what {
                        @let name = if sub.figures.title.is_empty() { sub.key.as_str() } else { sub.figures.title.as_str() };
                        @if has_links { a href={ "/transcripts/" (sub.key) } { (name) } } @else { (name) }
                        span.sub { " " (sub.kind) ", " (counted(sub.figures.requests, "request")) }
                    }
                    span.cost { (cost(sub.figures.dollars)) }
                } } }
                p.sub { "Not part of the figures above." }
            }
        }
    }
}

/// What of the file is missing.
fn notes(part: &TranscriptPart) -> Markup {
    let audit = &part.audit;
    html! {
        @if !part.warnings.is_empty() || audit.estimated_inputs + audit.estimated_outputs > 0 || audit.copied > 0 || audit.earlier > 0 {
            section.card.notes {
                div.heading { h2 { "What the file does not tell" } }
                ul.plain {
                    @if audit.earlier > 0 { li { "The file begins in the middle of a conversation: " (figure(audit.earlier)) " tokens of its first request are earlier conversation that it does not have." } }
                    @if audit.estimated_inputs > 0 { li { "The input of " (counted(audit.estimated_inputs, "request")) " is an estimate: the file has no usage of it." } }
                    @if audit.estimated_outputs > 0 { li { "The output of " (counted(audit.estimated_outputs, "request")) " is an estimate, marked with ≈: the file has no usage of it, or only the first count of a stream." } }
                    @if audit.copied > 0 { li { (counted(audit.copied, "answer")) " came from another session and cost nothing here." } }
                    @for warning in part.warnings.iter().take(WARNINGS) { li { (warning) } }
                    @if part.warnings.len() > WARNINGS { li { "… and " (part.warnings.len() - WARNINGS) " more" } }
                }
            }
        }
    }
}

/// The conversation of a transcript.
pub(crate) async fn transcript_conversation(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    key: Named,
) -> Result<Response, PageFailure> {
    let body = move |_, opened| async move { conversation_body(&opened, &params) };
    shown(app, key, Some("Conversation".to_owned()), body).await
}

fn conversation_body(opened: &OpenedTranscript, params: &Params) -> Result<Markup, PageFailure> {
    let part = opened.part()?;
    let turns = turn_rows(&part.log.groups(), &part.points);
    let compactions = compaction_rows(part);
    let address = format!("/transcripts/{}", opened.key);
    let page = ConversationPage {
        address: &address,
        log: &part.log,
        points: &part.points,
        turns: &turns,
        compactions: &compactions,
        lost: &[],
        next: None,
    };
    Ok(html! {
        div data-poll={ "/api" (address) } data-version=(version(opened)) data-live="conversation" {
            (tabs(opened, part, "Conversation"))
            (page.show(params)?)
        }
    })
}

/// The requests of a transcript.
pub(crate) async fn transcript_requests(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    key: Named,
) -> Result<Response, PageFailure> {
    let page = Page::read(&params)?;
    let body = move |_, opened| async move { requests_body(&opened, page) };
    shown(app, key, Some("Requests".to_owned()), body).await
}

fn requests_body(opened: &OpenedTranscript, page: Page) -> Result<Markup, PageFailure> {
    let part = opened.part()?;
    let address = format!("/transcripts/{}", opened.key);
    Ok(html! {
        div data-poll={ "/api" (address) } data-version=(version(opened)) data-live="requests" {
            (tabs(opened, part, "Requests"))
            (rows(page.within(part.points.len()).of(&part.points), Some(&address)))
            (turner(page, part.points.len(), &format!("{address}/requests")))
        }
    })
}

/// A request of a transcript: the file has its answer, so it is shown in the conversation.
pub(crate) async fn transcript_request(
    State(app): State<App>,
    named: Numbered,
) -> Result<Response, PageFailure> {
    let (key, number) = split(named);
    let (opened, number) = (routes::opened(&app, key).await?, whole(&number)?);
    let part = opened.part()?;
    let conversation = Conversation::of(&part.log, &[], &part.points);
    let is_asked =
        |kind: &SaidKind<'_>| matches!(kind, SaidKind::Answer(_, Some(point)) if point.request == number);
    if !conversation.items.iter().any(|item| is_asked(&item.kind)) {
        let last = part.points.len();
        let why = format!("the transcript has no request {number}; its requests are 1 to {last}");
        return Err(crate::answer::Failure::missing(why).into());
    }
    let place = format!("/transcripts/{}/conversation?request={number}#request-{number}", opened.key);
    Ok(Redirect::to(&place).into_response())
}

/// What a compaction of a transcript took away.
pub(crate) async fn transcript_compaction(
    State(app): State<App>,
    named: Numbered,
) -> Result<Response, PageFailure> {
    let (key, number) = split(named);
    let number = whole(&number)?;
    let body = move |_, opened| compaction_of(opened, number);
    shown_whole(app, key, format!("Compaction {number}"), body).await
}

async fn compaction_of(opened: OpenedTranscript, number: u64) -> Result<Markup, PageFailure> {
    let part = opened.part()?;
    let compactions = compaction_rows(part);
    let diff = {
        let opened = opened.clone();
        let made = tokio::task::spawn_blocking(move || routes::diff(&opened, number)).await;
        made.unwrap_or_else(|error| {
            Err(crate::answer::Failure::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
        })?
    };
    let address = format!("/transcripts/{}", opened.key);
    let row = compactions.iter().find(|row| row.number == number).cloned().unwrap_or_default();
    Ok(html! {
        (tabs(&opened, part, ""))
        (compaction_body(&diff, &row, compactions.len() as u64, &address))
    })
}

/// A record of a transcript.
pub(crate) async fn transcript_record(
    State(app): State<App>,
    named: Numbered,
) -> Result<Response, PageFailure> {
    let (key, number) = split(named);
    let number = whole(&number)?;
    let body = move |_, opened| async move { record_body(&opened, number) };
    shown_whole(app, key, format!("Record {number}"), body).await
}

fn record_body(opened: &OpenedTranscript, number: u64) -> Result<Markup, PageFailure> {
    let part = opened.part()?;
    let text = routes::text_of(opened, number)?;
    let content = format!("/api/transcripts/{}/records/{number}/content", opened.key);
    Ok(html! {
        (tabs(opened, part, ""))
        p.acts { a href=(content) download={ "record-" (number) ".txt" } { "Download" } " " span.sub { (bytes(text.len() as u64)) } }
        pre.alone tabindex="0" aria-label="Text of the record" { (cut_end(&text, SHOWN)) }
        @if text.len() > SHOWN { p.sub { "… " (bytes((text.len() - SHOWN) as u64)) " more: the download has all." } }
    })
}
