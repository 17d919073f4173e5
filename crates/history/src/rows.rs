//! From log records to rows.

use std::collections::{BTreeMap, BTreeSet};

use throughline_conversation::{
    Action, ContentBlock, Edit, ExchangeId, GroupStatus, Groups, Image, MessageRecord, Record, RecordBody,
    Role, Seq, Source,
};

use crate::row::{HistoryRow, RowKind, RowRole, RowStatus};

/// The ids that each record has for its parts.
pub const PARTS_PER_RECORD: i64 = 10_000;

/// What became of exchanges. Those that are not named are part of the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GroupMarks {
    /// Left out of the context, still in the history.
    pub dropped: BTreeSet<ExchangeId>,
    /// Undone: neither in the context nor in the history.
    pub undone: BTreeSet<ExchangeId>,
}

impl From<&Groups> for GroupMarks {
    fn from(groups: &Groups) -> Self {
        let mut marks = Self::default();
        for (exchange, status) in groups.hidden() {
            match status {
                GroupStatus::Dropped => marks.dropped.insert(exchange),
                GroupStatus::Undone | GroupStatus::Removed => marks.undone.insert(exchange),
                GroupStatus::Live => false,
            };
        }
        marks
    }
}

/// The id of a record's part, counted from 0: the number of the record times [`PARTS_PER_RECORD`], plus the part.
///
/// The parts of a message are its blocks, those of an edit its actions. The log never changes a record, so the id
/// names one exact text permanently. `None` for a part that has no id: no record comes near the limit.
#[must_use]
pub fn row_id(seq: Seq, part: usize) -> Option<i64> {
    let part = i64::try_from(part).ok().filter(|part| *part < PARTS_PER_RECORD)?;
    i64::try_from(seq.0).ok()?.checked_mul(PARTS_PER_RECORD)?.checked_add(part)
}

/// The rows of records, in order. Exchanges that were undone have none.
///
/// The records are taken apart, not copied: their texts move into the rows. A result whose call is not among the
/// records has no tool name.
#[must_use]
pub fn history_rows(records: impl IntoIterator<Item = Record>, marks: &GroupMarks) -> Vec<HistoryRow> {
    let mut rows = HistoryRows::new(marks);
    records.into_iter().for_each(|record| rows.add(record));
    rows.take()
}

/// Collects the rows of a log that is read record by record.
#[derive(Debug)]
pub struct HistoryRows<'a> {
    marks: &'a GroupMarks,
    /// Names of the tools that were called, by the call's id.
    names: BTreeMap<String, String>,
    rows: Vec<HistoryRow>,
}

impl<'a> HistoryRows<'a> {
    /// No rows yet.
    #[must_use]
    pub fn new(marks: &'a GroupMarks) -> Self {
        Self { marks, names: BTreeMap::new(), rows: Vec::new() }
    }

    /// The rows since the last call, in order.
    pub fn take(&mut self) -> Vec<HistoryRow> {
        std::mem::take(&mut self.rows)
    }

    /// Adds the rows of the next record.
    pub fn add(&mut self, record: Record) {
        if self.marks.undone.contains(&record.exchange) {
            return;
        }
        let Record { seq, at, exchange, body } = record;
        let blank = HistoryRow {
            id: 0,
            group: exchange,
            seq,
            role: RowRole::System,
            kind: RowKind::Text,
            status: RowStatus::Completed,
            tool_name: None,
            tool_call_id: None,
            is_error: false,
            content: String::new(),
            model: None,
            tokens: None,
            created_at: at,
        };
        match body {
            RecordBody::Message(message) => self.message(&blank, message),
            RecordBody::Edit(edit) => self.edit(&blank, edit),
            _ => {}
        }
    }

    fn message(&mut self, blank: &HistoryRow, record: MessageRecord) {
        let role = match (record.message.role, &record.source) {
            (Role::Assistant, _) => RowRole::Assistant,
            (Role::User, Source::Engine) => RowRole::System,
            (Role::User, _) => RowRole::User,
        };
        let model = match record.source {
            Source::Model(name) => Some(name),
            _ => None,
        };
        let tokens = record.usage.map(|usage| usage.prompt().saturating_add(usage.output));
        let tokens = tokens.and_then(|tokens| i64::try_from(tokens).ok());
        for (part, block) in record.message.content.into_iter().enumerate() {
            let row = HistoryRow { role, model: model.clone(), tokens, ..blank.clone() };
            let row = self.block(row, block);
            self.push(part, row);
        }
    }

    fn block(&mut self, row: HistoryRow, block: ContentBlock) -> HistoryRow {
        match block {
            ContentBlock::Text { text } => HistoryRow { content: text, ..row },
            ContentBlock::Thinking(thinking) => {
                HistoryRow { kind: RowKind::Thinking, content: thinking.text, ..row }
            }
            ContentBlock::Image(image) => {
                HistoryRow { kind: RowKind::Image, content: caption(&image), ..row }
            }
            ContentBlock::ToolCall(call) => {
                self.names.insert(call.id.clone(), call.name.clone());
                HistoryRow {
                    kind: RowKind::ToolCall,
                    status: RowStatus::ToolCall,
                    tool_name: Some(call.name),
                    tool_call_id: Some(call.id),
                    content: call.input.to_string(),
                    ..row
                }
            }
            ContentBlock::ToolResult(result) => HistoryRow {
                role: RowRole::Tool,
                kind: RowKind::ToolResult,
                tool_name: self.names.get(&result.call_id).cloned(),
                tool_call_id: Some(result.call_id),
                is_error: result.is_error,
                content: result.content,
                ..row
            },
        }
    }

    fn edit(&mut self, blank: &HistoryRow, edit: Edit) {
        for (part, action) in edit.actions.into_iter().enumerate() {
            if let Action::Cover { summary: Some(content), .. } = action {
                self.push(part, HistoryRow { kind: RowKind::Summary, content, ..blank.clone() });
            }
        }
    }

    fn push(&mut self, part: usize, mut row: HistoryRow) {
        let Some(id) = row_id(row.seq, part) else { return };
        row.id = id;
        if self.marks.dropped.contains(&row.group) {
            row.status = RowStatus::Dropped;
        }
        self.rows.push(row);
    }
}

fn caption(image: &Image) -> String {
    format!("[picture: {}, {} characters of base64]", image.media_type, image.data.len())
}

#[cfg(test)]
mod tests;
