//! Forks of Claude Code whose file begins with a compaction: what came before it is in the file of the session that they were forked
//! from.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::super::content::{get, text_of};
use super::super::draft::RecordingDraft;
use super::super::lines::JsonLines;
use super::super::source;
use super::branches::is_boundary;
use super::says;
use super::session_name::named_session;

/// Maximum number of forks of forks that are followed.
const DEPTH: usize = 16;

/// The lines before the first compaction of a fork that are in the files of others, oldest first.
#[derive(Debug, Default)]
pub(in super::super) struct InheritedLines {
    pub(super) values: Vec<(usize, Value)>,
    /// The fork, and the session that it was forked from.
    names: Option<(String, String)>,
    missing: Option<String>,
}

impl InheritedLines {
    /// Finds them next to the file, or in another project.
    pub(in super::super) fn of(path: &Path, lines: &JsonLines) -> Self {
        Self::within(path, lines, DEPTH)
    }

    fn within(path: &Path, lines: &JsonLines, depth: usize) -> Self {
        let Some(fork) = ForkPoint::of(path, lines) else { return Self::default() };
        let names = Some((fork.own.to_owned(), fork.parent.to_owned()));
        let Some((file, parent, end)) = depth.checked_sub(1).and_then(|_| fork.parent_file(path)) else {
            let missing = format!(
                "{}: it was forked from the session {}, whose file was not found; the messages before the compaction are missing",
                path.display(),
                fork.parent
            );
            return Self { values: Vec::new(), names, missing: Some(missing) };
        };
        let mut inherited = Self::within(&file, &parent, depth - 1);
        inherited.values.extend(parent.values.into_iter().take(end));
        Self { names, ..inherited }
    }

    /// Gives the draft of the fork its name and that of the session that it was forked from.
    pub(super) fn name(&self, draft: &mut RecordingDraft) {
        if let Some((own, parent)) = self.names.clone() {
            (draft.id, draft.parent) = (Some(own), Some(parent));
        }
        draft.warnings.extend(self.missing.clone());
    }
}

/// Where a session was forked from another.
struct ForkPoint<'v> {
    own: &'v str,
    parent: &'v str,
    /// The compaction with which the file begins.
    boundary: &'v str,
}

impl<'v> ForkPoint<'v> {
    /// `None`: it is no fork, or has a copy of all lines.
    fn of(path: &'v Path, lines: &'v JsonLines) -> Option<Self> {
        let mut values = lines.values.iter().map(|(_, value)| value);
        let first =
            values.find(|value| is_boundary(value) || says(value)).filter(|first| is_boundary(first))?;
        let of_line = text_of(first, "sessionId")?;
        let own = named_session(path).unwrap_or(of_line);
        let named = |value: &'v Value| {
            let of_request = text_of(value, "requestSessionId");
            of_request.or_else(|| get(value, &["forkedFrom", "sessionId"])?.as_str()).filter(|id| *id != own)
        };
        let named = || std::iter::once(first).chain(values).find_map(named);
        let parent = Some(of_line).filter(|id| *id != own).or_else(named)?;
        Some(Self { own, parent, boundary: text_of(first, "uuid")? })
    }

    /// The file of the session that it was forked from, and how many of its lines are before the compaction. `None`: it is missing,
    /// or does not have it.
    fn parent_file(&self, path: &Path) -> Option<(PathBuf, JsonLines, usize)> {
        // The name comes from a file, so it must not lead elsewhere.
        let name = Path::new(self.parent).file_name().filter(|name| *name == self.parent)?;
        let next_to = path.with_file_name(name).with_extension("jsonl");
        let mut files = std::iter::once(next_to.clone()).chain(in_other_projects(&next_to));
        files.find_map(|file| self.read_parent(file))
    }

    fn read_parent(&self, file: PathBuf) -> Option<(PathBuf, JsonLines, usize)> {
        let lines = JsonLines::of(&source::load(&file).ok()?);
        let is_end = |(_, value): &(usize, Value)| text_of(value, "uuid") == Some(self.boundary);
        let end = lines.values.iter().position(is_end)?;
        Some((file, lines, end))
    }
}

/// The files of the same name in the folders next to that of a file: a session may be continued in another project.
fn in_other_projects(file: &Path) -> impl Iterator<Item = PathBuf> {
    let projects = file.parent().and_then(Path::parent).and_then(|all| fs::read_dir(all).ok());
    let (own, name) = (file.parent().map(Path::to_owned), file.file_name().map(ToOwned::to_owned));
    let folders = projects.into_iter().flatten().flatten().map(|entry| entry.path());
    let others = folders.filter(move |folder| own.as_ref() != Some(folder));
    others.filter_map(move |folder| Some(folder.join(name.as_ref()?))).filter(|file| file.is_file())
}
