//! Settings that hold, for a person, and their change from a session that runs.

use std::path::{Path, PathBuf};

use throughline_config::{Config, ConfigSources, SettingsFile};
use throughline_settings::{Origin, setting_named};
use throughline_terminal::table;
use throughline_text::plain;

/// The table of those settings whose key is wanted. A default is in parentheses.
pub fn rows(config: &Config, origin: bool, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut rows: Vec<Vec<String>> = vec![vec!["SETTING".to_owned(), "VALUE".to_owned()]];
    let rest = config.resolved.servers().map(|server| {
        (format!("mcp.servers.{}", server.name), server.transport.shown(), server.origin.clone())
    });
    let all = config.resolved.shown().into_iter().map(|(key, value, origin)| (key.to_owned(), value, origin));
    for (key, value, from) in all.chain(rest).filter(|(key, _, _)| wanted(key)) {
        let usual = from == Origin::Default;
        let value = if usual { format!("({value})") } else { value };
        let mut row = vec![key, plain(&value)];
        if origin {
            row.push(plain(&from.to_string()));
        }
        rows.push(row);
    }
    if origin {
        rows.iter_mut().take(1).for_each(|row| row.push("FROM".to_owned()));
    }
    table(&rows)
}

/// The table of all settings, or the row of one key, and what has no effect because the project is not trusted or because its
/// file cannot be used.
///
/// # Errors
/// The key is unknown.
pub fn shown(config: &Config, key: Option<&str>) -> anyhow::Result<Vec<String>> {
    let server =
        |key: &str| config.resolved.servers().any(|server| key == format!("mcp.servers.{}", server.name));
    let key = match key {
        Some(key) if server(key) => Some(key),
        Some(key) => Some(setting_named(key)?.key),
        None => None,
    };
    let mut lines = rows(config, true, |row| key.is_none_or(|key| key == row));
    let held = config.resolved.held().iter().filter(|held| key.is_none_or(|key| key == held.key));
    lines.extend(held.map(|held| {
        let text = format!("{} = {} ({}): {}", held.key, held.shown, held.origin, held.why);
        plain(&format!("Ignored until you trust this project (throughline trust): {text}"))
    }));
    lines.extend(config.unusable().map(|notice| plain(&notice)));
    Ok(lines)
}

/// The same for a session that runs with these settings, and what its files say for the next start.
///
/// # Errors
/// The key is unknown, or a file cannot be used any more.
pub fn shown_in_session(
    config: &Config,
    key: Option<&str>,
    folder: &Path,
    data_dir: Option<PathBuf>,
) -> anyhow::Result<String> {
    let mut lines = shown(config, key)?;
    let next = Config::load(ConfigSources { workspace: Some(folder), data_dir, ..ConfigSources::default() })?;
    let later = next.resolved.shown().into_iter().zip(config.resolved.shown());
    let later = later.filter(|((row, ..), _)| key.is_none_or(|key| key == *row));
    for ((row, value, from), (_, now, origin)) in later {
        // An option of this start does not hold for the next one.
        if value != now && !matches!(origin, Origin::Flag(_)) {
            lines.push(plain(&format!("From the next start on: {row} = {value} ({from})")));
        }
    }
    Ok(lines.join("\n"))
}

/// Sets a key in the user's file, for a session that runs. Returns what to tell the user.
pub fn set_for_user(
    key: &str,
    value: &str,
    folder: &Path,
    data_dir: Option<PathBuf>,
) -> anyhow::Result<String> {
    let file = SettingsFile::of_user()?;
    // As in a shell, quotes around all of it are no part of it.
    let inside = ['"', '\''].into_iter().find_map(|quote| {
        value.strip_prefix(quote)?.strip_suffix(quote).filter(|text| !text.contains(quote))
    });
    file.set(key, inside.unwrap_or(value))?;
    let next = Config::load(ConfigSources { workspace: Some(folder), data_dir, ..ConfigSources::default() })?;
    let text =
        format!("Set {key} in {}. It takes effect when throughline starts again.", file.path().display());
    Ok(with_overrides(text, &next, key, &file))
}

/// A text about a key that was set, and why its value in the file is not the effective one.
pub fn with_overrides(text: String, next: &Config, key: &str, file: &SettingsFile) -> String {
    overridden(next, key, file).into_iter().fold(text, |text, more| text + " " + &more)
}

/// Why the value in a file is not the effective one.
pub fn overridden(config: &Config, key: &str, file: &SettingsFile) -> Vec<String> {
    let place = file.path().display().to_string();
    let own = |origin: &Origin| matches!(origin, Origin::File { file, .. } if *file == place);
    let held = config.resolved.held().iter().find(|held| held.key == key && own(&held.origin));
    if let Some(held) = held {
        let why = held.why;
        return vec![format!("It is ignored until you trust this project (throughline trust): {why}.")];
    }
    let others = config.resolved.shown().into_iter().filter(|(row, _, from)| *row == key && !own(from));
    // Lists add up.
    others
        .filter(|(_, value, _)| !value.starts_with('['))
        .map(|(_, value, from)| plain(&format!("Here {from} sets it to {value}, and that wins.")))
        .collect()
}
