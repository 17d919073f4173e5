//! A request next to the one before it.

use axum::extract::State;
use maud::{Markup, html};
use similar::{ChangeTag, TextDiff};

use super::layout::{PageAnswer, page as frame, tabs, to_session};
use super::request::last_request;
use super::text::{figure, shown};
use crate::app::App;
use crate::inspector::{RequestPiece, request_pieces};
use crate::requests::{Numbered, split, whole};
use crate::sessions::stored;

/// Maximum number of lines of a comparison.
const LINES: usize = 2_000;

/// What a request has that the one before did not have, and the other way round.
pub(crate) async fn request_diff(State(app): State<App>, named: Numbered) -> PageAnswer {
    let (id, number) = split(named);
    let session = stored(&app.storage, id).await?;
    let id = session.id.clone();
    let number = whole(&number)?;
    let log = app.log(&id).await?;
    let handle = app.handle(&id);
    let (_, after) = request_pieces(&handle, &log.records, Some(number))?;
    let before = match number {
        ..=1 => Vec::new(),
        _ => request_pieces(&handle, &log.records, Some(number - 1))?.1,
    };
    let own = format!("/sessions/{id}");
    let body = html! {
        (tabs(&id, &log, ""))
        nav.turner aria-label="Requests" {
            @if number > 1 { a rel="prev" href={ (own) "/requests/" (number - 1) "/diff" } { "← request " (number - 1) } }
            a data-key="d" href={ (own) "/requests/" (number) } { "request " (number) " piece by piece" }
            @if last_request(&log) > number { a rel="next" href={ (own) "/requests/" (number + 1) "/diff" } { "request " (number + 1) " →" } }
        }
        (comparison(&before, &after, LINES))
    };
    let way = [to_session(&session), (format!("Request {number}"), format!("{own}/requests/{number}"))];
    Ok(frame(&format!("What request {number} changed"), &way, &body))
}

/// What differs between two requests, in at most this many lines.
pub(super) fn comparison(before: &[RequestPiece], after: &[RequestPiece], most: usize) -> Markup {
    let same = before.iter().zip(after).take_while(|(one, other)| one.text == other.text).count();
    let tokens: u64 = after.iter().take(same).map(|piece| piece.tokens).sum();
    let rest = |pieces: &[RequestPiece]| -> String {
        let texts = pieces
            .iter()
            .skip(same)
            .map(|piece| format!("── {} {}\n{}\n", piece.kind, piece.name, shown(&piece.text)));
        texts.collect()
    };
    html! {
        p { @if same == 1 { "The first piece" } @else { "The first " (figure(same as u64)) " pieces" } ", " (figure(tokens)) " tokens, " @if same == 1 { "is" } @else { "are" } " the same in both." }
        (changed_lines(&rest(before), &rest(after), most))
    }
}

/// The lines of two texts, with what was added and removed, in at most this many lines.
pub(super) fn changed_lines(before: &str, after: &str, most: usize) -> Markup {
    let diff = TextDiff::from_lines(before, after);
    let changes: Vec<(&str, &str, &str)> = diff
        .iter_all_changes()
        .map(|change| match change.tag() {
            ChangeTag::Insert => ("added", "+ ", change.value()),
            ChangeTag::Delete => ("removed", "− ", change.value()),
            ChangeTag::Equal => ("same", "  ", change.value()),
        })
        .collect();
    html! {
        @if changes.is_empty() { p.empty { "Nothing else differs." } } @else {
            pre.diff tabindex="0" { @for (class, sign, line) in changes.iter().take(most) { span.(class) { (sign) (line) } } }
        }
        @if changes.len() > most { p.sub { "… " (figure((changes.len() - most) as u64)) " more lines" } }
    }
}
