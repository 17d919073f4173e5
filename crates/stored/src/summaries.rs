//! The summaries of a session that the model sees.

use throughline_agent::StartError;
use throughline_continuity::{Part, read_all, resume};
use throughline_conversation::{EntryKind, Seq, Uncounted};
use throughline_groups::{SummaryRow, SummaryStatus, summaries};

use crate::error::{Attempt as _, Result};
use crate::handle::{SessionHandle, SessionWriter};

impl SessionHandle {
    /// The summaries that the model sees, oldest first. Of the log only the edits are read, and where no agent has the session open,
    /// what is behind the newest snapshot.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn summaries_in_view(&self, writer: &SessionWriter<'_>) -> Result<Vec<SummaryRow>> {
        let log = self.storage.log();
        let restored;
        let view = match writer {
            SessionWriter::Agent(agent, _) => agent.view(),
            SessionWriter::Handle => {
                let snapshots = self.storage.snapshots();
                let open = resume(log.as_ref(), snapshots.as_ref(), &self.session, &Uncounted).await;
                restored = open.map_err(StartError::from)?.view;
                &restored
            }
        };
        if view.native().iter().all(|entry| entry.kind != EntryKind::Summary) {
            return Ok(Vec::new());
        }
        let page = read_all(log.as_ref(), &self.session, Seq(0), Part::Edits).await;
        let page = page.attempt(|| self.storage.unread(&self.session))?;
        self.storage.note_lost(&page.unreadable);
        let mut rows = summaries(&page.records, view, self.counter.as_ref());
        rows.retain(|row| row.status == SummaryStatus::InForce);
        Ok(rows)
    }
}
