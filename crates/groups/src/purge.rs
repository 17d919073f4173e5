//! Finds what a permanent deletion of a group overwrites and removes.

mod carried;

use std::collections::{BTreeSet, HashMap};

use throughline_conversation::{
    Action, ContentBlock, Edit, ExchangeId, Mark, Message, Receipt, Record, RecordBody, RegretReceipt,
    RemovedRecord, ResultRef, Seq, Source, Span,
};

/// The effects of deleting a group permanently.
#[derive(Debug, Clone, PartialEq)]
pub struct Purge {
    /// Replacements of the records that hold the group's content, or content derived from it.
    pub redacted: Vec<Record>,
    /// Stored results that nothing else names.
    pub results: Vec<ResultRef>,
    /// Groups that quote one of these results: the text that they repeat is their own, and stays.
    pub repeated_in: BTreeSet<ExchangeId>,
}

/// What deleting a group takes, by the records of the whole log. `retrieval` names the tools that only read back what
/// is stored: a result that they gave does not own what it shows.
///
/// It covers the group's messages, the documents that it wrote and the lines of later ones that only it wrote, its pins, summaries
/// that cover it and their stored originals, stubs of its results, checkpoints since it began, and in receipts since then the
/// notes at the end of requests and the names that compactions lost.
#[must_use]
pub fn purge(records: &[Record], exchange: ExchangeId, retrieval: &[&str]) -> Purge {
    let own: Vec<&Record> = records.iter().filter(|record| record.exchange == exchange).collect();
    let places = own.iter().filter(|record| is_message(record)).map(|record| record.seq);
    let extent = places.clone().min().zip(places.max()).map(|(first, last)| Span { first, last });
    let calls: BTreeSet<&str> = own.iter().flat_map(|record| calls(record)).collect();
    let since = own.first().map_or(Seq(u64::MAX), |record| record.seq);
    // Unsent notes of a turn are in the first receipt after it.
    let late = |record: &&Record| record.seq > since && record.exchange != exchange;
    let mut receipts = records.iter().filter(|record| matches!(record.body, RecordBody::Receipt(_)));
    let next_receipt = receipts.find(late).map(|record| record.seq);
    let lines = carried::carried(records, exchange);
    let mut changed: Vec<Record> = Vec::new();
    for record in records {
        let left = redacted(record, exchange, extent, &calls, since, next_receipt);
        changed.extend(left.or_else(|| shortened(record, since, &lines)));
    }

    let gone: BTreeSet<Seq> = changed.iter().map(|record| record.seq).collect();
    let (old, rest): (Vec<&Record>, Vec<&Record>) =
        records.iter().partition(|record| gone.contains(&record.seq));
    let left: Vec<&Record> = rest.into_iter().chain(&changed).collect();
    let owned = owned(&left, retrieval);
    let results: BTreeSet<String> =
        old.into_iter().flat_map(named).filter(|name| !owned.contains(name)).collect();
    let quotes = |record: &&&Record| is_message(record) && named(record).any(|name| results.contains(&name));
    let repeated_in = left.iter().filter(quotes).map(|record| record.exchange).collect();
    let results = results.iter().map(|name| ResultRef::from_text(name)).collect();
    Purge { redacted: changed, results, repeated_in }
}

/// Names of stored results that records have a right to: those in the results of their tools and in edits.
fn owned(records: &[&Record], retrieval: &[&str]) -> BTreeSet<String> {
    let mut tools: HashMap<&str, &str> = HashMap::new();
    let mut owned = BTreeSet::new();
    for record in records {
        let RecordBody::Message(said) = &record.body else {
            if matches!(record.body, RecordBody::Edit(_) | RecordBody::Files(_)) {
                owned.extend(named(record));
            }
            continue;
        };
        tools.extend(said.message.tool_calls().map(|call| (call.id.as_str(), call.name.as_str())));
        for result in said.message.tool_results() {
            let tool = tools.get(result.call_id.as_str()).copied().unwrap_or_default();
            if !retrieval.contains(&tool) {
                owned.extend(references(&result.content));
            }
        }
    }
    owned
}

fn is_message(record: &Record) -> bool {
    match &record.body {
        RecordBody::Message(_) => true,
        RecordBody::Removed(removed) => removed.was == "message",
        _ => false,
    }
}

fn redacted(
    record: &Record,
    exchange: ExchangeId,
    extent: Option<Span>,
    calls: &BTreeSet<&str>,
    since: Seq,
    next_receipt: Option<Seq>,
) -> Option<Record> {
    let own = record.exchange == exchange;
    let removed = || RecordBody::Removed(RemovedRecord { was: record.body.kind().to_owned() });
    let body = match &record.body {
        RecordBody::Message(_)
        | RecordBody::Degraded(_)
        | RecordBody::Files(_)
        | RecordBody::Keyed(_)
        | RecordBody::Settled(_)
            if own =>
        {
            removed()
        }
        RecordBody::Document(document) if own && document.by != Source::User => removed(),
        RecordBody::Checkpoint(_) if record.seq >= since => removed(),
        RecordBody::Mark(Mark::Pin(pin)) if pin.exchange == exchange => removed(),
        RecordBody::Mark(Mark::Item(item)) if item.exchange == exchange => removed(),
        RecordBody::Edit(edit) => RecordBody::Edit(without(edit, extent, calls)?),
        RecordBody::Receipt(receipt) if record.seq >= since => {
            RecordBody::Receipt(Box::new(without_notes(receipt, own || next_receipt == Some(record.seq))?))
        }
        _ => return None,
    };
    Some(Record { seq: record.seq, at: record.at, exchange: record.exchange, body })
}

/// A later revision of a document without the lines that only the group said.
fn shortened(record: &Record, since: Seq, lines: &BTreeSet<String>) -> Option<Record> {
    let RecordBody::Document(document) = &record.body else { return None };
    if record.seq < since || document.by == Source::User {
        return None;
    }
    let body = RecordBody::Document(carried::without(document, lines)?);
    Some(Record { seq: record.seq, at: record.at, exchange: record.exchange, body })
}

/// An edit without what it says of the group; `None`: it says nothing of it.
fn without(edit: &Edit, extent: Option<Span>, calls: &BTreeSet<&str>) -> Option<Edit> {
    let stays = |action: &&Action| match action {
        Action::Cover { span, .. } => !extent.is_some_and(|extent| extent.meets(*span)),
        Action::ReplaceResult { call_id, .. } | Action::ReplaceInput { call_id, .. } => {
            !calls.contains(call_id.as_str())
        }
        Action::ReplacePictures { message, .. } => {
            !extent.is_some_and(|extent| extent.holds(Span::one(*message)))
        }
    };
    let actions: Vec<Action> = edit.actions.iter().filter(stays).cloned().collect();
    (actions.len() < edit.actions.len()).then(|| Edit { actions, ..edit.clone() })
}

/// A receipt without notes, the texts of its certificate, the names that a compaction lost and what was needed of them later, and when
/// it may tell of the group without decisions and searches, too; `None`: it has none.
fn without_notes(receipt: &Receipt, tells: bool) -> Option<Receipt> {
    let mut left = receipt.clone();
    left.tail.clear();
    if let Some(certificate) = &mut left.certificate {
        certificate.texts.clear();
        certificate.missing.clear();
    }
    if let Some(compaction) = &mut left.compaction {
        compaction.lost.clear();
    }
    left.regret.iter_mut().for_each(RegretReceipt::forget_texts);
    if tells {
        left.decisions.clear();
        left.degraded.clear();
        left.searches.clear();
        left.cited.clear();
    }
    (left != *receipt).then_some(left)
}

fn calls(record: &Record) -> Vec<&str> {
    match &record.body {
        RecordBody::Message(said) => said.message.tool_calls().map(|call| call.id.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// Names of stored results in a record.
fn named(record: &Record) -> Box<dyn Iterator<Item = String> + '_> {
    match &record.body {
        RecordBody::Message(said) => Box::new(texts(&said.message).flat_map(|text| references(&text))),
        RecordBody::Edit(edit) => Box::new(edit.actions.iter().flat_map(|action| match action {
            Action::Cover { summary, .. } => references(summary.as_deref().unwrap_or_default()),
            Action::ReplaceResult { text, stored, .. } => with(references(text), stored),
            Action::ReplaceInput { input, stored, .. } => with(references(&input.to_string()), stored),
            Action::ReplacePictures { .. } => Vec::new(),
        })),
        RecordBody::Files(files) => {
            let versions = files.changes.iter().flat_map(|change| [&change.before, &change.after]);
            Box::new(versions.filter_map(|version| Some(version.stored()?.as_str().to_owned())))
        }
        RecordBody::Mark(Mark::Item(item)) => {
            Box::new(item.stored.iter().map(|stored| stored.as_str().to_owned()))
        }
        RecordBody::Receipt(receipt) => {
            Box::new(receipt.offloaded.iter().map(|one| one.stored.as_str().to_owned()))
        }
        RecordBody::Settled(settled) => Box::new(references(&settled.result.content).into_iter()),
        _ => Box::new(std::iter::empty()),
    }
}

fn with(mut names: Vec<String>, stored: &ResultRef) -> Vec<String> {
    names.push(stored.as_str().to_owned());
    names
}

fn texts(message: &Message) -> impl Iterator<Item = String> + '_ {
    message.content.iter().map(|block| match block {
        ContentBlock::Text { text } => text.clone(),
        ContentBlock::ToolCall(call) => call.input.to_string(),
        ContentBlock::ToolResult(result) => result.content.clone(),
        ContentBlock::Thinking(_) | ContentBlock::Image(_) => String::new(),
    })
}

/// Names of stored results in a text: `r-` and 16 hexadecimal digits.
fn references(text: &str) -> Vec<String> {
    let digit = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
    let name = |(at, _): (usize, &str)| {
        let name = text.get(at..at + 18)?;
        name.bytes().skip(2).all(|byte| digit(&byte)).then(|| name.to_owned())
    };
    text.match_indices("r-").filter_map(name).collect()
}
