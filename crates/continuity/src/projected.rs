//! The view of a whole log, read page by page.

use throughline_conversation::{
    ProjectError, Projection, Record, Seq, SessionId, TokenCounter, Uncounted, View,
};

use crate::log::{LogError, LogPage, MessageLog, Part, Unreadable, merged};

/// A view, and what the log behind it has lost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProjectedLog {
    /// What the model sees.
    pub view: View,
    /// How many records were read.
    pub read: usize,
    /// Records that are lost, or do not fit without those that are.
    pub unreadable: Vec<Unreadable>,
}

/// Projects a log page by page, so that only the view and one page are in memory. `take` gets each record once, in order.
///
/// A log with marks is read twice. Tokens are counted at the end, because most messages of a long log have left the view.
///
/// # Errors
/// [`LogError`] if the log cannot be read. Records that are lost or do not fit are no error: they are listed.
pub async fn project_log(
    log: &dyn MessageLog,
    session: &SessionId,
    part: Part,
    counter: &dyn TokenCounter,
    take: &mut (dyn FnMut(&Record) + Send),
) -> Result<ProjectedLog, LogError> {
    let mut projected = ProjectedLog::default();
    let (mut projection, mut marked) = (Projection::default(), false);
    let mut scan = Projection::default();
    let mut pages = Pages::new(log, session, part);
    while let Some(page) = pages.next().await? {
        for record in &page.records {
            take(record);
            marked |= scan.scan(record);
            if !marked && let Err(error) = projection.apply(record, &Uncounted) {
                projected.unreadable.push(misfit(&error));
            }
        }
        projected.read += page.records.len();
        projected.unreadable.extend(page.unreadable);
    }
    if marked {
        projection = scan;
        projected.unreadable.clear();
        let mut pages = Pages::new(log, session, part);
        while let Some(page) = pages.next().await? {
            let misfits = page.records.iter().filter_map(|record| projection.apply(record, &Uncounted).err());
            projected.unreadable.extend(misfits.map(|error| misfit(&error)));
            projected.unreadable.extend(page.unreadable);
        }
    }
    projected.unreadable = merged(projected.unreadable);
    projected.view = projection.into_view().recounted(counter);
    Ok(projected)
}

/// The pages of a log, in order.
#[derive(Debug)]
pub struct Pages<'a> {
    log: &'a dyn MessageLog,
    session: &'a SessionId,
    part: Part,
    next: Option<Seq>,
}

impl<'a> Pages<'a> {
    /// All pages.
    #[must_use]
    pub fn new(log: &'a dyn MessageLog, session: &'a SessionId, part: Part) -> Self {
        Self { log, session, part, next: Some(Seq(0)) }
    }

    /// Only what is behind a record.
    #[must_use]
    pub fn behind(self, record: Seq) -> Self {
        Self { next: Some(record), ..self }
    }

    /// The next page; `None` after the last one.
    ///
    /// # Errors
    /// [`LogError`] if the log cannot be read.
    pub async fn next(&mut self) -> Result<Option<LogPage>, LogError> {
        let Some(after) = self.next else { return Ok(None) };
        let page = self.log.read_page(self.session, after, self.part).await?;
        self.next = page.next.filter(|next| *next > after);
        Ok(Some(page))
    }
}

fn misfit(error: &ProjectError) -> Unreadable {
    Unreadable::one(error.seq, error.source.to_string())
}

#[cfg(test)]
mod tests;
