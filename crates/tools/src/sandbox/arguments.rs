//! The command line of the launcher.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::Sandbox;

/// Precedes each folder in which the program may write.
const WRITABLE: &str = "--writable";
/// Precedes each folder in which files that run later stay.
const PROJECT: &str = "--project";
/// Precedes each folder in which it may not, although a folder above is writable.
const PROTECTED: &str = "--protected";
/// Precedes each file that is hidden from it.
const HIDDEN: &str = "--hidden";
/// Precedes each file or folder that stays unchanged in its place.
const FIXED: &str = "--fixed";
/// Precedes each git folder that is writable if it can be protected.
const REPOSITORY: &str = "--repository";
/// Precedes the private folder for temporary files.
const TEMP: &str = "--temp";
/// Precedes the most processes that the program may add.
const PROCESSES: &str = "--processes";
/// Precedes the most bytes that a process may allocate.
const MEMORY: &str = "--memory";
/// The program makes no connections.
const NO_NETWORK: &str = "--no-network";
/// The program may connect to all unix sockets.
const UNIX_SOCKETS: &str = "--unix-sockets";
/// Replaces all of these when there are no limits.
const UNLIMITED: &str = "--unlimited";
/// In place of a program: the launcher limits itself, and says what it could not limit.
pub(super) const CHECK: &str = "--check";
/// Makes the launcher the supervisor of the program; the name of its lifeline follows.
pub(super) const SUPERVISE: &str = "--supervise";
/// Precedes each git folder in which the supervisor holds names.
pub(super) const HOLD: &str = "--hold";

/// What the launcher does before the program runs.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// Supervises it, by the lifeline of this name, and holds names in these git folders.
    Supervise(String, Vec<PathBuf>),
    /// Limits it; `None`: it has no limits.
    Confine(Option<Sandbox>),
}

/// The sandbox as arguments.
pub(super) fn arguments(sandbox: Option<&Sandbox>) -> Vec<OsString> {
    let Some(sandbox) = sandbox else { return vec![UNLIMITED.into()] };
    let mut words: Vec<OsString> = Vec::new();
    let mut add = |option: &str, value: &OsStr| words.extend([option.into(), value.to_owned()]);
    sandbox.writable.iter().for_each(|folder| add(WRITABLE, folder.as_os_str()));
    sandbox.projects.iter().for_each(|folder| add(PROJECT, folder.as_os_str()));
    sandbox.protected.iter().for_each(|folder| add(PROTECTED, folder.as_os_str()));
    sandbox.hidden.iter().for_each(|file| add(HIDDEN, file.as_os_str()));
    sandbox.fixed.iter().for_each(|place| add(FIXED, place.as_os_str()));
    sandbox.repositories.iter().for_each(|folder| add(REPOSITORY, folder.as_os_str()));
    sandbox.temp.iter().for_each(|folder| add(TEMP, folder.as_os_str()));
    sandbox.processes.iter().for_each(|most| add(PROCESSES, most.to_string().as_ref()));
    sandbox.memory.iter().for_each(|most| add(MEMORY, most.to_string().as_ref()));
    words.extend(sandbox.no_network.then(|| NO_NETWORK.into()));
    words.extend(sandbox.unix_sockets.then(|| UNIX_SOCKETS.into()));
    words
}

/// What the arguments ask for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Launch {
    /// A task, then a program with its arguments.
    Run(Task, OsString, Vec<OsString>),
    /// Which of these limits the system does not enforce.
    Check(Sandbox),
}

/// Parses the arguments. The error says what is wrong.
pub(super) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Launch, String> {
    let mut arguments = arguments.into_iter();
    let (mut sandbox, mut unlimited, mut lifeline, mut held) = (Sandbox::default(), false, None, Vec::new());
    let check = loop {
        let Some(word) = arguments.next() else { return Err("-- is missing".to_owned()) };
        let mut value = || arguments.next().ok_or_else(|| format!("{} needs a value", word.display()));
        match word.to_str() {
            Some(UNLIMITED) => unlimited = true,
            Some(NO_NETWORK) => sandbox.no_network = true,
            Some(UNIX_SOCKETS) => sandbox.unix_sockets = true,
            Some(WRITABLE) => sandbox = sandbox.with(value()?),
            Some(PROJECT) => sandbox = sandbox.project(value()?),
            Some(PROTECTED) => sandbox = sandbox.without(value()?),
            Some(HIDDEN) => sandbox = sandbox.hiding(value()?),
            Some(FIXED) => sandbox = sandbox.fixing(value()?),
            Some(REPOSITORY) => sandbox = sandbox.repository(value()?),
            Some(HOLD) => held.push(value()?.into()),
            Some(TEMP) => sandbox.temp = Some(value()?.into()),
            Some(PROCESSES) => sandbox.processes = Some(number(&value()?)?),
            Some(MEMORY) => sandbox.memory = Some(number(&value()?)?),
            Some(SUPERVISE) => lifeline = Some(value()?.to_string_lossy().into_owned()),
            Some(CHECK) => break true,
            Some("--") => break false,
            _ => return Err(format!("unknown argument {word:?}")),
        }
    };
    if check {
        return match (unlimited || lifeline.is_some(), arguments.next()) {
            (false, None) => Ok(Launch::Check(sandbox)),
            (true, _) => Err(format!("{UNLIMITED} and {SUPERVISE} exclude {CHECK}")),
            (false, Some(word)) => Err(format!("{word:?} follows {CHECK}, which takes no program")),
        };
    }
    let Some(program) = arguments.next() else { return Err("no program follows --".to_owned()) };
    if (unlimited || lifeline.is_some()) && sandbox != Sandbox::default() {
        return Err(format!("{UNLIMITED} and {SUPERVISE} exclude limits"));
    }
    let task = match lifeline {
        Some(name) => Task::Supervise(name, held),
        None if !held.is_empty() => return Err(format!("{HOLD} needs {SUPERVISE}")),
        None => Task::Confine((!unlimited).then_some(sandbox)),
    };
    Ok(Launch::Run(task, program, arguments.collect()))
}

fn number(text: &OsStr) -> Result<u64, String> {
    text.to_str().and_then(|text| text.parse().ok()).ok_or_else(|| format!("{text:?} is not a number"))
}

#[cfg(test)]
mod tests;
