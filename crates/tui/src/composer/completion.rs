//! What can be completed: commands after `/`, and paths after `@`.

use super::menu::NAMES;
use crate::port::CommandInfo;

/// What can be completed at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CompletionTarget {
    /// A command, of which this was typed.
    Command(String),
    /// A path.
    Path {
        /// The text after the `@`.
        query: String,
        /// Byte offset of the `@`.
        from: usize,
    },
}

/// What can be completed after this text.
pub(super) fn completion_target(before: &str) -> Option<CompletionTarget> {
    if before.starts_with('/') && !before.contains('\n') {
        return Some(CompletionTarget::Command(before.to_owned()));
    }
    let from = before.rfind('@')?;
    let own = may_mention(before.get(..from)?);
    let query = before.get(from + 1..)?;
    let plain = !query.contains(char::is_whitespace);
    (own && plain).then(|| CompletionTarget::Path { query: query.to_owned(), from })
}

/// Returns true if a mention can begin behind this text.
pub(super) fn may_mention(before: &str) -> bool {
    before.chars().next_back().is_none_or(|letter| letter.is_whitespace() || letter == '(')
}

/// The mention of a file in a message, and a space.
pub(super) fn file_mention(path: &str) -> String {
    if path.contains(char::is_whitespace) { format!("@\"{path}\" ") } else { format!("@{path} ") }
}

/// A candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    /// The text to insert.
    pub(super) insert: String,
    /// What is shown of it.
    pub(super) label: String,
    /// What it is; may be empty.
    pub(super) about: String,
    /// The heading that it stands under; may be empty.
    pub(super) group: String,
    /// It needs no argument, so it can be sent directly.
    pub(super) complete: bool,
}

/// The candidates, of which one is selected. There is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Completion {
    pub(super) target: CompletionTarget,
    pub(super) candidates: Vec<Candidate>,
    pub(super) selected: usize,
}

impl Completion {
    /// The commands that match. Those of several words only behind the first of them. `None`: none does.
    pub(super) fn of_commands(query: &str, commands: &[CommandInfo]) -> Option<Self> {
        let deep = query.contains(' ');
        let fits = |command: &&CommandInfo| {
            command.name.starts_with(query) && (deep || !is_part_of_another(command, commands))
        };
        let starts = commands.iter().filter(fits);
        let word = query.strip_prefix('/').unwrap_or(query);
        let inside = commands.iter().filter(|command| {
            !word.is_empty() && !command.name.starts_with(query) && command.name.contains(word)
        });
        let candidate = |command: &CommandInfo| Candidate {
            insert: command.name.clone(),
            label: label(command),
            about: command.about.clone(),
            group: command.group.clone(),
            complete: !needs_argument(&command.arguments),
        };
        Self::non_empty(
            CompletionTarget::Command(query.to_owned()),
            starts.chain(inside).map(candidate).collect(),
        )
    }

    /// The paths that match. `None`: none does.
    pub(super) fn of_paths(query: &str, from: usize, paths: &[String]) -> Option<Self> {
        let lower = query.to_lowercase();
        let matches = |path: &&String| path.to_lowercase().contains(&lower) || is_subsequence(&lower, path);
        let candidate = |path: &String| Candidate {
            insert: file_mention(path),
            label: path.clone(),
            about: String::new(),
            group: String::new(),
            complete: false,
        };
        let candidates = paths.iter().filter(matches).map(candidate).collect();
        Self::non_empty(CompletionTarget::Path { query: query.to_owned(), from }, candidates)
    }

    fn non_empty(target: CompletionTarget, candidates: Vec<Candidate>) -> Option<Self> {
        (!candidates.is_empty()).then_some(Self { target, candidates, selected: 0 })
    }

    pub(super) fn candidate(&self) -> Option<&Candidate> {
        self.candidates.get(self.selected)
    }

    /// Keeps the selection of the completion before, if both are of the same text.
    pub(super) fn keep_selection(&mut self, before: &Self) {
        if before.target == self.target {
            self.selected = before.selected.min(self.candidates.len().saturating_sub(1));
        }
    }

    pub(super) fn select_previous(&mut self) {
        self.selected = self.selected.checked_sub(1).unwrap_or(self.candidates.len().saturating_sub(1));
    }

    pub(super) fn select_next(&mut self) {
        self.selected = if self.selected + 1 < self.candidates.len() { self.selected + 1 } else { 0 };
    }
}

/// Returns true if an argument is not in brackets.
fn needs_argument(arguments: &str) -> bool {
    let mut depth = 0_usize;
    arguments.chars().any(|letter| {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => return depth == 0 && letter != ' ',
        }
        false
    })
}

/// A command with as many of its arguments as fit into the column of names.
fn label(command: &CommandInfo) -> String {
    let mut label = command.name.clone();
    let mut rest = command.arguments.as_str();
    while !rest.is_empty() {
        // The next argument, up to the one in brackets behind it.
        let end = rest.find(" [").unwrap_or(rest.len());
        let (part, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if label.len() + 1 + part.len() > NAMES {
            let is_first = label.len() == command.name.len();
            return if is_first && label.len() + 2 > NAMES { label } else { format!("{label} …") };
        }
        label = format!("{label} {part}");
        rest = behind.trim_start();
    }
    label
}

/// Returns true for a subcommand of another command of the list.
fn is_part_of_another(command: &CommandInfo, commands: &[CommandInfo]) -> bool {
    let before = command.name.rsplit_once(' ').map(|(before, _)| before);
    before.is_some_and(|before| commands.iter().any(|other| other.name == before))
}

/// Returns true if the path contains the letters in this order, in either case.
fn is_subsequence(letters: &str, path: &str) -> bool {
    let path = path.to_lowercase();
    let mut rest = path.chars();
    letters.chars().all(|letter| rest.any(|found| found == letter))
}

#[cfg(test)]
mod tests;
