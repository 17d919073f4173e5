//! The text of a file as its user sees it: that of an editor's buffer, else that of the disk.

use std::fs::Metadata;
use std::io::{Error, ErrorKind};
use std::time::SystemTime;

use super::allowed_roots::{self, FilePlace};
use super::line_endings::{dos, is_dos};
use super::regular::{self, WHOLE};
use crate::output::ToolOutput;
use crate::tool::ToolContext;

/// The content of a file.
#[derive(Debug)]
pub(super) struct Current {
    pub(super) bytes: Vec<u8>,
    /// Who has it.
    pub(super) keeper: Keeper,
}

/// Who has the current content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keeper {
    /// The disk alone.
    Disk,
    /// An editor, and the disk has the same.
    Editor,
    /// An editor, with changes that are not on the disk.
    Unsaved,
}

impl Current {
    /// When the content was modified, if that is known.
    pub(super) fn modified(&self, metadata: &Metadata) -> Option<SystemTime> {
        metadata.modified().ok().filter(|_| self.keeper != Keeper::Unsaved)
    }
}

/// The content of a regular file whose bytes on the disk are these. Only the disk has content that is no text.
///
/// # Errors
/// An error output for the model.
pub(super) fn current(
    context: &ToolContext,
    place: &FilePlace,
    bytes: Vec<u8>,
    path: &str,
) -> Result<Current, ToolOutput> {
    let on_disk = |bytes| Ok(Current { bytes, keeper: Keeper::Disk });
    let (Some(texts), Ok(disk)) = (&context.texts, std::str::from_utf8(&bytes)) else {
        return on_disk(bytes);
    };
    let read = texts.read(&place.real, &context.cancel);
    let read = read.map_err(|why| ToolOutput::error(format!("Cannot read {path} in the editor: {why}.")))?;
    let Some(text) = read else { return on_disk(bytes) };
    if text.len() as u64 > WHOLE {
        let most = WHOLE / (1024 * 1024);
        let why =
            format!("{path} has more than {most} MiB in the editor, too many for file tools. Save it first.");
        return Err(ToolOutput::error(why));
    }
    if is_same(disk, &text) {
        return Ok(Current { bytes, keeper: Keeper::Editor });
    }
    // Editors keep the line endings of the file to themselves.
    let text = if is_dos(disk) && !text.contains('\r') { dos(&text) } else { text };
    Ok(Current { bytes: text.into_bytes(), keeper: Keeper::Unsaved })
}

/// Writes a file through its keeper, or to the disk. Returns the bytes on the disk if an editor has saved the text with other
/// line endings.
///
/// # Errors
/// An error output for the model; nothing was written then.
pub(super) fn write(
    context: &ToolContext,
    place: &FilePlace,
    keeper: Option<Keeper>,
    text: &[u8],
    path: &str,
) -> Result<Option<Vec<u8>>, ToolOutput> {
    let failed = |error: Error| allowed_roots::failed("write", path, &error);
    if let (Some(texts), Ok(new), true) = (&context.texts, std::str::from_utf8(text), asks(place, keeper)) {
        // What stood beneath the folder when the path was checked still does: an editor follows links.
        match place.metadata() {
            Ok(metadata) if metadata.permissions().readonly() => {
                return Err(failed(ErrorKind::PermissionDenied.into()));
            }
            Err(error) if keeper.is_some() => return Err(failed(error)),
            _ => {}
        }
        let written = texts.write(&place.real, new, &context.cancel);
        let refused =
            |why| ToolOutput::error(format!("{path} was not changed: the editor did not write it: {why}."));
        if written.map_err(refused)? {
            return Ok(on_disk(place, path, new));
        }
    }
    place.replace(text).map_err(failed)?;
    Ok(None)
}

/// Returns true if an editor is asked to write the file: it has its text, or the file is new in a folder that is there.
fn asks(place: &FilePlace, keeper: Option<Keeper>) -> bool {
    match keeper {
        Some(keeper) => keeper != Keeper::Disk,
        None => place.has_folder(),
    }
}

/// What the editor has made of the text on the disk, if nothing but the line endings differs.
fn on_disk(place: &FilePlace, path: &str, text: &str) -> Option<Vec<u8>> {
    let (mut file, metadata) = place.open().ok()?;
    let bytes = regular::whole(&mut file, &metadata, path).ok()??;
    let differs = bytes != text.as_bytes();
    let same = std::str::from_utf8(&bytes).is_ok_and(|disk| is_same(disk, text));
    (differs && same).then_some(bytes)
}

/// Returns true if two texts have the same lines. A mark of the byte order is not a part of them.
fn is_same(one: &str, other: &str) -> bool {
    let lines = |text: &str| text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    one == other || lines(one) == lines(other)
}
