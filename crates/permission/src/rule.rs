//! A permission rule: which calls it matches.

mod domain;
mod path;

use throughline_conversation::ToolCall;
use throughline_tools::{Access, Effect};

use crate::access_path::AccessPath;
use crate::command::{CommandPart, CommandPattern};
use crate::glob::word_matches;
pub(crate) use domain::host_of;

use domain::DomainPattern;
use path::PathPattern;

/// Which calls a rule matches: `tool`, or `tool(pattern)` for some of the tool's calls.
///
/// `*` in the name matches any characters (`mcp__github__*`). The names `read` and `edit` match every tool that reads, or
/// changes, files; a file that may not be read may not be edited either. The form of the pattern depends on the tool:
/// - `shell(git *)`: one command. A word `*` matches any words, `*` in a word any characters, `\*` is a literal `*`. A
///   line with several commands is matched literally as a whole.
/// - `fetch(domain:example.com)`: a host; `*.example.com` for its subdomains.
/// - any other: a path relative to the workspace, `**` for any folders; without a wildcard also everything below it. A search
///   in a folder counts as a search in its subfolders that the pattern names. Files that commands access are not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    text: String,
    tool: String,
    scope: Scope,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Scope {
    Everything,
    Command(CommandPattern),
    Domain(DomainPattern),
    Path(PathPattern),
}

/// A malformed rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("malformed rule {rule:?}: {why}")]
pub struct RuleError {
    /// The text of the rule.
    pub rule: String,
    /// What is wrong, and the correct form.
    pub why: String,
}

/// A call in the forms that rules compare with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) call: &'a ToolCall,
    pub(crate) access: &'a Access,
    /// Its path, as written and with symbolic links resolved.
    pub(crate) paths: &'a [AccessPath],
}

/// Names of other programs for these tools.
const FOREIGN: [(&str, &str); 8] = [
    ("Bash", "shell"),
    ("bash", "shell"),
    ("Edit", "edit"),
    ("Write", "edit"),
    ("MultiEdit", "edit"),
    ("Read", "read"),
    ("WebFetch", "fetch"),
    ("write", "edit"),
];

impl Rule {
    /// Parses a rule.
    ///
    /// # Errors
    /// [`RuleError`] when its form is wrong, or its pattern could never match.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        let wrong = |why: String| RuleError { rule: text.to_owned(), why };
        let trimmed = text.trim();
        if trimmed.chars().any(char::is_control) {
            return Err(wrong("it has a control character; write one rule per line".to_owned()));
        }
        let (tool, pattern) = match trimmed.split_once('(') {
            None => (trimmed, None),
            Some((tool, rest)) => {
                let inner = rest
                    .strip_suffix(')')
                    .ok_or_else(|| wrong("the closing parenthesis is missing".to_owned()))?;
                (tool, Some(inner.trim()))
            }
        };
        let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '*');
        if tool.is_empty() || !tool.chars().all(plain) {
            let form = "write a tool's name, or name(pattern): shell(git status *), edit(src/**)";
            return Err(wrong(form.to_owned()));
        }
        if let Some((_, own)) = FOREIGN.iter().find(|(foreign, _)| *foreign == tool) {
            return Err(wrong(format!("the tool is named {own:?} here")));
        }
        let scope = match pattern {
            None => Scope::Everything,
            Some("") => {
                return Err(wrong(
                    "its parentheses are empty; leave them out to match every call".to_owned(),
                ));
            }
            Some("*") => Scope::Everything,
            Some(_) if tool.starts_with("mcp__") || tool.contains('*') => {
                return Err(wrong("a pattern needs the name of one built-in tool".to_owned()));
            }
            Some(pattern) => match tool {
                "shell" => Scope::Command(CommandPattern::parse(pattern).map_err(wrong)?),
                "fetch" => Scope::Domain(DomainPattern::parse(pattern).map_err(wrong)?),
                _ => Scope::Path(PathPattern::parse(pattern).map_err(wrong)?),
            },
        };
        Ok(Self { text: trimmed.to_owned(), tool: tool.to_owned(), scope })
    }

    /// The text of the rule.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tool that it names; `*` in it is any text.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Returns true if it names this tool.
    #[must_use]
    pub fn is_of_tool(&self, tool: &str) -> bool {
        word_matches(&self.tool, tool)
    }

    /// Returns true if its tool is named with a wildcard.
    pub(crate) fn has_open_tool(&self) -> bool {
        self.tool.contains('*')
    }

    /// Returns true if it matches every call of its tool.
    pub(crate) fn is_for_all(&self) -> bool {
        match &self.scope {
            Scope::Everything => true,
            Scope::Path(pattern) => pattern.is_open(),
            Scope::Command(_) | Scope::Domain(_) => false,
        }
    }

    /// The program of its command pattern; inside it `None` if the program has a wildcard. `None` without a pattern of one
    /// command.
    pub(crate) fn program(&self) -> Option<Option<String>> {
        match &self.scope {
            Scope::Command(pattern) => pattern.program(),
            _ => None,
        }
    }

    /// Returns true if its command pattern has a wildcard.
    pub(crate) fn has_wildcard(&self) -> bool {
        matches!(&self.scope, Scope::Command(pattern) if pattern.has_wildcard())
    }

    /// Returns true if it has a command pattern.
    pub(crate) fn is_about_commands(&self) -> bool {
        matches!(self.scope, Scope::Command(_))
    }

    /// Returns true if it matches everything that the call does, so that it may allow it. For a command line: one command of
    /// it.
    pub(crate) fn covers(&self, subject: &Subject<'_>, part: Option<&[String]>) -> bool {
        self.names(subject)
            && match &self.scope {
                Scope::Everything => true,
                Scope::Command(pattern) => part.is_some_and(|words| pattern.covers(words)),
                Scope::Domain(pattern) => host(subject).is_some_and(|host| pattern.matches(&host)),
                Scope::Path(pattern) => {
                    !subject.paths.is_empty() && subject.paths.iter().all(|path| pattern.covers(path))
                }
            }
    }

    /// Returns true if it allows the whole command line literally.
    pub(crate) fn is_line(&self, subject: &Subject<'_>, line: &str) -> bool {
        self.names(subject)
            && match &self.scope {
                Scope::Everything => true,
                Scope::Command(pattern) => pattern.is_line(line),
                _ => false,
            }
    }

    /// Returns true if it matches any part of what the call does, so that it may forbid it or ask about it.
    pub(crate) fn touches(&self, subject: &Subject<'_>, parts: &[CommandPart]) -> bool {
        (self.names(subject) || self.is_about_reading_of(subject))
            && match &self.scope {
                Scope::Everything => true,
                Scope::Command(pattern) => {
                    subject.access.subject.as_deref().is_some_and(|line| pattern.is_line(line))
                        || parts.iter().any(|part| pattern.touches(part))
                }
                // An unclear host may be the one in the rule.
                Scope::Domain(pattern) => host(subject).is_none_or(|host| pattern.matches(&host)),
                Scope::Path(pattern) => {
                    let searches = subject.access.effect == Effect::Read;
                    let touched = |path| pattern.matches(path) || (searches && pattern.is_below(path));
                    subject.paths.iter().any(touched)
                }
            }
    }

    /// Returns true if a shell expands words of a part, and it may match what becomes of them.
    pub(crate) fn may_touch(&self, subject: &Subject<'_>, parts: &[CommandPart]) -> bool {
        let Scope::Command(pattern) = &self.scope else { return false };
        self.names(subject) && parts.iter().any(|part| pattern.may_touch(part))
    }

    /// Returns true if it is a `read` rule that applies to an edit: a failed edit quotes the file's content.
    pub(crate) fn is_about_reading_of(&self, subject: &Subject<'_>) -> bool {
        subject.access.effect == Effect::Edit && self.tool == "read" && !self.names(subject)
    }

    fn names(&self, subject: &Subject<'_>) -> bool {
        let group = match subject.access.effect {
            Effect::Read => Some("read"),
            Effect::Edit => Some("edit"),
            Effect::Command | Effect::Network | Effect::Other => None,
        };
        word_matches(&self.tool, &subject.call.name) || group == Some(self.tool.as_str())
    }
}

fn host(subject: &Subject<'_>) -> Option<String> {
    subject.access.subject.as_deref().filter(|_| subject.access.effect == Effect::Network).and_then(host_of)
}

#[cfg(test)]
mod tests;
