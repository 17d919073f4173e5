//! What the work is doing at the end of a view.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use throughline_conversation::{Entry, EntryKind, ToolCall, ToolResult};
use throughline_text::cut_start;

use crate::outcome::exit_code;
use crate::shell::changed_files;
use crate::step_note::checklist;
use crate::tool_kind::{of_known, of_unknown};
use crate::tool_use::{Use, understand};

/// What the newest step of a session did, by the calls of the last message of the model. Of several calls, the first kind in
/// the order of this list counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// The user wrote after the model had finished its turn.
    User,
    /// A commit was made.
    Commit,
    /// Files were changed.
    Edit,
    /// Tests passed.
    TestOk,
    /// Tests failed.
    TestFailed,
    /// A checklist was set, changed or looked at.
    Plan,
    /// Files were read.
    Read,
    /// Another command of git.
    Git,
    /// Another agent worked.
    Subagent,
    /// Files or text were searched.
    Search,
    /// Anything else.
    Other,
    /// The user wrote while the model was at work, or after interrupting it: the work continues.
    Steer,
}

impl StepKind {
    /// The kind of the newest step.
    #[must_use]
    pub fn of_newest(entries: &[Entry]) -> Self {
        let last = |kind| entries.iter().rposition(|entry| entry.kind == kind);
        let (user, model) = (last(EntryKind::User), last(EntryKind::Assistant));
        let works =
            |at: usize| entries.get(at).is_some_and(|entry| entry.message.tool_calls().next().is_some());
        if user > model {
            return if model.is_some_and(works) { Self::Steer } else { Self::User };
        }
        let Some(step) = model.and_then(|at| entries.get(at..)) else { return Self::Other };
        let results: HashMap<&str, &ToolResult> = step
            .iter()
            .flat_map(|entry| entry.message.tool_results())
            .map(|own| (own.call_id.as_str(), own))
            .collect();
        let calls = step.first().into_iter().flat_map(|entry| entry.message.tool_calls());
        calls
            .map(|call| Self::of_call(call, results.get(call.id.as_str()).copied()))
            .min()
            .unwrap_or(Self::Other)
    }

    /// The kind of one call; a command that runs tests has passed unless its result is there and reports a failure.
    #[must_use]
    pub fn of_call(call: &ToolCall, result: Option<&ToolResult>) -> Self {
        if checklist(call).is_some() {
            return Self::Plan;
        }
        if let Some(kind) = of_known(&call.name) {
            return kind;
        }
        match understand(call) {
            Use::Edit(_) => Self::Edit,
            Use::Read(_) => Self::Read,
            Use::Command(command) => of_command(&command, result),
            Use::Other => of_unknown(call, result),
        }
    }

    /// For people: what the model is doing.
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::User => "a new message of the user",
            Self::Steer => "a message of the user into unfinished work",
            Self::Commit => "a commit",
            Self::Edit => "an edit",
            Self::TestOk => "passed tests",
            Self::TestFailed => "failed tests",
            Self::Plan => "a plan",
            Self::Read => "reading files",
            Self::Git => "a git command",
            Self::Subagent => "the work of another agent",
            Self::Search => "a search",
            Self::Other => "other work",
        }
    }
}

/// Commands that run tests, by their first words.
const TESTS: &[&str] = &[
    "cargo test",
    "cargo nextest",
    "pytest",
    "py.test",
    "python -m pytest",
    "python -m unittest",
    "python3 -m pytest",
    "python3 -m unittest",
    "npm test",
    "npm run test",
    "npx jest",
    "npx vitest",
    "pnpm test",
    "yarn test",
    "bun test",
    "jest",
    "vitest",
    "go test",
    "mvn test",
    "gradle test",
    "./gradlew test",
    "make test",
    "make check",
    "ctest",
    "tox",
    "rspec",
    "bundle exec rspec",
    "phpunit",
    "mix test",
    "dotnet test",
    "swift test",
];
/// Commands that show files.
const READING: &[&str] = &["cat", "head", "tail", "less", "nl", "bat", "sed -n"];
/// Commands that search.
const SEARCHING: &[&str] = &["grep", "rg", "ag", "ack", "find", "fd", "ls", "tree", "git grep"];

fn of_command(line: &str, result: Option<&ToolResult>) -> StepKind {
    let of_one = |command: &str| {
        let starts = |words: &&str| {
            command.strip_prefix(*words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let any = |commands: &[&str]| commands.iter().any(starts);
        if starts(&"git commit") {
            StepKind::Commit
        } else if any(TESTS) {
            if has_failed(result) { StepKind::TestFailed } else { StepKind::TestOk }
        } else if any(SEARCHING) {
            StepKind::Search
        } else if any(READING) {
            StepKind::Read
        } else if starts(&"git") {
            StepKind::Git
        } else {
            StepKind::Other
        }
    };
    let changed = (!changed_files(line).is_empty()).then_some(StepKind::Edit);
    let commands = line.split(['\n', ';', '&', '|']).map(str::trim).filter(|command| !command.is_empty());
    commands.map(of_one).chain(changed).min().unwrap_or(StepKind::Other)
}

/// Returns true if the result of a test command reports a failure.
fn has_failed(result: Option<&ToolResult>) -> bool {
    /// Test tools sum up at the end.
    const NEAR: usize = 2_000;
    let Some(result) = result else { return false };
    if result.is_error {
        return true;
    }
    if let Some(code) = exit_code(result) {
        return code != 0;
    }
    let end = cut_start(&result.content, NEAR);
    ["FAILED", "panicked at", "Traceback (most recent call last)"].iter().any(|mark| end.contains(mark))
        || [" failed", " failures", " errors"].iter().any(|word| counted(end, word))
}

/// Returns true if a number other than 0 is before the word.
fn counted(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let digits = text.get(..at).unwrap_or_default();
        let number = digits.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
        digits.get(number..).is_some_and(|own| own.parse::<u64>().is_ok_and(|own| own > 0))
    })
}

#[cfg(test)]
mod tests;
