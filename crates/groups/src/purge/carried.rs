//! Lines of a deleted group's documents that later revisions have only because the text before them was kept.

use std::collections::BTreeSet;

use throughline_conversation::{ContentBlock, DocumentRecord, ExchangeId, Record, RecordBody, Source};

/// The lines that a group wrote into documents and that no other group wrote.
pub(super) fn carried(records: &[Record], exchange: ExchangeId) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for record in records.iter().filter(|record| record.exchange == exchange) {
        if let RecordBody::Document(document) = &record.body
            && document.by != Source::User
        {
            let written = document.text.lines().map(str::trim).filter(|line| !line.is_empty());
            lines.extend(written.map(str::to_owned));
        }
    }
    if lines.is_empty() {
        return lines;
    }
    let others: Vec<String> =
        records.iter().filter(|record| record.exchange != exchange).flat_map(said).collect();
    lines.retain(|line| !others.iter().any(|said| said.contains(line.as_str())));
    lines
}

/// A document without such lines; `None`: it has none of them.
pub(super) fn without(document: &DocumentRecord, lines: &BTreeSet<String>) -> Option<DocumentRecord> {
    let stays = |line: &&str| !lines.contains(line.trim());
    let text = document.text.lines().filter(stays).collect::<Vec<_>>().join("\n");
    (text.lines().count() < document.text.lines().count())
        .then(|| DocumentRecord { text: text.trim().to_owned(), ..document.clone() })
}

/// What a record says in its own words: a revision of a person, or a message.
fn said(record: &Record) -> Vec<String> {
    match &record.body {
        RecordBody::Document(document) if document.by == Source::User => vec![document.text.clone()],
        RecordBody::Message(said) => said.message.content.iter().flat_map(words).collect(),
        _ => Vec::new(),
    }
}

fn words(block: &ContentBlock) -> Vec<String> {
    match block {
        ContentBlock::Text { text } => vec![text.clone()],
        ContentBlock::ToolCall(call) => {
            let fields = call.input.as_object().into_iter().flat_map(|fields| fields.values());
            fields.filter_map(|field| field.as_str().map(str::to_owned)).collect()
        }
        // A result only shows the text again.
        ContentBlock::ToolResult(_) | ContentBlock::Thinking(_) | ContentBlock::Image(_) => Vec::new(),
    }
}
