//! The sums of a session's log. Each record is read for them once.

use serde::{Deserialize, Serialize};
use throughline_continuity::{Pages, Part, merged};
use throughline_conversation::{Millis, Seq, SessionId};
use throughline_providers::models::ModelTable;

use crate::derived_file;
use crate::error::{Attempt as _, Result};
use crate::side_file::SideFile;
use crate::storage::Storage;
use crate::totals::{SessionTotals, TotalsSum};

/// The sums of a session up to a record of its log. They follow from the log: without the file they are computed again.
#[derive(Debug, Default, Serialize, Deserialize)]
struct StoredTotals {
    /// [`ModelTable::fingerprint`] of the prices.
    prices: u64,
    /// When the session was created: another one may have its id.
    created: Millis,
    upto: Seq,
    sum: TotalsSum,
}

impl Storage {
    /// What a session has used and cost so far. The sums of the call before are stored in the data folder, and only what the log has
    /// in addition is read.
    ///
    /// # Errors
    /// The log or the list of sessions cannot be read.
    pub(crate) async fn session_totals(
        &self,
        session: &SessionId,
        table: &ModelTable,
    ) -> Result<SessionTotals> {
        let created = self.session_info(session).await?.map_or(Millis(0), |info| info.created);
        let log = self.log();
        let end = log.last(session).await?;
        let file = SideFile::Totals.of(self.folder.root(), session);
        let prices = table.fingerprint();
        let is_of = |known: &StoredTotals| {
            known.prices == prices && known.created == created && known.upto > Seq(0) && known.upto <= end
        };
        let mut totals: StoredTotals = derived_file::read(&file);
        if !is_of(&totals) {
            let sum = TotalsSum::behind(self.inherited(session).await?);
            totals = StoredTotals { prices, created, upto: Seq(0), sum };
        }
        let mut pages = Pages::new(log.as_ref(), session, Part::Accounts).behind(totals.upto);
        let (known, mut lost) = (totals.upto, Vec::new());
        while let Some(page) = pages.next().await.attempt(|| self.unread(session))? {
            page.records.iter().for_each(|record| totals.sum.add(record, table));
            // The session may be running: its log may be longer by now.
            let last = page.records.last().map(|record| record.seq);
            totals.upto = last.into_iter().fold(totals.upto.max(end), Seq::max);
            lost.extend(page.unreadable);
        }
        let sum = totals.sum.clone();
        // What is lost is said each time, so it is read each time.
        if lost.is_empty() && totals.upto > known {
            derived_file::change(&file, |stored| *stored = totals);
        }
        self.note_lost(&merged(lost));
        Ok(sum.totals())
    }
}

#[cfg(test)]
mod tests;
