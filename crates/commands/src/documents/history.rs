//! The revisions of a document.

use serde_json::{Value, json};
use throughline_conversation::{DocumentName, Source};
use throughline_stored::{Revision, RevisionStatus, now};
use throughline_terminal::table;
use throughline_text::{group_thousands, headline, plain};

use crate::age::age;
use crate::answer::Answer;
use crate::target::CommandTarget;

/// Characters of a text's first line that are shown.
const LINE: usize = 60;

/// All revisions of a document, oldest first; with their texts if `full`.
pub(super) async fn history(
    target: &CommandTarget,
    name: DocumentName,
    full: bool,
) -> anyhow::Result<Answer> {
    let log = target.handle.log().await?;
    let all = log.revisions(name);
    let json = Value::Array(all.iter().map(object).collect());
    if all.is_empty() {
        return Ok(Answer { text: format!("Session {} has no {name} yet.", target.handle.session), json });
    }
    let header = ["REVISION", "AGE", "TURN", "BY", "BYTES", "STATUS", "FIRST LINE"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let time = now();
    rows.extend(all.iter().map(|Revision { record, document, status }| {
        vec![
            record.seq.to_string(),
            age(time, record.at),
            record.exchange.to_string(),
            headline(&writer(&document.by), LINE),
            group_thousands(document.text.len() as u64),
            name_of(*status).to_owned(),
            headline(&document.text, LINE),
        ]
    }));
    let mut lines = table(&rows);
    if full {
        for Revision { record, document, .. } in &all {
            lines.push(format!("\n── revision {}\n{}", record.seq, plain(&document.text)));
        }
    }
    Ok(Answer { text: lines.join("\n"), json })
}

/// A status for a person.
fn name_of(status: RevisionStatus) -> &'static str {
    match status {
        RevisionStatus::Current => "current",
        RevisionStatus::Undone => "undone",
        RevisionStatus::Older => "older",
    }
}

/// A status in JSON, which programs depend on.
fn value_of(status: RevisionStatus) -> &'static str {
    match status {
        RevisionStatus::Current => "active",
        RevisionStatus::Undone => "undone",
        RevisionStatus::Older => "older",
    }
}

/// The author of a text.
pub(super) fn writer(by: &Source) -> String {
    match by {
        Source::User => "user".to_owned(),
        Source::Model(model) => model.clone(),
        Source::Tools => "tools".to_owned(),
        Source::Engine => "engine".to_owned(),
    }
}

fn object(revision: &Revision<'_>) -> Value {
    let Revision { record, document, status } = revision;
    json!({
        "revision": record.seq,
        "at_ms": record.at,
        "group": record.exchange,
        "by": writer(&document.by),
        "status": value_of(*status),
        "text": document.text,
    })
}
