//! The recordings in a folder that a user names, of whatever agent.

use std::fs;
use std::path::Path;

use throughline_replay::unpacked_name;

use crate::error::TranscriptError;
use crate::transcripts::Transcript;

/// Folders below the one that is named in which files are looked for.
const DEPTH: usize = 5;

/// Endings of the names of recordings, which may be packed.
const ENDINGS: [&str; 3] = [".jsonl", ".json", ".traj"];

/// The file in which some agents store a session; the folder has the name of the session.
const EVENTS: &str = "events";

/// The files of a folder that may be recordings by their names, the one that was written last first; or one file. Links are not
/// followed.
///
/// # Errors
/// [`TranscriptError::Unreadable`]: the folder cannot be read. One below it that cannot is left out.
pub fn recordings_in(place: &Path) -> Result<Vec<Transcript>, TranscriptError> {
    let unreadable = |source| TranscriptError::Unreadable { path: place.to_owned(), source };
    let mut found = Vec::new();
    if place.metadata().map_err(unreadable)?.is_file() {
        found.extend(recording(place));
    } else {
        collect(fs::read_dir(place).map_err(unreadable)?, 0, &mut found);
    }
    found.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.path.cmp(&b.path)));
    Ok(found)
}

fn collect(entries: fs::ReadDir, depth: usize, found: &mut Vec<Transcript>) {
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && depth < DEPTH {
            if let Ok(below) = fs::read_dir(entry.path()) {
                collect(below, depth + 1, found);
            }
        } else if kind.is_file() && is_named_as_recording(&entry.path()) {
            found.extend(recording(&entry.path()));
        }
    }
}

fn is_named_as_recording(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let name = unpacked_name(name);
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// A file, named by its own name up to the first dot.
fn recording(path: &Path) -> Option<Transcript> {
    let stem = |path: &Path| Some(path.file_name()?.to_str()?.split('.').next()?.to_owned());
    let id = match stem(path)? {
        events if events == EVENTS => path.parent().and_then(stem).unwrap_or(events),
        other => other,
    };
    let modified = path.metadata().ok()?.modified().ok()?;
    Some(Transcript { id, path: path.to_owned(), modified })
}

#[cfg(test)]
mod tests;
