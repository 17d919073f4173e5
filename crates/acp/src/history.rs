//! The history of a session as updates.

use std::collections::{BTreeMap, BTreeSet};

use agent_client_protocol::v1::schema::{
    CompactionStatus, CompactionUpdate, ContentBlock as Block, ContentChunk, ImageContent, MessageId,
    SessionUpdate, TextContent, ToolCallStatus, ToolCallUpdate, ToolCallUpdateFields,
};
use throughline_conversation::{Action, Edit, MessageRecord, RecordBody, Source, ToolResult};
use throughline_conversation::{ContentBlock, Message, Seq, ToolCall};
use throughline_session::answer_text;
use throughline_stored::SessionLog;

use crate::calls::{asked_diffs, diff_content, plan, shown_call, text_content};
use crate::link::Link;

/// Sends every message of the turns that are not hidden and every compaction, oldest first, and the newest plan.
pub(crate) fn replay(log: &SessionLog, link: &Link) {
    let hidden: BTreeSet<_> =
        log.groups().into_iter().filter(|group| group.status.is_hidden()).map(|group| group.id).collect();
    let mut replay = Replay { link, calls: BTreeMap::new(), plan: None };
    for record in log.records.iter().filter(|record| !hidden.contains(&record.exchange)) {
        match &record.body {
            RecordBody::Message(message) => replay.message(message, record.seq),
            RecordBody::Edit(edit) if edit.is_compaction() => replay.compaction(edit, record.seq),
            _ => {}
        }
    }
    replay.end();
}

struct Replay<'a> {
    link: &'a Link,
    /// The calls without a result so far.
    calls: BTreeMap<String, ToolCall>,
    plan: Option<ToolCall>,
}

impl Replay<'_> {
    fn message(&mut self, record: &MessageRecord, seq: Seq) {
        match record.source {
            Source::User => self.of_user(&record.message, seq),
            Source::Model(_) => self.of_model(&record.message, seq),
            Source::Tools | Source::Engine => {}
        }
        record.message.tool_results().for_each(|result| self.result(result));
    }

    fn of_user(&self, message: &Message, seq: Seq) {
        for block in &message.content {
            let block = match block {
                ContentBlock::Text { text } => Block::Text(TextContent::new(text.clone())),
                ContentBlock::Image(image) => {
                    Block::Image(ImageContent::new(image.data.clone(), image.media_type.clone()))
                }
                _ => continue,
            };
            self.link.update(SessionUpdate::UserMessageChunk(chunk(block, seq)));
        }
    }

    fn of_model(&mut self, message: &Message, seq: Seq) {
        let text = |text: &str| chunk(Block::Text(TextContent::new(text)), seq);
        for block in &message.content {
            match block {
                ContentBlock::Text { text: said } => {
                    let said = answer_text(said);
                    if !said.is_empty() {
                        self.link.update(SessionUpdate::AgentMessageChunk(text(&said)));
                    }
                }
                ContentBlock::Thinking(thinking) if !thinking.text.is_empty() => {
                    self.link.update(SessionUpdate::AgentThoughtChunk(text(&thinking.text)));
                }
                ContentBlock::ToolCall(call) => self.call(call),
                _ => {}
            }
        }
    }

    /// A compaction with its summary.
    fn compaction(&self, edit: &Edit, seq: Seq) {
        let summary = edit.actions.iter().rev().find_map(|action| match action {
            Action::Cover { summary, .. } => summary.clone(),
            _ => None,
        });
        let update = CompactionUpdate::new(format!("record-{seq}"), CompactionStatus::Completed);
        self.link.compaction(match summary {
            Some(summary) => update.summary(vec![Block::Text(TextContent::new(summary))]),
            None => update,
        });
    }

    fn call(&mut self, call: &ToolCall) {
        let shown = shown_call(call, self.link.access(call).as_ref(), &self.link.workspace);
        self.link.update(SessionUpdate::ToolCall(shown));
        self.calls.insert(call.id.clone(), call.clone());
    }

    fn result(&mut self, result: &ToolResult) {
        let call = self.calls.remove(&result.call_id);
        let diffs =
            call.as_ref().map(|call| asked_diffs(call, &self.link.workspace, None)).unwrap_or_default();
        let mut content = if result.is_error { Vec::new() } else { diff_content(diffs) };
        if content.is_empty() && !result.content.is_empty() {
            content.push(text_content(&result.content));
        }
        let status = if result.is_error { ToolCallStatus::Failed } else { ToolCallStatus::Completed };
        self.end_call(&result.call_id, ToolCallUpdateFields::new().status(status).content(content));
        self.plan = call.filter(|call| !result.is_error && plan(call).is_some()).or(self.plan.take());
    }

    /// A call that a crash left without a result has failed.
    fn end(mut self) {
        for id in std::mem::take(&mut self.calls).into_keys() {
            self.end_call(&id, ToolCallUpdateFields::new().status(ToolCallStatus::Failed));
        }
        if let Some(plan) = self.plan.as_ref().and_then(plan) {
            self.link.update(SessionUpdate::Plan(plan));
        }
    }

    fn end_call(&self, id: &str, fields: ToolCallUpdateFields) {
        self.link.update(SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(id.to_owned(), fields)));
    }
}

fn chunk(block: Block, seq: Seq) -> ContentChunk {
    ContentChunk::new(block).message_id(MessageId::new(format!("record-{seq}")))
}
