//! A transcript as one file: the same views, with the style in it and nothing that is loaded.

use std::path::Path;

use maud::html;
use throughline_connect::model_table;
use throughline_stored::{Error, Result};
use throughline_text::error_chain;

use super::cost::causes;
use super::report::one_file;
use super::requests::rows;
use super::text::{cost, figure, money};
use super::transcript_overview::overview;
use crate::agent_label::agent_label;
use crate::page::Page;
use crate::transcripts::{TranscriptPart, read_file};

/// Maximum number of requests that are listed.
const REQUESTS: usize = 2_000;

/// The report on a transcript of another agent as HTML.
///
/// # Errors
/// The file cannot be read, is no recording, or the table of models cannot be read.
pub fn report_transcript(path: &Path) -> Result<String> {
    let table = model_table().map_err(|error| Error::Other(error.into()))?;
    let read = read_file(path, &table).map_err(|error| Error::Usage(error_chain(&error)))?;
    let Some(part) = read.parts.first() else {
        return Err(Error::Usage(format!("nothing was said in {}", path.display())));
    };
    let name =
        |part: &TranscriptPart| if part.title.is_empty() { part.id.clone() } else { part.title.clone() };
    let listed = part.points.get(part.points.len().saturating_sub(REQUESTS)..).unwrap_or_default();
    let body = html! {
        p.meta {
            span.pill { (agent_label(read.format)) }
            @if !part.model.is_empty() { span { (part.model) } }
            @if let Some(folder) = &read.folder { code { (folder.display()) } }
        }
        (overview(part, &[], Page::whole(), None))
        section { h2 { "Cost by cause" } (causes(&part.causes(), &part.figures(&[]), None)) }
        section {
            h2 { "Cost by tool" }
            table.rows.narrow {
                thead { tr { th { "Tool" } th.num { "Calls" } th.num { "Tokens" } th.num { "Cost" } } }
                tbody { @for tool in part.tools() { tr {
                    td.lead { (tool.tool) }
                    td.num { (figure(tool.calls)) }
                    td.num { (figure(tool.tokens)) }
                    td.num { (money(part.dollars().at_least().map(|_| tool.dollars()))) }
                } } }
            }
        }
        @if read.parts.len() > 1 { section {
            h2 { "Subagents and rewound branches in the same file" }
            table.rows.narrow {
                thead { tr { th { "Task" } th.num { "Requests" } th.num { "Cost" } } }
                tbody { @for other in read.parts.iter().skip(1) { tr {
                    td.lead { (name(other)) }
                    td.num { (figure(other.audit.requests)) }
                    td.num { (cost(other.dollars())) }
                } } }
            }
        } }
        section {
            h2 { "Requests" }
            @if listed.len() < part.points.len() { p.sub { "The newest " (figure(listed.len() as u64)) " of " (figure(part.points.len() as u64)) "." } }
            (rows(listed, None))
        }
    };
    Ok(one_file(&name(part), &body))
}
