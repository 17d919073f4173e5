//! Changing a file that the model has read.

use std::fs::Metadata;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use super::allowed_roots::{AllowedRoots, FilePlace};
use super::current_text::{self, Current, Keeper, current};
use super::hard_links::other_names;
use super::line_endings::Fitted;
use super::regular::{self, WHOLE};
use crate::changed_file::{ChangedFile, FileContent};
use crate::file_ledger::{Diff, Freshness};
use crate::file_scope::FileScope;
use crate::made_changes::MadeChanges;
use crate::output::ToolOutput;
use crate::tool::ToolContext;

/// Permission bits that a new file is expected to have.
const NEW_MODE: u32 = 0o644;

/// A change of a file that can be made.
#[derive(Debug)]
pub(super) struct FileChange {
    place: FilePlace,
    before: FileContent,
    after: Vec<u8>,
    /// Who has the content now; `None`: there is no file.
    keeper: Option<Keeper>,
    /// `\n` was converted to `\r\n`, the line ending that the file has.
    pub(super) dos: bool,
    /// The byte order mark of the file was put before the content.
    pub(super) mark: bool,
}

impl FileChange {
    /// Returns true if the file exists.
    pub(super) fn replaces(&self) -> bool {
        self.before != FileContent::Missing
    }

    /// The size of the new content in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.after.len()
    }

    /// Makes the change, after the history has recorded it. The text is the output for the model.
    ///
    /// # Errors
    /// An error output for the model; the file is unchanged then.
    pub(super) fn make(
        self,
        context: &ToolContext,
        scope: &FileScope,
        path: &str,
        mut text: String,
    ) -> Result<ToolOutput, ToolOutput> {
        let Self { place, before, after, keeper, .. } = self;
        let expected = match &before {
            FileContent::Read { mode, .. } => *mode,
            _ => NEW_MODE,
        };
        let links = Links::of(&place, scope);
        let mut changes: Vec<ChangedFile> = std::iter::once(&place)
            .chain(&links.others)
            .map(|place| ChangedFile {
                path: place.real.clone(),
                before: before.clone(),
                after: FileContent::Read { bytes: after.clone(), mode: expected },
            })
            .collect();
        if let Some(history) = &context.history {
            let noted = changes.iter().try_for_each(|change| history.before_change(change));
            noted.map_err(|ended| ToolOutput::error(format!("{path} was not changed: {ended}.")))?;
        }
        let rewritten = current_text::write(context, &place, keeper, &after, path)?;
        let is_as_expected = rewritten.is_none();
        let after = rewritten.unwrap_or(after);
        scope.ledger().note(&place.real, &after);
        MadeChanges::note(&place.real, &after);
        text.push_str(&links.follow(&place, &after, path, scope));
        let mode = place.metadata().map_or(expected, |metadata| mode(&metadata));
        let output = ToolOutput::text(text);
        if context.history.is_some() && mode == expected && is_as_expected {
            return Ok(output);
        }
        for change in &mut changes {
            change.after = FileContent::Read { bytes: after.clone(), mode };
        }
        Ok(changes.into_iter().fold(output, ToolOutput::with_change))
    }
}

/// The names of a file before its change.
struct Links {
    /// What it is, if it is there.
    metadata: Option<Metadata>,
    /// Its other names, if all of them are known.
    others: Vec<FilePlace>,
}

impl Links {
    fn of(place: &FilePlace, scope: &FileScope) -> Self {
        let metadata = place.metadata().ok().filter(|metadata| metadata.nlink() > 1);
        let others = metadata.as_ref().and_then(|metadata| other_names(place, metadata, scope));
        Self { metadata, others: others.unwrap_or_default() }
    }

    /// Lets the other names follow to the new content, each at once. Returns a sentence for the model.
    fn follow(&self, place: &FilePlace, content: &[u8], path: &str, scope: &FileScope) -> String {
        let Some(before) = &self.metadata else { return String::new() };
        let links = before.nlink();
        // An editor may have written the file in its place.
        let in_place = place.metadata().is_ok_and(|now| now.ino() == before.ino());
        let followed = |other: &&FilePlace| in_place || place.relink(other).is_ok();
        let names: Vec<String> = self
            .others
            .iter()
            .filter(followed)
            .inspect(|other| scope.ledger().note(&other.real, content))
            .map(|other| {
                other.real.strip_prefix(place.root_path()).unwrap_or(&other.real).display().to_string()
            })
            .collect();
        let named = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
        if in_place || (names.len() == self.others.len() && !names.is_empty()) {
            return format!(" The file has {links} names (hard links), and all have the new content{named}.");
        }
        format!(
            " The file has {links} names (hard links). Only {path} has the new content; the others keep the old one, \
             because they may be outside of the workspace."
        )
    }
}

/// Prepares the replacement of a file's text with the text that `make` returns. Returns the second value of `make` too. The
/// caller holds the lock of changes.
///
/// # Errors
/// An error output for the model.
pub(super) fn edit<T>(
    context: &ToolContext,
    scope: &FileScope,
    path: &str,
    make: impl FnOnce(&str) -> Result<(String, T), String>,
) -> Result<(FileChange, T), ToolOutput> {
    let roots = AllowedRoots::of(context, scope)?;
    roots.existing(path)?;
    let place = roots.writable(path)?;
    let (mut file, metadata) = regular::open(&place, path)?;
    let Some(bytes) = regular::whole(&mut file, &metadata, path)? else {
        let most = WHOLE / (1024 * 1024);
        let why = format!(
            "{path} has {} bytes, more than the {most} MiB that file tools edit. Use shell, for example with sed.",
            metadata.len()
        );
        return Err(ToolOutput::error(why));
    };
    let current = current(context, &place, bytes, path)?;
    let modified = current.modified(&metadata);
    let Current { bytes, keeper } = current;
    // An unread file may be edited: quoting the old text proves that the model knows it.
    if let Freshness::Changed(diff) = scope.ledger().freshness(&place.real, modified, &bytes) {
        return Err(changed(scope, &place.real, path, &diff, Some(&bytes)));
    }
    let Ok(text) = std::str::from_utf8(&bytes) else {
        let why =
            format!("{path} is no UTF-8 text, so it cannot be edited. Use shell with a fitting program.");
        return Err(ToolOutput::error(why));
    };
    let (text, made) = make(text).map_err(ToolOutput::error)?;
    let before = FileContent::Read { bytes, mode: mode(&metadata) };
    Ok((
        FileChange { place, before, after: text.into_bytes(), keeper: Some(keeper), dos: false, mark: false },
        made,
    ))
}

/// Prepares writing a file as a whole: a new one, or one whose current content the model has read. A file with `\r\n` line
/// endings or a byte order mark keeps them, because `read_file` does not show them. The caller holds the lock of changes.
///
/// # Errors
/// An error output for the model.
pub(super) fn write(
    context: &ToolContext,
    scope: &FileScope,
    path: &str,
    content: &str,
) -> Result<FileChange, ToolOutput> {
    let place = AllowedRoots::of(context, scope)?.writable(path)?;
    let existing = place.metadata().ok();
    if existing.as_ref().is_some_and(Metadata::is_dir) {
        return Err(ToolOutput::error(format!("{path} is a folder. Name a file in it.")));
    }
    let (before, keeper, new) = match existing {
        Some(_) => check_known(context, scope, &place, path, content)?,
        None => (FileContent::Missing, None, Fitted::new(content, None)),
    };
    let Fitted { text, dos, mark } = new;
    Ok(FileChange { place, before, after: text.into_bytes(), keeper, dos, mark })
}

/// Checks that the model has read the content that it is about to replace. Returns that content, who has it, and the new one
/// in the form of the file.
fn check_known(
    context: &ToolContext,
    scope: &FileScope,
    place: &FilePlace,
    path: &str,
    content: &str,
) -> Result<(FileContent, Option<Keeper>, Fitted), ToolOutput> {
    let real = &place.real;
    let (mut file, metadata) = regular::open(place, path)?;
    let whole = regular::whole(&mut file, &metadata, path)?;
    let current = whole.map(|bytes| current(context, place, bytes, path)).transpose()?;
    let modified = current.as_ref().map_or(metadata.modified().ok(), |current| current.modified(&metadata));
    let (old, keeper) = current.map(|current| (current.bytes, current.keeper)).unzip();
    let text = old.as_deref().and_then(|old| std::str::from_utf8(old).ok());
    let new = Fitted::new(content, text);
    let freshness = match &old {
        // Nothing would be lost.
        Some(old) if old.is_empty() || old == new.text.as_bytes() => Freshness::Fresh,
        Some(old) => scope.ledger().freshness(real, modified, old),
        None => scope.ledger().freshness_large(real, &metadata),
    };
    match freshness {
        Freshness::Fresh => {
            let too_large = || FileContent::Unread(format!("it had {} bytes", metadata.len()));
            let mode = mode(&metadata);
            let before = old.map_or_else(too_large, |bytes| FileContent::Read { bytes, mode });
            Ok((before, keeper.or(Some(Keeper::Disk)), new))
        }
        Freshness::Unread => Err(ToolOutput::error(format!(
            "{path} exists and you have not read it. Read it first with read_file, then write it, or change a part with edit_file."
        ))),
        Freshness::Changed(diff) => Err(changed(scope, real, path, &diff, old.as_deref())),
    }
}

/// The error output for a file that changed since the model read it. If the whole difference is shown, the new content
/// counts as read.
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

/// The permission bits.
fn mode(metadata: &Metadata) -> u32 {
    metadata.permissions().mode() & 0o7777
}
