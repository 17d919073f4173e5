//! The frame of every page.

use std::borrow::Cow;
use std::convert::Infallible;

use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Response};
use futures_util::stream::{self, StreamExt as _};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use throughline_continuity::SessionInfo;
use throughline_conversation::SessionId;
use throughline_stored::now;
use throughline_text::{headline, revealed};

use super::lost::lost_note;
use super::text::time;
use super::turn_state::turn_pill;
use crate::answer::Failure;
use crate::inspector::StoredLog;
use crate::page::Page;
use crate::turns::RunningTurn;

/// What a handler of a page answers.
pub(crate) type PageAnswer = Result<Html<String>, PageFailure>;

/// An error as a page.
#[derive(Debug)]
pub(crate) struct PageFailure(Failure);

impl<E: Into<Failure>> From<E> for PageFailure {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

/// The title of a page that cannot be shown.
const NOT_SHOWN: &str = "Not shown";

impl PageFailure {
    fn markup(&self) -> Markup {
        html! {
            p.problem { (self.0.message()) }
            p { a href="/" { "All sessions" } }
        }
    }
}

impl IntoResponse for PageFailure {
    fn into_response(self) -> Response {
        (self.0.status(), self.0.retry_header(), page(NOT_SHOWN, &[], &self.markup())).into_response()
    }
}

/// An error as the answer of a page.
pub(crate) fn failure_page(failure: Failure) -> Response {
    PageFailure(failure).into_response()
}

/// What the head of each page begins with.
fn head(title: &str, way: &[Crumb]) -> Markup {
    html! {
        meta charset="utf-8";
        meta name="viewport" content="width=device-width, initial-scale=1";
        title { (title) @for (text, _) in way.iter().rev() { " · " (text) } " · Throughline" }
    }
}

/// A refusal as the answer to a browser that may load nothing of this server but the style.
pub(crate) fn refused_page(failure: &Failure) -> Response {
    let status = failure.status();
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (head(NOT_SHOWN, &[]))
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/style.css";
            }
            body { main {
                h1 { (NOT_SHOWN) }
                @if status == StatusCode::UNAUTHORIZED {
                    p { "Open the address that the server printed at its start: it has the token. This browser does not need it again until it is closed." }
                }
                p.problem { (failure.message()) }
            } }
        }
    };
    (status, failure.retry_header(), Html(written(markup))).into_response()
}

/// Characters of a title on the way to a page.
pub(super) const CRUMB: usize = 40;

/// A link of the path to a page: text and address.
pub(super) type Crumb = (String, String);

/// The link to the page of a session.
pub(super) fn to_session(session: &SessionInfo) -> Crumb {
    let name = match session.title.as_str() {
        "" => session.id.to_string(),
        title => headline(title, CRUMB),
    };
    (name, format!("/sessions/{}", session.id))
}

/// The text of a page. Characters that are invisible or turn the text around them are shown by their number, wherever
/// they come from.
pub(super) fn written(markup: Markup) -> String {
    let text = markup.into_string();
    match revealed(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(text) => text,
    }
}

/// A page with its title and the way to it.
pub(super) fn page(title: &str, way: &[Crumb], body: &Markup) -> Html<String> {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (head(title, way))
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/style.css";
                script src="/script.js" defer {}
            }
            body {
                header.top {
                    nav.way aria-label="Path" {
                        a.brand href="/" { (mark()) "Throughline" }
                        @for (text, address) in way { span.sep aria-hidden="true" { "/" } a href=(address) { (text) } }
                    }
                    nav.more aria-label="Everything" { a href="/" { "Sessions" } a href="/memos" { "Memos" } a href="/preferences" { "Preferences" } }
                    form.search action="/search" method="get" role="search" {
                        input #q type="search" name="q" placeholder="Search  /" aria-label="Search all sessions";
                    }
                    button.help type="button" data-help="" aria-label="Keys" aria-haspopup="dialog" { "?" }
                }
                main {
                    @if !way.is_empty() { p.printed { @for (text, _) in way { (text) " · " } "printed " (time(now())) " UTC" } }
                    h1 dir="auto" { (title) }
                    (body)
                }
                dialog #keys aria-labelledby="keys-title" {
                    h2 #keys-title { "Keys" }
                    dl {
                        dt { kbd { "j" } " " kbd { "k" } } dd { "next and previous row" }
                        dt { kbd { "Enter" } } dd { "open the row" }
                        dt { kbd { "[" } " " kbd { "]" } } dd { "previous and next page or request" }
                        dt { kbd { "d" } } dd { "a request's changes, and back" }
                        dt { kbd { "u" } } dd { "one page up" }
                        dt { kbd { "/" } } dd { "search" }
                        dt { kbd { "?" } } dd { "this list" }
                        dt { kbd { "Esc" } } dd { "close" }
                    }
                }
                div #said role="status" aria-live="polite" {}
            }
        }
    };
    Html(written(markup))
}

/// Where the body of a page comes in its frame. A text of a page cannot have it: its angle brackets are escaped.
const BODY: &str = "<!--body-->";

/// A page whose top is sent before its body is made, so that something is painted while a long log is read. A failure of the
/// body is shown in its place.
pub(super) fn streamed(
    title: &str,
    way: &[Crumb],
    body: impl Future<Output = Result<Markup, PageFailure>> + Send + 'static,
) -> Response {
    let Html(frame) = page(title, way, &PreEscaped(BODY.to_owned()));
    let (top, foot) = frame.split_once(BODY).unwrap_or((&frame, ""));
    let (top, foot) = (top.to_owned(), foot.to_owned());
    let rest = async move {
        let body = body.await.unwrap_or_else(|failure| failure.markup());
        written(body) + &foot
    };
    let parts = stream::once(std::future::ready(top)).chain(stream::once(rest)).map(Ok::<_, Infallible>);
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], Body::from_stream(parts)).into_response()
}

/// The links to the pages of a list before and after this one. `address` ends where the parameters begin.
pub(super) fn turner(page: Page, total: usize, address: &str) -> Markup {
    let page = page.within(total);
    let (before, next) = page.around(total);
    let join = if address.contains('?') { '&' } else { '?' };
    html! {
        @if before.is_some() || next.is_some() {
            nav.turner aria-label="Pages of the list" {
                @if let Some(offset) = before { a rel="prev" href={ (address) (join) (page.query(offset)) } { "← earlier" } }
                span { (page.offset() + 1) " to " (next.unwrap_or(total)) " of " (total) }
                @if let Some(offset) = next { a rel="next" href={ (address) (join) (page.query(offset)) } { "later →" } }
            }
        }
    }
}

/// The tabs of a session's pages.
#[derive(Debug)]
pub(super) struct Tabs {
    address: String,
    is_stored: bool,
    requests: Option<usize>,
    turn: Markup,
    lost: Markup,
}

impl Tabs {
    /// Those of a stored session.
    pub(super) fn stored(id: &str) -> Self {
        Self::at(format!("/sessions/{id}"), true)
    }

    /// Those of a transcript.
    pub(super) fn transcript(key: &str) -> Self {
        Self::at(format!("/transcripts/{key}"), false)
    }

    fn at(address: String, is_stored: bool) -> Self {
        Self { address, is_stored, requests: None, turn: html! {}, lost: html! {} }
    }

    /// The same with the number of requests.
    pub(super) fn with(self, requests: usize) -> Self {
        Self { requests: Some(requests), ..self }
    }

    /// The same with a note about what of the log is lost, below the tabs.
    pub(super) fn of(self, log: &StoredLog) -> Self {
        Self { lost: lost_note(&log.lost), ..self }
    }

    /// The same with what the turn does that runs in the session.
    pub(super) fn running(self, turn: Option<&RunningTurn>) -> Self {
        let pill = html! { @if let Some(turn) = turn { a href=(self.address) { (turn_pill(turn)) } } };
        Self { turn: pill, ..self }
    }

    /// The tabs, of which one is the page's own; empty: none is.
    pub(super) fn show(&self, current: &str) -> Markup {
        let tabs = [
            ("Overview", ""),
            ("Conversation", "/conversation"),
            ("Requests", "/requests"),
            ("Cost", "/cost"),
            ("Turns", "/turns"),
            ("Results", "/results"),
            ("Documents", "/documents"),
            ("Summaries", "/summaries"),
            ("Contexts", "/contexts"),
            ("Checkpoints", "/checkpoints"),
        ];
        let shown = if self.is_stored { tabs.len() } else { 4 };
        html! {
            nav.tabs aria-label="Session" {
                @for (name, rest) in tabs.into_iter().take(shown) {
                    a href={ (self.address) (rest) } aria-current=[(name == current).then_some("page")] {
                        (name)
                        @if let (Some(requests), "Requests") = (self.requests, name) { " " span.sub { (requests) } }
                    }
                }
                @if self.is_stored { a href={ "/api" (self.address) "/export" } download { "Export" } }
                (self.turn)
            }
            (self.lost)
        }
    }
}

/// The tabs of a stored session's pages.
pub(super) fn tabs(id: &SessionId, log: &StoredLog, current: &str) -> Markup {
    Tabs::stored(id.as_str()).of(log).show(current)
}

/// The mark of the program.
fn mark() -> Markup {
    html! {
        svg.mark viewBox="0 0 30 12" aria-hidden="true" {
            path.mark-line d="M0 6h10M20 6h10" {}
            path.mark-point d="M15 1.5 19.5 6 15 10.5 10.5 6z" {}
        }
    }
}
