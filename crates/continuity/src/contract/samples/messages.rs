//! Exchanges with tool calls, and documents.

use serde_json::json;
use throughline_conversation::{
    ContentBlock, DocumentName, DocumentRecord, Message, MessageRecord, RecordBody, Role, Source, Thinking,
    ToolCall, ToolResult, Usage,
};

use super::maker::Maker;

impl Maker {
    fn say(&mut self, role: Role, content: Vec<ContentBlock>, source: Source) {
        let usage = matches!(source, Source::Model(_)).then(|| Usage { input: 3, ..Usage::default() });
        self.add(RecordBody::Message(MessageRecord { message: Message { role, content }, source, usage }));
    }

    pub(super) fn exchange(&mut self) {
        self.exchange = self.exchange.next();
        let text = self.text();
        self.say(Role::User, vec![ContentBlock::Text { text }], Source::User);
        self.narrow();
        for _ in 0..self.below(3) {
            let thinking = Thinking { text: self.text(), signature: Some(self.text()), redacted: None };
            let mut content = vec![ContentBlock::Thinking(thinking)];
            let mut results = Vec::new();
            for _ in 0..=self.below(2) {
                self.calls += 1;
                let id = format!("c{}", self.calls);
                let share = self.below(u64::MAX) as f64 / 1.7e19;
                let input = json!({ "path": self.text(), "share": share, "b": null, "a": [1, -2] });
                content.push(ContentBlock::ToolCall(ToolCall {
                    id: id.clone(),
                    name: "read".to_owned(),
                    input,
                }));
                results
                    .push(ToolResult { is_error: self.below(4) == 0, ..ToolResult::text(id, self.text()) });
            }
            self.say(Role::Assistant, content, Source::Model("sample".to_owned()));
            let results = Message::results(results).content;
            self.say(Role::User, results, Source::Tools);
        }
        let text = self.text();
        self.say(Role::Assistant, vec![ContentBlock::Text { text }], Source::Model("sample".to_owned()));
    }

    pub(super) fn document(&mut self) {
        let name = if self.below(2) == 0 { DocumentName::Scratchpad } else { DocumentName::State };
        let text = if self.below(5) == 0 { String::new() } else { self.text() };
        let by = if self.below(4) == 0 { Source::User } else { Source::Model("sample".to_owned()) };
        self.add(RecordBody::Document(DocumentRecord { name, text, by }));
    }
}
