//! Random logs and random messages for the laws.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;
use throughline_conversation::{
    Action, ContentBlock, Degradation, Edit, EditReason, ExchangeId, ForeignTools, Image, Message,
    MessageRecord, Millis, ModelRecord, Origin, PromptRecord, Record, RecordBody, ResultRef, Role,
    SectionText, Seq, SessionId, Source, Span, Thinking, ToolCall, ToolResult, Usage, View, units,
};
use throughline_testkit::WordCounter;

/// One thing that may happen; the numbers choose among what the view offers at that moment.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    Asks(String),
    Answers(String),
    Calls(usize, bool),
    Covers(usize, usize, bool),
    Stubs(usize, bool),
    Blinds(usize),
    Other(bool),
    Switches(usize, bool),
}

pub(crate) fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        3 => "[a-z ]{1,12}x".prop_map(Event::Asks),
        2 => "[a-z ]{1,12}x".prop_map(Event::Answers),
        4 => (1usize..4, any::<bool>()).prop_map(|(count, thinks)| Event::Calls(count, thinks)),
        1 => (0usize..100, 0usize..100, any::<bool>()).prop_map(|(at, len, text)| Event::Covers(at, len, text)),
        2 => (0usize..100, any::<bool>()).prop_map(|(at, input)| Event::Stubs(at, input)),
        1 => (0usize..100).prop_map(Event::Blinds),
        1 => any::<bool>().prop_map(Event::Other),
        1 => (0usize..3, any::<bool>()).prop_map(|(model, withhold)| Event::Switches(model, withhold)),
    ];
    prop::collection::vec(event, 0..20)
}

/// A log in which these things happened, as far as they could: every view of it is valid but for its end.
pub(crate) fn log(events: &[Event]) -> Vec<Record> {
    let mut log = Log::default();
    for event in events {
        log.take(event);
    }
    log.records
}

/// A switch to one of three models, two of them of one provider.
fn switch(to: usize, withhold: bool) -> RecordBody {
    let names = [("anthropic", "a1"), ("anthropic", "a2"), ("openai", "o1")];
    let (provider, model) = names.get(to % names.len()).copied().unwrap_or_default();
    let foreign = if withhold { ForeignTools::Isolate } else { ForeignTools::Digest };
    RecordBody::Model(ModelRecord {
        origin: Origin::new(provider, model).into(),
        window: 1_000,
        learnt: BTreeMap::new(),
        foreign,
        thinking_from: None,
        thinking: None,
    })
}

#[derive(Default)]
struct Log {
    records: Vec<Record>,
    view: View,
    exchange: ExchangeId,
    calls: usize,
}

impl Log {
    fn take(&mut self, event: &Event) {
        let last = self.view.entries().last().map(|entry| entry.message.role);
        match event {
            Event::Asks(text) => {
                self.exchange = self.exchange.next();
                self.say(Message::user(text.clone()), Source::User);
            }
            Event::Answers(text) if last == Some(Role::User) => {
                self.say(Message::assistant(text.clone()), Source::Model("m".to_owned()));
            }
            Event::Calls(count, thinks) if last == Some(Role::User) => self.call(*count, *thinks),
            Event::Covers(at, len, text) => self.cover(*at, *len, *text),
            Event::Stubs(at, input) => self.stub(*at, *input),
            Event::Blinds(at) => self.blind(*at),
            Event::Other(prompt) => self.other(*prompt),
            Event::Switches(to, withhold) => self.push(switch(*to, *withhold)),
            Event::Answers(_) | Event::Calls(..) => {}
        }
    }

    fn call(&mut self, count: usize, thinks: bool) {
        let mut content = Vec::new();
        if thinks {
            let thinking =
                Thinking { text: "so".to_owned(), signature: Some("sig".to_owned()), redacted: None };
            content.push(ContentBlock::Thinking(thinking));
        }
        let ids: Vec<String> = (0..count).map(|index| format!("c{}", self.calls + index)).collect();
        self.calls += count;
        let call =
            |id: &String| ToolCall { id: id.clone(), name: "read".to_owned(), input: json!({"n": id}) };
        content.extend(ids.iter().map(|id| ContentBlock::ToolCall(call(id))));
        self.say(Message { role: Role::Assistant, content }, Source::Model("m".to_owned()));
        let picture = || Image { media_type: "image/png".to_owned(), data: "AAAA".to_owned() };
        let results = ids.iter().enumerate().map(|(index, id)| ToolResult {
            images: (0..index).map(|_| picture()).collect(),
            ..ToolResult::text(id.clone(), format!("a result of {id}"))
        });
        self.say(Message::results(results), Source::Tools);
    }

    fn cover(&mut self, at: usize, len: usize, text: bool) {
        let units = units(self.view.entries());
        // Whatever is covered without a summary must leave a user message in front of each of the model's.
        let Some(first) = units.get(at % units.len().max(1)) else { return };
        let last = units.get((at + len) % units.len()).filter(|unit| unit.span.last >= first.span.first);
        let span = Span { first: first.span.first, last: last.unwrap_or(first).span.last };
        let action = Action::Cover { span, summary: text.then(|| "what happened".to_owned()), note: None };
        self.edit_if_valid(vec![action]);
    }

    fn stub(&mut self, at: usize, input: bool) {
        let ids: Vec<String> = self
            .view
            .native()
            .iter()
            .flat_map(|entry| entry.message.tool_calls().map(|call| call.id.clone()).collect::<Vec<_>>())
            .collect();
        let Some(id) = ids.get(at % ids.len().max(1)) else { return };
        let stored = reference(id);
        let call_id = id.clone();
        self.edit_if_valid(vec![if input {
            Action::ReplaceInput { call_id, input: json!({}), stored }
        } else {
            Action::ReplaceResult { call_id, text: "[stored]".to_owned(), stored }
        }]);
    }

    fn blind(&mut self, at: usize) {
        let native = self.view.native().iter();
        let seen: Vec<Seq> = native
            .filter(|entry| entry.message.pictures().next().is_some())
            .map(|entry| entry.span.first)
            .collect();
        let Some(message) = seen.get(at % seen.len().max(1)) else { return };
        self.edit_if_valid(vec![Action::ReplacePictures {
            message: *message,
            text: "[no picture]".to_owned(),
        }]);
    }

    fn edit_if_valid(&mut self, actions: Vec<Action>) {
        let edit = edit(actions);
        let sound = |view: &View| crate::validity::ends_well(&view.violations());
        if self.view.edited(&edit, &WordCounter).as_ref().is_ok_and(sound) {
            self.push(RecordBody::Edit(edit));
        }
    }

    fn other(&mut self, prompt: bool) {
        self.push(if prompt {
            let (name, text) = ("base".to_owned(), "You help.".to_owned());
            RecordBody::Prompt(PromptRecord {
                sections: vec![SectionText { name, text, cacheable: true, skill: false }],
            })
        } else {
            RecordBody::Degraded(Degradation {
                subsystem: "result store".to_owned(),
                fallback: "bounded inline result".to_owned(),
                cause: "disk full".to_owned(),
            })
        });
    }

    fn say(&mut self, message: Message, source: Source) {
        let reported = Usage { input: 3, cache_read: 20, cache_write: 1, output: 7, searches: 0 };
        let usage = (message.role == Role::Assistant).then_some(reported);
        self.push(RecordBody::Message(MessageRecord { message, source, usage }));
    }

    fn push(&mut self, body: RecordBody) {
        let seq = self.view.last().next();
        let record = Record { seq, at: Millis(seq.0 as i64), exchange: self.exchange, body };
        assert_eq!(self.view.apply(&record, &WordCounter), Ok(()));
        self.records.push(record);
    }
}

/// An edit of these actions.
pub(crate) fn edit(actions: Vec<Action>) -> Edit {
    Edit { reason: EditReason::Manual, actions, strategies: vec!["test".to_owned()] }
}

/// A record of an edit.
pub(crate) fn edit_record(seq: u64, actions: Vec<Action>) -> Record {
    Record { seq: Seq(seq), at: Millis(0), exchange: ExchangeId(1), body: RecordBody::Edit(edit(actions)) }
}

/// Some reference.
pub(crate) fn reference(content: &str) -> ResultRef {
    SessionId::new("s")
        .map_or_else(|_| ResultRef::from_text("r"), |session| ResultRef::of(&session, content.as_bytes()))
}

/// Messages as a damaged recording may hold them: few ids, so that they clash; empty texts, wrong roles.
pub(crate) fn any_messages() -> impl Strategy<Value = Vec<Message>> {
    let id = || prop::sample::select(vec!["", "a", "b", "a-2", "call-2"]);
    let text = prop::sample::select(vec!["", " \n", "x", "more words"]);
    let call =
        (id(), prop::sample::select(vec!["", "read"]), any::<bool>()).prop_map(|(id, name, object)| {
            let input = if object { json!({"k": 1}) } else { json!("text") };
            ContentBlock::ToolCall(ToolCall { id: id.to_owned(), name: name.to_owned(), input })
        });
    let block = prop_oneof![
        2 => text.prop_map(|text| ContentBlock::Text { text: text.to_owned() }),
        3 => call,
        3 => (id(), "[a-c]").prop_map(|(id, text)| ContentBlock::ToolResult(ToolResult::text(id, text))),
        1 => Just(ContentBlock::Thinking(Thinking { text: "hm".to_owned(), signature: None, redacted: None })),
    ];
    let role = prop_oneof![Just(Role::User), Just(Role::Assistant)];
    let message =
        (role, prop::collection::vec(block, 0..5)).prop_map(|(role, content)| Message { role, content });
    prop::collection::vec(message, 0..8)
}

/// The messages of a log, unedited.
pub(crate) fn said(records: &[Record]) -> Vec<Message> {
    let message = |record: &Record| match &record.body {
        RecordBody::Message(said) => Some(said.message.clone()),
        _ => None,
    };
    records.iter().filter_map(message).collect()
}
