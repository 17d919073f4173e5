//! The layers of the settings that are not a project's.

use std::path::Path;
use std::sync::OnceLock;

use throughline_settings::{Flag, Layer, Resolved, Scope, resolve, schema};

use crate::error::{Attempt as _, ConfigError, Result};
use crate::folders::settings_files;

/// The settings without a project: the user's files and the variables.
pub(crate) fn of_user() -> Result<Resolved> {
    let mut layers = user(None)?;
    layers.push(environment()?);
    layers.push(command_line()?);
    Ok(resolve(layers, false)?)
}

/// Options of the command line that hold for every command.
static COMMAND_LINE: OnceLock<Vec<Flag>> = OnceLock::new();

/// Sets options that hold wherever this process reads the user's settings from then on. The first call counts.
pub fn set_command_line(flags: Vec<Flag>) {
    // A second command line in one process has no meaning.
    let _ = COMMAND_LINE.set(flags);
}

/// The same as environment variables, for another process of this program: a list of processes shows arguments to all users.
pub fn command_line_variables() -> Vec<(String, String)> {
    let name = |flag: &Flag| schema().iter().find(|spec| spec.key == flag.key)?.variable();
    let variable = |flag: &Flag| Some((name(flag)?, flag.text.clone()));
    COMMAND_LINE.get().map_or_else(Vec::new, |flags| flags.iter().filter_map(variable).collect())
}

/// Returns true if the command line says anything for every command.
pub fn has_command_line() -> bool {
    COMMAND_LINE.get().is_some_and(|flags| !flags.is_empty())
}

/// What the command line says for every command.
pub(crate) fn command_line() -> Result<Layer> {
    Ok(Layer::from_flags(COMMAND_LINE.get().cloned().unwrap_or_default())?)
}

pub(crate) fn environment() -> Result<Layer> {
    let variables = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()));
    Ok(Layer::from_environment(variables)?)
}

pub(crate) fn user(named: Option<&Path>) -> Result<Vec<Layer>> {
    let files = match named {
        Some(file) => {
            let attempt = || format!("cannot read the settings in {}", file.display());
            let readable = std::fs::File::open(file).map(drop);
            readable.map_err(|source| ConfigError::Argument { attempt: attempt(), source })?;
            vec![file.to_owned()]
        }
        None => settings_files().into_iter().filter(|file| file.exists()).collect(),
    };
    files.iter().map(|file| layer(file)).collect()
}

pub(crate) fn layer(file: &Path) -> Result<Layer> {
    let shown = file.display().to_string();
    let text = std::fs::read_to_string(file).attempt(|| format!("cannot read the settings in {shown}"))?;
    if is_rubichan(file) {
        return Ok(Layer::from_rubichan(&shown, &text)?);
    }
    let json = file.extension().is_some_and(|extension| extension == "json");
    let read = if json { Layer::from_json } else { Layer::from_toml };
    Ok(read(Scope::User, &shown, &text)?)
}

/// Returns true for a configuration file of the agent rubichan, by the name of the file or of its folder.
fn is_rubichan(file: &Path) -> bool {
    let names = [file.file_stem(), file.parent().and_then(Path::file_name)];
    let toml = file.extension().is_some_and(|extension| extension == "toml");
    toml && names
        .into_iter()
        .flatten()
        .any(|name| name.to_string_lossy().trim_start_matches('.') == "rubichan")
}
