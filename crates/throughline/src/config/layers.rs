//! The layers of the settings that are not a project's.

use std::path::Path;

use throughline_settings::{Layer, Resolved, Scope, resolve};

use crate::error::{Attempt as _, Result};
use crate::folders::settings_files;

/// The settings without a project: the user's files and the variables.
pub(crate) fn of_user() -> Result<Resolved> {
    let mut layers = user(None)?;
    layers.push(environment()?);
    Ok(resolve(layers, false)?)
}

pub(super) fn environment() -> Result<Layer> {
    let variables = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()));
    Ok(Layer::from_environment(variables)?)
}

pub(super) fn user(named: Option<&Path>) -> Result<Vec<Layer>> {
    let files = match named {
        Some(file) => vec![file.to_owned()],
        None => settings_files().into_iter().filter(|file| file.exists()).collect(),
    };
    files.iter().map(|file| layer(file)).collect()
}

pub(super) fn layer(file: &Path) -> Result<Layer> {
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
