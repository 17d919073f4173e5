//! The files of several turns that are undone together.

use super::turn_files::{TurnFile, TurnFiles};

impl TurnFiles {
    /// The files of turns that are undone one after the other, as if they were one turn. `turns`: the newest first. What a file was
    /// before is what the oldest undo that applies to it restores.
    #[must_use]
    pub fn together(turns: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::default();
        for turn in turns {
            all.since = [all.since, turn.since].into_iter().flatten().min();
            all.unrecorded.extend(turn.unrecorded);
            all.agents.extend(turn.agents);
            for file in turn.files {
                match all.files.iter_mut().find(|later| later.path == file.path) {
                    Some(later) => later.undo_before(file),
                    None => all.files.push(file),
                }
            }
        }
        all
    }
}

impl TurnFile {
    /// Adds the undo of an earlier turn. It applies to a content that this turn had.
    fn undo_before(&mut self, earlier: Self) {
        if earlier.versions.iter().any(|version| version.is_same_file(&self.before)) {
            self.before = earlier.before;
            self.versions.extend(earlier.versions);
        }
    }
}

#[cfg(test)]
mod tests;
