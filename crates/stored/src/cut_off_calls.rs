//! Calls that were cut off: the program ended before their tools answered.

use throughline_conversation::{ContentBlock, Record, RecordBody, ToolCall, missing_result};
use throughline_text::headline;

/// Characters of a command that a sentence shows.
const SHOWN: usize = 80;

/// The calls of these records without a result of their tools, in order.
pub(crate) fn cut_off_calls<'a>(records: impl IntoIterator<Item = &'a Record>) -> Vec<&'a ToolCall> {
    let mut open: Vec<&ToolCall> = Vec::new();
    for record in records {
        let RecordBody::Message(said) = &record.body else { continue };
        for block in &said.message.content {
            match block {
                ContentBlock::ToolCall(call) => open.push(call),
                ContentBlock::ToolResult(result) if *result != missing_result(&result.call_id) => {
                    if let Some(place) = open.iter().rposition(|call| call.id == result.call_id) {
                        open.remove(place);
                    }
                }
                _ => {}
            }
        }
    }
    open
}

/// What is not known of the commands among these calls.
pub(crate) fn unknown_changes<'a>(records: impl IntoIterator<Item = &'a Record>) -> Vec<String> {
    let commands = cut_off_calls(records).into_iter().filter(|call| call.name == "shell");
    let text =
        |call: &ToolCall| call.input.get("command").and_then(|command| command.as_str()).map(str::to_owned);
    let commands = commands.filter_map(text);
    commands
        .map(|command| {
            format!(
                "the command `{}` has no result: what it may have changed is not known",
                headline(&command, SHOWN)
            )
        })
        .collect()
}
