//! A session as a conversation: the messages, their authors and results, and whether the model still sees it.

use std::collections::HashMap;

use throughline_continuity::Unreadable;
use throughline_conversation::{
    EntryKind, Message, Millis, Record, RecordBody, Seq, Source, Span, ToolResult,
};
use throughline_stored::SessionLog;

use super::timeline::RequestPoint;

/// How the model sees a message now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sight {
    /// In the window, word for word.
    Full,
    /// In the window, with parts that were replaced by references.
    Trimmed,
    /// It left; a summary replaces it.
    Summary,
    /// Pinned: it never leaves.
    Pinned,
    /// It left without a summary, or its turn is dropped or undone.
    Gone,
}

impl Sight {
    /// All of them.
    pub(crate) const ALL: [Self; 5] = [Self::Full, Self::Trimmed, Self::Summary, Self::Pinned, Self::Gone];

    /// The name in styles.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Full => "seen",
            Self::Trimmed => "trimmed",
            Self::Summary => "gone",
            Self::Pinned => "pinned",
            Self::Gone => "left",
        }
    }

    /// What it means, for a person.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Self::Full => "in the window, word for word",
            Self::Trimmed => "in the window, in part",
            Self::Summary => "left; only the summary knows it",
            Self::Pinned => "pinned, never leaves",
            Self::Gone => "not in the window",
        }
    }
}

/// A result of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GivenResult<'l> {
    pub(crate) result: &'l ToolResult,
    pub(crate) record: Seq,
    pub(crate) at: Millis,
    pub(crate) sight: Sight,
}

/// What an item of a conversation is.
#[derive(Debug, Clone)]
pub(crate) enum SaidKind<'l> {
    /// The user's words.
    User(&'l Message),
    /// A message of the engine or of the agent's program.
    Note(&'l Message),
    /// The model's answer, and the request that it answers.
    Answer(&'l Message, Option<&'l RequestPoint>),
    /// The view was compacted: the number of the compaction.
    Compaction(u64),
    /// Records that are lost.
    Lost(&'l Unreadable),
}

/// An item of a conversation.
#[derive(Debug, Clone)]
pub(crate) struct SaidItem<'l> {
    pub(crate) record: Seq,
    pub(crate) turn: u64,
    pub(crate) at: Millis,
    pub(crate) sight: Sight,
    pub(crate) kind: SaidKind<'l>,
}

impl<'l> SaidItem<'l> {
    /// The place of lost records, in the turn of what is before them.
    fn lost(lost: &'l Unreadable, before: Option<&Self>) -> Self {
        Self {
            record: lost.span.first,
            turn: before.map_or(0, |before| before.turn),
            at: before.map_or(Millis(0), |before| before.at),
            sight: Sight::Gone,
            kind: SaidKind::Lost(lost),
        }
    }
}

/// A whole conversation.
#[derive(Debug)]
pub(crate) struct Conversation<'l> {
    pub(crate) items: Vec<SaidItem<'l>>,
    results: HashMap<&'l str, GivenResult<'l>>,
}

impl<'l> Conversation<'l> {
    /// The conversation of a log, with its requests.
    pub(crate) fn of(log: &'l SessionLog, lost: &'l [Unreadable], points: &'l [RequestPoint]) -> Self {
        let sights = Sights::of(log);
        let mut answers = answered(log, points);
        let (mut items, mut results) = (Vec::<SaidItem<'l>>::new(), HashMap::new());
        let (mut compactions, mut lost) = (0, lost.iter().peekable());
        for record in &log.records {
            while let Some(one) = lost.next_if(|one| one.span.first < record.seq) {
                items.push(SaidItem::lost(one, items.last()));
            }
            let kind = match &record.body {
                RecordBody::Message(said) => match &said.source {
                    Source::User => SaidKind::User(&said.message),
                    Source::Model(_) => SaidKind::Answer(&said.message, answers.remove(&record.seq)),
                    _ if said.message.tool_results().next().is_some() => {
                        let sight = sights.of_record(record);
                        for result in said.message.tool_results() {
                            let given = GivenResult { result, record: record.seq, at: record.at, sight };
                            results.insert(result.call_id.as_str(), given);
                        }
                        continue;
                    }
                    _ => SaidKind::Note(&said.message),
                },
                RecordBody::Edit(edit) if edit.is_compaction() => {
                    compactions += 1;
                    SaidKind::Compaction(compactions)
                }
                _ => continue,
            };
            items.push(SaidItem {
                record: record.seq,
                turn: record.exchange.0,
                at: record.at,
                sight: sights.of_record(record),
                kind,
            });
        }
        for one in lost {
            items.push(SaidItem::lost(one, items.last()));
        }
        Self { items, results }
    }

    /// The result of a call. `None`: it has none yet.
    pub(crate) fn result(&self, call: &str) -> Option<GivenResult<'l>> {
        self.results.get(call).copied()
    }

    /// Items by how the model sees them.
    pub(crate) fn counts(&self) -> Vec<(Sight, usize)> {
        let is_message =
            |item: &&SaidItem<'_>| !matches!(item.kind, SaidKind::Compaction(_) | SaidKind::Lost(_));
        let messages = || self.items.iter().filter(is_message);
        let count = |sight: Sight| (sight, messages().filter(|item| item.sight == sight).count());
        Sight::ALL.into_iter().map(count).filter(|(_, count)| *count > 0).collect()
    }
}

/// The requests by the records of their answers.
fn answered<'l>(log: &SessionLog, points: &'l [RequestPoint]) -> HashMap<Seq, &'l RequestPoint> {
    let upto = |record: &Record| match &record.body {
        RecordBody::Receipt(receipt) => Some((receipt.request, receipt.upto)),
        _ => None,
    };
    let upto: HashMap<u64, Seq> = log.records.iter().filter_map(upto).collect();
    let answer = |after: Seq| {
        let place = log.records.partition_point(|record| record.seq <= after);
        let message = log.records.get(place..)?.iter().find_map(|record| match &record.body {
            RecordBody::Message(said) => Some((record.seq, &said.source)),
            _ => None,
        })?;
        matches!(message.1, Source::Model(_)).then_some(message.0)
    };
    points.iter().filter_map(|point| Some((answer(*upto.get(&point.request)?)?, point))).collect()
}

/// What of a log is in view.
struct Sights<'l> {
    log: &'l SessionLog,
    /// Records that are shown, with their messages in view.
    shown: HashMap<Seq, &'l Message>,
    /// Records behind a summary, in order.
    covered: Vec<Span>,
    pinned: Vec<Seq>,
}

impl<'l> Sights<'l> {
    fn of(log: &'l SessionLog) -> Self {
        let (mut shown, mut covered) = (HashMap::new(), Vec::new());
        for entry in log.view.native() {
            if entry.kind == EntryKind::Summary {
                covered.push(entry.span);
            } else {
                shown.insert(entry.span.first, entry.message.as_ref());
            }
        }
        covered.sort_by_key(|span| span.first);
        let pinned = log.view.groups().pinned_texts().map(|pinned| pinned.message).collect();
        Self { log, shown, covered, pinned }
    }

    fn of_record(&self, record: &Record) -> Sight {
        let RecordBody::Message(said) = &record.body else { return Sight::Full };
        if self.log.view.groups().status(record.exchange).is_hidden() {
            return Sight::Gone;
        }
        if self.pinned.contains(&record.seq) {
            return Sight::Pinned;
        }
        if let Some(shown) = self.shown.get(&record.seq) {
            let same = sizes(shown) == sizes(&said.message);
            return if same { Sight::Full } else { Sight::Trimmed };
        }
        let place = self.covered.partition_point(|span| span.first <= record.seq);
        let covered = place.checked_sub(1).and_then(|place| self.covered.get(place));
        match covered {
            Some(span) if record.seq <= span.last => Sight::Summary,
            _ => Sight::Gone,
        }
    }
}

/// The sizes of the texts of a message: a part that was replaced has another one.
fn sizes(message: &Message) -> Vec<usize> {
    use throughline_conversation::ContentBlock as Block;
    let size = |block: &Block| match block {
        Block::Text { text } => text.len(),
        Block::Thinking(thinking) => thinking.text.len(),
        Block::Image(image) => image.data.len(),
        // A number that is written differently makes no difference in what the model sees.
        Block::ToolCall(call) => call
            .input
            .as_object()
            .map_or(0, |fields| fields.values().map(|value| value.as_str().map_or(1, str::len)).sum()),
        Block::ToolResult(result) => result.content.len() + result.images.len(),
    };
    message.content.iter().map(size).collect()
}
