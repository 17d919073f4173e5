//! The shell that splits the command lines of the user's variables.

use std::process::Command;

/// A shell that is in no folder which a model can write, and takes no programs from there.
pub(crate) fn shell() -> Option<Command> {
    let mut command = Command::new(throughline_programs::find("sh")?);
    command.env("PATH", throughline_programs::search_path());
    Some(command)
}
