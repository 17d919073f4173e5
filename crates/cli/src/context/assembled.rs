//! The context as it will be sent with the next request.

use std::sync::Arc;

use serde_json::{Value, json};
use throughline::SessionLog;
use throughline_completion::CompletionRequest;
use throughline_conversation::{
    ContentBlock, Entry, EntryKind, Receipt, Record, RecordBody, SectionText, TokenCounter, ToolDefinition,
};
use throughline_documents::documents_note;
use throughline_prompt::DynamicPlacement;
use throughline_providers::anthropic;
use throughline_text::group_thousands;

use crate::answer::Answer;
use crate::target::CommandTarget;
use crate::terminal::{plain, table};

/// The parts of a request, read from the log.
struct Assembled<'a> {
    system: Arc<[SectionText]>,
    tools: &'a [ToolDefinition],
    entries: &'a [Entry],
    tail: Vec<String>,
}

/// The context of the next request: for a person, or as the body that would be sent.
pub(crate) async fn assembled(target: &CommandTarget, request: bool) -> anyhow::Result<Answer> {
    let log = target.handle.log().await?;
    let parts = parts(&log);
    if request {
        let body = anthropic::encode(&completion(target, &log, &parts));
        let text = crate::terminal::escaped(&serde_json::to_string_pretty(&body)?, |_| false);
        return Ok(Answer { text, json: body });
    }
    let counter = target.handle.counter.as_ref();
    Ok(Answer { text: plain(&text(target, &log, &parts, counter)), json: object(&parts, counter) })
}

fn parts(log: &SessionLog) -> Assembled<'_> {
    let (mut system, mut tools): (&[SectionText], &[ToolDefinition]) = (&[], &[]);
    for record in &log.records {
        match &record.body {
            RecordBody::Prompt(prompt) => system = &prompt.sections,
            RecordBody::Tools(list) => tools = &list.tools,
            _ => {}
        }
    }
    let in_system = log.records.iter().rev().find_map(receipt).is_some_and(|receipt| receipt.system_tail);
    let placement = if in_system { DynamicPlacement::SystemTail } else { DynamicPlacement::LastUser };
    let (system, tail) = placement.place(&system.into(), documents_note(&log.view));
    Assembled { system, tools, entries: log.view.entries(), tail }
}

fn completion(target: &CommandTarget, log: &SessionLog, parts: &Assembled<'_>) -> CompletionRequest {
    let receipt = log.records.iter().rev().find_map(receipt);
    CompletionRequest {
        model: receipt.map_or_else(String::new, |receipt| receipt.model.clone()),
        session: Some(target.handle.session.clone()),
        tools: parts.tools.into(),
        system: Arc::clone(&parts.system),
        transcript: log.view.transcript().clone(),
        tail: parts.tail.clone(),
        breakpoints: Vec::new(),
        max_output_tokens: receipt.map_or(0, |receipt| receipt.window.reserved_output),
    }
}

fn receipt(record: &Record) -> Option<&Receipt> {
    match &record.body {
        RecordBody::Receipt(receipt) => Some(receipt),
        _ => None,
    }
}

fn text(
    target: &CommandTarget,
    log: &SessionLog,
    parts: &Assembled<'_>,
    counter: &dyn TokenCounter,
) -> String {
    let mut out = format!(
        "# Context of session {}: {} messages, {} tokens (estimated)\n",
        target.handle.session,
        group_thousands(parts.entries.len() as u64),
        group_thousands(total(parts, counter)),
    );
    if let Some(window) = log.view.groups().window() {
        out.push_str(&format!(
            "Only the newest {window} groups are shown; `context … window 0` shows all.\n"
        ));
    }
    out.push_str("\n## System prompt\n");
    for section in parts.system.iter() {
        let tokens = group_thousands(counter.text(&section.text));
        out.push_str(&format!("\n### {} · {tokens} tokens\n\n{}\n", section.name, section.text.trim_end()));
    }
    out.push_str(&format!("\n## Tools ({})\n\n", parts.tools.len()));
    if !parts.tools.is_empty() {
        let mut rows = vec![["TOOL", "BYTES", "TOKENS"].map(str::to_owned).to_vec()];
        rows.extend(parts.tools.iter().map(|tool| {
            vec![tool.name.clone(), group_thousands(bytes(tool)), group_thousands(counter.tool(tool))]
        }));
        out.push_str(&table(&rows).join("\n"));
        out.push('\n');
    }
    out.push_str(&format!("\n## Messages ({})\n", parts.entries.len()));
    for entry in parts.entries {
        out.push_str(&format!("\n### {}\n", heading(entry)));
        entry.message.content.iter().for_each(|block| out.push_str(&block_text(block)));
    }
    out.push_str("\n## At the end of the request\n\n");
    match parts.tail.is_empty() {
        true => out.push_str("No document has a text. Notes about the window are added when it is sent.\n"),
        false => out.push_str(&format!("{}\n", parts.tail.join("\n\n"))),
    }
    out
}

fn total(parts: &Assembled<'_>, counter: &dyn TokenCounter) -> u64 {
    let system = parts.system.iter().map(|section| counter.text(&section.text));
    let tools = parts.tools.iter().map(|tool| counter.tool(tool));
    let messages = parts.entries.iter().map(|entry| entry.tokens);
    let tail = parts.tail.iter().map(|note| counter.text(note));
    system.chain(tools).chain(messages).chain(tail).fold(0, u64::saturating_add)
}

/// What a tool takes: its name, its description and its schema.
fn bytes(tool: &ToolDefinition) -> u64 {
    (tool.name.len() + tool.description.len() + tool.input_schema.to_string().len()) as u64
}

fn heading(entry: &Entry) -> String {
    let (first, last) = (entry.span.first, entry.span.last);
    let place = if first == last { format!("record {first}") } else { format!("records {first} to {last}") };
    format!(
        "{} · {place} · group {} · {} tokens",
        kind(entry.kind),
        entry.exchange,
        group_thousands(entry.tokens)
    )
}

fn kind(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::User => "user",
        EntryKind::Assistant => "assistant",
        EntryKind::Results => "results",
        EntryKind::Summary => "summary",
        EntryKind::Notice => "notice of the engine",
    }
}

fn block_text(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text { text } => format!("\n{}\n", text.trim_end()),
        ContentBlock::Thinking(thinking) => format!("\n(thinking) {}\n", thinking.text.trim_end()),
        ContentBlock::Image(image) => format!("\n(picture: {})\n", image.media_type),
        ContentBlock::ToolCall(call) => format!("\n→ {} {} {}\n", call.name, call.id, call.input),
        ContentBlock::ToolResult(result) => {
            let failed = if result.is_error { " (failed)" } else { "" };
            format!("\n← {}{failed}\n{}\n", result.call_id, result.content.trim_end())
        }
    }
}

fn object(parts: &Assembled<'_>, counter: &dyn TokenCounter) -> Value {
    let section = |section: &SectionText| json!({"name": section.name, "text": section.text, "tokens": counter.text(&section.text)});
    let tool = |tool: &ToolDefinition| json!({"name": tool.name, "bytes": bytes(tool), "tokens": counter.tool(tool)});
    let message = |entry: &Entry| {
        json!({
            "kind": kind(entry.kind),
            "first_record": entry.span.first,
            "last_record": entry.span.last,
            "group": entry.exchange,
            "tokens": entry.tokens,
            "message": entry.message,
        })
    };
    json!({
        "tokens": total(parts, counter),
        "system": parts.system.iter().map(section).collect::<Vec<Value>>(),
        "tools": parts.tools.iter().map(tool).collect::<Vec<Value>>(),
        "messages": parts.entries.iter().map(message).collect::<Vec<Value>>(),
        "tail": parts.tail,
    })
}
