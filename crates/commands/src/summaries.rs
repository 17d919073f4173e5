//! `throughline summaries`: the summaries that replace older messages.

use clap::Args;
use throughline_conversation::Span;
use throughline_groups::{SummaryRow, summaries as rows_of};
use throughline_stored::now;
use throughline_terminal::table;
use throughline_text::{group_thousands, headline};

use crate::age::age;
use crate::answer::Answer;
use crate::target::CommandTarget;

/// Characters of a summary's first line that are shown.
const LINE: usize = 60;

/// The session whose summaries are listed.
#[derive(Debug, Args)]
pub struct SummariesArgs {
    /// Session id, the start of one, or `last`
    pub session: String,
    /// Print one JSON array
    #[arg(long)]
    pub json: bool,
}

/// The summaries of a session, oldest first.
pub(crate) async fn summaries(target: &CommandTarget) -> anyhow::Result<Answer> {
    let log = target.handle.log().await?;
    let found = rows_of(&log.records, &log.view, target.handle.counter.as_ref());
    let json = serde_json::to_value(&found)?;
    if found.is_empty() {
        return Ok(Answer { text: format!("Session {} has no summary yet.", target.handle.session), json });
    }
    let header =
        ["RECORD", "AGE", "COVERS", "EXTENDS", "TEMPLATE", "MODEL", "TOKENS", "STATUS", "FIRST LINE"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let time = now();
    rows.extend(found.iter().map(|row| {
        vec![
            row.record.to_string(),
            age(time, row.at),
            range(row.span),
            row.parent.map_or_else(|| "-".to_owned(), range),
            row.template.clone().unwrap_or_else(|| "-".to_owned()),
            author(row),
            group_thousands(row.tokens),
            row.status.name().to_owned(),
            headline(&row.first_line, LINE),
        ]
    }));
    Ok(Answer { text: table(&rows).join("\n"), json })
}

fn range(span: Span) -> String {
    format!("{}-{}", span.first, span.last)
}

/// Who wrote a summary.
fn author(row: &SummaryRow) -> String {
    match (&row.model, &row.author) {
        (None, Some(_)) => "extractive".to_owned(),
        (_, author) => author.as_deref().map_or_else(|| "-".to_owned(), |author| headline(author, LINE)),
    }
}
