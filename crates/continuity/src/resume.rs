//! Opening a session again: the snapshot and the records after it, or else the whole log.

use std::error::Error;

use throughline_conversation::{
    CheckpointRecord, ExchangeId, Millis, ModelRecord, PolicyRecord, PromptRecord, Receipt, Record,
    RecordBody, Seq, SessionId, TokenCounter, ToolsRecord, View,
};

use crate::checkpoint::live_checkpoint;
use crate::log::{LogError, LogPage, MessageLog, Part, Unreadable, merged, read_all};
use crate::projected::{ProjectedLog, project_log};
use crate::snapshot::Snapshot;
use crate::snapshots::SnapshotStore;

/// A session at the end of its log.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Resumed {
    /// What the model sees. It stands at the log's newest record.
    pub view: View,
    /// Place of the newest record of any kind; 0 when the log is empty.
    pub last: Seq,
    /// Number of the newest exchange; 0 before the first one.
    pub exchange: ExchangeId,
    /// The model in use, when one was recorded.
    pub model: Option<ModelRecord>,
    /// The policy in use, when one was recorded.
    pub policy: Option<PolicyRecord>,
    /// The system prompt in use, when one was recorded.
    pub prompt: Option<PromptRecord>,
    /// The tools in use, when they were recorded.
    pub tools: Option<ToolsRecord>,
    /// The receipt of the newest request, when one was sent.
    pub receipt: Option<Receipt>,
    /// When it was recorded: the answer was complete.
    pub answered: Option<Millis>,
    /// The newest checkpoint, when one was made: that of [`live_checkpoint`].
    pub checkpoint: Option<CheckpointRecord>,
    /// Why the snapshot was not used. `None`: it was used, is missing or of an earlier version, or groups were marked after it.
    pub rebuilt: Option<String>,
    /// Whether the view began as a snapshot.
    pub from_snapshot: bool,
    /// How many records were read for the view.
    pub records_read: usize,
    /// Records that are lost, or do not fit without those that are. The session opens without them.
    pub unreadable: Vec<Unreadable>,
}

/// Why a session cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// There is no such session.
    #[error("there is no session {0} to resume")]
    NoSession(SessionId),
    /// The log reports damage instead of reading around it.
    #[error("session {session} cannot be resumed: record {seq} of its log is damaged: {why}")]
    Damaged {
        /// The session.
        session: SessionId,
        /// The record.
        seq: Seq,
        /// What is wrong with it.
        why: String,
    },
    /// The log cannot be read now.
    #[error("session {session} cannot be resumed: its log cannot be read")]
    Log {
        /// The session.
        session: SessionId,
        /// Why.
        source: LogError,
    },
}

/// Opens a session: its snapshot when there is a sound one, and the records after it.
///
/// The view equals the one that was left if that one had taken every record. It costs the length of the view
/// and of the records after the snapshot; without a usable snapshot, the whole log. Tokens are counted
/// again, because the counter may have changed.
///
/// # Errors
/// [`ResumeError`] when the log cannot be read. A snapshot that cannot be read is no error.
pub async fn resume(
    log: &dyn MessageLog,
    snapshots: &dyn SnapshotStore,
    session: &SessionId,
    counter: &dyn TokenCounter,
) -> Result<Resumed, ResumeError> {
    let reader = LogReader { log, session };
    let last = log.last(session).await.map_err(|error| reader.failed(error))?;
    let stored = match snapshots.load(session).await {
        Ok(None) => None,
        Ok(Some(snapshot)) => match snapshot.fault(session, last) {
            None => Some(Ok(snapshot)),
            Some(why) => Some(Err(why)),
        },
        Err(error) => Some(Err(with_causes(&error))),
    };
    let restored = match stored {
        None => reader.whole(counter).await?,
        Some(Err(why)) => RestoredView { rebuilt: Some(why), ..reader.whole(counter).await? },
        Some(Ok(snapshot)) => reader.on_snapshot(snapshot, counter).await?,
    };
    if last == Seq(0) {
        return Ok(restored.of_new_session());
    }
    // Records that do not shape the view were not read, but the view that was left had applied them.
    reader.resumed(RestoredView { view: restored.view.at(last), ..restored }, last).await
}

struct LogReader<'a> {
    log: &'a dyn MessageLog,
    session: &'a SessionId,
}

/// A view, and how it came about.
#[derive(Default)]
struct RestoredView {
    view: View,
    read: usize,
    from_snapshot: bool,
    rebuilt: Option<String>,
    unreadable: Vec<Unreadable>,
}

impl RestoredView {
    /// The session whose log has no record yet: its view is empty, and there is no newest record of any kind.
    fn of_new_session(self) -> Resumed {
        Resumed { rebuilt: self.rebuilt, from_snapshot: self.from_snapshot, ..Resumed::default() }
    }
}

impl LogReader<'_> {
    async fn on_snapshot(
        &self,
        snapshot: Snapshot,
        counter: &dyn TokenCounter,
    ) -> Result<RestoredView, ResumeError> {
        if snapshot.lacks_said() {
            return self.whole(counter).await;
        }
        let covers = snapshot.covers;
        let page = read_all(self.log, self.session, covers, Part::View).await;
        let LogPage { records, unreadable, .. } = page.map_err(|error| self.failed(error))?;
        if records.iter().any(|record| matches!(record.body, RecordBody::Mark(_))) {
            // A mark reaches back behind the snapshot. That is no fault of it.
            let whole = self.whole(counter).await?;
            return Ok(RestoredView { read: records.len() + whole.read, ..whole });
        }
        let base = snapshot.into_view(counter);
        match project_on(base, &records, counter) {
            Ok(view) => {
                Ok(RestoredView { view, read: records.len(), from_snapshot: true, rebuilt: None, unreadable })
            }
            Err((seq, why)) => {
                let why =
                    format!("record {seq} does not fit the snapshot, which covers record {covers}: {why}");
                let whole = self.whole(counter).await?;
                Ok(RestoredView { read: records.len() + whole.read, rebuilt: Some(why), ..whole })
            }
        }
    }

    /// Projects the whole log. Records that do not fit without those that are lost are left out.
    async fn whole(&self, counter: &dyn TokenCounter) -> Result<RestoredView, ResumeError> {
        let whole = project_log(self.log, self.session, Part::View, counter, &mut |_| {}).await;
        let ProjectedLog { view, read, unreadable } = whole.map_err(|error| self.failed(error))?;
        Ok(RestoredView { view, read, unreadable, ..RestoredView::default() })
    }

    async fn resumed(&self, restored: RestoredView, last: Seq) -> Result<Resumed, ResumeError> {
        let RestoredView { view, read, from_snapshot, rebuilt, mut unreadable } = restored;
        // The view may have been emptied by an edit, so the newest message is asked for its exchange.
        let message = self.newest("message", &mut unreadable).await?;
        // Its messages may even have been deleted permanently; then the mark that did it knows its number, which must not
        // be given to another exchange.
        let mark = self.newest("mark", &mut unreadable).await?;
        let newest = [message, mark].into_iter().flatten().map(|record| record.exchange).max();
        let exchange = newest.unwrap_or_default().max(view.exchange());
        let model = match self.newest("model", &mut unreadable).await?.map(|record| record.body) {
            Some(RecordBody::Model(model)) => Some(model),
            _ => None,
        };
        let policy = match self.newest("policy", &mut unreadable).await?.map(|record| record.body) {
            Some(RecordBody::Policy(policy)) => Some(policy),
            _ => None,
        };
        let prompt = match self.newest("prompt", &mut unreadable).await?.map(|record| record.body) {
            Some(RecordBody::Prompt(prompt)) => Some(prompt),
            _ => None,
        };
        let tools = match self.newest("tools", &mut unreadable).await?.map(|record| record.body) {
            Some(RecordBody::Tools(tools)) => Some(tools),
            _ => None,
        };
        let newest = self.newest("receipt", &mut unreadable).await?;
        let answered = newest.as_ref().map(|record| record.at);
        let receipt = match newest.map(|record| record.body) {
            Some(RecordBody::Receipt(receipt)) => Some(*receipt),
            _ => None,
        };
        let checkpoint = match live_checkpoint(self.log, self.session, view.groups()).await {
            Err(LogError::Damaged { seq, why }) => {
                unreadable.push(Unreadable::one(seq, why));
                None
            }
            found => found.map_err(|error| self.failed(error))?,
        };
        Ok(Resumed {
            view,
            last,
            exchange,
            model,
            policy,
            prompt,
            tools,
            receipt,
            answered,
            checkpoint,
            rebuilt,
            from_snapshot,
            records_read: read,
            unreadable: merged(unreadable),
        })
    }

    /// The newest record of a kind. A damaged one is noted and left out: no single record may hide a session.
    async fn newest(
        &self,
        kind: &str,
        unreadable: &mut Vec<Unreadable>,
    ) -> Result<Option<Record>, ResumeError> {
        match self.log.newest(self.session, kind).await {
            Ok(record) => Ok(record),
            Err(LogError::Damaged { seq, why }) => {
                unreadable.push(Unreadable::one(seq, why));
                Ok(None)
            }
            Err(error) => Err(self.failed(error)),
        }
    }

    fn failed(&self, error: LogError) -> ResumeError {
        let session = self.session.clone();
        match error {
            LogError::NoSession(session) => ResumeError::NoSession(session),
            LogError::Damaged { seq, why } => ResumeError::Damaged { session, seq, why },
            source => ResumeError::Log { session, source },
        }
    }
}

fn project_on(mut view: View, records: &[Record], counter: &dyn TokenCounter) -> Result<View, (Seq, String)> {
    for record in records {
        view.apply(record, counter).map_err(|error| (record.seq, error.to_string()))?;
    }
    Ok(view)
}

fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests;
