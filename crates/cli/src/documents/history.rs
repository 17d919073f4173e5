//! The revisions of a document.

use serde_json::{Value, json};
use throughline::{SessionLog, now};
use throughline_conversation::{DocumentName, DocumentRecord, Record, RecordBody, Source};
use throughline_text::group_thousands;

use crate::answer::Answer;
use crate::sessions::age;
use crate::target::CommandTarget;
use crate::terminal::{headline, plain, table};

/// Characters of a text's first line that are shown.
const LINE: usize = 60;

/// All revisions of a document, oldest first; with their texts if `full`.
pub(super) async fn history(
    target: &CommandTarget,
    name: DocumentName,
    full: bool,
) -> anyhow::Result<Answer> {
    let log = target.handle.log().await?;
    let all: Vec<(&Record, &DocumentRecord)> = log
        .records
        .iter()
        .filter_map(|record| match &record.body {
            RecordBody::Document(document) if document.name == name => Some((record, document)),
            _ => None,
        })
        .collect();
    let json = Value::Array(all.iter().map(|(record, document)| object(record, document, &log)).collect());
    if all.is_empty() {
        return Ok(Answer { text: format!("Session {} has no {name} yet.", target.handle.session), json });
    }
    let header = ["REVISION", "AGE", "TURN", "BY", "BYTES", "STATUS", "FIRST LINE"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let time = now();
    rows.extend(all.iter().map(|(record, document)| {
        vec![
            record.seq.to_string(),
            age(time, record.at),
            record.exchange.to_string(),
            headline(&writer(&document.by), LINE),
            group_thousands(document.text.len() as u64),
            RevisionStatus::of(record, document, &log).name().to_owned(),
            headline(&document.text, LINE),
        ]
    }));
    let mut lines = table(&rows);
    if full {
        for (record, document) in &all {
            lines.push(format!("\n── revision {}\n{}", record.seq, plain(&document.text)));
        }
    }
    Ok(Answer { text: lines.join("\n"), json })
}

/// The status of a revision.
#[derive(Debug, Clone, Copy)]
enum RevisionStatus {
    Current,
    Undone,
    Older,
}

impl RevisionStatus {
    fn of(record: &Record, document: &DocumentRecord, log: &SessionLog) -> Self {
        let by_person = document.by == Source::User;
        if log.view.documents().revision(document.name) == record.seq {
            Self::Current
        } else if !by_person && log.view.groups().status(record.exchange).reverts_documents() {
            Self::Undone
        } else {
            Self::Older
        }
    }

    /// The name for a person.
    fn name(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Undone => "undone",
            Self::Older => "older",
        }
    }

    /// The value in JSON, which programs depend on.
    fn value(self) -> &'static str {
        match self {
            Self::Current => "in force",
            Self::Undone => "taken back",
            Self::Older => "older",
        }
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

fn object(record: &Record, document: &DocumentRecord, log: &SessionLog) -> Value {
    json!({
        "revision": record.seq,
        "at_ms": record.at,
        "group": record.exchange,
        "by": writer(&document.by),
        "status": RevisionStatus::of(record, document, log).value(),
        "text": document.text,
    })
}
