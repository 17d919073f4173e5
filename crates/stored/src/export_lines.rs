//! The log as JSON lines: a line for each record and each context, and one for each that is lost.

use std::io::Write;

use serde_json::json;
use throughline_continuity::{LogPage, Pages, Part};
use throughline_conversation::{Seq, SessionId};
use throughline_text::one_line_json;

use crate::error::{Error, Result};
use crate::handle::SessionHandle;
use crate::storage::Storage;

/// Maximum number of lost records of one gap that have a line each. A larger gap has one line.
const LINES: u64 = 100_000;

/// Writes the log page by page, so that it is never in memory as a whole, and the contexts of it that were restored. What is
/// lost has a line in its place, and is noted.
///
/// # Errors
/// The log cannot be read; or `out` cannot be written: [`Error::Other`] with the `std::io::Error`.
pub async fn export_lines(data: &Storage, session: &SessionId, out: &mut (dyn Write + Send)) -> Result<()> {
    let (log, mut written) = (data.log(), Seq(0));
    let mut pages = Pages::new(log.as_ref(), session, Part::All);
    while let Some(page) = pages.next().await? {
        data.note_lost(&page.unreadable);
        for (seq, line) in lines(&page, written)? {
            writeln!(out, "{line}").map_err(|error| Error::Other(error.into()))?;
            written = seq;
        }
    }
    let (contexts, lost) = SessionHandle::new(data.clone(), session.clone()).readable_contexts().await;
    let contexts = contexts.iter().map(|context| json!({ "context": context }));
    let lost = lost.map(|why| json!({ "context": { "sessionId": session, "damaged": why } }));
    for line in contexts.chain(lost) {
        let line = one_line_json(&line.to_string());
        writeln!(out, "{line}").map_err(|error| Error::Other(error.into()))?;
    }
    Ok(())
}

/// The lines of a page after a place, in order.
fn lines(page: &LogPage, after: Seq) -> Result<Vec<(Seq, String)>> {
    let mut lines = Vec::new();
    for record in &page.records {
        lines.push((record.seq, one_line_json(&serde_json::to_string(record)?)));
    }
    for lost in &page.unreadable {
        let (first, last) = (lost.span.first.max(after.next()), lost.span.last);
        if first > last {
            continue;
        }
        if last.0 - first.0 >= LINES {
            let line = json!({ "seq": first, "through": last, "damaged": lost.why });
            lines.push((last, line.to_string()));
            continue;
        }
        for seq in first.0..=last.0 {
            lines.push((Seq(seq), json!({ "seq": seq, "damaged": lost.why }).to_string()));
        }
    }
    lines.sort_by_key(|(seq, _)| *seq);
    lines.dedup_by_key(|(seq, _)| *seq);
    Ok(lines)
}
