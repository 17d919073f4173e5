//! Completion of commands after `/` and of paths after `@`.

use crate::port::CommandInfo;

/// What can be completed at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CompletionTarget {
    /// A command; this much of it stands there.
    Command(String),
    /// A path; this much of it stands there, from this byte on, the `@` included.
    Path {
        /// What stands behind the `@`.
        query: String,
        /// Where the `@` is.
        from: usize,
    },
}

/// What can be completed in a text, of which this stands before the cursor.
pub(crate) fn wanted(before: &str) -> Option<CompletionTarget> {
    if before.starts_with('/') && !before.contains('\n') {
        return Some(CompletionTarget::Command(before.to_owned()));
    }
    let from = before.rfind('@')?;
    let own =
        before.get(..from)?.chars().next_back().is_none_or(|letter| letter.is_whitespace() || letter == '(');
    let query = before.get(from + 1..)?;
    let plain = !query.contains(char::is_whitespace);
    (own && plain).then(|| CompletionTarget::Path { query: query.to_owned(), from })
}

/// The words by which a message names a file, and a space.
pub(crate) fn naming(path: &str) -> String {
    if path.contains(char::is_whitespace) { format!("@\"{path}\" ") } else { format!("@{path} ") }
}

/// A thing that can be put in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    /// What is put in.
    pub(crate) insert: String,
    /// What is shown of it.
    pub(crate) label: String,
    /// What it is.
    pub(crate) about: String,
    /// It needs no argument, so it can be sent directly.
    pub(crate) complete: bool,
}

/// The things that fit, one of them chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Completion {
    pub(crate) wanted: CompletionTarget,
    pub(crate) items: Vec<Item>,
    pub(crate) chosen: usize,
}

impl Completion {
    /// The commands that fit. `None`: none does, or the one that stands there is whole.
    pub(crate) fn of_commands(query: &str, commands: &[CommandInfo]) -> Option<Self> {
        let starts = commands.iter().filter(|command| command.name.starts_with(query));
        let word = query.strip_prefix('/').unwrap_or(query);
        let inside = commands.iter().filter(|command| {
            !word.is_empty() && !command.name.starts_with(query) && command.name.contains(word)
        });
        let item = |command: &CommandInfo| Item {
            insert: command.name.clone(),
            label: format!("{} {}", command.name, command.arguments).trim_end().to_owned(),
            about: command.about.clone(),
            complete: command.arguments.is_empty() || command.arguments.starts_with('['),
        };
        Self::some(CompletionTarget::Command(query.to_owned()), starts.chain(inside).map(item).collect())
    }

    /// The paths that fit.
    pub(crate) fn of_paths(query: &str, from: usize, paths: &[String]) -> Option<Self> {
        let wanted = query.to_lowercase();
        let fits = |path: &&String| path.to_lowercase().contains(&wanted) || in_order(path, &wanted);
        let item = |path: &String| Item {
            insert: naming(path),
            label: path.clone(),
            about: String::new(),
            complete: false,
        };
        let items = paths.iter().filter(fits).map(item).collect();
        Self::some(CompletionTarget::Path { query: query.to_owned(), from }, items)
    }

    fn some(wanted: CompletionTarget, items: Vec<Item>) -> Option<Self> {
        (!items.is_empty()).then_some(Self { wanted, items, chosen: 0 })
    }

    pub(crate) fn item(&self) -> Option<&Item> {
        self.items.get(self.chosen)
    }

    pub(crate) fn up(&mut self) {
        self.chosen = self.chosen.checked_sub(1).unwrap_or(self.items.len().saturating_sub(1));
    }

    pub(crate) fn down(&mut self) {
        self.chosen = if self.chosen + 1 < self.items.len() { self.chosen + 1 } else { 0 };
    }
}

/// Returns true if the path contains all letters in this order.
fn in_order(path: &str, wanted: &str) -> bool {
    let path = path.to_lowercase();
    let mut letters = path.chars();
    wanted.chars().all(|wanted| letters.any(|letter| letter == wanted))
}

#[cfg(test)]
mod tests;
