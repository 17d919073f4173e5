//! A rule: which calls it speaks of.

mod domain;
mod path;

use throughline_conversation::ToolCall;
use throughline_tools::{Access, Effect};

use crate::access_path::AccessPath;
use crate::command::{CommandPattern, Part};
use crate::glob::word_fits;
pub(crate) use domain::host_of;

use domain::DomainPattern;
use path::PathPattern;

/// Which calls a rule speaks of: `tool`, or `tool(pattern)` for only some of what a tool does.
///
/// `*` in the name stands for any characters (`mcp__github__*`). The names `read` and `edit` stand for every tool that
/// reads, or changes, files; what may not be read may not be edited either. What the pattern is depends on the tool:
/// - `shell(git *)`: one command. A word `*` stands for any words, `*` in a word for any characters, `\*` for itself.
///   A whole line with several commands is meant exactly as it stands.
/// - `fetch(domain:example.com)`: a host; `*.example.com` for those below it.
/// - any other: a path from the workspace on, `**` for any folders; without a wildcard also everything below it. A search
///   in a folder is also one in the folders that the pattern names below it. What commands read and write is not looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    text: String,
    tool: String,
    about: About,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum About {
    Everything,
    Command(CommandPattern),
    Domain(DomainPattern),
    Path(PathPattern),
}

/// A rule that cannot be used, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the rule {rule:?} cannot be used: {why}")]
pub struct RuleError {
    /// The rule as it was written.
    pub rule: String,
    /// What is wrong with it, and what would be right.
    pub why: String,
}

/// What a call is about, in the forms that rules compare with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) call: &'a ToolCall,
    pub(crate) access: &'a Access,
    /// Where its path leads, by name and with links followed.
    pub(crate) paths: &'a [AccessPath],
}

/// Names that other programs have for these tools.
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
    /// Reads a rule.
    ///
    /// # Errors
    /// [`RuleError`] when its form is wrong, or its pattern could never fit.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        let wrong = |why: String| RuleError { rule: text.to_owned(), why };
        let trimmed = text.trim();
        if trimmed.chars().any(char::is_control) {
            return Err(wrong("it has a control character; write one rule a line".to_owned()));
        }
        let (tool, pattern) = match trimmed.split_once('(') {
            None => (trimmed, None),
            Some((tool, rest)) => {
                let inner = rest.strip_suffix(')').ok_or_else(|| {
                    wrong("it has an opening bracket and does not end with the closing one".to_owned())
                })?;
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
        let about = match pattern {
            None => About::Everything,
            Some("") => {
                return Err(wrong("its brackets are empty; leave them out to mean every call".to_owned()));
            }
            Some("*") => About::Everything,
            Some(_) if tool.starts_with("mcp__") || tool.contains('*') => {
                return Err(wrong("only one built-in tool can have a pattern in brackets".to_owned()));
            }
            Some(pattern) => match tool {
                "shell" => About::Command(CommandPattern::parse(pattern).map_err(wrong)?),
                "fetch" => About::Domain(DomainPattern::parse(pattern).map_err(wrong)?),
                _ => About::Path(PathPattern::parse(pattern).map_err(wrong)?),
            },
        };
        Ok(Self { text: trimmed.to_owned(), tool: tool.to_owned(), about })
    }

    /// The rule as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it speaks of only some commands.
    pub(crate) fn is_about_commands(&self) -> bool {
        matches!(self.about, About::Command(_))
    }

    /// Whether it speaks of all that the call does, so that it may allow it. Of a command line: of this part of it.
    pub(crate) fn covers(&self, subject: &Subject<'_>, part: Option<&[String]>) -> bool {
        self.names(subject)
            && match &self.about {
                About::Everything => true,
                About::Command(pattern) => part.is_some_and(|words| pattern.covers(words)),
                About::Domain(pattern) => host(subject).is_some_and(|host| pattern.fits(&host)),
                About::Path(pattern) => {
                    !subject.paths.is_empty() && subject.paths.iter().all(|path| pattern.covers(path))
                }
            }
    }

    /// Whether it allows a whole command line, as it stands.
    pub(crate) fn is_line(&self, subject: &Subject<'_>, line: &str) -> bool {
        self.names(subject)
            && match &self.about {
                About::Everything => true,
                About::Command(pattern) => pattern.is_line(line),
                _ => false,
            }
    }

    /// Whether it speaks of anything that the call does, so that it may forbid it or ask about it.
    pub(crate) fn touches(&self, subject: &Subject<'_>, parts: &[Part]) -> bool {
        (self.names(subject) || self.is_about_reading_of(subject))
            && match &self.about {
                About::Everything => true,
                About::Command(pattern) => {
                    subject.access.subject.as_deref().is_some_and(|line| pattern.is_line(line))
                        || parts.iter().any(|part| pattern.touches(part))
                }
                // A host that cannot be told may be the one that is meant.
                About::Domain(pattern) => host(subject).is_none_or(|host| pattern.fits(&host)),
                About::Path(pattern) => {
                    let searches = subject.access.effect == Effect::Read;
                    let touched = |path| pattern.fits(path) || (searches && pattern.lies_below(path));
                    subject.paths.iter().any(touched)
                }
            }
    }

    /// Whether it speaks of reading, and of an edit for that alone: an edit that does not fit is answered with what stands in
    /// the file.
    pub(crate) fn is_about_reading_of(&self, subject: &Subject<'_>) -> bool {
        subject.access.effect == Effect::Edit && self.tool == "read" && !self.names(subject)
    }

    fn names(&self, subject: &Subject<'_>) -> bool {
        let group = match subject.access.effect {
            Effect::Read => Some("read"),
            Effect::Edit => Some("edit"),
            Effect::Command | Effect::Network | Effect::Other => None,
        };
        word_fits(&self.tool, &subject.call.name) || group == Some(self.tool.as_str())
    }
}

fn host(subject: &Subject<'_>) -> Option<String> {
    subject.access.subject.as_deref().filter(|_| subject.access.effect == Effect::Network).and_then(host_of)
}

#[cfg(test)]
mod tests;
