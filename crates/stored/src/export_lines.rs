//! The log as JSON lines: a line for each record and each context, and one for each that is lost.

use std::io::Write;

use serde_json::json;
use throughline_continuity::{LogPage, Part};
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
    let mut export = LogExport::new(data.clone(), session.clone());
    while let Some(lines) = export.next().await? {
        out.write_all(lines.as_bytes()).map_err(|error| Error::Other(error.into()))?;
    }
    Ok(())
}

/// The lines of [`export_lines`], a page at a time.
#[derive(Debug)]
pub struct LogExport {
    data: Storage,
    session: SessionId,
    next: Next,
    /// The last place that has a line.
    written: Seq,
}

#[derive(Debug, Clone, Copy)]
enum Next {
    /// The page behind this record.
    Page(Seq),
    Contexts,
    End,
}

impl LogExport {
    /// From the first record.
    #[must_use]
    pub fn new(data: Storage, session: SessionId) -> Self {
        Self { data, session, next: Next::Page(Seq(0)), written: Seq(0) }
    }

    /// The next lines, each with its end; `None` after the last ones.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn next(&mut self) -> Result<Option<String>> {
        match self.next {
            Next::Page(after) => self.page(after).await.map(Some),
            Next::Contexts => Ok(Some(self.contexts().await)),
            Next::End => Ok(None),
        }
    }

    async fn page(&mut self, after: Seq) -> Result<String> {
        let log = self.data.log();
        let page = log.read_page(&self.session, after, Part::All).await?;
        self.next = page.next.filter(|next| *next > after).map_or(Next::Contexts, Next::Page);
        self.data.note_lost(&page.unreadable);
        let mut text = String::new();
        for (seq, line) in lines(&page, self.written)? {
            text.push_str(&line);
            text.push('\n');
            self.written = seq;
        }
        Ok(text)
    }

    async fn contexts(&mut self) -> String {
        self.next = Next::End;
        let handle = SessionHandle::new(self.data.clone(), self.session.clone());
        let (contexts, lost) = handle.readable_contexts().await;
        let contexts = contexts.iter().map(|context| json!({ "context": context }));
        let lost = lost.map(|why| json!({ "context": { "sessionId": self.session, "damaged": why } }));
        contexts.chain(lost).map(|line| one_line_json(&line.to_string()) + "\n").collect()
    }
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
