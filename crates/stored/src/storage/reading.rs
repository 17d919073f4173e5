//! Reading the records of a session around those that are damaged.

use std::sync::{MutexGuard, PoisonError};

use throughline_continuity::{
    LogError, LogPage, Pages, Part, ProjectedLog, Unreadable, merged, project_log, read_all,
};
use throughline_conversation::{Millis, Record, Seq, SessionId, TokenCounter, View};

use super::Storage;
use crate::error::{Attempt as _, Result};

/// What reads have found lost.
#[derive(Debug, Default)]
pub(super) struct Lost {
    records: Vec<Unreadable>,
    contexts: Vec<String>,
}

impl Storage {
    /// All records of a session, and the places of those that are lost.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn read(&self, session: &SessionId) -> Result<LogPage> {
        let read = read_all(self.log().as_ref(), session, Seq(0), Part::All).await;
        let page = read.attempt(|| self.unread(session))?;
        self.note_lost(&page.unreadable);
        Ok(page)
    }

    /// Reads a session's records one by one, oldest first. Only a page of them is in memory. Lost records are left out, see
    /// [`lost_records`](Self::lost_records).
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn each_record(&self, session: &SessionId, mut take: impl FnMut(&Record)) -> Result<()> {
        let log = self.log();
        let mut pages = Pages::new(log.as_ref(), session, Part::All);
        let mut lost = Vec::new();
        while let Some(page) = pages.next().await.attempt(|| self.unread(session))? {
            page.records.iter().for_each(&mut take);
            lost.extend(page.unreadable);
        }
        self.note_lost(&merged(lost));
        Ok(())
    }

    /// The view of a session. `take` gets each of its records once, oldest first. Only the view and a page of records are
    /// in memory. Lost records are left out, see [`lost_records`](Self::lost_records).
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn view(
        &self,
        session: &SessionId,
        counter: &dyn TokenCounter,
        mut take: impl FnMut(&Record) + Send,
    ) -> Result<View> {
        let projected = project_log(self.log().as_ref(), session, Part::All, counter, &mut take).await;
        let ProjectedLog { view, unreadable, .. } = projected.attempt(|| self.unread(session))?;
        self.note_lost(&unreadable);
        Ok(view)
    }

    /// The receipts and side requests of a session behind a record, with the records that name their models, in order: what its
    /// cost follows from. Damaged records are left out.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn usage_records(&self, session: &SessionId, behind: Seq) -> Result<Vec<Record>> {
        let Some(ports) = &self.ports else {
            return Ok(self.store.usage_records(Some(session), behind, Millis(0)).await?.concat());
        };
        let mut pages = Pages::new(ports.log.as_ref(), session, Part::All).behind(behind);
        let mut records = Vec::new();
        let tells = |record: &Record| matches!(record.body.kind(), "model" | "receipt" | "spent");
        while let Some(page) = pages.next().await? {
            records.extend(page.records.into_iter().filter(tells));
        }
        Ok(records)
    }

    /// The last record that a session has of the one that it is a copy of; 0: it is no copy. Requests up to there were paid by that one.
    ///
    /// # Errors
    /// The log or the list of sessions cannot be read.
    pub async fn inherited(&self, session: &SessionId) -> Result<Seq> {
        let Some(ports) = &self.ports else { return Ok(self.store.inherited(session).await?) };
        let created = self.session_info(session).await?.map_or(Millis(0), |info| info.created);
        let (mut last, mut pages) = (Seq(0), Pages::new(ports.log.as_ref(), session, Part::All));
        while let Some(page) = pages.next().await? {
            for record in &page.records {
                if record.at >= created {
                    return Ok(last);
                }
                last = record.seq;
            }
        }
        Ok(last)
    }

    pub(crate) fn unread(&self, session: &SessionId) -> String {
        format!("could not read session {session} from {}", self.store.path().display())
    }

    /// Notes records that are lost, for [`lost_records`](Self::lost_records).
    pub fn note_lost(&self, unreadable: &[Unreadable]) {
        let lost = &mut self.lost().records;
        let new: Vec<Unreadable> = unreadable.iter().filter(|one| !lost.contains(one)).cloned().collect();
        lost.extend(new);
    }

    /// The records that [`read`](Self::read) and [`records`](Self::records) have found lost so far.
    #[must_use]
    pub fn lost_records(&self) -> Vec<Unreadable> {
        self.lost().records.clone()
    }

    /// Notes that stored contexts are lost, in words, for [`lost_contexts`](Self::lost_contexts).
    pub fn note_lost_contexts(&self, what: String) {
        let lost = &mut self.lost().contexts;
        if !lost.contains(&what) {
            lost.push(what);
        }
    }

    /// The contexts that exports have found lost so far, in words.
    #[must_use]
    pub fn lost_contexts(&self) -> Vec<String> {
        self.lost().contexts.clone()
    }

    fn lost(&self) -> MutexGuard<'_, Lost> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The newest record of a kind; if that one is damaged, the newest one that is not.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn newest_record(&self, session: &SessionId, kind: &str) -> Result<Option<Record>> {
        match self.log().newest(session, kind).await {
            Err(LogError::Damaged { .. }) => {
                let records = self.records(session).await?;
                Ok(records.into_iter().rfind(|record| record.body.kind() == kind))
            }
            newest => Ok(newest?),
        }
    }

    /// All records of a session that can be read.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn records(&self, session: &SessionId) -> Result<Vec<Record>> {
        Ok(self.read(session).await?.records)
    }
}
