//! The summaries of a session that the model sees.

use throughline_continuity::{Part, read_all};
use throughline_conversation::{EntryKind, Seq, View};
use throughline_groups::{SummaryRow, SummaryStatus, summaries};

use crate::error::{Attempt as _, Result};
use crate::handle::SessionHandle;

impl SessionHandle {
    /// The summaries of the view that the model sees, oldest first. Of the log only the edits are read.
    ///
    /// # Errors
    /// The log cannot be read.
    pub(crate) async fn summaries_in_view(&self, view: &View) -> Result<Vec<SummaryRow>> {
        if view.native().iter().all(|entry| entry.kind != EntryKind::Summary) {
            return Ok(Vec::new());
        }
        let log = self.storage.log();
        let page = read_all(log.as_ref(), &self.session, Seq(0), Part::Edits).await;
        let page = page.attempt(|| self.storage.unread(&self.session))?;
        self.storage.note_lost(&page.unreadable);
        let mut rows = summaries(&page.records, view, self.counter.as_ref());
        rows.retain(|row| row.status == SummaryStatus::InForce);
        Ok(rows)
    }
}
