//! The help of the program itself: its commands in groups, by name only in the short help.

use std::ffi::OsString;

use clap::Command;
use clap::builder::StyledStr;

/// Columns of the short help.
const WIDTH: usize = 100;

/// Headings, and the commands below them.
pub(crate) const GROUPS: [(&str, &[&str]); 6] = [
    ("Work", &["run", "resume", "watch", "acp", "serve", "mcp", "engine"]),
    (
        "Look at a session",
        &["context", "messages", "diff", "summaries", "state", "scratchpad", "checkpoints", "pins", "show"],
    ),
    ("Change a session", &["undo", "redo", "pin", "unpin"]),
    ("All sessions", &["sessions", "memos", "handoff", "export", "import", "report", "store", "recover"]),
    ("Money", &["audit", "replay"]),
    (
        "Set up",
        &[
            "demo",
            "login",
            "logout",
            "doctor",
            "models",
            "config",
            "trust",
            "plugin",
            "update",
            "completions",
            "man",
            "help",
        ],
    ),
];

/// What stands before the groups, and after them.
const USAGE: &str = "throughline [OPTIONS] [PROMPT]\n       throughline COMMAND …";
const TEMPLATE: (&str, &str) =
    ("{about-with-newline}\n{usage-heading} {usage}\n\n", "\n{all-args}{after-help}");

/// The command, with its commands in groups if its arguments ask for help.
pub(crate) fn grouped(command: Command, arguments: impl Iterator<Item = OsString>) -> Command {
    let mut asked = arguments.skip(1).filter_map(|word| match word.to_str() {
        Some("-h") => Some(true),
        Some("--help" | "help") => Some(false),
        _ => None,
    });
    let Some(short) = asked.next() else { return command };
    let text = if short { names() } else { descriptions(&command) };
    let mut template = StyledStr::from(TEMPLATE.0);
    std::fmt::Write::write_str(&mut template, &text)
        .and_then(|()| std::fmt::Write::write_str(&mut template, TEMPLATE.1))
        .ok();
    // The groups list them.
    command.override_usage(USAGE).help_template(template).mut_subcommands(|one| one.hide(true))
}

/// One line or more for each group, with the names of its commands.
fn names() -> String {
    let widest = GROUPS.iter().map(|(heading, _)| heading.len()).max().unwrap_or(0);
    let mut text = "Commands (`throughline COMMAND -h` explains one):\n".to_owned();
    for (heading, names) in GROUPS {
        let mut line = format!("  {heading:widest$} ");
        for name in names {
            if line.chars().count() + 1 + name.len() > WIDTH {
                text.push_str(&line);
                line = format!("\n  {:widest$} ", "");
            }
            line.push(' ');
            line.push_str(name);
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// Each command with its description, below the heading of its group.
fn descriptions(command: &Command) -> String {
    let widest = GROUPS.iter().flat_map(|(_, names)| *names).map(|name| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (heading, names) in GROUPS {
        let break_before = if text.is_empty() { "" } else { "\n" };
        text.push_str(&format!("{break_before}{heading}:\n"));
        for name in names {
            let found = command.get_subcommands().find(|one| one.get_name() == *name);
            let about = found.and_then(Command::get_about).map(ToString::to_string);
            let about = about.unwrap_or_else(|| "Print this help, or that of a command".to_owned());
            text.push_str(&format!("  {name:widest$}  {about}\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests;
