//! Changing a file that the model knows.

use std::path::{Path, PathBuf};

use super::confine::{self, Grounds};
use super::line_ends::{dos, is_dos};
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

/// What was written as the whole content of a file.
#[derive(Debug)]
pub(super) struct Written {
    /// The file was there before.
    pub(super) replaced: bool,
    /// Its lines end with `\r\n`, as they did before, although those of the new content did not.
    pub(super) dos: bool,
    pub(super) bytes: usize,
}

/// Writes all of a file's content: of a new one, or of one that the model knows. A file whose lines all end with `\r\n`, of
/// which the model is not shown, keeps them.
///
/// # Errors
/// An error output for the model; then the file is as it was.
pub(super) fn write(
    context: &ToolContext,
    scope: &FileScope,
    path: &str,
    content: &str,
) -> Result<Written, ToolOutput> {
    let real: PathBuf = Grounds::of(context, scope)?.writable(path)?;
    if real.is_dir() {
        return Err(ToolOutput::error(format!("{path} is a folder. Name a file in it.")));
    }
    let _turn = scope.ledger().change();
    let replaced = real.exists();
    let converted = if replaced { known(scope, &real, path, content)? } else { None };
    let written = converted.as_deref().unwrap_or(content).as_bytes();
    put(scope, &real, path, written)?;
    Ok(Written { replaced, dos: converted.is_some(), bytes: written.len() })
}

/// Whether the model knows what it is about to replace. Gives the content with the line ends of the file, where it has others.
fn known(scope: &FileScope, real: &Path, path: &str, content: &str) -> Result<Option<String>, ToolOutput> {
    let (mut file, metadata) = regular::open(real, path)?;
    let old = regular::whole(&mut file, &metadata, path)?;
    let text = old.as_deref().and_then(|old| std::str::from_utf8(old).ok());
    let converted =
        (content.contains('\n') && !content.contains('\r') && text.is_some_and(is_dos)).then(|| dos(content));
    let new = converted.as_deref().unwrap_or(content).as_bytes();
    let freshness = match &old {
        // Nothing is lost.
        Some(old) if old.is_empty() || old == new => return Ok(converted),
        Some(old) => scope.ledger().freshness(real, old),
        None => scope.ledger().freshness_large(real, &metadata),
    };
    match freshness {
        Freshness::Fresh => Ok(converted),
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
