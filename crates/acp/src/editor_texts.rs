//! The texts of files as the client has them: buffers that are not saved.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agent_client_protocol::v1::schema::{ReadTextFileRequest, WriteTextFileRequest};
use agent_client_protocol::{Error, ErrorCode};
use throughline_tools::CancelFlag;
use throughline_tools::FileTexts;
use tokio::runtime::Handle;

use crate::link::Link;

/// How long a client may take for a file.
const PATIENCE: Duration = Duration::from_secs(30);

/// Reads and writes through the client.
#[derive(Debug)]
pub(crate) struct EditorTexts {
    link: Arc<Link>,
    runtime: Handle,
    /// The client has said that it has such requests, and has refused them.
    refused: AtomicBool,
}

impl EditorTexts {
    /// The texts of a client that offers them; `None`: the disk has all of them. It is called within the runtime.
    pub(crate) fn of(link: &Arc<Link>) -> Option<Self> {
        let refused = AtomicBool::new(false);
        let offers = link.editor.reads_files();
        offers.then(|| Self { link: Arc::clone(link), runtime: Handle::current(), refused })
    }

    /// Waits for an answer of the client. `None`: it leaves the file to the disk.
    fn answer<T>(
        &self,
        cancel: &CancelFlag,
        answer: impl Future<Output = Result<T, Error>>,
    ) -> Result<Option<T>, String> {
        let answered = self.runtime.block_on(async {
            tokio::select! {
                biased;
                () = cancel.cancelled() => Err("the turn was stopped".to_owned()),
                answered = tokio::time::timeout(PATIENCE, answer) => {
                    answered.map_err(|_| format!("no answer within {} s", PATIENCE.as_secs()))
                }
            }
        })?;
        match answered {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.code == ErrorCode::METHOD_NOT_FOUND => {
                self.refused.store(true, Ordering::Relaxed);
                Ok(None)
            }
            // A file that is in no project of the client.
            Err(error) if error.code == ErrorCode::RESOURCE_NOT_FOUND => Ok(None),
            Err(error) => Err(error.message),
        }
    }
}

impl FileTexts for EditorTexts {
    fn read(&self, file: &Path, cancel: &CancelFlag) -> Result<Option<String>, String> {
        if self.refused.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let asked = self.link.editor.connection.send_request(ReadTextFileRequest::new(self.link.id(), file));
        let answered = self.answer(cancel, asked.block_task())?;
        Ok(answered.map(|answer| answer.content))
    }

    fn write(&self, file: &Path, text: &str, cancel: &CancelFlag) -> Result<bool, String> {
        if self.refused.load(Ordering::Relaxed) || !self.link.editor.writes_files() {
            return Ok(false);
        }
        let asked = WriteTextFileRequest::new(self.link.id(), file, text);
        let asked = self.link.editor.connection.send_request(asked);
        Ok(self.answer(cancel, asked.block_task())?.is_some())
    }
}
