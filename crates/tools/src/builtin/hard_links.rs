//! The other names of a file that has several (hard links).

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;

use super::allowed_roots::FilePlace;
use crate::file_scope::FileScope;

/// Maximum entries of folders that a search for names looks at.
const ENTRIES: usize = 50_000;
/// Maximum names of a file that are searched for.
const NAMES: u64 = 64;

/// All other names of a file. `None`: some are outside of its root or in a hidden folder, file tools may not write there, or they
/// are not found.
pub(super) fn other_names(
    place: &FilePlace,
    metadata: &Metadata,
    scope: &FileScope,
) -> Option<Vec<FilePlace>> {
    let wanted = usize::try_from(metadata.nlink().checked_sub(1)?).ok()?;
    if metadata.nlink() > NAMES {
        return None;
    }
    let (mut found, mut left) = (Vec::new(), ENTRIES);
    let mut folders = vec![place.root_path().to_owned()];
    while found.len() < wanted {
        let folder = folders.pop()?;
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            left = left.checked_sub(1)?;
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                // What is in `.git`, `.vscode` and the like may start programs, and needs a question of its own.
                if !entry.file_name().as_encoded_bytes().starts_with(b".") {
                    folders.push(entry.path());
                }
                continue;
            }
            let is_same = |other: &Metadata| (other.dev(), other.ino()) == (metadata.dev(), metadata.ino());
            let path = entry.path();
            let other =
                kind.is_file() && path != place.real && entry.metadata().is_ok_and(|one| is_same(&one));
            if other && !scope.is_read_only(&path) && !entry.file_name().as_encoded_bytes().starts_with(b".")
            {
                found.push(place.at(&path));
            }
        }
    }
    (found.len() == wanted).then_some(found)
}
