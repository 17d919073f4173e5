//! The pages of one transcript of another agent. They look like those of a stored session, and change nothing.

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use throughline_providers::models::ModelTable;
use throughline_text::cut_end;

use super::compaction::compaction_body;
use super::conversation::ConversationPage;
use super::cost::causes;
use super::figures::figures;
use super::layout::{Crumb, PageAnswer, PageFailure, Tabs, page as frame, turner};
use super::overview::{CompactionRow, compaction_cards, cost_card, drawing, turns};
use super::requests::rows;
use super::text::{bytes, counted, figure, money, when};
use crate::app::App;
use crate::inspector::{Conversation, SaidKind, turn_rows};
use crate::page::Page;
use crate::params::Params;
use crate::requests::{Numbered, split, whole};
use crate::sessions::{Named, table};
use crate::transcripts::{OpenedTranscript, SubTranscript, TranscriptPart, agent_label, routes};

/// Bytes of a record that its page shows at once.
const SHOWN: usize = 200_000;

/// Warnings that are listed.
const WARNINGS: usize = 20;

fn title(part: &TranscriptPart) -> &str {
    if part.title.is_empty() { &part.id } else { &part.title }
}

/// The way to a page of a transcript.
fn way(opened: &OpenedTranscript, part: &TranscriptPart) -> Vec<Crumb> {
    vec![(throughline_text::headline(title(part), 40), format!("/transcripts/{}", opened.key))]
}

fn tabs(opened: &OpenedTranscript, part: &TranscriptPart, current: &str) -> Markup {
    Tabs::transcript(&opened.key).with(part.points.len()).show(current)
}

/// The overview of a transcript.
pub(crate) async fn transcript(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    key: Named,
) -> PageAnswer {
    let page = Page::read(&params)?;
    let opened = routes::opened(&app, key).await?;
    let subs = app.transcripts.subs(&opened).await?;
    let part = opened.part()?;
    let address = format!("/transcripts/{}", opened.key);
    let body = html! {
        div.under { (meta(&opened, part)) div.acts { button type="button" data-copy=(opened.found.file.path.display()) { "Copy path" } } }
        (tabs(&opened, part, "Overview"))
        @if let Some(parent) = &opened.parent { p.sub { "A " (kind(part)) " of " a href={ "/transcripts/" (parent) } { "its session" } } }
        div data-poll={ "/api" (address) } data-version=(version(&opened)) data-live="overview" {
            (overview(part, &subs, &table()?, page, Some(&address)))
        }
    };
    let crumbs =
        opened.parent.as_ref().map(|parent| ("session".to_owned(), format!("/transcripts/{parent}")));
    Ok(frame(title(part), &crumbs.into_iter().collect::<Vec<_>>(), &body))
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
    html! {
        (figures(&part.points, &rows, &compactions, table))
        (drawing(&part.points, address))
        div.two {
            div {
                (turns(&rows, page, &part.points, address))
                @if let Some(address) = address { (turner(page, rows.len(), address)) }
            }
            div {
                (cost_card(&part.causes(), address))
                (compaction_cards(&compactions, address))
                (sub_transcripts(subs, address.is_some()))
                (notes(part))
            }
        }
    }
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
        notes.extend(one.saved_usd.map(|saved| format!("saved {} of reading since", money(Some(saved)))));
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
            notes,
        }
    };
    part.compaction_objects().into_iter().map(row).collect()
}

fn sub_transcripts(subs: &[SubTranscript], has_links: bool) -> Markup {
    let sum = subs.iter().map(|sub| sub.figures.dollars).sum::<Option<f64>>();
    html! {
        @if !subs.is_empty() {
            section.card.subagents {
                div.heading { h2 { "Subagents" } span.sub { (subs.len()) } span.far.strong { (money(sum)) } }
                ul.tree { @for sub in subs { li {
                    span.what {
                        @let name = if sub.figures.title.is_empty() { sub.key.as_str() } else { sub.figures.title.as_str() };
                        @if has_links { a href={ "/transcripts/" (sub.key) } { (name) } } @else { (name) }
                        span.sub { " " (sub.kind) ", " (counted(sub.figures.requests, "request")) }
                    }
                    span.cost { (money(sub.figures.dollars)) }
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
        @if !part.warnings.is_empty() || audit.estimated_inputs > 0 || audit.copied > 0 {
            section.card.notes {
                div.heading { h2 { "What the file does not tell" } }
                ul.plain {
                    @if audit.estimated_inputs > 0 { li { "The input of " (counted(audit.estimated_inputs, "request")) " is an estimate: the file has no usage of it." } }
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
) -> PageAnswer {
    let opened = routes::opened(&app, key).await?;
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
    };
    let body = html! {
        (tabs(&opened, part, "Conversation"))
        div data-poll={ "/api" (address) } data-version=(version(&opened)) data-live="conversation" { (page.show(&params)?) }
    };
    Ok(frame("Conversation", &way(&opened, part), &body))
}

/// The requests of a transcript.
pub(crate) async fn transcript_requests(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    key: Named,
) -> PageAnswer {
    let page = Page::read(&params)?;
    let opened = routes::opened(&app, key).await?;
    let part = opened.part()?;
    let address = format!("/transcripts/{}", opened.key);
    let body = html! {
        (tabs(&opened, part, "Requests"))
        div data-poll={ "/api" (address) } data-version=(version(&opened)) data-live="requests" {
            (rows(page.of(&part.points), Some(&address)))
            (turner(page, part.points.len(), &format!("{address}/requests")))
        }
    };
    Ok(frame("Requests", &way(&opened, part), &body))
}

/// A request of a transcript: the file has its answer, so it is shown in the conversation.
pub(crate) async fn transcript_request(
    State(app): State<App>,
    named: Numbered,
) -> Result<Response, PageFailure> {
    let (key, number) = split(named);
    let (opened, number) = (routes::opened(&app, key).await?, whole(&number)?);
    let part = opened.part()?;
    let conversation = Conversation::of(&part.log, &part.points);
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

/// What a transcript cost.
pub(crate) async fn transcript_cost(State(app): State<App>, key: Named) -> PageAnswer {
    let opened = routes::opened(&app, key).await?;
    let part = opened.part()?;
    let address = format!("/transcripts/{}", opened.key);
    let has_prices = part.audit.unpriced_requests == 0;
    let body = html! {
        (tabs(&opened, part, "Cost"))
        section { h2 { "By cause" } (causes(&part.causes())) }
        section {
            h2 { "By tool" }
            table.rows.narrow {
                thead { tr { th { "Tool" } th.num { "Calls" } th.num { "Tokens" } @if has_prices { th.num { "Cost" } } } }
                tbody { @for tool in &part.audit.tools { tr {
                    td.lead { (tool.tool) }
                    td.num data-label="Calls" { (figure(tool.calls)) }
                    td.num data-label="Tokens" { (figure(tool.tokens)) }
                    @if has_prices { td.num data-label="Cost" { (money(Some(tool.dollars()))) } }
                } } }
            }
            p.sub { "A cost is that of all requests that had the calls and results, and of writing the calls. In parentheses: what is no tool." }
        }
        section {
            h2 { "Largest items" }
            table.rows {
                thead { tr { th { "Item" } th { "Tool" } th.num { "Turn" } th.num { "Tokens" } th.num { "Requests" } @if has_prices { th.num { "Cost" } } } }
                tbody { @for item in &part.audit.largest { tr data-row="" {
                    td.lead { @if item.turn > 0 { a href={ (address) "/conversation?turn=" (item.turn) "#turn-" (item.turn) } { (item.name) } } @else { (item.name) } }
                    td data-label="Tool" { (item.tool.as_deref().unwrap_or("–")) }
                    td.num data-label="Turn" { (item.turn) }
                    td.num data-label="Tokens" { (figure(item.tokens.round() as u64)) }
                    td.num data-label="Requests" { (figure(item.requests)) }
                    @if has_prices { td.num data-label="Cost" { (money(Some(item.dollars()))) } }
                } } }
            }
        }
        @if !part.audit.repeated_reads.is_empty() { section {
            h2 { "Files read again" }
            table.rows.narrow {
                thead { tr { th { "File" } th.num { "Reads" } @if has_prices { th.num { "Cost of the repeats" } } } }
                tbody { @for read in part.audit.repeated_reads.iter().take(25) { tr {
                    td.lead { code { (read.path) } }
                    td.num data-label="Reads" { (figure(read.reads)) }
                    @if has_prices { td.num data-label="Cost of the repeats" { (money(Some(read.dollars))) } }
                } } }
            }
        } }
    };
    Ok(frame("Cost", &way(&opened, part), &body))
}

/// What a compaction of a transcript took away.
pub(crate) async fn transcript_compaction(State(app): State<App>, named: Numbered) -> PageAnswer {
    let (key, number) = split(named);
    let number = whole(&number)?;
    let opened = routes::opened(&app, key).await?;
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
    let body = html! {
        (tabs(&opened, part, ""))
        (compaction_body(&diff, &row, compactions.len() as u64, &address))
    };
    Ok(frame(&format!("Compaction {number}"), &way(&opened, part), &body))
}

/// A record of a transcript.
pub(crate) async fn transcript_record(State(app): State<App>, named: Numbered) -> PageAnswer {
    let (key, number) = split(named);
    let number = whole(&number)?;
    let opened = routes::opened(&app, key).await?;
    let part = opened.part()?;
    let text = routes::text_of(&opened, number)?;
    let content = format!("/api/transcripts/{}/records/{number}/content", opened.key);
    let body = html! {
        (tabs(&opened, part, ""))
        p.acts { a href=(content) download={ "record-" (number) ".txt" } { "Download" } " " span.sub { (bytes(text.len() as u64)) } }
        pre.alone tabindex="0" aria-label="Text of the record" { (cut_end(&text, SHOWN)) }
        @if text.len() > SHOWN { p.sub { "… " (bytes((text.len() - SHOWN) as u64)) " more: the download has all." } }
    };
    Ok(frame(&format!("Record {number}"), &way(&opened, part), &body))
}
