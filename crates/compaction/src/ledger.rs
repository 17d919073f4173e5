//! What was done, told without a model: files, commands, errors.

use throughline_conversation::{TokenCounter, ToolCall, ToolResult, cut_end};

mod files;
mod tool_use;

pub(crate) use files::FileNote;
use tool_use::{Use, exit_code, failure, understand};

/// Longest line of the ledger about a command or an error, in bytes.
const LINE: usize = 200;

/// Files, commands and errors, each in the order in which it was last met.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger<'t> {
    pub(crate) files: Vec<FileNote<'t>>,
    pub(crate) commands: Vec<String>,
    pub(crate) errors: Vec<String>,
}

impl<'t> Ledger<'t> {
    /// Notes a call and its result.
    pub(crate) fn note(&mut self, call: &'t ToolCall, result: Option<&'t ToolResult>) {
        match understand(call) {
            Use::Read(path) => self.file(&path, |note| note.read(call, result)),
            Use::Edit(paths) => paths.iter().for_each(|path| self.file(path, |note| note.edits += 1)),
            Use::Command(command) => {
                let command = one_line(&command);
                let line = match result.and_then(exit_code) {
                    Some(code) => format!("{command} → exit {code}"),
                    None => command,
                };
                push_last(&mut self.commands, line);
            }
            Use::Other => {}
        }
        if let Some(result) = result.filter(|result| result.is_error) {
            push_last(&mut self.errors, one_line(&format!("{}: {}", call.name, failure(&result.content))));
        }
    }

    /// Takes over lines of an earlier ledger.
    pub(crate) fn merge(&mut self, files: &'t str, commands: &str, errors: &str) {
        for earlier in items(files).filter_map(FileNote::parse) {
            self.file(&earlier.path.clone(), |note| note.add(earlier));
        }
        items(commands).for_each(|line| push_last(&mut self.commands, line.to_owned()));
        items(errors).for_each(|line| push_last(&mut self.errors, line.to_owned()));
    }

    /// Changes the note about a file, and moves it to the end.
    fn file(&mut self, path: &str, change: impl FnOnce(&mut FileNote<'t>)) {
        let path = one_line(path);
        let mut note = match self.files.iter().position(|note| note.path == path) {
            Some(at) => self.files.remove(at),
            None => FileNote::new(path),
        };
        change(&mut note);
        self.files.push(note);
    }
}

fn items(lines: &str) -> impl Iterator<Item = &str> {
    lines.lines().filter_map(|line| line.strip_prefix("- "))
}

/// Puts a line last; an equal one is not told twice.
fn push_last(lines: &mut Vec<String>, line: String) {
    lines.retain(|old| *old != line);
    lines.push(line);
}

/// The newest lines within that many tokens, oldest first, as a list.
pub(crate) fn newest(lines: &[String], budget: u64, counter: &dyn TokenCounter) -> String {
    let mut left = budget;
    let mut chosen = Vec::new();
    for line in lines.iter().rev() {
        let line = format!("- {line}");
        let tokens = counter.text(&line);
        if tokens > left {
            break;
        }
        left -= tokens;
        chosen.push(line);
    }
    chosen.reverse();
    chosen.join("\n")
}

/// A text as one bounded line.
pub(crate) fn one_line(text: &str) -> String {
    let bounded = cut_end(text, 4 * LINE);
    let words: Vec<&str> = bounded
        .split(|letter: char| letter.is_whitespace() || letter.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    match cut_end(&line, LINE) {
        cut if cut.len() < line.len() => format!("{cut}…"),
        _ => line,
    }
}

#[cfg(test)]
mod tests;
