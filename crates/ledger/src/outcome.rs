//! How a call ended, so far as its result tells.

use throughline_conversation::{ResultRef, ToolResult};
use throughline_text::{cut_end, cut_start};

use crate::reference::refs;

/// The exit code that a result tells of, near its start or its end.
pub(crate) fn exit_code(result: &ToolResult) -> Option<i64> {
    /// Tools say it in their first or last lines.
    const NEAR: usize = 200;
    const MARKS: &[&str] = &["exit code", "exit status", "exited with code", "exited with", "returncode"];
    let ends = [cut_end(&result.content, NEAR), cut_start(&result.content, NEAR)];
    ends.iter().find_map(|text| {
        let text = text.to_ascii_lowercase();
        MARKS.iter().find_map(|mark| {
            let (_, after) = text.split_once(mark)?;
            let after = after.trim_start_matches([':', ' ', '=', '"', '`', '(', '>']);
            let end =
                after.find(|letter: char| !letter.is_ascii_digit() && letter != '-').unwrap_or(after.len());
            after.get(..end)?.parse().ok()
        })
    })
}

/// Words of a line that reports a failure.
const TELLING: &[&str] = &["error", "Error", "failed", "panicked", "not found", "No such"];

/// The beginning of a result that is not shown whole: its first line has the reference.
const TAKEN_OUT: &str = "[Tool result ";

/// Where a result is stored that is not shown.
pub(crate) fn taken_out(content: &str) -> Option<ResultRef> {
    let first = content.lines().next().filter(|line| line.starts_with(TAKEN_OUT))?;
    refs(first).last().map(ResultRef::from_text)
}

/// The line of a failed result with the failure.
pub(crate) fn failure(content: &str) -> Option<&str> {
    if taken_out(content).is_some() {
        return None;
    }
    lines(content).find(|line| TELLING.iter().any(|word| line.contains(word)))
}

/// The first line with more than an exit code.
pub(crate) fn first_line(content: &str) -> &str {
    const CODES: &[&str] = &["exit code", "exit status", "[exit", "<returncode"];
    let code = |line: &&str| CODES.iter().any(|mark| line.to_ascii_lowercase().starts_with(mark));
    lines(content).find(|line| !code(line)).unwrap_or("no text")
}

fn lines(content: &str) -> impl Iterator<Item = &str> {
    /// Looking further costs more than it finds.
    const LOOK: usize = 20_000;
    cut_end(content, LOOK).lines().map(str::trim).filter(|line| !line.is_empty())
}
