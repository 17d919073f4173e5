//! Transcripts as text.

use serde_json::Value;
use throughline_conversation::{
    ContentBlock, EntryKind, ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Role, Seq,
    Source, Thinking, ToolCall, ToolResult, View, project,
};

use crate::WordCounter;

/// Reads the notation. Panics with the line on a malformed one: it is a mistake in the test.
#[must_use]
#[expect(clippy::panic, reason = "a malformed notation is a mistake in the test itself")]
pub fn parse(text: &str) -> Vec<Message> {
    let mut messages: Vec<Message> = Vec::new();
    let push = |messages: &mut Vec<Message>, role, block: Option<ContentBlock>| {
        messages.push(Message { role, content: block.into_iter().collect() });
    };
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let bare = line.trim_start();
        if let Some(rest) = bare.strip_prefix("user:") {
            push(&mut messages, Role::User, said(rest));
        } else if let Some(rest) = bare.strip_prefix("assistant:") {
            push(&mut messages, Role::Assistant, said(rest));
        } else if bare.starts_with("results:") {
            push(&mut messages, Role::User, None);
        } else {
            let block = part(bare).unwrap_or_else(|| panic!("no notation: {line:?}"));
            let last = messages.last_mut().unwrap_or_else(|| panic!("no message before {line:?}"));
            last.content.push(block);
        }
    }
    messages
}

fn said(rest: &str) -> Option<ContentBlock> {
    let text = rest.trim().replace("\\n", "\n");
    (!text.is_empty()).then_some(ContentBlock::Text { text })
}

fn part(line: &str) -> Option<ContentBlock> {
    if let Some(rest) = line.strip_prefix("-> ") {
        let mut words = rest.splitn(3, ' ');
        let (id, name) = (words.next()?.to_owned(), words.next()?.to_owned());
        let input: Value = serde_json::from_str(words.next().unwrap_or("{}")).ok()?;
        return Some(ContentBlock::ToolCall(ToolCall { id, name, input }));
    }
    if let Some(rest) = line.strip_prefix("thinking: ") {
        return Some(ContentBlock::Thinking(Thinking {
            text: rest.to_owned(),
            signature: None,
            redacted: None,
        }));
    }
    let (id, rest) = line.split_once(' ')?;
    let (mark, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let text = text.replace("\\n", "\n");
    match mark {
        "=" => Some(ContentBlock::ToolResult(ToolResult::text(id, text))),
        "!" => Some(ContentBlock::ToolResult(ToolResult::error(id, text))),
        _ => None,
    }
}

/// Writes messages in the notation.
#[must_use]
pub fn render<'a>(messages: impl IntoIterator<Item = &'a Message>) -> String {
    messages.into_iter().map(|message| render_message(head(message), message)).collect()
}

/// Writes a view in the notation, with `summary:` and `notice:` for what the engine said.
#[must_use]
pub fn render_view(view: &View) -> String {
    let line = |entry: &throughline_conversation::Entry| {
        let head = match entry.kind {
            EntryKind::Summary => "summary:",
            EntryKind::Notice => "notice:",
            _ => head(&entry.message),
        };
        render_message(head, &entry.message)
    };
    view.entries().iter().map(line).collect()
}

fn head(message: &Message) -> &'static str {
    match message.role {
        Role::Assistant => "assistant:",
        Role::User if message.tool_results().next().is_some() => "results:",
        Role::User => "user:",
    }
}

fn render_message(head: &str, message: &Message) -> String {
    let mut out = head.to_owned();
    let mut first = true;
    for block in &message.content {
        let line = match block {
            ContentBlock::Text { text } if first => format!(" {}", text.replace('\n', "\\n")),
            ContentBlock::Text { text } => format!("\n  {}", text.replace('\n', "\\n")),
            ContentBlock::Thinking(thinking) => format!("\n  thinking: {}", thinking.text),
            ContentBlock::Image(image) => format!("\n  [{}]", image.media_type),
            ContentBlock::ToolCall(call) => format!("\n  -> {} {} {}", call.id, call.name, call.input),
            ContentBlock::ToolResult(result) => {
                let mark = if result.is_error { '!' } else { '=' };
                format!("\n  {} {mark} {}", result.call_id, result.content.replace('\n', "\\n"))
            }
        };
        out.push_str(&line);
        first = false;
    }
    out.push('\n');
    out
}

/// The log of a transcript in the notation: one record a message, a new exchange at each user message.
#[must_use]
pub fn records(text: &str) -> Vec<Record> {
    let mut exchange = ExchangeId(0);
    let make = |(index, message): (usize, Message)| {
        let source = match (message.role, message.tool_results().next()) {
            (Role::Assistant, _) => Source::Model("test".to_owned()),
            (Role::User, Some(_)) => Source::Tools,
            (Role::User, None) => Source::User,
        };
        if source == Source::User {
            exchange = exchange.next();
        }
        let body = RecordBody::Message(MessageRecord { message, source, usage: None });
        Record { seq: Seq(index as u64 + 1), at: Millis(0), exchange, body }
    };
    parse(text).into_iter().enumerate().map(make).collect()
}

/// The view of a transcript in the notation, counted by [`WordCounter`].
#[must_use]
#[expect(clippy::expect_used, reason = "a log of messages in order always projects")]
pub fn view(text: &str) -> View {
    project(&records(text), &WordCounter).expect("a log of messages in order projects")
}
