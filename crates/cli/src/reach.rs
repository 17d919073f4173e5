//! Which options of every command have no effect on which command. Its help does not show them, and they are refused behind
//! its name. Before the name they are accepted, so that an alias of the program can hold them.

use std::ffi::OsStr;

use clap::builder::{BoolValueParser, PathBufValueParser, StringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, Args as _, Command, Error};

use crate::config::args::ConfigArgs;
use crate::data_args::DataArgs;
use crate::described::Described;
use crate::mcp::McpArgs;
use crate::serve::args::ServeArgs;

/// All options of every command but that of the log.
const ALL: &[&str] = &["data_dir", "database", "blobs", "any_folder"];

/// Options that only say where sessions are.
const OF_SESSIONS: &[&str] = &["database", "blobs", "any_folder"];

/// Commands, and the options that have no effect on them.
const WITHOUT_EFFECT: [(&str, &[&str]); 21] = [
    ("models", &["database", "blobs", "any_folder"]),
    ("doctor", &["any_folder"]),
    ("login", ALL),
    ("logout", ALL),
    ("update", ALL),
    ("import", &["any_folder"]),
    ("completions", ALL),
    ("man", ALL),
    ("demo", &["any_folder"]),
    ("replay", &["any_folder"]),
    ("audit", ALL),
    // `sessions delete` has its own.
    ("sessions", &["any_folder"]),
    ("memos", &["blobs", "any_folder"]),
    ("serve", &["any_folder"]),
    ("acp", &["any_folder"]),
    ("engine", &["any_folder"]),
    ("config", &["any_folder"]),
    ("trust", &["database", "blobs", "any_folder"]),
    ("plugin", ALL),
    ("store", &["data_dir", "database", "any_folder"]),
    ("recover", &["blobs"]),
];

/// Commands below one, with the options that have no effect on them though they have one on others below it.
const WITHOUT_EFFECT_BELOW: [(&[&str], &[&str]); 13] = [
    (&["mcp", "add"], ALL),
    (&["mcp", "remove"], OF_SESSIONS),
    (&["mcp", "list"], OF_SESSIONS),
    (&["mcp", "login"], OF_SESSIONS),
    (&["mcp", "logout"], OF_SESSIONS),
    (&["config", "set"], OF_SESSIONS),
    (&["config", "unset"], OF_SESSIONS),
    (&["config", "path"], ALL),
    (&["config", "key", "new"], ALL),
    (&["serve", "token", "new"], &["blobs"]),
    (&["serve", "token", "list"], &["blobs"]),
    (&["serve", "token", "revoke"], &["blobs"]),
    (&["serve", "audit"], &["blobs"]),
];

/// The command whose subcommands refuse the options that have no effect on them.
pub(crate) fn limited(command: Command) -> Command {
    let options = DataArgs::augment_args(Command::new("options"));
    let limit = |command: Command, (name, ids): &(&'static str, &[&str])| {
        command.mut_subcommand(name, |one| {
            let refused = options.get_arguments().filter(|option| ids.contains(&option.get_id().as_str()));
            let nested = *name != "sessions";
            one.args(refused.map(|option| without_effect(option).global(nested)))
        })
    };
    let command = WITHOUT_EFFECT.iter().fold(command, limit);
    // A command is built when it is asked for: the ones below it do not exist before.
    let mcp = |command| limited_below("mcp", Described::<McpArgs>::augment_args(command));
    let config = |command| limited_below("config", Described::<ConfigArgs>::augment_args(command));
    let serve = |command| limited_below("serve", Described::<ServeArgs>::augment_args(command));
    command
        .mut_subcommand("mcp", |one| one.defer(mcp))
        .mut_subcommand("config", |one| one.defer(config))
        .mut_subcommand("serve", |one| one.defer(serve))
}

/// The command `name` whose subcommands refuse the options that have no effect on them.
fn limited_below(name: &str, command: Command) -> Command {
    let options = DataArgs::augment_args(Command::new("options"));
    let below = WITHOUT_EFFECT_BELOW.iter().filter(|(path, _)| path.first() == Some(&name));
    below.fold(command, |command, (path, ids)| {
        let refused = || options.get_arguments().filter(|option| ids.contains(&option.get_id().as_str()));
        let path = path.get(1..).unwrap_or_default();
        at(command, path, &|one| one.args(refused().map(|option| without_effect(option).global(false))))
    })
}

/// The command with a change of the one at this path below it.
fn at(command: Command, path: &[&'static str], change: &dyn Fn(Command) -> Command) -> Command {
    match path.split_first() {
        Some((name, rest)) => command.mut_subcommand(name, |one| at(one, rest, change)),
        None => change(command),
    }
}

/// The command with each option on the commands that it has an effect on alone, for what shells offer.
pub(crate) fn offered(command: Command) -> Command {
    let options = DataArgs::augment_args(Command::new("options"));
    let is_one = |id: &str| options.get_arguments().any(|option| option.get_id() == id);
    let names: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    let own = command.mut_args(|own| if is_one(own.get_id().as_str()) { own.global(false) } else { own });
    let mcp = |command| offered_below("mcp", Described::<McpArgs>::augment_args(command));
    let config = |command| offered_below("config", Described::<ConfigArgs>::augment_args(command));
    let serve = |command| offered_below("serve", Described::<ServeArgs>::augment_args(command));
    names.into_iter().fold(own, |command, name| {
        let taken = taken(without_effect_on(&name), true);
        command.mut_subcommand(name.clone(), |one| match name.as_str() {
            "mcp" => one.defer(mcp),
            "config" => one.defer(config),
            "serve" => one.defer(serve),
            _ => one.args(taken),
        })
    })
}

/// The command `name` with its options of every command, and each one below it with its own.
fn offered_below(name: &'static str, command: Command) -> Command {
    offered_at(command, &[name], without_effect_on(name))
}

fn offered_at(command: Command, path: &[&str], without: &[&str]) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    let own = command.args(taken(without, false));
    names.into_iter().fold(own, |command, name| {
        let path = [path, &[name.as_str()]].concat();
        let more = WITHOUT_EFFECT_BELOW.iter().find(|(one, _)| *one == path).map_or(&[][..], |(_, ids)| ids);
        let without = [without, more].concat();
        command.mut_subcommand(&name, |one| offered_at(one, &path, &without))
    })
}

/// The options that have no effect on a command.
fn without_effect_on(name: &str) -> &'static [&'static str] {
    WITHOUT_EFFECT.iter().find(|(one, _)| *one == name).map_or(&[], |(_, ids)| ids)
}

/// The options of every command but these.
fn taken(without: &[&str], global: bool) -> Vec<Arg> {
    let options = DataArgs::augment_args(Command::new("options"));
    let taken = options.get_arguments().filter(|option| !without.contains(&option.get_id().as_str()));
    taken.map(|option| option.clone().global(global)).collect()
}

/// The option, hidden and refused on the command line.
fn without_effect(option: &Arg) -> Arg {
    let option = option.clone().hide(true);
    match option.get_id().as_str() {
        "any_folder" => option.value_parser(Refused(BoolValueParser::new())),
        "data_dir" => option.value_parser(Refused(PathBufValueParser::new())),
        _ => option.value_parser(Refused(StringValueParser::new())),
    }
}

/// Parses a value as the parser in it does, and refuses one of the command line.
#[derive(Debug, Clone)]
struct Refused<P>(P);

impl<P: TypedValueParser> TypedValueParser for Refused<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<P::Value, Error> {
        self.0.parse_ref(command, arg, value)
    }

    fn parse_ref_(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
        source: ValueSource,
    ) -> Result<P::Value, Error> {
        if source == ValueSource::CommandLine {
            let option = arg.and_then(Arg::get_long).unwrap_or_default();
            let why = format!("`--{option}` has no effect on `{}`\n", command.get_name());
            return Err(Error::raw(ErrorKind::UnknownArgument, why).with_cmd(command));
        }
        self.0.parse_ref_(command, arg, value, source)
    }
}
