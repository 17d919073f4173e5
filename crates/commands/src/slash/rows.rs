//! The list of commands for help, completion and errors, read from the grammar.

use clap::{Arg, Command};

use super::grammar::{ScreenCommand, grammar};
use super::groups::place;
use super::parse;
use crate::prompts::PromptCommands;

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

/// The lines of the help where there is no screen: the commands that need none, then the prompts.
pub fn help_with(prompts: &PromptCommands) -> Vec<String> {
    format!("{}\n{}", help(false), prompts.help()).trim_end().lines().map(str::to_owned).collect()
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
    let mut about = command.get_about().map(ToString::to_string).unwrap_or_default();
    if has_short_options(command) {
        about = format!("{about} (options: {})", options(command).collect::<Vec<_>>().join(", "));
    }
    let aliases: Vec<String> = command.get_visible_aliases().map(|alias| format!("/{alias}")).collect();
    if aliases.is_empty() { about } else { format!("{about} (also: {})", aliases.join(", ")) }
}

/// The arguments of a command, with its subcommands where those are wanted.
fn arguments(command: &Command, with_subcommands: bool) -> String {
    let own = || command.get_positionals().filter(|arg| !arg.is_hide_set());
    let needs_one = own().any(|arg| is_needed(command, arg));
    let shown = |arg: &Arg| match needs_one && !is_needed(command, arg) {
        true => format!("[{}]", positional(arg)),
        false => positional(arg),
    };
    let positionals: Vec<String> = own().map(shown).collect();
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
    let mut flags: Vec<String> = options(command).map(|option| format!("[{option}]")).collect();
    if has_short_options(command) {
        flags = vec!["[OPTIONS]".to_owned()];
    }
    let both = if takes_the_rest(command) { [flags, parts] } else { [parts, flags] };
    both.concat().join(" ")
}

/// The options of a command.
fn options(command: &Command) -> impl Iterator<Item = String> {
    let options = command.get_arguments().filter(|arg| !arg.is_positional());
    options.filter_map(Arg::get_long).map(|long| format!("--{long}"))
}

/// Returns true if options behind the arguments of a command are a part of them, so that its own are before them.
fn takes_the_rest(command: &Command) -> bool {
    let takes_more = |arg: &Arg| arg.get_num_args().is_some_and(|all| all.max_values() > 1);
    command
        .get_positionals()
        .any(|arg| arg.is_trailing_var_arg_set() || (arg.is_allow_hyphen_values_set() && takes_more(arg)))
}

/// Returns true if the options of a command are too many for the place before its arguments. Its description names them.
fn has_short_options(command: &Command) -> bool {
    takes_the_rest(command) && options(command).count() > 2
}

/// Returns true if a command cannot do without the argument. It may also stand behind `--`, in another one of the same name.
fn is_needed(command: &Command, arg: &Arg) -> bool {
    let same = |other: &Arg| other.is_last_set() && other.get_value_names() == arg.get_value_names();
    arg.is_required_set() || command.get_positionals().any(same)
}

fn positional(arg: &Arg) -> String {
    arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string).unwrap_or_default()
}

/// A text with a space before it, if it is not empty.
fn spaced(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" {text}") }
}
