//! The headings of a ledger within a longer text.

/// Heading of the steps of a checklist.
pub const CHECKLIST: &str = "Checklist";
/// Heading of the files.
pub const FILES: &str = "Files";
/// Heading of the commands.
pub const COMMANDS: &str = "Commands";
/// Heading of the errors.
pub const ERRORS: &str = "Errors";

/// A section of a text: the lines under its `## ` heading, up to the next one.
#[must_use]
pub fn section<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("\n## {name}\n"))?;
    Some(rest.split_once("\n## ").map_or(rest, |(body, _)| body).trim_end())
}
