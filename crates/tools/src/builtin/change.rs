//! Changing a file that the model knows.

use std::path::{Path, PathBuf};

use super::confine::{self, Grounds};
use super::regular::{self, WHOLE};
use super::replace_file::replace_file;
use crate::file_ledger::{Diff, Freshness};
use crate::{FileScope, ToolContext, ToolOutput};

/// Puts what `make` makes of a file's text in its place, and gives what `make` says.
///
/// # Errors
/// An error output for the model; then the file is as it was.
pub(super) fn edit(
    context: &ToolContext,
    scope: &FileScope,
    path: &str,
    make: impl FnOnce(&str) -> Result<(String, String), String>,
) -> Result<ToolOutput, ToolOutput> {
    let grounds = Grounds::of(context, scope)?;
    grounds.existing(path)?;
    let real = grounds.writable(path)?;
    let _turn = scope.ledger().change();
    let (mut file, metadata) = regular::open(&real, path)?;
    let Some(bytes) = regular::whole(&mut file, &metadata, path)? else {
        let most = WHOLE / (1024 * 1024);
        let why = format!(
            "{path} has {} bytes, more than the {most} MiB that file tools edit. Use shell, for example with sed.",
            metadata.len()
        );
        return Err(ToolOutput::error(why));
    };
    // What was never read may be edited: who can quote it knows it.
    if let Freshness::Changed(diff) = scope.ledger().freshness(&real, &bytes) {
        return Err(changed(scope, &real, path, &diff, Some(&bytes)));
    }
    let Ok(text) = String::from_utf8(bytes) else {
        let why =
            format!("{path} is no UTF-8 text, so it cannot be edited. Use shell with a fitting program.");
        return Err(ToolOutput::error(why));
    };
    let (text, said) = make(&text).map_err(ToolOutput::error)?;
    put(scope, &real, path, text.as_bytes())?;
    Ok(ToolOutput::text(said))
}

/// Writes all of a file's content: of a new one, or of one that the model knows. Gives whether it was there.
///
/// # Errors
/// An error output for the model; then the file is as it was.
pub(super) fn write(
    context: &ToolContext,
    scope: &FileScope,
    path: &str,
    content: &[u8],
) -> Result<bool, ToolOutput> {
    let real: PathBuf = Grounds::of(context, scope)?.writable(path)?;
    if real.is_dir() {
        return Err(ToolOutput::error(format!("{path} is a folder. Name a file in it.")));
    }
    let _turn = scope.ledger().change();
    let there = real.exists();
    if there {
        known(scope, &real, path, content)?;
    }
    put(scope, &real, path, content)?;
    Ok(there)
}

/// Whether the model knows what it is about to replace.
fn known(scope: &FileScope, real: &Path, path: &str, content: &[u8]) -> Result<(), ToolOutput> {
    let (mut file, metadata) = regular::open(real, path)?;
    let old = regular::whole(&mut file, &metadata, path)?;
    let freshness = match &old {
        // Nothing is lost.
        Some(old) if old.is_empty() || old == content => return Ok(()),
        Some(old) => scope.ledger().freshness(real, old),
        None => scope.ledger().freshness_large(real, &metadata),
    };
    match freshness {
        Freshness::Fresh => Ok(()),
        Freshness::Unread => Err(ToolOutput::error(format!(
            "{path} exists and you have not read it. Read it first with read_file, then write it, or change a part with edit_file."
        ))),
        Freshness::Changed(diff) => Err(changed(scope, real, path, &diff, old.as_deref())),
    }
}

/// What the model reads of a file that is not as it knew it. When that is all there is to know, it knows it now.
fn changed(scope: &FileScope, real: &Path, path: &str, diff: &Diff, content: Option<&[u8]>) -> ToolOutput {
    let start =
        format!("{path} was changed by something else since you last saw it, so nothing was written.");
    ToolOutput::error(match (diff, content) {
        (Diff::Whole(diff), Some(content)) => {
            scope.ledger().note(real, content);
            format!(
                "{start} This is what changed:\n{}\nFit your change to it, then call again.",
                diff.trim_end()
            )
        }
        (Diff::Part(diff), _) => {
            format!(
                "{start} This is the beginning of what changed:\n{diff}\n[cut]\nRead the file again first."
            )
        }
        _ => format!("{start} Read it again first."),
    })
}

fn put(scope: &FileScope, real: &Path, path: &str, content: &[u8]) -> Result<(), ToolOutput> {
    replace_file(real, content).map_err(|error| confine::failed("write", path, &error))?;
    scope.ledger().note(real, content);
    Ok(())
}
