//! What an audit writes: files whole or not at all, and figures without the noise of additions.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use serde_json::{Number, Value};
use throughline_commands::UsageError;
use throughline_connect::dollars_figure;
use throughline_watch::Recording;

use super::args::AuditArgs;

/// Refuses to write over a recording, or two reports into one file, before any work is done.
pub(super) fn check(args: &AuditArgs, recordings: &[Recording]) -> anyhow::Result<()> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if args.csv.is_some() && args.csv == args.html {
        bail!(UsageError("--csv and --html name the same file; name two".to_owned()));
    }
    for path in args.csv.iter().chain(&args.html) {
        if recordings.iter().filter_map(Recording::file).any(|recording| real(recording) == real(path)) {
            bail!(UsageError(format!("{} is a recording; name another file to write", path.display())));
        }
    }
    Ok(())
}

/// Writes a file. What was there is replaced when the new content is complete; only the user can read it.
pub(super) fn write(path: &Path, content: &str) -> anyhow::Result<()> {
    let failed = || format!("could not write {}", path.display());
    // A pipe or a device cannot be replaced.
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return fs::write(path, content).with_context(failed);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).with_context(failed)?;
    file.write_all(content.as_bytes()).with_context(failed)?;
    file.persist(path).map_err(|error| error.error).with_context(failed)?;
    Ok(())
}

/// A report whose dollars and shares have six decimals.
pub(super) fn with_six_decimals(report: Value) -> Value {
    match report {
        Value::Number(number) if number.is_f64() => {
            let rounded = number.as_f64().and_then(|figure| Number::from_f64(dollars_figure(figure)));
            Value::Number(rounded.unwrap_or(number))
        }
        Value::Array(items) => items.into_iter().map(with_six_decimals).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (name, with_six_decimals(value))).collect()
        }
        other => other,
    }
}
