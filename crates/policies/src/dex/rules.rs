//! A summary by rule: what was called, what was decided, what a quality gate said.

use throughline_compaction::ProseSummary;
use throughline_conversation::{ContentBlock, Entry, EntryKind};
use throughline_documents::COMPACTED_HISTORY;
use throughline_text::cut_end;

/// Marks a message of a quality gate.
const GATE: &str = "QUALITY_";
/// Words that mark a decision.
const DECISIONS: [&str; 2] = ["decided", "choosing"];

/// One line for each call, decision and quality gate, oldest first, behind the prose of earlier summaries.
pub(super) fn lines(entries: &[Entry]) -> String {
    let mut out = String::new();
    for entry in entries {
        match entry.kind {
            EntryKind::Summary => entry.own_texts().for_each(|text| earlier(&mut out, text)),
            EntryKind::Assistant => assistant(&mut out, entry),
            EntryKind::User | EntryKind::Results | EntryKind::Notice => gates(&mut out, entry),
        }
    }
    out
}

fn earlier(out: &mut String, text: &str) {
    let prose = ProseSummary::parse(text).prose;
    out.push_str(prose.strip_prefix(COMPACTED_HISTORY).unwrap_or(prose).trim());
    out.push('\n');
}

fn assistant(out: &mut String, entry: &Entry) {
    for call in entry.message.tool_calls() {
        out.push_str(&format!("- Called {}\n", call.name));
    }
    let text = entry.message.text();
    if DECISIONS.iter().any(|word| text.contains(word)) {
        out.push_str(&format!("- Decision: {}\n", first_sentence(&text)));
    }
}

fn gates(out: &mut String, entry: &Entry) {
    let texts = entry.message.content.iter().filter_map(|block| match block {
        ContentBlock::Text { text } => Some(text.as_str()),
        ContentBlock::ToolResult(result) => Some(result.content.as_str()),
        _ => None,
    });
    for result in texts.filter_map(quality_result) {
        out.push_str(&format!("- Quality gate: {result}\n"));
    }
}

/// The result of a gate: the word behind its mark, in lower case, for example `passed`.
pub(super) fn quality_result(text: &str) -> Option<String> {
    text.match_indices(GATE).find_map(|(at, mark)| {
        let rest = text.get(at + mark.len()..)?;
        let end = rest.find(|letter: char| !letter.is_ascii_uppercase()).unwrap_or(rest.len());
        rest.get(..end).filter(|word| !word.is_empty()).map(str::to_ascii_lowercase)
    })
}

/// The first sentence: up to a period, question mark or exclamation mark with white space or nothing behind it, or to
/// the end of the line. One of more than 200 bytes is cut to 100.
pub(super) fn first_sentence(text: &str) -> String {
    const LONGEST: usize = 200;
    const CUT: usize = 100;
    let text = text.trim();
    let ends = |(at, letter): (usize, char)| {
        let behind = text.get(at + letter.len_utf8()..)?;
        let stop = matches!(letter, '.' | '?' | '!') && behind.chars().next().is_none_or(char::is_whitespace);
        match letter {
            '\n' => Some(at),
            _ => stop.then_some(at + letter.len_utf8()),
        }
    };
    let end = text.char_indices().find_map(ends).unwrap_or(text.len());
    if end <= LONGEST {
        return text.get(..end).unwrap_or(text).trim_end().to_owned();
    }
    format!("{}...", cut_end(text, CUT))
}
