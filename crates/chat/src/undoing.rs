//! `/undo` and `/redo` of a turn that changed files: shows the diff, then asks what to restore.

use throughline_commands::{FileChoice, FileQuestion, SessionCommand, file_question, undo_deletes};
use throughline_tui::{Picker, PickerRow, Show};

use super::driver::Driver;

/// The ids of the pickers.
pub(super) const UNDO: &str = "undo";
pub(super) const REDO: &str = "redo";

/// The ids of the rows, each before the number of the turn.
const FILES: &str = "files:";
const CONVERSATION: &str = "conversation:";

impl Driver {
    /// Shows what a restore of the turn's files would change, and the picker. Returns false if there is nothing to ask.
    pub(super) async fn ask_about_files(&mut self, undo: bool) -> bool {
        if undo {
            self.stop_agents_since(None).await;
        }
        let Some(question) = self.file_question(undo).await else { return false };
        let screen = &self.setup.screen;
        screen.page("", question.diff.trim_end());
        screen.show(Show::Picker(picker(&question, undo)));
        true
    }

    /// Undoes or redoes the turn that the picker was about.
    pub(super) async fn undo_picked(&mut self, picker: &str, row: &str) -> anyhow::Result<()> {
        let undo = picker == UNDO;
        let (files, turn) = match (row.strip_prefix(FILES), row.strip_prefix(CONVERSATION)) {
            (Some(turn), _) => (FileChoice::Restore, turn),
            (None, turn) => (FileChoice::Keep, turn.unwrap_or_default()),
        };
        // Queued input may have begun another turn since the picker appeared.
        let same = self.file_question(undo).await.is_some_and(|now| now.turn.to_string() == turn);
        anyhow::ensure!(
            same,
            "nothing changed: the session or the files changed meanwhile; repeat /{picker}"
        );
        self.on_session(SessionCommand::Turn { undo, files }).await
    }

    /// What there is to ask. A change that is impossible asks nothing: the command reports why.
    async fn file_question(&self, undo: bool) -> Option<FileQuestion> {
        let target = self.live.as_ref()?.target(&self.setup.data);
        if undo && undo_deletes(&target).await.unwrap_or_default() {
            return None;
        }
        file_question(&target, undo).await.ok().flatten()
    }
}

fn picker(question: &FileQuestion, undo: bool) -> Picker {
    let row = |id: &str, text: &str| PickerRow {
        id: format!("{id}{}", question.turn),
        cells: vec![text.to_owned()],
        ..PickerRow::default()
    };
    let (id, verb) = if undo { (UNDO, "Undo") } else { (REDO, "Redo") };
    Picker {
        id: id.to_owned(),
        title: format!("{verb} turn {}, which changed {}", question.turn, question.files),
        rows: vec![row(FILES, "conversation and files"), row(CONVERSATION, "conversation only")],
        ..Picker::default()
    }
}
