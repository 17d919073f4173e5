//! The notice of a compaction: what it changed as a picture, what it costs, how to see what left and how to undo it. An automatic
//! compaction and one that the user asked for have the same.

use throughline_conversation::{CompactionReceipt, EditReason};
use throughline_text::{counted, group_thousands};

use crate::clean::stripped;
use crate::layout::{width, wrap_hanging};
use crate::line::{BOLD, DIM, Line, PLAIN};
use crate::palette::{MEMORY, WAIT};
use crate::port::CompactionNotice;
use crate::status::bar;

/// Narrower bars say nothing.
const NARROWEST: usize = 8;
/// Wider bars say no more, and break when the terminal becomes narrower.
const WIDEST: usize = 40;
/// Columns of the words around the names that left.
const AROUND_NAMES: usize = 30;

/// The notice, in a window of this many tokens if that is known.
pub(crate) fn compacted(notice: &CompactionNotice, window: Option<u64>, columns: usize) -> Vec<Line> {
    let receipt = &notice.receipt;
    let mut lines = vec![title(receipt)];
    lines.extend(bars(receipt, window, columns));
    lines.extend([messages(receipt), price(notice)]);
    lines.extend(lost(receipt, columns));
    lines.extend(notice.notes.iter().map(|note| Line::styled(note, PLAIN.fg(WAIT))));
    let undo = Line::styled("nothing is lost: ", DIM).then("/context diff", PLAIN);
    lines.push(undo.then(" shows what left · ", DIM).then("/undo --compaction", PLAIN).then(" reverts", DIM));
    let (first, rest) = (Line::plain("  "), Line::plain("    "));
    let indented = |(index, line): (usize, Line)| {
        let start = if index == 0 { &first } else { &rest };
        wrap_hanging(start, &rest, &line, columns)
    };
    lines.into_iter().enumerate().flat_map(indented).collect()
}

fn title(receipt: &CompactionReceipt) -> Line {
    let why = match receipt.reason {
        EditReason::CompactThreshold => "the window was nearly full",
        EditReason::BlockThreshold => "the window was full",
        EditReason::Early => "early, before the window is full",
        EditReason::Idle => "before the prompt cache expires",
        EditReason::Overflow => "the request was too long",
        EditReason::Manual => "as asked",
        EditReason::Switch => "for the new model",
        EditReason::Pictures => "the provider rejected the pictures",
        EditReason::Rewound => "the list of messages was rewound",
        EditReason::Window => "older turns are hidden",
    };
    let waited = match receipt.blocked_ms {
        0..500 => String::new(),
        ms => format!(" · the session waited {:.1}s", ms as f64 / 1_000.0),
    };
    let mark = Line::styled("◆ ", PLAIN.fg(MEMORY)).then("compacted", BOLD.fg(MEMORY));
    mark.then(format!("  {why}{waited}"), DIM)
}

/// The request before and after, on the scale of the window.
fn bars(receipt: &CompactionReceipt, window: Option<u64>, columns: usize) -> Vec<Line> {
    let sizes = [receipt.before_tokens, receipt.after_tokens].map(group_thousands);
    let widest = sizes.iter().map(|size| width(size)).max().unwrap_or_default();
    let room = columns.saturating_sub(4 + 7 + widest + 2 + 5).min(WIDEST);
    let row = |name: &str, size: &str, tokens: u64| {
        let mut line = Line::styled(format!("{name:<6} "), DIM).then(format!("{size:>widest$}"), PLAIN);
        if let Some(window) = window.filter(|window| *window > 0) {
            if room >= NARROWEST {
                line.add("  ", PLAIN);
                line.append(bar(tokens, window, room, MEMORY));
            }
            line.add(format!(" {:>4}", format!("{}%", tokens.saturating_mul(100) / window)), PLAIN);
        }
        line
    };
    let [before, after] = &sizes;
    vec![row("before", before, receipt.before_tokens), row("after", after, receipt.after_tokens)]
}

/// What became of the messages.
fn messages(receipt: &CompactionReceipt) -> Line {
    let (before, after) = (group_thousands(receipt.before_messages), group_thousands(receipt.after_messages));
    let mut line = Line::plain(format!("{before} → {after} messages"));
    let mut authors: Vec<&str> = Vec::new();
    for author in &receipt.authors {
        if !authors.contains(&author.as_str()) {
            authors.push(author);
        }
    }
    for author in authors {
        let style = if author.starts_with("extraction") { PLAIN.fg(WAIT) } else { DIM };
        line.add(" · ", DIM);
        line.add(format!("summary by {author}"), style);
    }
    let mut done: Vec<String> =
        receipt.strategies.iter().filter_map(|name| strategy(name, receipt)).collect();
    done.extend((receipt.trimmed > 0).then(|| some(receipt.trimmed, "result", "trimmed")));
    done.extend((receipt.pins > 0).then(|| some(receipt.pins, "pin", "kept")));
    let is_shorter = receipt.after_messages < receipt.before_messages;
    done.extend((is_shorter && receipt.lost_count == 0).then(|| "every name stays in view".to_owned()));
    done.iter().for_each(|fact| line.add(format!(" · {fact}"), DIM));
    line
}

/// The names that the model sees no more, as many as a row has, and how they come back.
fn lost(receipt: &CompactionReceipt, columns: usize) -> Option<Line> {
    let count = receipt.lost_count.max(receipt.lost.len() as u64);
    if count == 0 {
        return None;
    }
    let room = columns.saturating_sub(4 + AROUND_NAMES);
    let (mut used, mut shown) = (0, Vec::new());
    for name in receipt.lost.iter().map(|name| stripped(name).replace('\n', " ")) {
        used += width(&name) + 2;
        if used > room && !shown.is_empty() {
            break;
        }
        shown.push(name);
    }
    let title = format!("{} left: ", counted(count, "name"));
    let mut line = Line::styled(title, PLAIN.fg(MEMORY)).then(shown.join(", "), PLAIN);
    let more = count.saturating_sub(shown.len() as u64);
    if more > 0 {
        line.add(format!(" and {} more", group_thousands(more)), DIM);
    }
    Some(line.then(" · the model can search for them", DIM))
}

fn some(count: u64, thing: &str, done: &str) -> String {
    format!("{} {done}", counted(count, thing))
}

/// What a strategy did, if no count says it.
fn strategy(name: &str, receipt: &CompactionReceipt) -> Option<String> {
    Some(match name {
        "tool_clearing" | "tool_result_clearing" | "tool_response_removal" if receipt.trimmed == 0 => {
            "tool results trimmed".to_owned()
        }
        "drop_exchanges" => "oldest turns dropped".to_owned(),
        "truncation" => "older messages shortened".to_owned(),
        "summary" | "summarization" | "conversation_summary" | "history_summary"
            if receipt.authors.is_empty() =>
        {
            "older turns summarized".to_owned()
        }
        _ => return None,
    })
}

/// What it costs, and when it has paid for that.
fn price(notice: &CompactionNotice) -> Line {
    let receipt = &notice.receipt;
    let mut line = Line::blank();
    if let Some(dollars) = notice.dollars {
        let at_least = if notice.dollars_at_least { "≥" } else { "" };
        line.add(format!("{at_least}${dollars:.3}"), BOLD);
        line.add(", ", PLAIN);
    }
    match receipt.pays_back_after {
        Some(0) => line.add("pays back at once", PLAIN),
        Some(requests) => line.add(format!("pays back after {}", counted(requests, "request")), PLAIN),
        None => line.add("frees room, does not pay back", PLAIN.fg(WAIT)),
    }
    let rewritten = group_thousands(receipt.rewritten_tokens);
    line.then(format!(" · {rewritten} tokens written to the cache"), DIM)
}

#[cfg(test)]
mod tests;
