//! Logs for the contract: made from a number, the same each time.

use std::collections::BTreeMap;

use serde_json::json;
use throughline_conversation::{
    Action, Components, ContentBlock, Degradation, DocumentName, DocumentRecord, Edit, EditReason, Entry,
    EntryKind, ExchangeId, FigureSource, ForeignTools, GroupStatus, Mark, Message, MessageRecord, Millis,
    ModelRecord, Origin, Pin, PolicyRecord, PromptRecord, Receipt, Record, RecordBody, ResultRef, Role,
    SectionText, Seq, SessionId, Source, Thinking, TokenCounter, ToolCall, ToolDefinition, ToolOrigin,
    ToolResult, ToolsRecord, Usage, View, WindowFigures, project, units,
};

/// A token for every four bytes, rounded up.
#[derive(Debug, Clone, Copy, Default)]
pub struct SampleCounter;

impl TokenCounter for SampleCounter {
    fn text(&self, text: &str) -> u64 {
        text.len().div_ceil(4) as u64
    }
}

/// The session of this name.
#[must_use]
pub fn session(name: &str) -> SessionId {
    SessionId::new(name).expect("names in the contract are valid")
}

/// Texts that have broken logs before: line separators of Unicode, NUL, quotes, other planes, long lines.
const TEXTS: &[&str] = &[
    "plain words",
    "a\nb\r\nc\ttab",
    "line\u{2028}separator\u{2029}paragraph",
    "nul\u{0}inside",
    "quotes \" ' \\ and {\"json\": [1, 2]}",
    "emoji 👩‍👩‍👧 and 漢字 and e\u{301}",
    "\u{feff}bom and \u{200f}right to left",
    "'); DROP TABLE log; --",
];

/// A log of about that many records: exchanges with tool calls, notes of every kind, and edits that fit.
#[must_use]
pub fn sample_log(seed: u64, records: usize) -> Vec<Record> {
    let mut maker = Maker { state: seed | 1, ..Maker::default() };
    while maker.records.len() < records {
        match maker.below(13) {
            0..=6 => maker.exchange(),
            7 => maker.replace_result(),
            8 => maker.cover(),
            9 => maker.switch(),
            10 => maker.mark(),
            11 => maker.document(),
            _ => maker.note(),
        }
    }
    maker.records
}

#[derive(Default)]
struct Maker {
    state: u64,
    records: Vec<Record>,
    view: View,
    exchange: ExchangeId,
    calls: u64,
    /// Edits that count, oldest first.
    compactions: Vec<Seq>,
    /// Edits that are undone, the last undone last.
    undone: Vec<Seq>,
}

impl Maker {
    /// Xorshift: no more is needed to vary the logs.
    fn below(&mut self, end: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % end
    }

    fn text(&mut self) -> String {
        let one = TEXTS[self.below(TEXTS.len() as u64) as usize];
        format!("{one} {}", self.below(1_000))
    }

    fn add(&mut self, body: RecordBody) {
        let seq = self.view.last().next();
        let at = Millis(1_700_000_000_000 + seq.0 as i64 * 1_000);
        let record = Record { seq, at, exchange: self.exchange, body };
        let reaches_back = matches!(record.body, RecordBody::Mark(_));
        if !reaches_back {
            self.view.apply(&record, &SampleCounter).expect("a sample record fits the view");
        }
        self.records.push(record);
        if reaches_back {
            self.view = project(&self.records, &SampleCounter).expect("a sample log projects");
        }
    }

    /// Groups and compactions come and go.
    fn mark(&mut self) {
        let group = ExchangeId(self.below(self.exchange.0 + 2));
        let mark = match self.below(11) {
            0 | 1 => self.newest_live().map(|group| group_mark(group, GroupStatus::Undone)),
            2 => self.hidden().map(|group| group_mark(group, GroupStatus::Live)),
            3 | 4 => self.shown(group).map(|group| group_mark(group, GroupStatus::Dropped)),
            5 => self.compactions.pop().map(|edit| {
                self.undone.push(edit);
                Mark::Compaction { edit, undone: true }
            }),
            6 => self.undone.pop().map(|edit| {
                self.compactions.push(edit);
                Mark::Compaction { edit, undone: false }
            }),
            7 => Some(Mark::Window { groups: None }),
            8 => Some(Mark::Window { groups: Some(1 + self.below(4) as u32) }),
            9 => self.view.groups().pins().first().map(|pin| Mark::Unpin { number: pin.number }),
            _ => self.pin(),
        };
        match mark {
            Some(mark) => {
                self.add(RecordBody::Mark(mark));
                self.narrow();
            }
            None => self.note(),
        }
    }

    /// Pins what an earlier message said, or the start of it.
    fn pin(&mut self) -> Option<Mark> {
        let messages = self.records.iter().filter_map(|record| match &record.body {
            RecordBody::Message(said) => Some((record.exchange, Pin::texts_of(record.seq, said))),
            _ => None,
        });
        let said: Vec<_> = messages.filter(|(_, texts)| !texts.is_empty()).collect();
        let at = self.below(said.len().max(1) as u64) as usize;
        let (exchange, mut texts) = said.into_iter().nth(at)?;
        if let Some(first) = texts.first_mut().filter(|_| self.below(2) == 0) {
            first.text.truncate(first.text.char_indices().nth(9).map_or(first.text.len(), |(at, _)| at));
        }
        let number = self.records.len() as u32;
        Some(Mark::Pin(Pin { number, exchange, texts }))
    }

    fn shown(&self, group: ExchangeId) -> Option<ExchangeId> {
        let exists = (1..=self.exchange.0).contains(&group.0);
        (exists && !self.view.groups().status(group).is_hidden()).then_some(group)
    }

    fn newest_live(&self) -> Option<ExchangeId> {
        (1..=self.exchange.0).rev().find_map(|group| self.shown(ExchangeId(group)))
    }

    fn hidden(&self) -> Option<ExchangeId> {
        self.view.groups().hidden().last().map(|(group, _)| group)
    }

    /// Hides the messages that the window does not show.
    fn narrow(&mut self) {
        let Some(oldest) = self.view.groups().oldest_shown(self.view.exchange()) else { return };
        let old = |entry: &&Entry| entry.kind != EntryKind::Summary && entry.exchange < oldest;
        let cover = |entry: &Entry| Action::Cover { span: entry.span, summary: None, note: None };
        let actions: Vec<Action> = self.view.native().iter().filter(old).map(cover).collect();
        if !actions.is_empty() {
            let strategies = vec!["window".to_owned()];
            self.add(RecordBody::Edit(Edit { reason: EditReason::Window, actions, strategies }));
        }
    }

    fn document(&mut self) {
        let name = if self.below(2) == 0 { DocumentName::Scratchpad } else { DocumentName::State };
        let text = if self.below(5) == 0 { String::new() } else { self.text() };
        let by = if self.below(4) == 0 { Source::User } else { Source::Model("sample".to_owned()) };
        self.add(RecordBody::Document(DocumentRecord { name, text, by }));
    }

    fn say(&mut self, role: Role, content: Vec<ContentBlock>, source: Source) {
        let usage = matches!(source, Source::Model(_)).then(|| Usage { input: 3, ..Usage::default() });
        self.add(RecordBody::Message(MessageRecord { message: Message { role, content }, source, usage }));
    }

    fn exchange(&mut self) {
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

    fn edit(&mut self, action: Action) {
        let strategies = vec!["sample".to_owned()];
        self.add(RecordBody::Edit(Edit {
            reason: EditReason::CompactThreshold,
            actions: vec![action],
            strategies,
        }));
        self.compactions.push(self.view.last());
        self.undone.clear();
    }

    fn switch(&mut self) {
        let names = [("anthropic", "a1"), ("anthropic", "a2"), ("openai", "o1")];
        let (provider, model) = names[self.below(names.len() as u64) as usize];
        let foreign = if self.below(4) == 0 { ForeignTools::Isolate } else { ForeignTools::Digest };
        let origin = Origin::new(provider, model).into();
        self.add(RecordBody::Model(ModelRecord {
            origin,
            window: 200_000,
            learnt: BTreeMap::new(),
            foreign,
        }));
    }

    fn replace_result(&mut self) {
        let calls: Vec<String> = self
            .view
            .native()
            .iter()
            .flat_map(|entry| entry.message.tool_results().map(|result| result.call_id.clone()))
            .collect();
        if calls.is_empty() {
            return self.note();
        }
        let call_id = calls[self.below(calls.len() as u64) as usize].clone();
        let text = self.text();
        self.edit(Action::ReplaceResult {
            call_id,
            text,
            stored: ResultRef::from_text("r-0000000000000000"),
        });
    }

    fn cover(&mut self) {
        let all = units(self.view.native());
        if all.is_empty() {
            return self.note();
        }
        let first = self.below(all.len() as u64) as usize;
        let last = first + self.below((all.len() - first).min(4) as u64) as usize;
        let mut span = all[first].span;
        span.last = all[last].span.last;
        let summary = (self.below(3) > 0).then(|| self.text());
        self.edit(Action::Cover { span, summary, note: None });
    }

    fn note(&mut self) {
        let text = self.text();
        let body = match self.below(5) {
            0 => RecordBody::Prompt(PromptRecord {
                sections: vec![SectionText {
                    name: "identity".to_owned(),
                    text,
                    cacheable: true,
                    skill: false,
                }],
            }),
            1 => RecordBody::Tools(ToolsRecord { tools: vec![tool(text)], why: "first request".to_owned() }),
            2 => RecordBody::Receipt(Box::new(receipt(self.records.len() as u64, &self.view))),
            3 => RecordBody::Policy(PolicyRecord {
                name: text,
                before: Some("throughline".to_owned()),
                economy: Some("balanced".to_owned()),
            }),
            _ => RecordBody::Degraded(Degradation {
                subsystem: "result store".to_owned(),
                fallback: "bounded inline result".to_owned(),
                cause: text,
            }),
        };
        self.add(body);
    }
}

fn group_mark(exchange: ExchangeId, status: GroupStatus) -> Mark {
    Mark::Group { exchange, status }
}

fn tool(description: String) -> ToolDefinition {
    let input_schema = json!({ "type": "object", "properties": { "path": { "type": "string" } } });
    ToolDefinition { name: "read".to_owned(), description, input_schema, origin: ToolOrigin::Builtin }
}

/// A receipt of a request that showed this view.
fn receipt(request: u64, view: &View) -> Receipt {
    Receipt {
        turn: view.exchange().0,
        request,
        upto: view.last(),
        epoch: view.epoch(),
        model: "sample".to_owned(),
        window: WindowFigures {
            total: 200_000,
            reserved_output: 8_000,
            used: Components { system: 10, skills: 0, tools: 20, conversation: view.tokens() },
            source: FigureSource::Estimated,
        },
        pressure: "ok".to_owned(),
        decisions: Vec::new(),
        compaction: None,
        price: None,
        regret: Vec::new(),
        offloaded: Vec::new(),
        tools_active: 1,
        tools_deferred: 0,
        breakpoints: Vec::new(),
        tail: Vec::new(),
        system_tail: false,
        predicted: Usage::default(),
        cache: None,
        reported: None,
        diagnosis: None,
        window_prompt: None,
        stop: "end_turn".to_owned(),
        degraded: Vec::new(),
    }
}
