//! `throughline models`: what servers have said of the limits of their models.

use std::path::PathBuf;

use serde_json::{Map, Value, json};
use throughline_commands::UsageError;
use throughline_connect::{AskedLimits, KnownLimits, LimitsFile, StoredLimit};
use throughline_stored::DataDir;
use throughline_terminal::{Style, json as print_json, line, table};
use throughline_text::{group_thousands, plain};

/// The limits that are stored in the data folder, by `host:port/model`.
pub(super) fn stored(data: Option<PathBuf>) -> anyhow::Result<Vec<(String, KnownLimits)>> {
    match file(data) {
        Some(file) => Ok(file.all()?),
        None => Ok(Vec::new()),
    }
}

/// Removes what is stored of a model, and says what that was.
pub(super) fn forget(name: &str, data: Option<PathBuf>, as_json: bool) -> anyhow::Result<()> {
    let forgotten = match file(data) {
        Some(file) => file.forget(name)?,
        None => Vec::new(),
    };
    if forgotten.is_empty() {
        let text = format!(
            "nothing is stored of {name:?}; `throughline models` lists the limits that servers have said"
        );
        return Err(UsageError(text).into());
    }
    if as_json {
        return Ok(print_json(&json!({ "forgotten": object(&forgotten) }))?);
    }
    for (key, limits) in &forgotten {
        if figures(limits).is_empty() {
            line(&format!("Forgotten: {} named no limits when it was asked.", plain(key)));
        }
        for (what, tokens, from, _) in figures(limits) {
            line(&format!("Forgotten: {} has {what} of {tokens} tokens ({from}).", plain(key)));
        }
    }
    Ok(())
}

/// The limits for people, below a heading; nothing without limits.
pub(super) fn print(stored: &[(String, KnownLimits)]) {
    let limits = stored.iter().flat_map(|(key, limits)| {
        let row = move |(what, tokens, from, day): (&str, String, &str, String)| {
            vec![plain(key), what.trim_start_matches("a ").to_owned(), tokens, from.to_owned(), day]
        };
        figures(limits).into_iter().map(row)
    });
    let rows: Vec<Vec<String>> = limits.collect();
    if rows.is_empty() {
        return;
    }
    line("");
    line(&Style::of_stdout().bold("limits that servers have said"));
    let header = ["SERVER/MODEL", "LIMIT", "TOKENS", "FROM", "SINCE"].map(str::to_owned).to_vec();
    for text in table(&[vec![header], rows].concat()) {
        line(&format!("  {text}"));
    }
}

/// The limits for programs.
pub(super) fn object(stored: &[(String, KnownLimits)]) -> Vec<Value> {
    let one = |(key, limits): &(String, KnownLimits)| {
        let (server, model) = key.split_once('/').unwrap_or(("", key));
        let mut object = Map::new();
        object.insert("server".to_owned(), json!(server));
        object.insert("model".to_owned(), json!(model));
        let said =
            |limit: &StoredLimit| json!({"tokens": limit.tokens, "at": limit.at.rfc3339(), "from": "error"});
        object.insert("window".to_owned(), json!(limits.window.as_ref().map(said)));
        object.insert("max_output".to_owned(), json!(limits.max_output.as_ref().map(said)));
        let asked = limits.asked.as_ref().map(|asked| {
            let AskedLimits { window, native, max_output, at, .. } = asked;
            json!({"window": window, "native": native, "max_output": max_output, "at": at.rfc3339()})
        });
        object.insert("asked".to_owned(), json!(asked));
        Value::Object(object)
    };
    stored.iter().map(one).collect()
}

/// What is limited, to how many tokens, where that is from, and since when.
fn figures(limits: &KnownLimits) -> Vec<(&'static str, String, &'static str, String)> {
    let said = |what: &'static str, limit: &StoredLimit| {
        (what, group_thousands(limit.tokens), "an error", limit.at.day())
    };
    let window = limits.window.as_ref().map(|limit| said("a window", limit));
    let output = limits.max_output.as_ref().map(|limit| said("a maximum output", limit));
    let asked = limits.asked.as_ref();
    let answered = |what: &'static str, tokens: fn(&AskedLimits) -> Option<u64>| {
        let asked = asked?;
        Some((what, group_thousands(tokens(asked)?), "its answer", asked.at.day()))
    };
    let described = [
        answered("a window", |asked| asked.window),
        answered("a native window", |asked| asked.native),
        answered("a maximum output", |asked| asked.max_output),
    ];
    window.into_iter().chain(output).chain(described.into_iter().flatten()).collect()
}

fn file(data: Option<PathBuf>) -> Option<LimitsFile> {
    DataDir::place(data).map(|data| LimitsFile::in_folder(&data))
}
