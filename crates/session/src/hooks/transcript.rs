//! The messages of a session as a file that hook scripts read: one line of JSON each, in the form of Claude Code.

use std::fs::OpenOptions;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;
use throughline_continuity::{LogPage, MessageLog, Part, read_all};
use throughline_conversation::{
    ContentBlock, GroupStatus, Groups, Mark, Message, Record, RecordBody, Role, Seq, SessionId,
};
use throughline_hooks::foreign_call;
use throughline_text::error_chain;
use tokio::sync::Mutex;

/// The transcript of a session. The file exists from the first hook on and is removed with the session's value.
#[derive(Debug)]
pub(super) struct Transcript {
    log: Arc<dyn MessageLog>,
    session: SessionId,
    workspace: PathBuf,
    file: Mutex<Written>,
}

#[derive(Debug, Default)]
struct Written {
    folder: Option<TempDir>,
    /// The length of the whole lines. A write that failed may have left a part of one behind them.
    bytes: u64,
    upto: Seq,
}

impl Transcript {
    pub(super) fn new(log: Arc<dyn MessageLog>, session: SessionId, workspace: PathBuf) -> Self {
        Self { log, session, workspace, file: Mutex::default() }
    }

    /// The path of the file, with every message that is stored and neither undone nor deleted. `None`: it cannot be written; the log says why.
    pub(super) async fn updated(&self) -> Option<PathBuf> {
        let mut written = self.file.lock().await;
        match self.update(&mut written).await {
            Ok(path) => Some(path),
            Err(why) => {
                tracing::warn!(session = %self.session, why, "the transcript for hooks could not be written");
                None
            }
        }
    }

    async fn update(&self, written: &mut Written) -> Result<PathBuf, String> {
        let mut page = self.page(written.upto).await?;
        if written.bytes > 0 && marks(&page).any(|mark| matches!(mark, Mark::Group { .. })) {
            // Lines that are in the file may be hidden now.
            (written.bytes, written.upto) = (0, Seq(0));
            page = self.page(Seq(0)).await?;
        }
        let folder = match &mut written.folder {
            Some(folder) => folder,
            empty => empty.insert(
                tempfile::Builder::new()
                    .prefix("throughline-hooks-")
                    .tempdir()
                    .map_err(|error| error.to_string())?,
            ),
        };
        let path = folder.path().join(format!("{}.jsonl", self.session));
        let groups = Groups::from_marks(marks(&page));
        let is_shown = |record: &&Record| {
            !matches!(groups.status(record.exchange), GroupStatus::Undone | GroupStatus::Removed)
        };
        let lines = page.records.iter().filter(is_shown).filter_map(|record| self.line(record));
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        let (file, after, added) = (path.clone(), written.bytes, text.len() as u64);
        let done = tokio::task::spawn_blocking(move || write_after(&file, after, &text)).await;
        done.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
        written.bytes += added;
        written.upto = written.upto.max(page.last());
        Ok(path)
    }

    async fn page(&self, after: Seq) -> Result<LogPage, String> {
        let page = read_all(self.log.as_ref(), &self.session, after, Part::View).await;
        page.map_err(|error| error_chain(&error))
    }

    /// The line of a record; `None`: it is no message.
    fn line(&self, record: &Record) -> Option<Value> {
        let RecordBody::Message(body) = &record.body else { return None };
        let message = &body.message;
        let role = match message.role {
            Role::Assistant => "assistant",
            _ => "user",
        };
        Some(json!({
            "type": role,
            "uuid": format!("{}-{}", self.session, record.seq),
            "sessionId": self.session,
            "cwd": self.workspace,
            "timestamp": record.at.rfc3339(),
            "message": { "role": role, "content": self.content(message) },
        }))
    }

    fn content(&self, message: &Message) -> Vec<Value> {
        message
            .content
            .iter()
            .map(|block| match block {
                ContentBlock::Text { text } => json!({ "type": "text", "text": text }),
                ContentBlock::Thinking(thinking) => json!({ "type": "thinking", "thinking": thinking.text }),
                ContentBlock::Image(image) => json!({ "type": "image", "media_type": image.media_type }),
                ContentBlock::ToolCall(call) => {
                    let (name, input) = foreign_call(call, &self.workspace);
                    json!({ "type": "tool_use", "id": call.id, "name": name, "input": input })
                }
                ContentBlock::ToolResult(result) => json!({
                    "type": "tool_result", "tool_use_id": result.call_id, "is_error": result.is_error,
                    "content": result.content,
                }),
            })
            .collect()
    }
}

fn marks(page: &LogPage) -> impl Iterator<Item = &Mark> {
    page.records.iter().filter_map(|record| match &record.body {
        RecordBody::Mark(mark) => Some(mark),
        _ => None,
    })
}

/// Replaces what a file has behind this many bytes.
fn write_after(path: &Path, bytes: u64, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    file.set_len(bytes)?;
    file.seek(SeekFrom::Start(bytes))?;
    file.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests;
