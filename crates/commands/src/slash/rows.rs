//! The list of commands for help, completion and errors, read from the grammar.

use clap::{Arg, Command};

use super::grammar::{ScreenCommand, grammar};
use super::groups::place;
use super::parse;

/// A row of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandRow {
    /// The command as typed, with its subcommands.
    pub name: String,
    /// Its arguments; may be empty.
    pub arguments: String,
    /// One line of description.
    pub about: String,
    /// What it is for, as the heading of a group.
    pub group: &'static str,
    /// True for a command of the interactive session alone.
    pub on_screen: bool,
    /// True if it may be typed while a turn runs.
    pub anytime: bool,
}

/// All commands by their groups, in the order of the help.
pub fn rows() -> Vec<CommandRow> {
    let mut rows = Vec::new();
    for command in grammar().get_subcommands() {
        let (group, place) = place(command.get_name());
        let mut own = Vec::new();
        add(&mut own, &format!("/{}", command.get_name()), group, command);
        rows.extend(own.into_iter().map(|row| (place, row)));
    }
    // A stable sort: subcommands stay behind their command.
    rows.sort_by_key(|(place, _)| *place);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// A command with all its subcommands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandUsage {
    /// Its first word, without `/`.
    pub name: String,
    /// Its arguments and subcommands; may be empty.
    pub arguments: String,
    /// One line of description.
    pub about: String,
}

/// The commands that need no screen, in the order of the help.
pub fn without_screen() -> Vec<CommandUsage> {
    let usage = |command: &Command| CommandUsage {
        name: command.get_name().to_owned(),
        arguments: arguments(command, true),
        about: about(command),
    };
    let grammar = grammar();
    let commands =
        grammar.get_subcommands().filter(|command| !ScreenCommand::has(&format!("/{}", command.get_name())));
    commands.map(usage).collect()
}

/// The first words of the commands.
pub(super) fn words() -> Vec<String> {
    grammar().get_subcommands().map(|command| format!("/{}", command.get_name())).collect()
}

/// How a command is written.
pub(super) fn usage(command: &Command) -> String {
    format!("/{}{}", command.get_name(), spaced(&arguments(command, true)))
}

/// The list of commands for a person: all of them, or those that need no screen.
pub fn help(on_screen: bool) -> String {
    let rows: Vec<CommandRow> = rows().into_iter().filter(|row| on_screen || !row.on_screen).collect();
    let typed = |row: &CommandRow| format!("{}{}", row.name, spaced(&row.arguments));
    let width = rows.iter().map(|row| typed(row).chars().count()).filter(|width| *width < 32).max();
    let width = width.unwrap_or_default();
    let mut lines = Vec::new();
    let mut group = "";
    for row in &rows {
        if row.group != group {
            lines.extend((!group.is_empty()).then(String::new));
            group = row.group;
            lines.push(group.to_owned());
        }
        let typed = typed(row);
        if typed.chars().count() > width {
            lines.push(format!("  {typed}"));
            lines.push(format!("  {:width$}  {}", "", row.about));
        } else {
            lines.push(format!("  {typed:<width$}  {}", row.about));
        }
    }
    lines.join("\n")
}

/// Adds the row of a command, where it can stand alone, and those of its subcommands.
fn add(rows: &mut Vec<CommandRow>, name: &str, group: &'static str, command: &Command) {
    if !command.is_subcommand_required_set() {
        let needed: Vec<&str> =
            command.get_positionals().filter(|arg| arg.is_required_set()).map(|_| "1").collect();
        // What a command does depends on its name alone: a number fits every argument that it needs.
        let sample = parse(&format!("{name}{}", spaced(&needed.join(" "))));
        rows.push(CommandRow {
            name: name.to_owned(),
            arguments: arguments(command, false),
            about: about(command),
            group,
            on_screen: ScreenCommand::has(name),
            anytime: sample.is_ok_and(|slash| slash.works_anytime()),
        });
    }
    for subcommand in command.get_subcommands() {
        add(rows, &format!("{name} {}", subcommand.get_name()), group, subcommand);
    }
}

fn about(command: &Command) -> String {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let aliases: Vec<String> = command.get_visible_aliases().map(|alias| format!("/{alias}")).collect();
    if aliases.is_empty() { about } else { format!("{about} (also: {})", aliases.join(", ")) }
}

/// The arguments of a command, with its subcommands where those are wanted.
fn arguments(command: &Command, with_subcommands: bool) -> String {
    let needs_one = command.get_positionals().any(Arg::is_required_set);
    let shown = |arg: &Arg| match needs_one && !arg.is_required_set() {
        true => format!("[{}]", positional(arg)),
        false => positional(arg),
    };
    let positionals: Vec<String> = command.get_positionals().map(shown).collect();
    let mut choices: Vec<String> =
        Some(positionals.join(" ")).into_iter().filter(|all| !all.is_empty()).collect();
    let mut optional = !choices.is_empty() && !needs_one;
    if with_subcommands && command.has_subcommands() {
        optional = !command.is_subcommand_required_set();
        choices.extend(
            command.get_subcommands().map(|subcommand| {
                format!("{}{}", subcommand.get_name(), spaced(&arguments(subcommand, true)))
            }),
        );
    }
    let choices = choices.join(" | ");
    let mut parts = Vec::new();
    if !choices.is_empty() {
        parts.push(if optional { format!("[{choices}]") } else { choices });
    }
    let flags = command.get_arguments().filter(|arg| !arg.is_positional());
    parts.extend(flags.filter_map(Arg::get_long).map(|long| format!("[--{long}]")));
    parts.join(" ")
}

fn positional(arg: &Arg) -> String {
    arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string).unwrap_or_default()
}

/// A text with a space before it, if it is not empty.
fn spaced(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" {text}") }
}
