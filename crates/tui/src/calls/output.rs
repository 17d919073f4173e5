//! What a call gave, in a few lines: how a command ended, the end of its output, and how much there was.

use crate::clean::overwritten;
use crate::excerpt::ResultExcerpt;
use crate::layout::cut_text;
use crate::line::{DIM, Line, PLAIN};

/// Lines at the end of a good result.
const TAIL: usize = 3;
/// Lines of a failed one: the first that look like an error, and the end.
const FAILED: usize = 6;
/// Maximum columns of a line of a result.
const RESULT_WIDTH: usize = 400;
/// A longer line is not shown in the title.
const IN_TITLE: usize = 60;
/// What lines about errors begin with or contain, in small letters.
const ERRORS: [&str; 8] =
    ["error", "exception", "failed", "failure", "fatal", "panicked", "not found", "no such file"];

/// The output of a call.
#[derive(Debug)]
pub(super) struct CallOutput {
    lines: Vec<String>,
    /// Lines that are left out between the start and the end.
    left_out: usize,
    /// How the command ended, if it did not end well.
    pub(super) ending: Option<String>,
}

impl CallOutput {
    /// Reads a result. `is_command`: its last line says how the command ended.
    pub(super) fn of(result: &ResultExcerpt, is_command: bool) -> Self {
        let (head, tail) = (overwritten(&result.head), overwritten(&result.tail));
        let own = |text: &str| text.trim_end().lines().map(str::to_owned).collect::<Vec<String>>();
        let mut lines = own(&head);
        lines.extend(own(&tail));
        let mut ending = None;
        if is_command && let Some(how) = lines.last().and_then(|last| command_ending(last)) {
            lines.pop();
            ending = how;
        }
        while lines.last().is_some_and(|line| line.trim().is_empty()) {
            lines.pop();
        }
        Self { lines, left_out: result.left_out, ending }
    }

    /// The number of its lines.
    pub(super) fn count(&self) -> usize {
        self.lines.len() + self.left_out
    }

    /// The number of lines that a list has: without the one in brackets that says where it ends.
    pub(super) fn count_listed(&self) -> usize {
        let is_note = |line: &&String| line.starts_with('[') && line.ends_with(']');
        self.count() - usize::from(self.lines.last().as_ref().is_some_and(is_note))
    }

    /// Its only line, if that is short enough for a title.
    pub(super) fn title(&self, room: usize) -> Option<&str> {
        let [only] = self.lines.as_slice() else { return None };
        let only = only.trim();
        (self.left_out == 0 && only.len() <= IN_TITLE.min(room)).then_some(only)
    }

    /// All of its lines.
    pub(super) fn whole(&self) -> Vec<Line> {
        self.lines.iter().map(|line| Line::styled(line, DIM)).collect()
    }

    /// The lines that are shown, and how many are left out before the others.
    pub(super) fn shown(&self, failed: bool) -> (usize, Vec<Line>) {
        let most = if failed { FAILED } else { TAIL };
        if self.left_out == 0 && self.lines.len() <= most + 1 {
            return (0, self.lines.iter().map(|line| shown_line(line, failed)).collect());
        }
        let end = if failed { FAILED / 2 + 1 } else { TAIL };
        let from = self.lines.len().saturating_sub(end);
        let early = self.lines.iter().take(from).filter(|line| failed && is_error_like(line));
        let mut lines: Vec<Line> = early.take(most - end).map(|line| shown_line(line, failed)).collect();
        lines.extend(self.lines.iter().skip(from).map(|line| shown_line(line, failed)));
        (self.count() - lines.len(), lines)
    }
}

/// A line of a result. Of a failed call, what looks like an error is not dim.
fn shown_line(line: &str, failed: bool) -> Line {
    let style = if failed && is_error_like(line) { PLAIN } else { DIM };
    Line::styled(cut_text(line, RESULT_WIDTH), style)
}

fn is_error_like(line: &str) -> bool {
    let small = line.to_lowercase();
    ERRORS.iter().any(|word| small.contains(word))
}

/// How a command ended, by the line that says so; `None` inside: it ended well. `None`: it is another line.
fn command_ending(line: &str) -> Option<Option<String>> {
    let inside = line.strip_prefix('[')?.strip_suffix(']')?;
    if let Some(code) = inside.strip_prefix("exit status: ") {
        return Some((code != "0").then(|| format!("exit {code}")));
    }
    if let Some(signal) = inside.strip_prefix("ended by signal ") {
        return Some(Some(format!("signal {signal}")));
    }
    if inside == "Cancelled" {
        return Some(Some("stopped".to_owned()));
    }
    let timed = inside.strip_prefix("timed out after ")?;
    Some(Some(format!("timed out after {}", timed.split(';').next().unwrap_or(timed))))
}
