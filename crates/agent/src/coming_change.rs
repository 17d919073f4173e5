//! Records the changes of files before file tools make them.

use throughline_engine::Operation;
use throughline_tools::{ChangedFile, ChangedFiles, FileHistory, TurnEnded};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

/// Where the calls of a turn announce changes. Each waits until its change is recorded.
#[derive(Debug)]
pub(crate) struct ChangeQueue {
    sender: UnboundedSender<ComingChange>,
}

/// A change that a tool makes once it is recorded.
#[derive(Debug)]
pub(crate) struct ComingChange {
    file: ChangedFile,
    recorded: oneshot::Sender<()>,
}

impl ChangeQueue {
    /// A queue and its end.
    pub(crate) fn new() -> (Self, UnboundedReceiver<ComingChange>) {
        let (sender, receiver) = unbounded_channel();
        (Self { sender }, receiver)
    }
}

impl FileHistory for ChangeQueue {
    fn before_change(&self, change: &ChangedFile) -> Result<(), TurnEnded> {
        let (recorded, done) = oneshot::channel();
        let coming = ComingChange { file: change.clone(), recorded };
        self.sender.send(coming).map_err(|_| TurnEnded)?;
        done.blocking_recv().map_err(|_| TurnEnded)
    }
}

impl ComingChange {
    /// Stores what the file is now, writes the record to the log, and lets the tool continue.
    pub(crate) async fn record(self, operation: &mut Operation<'_>) {
        let files = vec![self.file];
        operation.record_changes(ChangedFiles { files, unreported: Vec::new() }).await;
        operation.flush().await;
        // A call that was cancelled does not wait for it.
        let _ = self.recorded.send(());
    }
}
