//! The calls of an answer as cards: tool, what it is about, outcome and time; folded, the arguments or the change, and the result.

use maud::{Markup, html};
use serde_json::Value;
use throughline_audit::call_name;
use throughline_conversation::ToolCall;
use throughline_ledger::subject;
use throughline_stored::preview_reference;
use throughline_text::cut_end;

use super::request_diff::changed_lines;
use super::text::{bytes, duration, shown_start};
use crate::inspector::{GivenResult, SaidItem, Sight};

/// Characters of what a call is about.
const ABOUT: usize = 140;

/// Maximum bytes of arguments, and of a result, that are shown; lines of a change.
const ARGUMENTS: usize = 4_000;
const RESULT: usize = 2_500;
const LINES: usize = 120;

/// Maximum number of lines of a change that is shown unfolded.
const OPEN_LINES: usize = 30;

/// Fields of calls that replace a text by another.
const REPLACED: [(&str, &str); 4] = [
    ("old_string", "new_string"),
    ("oldString", "newString"),
    ("old_str", "new_str"),
    ("oldText", "newText"),
];

/// Fields of calls that write a whole text.
const WRITTEN: [&str; 2] = ["content", "file_text"];

/// Fields with a patch.
const PATCH: [&str; 3] = ["patch", "input", "diff"];

/// A call with its result.
pub(super) fn call_card(
    address: &str,
    call: &ToolCall,
    given: GivenResult<'_>,
    item: &SaidItem<'_>,
) -> Markup {
    let failed = given.result.is_error;
    let took = (given.at.0 > 0 && item.at.0 > 0)
        .then(|| given.at.0.saturating_sub(item.at.0))
        .filter(|took| *took > 0);
    let content = given.result.content.as_str();
    let change = change(call);
    let has_short_change = change.as_ref().is_some_and(|change| change.lines <= OPEN_LINES);
    html! {
        details.call open[has_short_change] {
            summary {
                span.(if failed { "bad" } else { "ok" }) aria-label=(if failed { "failed" } else { "done" }) { (if failed { "✗" } else { "✓" }) }
                b { (call.name) }
                (about(call))
                span.far.sub {
                    @if let Some(change) = &change { span.added-count { "+" (change.added) } " " span.removed-count { "−" (change.removed) } " · " }
                    @if given.sight == Sight::Summary && item.sight != Sight::Summary { "summarized · " }
                    (size(content))
                    @if let Some(took) = took { " · " (duration(took)) }
                }
            }
            @match change {
                Some(change) => { (change.markup) },
                None => { @if !is_plain(call) { pre.arguments tabindex="0" aria-label="Arguments" { (cut(&pretty(&call.input), ARGUMENTS)) } } },
            }
            (result(address, given))
        }
    }
}

/// What a call is about. The folder of a path gives way where there is little room, and the name of the file stays.
fn about(call: &ToolCall) -> Markup {
    let about = match subject(call).is_empty() {
        true => String::new(),
        false => call_name(call, ABOUT),
    };
    let file = about.rsplit_once('/').filter(|_| !about.contains(char::is_whitespace));
    html! { @match file {
        Some((folder, file)) => { code.about.path { span.folder { (folder) "/" } span { (file) } } },
        None => { code.about { (about) } },
    } }
}

/// A call without a result.
pub(super) fn unmatched(call: &ToolCall) -> Markup {
    html! {
        details.call {
            summary { span.sub { "…" } b { (call.name) } (about(call)) span.far.sub { "no result" } }
            pre.arguments tabindex="0" aria-label="Arguments" { (cut(&pretty(&call.input), ARGUMENTS)) }
        }
    }
}

/// The beginning of a result, with the way to all of it.
fn result(address: &str, given: GivenResult<'_>) -> Markup {
    let content = given.result.content.as_str();
    let stored = preview_reference(content).filter(|_| address.starts_with("/sessions"));
    html! {
        @if !content.is_empty() { pre.result.bad[given.result.is_error] tabindex="0" aria-label="Result" { (cut_end(content, RESULT)) } }
        @if !given.result.images.is_empty() { p.sub.of-call { "with " (super::text::counted(given.result.images.len() as u64, "picture")) } }
        @if let Some(stored) = stored {
            p.of-call { a href={ (address) "/results/" (stored) } { "the whole result" } }
        } @else if content.len() > RESULT {
            p.of-call { a href={ (address) "/records/" (given.record) } { "all " (bytes(content.len() as u64)) " of the result" } }
        }
    }
}

/// How large a result is: in lines where it has several.
fn size(content: &str) -> String {
    match content.lines().count() {
        0 => "no output".to_owned(),
        1 => bytes(content.len() as u64),
        lines => format!("{lines} lines, {}", bytes(content.len() as u64)),
    }
}

/// Returns true if the line of the card says everything about a call.
fn is_plain(call: &ToolCall) -> bool {
    let Some(fields) = call.input.as_object() else { return false };
    fields.len() <= 1 && call_name(call, ABOUT) == subject(call)
}

fn pretty(input: &Value) -> String {
    serde_json::to_string_pretty(input).unwrap_or_default()
}

fn cut(text: &str, most: usize) -> String {
    shown_start(text, most)
}

/// What a call changes in a file.
struct ShownChange {
    markup: Markup,
    lines: usize,
    added: usize,
    removed: usize,
}

fn change(call: &ToolCall) -> Option<ShownChange> {
    let field = |of: &Value, name: &str| of.get(name).and_then(Value::as_str).map(str::to_owned);
    let pair = |of: &Value| {
        REPLACED.iter().find_map(|(old, new)| Some((field(of, old)?, field(of, new).unwrap_or_default())))
    };
    let mut pairs: Vec<(String, String)> = pair(&call.input).into_iter().collect();
    let edits = call.input.get("edits").and_then(Value::as_array);
    pairs.extend(edits.into_iter().flatten().filter_map(pair));
    let has_path = ["path", "file_path", "filePath", "filename", "file"]
        .iter()
        .any(|name| call.input.get(*name).is_some());
    if pairs.is_empty() && has_path {
        pairs.extend(
            WRITTEN.iter().find_map(|name| field(&call.input, name)).map(|text| (String::new(), text)),
        );
    }
    if !pairs.is_empty() {
        let markup = html! { @for (old, new) in &pairs { (changed_lines(old, new, LINES)) } };
        let (mut added, mut removed) = (0, 0);
        for (old, new) in &pairs {
            let diff = similar::TextDiff::from_lines(old, new);
            for change in diff.iter_all_changes() {
                added += usize::from(change.tag() == similar::ChangeTag::Insert);
                removed += usize::from(change.tag() == similar::ChangeTag::Delete);
            }
        }
        return Some(ShownChange { markup, lines: added + removed, added, removed });
    }
    let patch = PATCH.iter().find_map(|name| field(&call.input, name));
    let patch =
        patch.filter(|text| text.trim_start().starts_with("*** Begin Patch") || text.contains("\n@@"))?;
    let lines: Vec<&str> = patch.lines().collect();
    let count = |sign: char, head: &str| {
        lines.iter().filter(|line| line.starts_with(sign) && !line.starts_with(head)).count()
    };
    let (added, removed) = (count('+', "+++"), count('-', "---"));
    let class = |line: &str| match line.chars().next() {
        Some('+') => "added",
        Some('-') => "removed",
        _ => "same",
    };
    let markup = html! { pre.diff tabindex="0" { @for line in lines.iter().take(LINES) { span.(class(line)) { (line) "\n" } } } };
    Some(ShownChange { markup, lines: added + removed, added, removed })
}
