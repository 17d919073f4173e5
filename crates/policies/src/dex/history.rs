//! The prompt for a summary, with the history in it.

use throughline_conversation::{ContentBlock, Entry, TokenCounter};
use throughline_text::cut_end;

use super::TEMPLATE;

/// Bytes of a message that are shown.
const MAX_MESSAGE_BYTES: usize = 2_000;

/// The prompt with the messages in it, within this many tokens of history.
pub(super) fn prompt(entries: &[Entry], tokens: u64, counter: &dyn TokenCounter) -> String {
    TEMPLATE.prompt.trim_end().replace("{{history}}", &history(entries, tokens, counter))
}

/// `[role]: content` of each message. When that is more than it may be, messages of the middle are left out: the
/// request that is to make room must not overflow itself, and the newest say most about where the work stands.
fn history(entries: &[Entry], tokens: u64, counter: &dyn TokenCounter) -> String {
    let all: Vec<(String, u64)> = entries
        .iter()
        .map(|entry| {
            let text = one(entry);
            let tokens = counter.text(&text);
            (text, tokens)
        })
        .collect();
    let whole: u64 = all.iter().map(|(_, tokens)| tokens).sum();
    let join = |some: &[(String, u64)]| some.iter().map(|(text, _)| text.as_str()).collect::<String>();
    if whole <= tokens {
        return join(&all);
    }
    let (mut head, mut used) = (0, 0);
    while let Some((_, more)) = all.get(head).filter(|(_, more)| used + more <= tokens / 3) {
        (head, used) = (head + 1, used + more);
    }
    let mut tail = all.len();
    while let Some((_, more)) =
        tail.checked_sub(1).and_then(|at| all.get(at)).filter(|(_, more)| used + more <= tokens)
    {
        (tail, used) = (tail - 1, used + more);
    }
    let out = tail.saturating_sub(head);
    let (first, last) = (all.get(..head).unwrap_or_default(), all.get(tail.max(head)..).unwrap_or_default());
    format!("{}[… {out} messages left out …]\n\n{}", join(first), join(last))
}

fn one(entry: &Entry) -> String {
    let role = entry.message.role.name();
    let content: Vec<String> = entry.message.content.iter().filter_map(shown).collect();
    format!("[{role}]: {}\n\n", shortened(&content.join("\n")))
}

fn shown(block: &ContentBlock) -> Option<String> {
    match block {
        ContentBlock::Text { text } => Some(text.clone()),
        ContentBlock::ToolCall(call) => Some(format!("(calls {} {})", call.name, call.input)),
        ContentBlock::ToolResult(result) => Some(result.content.clone()),
        ContentBlock::Image(_) => Some("(an image)".to_owned()),
        ContentBlock::Thinking(_) => None,
    }
}

fn shortened(content: &str) -> String {
    match cut_end(content, MAX_MESSAGE_BYTES) {
        cut if cut.len() < content.len() => format!("{cut}... [truncated]"),
        whole => whole.to_owned(),
    }
}
