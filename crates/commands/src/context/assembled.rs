//! The context as it will be sent with the next request.

use serde_json::{Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{ContentBlock, Entry, EntryKind, SectionText, TokenCounter, ToolDefinition};
use throughline_stored::{SessionLog, SessionWriter};
use throughline_terminal::table;
use throughline_text::{counted, group_thousands, plain};
use throughline_wire::anthropic;

use crate::answer::Answer;
use crate::target::CommandTarget;

/// The context of the next request: for a person, or as the body that would be sent. Before the first message, the agent
/// that has the session open knows it.
pub(crate) async fn assembled(
    target: &CommandTarget,
    writer: &SessionWriter<'_>,
    as_body: bool,
) -> anyhow::Result<Answer> {
    let log = target.handle.log().await?;
    let stored = log.next_request(&target.handle.session);
    let request = match writer {
        SessionWriter::Agent(agent, _) if is_unsent(&stored) => agent.next_request(),
        _ => stored,
    };
    if is_unsent(&request) {
        let text =
            "Nothing has been sent yet. Send a message first, or run /context show in the open session.";
        let json = object(&log, &request, target.handle.counter.as_ref());
        return Ok(Answer { text: text.to_owned(), json });
    }
    if as_body {
        let body = anthropic::encode(&request);
        let text = throughline_text::escaped_json(&serde_json::to_string_pretty(&body)?, |_| false);
        return Ok(Answer { text, json: body });
    }
    let counter = target.handle.counter.as_ref();
    let text = text(target, &log, &request, counter);
    Ok(Answer { text: plain(&text), json: object(&log, &request, counter) })
}

/// Returns true if the log has neither a system prompt nor tools yet.
fn is_unsent(request: &CompletionRequest) -> bool {
    request.system.is_empty() && request.tools.is_empty()
}

fn text(
    target: &CommandTarget,
    log: &SessionLog,
    request: &CompletionRequest,
    counter: &dyn TokenCounter,
) -> String {
    let mut out = format!(
        "# Context of session {}: {}, {} (estimated)\n",
        target.handle.session,
        counted(log.view.entries().len() as u64, "message"),
        counted(total(log, request, counter), "token"),
    );
    if let Some(window) = log.view.groups().window() {
        let turns = counted(window as u64, "turn");
        out.push_str(&format!("Shown: the newest {turns}; `context … window 0` shows all.\n"));
    }
    out.push_str("\n## System prompt\n");
    for section in request.system.iter() {
        let tokens = group_thousands(counter.text(&section.text));
        out.push_str(&format!("\n### {} · {tokens} tokens\n\n{}\n", section.name, section.text.trim_end()));
    }
    out.push_str(&format!("\n## Tools ({})\n\n", request.tools.len()));
    if !request.tools.is_empty() {
        let mut rows = vec![["TOOL", "BYTES", "TOKENS"].map(str::to_owned).to_vec()];
        rows.extend(request.tools.iter().map(|tool| {
            vec![tool.name.clone(), group_thousands(bytes(tool)), group_thousands(counter.tool(tool))]
        }));
        out.push_str(&table(&rows).join("\n"));
        out.push('\n');
    }
    out.push_str(&format!("\n## Messages ({})\n", log.view.entries().len()));
    for entry in log.view.entries() {
        out.push_str(&format!("\n### {}\n", heading(entry)));
        entry.message.content.iter().for_each(|block| out.push_str(&block_text(block)));
    }
    out.push_str("\n## At the end of the request\n\n");
    match request.tail.is_empty() {
        true => out.push_str("No document has a text. Notes about the window are added when it is sent.\n"),
        false => out.push_str(&format!("{}\n", request.tail.join("\n\n"))),
    }
    out
}

fn total(log: &SessionLog, request: &CompletionRequest, counter: &dyn TokenCounter) -> u64 {
    let system = request.system.iter().map(|section| counter.text(&section.text));
    let tools = request.tools.iter().map(|tool| counter.tool(tool));
    let messages = log.view.entries().iter().map(|entry| entry.tokens);
    let tail = request.tail.iter().map(|note| counter.text(note));
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
        "{} · {place} · turn {} · {} tokens",
        kind(entry.kind),
        entry.exchange,
        group_thousands(entry.tokens)
    )
}

fn kind(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Notice => "notice of the engine",
        other => other.name(),
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

fn object(log: &SessionLog, request: &CompletionRequest, counter: &dyn TokenCounter) -> Value {
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
        "tokens": total(log, request, counter),
        "system": request.system.iter().map(section).collect::<Vec<Value>>(),
        "tools": request.tools.iter().map(tool).collect::<Vec<Value>>(),
        "messages": log.view.entries().iter().map(message).collect::<Vec<Value>>(),
        "tail": request.tail,
    })
}
