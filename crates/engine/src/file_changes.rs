//! Records the files that calls changed, with what they were before.

use throughline_conversation::{FileChange, FileVersion, FilesRecord, RecordBody, ResultRef};
use throughline_resultstore::{ResultStore, StoreError};
use throughline_tools::{ChangedFiles, FileContent};

use crate::state::EngineState;
use crate::step_context::StepContext;

/// The tool that stored contents of files are filed under.
pub const FILE_HISTORY: &str = "file_history";

impl StepContext<'_> {
    /// Stores the earlier contents of changed files and appends the record that names them. A content that cannot be stored is
    /// a degradation: the change stays recorded, and cannot be undone.
    pub(crate) async fn record_changes(&mut self, changed: ChangedFiles) {
        if changed.is_empty() {
            return;
        }
        let StepContext { state: EngineState { session, tools, .. }, turn } = self;
        let (at, id, exchange) = (session.now(), session.id().clone(), session.exchange());
        let mut record = FilesRecord::default();
        for file in changed.files {
            let path = file.path.display().to_string();
            if file.path.to_str().is_none() {
                record.unrecorded.push(format!("{path}: its name is not UTF-8"));
                continue;
            }
            let mut before = version(&file.before, |bytes| ResultRef::of(&id, bytes));
            let after = version(&file.after, |bytes| ResultRef::of(&id, bytes));
            if before == after {
                continue;
            }
            if let Err(error) = store(tools.results(), &file.before, at).await {
                session.degrade(turn, "file history", "the change cannot be undone", &error);
                before = FileVersion::Unstored { why: "the store failed".to_owned() };
            }
            record.changes.push(FileChange { path, before, after });
        }
        // Nothing is waited for behind this: a reason that is noted is recorded.
        let new = changed.unreported.into_iter().filter(|why| tools.note_unrecorded(exchange, why));
        record.unrecorded.splice(0..0, new);
        if !record.changes.is_empty() || !record.unrecorded.is_empty() {
            session.record(RecordBody::Files(record));
        }
    }
}

async fn store(
    results: &ResultStore,
    content: &FileContent,
    at: throughline_conversation::Millis,
) -> Result<(), StoreError> {
    if let FileContent::Read { bytes, .. } = content {
        results.keep(FILE_HISTORY, bytes, at).await?;
    }
    Ok(())
}

fn version(content: &FileContent, name: impl Fn(&[u8]) -> ResultRef) -> FileVersion {
    match content {
        FileContent::Missing => FileVersion::Missing,
        FileContent::Read { bytes, mode } => FileVersion::Content {
            stored: name(bytes),
            hash: FileVersion::hash(bytes),
            bytes: bytes.len() as u64,
            mode: *mode,
        },
        FileContent::Unread(why) => FileVersion::Unstored { why: why.clone() },
    }
}
