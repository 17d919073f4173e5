//! A session as one file: the same views, with the style in it and nothing that is loaded.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use throughline_connect::model_table;
use throughline_continuity::SessionSummary;
use throughline_stored::{Result, SessionHandle};

use super::assets::STYLE;
use super::documents::revisions;
use super::figures::FigureCards;
use super::layout::written;
use super::lost::lost_note;
use super::overview::{compaction_cards, cost_card, drawing, turns};
use super::report_requests::newest_in_pieces;
use super::requests::rows;
use super::session::{compaction_rows, meta, sent_by_another, title};
use super::text::{figure, time};
use super::why::why_card;
use crate::inspector::{SessionFigures, StoredLog, cost_causes, next_window, timeline, turn_rows};
use crate::page::Page;

/// Maximum number of requests that a report lists one by one; the drawing has all.
const REQUESTS: usize = 2_000;

/// The report on a session as HTML.
///
/// # Errors
/// The log or the table of models cannot be read.
pub async fn report_page(handle: &SessionHandle, session: &SessionSummary) -> Result<String> {
    let log = StoredLog::read(handle).await?;
    let table = model_table().map_err(|error| throughline_stored::Error::Other(error.into()))?;
    let points = timeline(&log.records, &table);
    let listed = points.get(points.len().saturating_sub(REQUESTS)..).unwrap_or_default();
    let mut documents = log.document_objects();
    documents.reverse();
    let rows_of_turns = turn_rows(&log.groups(), &points);
    let compactions = compaction_rows(&log, &table);
    let causes = cost_causes(&log.records, &table);
    let figures = SessionFigures::of_log(&log.records, &points, &rows_of_turns, &table);
    let cards = FigureCards {
        figures: &figures,
        points: &points,
        turns: &rows_of_turns,
        compactions: &compactions,
        next: next_window(handle).await,
        address: None,
    };
    let by_another = sent_by_another(&log);
    let in_pieces = newest_in_pieces(handle, &log, &points);
    let body = html! {
        (meta(session, None, None))
        (lost_note(&log.lost))
        @if let Some(note) = &by_another { (note) } @else {
            (cards.show())
            (why_card(&figures, &points, &causes, None, None))
            (drawing(&points, None))
            div.two {
                div { (turns(&rows_of_turns, Page::whole(), &points, &figures, None)) }
                div { (cost_card(&causes, &figures, None)) (compaction_cards(&compactions, None)) }
            }
        }
        section { h2 { "Documents" } (revisions(&documents, 0, documents.len())) }
        @if by_another.is_none() {
            section {
                h2 { "Requests" }
                @if listed.len() < points.len() { p.sub { "The newest " (figure(listed.len() as u64)) " of " (figure(points.len() as u64)) "." } }
                (rows(listed, None))
            }
            section { h2 { "Requests in pieces" } (in_pieces) }
        }
    };
    Ok(one_file(&title(session), &body))
}

/// A page as one file with its style in it.
pub(super) fn one_file(title: &str, body: &Markup) -> String {
    written(html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · Throughline" }
                style { (PreEscaped(STYLE)) }
            }
            body { main {
                h1 { (title) }
                p.sub { "Report of " (time(throughline_stored::now())) " UTC" }
                (body)
            } }
        }
    })
}
