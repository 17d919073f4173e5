//! The notice about files that still have the changes of undone turns.

use std::path::Path;

use throughline_agent::Agent;
use throughline_conversation::{ExchangeId, GroupStatus, Groups, Record, RecordBody};
use throughline_tools::ExactFile;

use crate::error::Result;
use crate::file_changes::{TurnFiles, is, path_in};
use crate::handle::SessionHandle;

/// The notice; `{files}` stands where the names belong.
const NOTICE: &str = include_str!("kept_files.md");

/// Maximum number of names in the notice.
const NAMES: usize = 20;

impl SessionHandle {
    /// A notice for the next message, if the turns right before it are undone and files still have their changes: the model
    /// would take the files for unchanged.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn kept_files_notice(&self, agent: &Agent, workspace: &Path) -> Result<Option<String>> {
        let groups = agent.view().groups();
        // Records behind an undone turn belong to the next one.
        let newest = [agent.exchange(), agent.exchange().saturating_sub(1)].map(ExchangeId);
        if !newest.into_iter().any(|turn| groups.status(turn) == GroupStatus::Undone) {
            return Ok(None);
        }
        let records = self.storage.records(&self.session).await?;
        let mut kept: Vec<String> = Vec::new();
        for file in self.undone_last(&records, groups).await?.files {
            // A file that cannot be read is not what the conversation says either.
            let current = ExactFile::at(&file.path).and_then(|place| place.read());
            if !current.is_ok_and(|current| is(&current, &file.before)) {
                kept.push(path_in(&file.path, Some(workspace)));
            }
        }
        let more = kept.len().saturating_sub(NAMES);
        kept.truncate(NAMES);
        let mut files = kept.join(", ");
        if more > 0 {
            files.push_str(&format!(" and {more} more"));
        }
        Ok((!files.is_empty()).then(|| NOTICE.trim_end().replace("{files}", &files)))
    }

    /// The files of the undone turns behind which there is no live one.
    async fn undone_last(&self, records: &[Record], groups: &Groups) -> Result<TurnFiles> {
        let messages = records.iter().filter(|record| matches!(record.body, RecordBody::Message(_)));
        let live = |record: &&Record| groups.status(record.exchange) != GroupStatus::Undone;
        let last_live = messages.filter(live).map(|record| record.exchange).max().unwrap_or_default();
        let is_undone = |turn| turn > last_live && groups.status(turn) == GroupStatus::Undone;
        self.files_of_turns(records, is_undone).await
    }
}
