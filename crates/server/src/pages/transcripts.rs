//! The pages of one transcript of another agent. They look like those of a stored session, and change nothing.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use throughline_text::cut_end;

use super::answer_place::answer_of;
use super::compaction::compaction_body;
use super::layout::{PageFailure, Tabs, turner};
use super::part_conversation::part_conversation;
use super::requests::rows;
use super::text::{bytes, when};
use super::transcript_frame::{shown, shown_whole};
use super::transcript_overview::{compaction_rows, overview};
use crate::agent_label::agent_label;
use crate::app::App;
use crate::page::Page;
use crate::params::Params;
use crate::requests::{Numbered, split, whole};
use crate::sessions::Named;
use crate::transcripts::{OpenedTranscript, TranscriptPart, opened_diff, routes};

/// Bytes of a record that its page shows at once.
const SHOWN: usize = 200_000;

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
            (overview(part, &subs, page, Some(&address)))
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
    let address = format!("/transcripts/{}", opened.key);
    Ok(html! {
        div data-poll={ "/api" (address) } data-version=(version(opened)) data-live="conversation" {
            (tabs(opened, part, "Conversation"))
            (part_conversation(part, None, &address, params)?)
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
    Ok(answer_of(opened.part()?, number, &format!("/transcripts/{}", opened.key))?)
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
    let diff = opened_diff(opened.clone(), number).await?;
    let address = format!("/transcripts/{}", opened.key);
    let row = compactions.iter().find(|row| row.number == number).cloned().unwrap_or_default();
    Ok(html! {
        (tabs(&opened, part, ""))
        (compaction_body(&diff, &row, compactions.len() as u64, &address, true))
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
