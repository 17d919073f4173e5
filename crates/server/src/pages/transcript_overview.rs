//! The overview of a transcript: its figures, its turns and its compactions, and what each cost.

use maud::{Markup, html};
use throughline_completion::Dollars;

use super::figures::{FigureCards, saved_text};
use super::layout::turner;
use super::overview::{CompactionRow, compaction_cards, cost_card, drawing, turns};
use super::text::{cost, counted, figure};
use super::why::{Expense, why_card};
use crate::inspector::{total, turn_rows};
use crate::page::Page;
use crate::transcripts::{SubTranscript, TranscriptCompaction, TranscriptPart};

/// Warnings that are listed.
const WARNINGS: usize = 20;

/// The figures, the drawing, the turns and what they cost. Without `address` for a report.
pub(super) fn overview(
    part: &TranscriptPart,
    subs: &[SubTranscript],
    page: Page,
    address: Option<&str>,
) -> Markup {
    let compactions = compaction_rows(part);
    let rows = turn_rows(&part.log.groups(), &part.points);
    let (figures, causes) = (part.figures(&rows), part.causes());
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

/// The compactions of a transcript with what each cost, oldest first.
pub(super) fn compaction_rows(part: &TranscriptPart) -> Vec<CompactionRow> {
    let row = |one: TranscriptCompaction| {
        let mut notes = Vec::new();
        notes.extend(one.saved_usd.map(saved_text));
        notes.push(match one.summary.is_empty() {
            true => "its summary is not recorded".to_owned(),
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
