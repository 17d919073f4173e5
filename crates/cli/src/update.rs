//! `throughline update`: by what has installed the program.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail};
use throughline_terminal::line;
use throughline_text::shell_word;
use url::Url;

/// The package of the program, in every registry.
const PACKAGE: &str = "throughline-cli";
/// What the installer of a release puts next to the program.
const UPDATER: &str = "throughline-cli-update";

/// How the program came to where it is.
#[derive(Debug, PartialEq, Eq)]
enum Installation {
    /// By the installer of a release, which left a program that updates.
    Release(PathBuf),
    /// By something that updates it with this command.
    Managed(String),
    /// Built in this folder of a clone.
    Built(PathBuf),
    Unknown,
}

/// Updates the program, or names the command that does.
pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let program = std::env::current_exe().and_then(|program| program.canonicalize());
    let program = program.context("where this program lies cannot be read")?;
    let clone = |folder: &Path| {
        let place = shell_word(&folder.join("crates/cli").display().to_string());
        format!(
            "git -C {} pull && cargo install --profile dist --path {place}",
            shell_word(&folder.display().to_string())
        )
    };
    match installation(&program) {
        Installation::Release(updater) => {
            let status = Command::new(&updater).status();
            let status = status.with_context(|| format!("{} cannot be run", updater.display()))?;
            return Ok(status
                .code()
                .and_then(|code| u8::try_from(code).ok())
                .map_or(ExitCode::FAILURE, ExitCode::from));
        }
        Installation::Managed(command) => line(&format!("To update: {command}")),
        Installation::Built(folder) => {
            line(&format!("It was built in a clone. To update: {}", clone(&folder)));
        }
        Installation::Unknown => bail!(
            "it is not known what has installed {}; update it the same way, or put the program of a newer release there",
            program.display()
        ),
    }
    Ok(ExitCode::SUCCESS)
}

fn installation(program: &Path) -> Installation {
    let Some(folder) = program.parent() else { return Installation::Unknown };
    let updater = folder.join(UPDATER);
    if updater.is_file() {
        return Installation::Release(updater);
    }
    let has = |name: &str| program.components().any(|part| part == Component::Normal(name.as_ref()));
    if has("Cellar") {
        return Installation::Managed("brew upgrade throughline".to_owned());
    }
    if has("node_modules") {
        let is_global = program.display().to_string().contains("/lib/node_modules/");
        let global = if is_global { " -g" } else { "" };
        return Installation::Managed(format!("npm install{global} {PACKAGE}@latest"));
    }
    let root = folder.parent().unwrap_or(folder);
    if let Some(source) = cargo_source(root) {
        return by_cargo(&source);
    }
    let clone = program.ancestors().find(|folder| folder.join("crates/cli/Cargo.toml").is_file());
    clone.map_or(Installation::Unknown, |folder| Installation::Built(folder.to_owned()))
}

/// An installation by Cargo from this source, as Cargo writes it: `KIND+URL`.
fn by_cargo(source: &str) -> Installation {
    let Some((kind, Ok(mut url))) = source.split_once('+').map(|(kind, url)| (kind, Url::parse(url))) else {
        return Installation::Unknown;
    };
    match kind {
        "path" => match url.to_file_path() {
            Ok(place) => place
                .ancestors()
                .nth(2)
                .map_or(Installation::Unknown, |clone| Installation::Built(clone.to_owned())),
            Err(()) => Installation::Unknown,
        },
        "git" => {
            let branch = url.query_pairs().find(|(name, _)| name == "branch");
            let branch =
                branch.map_or(String::new(), |(_, branch)| format!(" --branch {}", shell_word(&branch)));
            url.set_query(None);
            url.set_fragment(None);
            Installation::Managed(format!(
                "cargo install --git {}{branch} {PACKAGE}",
                shell_word(url.as_str())
            ))
        }
        _ => Installation::Managed(format!("cargo install {PACKAGE}")),
    }
}

/// Where Cargo has the program from, by its list of what is installed below a folder.
fn cargo_source(root: &Path) -> Option<String> {
    let list = fs::read_to_string(root.join(".crates.toml")).ok()?;
    let entry = list
        .lines()
        .find(|line| line.strip_prefix('"').is_some_and(|line| line.starts_with(&format!("{PACKAGE} "))))?;
    let (_, source) = entry.split_once('(')?;
    source.split_once(')').map(|(source, _)| source.to_owned())
}
